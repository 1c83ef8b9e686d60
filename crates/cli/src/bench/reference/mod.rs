//! The two references of a run: what the sockets alone can do, and what is possible if the store cost nothing but the
//! writing of a plain file. Same machine, same number of connections, same sizes of frames, same rate.

mod load;
mod servers;

pub(super) use load::{Load, measure};
pub(super) use servers::{EchoArgs, LimitArgs, serve_echo, serve_limit};

/// Which reference.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// Every frame is answered to its sender, and nothing is kept.
    Echo,
    /// Every frame is appended to a file, synced in groups, and then told to both clients of a pair.
    Limit,
}
