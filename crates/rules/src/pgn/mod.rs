//! Games as PGN text: reading and writing.
