//! A line to another host: one connection, one request, one answer. TLS trusts whom the system trusts.
//!
//! Not here: which hosts may be asked, how long one waits, and what an answer means. Each use has its own word on that.

use std::net::Ipv6Addr;
use std::sync::{Arc, OnceLock};

use bytes::Bytes;
use http_body_util::Full;
use hyper::body::Incoming;
use hyper::client::conn::http1::{Builder, SendRequest};
use hyper::http::response::Parts;
use hyper::{Request, Uri};
use hyper_util::rt::TokioIo;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::TcpStream;
use tokio::task::AbortHandle;
use tokio_rustls::TlsConnector;
use tokio_rustls::rustls::pki_types::ServerName;
use tokio_rustls::rustls::{self, ClientConfig, RootCertStore, crypto};

/// The most of an answer's head that is kept.
const HEAD: usize = 64 << 10;

/// Why a line did not carry a request and its answer.
#[derive(Debug, thiserror::Error)]
pub(crate) enum LineError {
    #[error("its host has no name")]
    NoName,
    #[error("TLS cannot be set up")]
    NoTls(#[source] rustls::Error),
    #[error(transparent)]
    Broken(#[from] std::io::Error),
    #[error(transparent)]
    Garbled(#[from] hyper::Error),
}

/// Where a request goes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Host {
    pub(crate) is_tls: bool,
    /// A name in small letters or an address without brackets.
    pub(crate) name: String,
    pub(crate) port: u16,
}

impl Host {
    /// The host of an address that begins with `http` or `https`.
    pub(crate) fn of(uri: &Uri) -> Option<Host> {
        let is_tls = match uri.scheme_str()? {
            "https" => true,
            "http" => false,
            _ => return None,
        };
        let name = uri.host()?.trim_matches(['[', ']']).to_lowercase();
        let port = uri.port_u16().unwrap_or(usual_port(is_tls));
        (!name.is_empty()).then_some(Host { is_tls, name, port })
    }

    /// The name with its port, where that is not the usual one.
    pub(crate) fn authority(&self) -> String {
        let name = match self.name.parse::<Ipv6Addr>() {
            Ok(address) => format!("[{address}]"),
            Err(_) => self.name.clone(),
        };
        if self.port == usual_port(self.is_tls) { name } else { format!("{name}:{}", self.port) }
    }
}

fn usual_port(is_tls: bool) -> u16 {
    if is_tls { 443 } else { 80 }
}

/// Opens lines. Cheap to clone.
#[derive(Clone, Default)]
pub(crate) struct Lines {
    /// Who is believed to be who. Read once, when it is first needed.
    tls: Arc<OnceLock<TlsConnector>>,
}

impl Lines {
    /// Speaks with a host over a stream that leads to it.
    pub(crate) async fn open(&self, host: &Host, stream: TcpStream) -> Result<Line, LineError> {
        if !host.is_tls {
            return Line::begin(stream).await;
        }
        let name = ServerName::try_from(host.name.clone()).map_err(|_| LineError::NoName)?;
        let stream = self.tls().await?.connect(name, stream).await?;
        Line::begin(stream).await
    }

    async fn tls(&self) -> Result<TlsConnector, LineError> {
        if let Some(tls) = self.tls.get() {
            return Ok(tls.clone());
        }
        let made = tokio::task::spawn_blocking(|| {
            let mut roots = RootCertStore::empty();
            roots.add_parsable_certificates(rustls_native_certs::load_native_certs().certs);
            let provider = Arc::new(crypto::ring::default_provider());
            let config = ClientConfig::builder_with_provider(provider)
                .with_safe_default_protocol_versions()
                .map_err(LineError::NoTls)?
                .with_root_certificates(roots)
                .with_no_client_auth();
            Ok::<_, LineError>(TlsConnector::from(Arc::new(config)))
        });
        let made = made.await.map_err(std::io::Error::other)??;
        Ok(self.tls.get_or_init(|| made).clone())
    }
}

/// A line that stands. It is cut when nobody holds it or its answer any more.
pub(crate) struct Line {
    sender: SendRequest<Full<Bytes>>,
    cut: Cut,
}

impl Line {
    async fn begin(
        stream: impl AsyncRead + AsyncWrite + Unpin + Send + 'static,
    ) -> Result<Line, LineError> {
        let (sender, line) =
            Builder::new().max_buf_size(HEAD).handshake(TokioIo::new(stream)).await?;
        // What the line says beyond the answer nobody reads.
        let task = tokio::spawn(async move {
            let _ = line.await;
        });
        Ok(Line { sender, cut: Cut(task.abort_handle()) })
    }

    /// Sends the request; gives the answer as soon as its head is there.
    pub(crate) async fn ask(mut self, request: Request<Full<Bytes>>) -> Result<Reply, LineError> {
        let (head, body) = self.sender.send_request(request).await?.into_parts();
        Ok(Reply { head, body, _cut: self.cut })
    }
}

/// An answer: its head, and a body that is still on its way.
pub(crate) struct Reply {
    pub(crate) head: Parts,
    pub(crate) body: Incoming,
    _cut: Cut,
}

struct Cut(AbortHandle);

impl Drop for Cut {
    fn drop(&mut self) {
        self.0.abort();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn authority(url: &str) -> Option<String> {
        Host::of(&url.parse().ok()?).map(|host| host.authority())
    }

    #[test]
    fn a_host_is_named_with_its_port_only_where_that_is_unusual() {
        for (url, expected) in [
            ("https://lichess.org", "lichess.org"),
            ("https://Push.example:443/a/b", "push.example"),
            ("http://127.0.0.1:8080/a", "127.0.0.1:8080"),
            ("https://[::1]:9/a", "[::1]:9"),
        ] {
            assert_eq!(authority(url).as_deref(), Some(expected), "{url}");
        }
        for bad in ["", "lichess.org", "ftp://lichess.org", "https://"] {
            assert_eq!(authority(bad), None, "{bad}");
        }
    }
}
