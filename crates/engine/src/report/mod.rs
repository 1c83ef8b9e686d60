//! The numbers of a game report.
