//! Carrying one message to a push service: one connection, one request, no redirect followed.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use axum::http::{Request, StatusCode, header};
use bytes::Bytes;
use http_body_util::Full;
use hyper_util::rt::TokioIo;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::TcpStream;
use tokio_rustls::TlsConnector;
use tokio_rustls::rustls::pki_types::ServerName;
use tokio_rustls::rustls::{ClientConfig, RootCertStore};

use super::address::{Endpoint, is_public};

/// How long a push service may take for its answer.
const PATIENCE: Duration = Duration::from_secs(15);
/// How long a push service keeps a message for a browser that is not there.
const KEEP_SECONDS: u32 = 24 * 3_600;

/// What a push service said.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Said {
    /// It has it.
    Taken,
    /// It does not know the browser any more.
    Gone,
    /// Later, perhaps: after so many seconds, if it said so.
    Later(String, Option<i64>),
    /// Never.
    Never(String),
}

/// A message, encrypted and signed.
pub(super) struct Parcel {
    pub(super) body: Vec<u8>,
    pub(super) authorization: String,
    /// A later one with the same topic takes its place.
    pub(super) topic: String,
}

/// Knows the way to push services.
pub(super) struct PushService {
    allows_local: bool,
    tls: Option<TlsConnector>,
}

impl PushService {
    pub(super) fn new(allows_local: bool) -> PushService {
        let mut roots = RootCertStore::empty();
        let found = rustls_native_certs::load_native_certs();
        roots.add_parsable_certificates(found.certs);
        let provider = Arc::new(tokio_rustls::rustls::crypto::ring::default_provider());
        let config =
            ClientConfig::builder_with_provider(provider).with_safe_default_protocol_versions();
        let tls = config.ok().map(|config| {
            let config = config.with_root_certificates(roots).with_no_client_auth();
            TlsConnector::from(Arc::new(config))
        });
        PushService { allows_local, tls }
    }

    /// Hands a message over.
    pub(super) async fn deliver(&self, endpoint: &Endpoint, parcel: Parcel) -> Said {
        match tokio::time::timeout(PATIENCE, self.try_to_deliver(endpoint, parcel)).await {
            Ok(Ok(said)) => said,
            Ok(Err(problem)) => problem,
            Err(_) => Said::Later("it did not answer in time".to_owned(), None),
        }
    }

    async fn try_to_deliver(&self, endpoint: &Endpoint, parcel: Parcel) -> Result<Said, Said> {
        let stream = self.connect(endpoint).await?;
        if !endpoint.is_secure {
            return ask(stream, endpoint, parcel).await;
        }
        let tls = self.tls.as_ref().ok_or_else(|| later(&"TLS cannot be set up"))?;
        let name = ServerName::try_from(endpoint.host.clone())
            .map_err(|_| Said::Never("its host has no name".to_owned()))?;
        let stream = tls.connect(name, stream).await.map_err(|error| later(&error))?;
        ask(stream, endpoint, parcel).await
    }

    /// Connects to an address that was looked at: a name must not lead elsewhere the second time it is asked for.
    async fn connect(&self, endpoint: &Endpoint) -> Result<TcpStream, Said> {
        let found = tokio::net::lookup_host((endpoint.host.as_str(), endpoint.port)).await;
        let addresses: Vec<SocketAddr> = found.map_err(|error| later(&error))?.collect();
        if !self.allows_local && !addresses.iter().all(|address| is_public(address.ip())) {
            return Err(Said::Never("its name leads into a network that is not public".to_owned()));
        }
        TcpStream::connect(addresses.as_slice()).await.map_err(|error| later(&error))
    }
}

fn later(error: &dyn std::fmt::Display) -> Said {
    Said::Later(error.to_string(), None)
}

async fn ask<S>(stream: S, endpoint: &Endpoint, parcel: Parcel) -> Result<Said, Said>
where
    S: AsyncRead + AsyncWrite + Unpin + Send + 'static,
{
    let request = Request::post(&endpoint.path)
        .header(header::HOST, endpoint.authority())
        .header(header::AUTHORIZATION, parcel.authorization)
        .header(header::CONTENT_TYPE, "application/octet-stream")
        .header(header::CONTENT_ENCODING, "aes128gcm")
        .header(header::CONTENT_LENGTH, parcel.body.len())
        .header("ttl", KEEP_SECONDS)
        .header("urgency", "normal")
        .header("topic", parcel.topic)
        .body(Full::new(Bytes::from(parcel.body)))
        .map_err(|error| Said::Never(error.to_string()))?;
    let (mut sender, line) = hyper::client::conn::http1::handshake(TokioIo::new(stream))
        .await
        .map_err(|error| later(&error))?;
    let mut asking = std::pin::pin!(sender.send_request(request));
    // The line lives as long as the answer's head is waited for; what it says beyond that nobody reads. A service that
    // hangs up may have answered before.
    let answer = tokio::select! {
        biased;
        answer = &mut asking => answer,
        _ = line => asking.await,
    };
    let answer = answer.map_err(|error| later(&error))?;
    let wait = answer.headers().get(header::RETRY_AFTER).and_then(|wait| wait.to_str().ok());
    Ok(judge(answer.status(), wait.and_then(|wait| wait.parse().ok())))
}

fn judge(status: StatusCode, wait: Option<i64>) -> Said {
    let text = format!("it answered {status}");
    match status {
        status if status.is_success() => Said::Taken,
        StatusCode::NOT_FOUND | StatusCode::GONE => Said::Gone,
        StatusCode::TOO_MANY_REQUESTS | StatusCode::REQUEST_TIMEOUT => Said::Later(text, wait),
        status if status.is_server_error() => Said::Later(text, wait),
        _ => Said::Never(text),
    }
}
