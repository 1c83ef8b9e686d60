//! Talking UCI with an engine process.
