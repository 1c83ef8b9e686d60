//! The one clock of the engines.
//!
//! A process of the system runs in real time even where a test simulates the server's, so engines are timed by the
//! machine's clock and nothing else.
#![allow(clippy::disallowed_methods, reason = "processes of the system know no other time")]

use std::time::{Duration, Instant};

/// Runs from the moment it is made.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Stopwatch(Instant);

impl Stopwatch {
    pub(crate) fn start() -> Stopwatch {
        Stopwatch(Instant::now())
    }

    pub(crate) fn elapsed(self) -> Duration {
        self.0.elapsed()
    }
}

/// Waits for something, but not longer than this.
pub(crate) async fn within<T>(most: Duration, wanted: impl Future<Output = T>) -> Option<T> {
    tokio::time::timeout(most, wanted).await.ok()
}
