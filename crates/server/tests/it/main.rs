//! The application as its clients see it: HTTP and the socket, with a clock and dice that the tests hold.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod accounts;
mod client;
mod club;
mod games;
mod http;
mod live;
mod lobby;
mod play;
mod recovery;
