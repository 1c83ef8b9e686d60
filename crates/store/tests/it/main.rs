//! One suite, run on both databases: what the store promises, asked through its public face.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod accounts;
mod administration;
mod analysis;
mod backup;
mod bots;
mod challenges;
mod connections;
mod correspondence;
mod decisions;
mod defender;
mod events;
mod games;
mod gmo;
mod library;
mod mails;
mod place;
mod players;
mod postgres;
mod profiles;
mod ratings;
mod reminders;
mod seeking;
mod trouble;

/// Makes two tests of one story: on SQLite and on a real PostgreSQL.
macro_rules! on_both {
    ($($(#[$meta:meta])* async fn $name:ident($place:ident: TestPlace) $body:block)*) => {
        mod sqlite {
            use super::*;
            $($(#[$meta])* #[tokio::test]
            async fn $name() { super::$name(TestPlace::sqlite()).await })*
        }
        mod postgres {
            use super::*;
            $($(#[$meta])* #[tokio::test]
            async fn $name() { super::$name(TestPlace::postgres()).await })*
        }
        $(async fn $name($place: TestPlace) $body)*
    };
}
pub(crate) use on_both;
