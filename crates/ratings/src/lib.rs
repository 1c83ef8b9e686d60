//! Glicko-2 and Elo.
