//! The application as its clients see it: HTTP and the socket, with a clock and dice that the tests hold.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod accounts;
mod administration;
mod analysis;
mod arbiter;
mod bots;
mod classes;
mod client;
mod club;
mod connections;
mod correspondence;
mod defender;
mod defender_alone;
mod event_properties;
mod event_scorer;
mod events;
mod games;
mod gmo;
mod gmo_game;
mod gmo_lab;
mod gmo_secrets;
mod gmo_teaching;
mod http;
mod keys;
mod library;
mod limits;
mod live;
mod lobby;
mod lobby_challenges;
mod lobby_expiry;
mod lobby_people;
mod lobby_queue;
mod mail;
mod one_computer;
mod play;
mod players;
mod private_games;
mod push_service;
mod recovery;
mod reminders;
mod security_page;
mod slow_weeks;
mod smtp;
mod staff;
mod watching;
