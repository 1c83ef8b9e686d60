//! The task that acts when nobody does: rounds that begin by themselves, results that come in, arenas that pair.

use std::collections::{BTreeMap, BTreeSet};

use pairing::Colour;
use pairing::arena::{Waiting, pair_waiting};
use rules::{Color, UnixMillis};
use store::{EventId, EventState, GameId};
use tokio::sync::broadcast::{self, error::RecvError};
use tokio::sync::mpsc;

use super::event::{BoardPlan, Event, RoundPlan, System};
use super::{TournamentError, Tournaments};
use crate::tournaments::event::ARENA_EVERY;

/// When something that failed is tried again.
const AGAIN: i64 = 5_000;

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
    let task = Task { tournaments, due: BTreeMap::new() };
    tokio::spawn(task.run(inbox, ended, running));
}

struct Task {
    tournaments: Tournaments,
    due: BTreeMap<EventId, UnixMillis>,
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
        if let Err(error) = self.tournaments.collect(id).await {
            tracing::error!(event = %id, %error, "results of an event did not come in");
            let again = UnixMillis(self.tournaments.now().0 + AGAIN);
            self.due.entry(id).or_insert(again);
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
                // Too few players, or no legal pairing: that is for the director to see.
                Err(TournamentError::Refused(refused)) => {
                    tracing::info!(event = %id, %refused, "an event does not move on by itself");
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
        match event.state {
            EventState::Registration | EventState::CheckIn => {
                self.tournaments.go_to(id, None, "running".to_owned()).await?;
            }
            EventState::Running if event.regulations.system == System::Arena => {
                self.step_arena(&event, now).await?;
            }
            EventState::Running if event.is_over() => {
                self.tournaments.go_to(id, None, "finished".to_owned()).await?;
            }
            EventState::Running => {
                self.tournaments.publish(id, None, None).await?;
            }
            EventState::Draft | EventState::Finished => {}
        }
        Ok(())
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
        let waiting = waiting(event, |account| self.tournaments.0.lobby.is_online(account));
        let pairing = pair_waiting(&waiting).unwrap_or_default();
        let board = |board: &pairing::Board| {
            let (white, black) = (event.entry_of(board.white)?, event.entry_of(board.black)?);
            Some(BoardPlan { white, black, result: None, game: None })
        };
        let boards: Vec<BoardPlan> = pairing.boards.iter().filter_map(board).collect();
        if !boards.is_empty() {
            let plan = RoundPlan { round: event.next_round(), boards, byes: Vec::new() };
            self.tournaments.publish(event.id, None, Some(plan)).await?;
        }
        Ok(())
    }
}

/// Who is there and plays no game of the arena now.
fn waiting(event: &Event, is_online: impl Fn(store::AccountId) -> bool) -> Vec<Waiting> {
    let points: BTreeMap<u32, u32> = event
        .ranking()
        .rows
        .iter()
        .map(|row| (row.player, row.points.parse().unwrap_or(0)))
        .collect();
    let mut free = Vec::new();
    for player in event.players.iter().filter(|player| player.plays()) {
        let (Some(seed), Some(account)) = (player.seed, player.account) else { continue };
        let boards: Vec<_> =
            event.rounds.iter().filter_map(|round| round.board_of(player.number)).collect();
        if boards.iter().any(|board| board.result.is_none()) || !is_online(account) {
            continue;
        }
        let sides: Vec<Color> =
            boards.iter().filter_map(|board| board.side_of(player.number)).collect();
        let whites = sides.iter().filter(|side| **side == Color::White).count();
        let difference =
            2 * i32::try_from(whites).unwrap_or(0) - i32::try_from(sides.len()).unwrap_or(0);
        let last = boards.last().zip(sides.last());
        free.push(Waiting {
            player: seed,
            score: points.get(&player.number).copied().unwrap_or(0),
            rating: player.details.rating.unwrap_or(1_500),
            last_opponent: last
                .and_then(|(board, side)| event.player(board.players[side.other()])?.seed),
            colour_difference: difference,
            last_colour: sides.last().map(|side| match side {
                Color::White => Colour::White,
                Color::Black => Colour::Black,
            }),
        });
    }
    free
}
