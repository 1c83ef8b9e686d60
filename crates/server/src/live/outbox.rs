//! The way out to one socket: a bounded queue. A reader that is too slow is dropped, never waited for.

use std::collections::VecDeque;
use std::future::poll_fn;
use std::sync::Arc;
use std::task::{Poll, Waker};

use axum::extract::ws::Utf8Bytes;
use parking_lot::Mutex;

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
    /// The session has ended.
    SignedOut,
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
///
/// A queue behind a lock instead of a channel: it holds no memory while it is empty, and thousands of idle connections
/// have one each.
#[derive(Clone)]
pub struct Outbox {
    socket: SocketId,
    queue: Arc<Mutex<Queue>>,
}

/// Where they come out.
pub(crate) struct Drain(Arc<Mutex<Queue>>);

#[derive(Default)]
struct Queue {
    waiting: VecDeque<Outgoing>,
    /// Wakes the socket's task when it sleeps.
    sleeper: Option<Waker>,
    /// Something was left out because the queue was full.
    too_slow: bool,
    /// Nobody reads any more.
    closed: bool,
}

impl Outbox {
    pub(crate) fn new(socket: SocketId) -> (Outbox, Drain) {
        let queue = Arc::<Mutex<Queue>>::default();
        (Outbox { socket, queue: queue.clone() }, Drain(queue))
    }

    /// Whose it is.
    pub fn socket(&self) -> SocketId {
        self.socket
    }

    /// Queues a frame. A full queue condemns the socket; a closed one is no matter.
    pub fn push(&self, frame: Utf8Bytes) {
        self.put(Outgoing::Frame(frame));
    }

    /// Whether nobody reads any more.
    pub(crate) fn is_closed(&self) -> bool {
        self.queue.lock().closed
    }

    /// Closes the socket once it has heard what was queued before.
    pub(crate) fn close(&self, why: Farewell) {
        self.put(Outgoing::Close(why));
    }

    fn put(&self, outgoing: Outgoing) {
        let sleeper = {
            let mut queue = self.queue.lock();
            if queue.closed {
                return;
            }
            if queue.waiting.len() < DEPTH {
                queue.waiting.push_back(outgoing);
            } else {
                queue.too_slow = true;
            }
            queue.sleeper.take()
        };
        if let Some(sleeper) = sleeper {
            sleeper.wake();
        }
    }
}

impl Drain {
    /// What goes out next; none if the reader was too slow, which comes to light when a frame has at last gone out.
    pub(crate) async fn next(&mut self) -> Option<Outgoing> {
        poll_fn(|context| {
            let mut queue = self.0.lock();
            if queue.too_slow {
                return Poll::Ready(None);
            }
            if let Some(next) = queue.waiting.pop_front() {
                return Poll::Ready(Some(next));
            }
            // A burst is over: an idle connection keeps nothing for the next one.
            queue.waiting.shrink_to(4);
            match &mut queue.sleeper {
                Some(sleeper) => sleeper.clone_from(context.waker()),
                none => *none = Some(context.waker().clone()),
            }
            Poll::Pending
        })
        .await
    }
}

impl Drop for Drain {
    fn drop(&mut self) {
        let mut queue = self.0.lock();
        queue.closed = true;
        queue.waiting = VecDeque::new();
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
        assert!(drain.next().await.is_some());
        outbox.push(Utf8Bytes::from_static("the last that fits"));
        outbox.push(Utf8Bytes::from_static("one too many"));
        assert!(drain.next().await.is_none(), "what comes after a gap is worth nothing");
    }

    #[tokio::test]
    async fn a_reader_that_sleeps_is_woken() {
        let (outbox, mut drain) = Outbox::new(SocketId(1));
        let reader = tokio::spawn(async move { drain.next().await });
        tokio::task::yield_now().await;
        outbox.push(Utf8Bytes::from_static("x"));
        assert!(matches!(reader.await.unwrap(), Some(Outgoing::Frame(_))));
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
