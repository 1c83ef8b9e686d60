//! The way out to one socket: a bounded queue. A reader that is too slow is dropped, never waited for.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use axum::extract::ws::Utf8Bytes;
use tokio::sync::mpsc;

/// Frames that may wait for one reader. Enough for a burst; a reader that is this far behind has lost the game anyway.
const DEPTH: usize = 256;

/// Names a socket while the process lives.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct SocketId(pub u64);

/// Why the server closes a socket.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Farewell {
    /// The server restarts.
    Restart,
}

/// What goes out.
#[derive(Debug)]
pub(crate) enum Outgoing {
    /// A message.
    Frame(Utf8Bytes),
    /// The last thing a socket hears.
    Close(Farewell),
}

/// Where the frames for one socket go in. Cheap to clone.
#[derive(Clone)]
pub struct Outbox {
    socket: SocketId,
    queue: mpsc::Sender<Outgoing>,
    too_slow: Arc<AtomicBool>,
}

/// Where they come out.
pub(crate) struct Drain {
    queue: mpsc::Receiver<Outgoing>,
    too_slow: Arc<AtomicBool>,
}

impl Outbox {
    pub(crate) fn new(socket: SocketId) -> (Outbox, Drain) {
        let (tx, rx) = mpsc::channel(DEPTH);
        let too_slow = Arc::new(AtomicBool::new(false));
        (Outbox { socket, queue: tx, too_slow: too_slow.clone() }, Drain { queue: rx, too_slow })
    }

    /// Whose it is.
    pub fn socket(&self) -> SocketId {
        self.socket
    }

    /// Queues a frame. A full queue condemns the socket; a closed one is no matter.
    pub fn push(&self, frame: Utf8Bytes) {
        self.put(Outgoing::Frame(frame));
    }

    /// Closes the socket once it has heard what was queued before.
    pub(crate) fn close(&self, why: Farewell) {
        self.put(Outgoing::Close(why));
    }

    fn put(&self, outgoing: Outgoing) {
        if let Err(mpsc::error::TrySendError::Full(_)) = self.queue.try_send(outgoing) {
            self.too_slow.store(true, Ordering::Relaxed);
        }
    }
}

impl Drain {
    /// What goes out next; none if the reader was too slow, which comes to light when a frame has at last gone out.
    pub(crate) async fn next(&mut self) -> Option<Outgoing> {
        let next = self.queue.recv().await;
        next.filter(|_| !self.is_too_slow())
    }

    /// Whether something was left out because the queue was full.
    pub(crate) fn is_too_slow(&self) -> bool {
        self.too_slow.load(Ordering::Relaxed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_reader_that_does_not_read_is_condemned_and_nobody_waits() {
        let (outbox, mut drain) = Outbox::new(SocketId(1));
        for _ in 0..DEPTH {
            outbox.push(Utf8Bytes::from_static("x"));
        }
        assert!(!drain.is_too_slow());
        outbox.push(Utf8Bytes::from_static("one too many"));
        assert!(drain.is_too_slow());
        assert!(drain.next().await.is_none(), "what comes after a gap is worth nothing");
    }

    #[tokio::test]
    async fn a_farewell_comes_after_what_was_said_before() {
        let (outbox, mut drain) = Outbox::new(SocketId(1));
        outbox.push(Utf8Bytes::from_static("x"));
        outbox.close(Farewell::Restart);
        assert!(matches!(drain.next().await, Some(Outgoing::Frame(_))));
        assert!(matches!(drain.next().await, Some(Outgoing::Close(Farewell::Restart))));
    }
}
