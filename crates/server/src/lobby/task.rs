//! The task that keeps the lobby's listeners up to date: the newest running games, one worth watching, open seeks, how
//! many are there. Told at most once a second, and only when something has changed.

use std::sync::Arc;

use axum::extract::ws::Utf8Bytes;
use tokio::sync::mpsc;

use super::hall::Hall;
use super::wire::ChallengeView;
use crate::games::wire::GameCard;
use crate::live::outbox::{Outbox, SocketId};
use crate::live::wire::{Room, RoomState, ServerMsg};

/// Games in the list.
const LENGTH: usize = 12;
/// How often the list is looked at while somebody listens.
const EVERY: i64 = 1_000;

pub(super) enum Mail {
    Join(Outbox),
    Leave(SocketId),
}

pub(super) fn start(hall: Arc<Hall>) -> mpsc::Sender<Mail> {
    let (post, inbox) = mpsc::channel(1_024);
    let task = ListTask { hall, listeners: Vec::new(), version: 0, told: Told::default() };
    tokio::spawn(task.run(inbox));
    post
}

struct ListTask {
    hall: Arc<Hall>,
    listeners: Vec<Outbox>,
    version: u32,
    told: Told,
}

/// What was told last.
#[derive(Default)]
struct Told {
    games: Vec<GameCard>,
    featured: Option<GameCard>,
    seeks: Vec<ChallengeView>,
    online: usize,
    playing: usize,
}

impl Told {
    /// Whether anything but the ticking of clocks is different.
    fn differs(&self, other: &Told) -> bool {
        let same_card = |a: &GameCard, b: &GameCard| a.id == b.id && a.ply == b.ply;
        let same_cards = |a: &[GameCard], b: &[GameCard]| {
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same_card(a, b))
        };
        !same_cards(&self.games, &other.games)
            || !same_cards(self.featured.as_slice(), other.featured.as_slice())
            || self.seeks != other.seeks
            || (self.online, self.playing) != (other.online, other.playing)
    }
}

impl ListTask {
    async fn run(mut self, mut inbox: mpsc::Receiver<Mail>) {
        let time = self.hall.world.time.clone();
        let mut tick = time.sleep(EVERY);
        loop {
            tokio::select! {
                mail = inbox.recv() => match mail {
                    Some(Mail::Join(outbox)) => self.join(outbox).await,
                    Some(Mail::Leave(socket)) => self.listeners.retain(|outbox| outbox.socket() != socket),
                    None => return,
                },
                () = &mut tick => {
                    tick = time.sleep(EVERY);
                    if !self.listeners.is_empty() && self.refresh().await {
                        self.tell();
                    }
                }
            }
        }
    }

    async fn join(&mut self, outbox: Outbox) {
        // While others listen, what was told last is at most a second old.
        if self.listeners.is_empty() {
            self.refresh().await;
        }
        outbox.push(self.frame());
        self.listeners.retain(|other| other.socket() != outbox.socket());
        self.listeners.push(outbox);
    }

    /// Looks around; whether anything has changed.
    async fn refresh(&mut self) -> bool {
        let hall = &self.hall;
        let games = hall.games.running(None, LENGTH).await;
        let now = Told {
            featured: self.feature(&games).await,
            games,
            seeks: hall.seeks.shown(),
            online: hall.presence.count(),
            playing: hall.games.running_count(),
        };
        let has_changed = self.version == 0 || now.differs(&self.told);
        self.told = now;
        self.version += u32::from(has_changed);
        has_changed
    }

    /// The game worth watching stays so until it ends, unless it is one without a clock and there are others.
    async fn feature(&self, games: &[GameCard]) -> Option<GameCard> {
        let best = || games.iter().max_by_key(|card| interest(card)).cloned();
        let before = self.told.featured.as_ref().and_then(|card| card.id.parse().ok());
        let Some(before) = before else { return best() };
        match self.hall.games.cards(&[before], None).await.pop() {
            Some(card) if interest(&card).0 => Some(card),
            Some(card) => best().filter(|best| interest(best).0).or(Some(card)),
            None => best(),
        }
    }

    fn tell(&self) {
        let frame = self.frame();
        for outbox in &self.listeners {
            outbox.push(frame.clone());
        }
    }

    fn frame(&self) -> Utf8Bytes {
        let told = &self.told;
        let state = RoomState::Lobby {
            games: told.games.clone(),
            featured: told.featured.clone().map(Box::new),
            seeks: told.seeks.clone(),
            online: u32::try_from(told.online).unwrap_or(u32::MAX),
            playing: u32::try_from(told.playing).unwrap_or(u32::MAX),
        };
        ServerMsg::State { room: Room::Lobby, version: self.version, state }.to_json().into()
    }
}

/// How interesting a game is: a running clock first, then the strength of both, then how far it is.
fn interest(card: &GameCard) -> (bool, i64, u32) {
    let strength = [&card.players.white, &card.players.black].map(|player| player.rating);
    let has_clock = card.clocks.white_ms.is_some() && card.clocks.black_ms.is_some();
    (has_clock, strength.into_iter().flatten().sum(), card.ply)
}
