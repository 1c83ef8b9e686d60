//! A few connections that speak HTTP, shared by all tables.

use std::net::SocketAddr;
use std::sync::atomic::{AtomicUsize, Ordering};

use anyhow::{Context as _, bail};
use bytes::Bytes;
use http_body_util::{BodyExt as _, Full};
use hyper::client::conn::http1::{SendRequest, handshake};
use hyper::header::{CONTENT_TYPE, COOKIE, HOST, SET_COOKIE};
use hyper::{Method, Request, StatusCode};
use hyper_util::rt::TokioIo;
use tokio::net::TcpStream;
use tokio::sync::Mutex;

/// Connections at once.
const CONNECTIONS: usize = 64;

type Connection = Mutex<Option<SendRequest<Full<Bytes>>>>;

/// The way to the server's API.
pub(super) struct Http {
    address: SocketAddr,
    connections: Vec<Connection>,
    next: AtomicUsize,
}

/// An answer.
pub(super) struct Answer {
    pub(super) status: StatusCode,
    /// The cookie that came with it, ready to be sent back.
    pub(super) cookie: Option<String>,
    pub(super) body: Bytes,
}

impl Http {
    pub(super) fn new(address: SocketAddr) -> Http {
        Http {
            address,
            connections: (0..CONNECTIONS).map(|_| Connection::default()).collect(),
            next: AtomicUsize::new(0),
        }
    }

    /// Asks; the answer may be a refusal. Whether there is no answer or a bad one must never look the same.
    pub(super) async fn get(&self, path: &str, cookie: Option<&str>) -> anyhow::Result<Answer> {
        self.send(Method::GET, path, cookie, "").await
    }

    /// Changes something; a refusal is an error.
    pub(super) async fn post(
        &self,
        path: &str,
        cookie: Option<&str>,
        body: &str,
    ) -> anyhow::Result<Answer> {
        let answer = self.send(Method::POST, path, cookie, body).await?;
        if !answer.status.is_success() {
            bail!("{path}: {} {}", answer.status, String::from_utf8_lossy(&answer.body));
        }
        Ok(answer)
    }

    async fn send(
        &self,
        method: Method,
        path: &str,
        cookie: Option<&str>,
        body: &str,
    ) -> anyhow::Result<Answer> {
        let mut request = Request::builder()
            .method(method)
            .uri(path)
            .header(HOST, self.address.to_string())
            .header(CONTENT_TYPE, "application/json");
        if let Some(cookie) = cookie {
            request = request.header(COOKIE, cookie);
        }
        let request = request.body(Full::new(Bytes::copy_from_slice(body.as_bytes())))?;
        let number = self.next.fetch_add(1, Ordering::Relaxed) % CONNECTIONS;
        let mut place = self.connections[number].lock().await;
        // Taken out: if anything fails on the way, the next one opens a new connection.
        let mut connection = match place.take() {
            Some(connection) if !connection.is_closed() => connection,
            _ => self.connect().await?,
        };
        connection.ready().await?;
        let response = connection.send_request(request).await?;
        let (head, body) = response.into_parts();
        let body = body.collect().await?.to_bytes();
        *place = Some(connection);
        let cookie = head.headers.get(SET_COOKIE).and_then(|value| value.to_str().ok());
        let cookie = cookie.and_then(|text| text.split(';').next()).map(str::to_owned);
        Ok(Answer { status: head.status, cookie, body })
    }

    async fn connect(&self) -> anyhow::Result<SendRequest<Full<Bytes>>> {
        let stream = TcpStream::connect(self.address).await.context("no connection")?;
        stream.set_nodelay(true)?;
        let (sender, connection) = handshake(TokioIo::new(stream)).await?;
        tokio::spawn(async move {
            // How it ended is seen by whoever sends the next request.
            let _ = connection.await;
        });
        Ok(sender)
    }
}
