//! The socket: one per tab at `/ws`, typed messages, rooms with versions, bounded queues, the server's own pings.

pub(crate) mod ending;
pub mod outbox;
mod socket;
pub mod wire;

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use prometheus_client::metrics::gauge::Gauge;
use tokio::sync::watch;

use crate::games::Games;
use crate::lobby::Lobby;
use crate::world::World;
use outbox::SocketId;
use wire::ServerMsg;

pub use socket::open_socket;

/// The largest message a client may send: the longest real one is a hundredth of this.
pub(crate) const MAX_MESSAGE: usize = 8 * 1024;
/// A WebSocket's buffers. The library's default of 128 kB would cost more than everything else a connection needs.
pub(crate) const BUFFER: usize = 4 * 1024;

/// What every socket shares. Cheap to clone.
#[derive(Clone)]
pub struct Live(Arc<Inner>);

struct Inner {
    games: Games,
    lobby: Lobby,
    world: World,
    next_socket: AtomicU64,
    notice: watch::Sender<Option<Arc<ServerMsg>>>,
    closing: watch::Sender<bool>,
    endings: ending::Endings,
    open: Gauge,
}

impl Live {
    /// Makes ready for sockets.
    pub fn new(games: Games, lobby: Lobby, world: World, open: Gauge) -> Live {
        Live(Arc::new(Inner {
            games,
            lobby,
            world,
            next_socket: AtomicU64::new(1),
            notice: watch::Sender::new(None),
            closing: watch::Sender::new(false),
            endings: ending::endings(),
            open,
        }))
    }

    /// Tells everybody something.
    pub fn notify(&self, code: &str, text: &str) {
        let notice = ServerMsg::Notice { code: code.to_owned(), text: text.to_owned() };
        self.0.notice.send_replace(Some(Arc::new(notice)));
    }

    /// Asks all sockets to close: the server stops.
    pub fn close_all(&self) {
        self.0.closing.send_replace(true);
    }

    fn next_id(&self) -> SocketId {
        SocketId(self.0.next_socket.fetch_add(1, Ordering::Relaxed))
    }
}
