//! Accepting connections: small buffers, a limit on their number, no patience for half a request.

use std::net::SocketAddr;
use std::time::Duration;

use axum::Router;
use axum::extract::ConnectInfo;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;
use tower::ServiceExt as _;

use super::{Doors, Seat};
use crate::world::Time;

/// Who is at the other end of a connection.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Peer(pub(crate) SocketAddr);

/// Bytes of request head that are read at most.
const MAX_HEAD: usize = 16 * 1024;
/// How long a client may take for the head of a request.
const HEAD_WITHIN: Duration = Duration::from_secs(10);

/// How long those who are there may take for their last answer, in milliseconds.
const LEAVE_WITHIN: i64 = 3_000;
/// How long nobody is let in when no connection could be opened: something must be closed first.
const FULL_FOR: i64 = 100;

/// Serves until `stop` turns true; connections under way may finish their request.
pub(crate) async fn serve(
    listener: TcpListener,
    app: Router,
    doors: Doors,
    time: Time,
    mut stop: watch::Receiver<bool>,
) {
    loop {
        let accepted = tokio::select! {
            accepted = listener.accept() => accepted,
            () = stopped(&mut stop) => break,
        };
        match accepted {
            Ok((stream, peer)) => match doors.enter(peer.ip()) {
                Some(seat) => {
                    let app = app.clone();
                    let stop = stop.clone();
                    tokio::spawn(serve_one(stream, peer, app, seat, stop));
                }
                // Full: closing at once is the clearest word that costs nothing.
                None => drop(stream),
            },
            Err(error) => {
                // Out of file descriptors, mostly. The next round may have some again.
                tracing::warn!(%error, "a connection could not be accepted");
                time.sleep(FULL_FOR).await;
            }
        }
    }
    // Answers and farewells under way arrive before the process ends.
    tokio::select! {
        () = doors.empty() => {}
        () = time.sleep(LEAVE_WITHIN) => {}
    }
}

/// Waits for the word to stop, without holding on to the channel's lock.
async fn stopped(stop: &mut watch::Receiver<bool>) {
    let _ = stop.wait_for(|stop| *stop).await.map(drop);
}

async fn serve_one(
    stream: TcpStream,
    peer: SocketAddr,
    app: Router,
    seat: Seat,
    mut stop: watch::Receiver<bool>,
) {
    // A move is one small packet: waiting to fill it up would cost 40 ms.
    let _ = stream.set_nodelay(true);
    let service =
        app.map_request(move |mut request: axum::http::Request<hyper::body::Incoming>| {
            request.extensions_mut().insert(ConnectInfo(Peer(peer)));
            request.extensions_mut().insert(seat.clone());
            request.map(axum::body::Body::new)
        });
    let mut builder = hyper::server::conn::http1::Builder::new();
    builder.timer(TokioTimer::new()).header_read_timeout(HEAD_WITHIN).max_buf_size(MAX_HEAD);
    let connection = builder
        .serve_connection(TokioIo::new(stream), TowerToHyperService::new(service))
        .with_upgrades();
    let mut connection = std::pin::pin!(connection);
    let result = tokio::select! {
        result = connection.as_mut() => result,
        () = stopped(&mut stop) => {
            connection.as_mut().graceful_shutdown();
            connection.await
        }
    };
    if let Err(error) = result {
        tracing::debug!(%peer, %error, "a connection ended badly");
    }
}
