//! The servers of the references. Their sockets are made like those of the real one: same library, same buffers, one
//! task each. They judge nothing, know no game and render nothing.

use std::collections::HashMap;
use std::fs::File;
use std::io::Write as _;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;

use anyhow::Context as _;
use axum::Router;
use axum::extract::ws::{Message, Utf8Bytes, WebSocket, WebSocketUpgrade};
use axum::extract::{Query, State};
use axum::response::Response;
use axum::routing::get;
use axum::serve::ListenerExt as _;
use clap::Args;
use parking_lot::Mutex;
use tokio::net::TcpListener;
use tokio::sync::mpsc;

use crate::print_line;

/// As the server's: the buffer of a socket, the queue before it, and what one commit takes at most.
const BUFFER: usize = 1024;
const DEPTH: usize = 256;
const GROUP: usize = 4_096;

#[derive(Debug, Args)]
pub(crate) struct EchoArgs {
    /// Bytes of an answer
    #[arg(long)]
    reply: usize,
}

#[derive(Debug, Args)]
pub(crate) struct LimitArgs {
    #[command(flatten)]
    echo: EchoArgs,
    /// The file to append to
    #[arg(long)]
    file: PathBuf,
}

pub(crate) fn serve_echo(args: &EchoArgs) -> anyhow::Result<ExitCode> {
    let reply = filler(args.reply);
    let app = Router::new().route(
        "/ws",
        get(move |upgrade: WebSocketUpgrade| async move {
            small(upgrade).on_upgrade(move |socket| echo(socket, reply))
        }),
    );
    serve(app)
}

async fn echo(mut socket: WebSocket, reply: Utf8Bytes) {
    while let Some(Ok(message)) = socket.recv().await {
        let is_text = matches!(message, Message::Text(_));
        if is_text && socket.send(Message::Text(reply.clone())).await.is_err() {
            return;
        }
    }
}

/// The clients of a pair.
type Outboxes = Vec<mpsc::Sender<Utf8Bytes>>;

#[derive(Clone)]
struct Limit {
    pairs: Arc<Mutex<HashMap<u32, Outboxes>>>,
    writer: mpsc::Sender<(Utf8Bytes, u32)>,
}

pub(crate) fn serve_limit(args: &LimitArgs) -> anyhow::Result<ExitCode> {
    let file = File::create(&args.file).context("the file of the limit cannot be made")?;
    let (writer, inbox) = mpsc::channel(65_536);
    let limit = Limit { pairs: Arc::default(), writer };
    let pairs = limit.pairs.clone();
    let reply = filler(args.echo.reply);
    std::thread::spawn(move || write(file, inbox, &pairs, &reply));
    serve(Router::new().route("/ws", get(open)).with_state(limit))
}

/// The writer: appends what has queued, syncs once, tells all.
fn write(
    mut file: File,
    mut inbox: mpsc::Receiver<(Utf8Bytes, u32)>,
    pairs: &Mutex<HashMap<u32, Outboxes>>,
    reply: &Utf8Bytes,
) {
    let mut group = Vec::with_capacity(GROUP);
    let mut bytes = Vec::new();
    while inbox.blocking_recv_many(&mut group, GROUP) > 0 {
        bytes.clear();
        for (text, _) in &group {
            bytes.extend_from_slice(text.as_bytes());
            bytes.push(b'\n');
        }
        file.write_all(&bytes).and_then(|()| file.sync_data()).expect("the disk takes it");
        let pairs = pairs.lock();
        for (_, pair) in group.drain(..) {
            for outbox in pairs.get(&pair).into_iter().flatten() {
                // A full queue cannot be: one frame at a time is under way in a pair.
                let _ = outbox.try_send(reply.clone());
            }
        }
    }
}

#[derive(serde::Deserialize)]
struct Place {
    pair: u32,
}

async fn open(
    State(limit): State<Limit>,
    Query(Place { pair }): Query<Place>,
    upgrade: WebSocketUpgrade,
) -> Response {
    small(upgrade).on_upgrade(move |socket| async move {
        let (outbox, queue) = mpsc::channel(DEPTH);
        limit.pairs.lock().entry(pair).or_default().push(outbox);
        append(socket, queue, limit.writer, pair).await;
    })
}

async fn append(
    mut socket: WebSocket,
    mut queue: mpsc::Receiver<Utf8Bytes>,
    writer: mpsc::Sender<(Utf8Bytes, u32)>,
    pair: u32,
) {
    loop {
        tokio::select! {
            biased;
            Some(frame) = queue.recv() => if socket.send(Message::Text(frame)).await.is_err() {
                return;
            },
            message = socket.recv() => match message {
                Some(Ok(Message::Text(text))) => if writer.send((text, pair)).await.is_err() {
                    return;
                },
                Some(Ok(_)) => {}
                Some(Err(_)) | None => return,
            },
        }
    }
}

fn small(upgrade: WebSocketUpgrade) -> WebSocketUpgrade {
    upgrade.read_buffer_size(BUFFER).write_buffer_size(0).max_write_buffer_size(1 << 20)
}

fn filler(bytes: usize) -> Utf8Bytes {
    Utf8Bytes::from("x".repeat(bytes))
}

fn serve(app: Router) -> anyhow::Result<ExitCode> {
    tokio::runtime::Builder::new_multi_thread().enable_all().build()?.block_on(async {
        let listener = TcpListener::bind(("127.0.0.1", 0)).await?;
        print_line(&format!("listening on http://{}", listener.local_addr()?))?;
        let listener = listener.tap_io(|stream| {
            let _ = stream.set_nodelay(true);
        });
        axum::serve(listener, app).await?;
        Ok(ExitCode::SUCCESS)
    })
}
