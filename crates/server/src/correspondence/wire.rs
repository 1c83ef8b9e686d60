//! What the outside sees of slow games: lists, inboxes, notes.

use rules::{Color, Event, Outcome, Variant};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::games::plan::PlanView;
use crate::games::wire::{ClocksView, PlayerView, Sides, TimeControlView};
use crate::lobby::wire::ChallengeView;

/// Somebody's leave in a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct LeaveView {
    /// What is left of this year's.
    pub left_ms: i64,
    /// Since when they are away; none if they are here.
    pub since: Option<i64>,
}

/// A running game in the list of one of its players.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[allow(clippy::struct_excessive_bools, reason = "each tells the page whether to show a mark")]
pub struct MyGame {
    /// Its name.
    pub id: String,
    /// Which game.
    pub variant: Variant,
    /// Who plays.
    pub players: Sides<PlayerView>,
    /// The time control.
    pub time: TimeControlView,
    /// Whether it is played on a clock of minutes.
    pub is_live: bool,
    /// Whether it counts.
    pub rated: bool,
    /// The side of the one who asks.
    pub you: Color,
    /// Whether two people play it at the asker's computer.
    #[serde(default)]
    pub one_computer: bool,
    /// The position.
    pub fen: String,
    /// Origin and target of the last move.
    pub last: Option<(String, String)>,
    /// The number of plies.
    pub ply: u32,
    /// Who is to act.
    pub to_act: Option<Color>,
    /// Whether the game waits for the one who asks: for a move, or for an army of GMO. Never at one computer, and not
    /// while the game is stopped.
    #[serde(default)]
    pub is_your_move: bool,
    /// The clocks.
    pub clocks: ClocksView,
    /// When the flag of the side to act falls, if nothing happens.
    pub flag_at: Option<i64>,
    /// Who offers a draw.
    pub draw_offer: Option<Color>,
    /// Who asks to take a move back.
    pub takeback_offer: Option<Color>,
    /// Who asks to adjourn, or to go on after an adjournment.
    pub adjournment_offer: Option<Color>,
    /// Whether both players, an arbiter or the server have stopped it.
    pub is_adjourned: bool,
    /// The own leave.
    pub leave: LeaveView,
    /// Whether the other is on leave.
    pub other_is_away: bool,
    /// Lines the other has said that were not read.
    pub unread: i64,
    /// When it began.
    pub created_at: i64,
}

/// Somebody's running games: those in which it is their move first, the least time first.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct MyGames {
    /// The games.
    pub games: Vec<MyGame>,
    /// In how many of them it is the asker's move.
    pub your_move: usize,
    /// The server's moment.
    pub now: i64,
}

/// What waits for somebody.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct Inbox {
    /// Invitations to answer.
    pub invitations: Vec<ChallengeView>,
    /// Own invitations that wait for an answer.
    pub sent: Vec<ChallengeView>,
    /// Own invitations that were declined or not answered in time.
    pub answers: Vec<ChallengeView>,
    /// What opponents ask for at the boards.
    pub requests: Vec<RequestView>,
    /// What arbiters decided about own games.
    pub decisions: Vec<DecisionView>,
    /// How many of all these are new or want an answer: the badge.
    pub waiting: usize,
}

/// What an opponent can ask for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum RequestKind {
    /// A draw.
    Draw,
    /// To take a move back.
    Takeback,
    /// To adjourn the game.
    Adjournment,
    /// To go on with a game that was adjourned.
    Resumption,
}

/// Something an opponent asks for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct RequestView {
    /// What.
    pub ask: RequestKind,
    /// In which game.
    pub game: String,
    /// Who.
    pub by: PlayerView,
}

/// What an arbiter decided about a game.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct DecisionView {
    /// Its number.
    pub number: i64,
    /// About which game.
    pub game: String,
    /// Who decided.
    pub arbiter: PlayerView,
    /// What was done: `result`, `annul`, `reopen`, `clocks`, `adjourn` or `resume`.
    pub act: String,
    /// Why.
    pub reason: String,
    /// When.
    pub at: i64,
    /// The result before.
    pub before: Option<Outcome>,
    /// The result after.
    pub after: Option<Outcome>,
    /// What the clocks were set to, if they were set.
    #[serde(default)]
    pub clocks: Option<Sides<Option<i64>>>,
}

/// What an event set both clocks to, if it did.
pub(crate) fn clocks_set(event: &Event) -> Option<Sides<Option<i64>>> {
    let Event::ClocksSet { left, .. } = event else { return None };
    let ms = |side| left[side].map(|left| left.0);
    Some(Sides { white: ms(Color::White), black: ms(Color::Black) })
}

impl From<store::Decision> for DecisionView {
    fn from(decision: store::Decision) -> Self {
        DecisionView {
            number: decision.number,
            game: decision.game.to_string(),
            arbiter: PlayerView::from(&decision.arbiter),
            act: decision.act,
            reason: decision.reason,
            at: decision.at.0,
            before: decision.before,
            after: decision.after,
            clocks: None,
        }
    }
}

/// What a player has beside the board and shows to nobody.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Desk {
    /// Private notes.
    pub note: String,
    /// Conditional moves; none where the game has none.
    pub plan: Option<PlanView>,
    /// Leave; none where the game has none.
    pub leave: Option<LeaveView>,
}

/// A note to be kept.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct NewNote {
    /// At most 20,000 letters; nothing removes it.
    pub text: String,
}

/// Conditional moves to be kept.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct NewPlan {
    /// The lines: the other's move, the own answer, and so on, as UCI or SAN. None removes them all.
    pub lines: Vec<Vec<String>>,
}

/// How many games a leave was taken or ended in.
#[derive(Debug, Clone, Copy, Serialize, Deserialize, ToSchema)]
pub struct LeaveTaken {
    /// How many.
    pub games: usize,
}
