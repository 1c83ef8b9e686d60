//! The socket: one per tab at `/ws`, typed messages, rooms with versions, bounded queues, the server's own pings.

pub(crate) mod ending;
pub mod outbox;
mod socket;
pub mod wire;

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use axum::extract::ws::Utf8Bytes;
use parking_lot::Mutex;
use prometheus_client::metrics::gauge::Gauge;

use crate::analysis::Analysis;
use crate::games::Games;
use crate::lobby::Lobby;
use crate::tournaments::Tournaments;
use crate::world::World;
use ending::Holder;
use outbox::{Drain, Farewell, Outbox, SocketId};
use wire::ServerMsg;

pub use socket::open_socket;

/// The largest message a client may send: the longest real one is a hundredth of this.
pub(crate) const MAX_MESSAGE: usize = 8 * 1024;
/// A WebSocket's read buffer: several messages fit, and it grows for a longer one. The library's default of 128 kB
/// would cost more than everything else a connection needs.
pub(crate) const BUFFER: usize = 1024;

/// What every socket shares. Cheap to clone.
#[derive(Clone)]
pub struct Live(Arc<Inner>);

struct Inner {
    games: Games,
    lobby: Lobby,
    analysis: Analysis,
    tournaments: Tournaments,
    world: World,
    next_socket: AtomicU64,
    /// The way to every open socket.
    sockets: Mutex<HashMap<SocketId, Open>>,
    /// What everybody has to know at the moment, for those who come now.
    notice: Mutex<Option<Utf8Bytes>>,
    open: Gauge,
}

/// An open socket: the way to it, and by what right it is open.
struct Open {
    outbox: Outbox,
    holder: Holder,
}

impl Live {
    /// Makes ready for sockets.
    pub fn new(
        games: Games,
        lobby: Lobby,
        analysis: Analysis,
        tournaments: Tournaments,
        world: World,
        open: Gauge,
    ) -> Live {
        Live(Arc::new(Inner {
            games,
            lobby,
            analysis,
            tournaments,
            world,
            next_socket: AtomicU64::new(1),
            sockets: Mutex::default(),
            notice: Mutex::default(),
            open,
        }))
    }

    /// Tells everybody something, and whoever comes until it is [called off](Self::call_off).
    pub fn notify(&self, code: &str, text: &str) {
        let frame = notice(code, text);
        *self.0.notice.lock() = Some(frame.clone());
        self.tell_all(&frame);
    }

    /// Tells everybody that what they were told before holds no longer.
    pub fn call_off(&self, code: &str, text: &str) {
        *self.0.notice.lock() = None;
        self.tell_all(&notice(code, text));
    }

    fn tell_all(&self, frame: &Utf8Bytes) {
        self.0.sockets.lock().values().for_each(|open| open.outbox.push(frame.clone()));
    }

    /// Asks all sockets to close: the server stops.
    pub fn close_all(&self) {
        self.0.sockets.lock().values().for_each(|open| open.outbox.close(Farewell::Restart));
    }

    /// What everybody has to know at the moment.
    fn notice(&self) -> Option<Utf8Bytes> {
        self.0.notice.lock().clone()
    }

    fn enter(&self, holder: Holder) -> (Outbox, Drain) {
        let id = SocketId(self.0.next_socket.fetch_add(1, Ordering::Relaxed));
        let (outbox, drain) = Outbox::new(id);
        self.0.sockets.lock().insert(id, Open { outbox: outbox.clone(), holder });
        self.0.open.inc();
        (outbox, drain)
    }

    fn forget(&self, socket: SocketId) {
        self.0.sockets.lock().remove(&socket);
        self.0.open.dec();
    }
}

fn notice(code: &str, text: &str) -> Utf8Bytes {
    ServerMsg::Notice { code: code.to_owned(), text: text.to_owned() }.to_json().into()
}
