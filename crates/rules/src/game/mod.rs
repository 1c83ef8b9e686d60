//! A game as a pure state machine: commands in, events or a refusal out.
