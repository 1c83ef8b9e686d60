//! What somebody asks of a game.

use serde::{Deserialize, Serialize};
use shakmaty::Square;

use crate::clock::Halt;
use crate::gmo::Seed;
use crate::outcome::Outcome;
use crate::position::Army;
use crate::units::{ByColor, Color, Millis, Ply, UnixMillis};

/// Somebody asks for something at a moment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Command {
    /// Who.
    pub by: Actor,
    /// When it arrived, on the server's timeline.
    pub at: UnixMillis,
    /// Time the network took, already capped; taken off the thinking time.
    pub lag: Millis,
    /// What.
    pub act: Act,
}

impl Command {
    /// A command without lag credit.
    pub fn new(by: Actor, at: UnixMillis, act: Act) -> Command {
        Command { by, at, lag: Millis::ZERO, act }
    }
}

/// Who asks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Actor {
    /// One of the two players, or the engine in his place.
    Player(Color),
    /// The arbiter of the event, or a moderator.
    Arbiter,
    /// The server: timers, restarts.
    Server,
}

/// What is asked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Act {
    /// Make a move, place a piece or finish placing: `e2e4`, `N@c2`, `--`.
    Play {
        /// The ply it was made for.
        ply: Ply,
        /// Its text.
        action: String,
    },
    /// GMO: promote the waiting pawn to a genome the player may use.
    Promote {
        /// The ply it was made for.
        ply: Ply,
        /// Where the pawn stands.
        at: Square,
        /// The DNA that the server found under the code the player named.
        dna: String,
    },
    /// GMO: hand in the army, or another one as long as the other side is not ready.
    HandIn(Box<Army>),
    /// Give up.
    Resign,
    /// Offer a draw; if one is on offer, accept it.
    OfferDraw,
    /// Accept the offered draw.
    AcceptDraw,
    /// Decline the offered draw.
    DeclineDraw,
    /// Claim threefold repetition or fifty moves, perhaps with the move one is about to make.
    ClaimDraw {
        /// The move that would bring the draw about.
        intending: Option<String>,
    },
    /// Ask to take the own last move back.
    OfferTakeback,
    /// Allow it.
    AcceptTakeback,
    /// Do not allow it.
    DeclineTakeback,
    /// Ask to adjourn the game, or to go on with one that was adjourned by agreement; if that is asked, agree.
    OfferAdjournment,
    /// Agree to it.
    AcceptAdjournment,
    /// Do not agree.
    DeclineAdjournment,
    /// End the game before it has really begun.
    Abort,
    /// Give time to a side: a player to the other, the arbiter to either (or take it, if negative).
    AddTime {
        /// Who gets it.
        to: Color,
        /// How much.
        time: Millis,
    },
    /// Before the own first move: give half of the own time away, and whatever moves earn. An arena pays for it, so the
    /// arbiter does it for the side that asks.
    Berserk {
        /// Who.
        by: Color,
    },
    /// Ask whether a flag or the time for the first move has fallen.
    CheckFlag,
    /// Claim the game because the other has left.
    ClaimAbandonment {
        /// How long the other has been away, as the server knows.
        gone: Millis,
        /// What is claimed.
        claim: AbandonmentClaim,
    },
    /// Stop the clocks.
    Pause(Halt),
    /// Let the clocks count from now: after a pause by the server, a restart or an outage. What passed is not charged.
    /// Only an arbiter ends other pauses by this.
    Resume,
    /// The server was away since that moment: nobody pays for it. For games of days, whose moves are hours apart;
    /// `Resume` would give back all the time since the last event.
    CreditDowntime {
        /// The last moment at which the server is known to have been there.
        since: UnixMillis,
    },
    /// End a pause of this kind and no other: the weekend is over.
    EndPause(Halt),
    /// Go on leave (correspondence).
    TakeLeave,
    /// Come back from leave.
    EndLeave,
    /// The arbiter decides the game, or corrects or annuls its result.
    SetResult(Outcome),
    /// The arbiter sets the clocks.
    SetClocks(ByColor<Option<Millis>>),
    /// The arbiter lets a game that ended by mistake go on; the clocks stand until `Resume`. The end has shown the seed
    /// of a GMO game to everybody: it goes on with this one.
    Reopen(Option<Seed>),
}

/// What the one who stayed claims.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum AbandonmentClaim {
    /// The win.
    Win,
    /// A draw.
    Draw,
}
