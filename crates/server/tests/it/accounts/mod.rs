//! Accounts from the first visit to the deletion, as a browser sees them.

mod entry;
pub(crate) mod people;
mod visitors;
