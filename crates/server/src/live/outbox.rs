//! The way out to one socket: a bounded queue. A reader that is too slow is dropped, never waited for.

use std::sync::Arc;

use axum::extract::ws::Utf8Bytes;
use tokio::sync::{Notify, mpsc};

/// Frames that may wait for one reader. Enough for a burst; a reader that is this far behind has lost the game anyway.
const DEPTH: usize = 256;

/// Names a socket while the process lives.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct SocketId(pub u64);

/// Where the frames for one socket go in. Cheap to clone.
#[derive(Clone)]
pub struct Outbox {
    socket: SocketId,
    queue: mpsc::Sender<Utf8Bytes>,
    too_slow: Arc<Notify>,
}

/// Where they come out.
pub(crate) struct Drain {
    pub(crate) queue: mpsc::Receiver<Utf8Bytes>,
    pub(crate) too_slow: Arc<Notify>,
}

impl Outbox {
    pub(crate) fn new(socket: SocketId) -> (Outbox, Drain) {
        let (tx, rx) = mpsc::channel(DEPTH);
        let too_slow = Arc::new(Notify::new());
        (Outbox { socket, queue: tx, too_slow: too_slow.clone() }, Drain { queue: rx, too_slow })
    }

    /// Whose it is.
    pub fn socket(&self) -> SocketId {
        self.socket
    }

    /// Queues a frame. A full queue condemns the socket; a closed one is no matter.
    pub fn push(&self, frame: Utf8Bytes) {
        if let Err(mpsc::error::TrySendError::Full(_)) = self.queue.try_send(frame) {
            self.too_slow.notify_one();
        }
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
        assert_eq!(drain.queue.len(), DEPTH);
        outbox.push(Utf8Bytes::from_static("one too many"));
        drain.too_slow.notified().await;
        assert_eq!(drain.queue.recv().await.as_deref(), Some("x"));
    }
}
