//! Round robin, knockout, Swiss; standings and tie-breaks; TRF files.
pub mod matching;
