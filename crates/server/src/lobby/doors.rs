//! Sockets that wait at a challenge and are told when it changes.

use std::collections::HashMap;

use parking_lot::Mutex;
use store::{GameId, Sight};

use super::error::LobbyError;
use super::wire::{ChallengeStateView, ChallengeView};
use super::witnesses::Witnesses;
use crate::live::outbox::{Outbox, SocketId};
use crate::live::wire::{Room, RoomState, ServerMsg};

/// Who waits where.
#[derive(Default)]
pub(super) struct Doors(Mutex<HashMap<GameId, Vec<Waiting>>>);

struct Waiting {
    outbox: Outbox,
    sight: Sight,
}

impl Doors {
    pub(super) fn wait(&self, id: GameId, outbox: Outbox, sight: Sight) {
        let mut doors = self.0.lock();
        let those = doors.entry(id).or_default();
        those.retain(|one| one.outbox.socket() != outbox.socket());
        those.push(Waiting { outbox, sight });
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

    /// Whether anybody waits at this one.
    pub(super) fn is_watched(&self, id: GameId) -> bool {
        self.0.lock().contains_key(&id)
    }

    /// Tells those who may know; to the others the challenge is gone.
    pub(super) fn tell(&self, id: GameId, view: &ChallengeView, witnesses: &Witnesses) {
        for one in self.0.lock().get(&id).into_iter().flatten() {
            if witnesses.include(one.sight) {
                tell(&one.outbox, id, view.clone().seen_by(one.sight.account()));
            } else {
                let error = LobbyError::Unknown;
                let (code, reason) = (error.code().to_owned(), error.to_string());
                let gone = ServerMsg::Gone { room: Room::Challenge(id), code, reason };
                one.outbox.push(gone.to_json().into());
            }
        }
    }
}

/// Tells one socket what a challenge is.
pub(super) fn tell(outbox: &Outbox, id: GameId, view: ChallengeView) {
    let version = if view.state == ChallengeStateView::Open { 1 } else { 2 };
    let (room, state) = (Room::Challenge(id), RoomState::Challenge(Box::new(view)));
    outbox.push(ServerMsg::State { room, version, state }.to_json().into());
}
