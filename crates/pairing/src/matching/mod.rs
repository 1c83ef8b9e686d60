//! Matchings in graphs: who can be paired with whom, and which way is best.
//!
//! [`bits`] holds graphs as rows of bits, [`cardinality`] finds the largest matching (can all of
//! them be paired at all?), [`weighted`] the heaviest one and keeps it heaviest while weights
//! change, [`wide`] provides numbers as wide as a whole list of pairing criteria.
//! Nothing here knows about chess.

pub mod bits;
pub mod cardinality;
pub mod weighted;
pub mod wide;

/// No vertex.
pub const NONE: u32 = u32::MAX;

/// A vertex number in its compact form.
#[expect(
    clippy::cast_possible_truncation,
    reason = "graphs have at most a few ten thousand vertices"
)]
pub(crate) const fn compact(vertex: usize) -> u32 {
    vertex as u32
}
