//! Chess at the speed of life: one's games, the inbox, notes and conditional moves.
//!
//! The games themselves are those of `games/`, with days instead of minutes.

pub mod clock_guard;
pub(crate) mod decisions;
mod inbox;
pub mod routes;
pub mod wire;

use std::cmp::Reverse;

use store::{AccountId, GameId, Sight, Store};

use crate::games::plan::{ConsideredLine, PlanView};
use crate::games::{GameError, Games};
use crate::lobby::Lobby;
use crate::world::World;
use clock_guard::{Bureau, ClockGuard};
use decisions::with_clocks;
use wire::{DecisionView, Desk, MyGame, MyGames};

/// Letters a note may have.
const LONGEST_NOTE: usize = 20_000;

/// Why something about a slow game could not be done.
#[derive(Debug, Clone, thiserror::Error)]
pub enum CorrespondenceError {
    /// A note that nobody will read again.
    #[error("a note has at most {LONGEST_NOTE} letters")]
    LongNote,
    /// Nothing in the inbox has this name.
    #[error("there is nothing like this in your inbox")]
    UnknownItem,
    /// What a game said.
    #[error(transparent)]
    Game(#[from] GameError),
}

impl From<store::StoreError> for CorrespondenceError {
    fn from(error: store::StoreError) -> Self {
        CorrespondenceError::Game(error.into())
    }
}

/// Slow games, seen by their players. Cheap to clone.
#[derive(Clone)]
pub struct Correspondence {
    store: Store,
    world: World,
    games: Games,
    lobby: Lobby,
    guard: ClockGuard,
}

impl Correspondence {
    /// Takes what it needs, and begins to watch the calendar.
    pub fn start(world: World, games: Games, lobby: Lobby, bureau: Bureau) -> Correspondence {
        let store = bureau.store.clone();
        let guard = ClockGuard::start(world.clone(), games.clone(), bureau);
        Correspondence { store, world, games, lobby, guard }
    }

    /// The guard over the calendar.
    pub fn clock_guard(&self) -> &ClockGuard {
        &self.guard
    }

    /// Somebody's running games: those in which it is their move first, the least time first.
    pub async fn my_games(&self, account: AccountId) -> Result<MyGames, CorrespondenceError> {
        let unread = self.store.unread_chat(account).await?;
        let mut games = self.games.mine(account).await;
        // Where one sits at the board there is nothing beside it that would say what was read.
        for game in games.iter_mut().filter(|game| !game.is_live && !game.one_computer) {
            let id: Option<GameId> = game.id.parse().ok();
            game.unread = id.and_then(|id| unread.get(&id).copied()).unwrap_or(0);
        }
        games.sort_by_key(|game| (!game.is_your_move, left(game), Reverse(game.created_at)));
        let your_move = games.iter().filter(|game| game.is_your_move).count();
        Ok(MyGames { games, your_move, now: self.world.time.now().0 })
    }

    /// What somebody has beside the board.
    pub async fn desk(&self, game: GameId, account: AccountId) -> Result<Desk, GameError> {
        let view = self.games.view(game, account).await?;
        view.you.ok_or(GameError::NotYourGame)?;
        let note = self.store.note(game, account).await?;
        let plan = match self.games.plan(game, account).await {
            Ok(plan) => Some(plan),
            Err(GameError::Plan(_)) => None,
            Err(error) => return Err(error),
        };
        let mine = self.games.mine_in(game, account).await?;
        let leave = mine.filter(has_leave).map(|game| game.leave);
        if let Some(last) = view.chat.last() {
            self.store.set_chat_seen(game, account, last.number).await?;
        }
        Ok(Desk { note, plan, leave })
    }

    /// Keeps a note.
    pub async fn set_note(
        &self,
        game: GameId,
        account: AccountId,
        text: &str,
    ) -> Result<(), CorrespondenceError> {
        let text = text.trim_end();
        if text.chars().count() > LONGEST_NOTE {
            return Err(CorrespondenceError::LongNote);
        }
        let view = self.games.view(game, account).await?;
        view.you.ok_or(GameError::NotYourGame)?;
        let now = self.world.time.now();
        Ok(self.store.set_note(game, account, text.to_owned(), now).await?)
    }

    /// Keeps conditional moves.
    pub async fn set_plan(
        &self,
        game: GameId,
        account: AccountId,
        lines: Vec<Vec<String>>,
    ) -> Result<PlanView, GameError> {
        self.games.set_plan(game, account, lines).await
    }

    /// The position after some moves from where a game is.
    pub async fn line(
        &self,
        game: GameId,
        account: AccountId,
        moves: Vec<String>,
    ) -> Result<ConsideredLine, GameError> {
        // Watchers may see the board later than those who play.
        self.games.view(game, account).await?.you.ok_or(GameError::NotYourGame)?;
        self.games.line(game, account, moves).await
    }

    /// Goes on leave wherever there is some, or comes back. Gives in how many games.
    pub async fn leave_all(&self, account: AccountId, away: bool) -> usize {
        self.games.leave_all(account, away).await
    }

    /// What arbiters decided about a game.
    pub async fn decisions(
        &self,
        game: GameId,
        sight: Sight,
    ) -> Result<Vec<DecisionView>, GameError> {
        self.games.view(game, sight).await?;
        let decisions = self.store.decisions_about(game).await?;
        Ok(with_clocks(&self.store, decisions).await?)
    }
}

fn has_leave(game: &MyGame) -> bool {
    use crate::games::wire::TimeControlView::Days;
    matches!(&game.time, Days(days) if days.leave_days > 0)
}

/// What the side to act has left; games without a clock come last.
fn left(game: &MyGame) -> i64 {
    game.flag_at.unwrap_or(i64::MAX)
}
