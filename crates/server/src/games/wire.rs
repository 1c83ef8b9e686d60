//! What the outside sees of a game: bodies of answers and parts of socket messages.

use rules::clock::{Bonus, SideTime, Stage};
use rules::game::Reveal;
use rules::{ByColor, Color, DrawsBy, Millis, Outcome, RuleSet, Setup, TimeControl, Variant};
use serde::{Deserialize, Serialize};
use store::{Account, AccountKind, ChatLine, ChatRoom};
use utoipa::ToSchema;

use super::day_time::DayTimeView;

/// The time a game gives to both sides.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum TimeControlView {
    /// A clock with time added after every move.
    Fischer {
        /// What each side begins with.
        initial_ms: i64,
        /// What each move adds.
        increment_ms: i64,
    },
    /// Every other clock: several stages, delays, different times.
    Stages {
        /// White's stages.
        white: Vec<StageView>,
        /// Black's.
        black: Vec<StageView>,
    },
    /// Days for a move.
    Days(DayTimeView),
    /// No clock.
    Unlimited,
    /// A control that this slice of the API does not describe yet.
    Other,
}

/// A part of a game with its own time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct StageView {
    /// Own moves until the next stage begins; none in the last.
    pub moves: Option<u32>,
    /// Time added when it begins.
    pub time_ms: i64,
    /// What each move earns or spares.
    pub bonus: BonusView,
}

/// What a move earns or spares.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(tag = "kind", content = "ms", rename_all = "snake_case")]
pub enum BonusView {
    /// Nothing.
    None,
    /// Added after every move.
    Fischer(i64),
    /// Time used, up to this much, is given back.
    Bronstein(i64),
    /// The clock waits this long before it runs.
    Delay(i64),
}

/// Why a time control cannot be played.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error(
    "a clock begins with 10 seconds to 10 hours and adds 0 to 10 minutes a move; with several stages, all but the last \
     need a number of moves; a game of days gives an hour to 60 days a move, a bank of at most 180 and at most 90 of leave"
)]
pub struct BadTimeControl;

const STAGE_SPAN: std::ops::RangeInclusive<i64> = 10_000..=36_000_000;
const BONUS_SPAN: std::ops::RangeInclusive<i64> = 0..=600_000;

impl TimeControlView {
    /// The rules' form, if the times make sense.
    pub fn to_rules(&self) -> Result<TimeControl, BadTimeControl> {
        let control = match self {
            TimeControlView::Fischer { initial_ms, increment_ms } => {
                let bonus = if *increment_ms == 0 {
                    BonusView::None
                } else {
                    BonusView::Fischer(*increment_ms)
                };
                let side = side_time(&[StageView { moves: None, time_ms: *initial_ms, bonus }])?;
                TimeControl::Live(ByColor { white: Some(side.clone()), black: Some(side) })
            }
            TimeControlView::Stages { white, black } => TimeControl::Live(ByColor {
                white: Some(side_time(white)?),
                black: Some(side_time(black)?),
            }),
            TimeControlView::Days(days) => days.to_rules()?,
            TimeControlView::Unlimited => TimeControl::Unlimited,
            TimeControlView::Other => return Err(BadTimeControl),
        };
        control.check().map_err(|_| BadTimeControl)?;
        Ok(control)
    }
}

fn side_time(stages: &[StageView]) -> Result<SideTime, BadTimeControl> {
    let stage = |stage: &StageView| {
        let bonus = match stage.bonus {
            BonusView::None => Bonus::None,
            BonusView::Fischer(ms) => Bonus::Fischer(Millis(ms)),
            BonusView::Bronstein(ms) => Bonus::Bronstein(Millis(ms)),
            BonusView::Delay(ms) => Bonus::Delay(Millis(ms)),
        };
        let fits = STAGE_SPAN.contains(&stage.time_ms) && BONUS_SPAN.contains(&bonus.span().0);
        let moves_fit = stage.moves.is_none_or(|moves| (1..=200).contains(&moves));
        (fits && moves_fit)
            .then_some(Stage { moves: stage.moves, time: Millis(stage.time_ms), bonus })
            .ok_or(BadTimeControl)
    };
    if stages.is_empty() || stages.len() > 5 {
        return Err(BadTimeControl);
    }
    Ok(SideTime { stages: stages.iter().map(stage).collect::<Result<_, _>>()? })
}

impl From<&TimeControl> for TimeControlView {
    fn from(time: &TimeControl) -> Self {
        let (white, black) = match time {
            TimeControl::Unlimited => return TimeControlView::Unlimited,
            TimeControl::Days(days) => return TimeControlView::Days(days.into()),
            TimeControl::Live(ByColor { white: Some(white), black: Some(black) }) => (white, black),
            TimeControl::Live(_) => return TimeControlView::Other,
        };
        match white.stages.as_slice() {
            [Stage { moves: None, time, bonus: Bonus::None }] if white == black => {
                TimeControlView::Fischer { initial_ms: time.0, increment_ms: 0 }
            }
            [Stage { moves: None, time, bonus: Bonus::Fischer(increment) }] if white == black => {
                TimeControlView::Fischer { initial_ms: time.0, increment_ms: increment.0 }
            }
            _ => TimeControlView::Stages { white: stage_views(white), black: stage_views(black) },
        }
    }
}

fn stage_views(side: &SideTime) -> Vec<StageView> {
    let bonus = |bonus| match bonus {
        Bonus::None => BonusView::None,
        Bonus::Fischer(ms) => BonusView::Fischer(ms.0),
        Bonus::Bronstein(ms) => BonusView::Bronstein(ms.0),
        Bonus::Delay(ms) => BonusView::Delay(ms.0),
    };
    let view = |stage: &Stage| StageView {
        moves: stage.moves,
        time_ms: stage.time.0,
        bonus: bonus(stage.bonus),
    };
    side.stages.iter().map(view).collect()
}

/// By which rules a game is played.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum RuleChoice {
    /// As the public servers play: a position that occurs for the third time and fifty moves without progress are a draw
    /// at once.
    #[default]
    Online,
    /// As over the board: these draws must be claimed, also with the move one intends. Five times and seventy-five moves
    /// end the game by themselves.
    Fide,
}

impl RuleChoice {
    /// The house's rules for a game, changed as chosen. How it is begun, left and aborted stays the house's.
    pub(crate) fn choose(self, rules: RuleSet) -> RuleSet {
        match self {
            RuleChoice::Online => rules,
            RuleChoice::Fide => RuleSet { draws: DrawsBy::Claim, ..rules },
        }
    }

    /// What was chosen for a game; nothing where draws are claimed anyway.
    pub(crate) fn of(setup: &Setup) -> RuleChoice {
        let by_claim = setup.rules.draws == DrawsBy::Claim;
        if by_claim && setup.time.is_live() { RuleChoice::Fide } else { RuleChoice::Online }
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
    /// How strong they are thought to be where this is shown; in a game, when it began.
    #[serde(default)]
    pub rating: Option<i64>,
    /// Whether that is still uncertain.
    #[serde(default)]
    pub provisional: bool,
    /// Whether a machine plays.
    #[serde(default)]
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
            bot: account.is_bot(),
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
    /// How long it still waits before it counts down, with a simple delay.
    #[serde(default)]
    pub delay_ms: Option<i64>,
    /// How long the side to act still has for its first move before the game is aborted.
    #[serde(default)]
    pub first_move_ms: Option<i64>,
    /// How long nobody may act, after a freezing move of GMO.
    #[serde(default)]
    pub frozen_ms: Option<i64>,
}

/// A move of the record.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct MoveView {
    /// The ply after it, from 1.
    pub ply: u32,
    /// Whose move it was. Not always the other's than the one before: a promotion of GMO is an entry of its own.
    pub by: Color,
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
    /// Whether the other has declined.
    #[serde(default)]
    pub declined: bool,
}

/// What surrounds a game and is not part of its log. Sent whole whenever it changes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Around {
    /// Who is there: at the board, or heard of since they left it.
    #[schema(value_type = Sides<bool>)]
    pub present: ByColor<bool>,
    /// How many others look on.
    pub watchers: u32,
    /// A rematch on offer.
    pub rematch: Option<RematchView>,
    /// A player who has left while it is their turn. Not told to those who see the game late.
    pub gone: Option<GoneView>,
    /// The server's moment, to compare others with.
    pub now: i64,
}

/// A player who has left while it is their turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct GoneView {
    /// Who.
    pub side: Color,
    /// From when on the other may claim the game.
    pub claim_at: i64,
}

/// What a game did to a rating.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct RatingChangeView {
    /// Before it.
    pub before: i64,
    /// After it.
    pub after: i64,
    /// Whether it is still uncertain.
    pub provisional: bool,
}

/// Who hears a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum ChatRoomView {
    /// The two who play.
    Players,
    /// Those who look on.
    Watchers,
}

impl From<ChatRoomView> for ChatRoom {
    fn from(room: ChatRoomView) -> ChatRoom {
        match room {
            ChatRoomView::Players => ChatRoom::Players,
            ChatRoomView::Watchers => ChatRoom::Watchers,
        }
    }
}

/// Something that was said.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ChatLineView {
    /// Its number in the game.
    pub number: i64,
    /// Where.
    pub room: ChatRoomView,
    /// By whom.
    pub by: PlayerView,
    /// What.
    pub text: String,
    /// When.
    pub at: i64,
}

impl From<&ChatLine> for ChatLineView {
    fn from(line: &ChatLine) -> Self {
        ChatLineView {
            number: line.number,
            room: match line.room {
                ChatRoom::Players => ChatRoomView::Players,
                ChatRoom::Watchers => ChatRoomView::Watchers,
            },
            by: PlayerView::from(&line.by),
            text: line.text.clone(),
            at: line.at.0,
        }
    }
}

/// A game, whole.
#[allow(clippy::struct_excessive_bools, reason = "each tells the page whether to show a button")]
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
    /// Whether two people play it at one computer. Whoever began it has the side that is to act; nobody else has one.
    #[serde(default)]
    pub one_computer: bool,
    /// Whether both may ask engines while they play.
    #[serde(default)]
    pub engines: bool,
    /// The first position.
    pub start_fen: String,
    /// The position now, as FEN. Of GMO only what everybody may see: `faces BOARD TURN PLY PROMOTIONS`, a piece being
    /// square, owner, four digits of its look, `p` for a pawn and `k` for a king, `e1w3fa0k`.
    pub fen: String,
    /// The number of plies.
    pub ply: u32,
    /// Who is to act; nobody after the end.
    pub to_act: Option<Color>,
    /// Legal moves in groups by origin: `e2e3e4 g1f3h3`, the first square of a group is the origin. While pieces are
    /// placed the origin is the shelf, `N@c2c3`, and a lone `--` says that one may finish.
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
    /// Who asks to take a move back.
    pub takeback_offer: Option<Color>,
    /// Who asks to adjourn, or to go on after an adjournment.
    pub adjournment_offer: Option<Color>,
    /// Whether the players have adjourned it.
    pub adjourned: bool,
    /// Whether the one who asks may ask to adjourn now, or to go on.
    pub can_adjourn: bool,
    /// Whether the one who asks may ask for a takeback now.
    pub can_take_back: bool,
    /// Whether takebacks are played with at all.
    pub takebacks: bool,
    /// Whether the one who asks may give the other time.
    pub can_give_time: bool,
    /// Whether the side to move may claim a draw now.
    pub can_claim_draw: bool,
    /// Whether a repetition or fifty moves are a draw only for who claims it.
    #[serde(default)]
    pub draws_by_claim: bool,
    /// Whether the one who asks may talk, as the house's rule is now.
    pub can_chat: bool,
    /// What was said that the one who asks may hear.
    pub chat: Vec<ChatLineView>,
    /// The accounts of those whom the one who asks does not hear.
    pub muted: Vec<String>,
    /// Whether it counts for ratings.
    pub rated: bool,
    /// Whether only its players and arbiters see it.
    pub private: bool,
    /// The opening as far as it has a name: ECO code, a space, the name.
    pub opening: Option<String>,
    /// The pool it belongs to.
    pub pool: Option<String>,
    /// How fast it is.
    pub speed: Option<String>,
    /// What it did to both ratings, once it is over and counted.
    pub ratings: Option<Sides<RatingChangeView>>,
    /// Network time that the last move of each was not charged.
    pub lag: Sides<i64>,
    /// How much later the one who asks sees the game than its players; none if at once.
    #[serde(default)]
    pub delay_ms: Option<i64>,
    /// Whether a player may still abort it.
    pub can_abort: bool,
    /// Whether the clocks stand because the server asked for it.
    pub paused: bool,
    /// When it began.
    pub created_at: i64,
    /// What a game of GMO has besides a board.
    #[serde(default)]
    pub gmo: Option<GmoTable>,
    /// What surrounds it.
    pub around: Around,
}

/// What a game of GMO has besides a board.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct GmoTable {
    /// Who has handed in an army.
    pub ready: Sides<bool>,
    /// Until when both have to hand one in, if time is counted: then the game is aborted.
    #[serde(default)]
    pub hand_in_by: Option<i64>,
    /// Most blocks a genome may have; 0 is no limit.
    pub max_blocks: u8,
    /// Whether an army that can hit the enemy on the first move is refused.
    pub no_first_strike: bool,
    /// What becomes known after the end.
    pub reveal: Reveal,
    /// SHA-256 of the seed from which all chance follows.
    pub seed_hash: Option<String>,
    /// The seed itself, once the game is over.
    pub seed: Option<String>,
    /// The army that the one who asks has handed in, until both are shown. Nobody else is told of it.
    #[serde(default)]
    pub mine: Option<OwnArmy>,
}

/// An army that was handed in, as its owner sees it again.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct OwnArmy {
    /// The pictures of its back rank, file a first.
    pub looks: Vec<u16>,
    /// The squares of its kings.
    pub kings: Vec<String>,
    /// The hashes of its back rank joined by `-`: what can be handed in again.
    pub preset: String,
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
    /// Which game it is.
    pub variant: Variant,
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
    /// Whether it waits for the one who asks: for a move, or for an army of GMO. Never at one computer, and not while
    /// the game is stopped.
    #[serde(default)]
    pub is_your_move: bool,
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

/// Why a game is claimed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum ClaimReason {
    /// A draw: the position repeated, or fifty moves passed.
    Position,
    /// The win: the other has left.
    WinByAbsence,
    /// A draw: the other has left.
    DrawByAbsence,
}

/// A claim to be made.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct NewClaim {
    /// Why.
    pub by: ClaimReason,
    /// The move one intends, as UCI or SAN, if it is the position after it that one claims.
    #[serde(default)]
    pub uci: Option<String>,
}

/// Something to be said.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct NewChatLine {
    /// To whom.
    pub room: ChatRoomView,
    /// What.
    pub text: String,
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
        /// GMO: the seed from which all chance of the game followed.
        #[serde(default)]
        seed: Option<String>,
    },
    /// Somebody asks to take a move back.
    TakebackOffered {
        /// Who.
        by: Color,
    },
    /// It was not allowed.
    TakebackDeclined {
        /// By whom.
        by: Color,
    },
    /// The game went back.
    TakenBack {
        /// The ply it is at now: later moves are gone.
        ply: u32,
        /// The position now.
        fen: String,
        /// Legal moves in groups by origin.
        dests: String,
        /// The square of a king in check.
        check: Option<String>,
        /// Who is to act.
        to_act: Option<Color>,
        /// The opening as far as the game has come now.
        opening: Option<String>,
        /// Whether a player may abort the game now.
        can_abort: bool,
        /// Whether the side to move may claim a draw now.
        can_claim_draw: bool,
    },
    /// Somebody asks to adjourn, or to go on after an adjournment.
    AdjournmentOffered {
        /// Who.
        by: Color,
    },
    /// The other did not agree.
    AdjournmentDeclined {
        /// Who did not.
        by: Color,
    },
    /// Both agreed to stop for a while.
    Adjourned,
    /// Somebody got time.
    TimeAdded {
        /// Who.
        to: Color,
        /// How much.
        ms: i64,
    },
    /// The clocks stand: the server stops or cannot write.
    Paused,
    /// The clocks run again.
    Resumed,
    /// GMO: a side is ready.
    HandedIn {
        /// Which.
        by: Color,
    },
    /// GMO: both armies are shown, White's clock runs.
    Started {
        /// The first position.
        fen: String,
        /// Legal moves in groups by origin.
        dests: String,
        /// Who is to act.
        to_act: Option<Color>,
    },
    /// Something this page does not know yet: ask for the whole state.
    Other,
}
