//! The application as its clients see it: HTTP and the socket, with a clock and dice that the tests hold.

mod accounts;
mod client;
mod club;
mod games;
mod http;
mod live;
mod lobby;
mod recovery;
