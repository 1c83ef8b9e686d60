//! One client's WebSocket, with small buffers.

use std::net::SocketAddr;

use futures_util::{SinkExt as _, StreamExt as _};
use tokio::net::TcpStream;
use tokio_tungstenite::tungstenite::client::IntoClientRequest as _;
use tokio_tungstenite::tungstenite::http::HeaderValue;
use tokio_tungstenite::tungstenite::http::header::COOKIE;
use tokio_tungstenite::tungstenite::protocol::WebSocketConfig;
use tokio_tungstenite::tungstenite::{Error, Message, Utf8Bytes};
use tokio_tungstenite::{WebSocketStream, client_async_with_config};

/// A client's socket.
pub(super) struct Socket(WebSocketStream<TcpStream>);

/// The connection has broken.
#[derive(Debug, thiserror::Error)]
#[error("the connection broke: {0}")]
pub(super) struct Broken(String);

impl From<Error> for Broken {
    fn from(error: Error) -> Broken {
        Broken(error.to_string())
    }
}

impl From<std::io::Error> for Broken {
    fn from(error: std::io::Error) -> Broken {
        Broken(error.to_string())
    }
}

impl Socket {
    pub(super) async fn open(
        address: SocketAddr,
        path: &str,
        cookie: Option<&str>,
    ) -> Result<Socket, Broken> {
        let mut request = format!("ws://{address}{path}").into_client_request()?;
        if let Some(cookie) = cookie {
            let value = HeaderValue::from_str(cookie).map_err(|error| Broken(error.to_string()))?;
            request.headers_mut().insert(COOKIE, value);
        }
        let config = WebSocketConfig::default().read_buffer_size(4_096).write_buffer_size(0);
        let stream = TcpStream::connect(address).await?;
        stream.set_nodelay(true)?;
        let (socket, _) = client_async_with_config(request, stream, Some(config)).await?;
        Ok(Socket(socket))
    }

    /// The next text that comes. May be dropped and asked again without losing any.
    pub(super) async fn next(&mut self) -> Result<Utf8Bytes, Broken> {
        loop {
            match self.0.next().await {
                Some(Ok(Message::Text(text))) => return Ok(text),
                Some(Ok(Message::Close(_))) | None => return Err(Broken("closed".to_owned())),
                // The library answers pings by itself.
                Some(Ok(_)) => {}
                Some(Err(error)) => return Err(error.into()),
            }
        }
    }

    pub(super) async fn send(&mut self, text: impl Into<Utf8Bytes>) -> Result<(), Broken> {
        Ok(self.0.send(Message::Text(text.into())).await?)
    }
}
