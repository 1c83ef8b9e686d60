//! What can be done with an event.

use rules::{Color, UnixMillis};
use serde::{Deserialize, Serialize};
use store::{AccountId, GameId};
use utoipa::ToSchema;

use super::{ByeKind, Details, EntryNumber, Regulations, Score, Standstill, TimerAct};

/// Somebody who is to play.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Person {
    /// The name, `Last, First` for rated events. Left alone for somebody with an account.
    pub name: String,
    /// What else is known.
    #[serde(flatten)]
    pub details: Details,
}

/// Somebody with an account who is to play.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Member {
    /// Who.
    pub account: AccountId,
    /// The name.
    pub name: String,
    /// How strong.
    pub rating: Option<u16>,
}

/// A board of a round to be published.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct BoardPlan {
    /// Who has White.
    pub white: EntryNumber,
    /// Who has Black.
    pub black: EntryNumber,
    /// The result, if it is known beforehand: somebody has withdrawn.
    #[serde(default)]
    pub result: Option<Score>,
    /// The game, if it is played here.
    #[serde(skip)]
    pub game: Option<GameId>,
}

/// A round to be published.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct RoundPlan {
    /// Which.
    pub round: u16,
    /// The boards, the first first.
    pub boards: Vec<BoardPlan>,
    /// Who is free.
    pub byes: Vec<(EntryNumber, ByeKind)>,
}

/// What can be done with an event. Stored as text where it would take another action back: names are stable.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "do", rename_all = "snake_case")]
pub enum Command {
    /// Change name, date, visibility or regulations.
    Describe {
        /// The name.
        name: String,
        /// In one word.
        visibility: String,
        /// When it begins.
        starts_at: Option<UnixMillis>,
        /// The regulations.
        regulations: Box<Regulations>,
    },
    /// Go on to another state, in one word. The lot is for the first colour, should it be drawn now.
    Move {
        /// Which.
        state: String,
        /// What the lot says.
        lot_is_white: bool,
    },
    /// The director enters people without an account.
    Enter {
        /// Who.
        people: Vec<Person>,
    },
    /// The director enters members, and people without an account: all, or nobody.
    Enlist {
        /// Members of the club.
        members: Vec<Member>,
        /// Others.
        people: Vec<Person>,
    },
    /// Somebody with an account enters.
    Join {
        /// Who.
        account: AccountId,
        /// The name.
        name: String,
        /// How strong.
        rating: Option<u16>,
        /// Whether the director does it, who is not bound by the conditions.
        by_staff: bool,
    },
    /// Name a member an arbiter of this event, or take that back.
    NameArbiter {
        /// Who.
        account: AccountId,
        /// The name.
        name: String,
        /// Whether they are one from now on.
        named: bool,
    },
    /// Change what is known of a player.
    Edit {
        /// Whom.
        player: EntryNumber,
        /// What is known now.
        person: Person,
    },
    /// Take players out who have not played.
    Remove {
        /// Whom.
        players: Vec<EntryNumber>,
    },
    /// Say whether somebody is there.
    CheckIn {
        /// Who.
        player: EntryNumber,
        /// There or not.
        present: bool,
    },
    /// Somebody plays no more.
    Withdraw {
        /// Who.
        player: EntryNumber,
        /// Whether the director says so: then they do not come back by themselves.
        #[serde(default)]
        by_staff: bool,
        /// Whether they did not come to a game: that needs nobody's leave.
        #[serde(default)]
        absent: bool,
    },
    /// Somebody who had withdrawn plays again.
    Return {
        /// Who.
        player: EntryNumber,
        /// Whether the director says so, who is not bound by the rules of entry.
        #[serde(default = "yes")]
        by_staff: bool,
    },
    /// Grant or cancel a bye in a round to come, or in one that was played before somebody came.
    SetBye {
        /// To whom.
        player: EntryNumber,
        /// Which round.
        round: u16,
        /// Which; none cancels it.
        bye: Option<ByeKind>,
    },
    /// Table or bracket: give the numbers in this order, before the first round. An empty order: by strength.
    Number {
        /// Everybody who has a number, the first first.
        order: Vec<EntryNumber>,
        /// Whether the lot said so.
        #[serde(default)]
        by_lot: bool,
    },
    /// Set the timer of the hall.
    SetTimer {
        /// What it does.
        act: TimerAct,
        /// How many minutes more, or fewer.
        #[serde(default)]
        minutes: i32,
    },
    /// Publish a round.
    Publish {
        /// The round.
        plan: RoundPlan,
    },
    /// Publish all rounds at once.
    PublishAll {
        /// The rounds.
        plans: Vec<RoundPlan>,
    },
    /// Change the boards of the last round, as long as nobody has a result there.
    Reseat {
        /// The round.
        plan: RoundPlan,
    },
    /// Take the last round back.
    Unpair {
        /// Which, so that nobody takes back another one by mistake.
        round: u16,
        /// Whether its games are known to be without a move, and will not be played.
        #[serde(default)]
        unplayed: bool,
    },
    /// Say how a board ended; none opens it again.
    SetResult {
        /// In which round.
        round: u16,
        /// At which board.
        board: u16,
        /// How.
        result: Option<Score>,
        /// Why, if somebody said so.
        #[serde(default)]
        reason: String,
    },
    /// Put a result back, if it is still what it was made to.
    Restore {
        /// In which round.
        round: u16,
        /// At which board.
        board: u16,
        /// What it must be now.
        from: Option<Score>,
        /// What it becomes.
        to: Option<Score>,
    },
    /// Put something else back, if it is still what it was made to.
    PutBack {
        /// What made it what it must be now.
        from: Box<Command>,
        /// What makes it what it was before.
        to: Box<Command>,
    },
    /// A player says how the own game ended.
    Report {
        /// In which round.
        round: u16,
        /// At which board.
        board: u16,
        /// Which player.
        side: Color,
        /// How.
        result: Score,
        /// From which device, if one device may not speak for both.
        #[serde(default)]
        device: Option<String>,
    },
    /// Games that were played here are over.
    Collect {
        /// Which, how, and after how many moves of each side.
        ended: Vec<(GameId, Score, u16)>,
    },
    /// What was decided about games that were played here: a result follows its game.
    Follow {
        /// Which, and what it counts now; nothing: the game goes on, or does not count.
        games: Vec<(GameId, Option<Score>)>,
    },
    /// Decide a match of a knockout.
    Decide {
        /// Who advances.
        winner: EntryNumber,
        /// Who does not.
        loser: EntryNumber,
        /// Whether the lot said so.
        #[serde(default)]
        by_lot: bool,
    },
    /// Take such a decision back.
    Undecide {
        /// Who would have advanced.
        winner: EntryNumber,
        /// Who not.
        loser: EntryNumber,
    },
    /// It cannot move on by itself: the director has to do something.
    StandStill {
        /// The version of the event that could not.
        version: i64,
        /// Why.
        why: Standstill,
    },
    /// Arena: somebody halves the own clock.
    Berserk {
        /// In which game.
        game: GameId,
        /// Who.
        player: EntryNumber,
    },
}

impl Command {
    /// The way back from what this command leaves, by another one of its kind.
    pub(super) fn put_back_to(self, to: Command) -> Command {
        Command::PutBack { from: Box::new(self), to: Box::new(to) }
    }
}

/// Stored before this was asked: it was always the director.
fn yes() -> bool {
    true
}
