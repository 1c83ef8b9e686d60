//! The library as its users see it: games in, answers out, compared with looking through every game.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod archives;
mod bodies;
mod corpus;
mod positions;
mod search;
mod segments;
