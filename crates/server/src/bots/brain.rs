//! A bot at one board: looks, thinks, acts, until there is nothing to do.

use std::time::Duration;

use engine::builtin::{Level, Limits, Score, think_time};
use engine::pool::{Answer, Choice, Pool, Situation, Strength, Task};
use rules::{Act, Color, Game, Ply, UnixMillis};
use store::{AccountId, ChatRoom, GameId, Store};
use tokio::sync::watch;

use super::hearing::hear;
use super::level_of;
use super::mind::{self, Deed};
use crate::analysis::Line;
use crate::analysis::fair_play::FairPlay;
use crate::defender;
use crate::games::{GameError, Games, Snapshot};
use crate::world::World;

/// What is looked at before a draw is accepted or declined.
const DRAW_NODES: u64 = 60_000;
/// And for how long.
const DRAW_TIME: Duration = Duration::from_secs(3);
/// While fair play forbids an answer, it is looked again every so many milliseconds.
const LOOKS_AGAIN: i64 = 2_000;
/// What a bot says meanwhile.
const WAITS_FOR_FAIR_PLAY: &str = "The same position stands on the board of another game of yours, in which engines are not allowed. I go on when that game has gone on.";
/// So many refusals in a row, and a bot waits until it is called again.
const PATIENCE: u8 = 5;

/// A bot at one board.
pub(super) struct Brain {
    pub(super) game: GameId,
    pub(super) games: Games,
    pub(super) store: Store,
    pub(super) world: World,
    pub(super) engines: Pool,
    /// Changes whenever something has happened at the board.
    pub(super) called: watch::Receiver<u64>,
}

/// Whose turn to think it is.
#[derive(Clone, Copy)]
struct Seat {
    side: Color,
    account: AccountId,
    level: Level,
}

impl Brain {
    /// Lives until there is nothing to do; gives the number of the last call it has looked at.
    pub(super) async fn live(mut self) -> u64 {
        let mut refusals = 0;
        loop {
            let heard = *self.called.borrow_and_update();
            let Ok(seen) = self.games.snapshot(self.game).await else { return heard };
            if defender::is_single(&seen.game) && seen.game.outcome().is_some() {
                self.settle(&seen).await;
                return heard;
            }
            if self.accept_rematch(&seen).await {
                return heard;
            }
            let Some((seat, deed)) = next_deed(&seen) else { return heard };
            let done = match deed {
                Deed::Act(act) => self.act(seat, act).await,
                Deed::JudgeDraw => self.answer_draw(seat, &seen.game).await,
                Deed::Think => self.think(seat, &seen.game).await,
                Deed::Rest => return heard,
            };
            match done {
                Ok(()) => refusals = 0,
                // A store that is away calls again when it is back; the others may look different the next time.
                Err(GameError::Refused(_)) if refusals < PATIENCE => refusals += 1,
                Err(error) => {
                    tracing::warn!(game = %self.game, %error, "a bot could not act");
                    return heard;
                }
            }
        }
    }

    async fn act(&self, seat: Seat, act: Act) -> Result<(), GameError> {
        self.games.act(self.game, seat.account, act).await.map(drop)
    }

    /// Enters the result of an attempt at a prepared position.
    async fn settle(&self, seen: &Snapshot) {
        let now = self.world.time.now();
        if let Err(error) = defender::settle(&self.store, self.game, seen, now).await {
            tracing::warn!(game = %self.game, %error, "the result of an attempt waits for a restart");
        }
    }

    /// A bot never declines a rematch.
    async fn accept_rematch(&self, seen: &Snapshot) -> bool {
        let Some(offer) = seen.rematch.filter(|offer| offer.game.is_none()) else { return false };
        let Some(seat) = seat_of(seen, offer.by.other()) else { return false };
        if let Err(error) = self.games.rematch(self.game, seat.account).await {
            tracing::warn!(game = %self.game, %error, "a bot could not accept a rematch");
        }
        true
    }

    async fn answer_draw(&self, seat: Seat, game: &Game) -> Result<(), GameError> {
        // What a bot thinks of a draw tells how the position stands.
        if !self.is_fair(seat, game).await {
            return self.act(seat, Act::DeclineDraw).await;
        }
        // The bot's clock runs, and an engine may be silent.
        let limits = Limits { most: Some(DRAW_TIME), ..Limits::nodes(DRAW_NODES) };
        let task = Task::new(Situation::of_game(game), limits);
        let patience = mind::patience(game, seat.side, self.world.time.now());
        let answer = hear(&self.engines, &self.world.time, task, patience).await;
        let score = answer.ok().flatten().and_then(|answer| score_of(&answer));
        // The engine speaks for whoever is to move.
        let own =
            |score: Score| if game.to_act() == Some(seat.side) { score } else { score.flipped() };
        let is_welcome = score.is_some_and(|score| mind::welcomes_draw(own(score), game.ply()));
        self.act(seat, if is_welcome { Act::AcceptDraw } else { Act::DeclineDraw }).await
    }

    /// Finds a move, takes as long as a person would, and plays it. Gives up as soon as the board looks different.
    async fn think(&mut self, seat: Seat, game: &Game) -> Result<(), GameError> {
        let Seat { side, level, .. } = seat;
        let seed = self.world.chance.bits();
        let now = self.world.time.now();
        let task = Task {
            strength: Strength::Level(level),
            engine: Choice::Any,
            seed,
            ..Task::new(Situation::of_game(game), mind::limits(game, side, level, now))
        };
        let wanted = think_time(level, seed, &mind::moment(game, side, now));
        let not_before = thaws(game).unwrap_or(now).max(later(now, wanted));
        let (engines, time) = (self.engines.clone(), self.world.time.clone());
        let patience = mind::patience(game, side, now);
        let answer = async {
            match hear(&engines, &time, task.clone(), patience).await? {
                Some(answer) => Ok(answer),
                None => engines.answer_at_once(task).await,
            }
        };
        let Some(answer) = self.undisturbed(seat, game.ply(), answer).await else { return Ok(()) };
        let waiting = self.world.time.sleep_until(not_before);
        if self.undisturbed(seat, game.ply(), waiting).await.is_none() {
            return Ok(());
        }
        // The same position stands on a rated board of the other player: an answer would be help. The bot's clock runs.
        let mut has_said = false;
        while !self.is_fair(seat, game).await {
            if !std::mem::replace(&mut has_said, true) {
                self.say(seat, WAITS_FOR_FAIR_PLAY).await;
            }
            let waiting = self.world.time.sleep(LOOKS_AGAIN);
            if self.undisturbed(seat, game.ply(), waiting).await.is_none() {
                return Ok(());
            }
        }
        if let Ok(answer) = &answer
            && defender::is_single(game)
            && level.stockfish().is_some()
        {
            let (store, engines) = (&self.store, &self.engines);
            defender::note_engine(store, engines, self.game, level, &answer.engine).await?;
        }
        let score = answer.as_ref().ok().and_then(score_of);
        if let Err(error) = &answer {
            tracing::error!(game = %self.game, %error, "no engine has an answer for a bot");
        }
        // Should every engine fail, any move is better than a lost clock.
        let best = answer.ok().and_then(|answer| answer.best);
        let best = best.or_else(|| game.position().actions().first().copied());
        let now = self.world.time.now();
        let act = if score.is_some_and(|score| mind::resigns(level, score, game.ply())) {
            Some(Act::Resign)
        } else if mind::claims_draw(game, side, score, now) {
            Some(Act::ClaimDraw { intending: None })
        } else {
            best.and_then(|action| mind::act_of(game, action))
        };
        match act {
            Some(act) => self.act(seat, act).await,
            None => Ok(()),
        }
    }

    /// Says something to the other player; nothing depends on it.
    async fn say(&self, seat: Seat, text: &str) {
        let bots = self.games.bell().nearest(0);
        let Some(bot) = bots.into_iter().find(|bot| bot.id == seat.account) else { return };
        if let Err(error) = self.games.say(self.game, bot, ChatRoom::Players, text.to_owned()).await
        {
            tracing::debug!(game = %self.game, %error, "a bot could not say why it waits");
        }
    }

    /// Whether an answer of the bot helps nobody in a rated game.
    async fn is_fair(&self, seat: Seat, game: &Game) -> bool {
        let Ok(seen) = self.games.snapshot(self.game).await else { return true };
        let person = seen.players[seat.side.other()];
        let Ok(line) = Line::of_game(game, None) else { return true };
        let (variant, is_set_up) = (line.variant, game.setup().start.is_some());
        FairPlay::new(self.games.clone())
            .may_be_answered(person, self.game, variant, &line.positions, is_set_up)
            .await
            .is_ok()
    }

    /// Waits for something as long as the board stands as it stood; offers that are made meanwhile are answered.
    async fn undisturbed<T>(
        &mut self,
        seat: Seat,
        ply: Ply,
        work: impl Future<Output = T>,
    ) -> Option<T> {
        let mut work = std::pin::pin!(work);
        loop {
            tokio::select! {
                done = &mut work => return Some(done),
                Ok(()) = self.called.changed() => {}
            }
            let seen = self.games.snapshot(self.game).await.ok()?;
            let is_same = seen.game.ply() == ply && seen.game.to_act() == Some(seat.side);
            match mind::next(&seen.game, seat.side, seen.is_rated) {
                _ if !is_same => return None,
                Deed::Think => {}
                Deed::JudgeDraw => self.answer_draw(seat, &seen.game).await.ok()?,
                Deed::Act(_) | Deed::Rest => return None,
            }
        }
    }
}

/// The first of the bots at the board that has something to do.
fn next_deed(seen: &Snapshot) -> Option<(Seat, Deed)> {
    Color::ALL.into_iter().find_map(|side| {
        let seat = seat_of(seen, side)?;
        let deed = mind::next(&seen.game, side, seen.is_rated);
        (deed != Deed::Rest).then_some((seat, deed))
    })
}

fn seat_of(seen: &Snapshot, side: Color) -> Option<Seat> {
    let account = seen.players[side];
    Some(Seat { side, account, level: level_of(account)? })
}

/// Until when nobody may act after a freezing move of GMO chess.
fn thaws(game: &Game) -> Option<UnixMillis> {
    game.clocks().thinking_since()
}

fn later(at: UnixMillis, by: Duration) -> UnixMillis {
    UnixMillis(at.0.saturating_add(i64::try_from(by.as_millis()).unwrap_or(i64::MAX)))
}

fn score_of(answer: &Answer) -> Option<Score> {
    answer.lines.first().map(|line| line.score)
}
