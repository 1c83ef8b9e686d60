//! Accounts from the first visit to the deletion, as a browser sees them.

mod entry;
mod guessing;
mod hostile;
mod links;
mod mine;
pub(crate) mod people;
mod puzzles;
mod rights;
mod second_factor;
mod sessions;
mod visitors;
