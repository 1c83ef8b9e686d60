//! Events: from a school lesson to a rated Swiss, online and over the board.
//!
//! `event` is the value and its rules; here is who may do what, and the walk of an action: judged on a copy, written in
//! one transaction, and only then told. `routes` is the HTTP, `wire` what the outside sees, `exchange` the files.

mod conductor;
mod corrections;
mod desk;
mod entry;
mod error;
pub mod event;
mod exchange;
mod frames;
mod of_game;
mod online;
mod rendered;
mod rooms;
pub mod routes;
mod tables;
mod view;
pub mod wire;

use std::collections::HashMap;
use std::sync::Arc;

use parking_lot::Mutex;
use rules::UnixMillis;
use store::{
    AccountId, EventAction, EventId, EventQuery, EventState, EventVisibility, GameId, ListedEvent,
    NewGame, Store, StoreError,
};

use crate::accounts::Visitor;
use crate::accounts::fields::FieldProblem;
use crate::games::Games;
use crate::lobby::Lobby;
use crate::world::World;
use conductor::Conductor;
pub use error::TournamentError;
use event::{
    Command, Deed, Doing, Event, Refused, Regulations, change_between, from_store, to_new,
};
use frames::Frames;
use rendered::Rendered;
use rooms::Rooms;
pub use tables::table_code;

pub(crate) use corrections::score_of;

/// Events kept in memory; beyond that, those that nobody uses at the moment are read again when they are wanted.
const KEPT: usize = 256;
/// How long the names in a kept event are good for.
const FRESH: i64 = 60_000;
/// Actions on one page.
const ACTIONS: i64 = 50;

/// What a visitor may do in an event.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Rights {
    /// Everything.
    pub manage: bool,
    /// Enter results.
    pub results: bool,
}

impl Rights {
    /// Directors run events, arbiters enter results.
    pub fn of(visitor: &Visitor) -> Rights {
        let roles = visitor.roles;
        let manage = visitor.is_player() && (roles.director || roles.administrator);
        Rights { manage, results: manage || (visitor.is_player() && roles.arbiter) }
    }

    /// The same in one event, which may have named arbiters of its own.
    pub fn in_event(visitor: &Visitor, event: &Event) -> Rights {
        let rights = Rights::of(visitor);
        let is_named = visitor.account_id().is_some_and(|account| event.is_arbiter(account));
        Rights { results: rights.results || (visitor.is_player() && is_named), ..rights }
    }

    fn check_manage(self) -> Result<(), TournamentError> {
        if self.manage { Ok(()) } else { Err(TournamentError::NotStaff) }
    }
}

/// A new event, and what it begins with.
pub struct NewEvent {
    /// Its name.
    pub name: String,
    /// Who finds it, in one word.
    pub visibility: String,
    /// When it begins.
    pub starts_at: Option<UnixMillis>,
    /// The regulations.
    pub regulations: Regulations,
}

/// All events. Cheap to clone.
#[derive(Clone)]
pub struct Tournaments(Arc<Inner>);

struct Inner {
    store: Store,
    world: World,
    games: Games,
    lobby: Lobby,
    slots: Mutex<HashMap<EventId, Arc<Slot>>>,
    /// The games that run for an event.
    of_game: Mutex<HashMap<GameId, EventId>>,
    /// Tells the task that acts by itself.
    conductor: Conductor,
    /// Who listens to which event.
    rooms: Rooms,
    /// What rooms were told.
    frames: Frames,
    /// Standings that were asked for.
    rendered: Rendered,
}

/// The place of one event: who holds the lock acts.
#[derive(Default)]
struct Slot(tokio::sync::Mutex<Option<Kept>>);

#[derive(Clone)]
struct Kept {
    event: Arc<Event>,
    read_at: UnixMillis,
}

impl Tournaments {
    /// Goes on with the events that run.
    pub async fn start(
        store: Store,
        world: World,
        games: Games,
        lobby: Lobby,
    ) -> Result<Tournaments, StoreError> {
        let (conductor, inbox) = Conductor::new();
        let rooms = Rooms::default();
        let running = store.running_events().await?;
        let tournaments = Tournaments(Arc::new(Inner {
            store,
            world,
            games,
            lobby,
            slots: Mutex::default(),
            of_game: Mutex::default(),
            conductor,
            rooms,
            frames: Frames::default(),
            rendered: Rendered::default(),
        }));
        rooms::start(tournaments.clone());
        conductor::start(tournaments.clone(), inbox, running);
        Ok(tournaments)
    }

    fn now(&self) -> UnixMillis {
        self.0.world.time.now()
    }

    fn slot(&self, id: EventId) -> Arc<Slot> {
        let mut slots = self.0.slots.lock();
        if slots.len() >= KEPT && !slots.contains_key(&id) {
            slots.retain(|_, slot| Arc::strong_count(slot) > 1);
        }
        slots.entry(id).or_default().clone()
    }

    /// An event as it is now.
    pub async fn load(&self, id: EventId) -> Result<Arc<Event>, TournamentError> {
        let slot = self.slot(id);
        let mut place = slot.0.lock().await;
        self.read(id, &mut place).await
    }

    /// Reads an event unless it is known well enough. One that does not exist takes no place.
    async fn read(
        &self,
        id: EventId,
        place: &mut Option<Kept>,
    ) -> Result<Arc<Event>, TournamentError> {
        let now = self.now();
        if let Some(kept) = place.as_ref().filter(|kept| now.0 - kept.read_at.0 < FRESH) {
            return Ok(kept.event.clone());
        }
        let whole = match self.0.store.load_event(id).await {
            // Somebody else's write came in between: another node, or a restore.
            Err(StoreError::Conflict) => self.0.store.load_event(id).await,
            other => other,
        };
        let whole = whole.map_err(|error| match error {
            StoreError::NotFound => {
                self.0.slots.lock().remove(&id);
                TournamentError::Unknown
            }
            other => TournamentError::Store(other),
        })?;
        let event = Arc::new(from_store(whole)?);
        *place = Some(Kept { event: event.clone(), read_at: now });
        Ok(event)
    }

    /// An event for somebody who may see it.
    pub async fn show(
        &self,
        id: EventId,
        visitor: &Visitor,
    ) -> Result<Arc<Event>, TournamentError> {
        let event = self.load(id).await?;
        let rights = Rights::in_event(visitor, &event);
        let plays = visitor.account_id().is_some_and(|account| event.player_of(account).is_some());
        let is_hidden = event.state == EventState::Draft
            || (event.visibility == EventVisibility::Private && !plays);
        if is_hidden && !rights.results { Err(TournamentError::Unknown) } else { Ok(event) }
    }

    /// Does something in an event, durable when it returns.
    pub async fn act(
        &self,
        id: EventId,
        actor: Option<AccountId>,
        command: Command,
    ) -> Result<Arc<Event>, TournamentError> {
        self.act_with(id, actor, |_| Ok((command.clone(), Vec::new()))).await
    }

    /// The same, where the command depends on what the event is, and games may begin with it.
    pub(crate) async fn act_with(
        &self,
        id: EventId,
        actor: Option<AccountId>,
        mut choose: impl FnMut(&Event) -> Result<(Command, Vec<NewGame>), TournamentError>,
    ) -> Result<Arc<Event>, TournamentError> {
        let slot = self.slot(id);
        let mut place = slot.0.lock().await;
        let mut attempts = 0;
        loop {
            let old = self.read(id, &mut place).await?;
            let (command, games) = choose(&old)?;
            let doing = Doing { actor, at: self.now() };
            let (new, deed) = judge(&old, command, doing)?;
            let change = change_between(&old, &new, games, &deed, doing)?;
            match self.0.store.change_event(change).await {
                Ok(()) => {
                    let event = Arc::new(new);
                    let read_at = place.as_ref().map_or(doing.at, |kept| kept.read_at);
                    *place = Some(Kept { event: event.clone(), read_at });
                    self.0.conductor.is_due(id, event.due_at);
                    self.0.rooms.changed(id);
                    return Ok(event);
                }
                Err(error) => {
                    // What is kept may be older than what is stored.
                    *place = None;
                    attempts += 1;
                    if !matches!(error, StoreError::Conflict) || attempts > 2 {
                        return Err(error.into());
                    }
                }
            }
        }
    }

    /// Makes an event.
    pub async fn create(
        &self,
        owner: AccountId,
        new: NewEvent,
    ) -> Result<Arc<Event>, TournamentError> {
        let mut event = self.blank(owner);
        let NewEvent { name, visibility, starts_at, regulations } = new;
        let regulations = Box::new(regulations);
        event.act(Command::Describe { name, visibility, starts_at, regulations }, self.now())?;
        self.found(event, "created").await
    }

    /// An event of which nothing is known yet.
    fn blank(&self, owner: AccountId) -> Event {
        let chance = &self.0.world.chance;
        let id = EventId::from_bits(chance.bits());
        Event::blank(id, owner, tables::draw_key(chance), self.now())
    }

    /// Remembers an event that was just made up.
    async fn found(
        &self,
        mut event: Event,
        act: &'static str,
    ) -> Result<Arc<Event>, TournamentError> {
        event.version = 1;
        let deed = Deed { act, detail: event.name.clone(), undo: None };
        let doing = Doing { actor: Some(event.owner), at: event.created_at };
        self.0.store.create_event(to_new(&event, &deed, doing)?).await?;
        Ok(Arc::new(event))
    }

    /// Makes an event with the same regulations, and if wanted the same players; nobody has played in it.
    pub async fn copy(
        &self,
        id: EventId,
        owner: AccountId,
        with_players: bool,
    ) -> Result<Arc<Event>, TournamentError> {
        let old = self.load(id).await?;
        let mut event = Event {
            name: format!("{} (copy)", old.name).chars().take(120).collect(),
            visibility: old.visibility,
            regulations: old.regulations_before_lot(),
            players: old.players.clone(),
            ..self.blank(owner)
        };
        event.players.retain(|_| with_players);
        for (player, number) in event.players.iter_mut().zip(1..) {
            player.number = number;
            player.seed = None;
            player.state = store::EntryState::Entered;
            player.details.byes.clear();
        }
        // Forbidden pairs name players by number.
        event.regulations.forbidden.clear();
        self.found(event, "copied").await
    }

    /// Forgets an event. The caller states its name, so that nobody does it by mistake.
    pub async fn delete(
        &self,
        id: EventId,
        by: AccountId,
        name: &str,
    ) -> Result<(), TournamentError> {
        let slot = self.slot(id);
        let mut place = slot.0.lock().await;
        let event = self.read(id, &mut place).await?;
        if event.name != name.trim() {
            let detail = "write the name of the event to delete it";
            return Err(
                Refused::Fields(vec![FieldProblem::new("name", "not_the_name", detail)]).into()
            );
        }
        self.0.store.delete_event(id, event.version, by, self.now()).await?;
        *place = None;
        self.0.slots.lock().remove(&id);
        // Its games go on as games of nobody.
        self.0.of_game.lock().retain(|_, event| *event != id);
        self.0.conductor.is_due(id, None);
        self.0.rooms.close(id);
        Ok(())
    }

    /// Lists events.
    pub async fn list(&self, query: EventQuery) -> Result<Vec<ListedEvent>, TournamentError> {
        Ok(self.0.store.list_events(query).await?)
    }

    /// What was done in an event, the newest first.
    pub async fn actions(
        &self,
        id: EventId,
        before: Option<i64>,
    ) -> Result<Vec<EventAction>, TournamentError> {
        Ok(self.0.store.event_actions(id, before.unwrap_or(i64::MAX), ACTIONS).await?)
    }

    /// Whether an action could be taken back now.
    pub fn can_undo(&self, event: &Event, action: &EventAction) -> bool {
        let undo = action.undo.as_deref().and_then(|undo| serde_json::from_str(undo).ok());
        undo.is_some_and(|undo| self.try_out(event, undo).is_ok())
    }

    /// Takes an action back, if that still makes sense.
    pub async fn undo(
        &self,
        id: EventId,
        actor: AccountId,
        version: i64,
    ) -> Result<Arc<Event>, TournamentError> {
        let found = self.0.store.event_actions(id, version + 1, 1).await?;
        let action = found.into_iter().find(|action| action.version == version);
        let undo = action.and_then(|action| action.undo).ok_or(TournamentError::NoUndo)?;
        let command: Command = serde_json::from_str(&undo).map_err(StoreError::from)?;
        if let Command::Restore { round, board, .. } = command {
            return self.correct(id, actor, (round, board), command).await;
        }
        self.act(id, Some(actor), command).await
    }
}

/// The event after a command, and what is noted of it.
fn judge(old: &Event, command: Command, doing: Doing) -> Result<(Event, Deed), Refused> {
    let mut new = old.clone();
    if !old.stays_stuck_after(&command) {
        new.stuck = None;
    }
    let deed = new.act(command, doing.at)?;
    new.wait_if_start_has_passed(old, doing.at);
    new.version += 1;
    if new.has_other_facts(old) {
        new.facts = new.version;
    }
    new.changed_at = doing.at;
    new.due_at = new.next_due(doing.at);
    Ok((new, deed))
}
