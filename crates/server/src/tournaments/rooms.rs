//! The rooms of events: who listens is told whatever changes, soon and not too often; and what people say there.

use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

use axum::extract::ws::Utf8Bytes;
use parking_lot::Mutex;
use store::{AccountId, ChatRoom, EventId, EventLine};
use tokio::sync::Notify;

use super::wire::EventLineView;
use super::{TournamentError, Tournaments};
use crate::accounts::Visitor;
use crate::games::GameError;
use crate::games::chat::Talk;
use crate::live::outbox::{Outbox, SocketId};
use crate::live::wire::{Room, ServerMsg};

/// Changes are told at most this often.
const TELL_EVERY: i64 = 250;

/// Who listens to which event.
#[derive(Default)]
pub(super) struct Rooms {
    listeners: Mutex<HashMap<EventId, Vec<Listener>>>,
    changed: Mutex<BTreeSet<EventId>>,
    wake: Arc<Notify>,
    /// One at a time speaks, so that lines have an order.
    talk: tokio::sync::Mutex<HashMap<EventId, Talk>>,
}

/// Somebody who listens.
#[derive(Clone)]
struct Listener {
    outbox: Outbox,
    account: Option<AccountId>,
    /// Whom they had muted when they came.
    muted: Vec<AccountId>,
}

impl Rooms {
    /// Something has changed in an event, and is on disk.
    pub(super) fn changed(&self, id: EventId) {
        if self.listeners.lock().contains_key(&id) {
            self.changed.lock().insert(id);
            self.wake.notify_one();
        }
    }

    /// The event was deleted: whoever listens is told, and nobody listens any more.
    pub(super) fn close(&self, id: EventId) {
        let listeners = self.listeners.lock().remove(&id).unwrap_or_default();
        self.changed.lock().remove(&id);
        let reason = TournamentError::Unknown.to_string();
        let gone = ServerMsg::Gone { room: Room::Event(id), code: "unknown_event".into(), reason };
        let frame = Utf8Bytes::from(gone.to_json());
        for listener in listeners {
            listener.outbox.push(frame.clone());
        }
    }

    fn tell(&self, id: EventId, frame: impl Fn(&Listener) -> Option<Utf8Bytes>) {
        for listener in self.listeners.lock().get(&id).into_iter().flatten() {
            if let Some(frame) = frame(listener) {
                listener.outbox.push(frame);
            }
        }
    }
}

/// Starts the task that tells.
pub(super) fn start(tournaments: Tournaments) {
    tokio::spawn(async move {
        let rooms = &tournaments.0.rooms;
        loop {
            rooms.wake.notified().await;
            let changed = std::mem::take(&mut *rooms.changed.lock());
            for id in changed {
                match tournaments.told(id).await {
                    Ok(told) => rooms.tell(id, |it| Some(told.without(&it.muted))),
                    // It was deleted meanwhile, which was told.
                    Err(TournamentError::Unknown) => {}
                    Err(error) => {
                        tracing::warn!(event = %id, %error, "an event's change is not told");
                    }
                }
            }
            tournaments.0.world.time.sleep(TELL_EVERY).await;
        }
    });
}

impl Tournaments {
    /// Lets a socket listen to an event that its visitor may see.
    pub async fn join_room(
        &self,
        id: EventId,
        visitor: &Visitor,
        outbox: Outbox,
    ) -> Result<(), TournamentError> {
        self.show(id, visitor).await?;
        let account = visitor.account_id();
        let muted = match account {
            Some(account) => self.0.store.muted_by(account).await?,
            None => Vec::new(),
        };
        let listener = Listener { outbox, account, muted };
        {
            let mut listeners = self.0.rooms.listeners.lock();
            let room = listeners.entry(id).or_default();
            room.retain(|other| other.outbox.socket() != listener.outbox.socket());
            room.push(listener.clone());
        }
        // After it listens: what changes meanwhile comes twice, never not at all.
        listener.outbox.push(self.told(id).await?.without(&listener.muted));
        Ok(())
    }

    /// It listens no more.
    pub fn leave_room(&self, id: EventId, socket: SocketId) {
        let mut listeners = self.0.rooms.listeners.lock();
        if let Some(room) = listeners.get_mut(&id) {
            room.retain(|listener| listener.outbox.socket() != socket);
            if room.is_empty() {
                listeners.remove(&id);
            }
        }
    }

    /// Somebody says something in the room of an event.
    pub async fn say(
        &self,
        id: EventId,
        visitor: &Visitor,
        text: &str,
    ) -> Result<EventLineView, TournamentError> {
        self.show(id, visitor).await?;
        let by = visitor.account.clone().ok_or(TournamentError::NotStaff)?;
        let mut talks = self.0.rooms.talk.lock().await;
        if talks.len() > 1_000 {
            // Only the memory of who spoke a moment ago is lost.
            talks.clear();
        }
        let policy = self.0.games.chat_rule().get();
        // A hall is a crowd: what it may say together is bounded like the talk of those who look on.
        let talk = talks.entry(id).or_default();
        let judged = talk.judge(policy, by.id, ChatRoom::Watchers, text, self.now());
        let text = judged.map_err(|refusal| TournamentError::Game(GameError::Chat(refusal)))?;
        let last = self.0.store.load_event_lines(id, 1).await?;
        let number = last.last().map_or(1, |line| line.number + 1);
        let line = EventLine { number, by, text, at: self.now() };
        let deaf = self.0.store.muters_of(line.by.id).await?;
        self.0.store.add_event_line(id, line.clone()).await?;
        let view = EventLineView::from(&line);
        let frame = ServerMsg::EventChat { event: id, line: view.clone() };
        let frame = Utf8Bytes::from(frame.to_json());
        self.0.rooms.tell(id, |listener| {
            let is_deaf = listener.account.is_some_and(|account| deaf.contains(&account));
            (!is_deaf).then(|| frame.clone())
        });
        Ok(view)
    }

    /// Takes a line away that nobody should have to read. Everybody in the room sees it go.
    pub async fn unsay(
        &self,
        id: EventId,
        by: AccountId,
        number: i64,
    ) -> Result<(), TournamentError> {
        let event = self.load(id).await?;
        // Whoever speaks takes the next number: not while a line goes.
        let _one_at_a_time = self.0.rooms.talk.lock().await;
        let Some(line) = self.0.store.remove_event_line(id, number).await? else {
            return Err(TournamentError::NoSuchLine);
        };
        let detail = format!("{}: {}", event.name, line.text);
        let subject = Some(line.by.id);
        self.0.store.audit(Some(by), "event_line_removed", subject, &detail, self.now()).await?;
        self.0.rooms.changed(id);
        Ok(())
    }
}
