//! A client like any other: a browser that keeps its cookie, and its socket.

use std::fmt::Write as _;
use std::net::SocketAddr;
use std::time::Duration;

use futures_util::{SinkExt as _, StreamExt as _};
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;
use tokio_tungstenite::tungstenite::client::IntoClientRequest as _;
use tokio_tungstenite::tungstenite::{Error, Message};
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream};

/// How long a test waits for an answer of a server on the same machine before it gives up.
const PATIENCE: Duration = Duration::from_secs(20);

#[derive(Clone)]
pub(crate) struct Browser {
    address: SocketAddr,
    cookie: Option<String>,
    pub(crate) extra_headers: Vec<(String, String)>,
}

#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) headers: Vec<(String, String)>,
    pub(crate) text: String,
    /// Whether it came to its end.
    pub(crate) is_whole: bool,
}

impl Answer {
    /// The body, if the status is the expected one.
    pub(crate) fn expect(self, status: u16) -> Value {
        assert_eq!(self.status, status, "{}", self.text);
        if self.text.is_empty() {
            Value::Null
        } else {
            serde_json::from_str(&self.text).unwrap_or(Value::Null)
        }
    }

    /// A problem with this status and code.
    pub(crate) fn expect_problem(self, status: u16, code: &str) {
        assert_eq!(self.header("content-type"), Some("application/problem+json"), "{}", self.text);
        let problem = self.expect(status);
        assert_eq!(
            (problem["code"].as_str(), problem["status"].as_u64()),
            (Some(code), Some(status.into())),
            "{problem}"
        );
        assert!(problem["detail"].as_str().is_some_and(|detail| detail.len() > 5), "{problem}");
    }

    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(n, _)| n == name).map(|(_, value)| value.as_str())
    }
}

impl Browser {
    pub(crate) fn new(address: SocketAddr) -> Browser {
        Browser { address, cookie: None, extra_headers: Vec::new() }
    }

    /// The same place, and nobody knows who it is.
    pub(crate) fn without_cookie(&self) -> Browser {
        Browser::new(self.address)
    }

    pub(crate) async fn get(&mut self, path: &str) -> Answer {
        self.request("GET", path, None).await
    }

    /// Whether what is asked for arrives whole.
    pub(crate) async fn gets_all(&self, path: &str) -> bool {
        let (address, cookie) = (self.address, self.cookie.as_deref().unwrap_or_default());
        let head = format!(
            "GET {path} HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\nCookie: {cookie}\r\n\r\n"
        );
        try_exchange(address, &head).await.is_some_and(|answer| answer.is_whole)
    }

    pub(crate) async fn post(&mut self, path: &str, body: Value) -> Answer {
        self.request("POST", path, Some(body.to_string())).await
    }

    pub(crate) async fn delete(&mut self, path: &str) -> Answer {
        self.request("DELETE", path, None).await
    }

    pub(crate) async fn request(
        &mut self,
        method: &str,
        path: &str,
        body: Option<String>,
    ) -> Answer {
        let mut head =
            format!("{method} {path} HTTP/1.1\r\nHost: {}\r\nConnection: close\r\n", self.address);
        if let Some(cookie) = &self.cookie {
            write!(head, "Cookie: {cookie}\r\n").unwrap();
        }
        for (name, value) in &self.extra_headers {
            write!(head, "{name}: {value}\r\n").unwrap();
        }
        if let Some(body) = &body {
            write!(head, "Content-Type: application/json\r\nContent-Length: {}\r\n", body.len())
                .unwrap();
        }
        let answer =
            exchange(self.address, &format!("{head}\r\n{}", body.unwrap_or_default())).await;
        if let Some(cookie) = answer.header("set-cookie") {
            self.cookie = cookie.split(';').next().map(str::to_owned);
        }
        answer
    }

    pub(crate) async fn socket(&self) -> Socket {
        let mut request = format!("ws://{}/ws", self.address).into_client_request().unwrap();
        if let Some(cookie) = &self.cookie {
            request.headers_mut().insert("cookie", cookie.parse().unwrap());
        }
        let (stream, _) = tokio_tungstenite::connect_async(request).await.unwrap();
        let mut socket = Socket { stream };
        assert_eq!(socket.next().await["t"], "hello");
        socket
    }
}

/// One request on one connection; `Connection: close` marks the end of the answer.
async fn exchange(address: SocketAddr, request: &str) -> Answer {
    try_exchange(address, request).await.expect("an answer")
}

async fn try_exchange(address: SocketAddr, request: &str) -> Option<Answer> {
    let mut stream = TcpStream::connect(address).await.ok()?;
    stream.write_all(request.as_bytes()).await.ok()?;
    let mut bytes = Vec::new();
    // A server that refuses early may close while we write: what it said before that counts.
    let _ = tokio::time::timeout(PATIENCE, stream.read_to_end(&mut bytes))
        .await
        .expect("an answer in time");
    let text = String::from_utf8(bytes).unwrap();
    let (head, body) = text.split_once("\r\n\r\n")?;
    let mut lines = head.lines();
    let status = lines.next().unwrap().split(' ').nth(1).unwrap().parse().unwrap();
    let headers: Vec<(String, String)> = lines
        .filter_map(|line| line.split_once(": "))
        .map(|(name, value)| (name.to_lowercase(), value.to_owned()))
        .collect();
    let chunked =
        headers.iter().any(|(name, value)| name == "transfer-encoding" && value == "chunked");
    let (text, is_whole) = if chunked { dechunk(body) } else { (body.to_owned(), true) };
    Some(Answer { status, headers, text, is_whole })
}

/// The text of the chunks, and whether the last one is there.
fn dechunk(mut body: &str) -> (String, bool) {
    let mut text = String::new();
    while let Some((size, rest)) = body.split_once("\r\n") {
        let size = usize::from_str_radix(size, 16).unwrap();
        if size == 0 {
            return (text, true);
        }
        text += &rest[..size];
        body = &rest[size + 2..];
    }
    (text, false)
}

pub(crate) struct Socket {
    stream: WebSocketStream<MaybeTlsStream<TcpStream>>,
}

impl Socket {
    pub(crate) async fn send(&mut self, message: Value) {
        self.stream.send(Message::text(message.to_string())).await.unwrap();
    }

    pub(crate) async fn send_raw(&mut self, message: Message) -> Result<(), Error> {
        self.stream.send(message).await
    }

    /// The next message of the server.
    pub(crate) async fn next(&mut self) -> Value {
        self.next_or_close().await.expect("the socket is open")
    }

    /// The next message, or none when the server has closed.
    pub(crate) async fn next_or_close(&mut self) -> Option<Value> {
        loop {
            let message = tokio::time::timeout(PATIENCE, self.stream.next())
                .await
                .expect("a message in time");
            match message {
                Some(Ok(Message::Text(text))) => return Some(serde_json::from_str(&text).unwrap()),
                Some(Ok(Message::Close(_)) | Err(_)) | None => return None,
                Some(Ok(_)) => {}
            }
        }
    }

    /// Waits until the server feels the line; [`Socket::answer_ping`] answers.
    pub(crate) async fn hear_ping(&mut self) {
        loop {
            let message =
                tokio::time::timeout(PATIENCE, self.stream.next()).await.expect("a ping in time");
            let message = message.expect("the socket is open").expect("a whole message");
            if matches!(message, Message::Ping(_)) {
                return;
            }
        }
    }

    pub(crate) async fn answer_ping(&mut self) {
        self.stream.flush().await.unwrap();
    }

    /// The next message with this tag; others before it are passed over.
    pub(crate) async fn next_of(&mut self, tag: &str) -> Value {
        loop {
            let message = self.next().await;
            if message["t"] == tag {
                return message;
            }
        }
    }

    /// The next change of a kind in a game; what comes before it is skipped.
    pub(crate) async fn next_change(&mut self, kind: &str) -> Value {
        loop {
            let changed = self.next_of("changed").await;
            if changed["change"]["kind"] == kind {
                return changed;
            }
        }
    }

    pub(crate) async fn join_game(&mut self, id: &str) -> Value {
        self.send(json!({"t": "join", "room": format!("game:{id}")})).await;
        let state = self.next_of("state").await;
        self.next_of("around").await;
        state
    }

    /// Makes a move and waits until it is told.
    pub(crate) async fn play(&mut self, id: &str, ply: u32, uci: &str) -> Value {
        self.send(json!({"t": "move", "game": id, "ply": ply, "uci": uci})).await;
        let mut played = self.next_of("played").await;
        while played["ply"].as_u64() < Some(u64::from(ply) + 1) {
            played = self.next_of("played").await;
        }
        assert_eq!(
            (played["ply"].as_u64(), played["uci"].as_str()),
            (Some(u64::from(ply) + 1), Some(uci))
        );
        played
    }
}

/// Plays these moves between two sockets, each waiting to see the other's.
pub(crate) async fn play_moves(white: &mut Socket, black: &mut Socket, id: &str, moves: &[&str]) {
    play_moves_from(0, white, black, id, moves).await;
}

/// The same in a game that has come to this ply.
pub(crate) async fn play_moves_from(
    ply: u32,
    white: &mut Socket,
    black: &mut Socket,
    id: &str,
    moves: &[&str],
) {
    for (uci, ply) in moves.iter().zip(ply..) {
        let (mover, other) =
            if ply % 2 == 0 { (&mut *white, &mut *black) } else { (&mut *black, &mut *white) };
        let told = mover.play(id, ply, uci).await;
        assert_eq!(other.next_of("played").await, told);
    }
}

impl Browser {
    /// The server came back on another port.
    pub(crate) fn move_to(&mut self, address: SocketAddr) {
        self.address = address;
    }

    /// A request to a server that may not be listening any more.
    pub(crate) async fn post_quietly(&mut self, path: &str, body: Value) -> Option<Answer> {
        let body = body.to_string();
        let head =
            format!("POST {path} HTTP/1.1\r\nHost: {}\r\nConnection: close\r\n", self.address);
        let kind = format!(
            "Content-Type: application/json\r\nContent-Length: {}\r\n\r\n{body}",
            body.len()
        );
        try_exchange(self.address, &format!("{head}{kind}")).await
    }
}
