//! The room `me`: what concerns one account, told whole to all its sockets that listen, whenever it changes.
//!
//! One task does all the telling, so that of two changes the later one is told last.

use std::collections::HashMap;
use std::sync::Arc;

use axum::extract::ws::Utf8Bytes;
use store::{AccountId, GameId, Store};
use tokio::sync::mpsc;

use super::error::LobbyError;
use super::hall::describe;
use crate::games::Games;
use crate::live::outbox::{Outbox, SocketId};
use crate::live::wire::{Room, RoomState, ServerMsg};
use crate::world::World;

/// How often it is looked whether a game has begun or ended elsewhere.
const EVERY: i64 = 1_000;

/// The way to the task. Cheap to clone.
#[derive(Clone)]
pub(super) struct Notices(mpsc::Sender<Mail>);

enum Mail {
    Join(AccountId, Outbox),
    Leave(AccountId, SocketId),
    Changed(AccountId),
}

impl Notices {
    pub(super) fn start(store: Store, games: Games, world: World) -> Notices {
        let (post, inbox) = mpsc::channel(1_024);
        let task = NoticesTask { store, games, world, listeners: HashMap::new(), seen_changes: 0 };
        tokio::spawn(task.run(inbox));
        Notices(post)
    }

    // A task that has ended takes no more mail and has nobody to tell: here and below.
    pub(super) async fn join(&self, account: AccountId, outbox: Outbox) {
        let _ = self.0.send(Mail::Join(account, outbox)).await;
    }

    pub(super) async fn leave(&self, account: AccountId, socket: SocketId) {
        let _ = self.0.send(Mail::Leave(account, socket)).await;
    }

    /// Something that concerns this account has changed.
    pub(super) async fn changed(&self, account: AccountId) {
        let _ = self.0.send(Mail::Changed(account)).await;
    }
}

struct NoticesTask {
    store: Store,
    games: Games,
    world: World,
    listeners: HashMap<AccountId, Listeners>,
    /// What the games' number of changes was when the listeners' games were last looked at.
    seen_changes: u64,
}

#[derive(Default)]
struct Listeners {
    outboxes: Vec<Outbox>,
    version: u32,
    /// The games that were told last.
    games: Arc<[GameId]>,
}

impl NoticesTask {
    async fn run(mut self, mut inbox: mpsc::Receiver<Mail>) {
        let mut tick = self.world.time.sleep(EVERY);
        loop {
            tokio::select! {
                mail = inbox.recv() => match mail {
                    Some(Mail::Join(account, outbox)) => self.join(account, outbox).await,
                    Some(Mail::Leave(account, socket)) => self.leave(account, socket),
                    Some(Mail::Changed(account)) => self.tell(account).await,
                    None => return,
                },
                () = &mut tick => {
                    tick = self.world.time.sleep(EVERY);
                    self.look_at_games().await;
                }
            }
        }
    }

    async fn join(&mut self, account: AccountId, outbox: Outbox) {
        let listeners = self.listeners.entry(account).or_default();
        listeners.outboxes.retain(|other| other.socket() != outbox.socket());
        listeners.outboxes.push(outbox);
        self.tell(account).await;
    }

    fn leave(&mut self, account: AccountId, socket: SocketId) {
        if let Some(listeners) = self.listeners.get_mut(&account) {
            listeners.outboxes.retain(|other| other.socket() != socket);
            if listeners.outboxes.is_empty() {
                self.listeners.remove(&account);
            }
        }
    }

    /// Games end by themselves, and rematches begin without the lobby.
    async fn look_at_games(&mut self) {
        let changes = self.games.running_changes();
        if std::mem::replace(&mut self.seen_changes, changes) == changes {
            return;
        }
        let is_old = |(account, listeners): &(&AccountId, &Listeners)| {
            self.games.running_of(**account)[..] != *listeners.games
        };
        let old: Vec<AccountId> =
            self.listeners.iter().filter(is_old).map(|(account, _)| *account).collect();
        for account in old {
            self.tell(account).await;
        }
    }

    async fn tell(&mut self, account: AccountId) {
        if !self.listeners.contains_key(&account) {
            return;
        }
        let games: Arc<[GameId]> = self.games.running_of(account).into();
        let state = match self.state(account, &games).await {
            Ok(state) => state,
            Err(error) => return tracing::warn!(%account, %error, "a notice is not told"),
        };
        let Some(listeners) = self.listeners.get_mut(&account) else { return };
        listeners.games = games;
        listeners.version += 1;
        let message = ServerMsg::State { room: Room::Me, version: listeners.version, state };
        let frame = Utf8Bytes::from(message.to_json());
        for outbox in &listeners.outboxes {
            outbox.push(frame.clone());
        }
    }

    async fn state(&self, account: AccountId, games: &[GameId]) -> Result<RoomState, LobbyError> {
        let mut challenges = Vec::new();
        for challenge in self.store.load_open_challenges_of(account).await? {
            challenges.push(describe(&self.games, &challenge).await?.seen_by(Some(account)));
        }
        Ok(RoomState::Me { challenges, games: self.games.cards(games, Some(account)).await })
    }
}
