//! What a socket says to events: that it listens, and what somebody says there.

use store::EventId;

use super::super::wire::Room;
use super::Connection;
use crate::http::ApiError;

impl Connection {
    pub(super) async fn join_event(&mut self, id: EventId) {
        let tournaments = self.live.0.tournaments.clone();
        match tournaments.join_room(id, &self.visitor, self.outbox.clone()).await {
            Ok(()) => {
                self.events.retain(|other| *other != id);
                self.events.push(id);
            }
            Err(error) => {
                let error = ApiError::from(error);
                self.gone(Room::Event(id), error.code(), error.detail());
            }
        }
    }

    pub(super) fn leave_event(&mut self, id: EventId) {
        self.events.retain(|other| *other != id);
        self.live.0.tournaments.leave_room(id, self.outbox.socket());
    }

    pub(super) async fn say_in_event(&mut self, id: EventId, text: &str) {
        self.account().await;
        let tournaments = self.live.0.tournaments.clone();
        if let Err(error) = tournaments.say(id, &self.visitor, text).await {
            let error = ApiError::from(error);
            self.reject(None, error.code(), error.detail());
        }
    }
}
