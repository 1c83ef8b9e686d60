//! What the outside sees of a game: bodies of answers and parts of socket messages.

use rules::clock::{Bonus, SideTime, Stage};
use rules::{ByColor, Color, Millis, Outcome, TimeControl, Variant};
use serde::{Deserialize, Serialize};
use store::{Account, AccountKind};
use utoipa::ToSchema;

/// The time a game gives to both sides.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum TimeControlView {
    /// A clock with time added after every move.
    Fischer {
        /// What each side begins with.
        initial_ms: i64,
        /// What each move adds.
        increment_ms: i64,
    },
    /// No clock.
    Unlimited,
    /// A control that this slice of the API does not describe yet.
    Other,
}

/// Why a time control cannot be played.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("a clock begins with 10 seconds to 10 hours and adds 0 to 10 minutes a move")]
pub struct BadTimeControl;

impl TimeControlView {
    /// The rules' form, if the times make sense.
    pub fn to_rules(self) -> Result<TimeControl, BadTimeControl> {
        match self {
            TimeControlView::Fischer { initial_ms, increment_ms }
                if (10_000..=36_000_000).contains(&initial_ms)
                    && (0..=600_000).contains(&increment_ms) =>
            {
                let bonus = if increment_ms == 0 {
                    Bonus::None
                } else {
                    Bonus::Fischer(Millis(increment_ms))
                };
                let side = SideTime {
                    stages: vec![Stage { moves: None, time: Millis(initial_ms), bonus }],
                };
                Ok(TimeControl::Live(ByColor { white: Some(side.clone()), black: Some(side) }))
            }
            TimeControlView::Unlimited => Ok(TimeControl::Unlimited),
            TimeControlView::Fischer { .. } | TimeControlView::Other => Err(BadTimeControl),
        }
    }
}

impl From<&TimeControl> for TimeControlView {
    fn from(time: &TimeControl) -> Self {
        match time {
            TimeControl::Unlimited => TimeControlView::Unlimited,
            TimeControl::Live(ByColor { white: Some(white), black: Some(black) })
                if white == black =>
            {
                match white.stages.as_slice() {
                    [Stage { moves: None, time, bonus: Bonus::None }] => {
                        TimeControlView::Fischer { initial_ms: time.0, increment_ms: 0 }
                    }
                    [Stage { moves: None, time, bonus: Bonus::Fischer(increment) }] => {
                        TimeControlView::Fischer { initial_ms: time.0, increment_ms: increment.0 }
                    }
                    _ => TimeControlView::Other,
                }
            }
            _ => TimeControlView::Other,
        }
    }
}

/// Somebody at a board.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct PlayerView {
    /// The account.
    pub id: String,
    /// The name people see.
    pub name: String,
    /// Whether this is somebody without an account of their own.
    pub guest: bool,
    /// The rating in the pool it is about: at the start of a game, now in a challenge.
    pub rating: Option<i64>,
    /// Whether that rating is not sure yet.
    pub provisional: bool,
    /// Whether this is a program.
    pub bot: bool,
}

impl From<&Account> for PlayerView {
    fn from(account: &Account) -> Self {
        PlayerView {
            id: account.id.to_string(),
            name: account.name.clone(),
            guest: account.kind == AccountKind::Guest,
            rating: None,
            provisional: false,
            bot: false,
        }
    }
}

/// Both sides of something.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Sides<T> {
    /// White's.
    pub white: T,
    /// Black's.
    pub black: T,
}

/// The clocks at the moment of sending.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ClocksView {
    /// What White has left; none without a clock.
    pub white_ms: Option<i64>,
    /// What Black has left.
    pub black_ms: Option<i64>,
    /// Whose clock runs.
    pub running: Option<Color>,
}

/// A move of the record.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct MoveView {
    /// The ply after it, from 1.
    pub ply: u32,
    /// As engines write it.
    pub uci: String,
    /// As people write it.
    pub san: String,
    /// The position after it.
    pub fen: String,
    /// The square of a king in check.
    pub check: Option<String>,
    /// What the mover had left after it.
    pub left_ms: Option<i64>,
}

/// A rematch on offer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct RematchView {
    /// Who offers it.
    pub by: Color,
    /// The new game, once the other has accepted.
    #[schema(value_type = Option<String>)]
    pub game: Option<store::GameId>,
}

/// What surrounds a game and is not part of its log. Sent whole whenever it changes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Around {
    /// Who is connected.
    #[schema(value_type = Sides<bool>)]
    pub present: ByColor<bool>,
    /// How many others look on.
    pub watchers: u32,
    /// A rematch on offer.
    pub rematch: Option<RematchView>,
}

/// A game, whole.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct GameView {
    /// Its name.
    pub id: String,
    /// The number of events so far.
    pub version: u32,
    /// Which game it is.
    pub variant: Variant,
    /// Who plays.
    pub players: Sides<PlayerView>,
    /// The time control.
    pub time: TimeControlView,
    /// The side of the one who asks; none for a watcher.
    pub you: Option<Color>,
    /// The first position.
    pub start_fen: String,
    /// The position now.
    pub fen: String,
    /// The number of plies.
    pub ply: u32,
    /// Who is to act; nobody after the end.
    pub to_act: Option<Color>,
    /// Legal moves in groups by origin: `e2e3e4 g1f3h3`, the first square of a group is the origin.
    pub dests: String,
    /// The square of a king in check.
    pub check: Option<String>,
    /// The record.
    pub moves: Vec<MoveView>,
    /// The clocks.
    pub clocks: ClocksView,
    /// How it ended.
    pub outcome: Option<Outcome>,
    /// Who offers a draw.
    pub draw_offer: Option<Color>,
    /// Whether a player may still abort it.
    pub can_abort: bool,
    /// Whether the clocks stand because the server asked for it.
    pub paused: bool,
    /// When it began.
    pub created_at: i64,
    /// What surrounds it.
    pub around: Around,
}

/// A running game in a list.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct GameCard {
    /// Its name.
    pub id: String,
    /// Who plays.
    pub players: Sides<PlayerView>,
    /// The time control.
    pub time: TimeControlView,
    /// The position now.
    pub fen: String,
    /// Origin and target of the last move.
    pub last: Option<(String, String)>,
    /// The number of plies.
    pub ply: u32,
    /// The clocks.
    pub clocks: ClocksView,
    /// Who is to act.
    pub to_act: Option<Color>,
    /// When it began.
    pub created_at: i64,
}

/// A page of running games, newest first.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct GamePage {
    /// The games.
    pub games: Vec<GameCard>,
    /// What to ask for as `before` to see the next page; none on the last.
    pub next: Option<String>,
}

/// A move to be made.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct NewMove {
    /// The game's ply when the move was made.
    pub ply: u32,
    /// The move as UCI or SAN.
    pub uci: String,
}

/// A change of a game that is not a move.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum GameChange {
    /// A draw is on offer.
    DrawOffered {
        /// By whom.
        by: Color,
    },
    /// The offer was declined.
    DrawDeclined {
        /// By whom.
        by: Color,
    },
    /// The game is over.
    Ended {
        /// How.
        outcome: Outcome,
    },
    /// The clocks stand: the server stops or cannot write.
    Paused,
    /// The clocks run again.
    Resumed,
    /// Something this page does not know yet: ask for the whole state.
    Other,
}
