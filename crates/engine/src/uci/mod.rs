//! Talking with engines that are programs of their own, in the language UCI.
//!
//! Nothing an engine says is believed: lines are bounded in length and number, moves are checked by the rules, silence
//! has an end. What is sent is made of our own types, never of text from outside.

mod options;
mod process;
mod read;
mod session;
mod write;

pub use options::{OWNERS_OPTIONS, is_allowed};
pub use read::{Info, Said, read};
pub use write::{go, position};

pub(crate) use session::Session;
