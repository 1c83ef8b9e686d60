//! Ratings as players and clubs meet them: one binary, so that it is built and linked once.

mod elo;
mod glicko2;
mod pools;
mod properties;
