//! The arbiter's desk: any game with everything that happened in it, and rulings with reasons.

pub mod routes;
pub mod wire;

use rules::{ByColor, Color, Game, Millis};
use store::{AccountId, GameId, Sight, Store, StoredGame};

use crate::games::render::san_of;
use crate::games::slow_games::{Ruling, RulingAct};
use crate::games::{GameError, Games};
use crate::tournaments::{TournamentError, Tournaments, score_of};
use wire::{ArbiterGame, LogEntry, NewRuling, PresenceView, RulingKind};

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
    /// Nobody judges a game of their own.
    #[error("you play in this game: another arbiter has to decide")]
    OwnGame,
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
    games: Games,
    tournaments: Tournaments,
}

impl ArbiterDesk {
    /// Takes what it needs.
    pub fn new(store: Store, games: Games, tournaments: Tournaments) -> ArbiterDesk {
        ArbiterDesk { store, games, tournaments }
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
        Ok(ArbiterGame {
            game: view,
            log: written_log(stored)?,
            presence: presence.collect(),
            decisions: decisions.into_iter().map(Into::into).collect(),
        })
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
            RulingKind::Resume => RulingAct::Resume,
            RulingKind::Clocks => {
                let clocks = new.clocks.ok_or(ArbiterError::Incomplete("both clocks"))?;
                let (white, black) = (clocks.white.map(Millis), clocks.black.map(Millis));
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
        if let (Some(event), Some(score)) = (event, score) {
            self.tournaments.follow(event, game, score, arbiter).await?;
        }
        Ok(self.open(game, arbiter).await?)
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
        game.apply(event).map_err(|error| broken(error.to_string()))?;
        log.push(LogEntry {
            action: Some(san).filter(|san| !san.is_empty()),
            ..LogEntry::from(event)
        });
    }
    Ok(log)
}
