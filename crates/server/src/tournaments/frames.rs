//! What a room is told: worked out once for every version of an event, rendered once for all who listen.

use std::collections::HashMap;
use std::sync::Arc;

use axum::extract::ws::Utf8Bytes;
use store::{AccountId, EventId, StoreError};

use super::view::live_view;
use super::wire::{EventLineView, EventLive};
use super::{TournamentError, Tournaments};
use crate::live::wire::{Room, RoomState, ServerMsg};

/// Lines that a newcomer sees.
const KEPT_LINES: i64 = 100;
/// Events whose state is kept.
const KEPT: usize = 64;
/// How old the moment in a frame may be. Countdowns begin with it.
const FRESH_MS: i64 = 1_000;

/// The state of events as their rooms hear it. Behind a lock that waits: of a thousand who come back at once, one works
/// it out and the others find it.
#[derive(Default)]
pub(super) struct Frames(tokio::sync::Mutex<HashMap<EventId, Arc<Told>>>);

/// A state of an event, with everything that was said.
pub(super) struct Told {
    id: EventId,
    version: i64,
    live: EventLive,
    frame: Utf8Bytes,
}

impl Told {
    fn new(id: EventId, version: i64, live: EventLive) -> Told {
        let frame = render(id, version, live.clone());
        Told { id, version, live, frame }
    }

    /// The frame for somebody who does not want to hear these.
    pub(super) fn without(&self, muted: &[AccountId]) -> Utf8Bytes {
        let is_muted = |line: &EventLineView| muted.iter().any(|it| it.as_str() == line.by.id);
        if muted.is_empty() || !self.live.chat.iter().any(is_muted) {
            return self.frame.clone();
        }
        let mut live = self.live.clone();
        live.chat.retain(|line| !is_muted(line));
        render(self.id, self.version, live)
    }
}

fn render(id: EventId, version: i64, live: EventLive) -> Utf8Bytes {
    let version = u32::try_from(version).unwrap_or(u32::MAX);
    let state = RoomState::Event(Box::new(live));
    ServerMsg::State { room: Room::Event(id), version, state }.to_json().into()
}

impl Tournaments {
    /// What the room of an event is told now.
    pub(super) async fn told(&self, id: EventId) -> Result<Arc<Told>, TournamentError> {
        let event = self.load(id).await?;
        let lines = self.0.store.load_event_lines(id, KEPT_LINES).await?;
        let chat: Vec<EventLineView> = lines.iter().map(EventLineView::from).collect();
        let now = self.now().0;
        let mut all = self.0.frames.0.lock().await;
        let kept = all.get(&id).filter(|told| told.version == event.version).cloned();
        let is_fresh = |told: &&Arc<Told>| {
            told.live.chat == chat && (0..FRESH_MS).contains(&(now - told.live.now))
        };
        if let Some(told) = kept.as_ref().filter(is_fresh) {
            return Ok(told.clone());
        }
        let (version, live) = if let Some(told) = kept {
            (told.version, told.live.clone())
        } else {
            // The table of a thousand players takes a while: not on a thread that moves wait for.
            let work = move || (event.version, live_view(&event, Vec::new(), now));
            let done = tokio::task::spawn_blocking(work).await;
            done.map_err(|error| StoreError::Damaged(error.to_string()))?
        };
        let told = Arc::new(Told::new(id, version, EventLive { chat, now, ..live }));
        if all.len() >= KEPT {
            all.clear();
        }
        all.insert(id, told.clone());
        Ok(told)
    }
}
