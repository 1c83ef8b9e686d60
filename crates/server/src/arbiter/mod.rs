//! The arbiter's desk: any game with everything that happened in it, calls of players, and rulings with reasons.

pub mod routes;
pub mod wire;

use rules::clock::LONGEST;
use rules::{ByColor, Color, Event, Game, Millis};
use store::{AccountId, GameId, RemarkKind, Sight, Store, StoreError, StoredGame};

use crate::accounts::Visitor;
use crate::correspondence::decisions::with_clocks;
use crate::games::render::san_of;
use crate::games::slow_games::{Ruling, RulingAct};
use crate::games::{GameError, Games};
use crate::http::access::Who;
use crate::tournaments::{TournamentError, Tournaments, score_of};
use crate::world::World;
use wire::{ArbiterGame, LogEntry, NewRuling, PresenceView, RemarkView, RulingKind};

/// Letters a reason has.
const REASON: std::ops::RangeInclusive<usize> = 3..=2_000;

/// Why a ruling was not made.
#[derive(Debug, Clone, thiserror::Error)]
pub enum ArbiterError {
    /// Players read the reason: there must be one.
    #[error("say in 3 to 2,000 letters why: the players will read it")]
    Reason,
    /// The act lacks what it is about.
    #[error("this ruling needs {0}")]
    Incomplete(&'static str),
    /// Arbiters read it: there must be something to read.
    #[error("say in 3 to 2,000 letters what it is about")]
    Remark,
    /// One call at a time.
    #[error("you have called the arbiter already: they will look at it")]
    CalledAlready,
    /// Only those who play can call.
    #[error("only the players of a game can call the arbiter to it")]
    NotYourGame,
    /// Nobody judges a game of their own.
    #[error("you play in this game: another arbiter has to decide")]
    OwnGame,
    /// Neither an arbiter of the club nor of the event.
    #[error("only arbiters may do this")]
    NotArbiter,
    /// What the event said to which the game belongs.
    #[error(transparent)]
    Event(#[from] TournamentError),
    /// What the game said.
    #[error(transparent)]
    Game(#[from] GameError),
}

/// The arbiter's desk. Cheap to clone.
#[derive(Clone)]
pub struct ArbiterDesk {
    store: Store,
    world: World,
    games: Games,
    tournaments: Tournaments,
}

impl ArbiterDesk {
    /// Takes what it needs.
    pub fn new(store: Store, world: World, games: Games, tournaments: Tournaments) -> ArbiterDesk {
        ArbiterDesk { store, world, games, tournaments }
    }

    /// Refuses everybody but arbiters of the club, and those of the event that a game belongs to.
    pub async fn check_arbiter(&self, game: GameId, visitor: &Visitor) -> Result<(), ArbiterError> {
        let may =
            Who::Arbiter.includes(visitor) || self.tournaments.is_arbiter_of(game, visitor).await?;
        if may { Ok(()) } else { Err(ArbiterError::NotArbiter) }
    }

    /// A game with its log, its connections and what was decided about it.
    pub async fn open(&self, game: GameId, arbiter: AccountId) -> Result<ArbiterGame, GameError> {
        let view = self.games.open_for_arbiter(game, arbiter).await?;
        let stored = self.store.load_game(game).await?;
        let sides = stored.players.as_ref().map(|player| player.id);
        let side_of = |account| {
            if sides[Color::White] == account { Color::White } else { Color::Black }
        };
        let presences = self.store.presences(game).await?;
        let presence = presences.into_iter().map(|it| PresenceView {
            side: side_of(it.account),
            at: it.at.0,
            is_here: it.is_here,
        });
        let decisions = self.store.decisions_about(game).await?;
        let decisions = with_clocks(&self.store, decisions).await?;
        Ok(ArbiterGame {
            game: view,
            log: written_log(stored)?,
            presence: presence.collect(),
            decisions,
            remarks: self.remarks(game).await?,
        })
    }

    async fn remarks(&self, game: GameId) -> Result<Vec<RemarkView>, GameError> {
        Ok(self.store.remarks_about(game).await?.into_iter().map(Into::into).collect())
    }

    /// A player calls an arbiter to a game, running or over.
    pub async fn call(
        &self,
        game: GameId,
        player: AccountId,
        text: &str,
    ) -> Result<(), ArbiterError> {
        let text = remark(text)?;
        let view = self.games.view(game, Some(player)).await?;
        let plays = [&view.players.white.id, &view.players.black.id];
        if !plays.contains(&&player.to_string()) {
            return Err(ArbiterError::NotYourGame);
        }
        let now = self.world.time.now();
        match self.store.add_remark(game, player, RemarkKind::Call, text, now).await {
            Err(StoreError::Conflict) => Err(ArbiterError::CalledAlready),
            other => Ok(other.map_err(GameError::from)?),
        }
    }

    /// The calls that wait for somebody: for an arbiter of the club all of them, for everybody else those of the events
    /// that have named them.
    pub async fn calls(&self, visitor: &Visitor) -> Result<Vec<RemarkView>, ArbiterError> {
        let mut calls = self.store.open_calls().await.map_err(GameError::from)?;
        if !Who::Arbiter.includes(visitor) {
            let mut own = Vec::new();
            for call in calls {
                if self.tournaments.is_arbiter_of(call.game, visitor).await? {
                    own.push(call);
                }
            }
            calls = own;
        }
        Ok(calls.into_iter().map(Into::into).collect())
    }

    /// An arbiter notes something about a game, for other arbiters.
    pub async fn note(
        &self,
        game: GameId,
        arbiter: AccountId,
        text: &str,
    ) -> Result<ArbiterGame, ArbiterError> {
        let text = remark(text)?;
        let opened = self.open(game, arbiter).await?;
        let now = self.world.time.now();
        let added = self.store.add_remark(game, arbiter, RemarkKind::Note, text, now).await;
        added.map_err(GameError::from)?;
        Ok(ArbiterGame { remarks: self.remarks(game).await?, ..opened })
    }

    /// An arbiter has seen to the calls about a game.
    pub async fn settle_calls(
        &self,
        game: GameId,
        arbiter: AccountId,
    ) -> Result<ArbiterGame, ArbiterError> {
        let now = self.world.time.now();
        self.store.settle_calls(game, now).await.map_err(GameError::from)?;
        Ok(self.open(game, arbiter).await?)
    }

    /// Rules, with a reason that the players read. Durable when it returns.
    pub async fn rule(
        &self,
        game: GameId,
        arbiter: AccountId,
        new: NewRuling,
    ) -> Result<ArbiterGame, ArbiterError> {
        let reason = new.reason.trim().to_owned();
        if !REASON.contains(&reason.chars().count()) {
            return Err(ArbiterError::Reason);
        }
        let view = self.games.view(game, Sight::Arbiter(arbiter)).await?;
        // At one computer a player has no side of their own, and plays all the same.
        let plays =
            [&view.players.white.id, &view.players.black.id].contains(&&arbiter.to_string());
        if plays || view.you.is_some() {
            return Err(ArbiterError::OwnGame);
        }
        let act = match new.act {
            RulingKind::Result => {
                RulingAct::Result(new.result.ok_or(ArbiterError::Incomplete("a result"))?.outcome())
            }
            RulingKind::Annul => RulingAct::Annul,
            RulingKind::Reopen => RulingAct::Reopen,
            RulingKind::Adjourn => RulingAct::Adjourn,
            RulingKind::Resume => {
                // A game that goes on after a fallen flag: it would fall again in the same moment.
                let is_out = |left: Option<i64>| left == Some(0);
                if view.outcome.is_none()
                    && (is_out(view.clocks.white_ms) || is_out(view.clocks.black_ms))
                {
                    return Err(ArbiterError::Incomplete("time on both clocks: set them first"));
                }
                RulingAct::Resume
            }
            RulingKind::Clocks => {
                let clocks = new.clocks.ok_or(ArbiterError::Incomplete("both clocks"))?;
                let (white, black) = (clocks.white.map(Millis), clocks.black.map(Millis));
                // Whoever should lose on time is given the result: a clock at zero is a slip.
                if [white, black].into_iter().flatten().any(|left| left <= Millis::ZERO) {
                    return Err(ArbiterError::Incomplete("clocks above zero"));
                }
                if [white, black].into_iter().flatten().any(|left| left > LONGEST) {
                    return Err(ArbiterError::Incomplete("clocks of a year at most"));
                }
                RulingAct::Clocks(ByColor { white, black })
            }
        };
        // A game of an event is a result there: what the event cannot bear is not ruled.
        let score = match act {
            RulingAct::Result(outcome) => Some(score_of(outcome)),
            RulingAct::Annul | RulingAct::Reopen => Some(None),
            RulingAct::Clocks(_) | RulingAct::Adjourn | RulingAct::Resume => None,
        };
        let event = match score {
            Some(score) => self.tournaments.check_ruling(game, score).await?,
            None => None,
        };
        self.games.rule(game, Ruling { arbiter, act, reason }).await?;
        // The ruling is the answer.
        let now = self.world.time.now();
        self.store.settle_calls(game, now).await.map_err(GameError::from)?;
        if let (Some(event), Some(score)) = (event, score) {
            self.tournaments.follow(event, game, score, arbiter).await?;
        }
        Ok(self.open(game, arbiter).await?)
    }
}

/// What somebody wrote, if it is neither empty nor a book.
fn remark(text: &str) -> Result<String, ArbiterError> {
    let text = text.trim();
    if REASON.contains(&text.chars().count()) {
        Ok(text.to_owned())
    } else {
        Err(ArbiterError::Remark)
    }
}

/// The log with moves as people write them, each from the position it was made in.
fn written_log(stored: StoredGame) -> Result<Vec<LogEntry>, GameError> {
    let broken = |error: String| GameError::Fault(format!("its log cannot be replayed: {error}"));
    let mut game =
        Game::new(stored.setup, stored.created_at).map_err(|error| broken(error.to_string()))?;
    let mut log = Vec::with_capacity(stored.events.len());
    for event in &stored.events {
        let san = san_of(game.position(), event);
        let en_passant =
            matches!(event, Event::Played { action, .. } if game.position().is_en_passant(*action));
        game.apply(event).map_err(|error| broken(error.to_string()))?;
        log.push(LogEntry {
            action: Some(san).filter(|san| !san.is_empty()),
            en_passant,
            ..LogEntry::from(event)
        });
    }
    Ok(log)
}
