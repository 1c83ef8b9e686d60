//! ChessDefender for one player: prepared positions, attempts against a bot, and who won with the fewest points.
//!
//! An attempt is an ordinary game against a bot that begins in a prepared position. Its result follows from the game's
//! log; it is entered when the game is over, and at the next start if the server stopped just then.

mod positions;
pub mod routes;
pub mod wire;

use engine::builtin::Level;
use engine::pool::{EngineInfo, Pool};
use rules::clock::SideTime;
use rules::defender::{Defender as Rules, PreparedError, is_single_start};
use rules::{
    Act, Action, Actor, ByColor, Color, Command, Game, Outcome, Setup, TimeControl, UnixMillis,
    Variant,
};
use store::{
    Account, AccountId, AccountKind, Attempt, AttemptResult, Challenge, ChallengeKind,
    ChallengeState, GameId, NewAttempt, Store, StoreError,
};

use positions::Position;

use crate::games::house::online_rules;
use crate::games::{GameError, Games, Snapshot};
use crate::world::World;

/// The budget where nothing is said.
pub const USUAL_BUDGET: u8 = 30;
/// The largest budget.
pub const MOST_BUDGET: u8 = 99;
/// The level whose results are shown where none is named.
pub const RECORD_LEVEL: u8 = 8;
/// Results in a list at most.
const MOST_RESULTS: u32 = 100;
/// Pieces in a set-up: fifteen men and the king.
const MOST_PLACEMENTS: usize = 16;
/// Games somebody may have running when one more is begun.
const MOST_RUNNING: usize = 20;

/// Why an attempt cannot be begun or shown.
#[derive(Debug, Clone, thiserror::Error)]
pub enum DefenderError {
    /// There is no such position.
    #[error("there is no such prepared position")]
    UnknownPosition,
    /// The game is no attempt.
    #[error("this game is no attempt at a prepared position")]
    UnknownAttempt,
    /// Not a level.
    #[error("a level is a number from 1 to 8")]
    BadLevel,
    /// Not a budget.
    #[error("a budget is a number from 1 to 99")]
    BadBudget,
    /// A set-up that cannot be placed.
    #[error("this set-up cannot be placed here: {0} is not possible")]
    BadSetUp(String),
    /// Not a par.
    #[error("a par is a number from 1 to 99")]
    BadPar,
    /// The board is no prepared position.
    #[error(transparent)]
    Board(#[from] PreparedError),
    /// The same pieces for the same side are there already.
    #[error("this position is there already")]
    SamePosition,
    /// The pieces of a built-in position.
    #[error("the pieces of a built-in position cannot be changed: hide it and make another")]
    BuiltIn,
    /// Results are of one position.
    #[error("somebody has tried this position, so its pieces stay: hide it and make another")]
    Tried,
    /// One more would be too much.
    #[error("the club has too many prepared positions")]
    TooManyPositions,
    /// Days and odds are for other games.
    #[error("an attempt has a live clock or none")]
    BadTime,
    /// The owner has switched the bots off.
    #[error("there are no bots in this club")]
    NoBots,
    /// One more would be too much.
    #[error("you have too many running games: finish one first")]
    TooManyGames,
    /// What a game said.
    #[error(transparent)]
    Game(#[from] GameError),
    /// The store said no.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl DefenderError {
    /// The reason for programs.
    pub fn code(&self) -> &'static str {
        match self {
            DefenderError::UnknownPosition => "unknown_position",
            DefenderError::UnknownAttempt => "unknown_attempt",
            DefenderError::BadLevel => "bad_level",
            DefenderError::BadBudget => "bad_budget",
            DefenderError::BadSetUp(_) => "bad_set_up",
            DefenderError::BadPar => "bad_par",
            DefenderError::Board(error) => error.code(),
            DefenderError::SamePosition => "same_position",
            DefenderError::BuiltIn => "built_in_position",
            DefenderError::Tried => "position_tried",
            DefenderError::TooManyPositions => "too_many_positions",
            DefenderError::BadTime => "bad_time_control",
            DefenderError::NoBots => "no_bots",
            DefenderError::TooManyGames => "too_many_games",
            DefenderError::Game(error) => error.code(),
            DefenderError::Store(_) => "storage",
        }
    }
}

/// What somebody wants to try.
#[derive(Debug, Clone)]
pub struct Wish {
    /// The prepared position.
    pub position: String,
    /// The bot's level.
    pub level: u8,
    /// Points that may be spent at most.
    pub budget: u8,
    /// The player's clock; the computer has none.
    pub time: TimeControl,
    /// What is placed at once: a set-up of before, tried again.
    pub set_up: Vec<String>,
}

/// ChessDefender for one player. Cheap to clone.
#[derive(Clone)]
pub struct Defender {
    store: Store,
    world: World,
    games: Games,
    engines: Pool,
}

impl Defender {
    /// Enters results of games that were over when the server stopped.
    pub async fn start(
        store: Store,
        world: World,
        games: Games,
        engines: Pool,
    ) -> Result<Defender, StoreError> {
        for game in store.unsettled_attempts().await? {
            match games.snapshot(game).await {
                Ok(seen) => settle(&store, game, &seen, world.time.now()).await?,
                Err(error) => tracing::warn!(%game, %error, "a result could not be entered"),
            }
        }
        Ok(Defender { store, world, games, engines })
    }

    /// Begins an attempt; gives its game.
    pub async fn begin(&self, account: Account, wish: &Wish) -> Result<GameId, DefenderError> {
        let position = self.position(&wish.position).await?;
        if position.stored.is_hidden {
            return Err(DefenderError::UnknownPosition);
        }
        let side = position.stored.player;
        let level = Level::new(wish.level).ok_or(DefenderError::BadLevel)?;
        if !(1..=MOST_BUDGET).contains(&wish.budget) {
            return Err(DefenderError::BadBudget);
        }
        self.games.refuse_if_draining()?;
        if !self.games.bell().is_answered() {
            return Err(DefenderError::NoBots);
        }
        if self.games.running_of(account.id).len() >= MOST_RUNNING {
            return Err(DefenderError::TooManyGames);
        }
        let bot = self.bot(level).await?;
        let players = match side {
            Color::White => ByColor { white: account.clone(), black: bot },
            Color::Black => ByColor { white: bot, black: account.clone() },
        };
        let setup = setup(&position, wish)?;
        let placements = placements(&setup, &wish.set_up)?;
        let engine = self.profile(level).await;
        let agreed = Challenge {
            id: GameId::from_bits(self.world.chance.bits()),
            kind: ChallengeKind::Link,
            challenger: account.clone(),
            color: Some(side),
            setup,
            rated: false,
            private: false,
            state: ChallengeState::Accepted,
            created_at: self.world.time.now(),
            expires_at: None,
        };
        let new = self.games.new_game(&agreed, &players).await?;
        let attempt = NewAttempt {
            position: position.stored.id,
            account: account.id,
            level: level.number(),
            engine,
        };
        self.store.begin_attempt(new.clone(), attempt).await?;
        self.games.begin(new, players).await?;
        for act in placements {
            self.games.act(agreed.id, account.id, act).await?;
        }
        Ok(agreed.id)
    }

    async fn bot(&self, level: Level) -> Result<Account, DefenderError> {
        let id = AccountId::of_bot(level.number());
        let player = self.store.load_player(id).await.map_err(|_| DefenderError::NoBots)?;
        Ok(Account { id, kind: AccountKind::Player, name: player.name })
    }

    /// Who plays phase two for a level, and how many positions it looks at for a move.
    pub(super) async fn profile(&self, level: Level) -> String {
        // An engine says who it is, with its version, once it has been started.
        self.engines.warm_up().await;
        let engines = self.engines.engines();
        let knows = |engine: &&EngineInfo| engine.variants.contains(&Variant::Defender);
        let usual = engines.iter().find(knows).filter(|_| level.stockfish().is_some());
        let engine = usual.or(engines.last());
        profile_of(engine.map_or("", |engine| engine.name.as_str()), level)
    }
}

fn profile_of(engine: &str, level: Level) -> String {
    format!("{engine}, {} nodes", nodes_of(level))
}

/// Notes who has answered in an attempt, if the built-in engine stood in for another: what is won then was not won
/// against that one.
pub(crate) async fn note_engine(
    store: &Store,
    engines: &Pool,
    game: GameId,
    level: Level,
    answered: &str,
) -> Result<(), StoreError> {
    let mut known = engines.engines();
    let own = known.pop().filter(|own| own.key == answered && !known.is_empty());
    let Some(own) = own else { return Ok(()) };
    store.change_attempt_engine(game, profile_of(&own.name, level)).await
}

/// Positions the computer looks at for a move of an attempt, so that its strength is the same on every machine.
pub(crate) fn nodes_of(level: Level) -> u64 {
    const MOST: u64 = 400_000;
    let share = match level.number() {
        8.. => 1,
        7 => 2,
        6 => 4,
        _ => 8,
    };
    level.handicap().nodes.min(MOST / share)
}

fn setup(position: &Position, wish: &Wish) -> Result<Setup, DefenderError> {
    let side = position.stored.player;
    let side_time = |sides: &ByColor<Option<SideTime>>| sides[side].clone();
    let time = match &wish.time {
        TimeControl::Unlimited => TimeControl::Unlimited,
        TimeControl::Live(sides) => {
            let mut only_mine = ByColor::same(None);
            only_mine[side] = side_time(sides);
            TimeControl::Live(only_mine)
        }
        TimeControl::Days(_) => return Err(DefenderError::BadTime),
    };
    let mut rules = online_rules(&time);
    // Nobody waits but a machine, and what counts is not taken back.
    (rules.first_move, rules.abandonment) = (None, None);
    (rules.takeback, rules.give_time) = (false, false);
    let start = Some(position.start(wish.budget));
    Ok(Setup { variant: Variant::Defender, start, time, rules, ..Setup::default() })
}

/// The acts that place a set-up, if it can be placed. The computer's slots pass by themselves in between.
fn placements(setup: &Setup, texts: &[String]) -> Result<Vec<Act>, DefenderError> {
    let wrong = |text: &String| DefenderError::BadSetUp(text.chars().take(5).collect());
    let mut game = Game::new(setup.clone(), UnixMillis(0))
        .map_err(|error| GameError::Fault(error.to_string()))?;
    let mut acts = Vec::new();
    for text in texts.iter().take(MOST_PLACEMENTS) {
        let act = Act::Play { ply: game.ply(), action: text.clone() };
        let is_placement = text.contains('@');
        let side = game.to_act().filter(|_| is_placement).ok_or_else(|| wrong(text))?;
        let command = Command::new(Actor::Player(side), UnixMillis(0), act.clone());
        let events = game.decide(&command).map_err(|_| wrong(text))?;
        for event in &events {
            game.apply(event).map_err(|_| wrong(text))?;
        }
        acts.push(act);
    }
    Ok(acts)
}

/// Whether a game is one player's against a prepared position.
pub(crate) fn is_single(game: &Game) -> bool {
    let setup = game.setup();
    setup.variant == Variant::Defender && setup.start.as_deref().is_some_and(is_single_start)
}

/// How an attempt ended; none while it runs or if it was aborted.
fn result_of(game: &Game, player: Color) -> Option<(bool, u32, u32)> {
    let is_won = match game.outcome()? {
        Outcome::Win { winner, .. } => *winner == player,
        Outcome::Draw { .. } | Outcome::Aborted { .. } => false,
    };
    // The player's slot is the first, and the record alternates from there on.
    let own = game.actions().iter().step_by(2);
    let moves = own.filter(|action| matches!(action, Action::Move { .. })).count();
    let points = Rules::spent(game.actions(), player, player);
    Some((is_won, points, u32::try_from(moves).unwrap_or(u32::MAX)))
}

/// Enters the result of a game that is over, if it was an attempt; also one that has changed since.
pub(crate) async fn settle(
    store: &Store,
    game: GameId,
    seen: &Snapshot,
    at: UnixMillis,
) -> Result<(), StoreError> {
    let attempt = match store.load_attempt(game).await {
        Ok(attempt) => attempt,
        Err(StoreError::NotFound) => return Ok(()),
        Err(error) => return Err(error),
    };
    let player = player_side(&attempt, seen);
    let Some((is_won, points, moves)) = result_of(&seen.game, player) else { return Ok(()) };
    // A result that an arbiter corrects keeps its date.
    let at = attempt.result.map_or(at, |known| known.at);
    if attempt.result == Some(AttemptResult { is_won, points, moves, at }) {
        return Ok(());
    }
    store.settle_attempt(game, AttemptResult { is_won, points, moves, at }).await
}

fn player_side(attempt: &Attempt, seen: &Snapshot) -> Color {
    if seen.players.white == attempt.account { Color::White } else { Color::Black }
}

/// The placements of a player, so that a set-up can be tried again.
pub(crate) fn set_up_of(game: &Game) -> Vec<String> {
    let own = game.actions().iter().step_by(2);
    own.filter(|action| matches!(action, Action::Place { .. })).map(Action::to_string).collect()
}
