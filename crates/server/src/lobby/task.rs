//! The task that keeps the lobby's listeners up to date: the newest running games, at most once a second.

use axum::extract::ws::Utf8Bytes;
use tokio::sync::mpsc;

use crate::games::Games;
use crate::games::wire::GameCard;
use crate::live::outbox::{Outbox, SocketId};
use crate::live::wire::{Room, RoomState, ServerMsg};
use crate::world::World;

/// Games in the list.
const LENGTH: usize = 12;
/// How often the list is looked at while somebody listens.
const EVERY: i64 = 1_000;

pub(super) enum Mail {
    Join(Outbox),
    Leave(SocketId),
}

pub(super) fn start(games: Games, world: World) -> mpsc::Sender<Mail> {
    let (post, inbox) = mpsc::channel(1_024);
    tokio::spawn(
        ListTask { games, world, listeners: Vec::new(), version: 0, told: Vec::new() }.run(inbox),
    );
    post
}

struct ListTask {
    games: Games,
    world: World,
    listeners: Vec<Outbox>,
    version: u32,
    told: Vec<GameCard>,
}

impl ListTask {
    async fn run(mut self, mut inbox: mpsc::Receiver<Mail>) {
        let mut tick = self.world.time.sleep(EVERY);
        loop {
            tokio::select! {
                mail = inbox.recv() => match mail {
                    Some(Mail::Join(outbox)) => self.join(outbox).await,
                    Some(Mail::Leave(socket)) => self.listeners.retain(|outbox| outbox.socket() != socket),
                    None => return,
                },
                () = &mut tick => {
                    tick = self.world.time.sleep(EVERY);
                    if !self.listeners.is_empty() && self.refresh().await {
                        self.tell();
                    }
                }
            }
        }
    }

    async fn join(&mut self, outbox: Outbox) {
        if self.refresh().await {
            self.tell();
        }
        outbox.push(self.frame());
        self.listeners.retain(|other| other.socket() != outbox.socket());
        self.listeners.push(outbox);
    }

    /// Looks at the games; whether anything but the ticking of clocks has changed.
    async fn refresh(&mut self) -> bool {
        let now = self.games.running(None, LENGTH).await;
        let same = now.len() == self.told.len()
            && now.iter().zip(&self.told).all(|(a, b)| a.id == b.id && a.ply == b.ply);
        self.told = now;
        self.version += u32::from(!same);
        !same
    }

    fn tell(&self) {
        let frame = self.frame();
        self.listeners.iter().for_each(|outbox| outbox.push(frame.clone()));
    }

    fn frame(&self) -> Utf8Bytes {
        let state = RoomState::Lobby { games: self.told.clone() };
        ServerMsg::State { room: Room::Lobby, version: self.version, state }.to_json().into()
    }
}
