//! Many games in one place: a compact form of a game, an index by position and by facts, a streaming importer.
//!
//! The database of the application holds the games; what is here can always be built again from them. An [`Index`] is
//! a folder of immutable [`segment`] files and the newest games in memory. In a segment the games are sorted by their
//! moves, so that a position which many games share is a few ranges of neighbours whose results are sums known
//! beforehand. Positions that only one game has are found by a fingerprint, and the game is replayed to be sure.
//!
//! Nothing here knows who may see what: a [`View`] is handed in. No clock, no chance; files only where a path is given.

pub mod body;
mod column;
mod columns;
mod facts;
pub mod filter;
mod growing;
mod heading;
mod index;
pub mod intake;
pub mod moves;
mod packing;
pub mod position;
mod query;
pub mod segment;
mod tag;
mod tally;
mod trail;
#[cfg(feature = "yardstick")]
pub mod yardstick;

pub use facts::{Facts, Source, Speed};
pub use filter::{Filter, Side, Subject, View};
pub use growing::Record;
pub use heading::Heading;
pub use index::{Counts, Index, IndexError};
pub use query::{Explored, Found, MoveFound, Page};
pub use tag::TagNumber;
pub use tally::Tally;
pub use trail::Trail;
