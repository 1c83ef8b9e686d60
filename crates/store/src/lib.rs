//! Everything remembered: the only crate with SQL and migrations.
