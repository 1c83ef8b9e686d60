//! Sockets that wait at a challenge and are told when it changes.

use std::collections::HashMap;

use parking_lot::Mutex;
use store::{AccountId, GameId};

use super::wire::{ChallengeStateView, ChallengeView};
use crate::live::outbox::{Outbox, SocketId};
use crate::live::wire::{Room, RoomState, ServerMsg};

/// Who waits where.
#[derive(Default)]
pub(super) struct Doors(Mutex<HashMap<GameId, Vec<Waiting>>>);

struct Waiting {
    outbox: Outbox,
    account: Option<AccountId>,
}

impl Doors {
    pub(super) fn wait(&self, id: GameId, outbox: Outbox, account: Option<AccountId>) {
        let mut doors = self.0.lock();
        let those = doors.entry(id).or_default();
        those.retain(|one| one.outbox.socket() != outbox.socket());
        those.push(Waiting { outbox, account });
    }

    pub(super) fn leave(&self, id: GameId, socket: SocketId) {
        let mut doors = self.0.lock();
        if let Some(those) = doors.get_mut(&id) {
            those.retain(|one| one.outbox.socket() != socket);
            if those.is_empty() {
                doors.remove(&id);
            }
        }
    }

    pub(super) fn tell(&self, id: GameId, view: &ChallengeView) {
        for one in self.0.lock().get(&id).into_iter().flatten() {
            tell(&one.outbox, id, view.clone().seen_by(one.account));
        }
    }
}

/// Tells one socket what a challenge is.
pub(super) fn tell(outbox: &Outbox, id: GameId, view: ChallengeView) {
    let version = if view.state == ChallengeStateView::Open { 1 } else { 2 };
    let (room, state) = (Room::Challenge(id), RoomState::Challenge(Box::new(view)));
    outbox.push(ServerMsg::State { room, version, state }.to_json().into());
}
