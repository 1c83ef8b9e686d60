//! Engines: opponents and analysis for every variant.
//!
//! - [`builtin`] searches positions of every variant with nothing installed.
//! - [`uci`] talks with engines that are programs of their own.
//! - [`pool`] is the door to all of them: who asks waits for a free seat and hears lines while the engine thinks.
//! - [`jail`] locks an engine in before it starts.
//! - [`report`] holds the formulas of a game report: win percentage, accuracy, judgements.
//!
//! [`builtin`] and [`report`] read no clock, wait for nothing and draw no random number: elapsed time and seeds are
//! arguments. [`pool`] and [`uci`] deal with processes of the system, whose time is real even where the server's is
//! simulated; the one clock they look at is in `pool/stopwatch.rs`.

pub mod builtin;
pub mod jail;
pub mod pool;
pub mod report;
pub mod uci;
