//! The task that acts when nobody does: rounds that begin by themselves, results that come in, arenas that pair.

use std::collections::{BTreeMap, BTreeSet};

use rules::UnixMillis;
use store::{EventId, EventState, GameId};
use tokio::sync::broadcast::{self, error::RecvError};
use tokio::sync::mpsc;

use super::event::{Command, Event, Refused, Standstill, System};
use super::{TournamentError, Tournaments};
use crate::tournaments::event::ARENA_EVERY;

/// When something that failed is tried again.
const AGAIN: i64 = 5_000;
/// How often it is looked whether those have come for whom a round waits, and how long it waits at most.
const HELD_STEP: i64 = 5_000;
const HELD_MOST: i64 = 120_000;

/// The way to the task.
pub(super) struct Conductor(mpsc::UnboundedSender<(EventId, Option<UnixMillis>)>);

/// What it hears.
pub(super) type Inbox = mpsc::UnboundedReceiver<(EventId, Option<UnixMillis>)>;

impl Conductor {
    pub(super) fn new() -> (Conductor, Inbox) {
        let (post, inbox) = mpsc::unbounded_channel();
        (Conductor(post), inbox)
    }

    /// An event has changed: this is when it wants to move on.
    pub(super) fn is_due(&self, event: EventId, at: Option<UnixMillis>) {
        // A task that has ended takes no more mail: the server stops.
        let _ = self.0.send((event, at));
    }
}

/// Starts the task with the events that run.
pub(super) fn start(tournaments: Tournaments, inbox: Inbox, running: Vec<EventId>) {
    let ended = tournaments.0.games.finished();
    let task = Task { tournaments, due: BTreeMap::new(), held: BTreeMap::new() };
    tokio::spawn(task.run(inbox, ended, running));
}

struct Task {
    tournaments: Tournaments,
    due: BTreeMap<EventId, UnixMillis>,
    /// Rounds that wait for players who are in other games, since when.
    held: BTreeMap<EventId, UnixMillis>,
}

impl Task {
    async fn run(
        mut self,
        mut inbox: Inbox,
        mut ended: broadcast::Receiver<GameId>,
        running: Vec<EventId>,
    ) {
        for id in running {
            self.resume(id).await;
        }
        loop {
            let next = self.due.values().min().copied();
            let time = self.tournaments.0.world.time.clone();
            let alarm = async {
                match next {
                    Some(at) => time.sleep_until(at).await,
                    None => std::future::pending().await,
                }
            };
            tokio::select! {
                mail = inbox.recv() => match mail {
                    Some((event, Some(at))) => drop(self.due.insert(event, at)),
                    Some((event, None)) => drop(self.due.remove(&event)),
                    None => return,
                },
                game = ended.recv() => match game {
                    Ok(game) => self.game_ended(game, &mut ended).await,
                    // Too many at once to hear of each: all events that have games are looked at.
                    Err(RecvError::Lagged(_)) => self.collect_all().await,
                    Err(RecvError::Closed) => return,
                },
                () = alarm => self.act_on_due().await,
            }
        }
    }

    /// After a start: games that ended meanwhile are counted, those that run are known.
    async fn resume(&mut self, id: EventId) {
        let event = match self.tournaments.load(id).await {
            Ok(event) => event,
            Err(error) => {
                return tracing::error!(event = %id, %error, "an event could not be resumed");
            }
        };
        let boards = event.rounds.iter().flat_map(|round| &round.boards);
        let open = boards.filter(|board| board.result.is_none()).filter_map(|board| board.game);
        self.tournaments.0.of_game.lock().extend(open.map(|game| (game, id)));
        if let Some(at) = event.due_at {
            self.due.insert(id, at);
        }
        self.collect(id).await;
        if let Err(error) = self.tournaments.follow_games(id).await {
            tracing::error!(event = %id, %error, "results of an event do not follow its games");
        }
    }

    /// One look at the store takes all games of an event that have ended since.
    async fn game_ended(&mut self, game: GameId, ended: &mut broadcast::Receiver<GameId>) {
        let mut events = Vec::new();
        let mut next = Some(game);
        while let Some(game) = next {
            let event = self.tournaments.0.of_game.lock().get(&game).copied();
            events.extend(event.filter(|event| !events.contains(event)));
            next = ended.try_recv().ok();
        }
        for event in events {
            self.collect(event).await;
        }
    }

    async fn collect_all(&mut self) {
        let events: BTreeSet<EventId> =
            self.tournaments.0.of_game.lock().values().copied().collect();
        for event in events {
            self.collect(event).await;
        }
    }

    async fn collect(&mut self, id: EventId) {
        match self.tournaments.collect(id).await {
            // It was deleted: nobody waits for its results.
            Ok(()) | Err(TournamentError::Unknown) => {}
            Err(error) => {
                tracing::error!(event = %id, %error, "results of an event did not come in");
                let again = UnixMillis(self.tournaments.now().0 + AGAIN);
                self.due.entry(id).or_insert(again);
            }
        }
    }

    async fn act_on_due(&mut self) {
        let now = self.tournaments.now();
        let due: Vec<EventId> =
            self.due.iter().filter(|(_, at)| **at <= now).map(|(id, _)| *id).collect();
        for id in due {
            self.due.remove(&id);
            match self.move_on(id, now).await {
                Ok(()) => {}
                // One that was deleted has nothing more to do.
                Err(TournamentError::Unknown) => drop(self.held.remove(&id)),
                // Somebody has done something meanwhile, and said what is due now.
                Err(TournamentError::Refused(refused)) => {
                    tracing::debug!(event = %id, %refused, "an event has changed meanwhile");
                }
                Err(error) => {
                    tracing::error!(event = %id, %error, "an event did not move on");
                    self.due.insert(id, UnixMillis(now.0 + AGAIN));
                }
            }
        }
    }

    async fn move_on(&mut self, id: EventId, now: UnixMillis) -> Result<(), TournamentError> {
        self.tournaments.collect(id).await?;
        let event = self.tournaments.load(id).await?;
        match event.due_at {
            Some(at) if at <= now => {}
            // Only its results were asked for again: whether it goes on is not for now, or the director's to say.
            other => {
                self.due.extend(other.map(|at| (id, at)));
                return Ok(());
            }
        }
        match self.step(&event, now).await {
            // Too few players, no legal pairing, or a game that cannot begin: that is for the director to see. An arena looks again anyhow.
            Err(TournamentError::Refused(refused))
                if event.regulations.system != System::Arena
                    || event.state != EventState::Running
                    || matches!(refused, Refused::NoGame(_)) =>
            {
                tracing::info!(event = %id, %refused, "an event does not move on by itself");
                let why =
                    Standstill { code: refused.code().to_owned(), reason: refused.to_string() };
                let command = Command::StandStill { version: event.version, why };
                self.tournaments.act(id, None, command).await?;
                Ok(())
            }
            other => other,
        }
    }

    async fn step(&mut self, event: &Event, now: UnixMillis) -> Result<(), TournamentError> {
        let id = event.id;
        match event.state {
            EventState::Registration | EventState::CheckIn => {
                self.tournaments.go_to(id, None, "running".to_owned()).await?;
            }
            EventState::Running if event.regulations.system == System::Arena => {
                self.step_arena(event, now).await?;
            }
            EventState::Running if event.is_over() => {
                self.tournaments.go_to(id, None, "finished".to_owned()).await?;
            }
            EventState::Running if !event.forsaken_matches().is_empty() => {
                // Each of these lets the event look again what there is to do.
                for (winner, loser) in event.forsaken_matches() {
                    self.tournaments
                        .act(id, None, Command::Decide { winner, loser, by_lot: false })
                        .await?;
                }
            }
            EventState::Running => {
                if self.holds(event, now).await {
                    self.due.insert(id, UnixMillis(now.0 + HELD_STEP));
                    return Ok(());
                }
                self.tournaments.publish(id, None, None).await?;
            }
            EventState::Draft | EventState::Finished => {}
        }
        Ok(())
    }

    /// Whether a round waits for somebody who is in another game. Not for long: then they are called away.
    async fn holds(&mut self, event: &Event, now: UnixMillis) -> bool {
        let is_live = event.regulations.time.to_rules().is_ok_and(|time| time.is_live());
        if !is_live || self.tournaments.busy(event).await.is_empty() {
            self.held.remove(&event.id);
            return false;
        }
        let since = *self.held.entry(event.id).or_insert(now);
        let waits = now.0 - since.0 < HELD_MOST;
        if !waits {
            self.held.remove(&event.id);
        }
        waits
    }

    /// Pairs those who wait; after the last game the arena is over.
    async fn step_arena(&mut self, event: &Event, now: UnixMillis) -> Result<(), TournamentError> {
        let is_time_up = event.ends_at.is_some_and(|at| at <= now);
        if is_time_up && event.is_complete() {
            self.tournaments.go_to(event.id, None, "finished".to_owned()).await?;
            return Ok(());
        }
        self.due.insert(event.id, UnixMillis(now.0 + ARENA_EVERY));
        if is_time_up {
            return Ok(());
        }
        let busy = self.tournaments.busy(event).await;
        let is_free = |account| self.tournaments.is_here(account) && !busy.contains(&account);
        let plan = event.arena_plan(|player| player.account.is_some_and(is_free));
        if !plan.boards.is_empty() {
            self.tournaments.publish(event.id, None, Some(plan)).await?;
        }
        Ok(())
    }
}
