//! Carrying one message to a push service: one connection, one request, no redirect followed.

use std::net::SocketAddr;
use std::time::Duration;

use axum::http::{Request, StatusCode, header};
use bytes::Bytes;
use http_body_util::Full;
use tokio::net::TcpStream;

use super::address::{Endpoint, is_public};
use crate::line::{Line, LineError, Lines};

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
    lines: Lines,
}

impl PushService {
    pub(super) fn new(allows_local: bool) -> PushService {
        PushService { allows_local, lines: Lines::default() }
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
        let request = Request::post(&endpoint.path)
            .header(header::HOST, endpoint.host.authority())
            .header(header::AUTHORIZATION, parcel.authorization)
            .header(header::CONTENT_TYPE, "application/octet-stream")
            .header(header::CONTENT_ENCODING, "aes128gcm")
            .header(header::CONTENT_LENGTH, parcel.body.len())
            .header("ttl", KEEP_SECONDS)
            .header("urgency", "normal")
            .header("topic", parcel.topic)
            .body(Full::new(Bytes::from(parcel.body)))
            .map_err(|error| Said::Never(error.to_string()))?;
        let head = self.connect(endpoint).await?.ask(request).await?.head;
        let wait = head.headers.get(header::RETRY_AFTER).and_then(|wait| wait.to_str().ok());
        Ok(judge(head.status, wait.and_then(|wait| wait.parse().ok())))
    }

    /// Connects to an address that was looked at: a name must not lead elsewhere the second time it is asked for.
    async fn connect(&self, Endpoint { host, .. }: &Endpoint) -> Result<Line, Said> {
        let found = tokio::net::lookup_host((host.name.as_str(), host.port)).await;
        let addresses: Vec<SocketAddr> = found.map_err(LineError::from)?.collect();
        if !self.allows_local && !addresses.iter().all(|address| is_public(address.ip())) {
            return Err(Said::Never("its name leads into a network that is not public".to_owned()));
        }
        let stream = TcpStream::connect(addresses.as_slice()).await.map_err(LineError::from)?;
        Ok(self.lines.open(host, stream).await?)
    }
}

impl From<LineError> for Said {
    fn from(error: LineError) -> Said {
        match error {
            LineError::NoName => Said::Never(error.to_string()),
            error => Said::Later(error.to_string(), None),
        }
    }
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
