//! What happened in a game: the log that is its truth.
//!
//! One event is one line on the disk, so the names are short. They are stable: old logs must stay readable.

use serde::{Deserialize, Serialize};

use crate::clock::Halt;
use crate::gmo::Seed;
use crate::outcome::Outcome;
use crate::position::{Action, Army, Fate};
use crate::units::{ByColor, Color, Millis, Ply, UnixMillis};

/// One thing that happened. JSON: `{"t":"m","a":"e2e4","at":1700000000000,"l":299000}`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "t", rename_all = "snake_case")]
pub enum Event {
    /// A side acted.
    #[serde(rename = "m")]
    Played {
        /// What it did.
        #[serde(rename = "a")]
        action: Action,
        /// When.
        at: UnixMillis,
        /// What the side has on its clock after it, increment included; none without a clock.
        #[serde(rename = "l", default, skip_serializing_if = "Option::is_none")]
        left: Option<Millis>,
        /// Network time that was not charged.
        #[serde(default, skip_serializing_if = "is_zero")]
        lag: Millis,
        /// Automatic passes that followed (Defender). They follow from the position; the number is for readers.
        #[serde(rename = "auto", default, skip_serializing_if = "is_none")]
        passes: u8,
        /// What chance or a new genome added (GMO).
        #[serde(rename = "g", default, skip_serializing_if = "Option::is_none")]
        fate: Option<Box<Fate>>,
    },
    /// GMO: a side handed in its army. Not for the other side's eyes before the start.
    HandedIn {
        /// Who.
        by: Color,
        /// What.
        army: Box<Army>,
        /// When.
        at: UnixMillis,
    },
    /// GMO: both armies are there, White's clock runs.
    Started {
        /// When.
        at: UnixMillis,
    },
    /// A draw was offered.
    DrawOffered {
        /// By whom.
        by: Color,
        /// When.
        at: UnixMillis,
    },
    /// The offered draw was declined.
    DrawDeclined {
        /// By whom.
        by: Color,
        /// When.
        at: UnixMillis,
    },
    /// A takeback was asked for.
    TakebackOffered {
        /// By whom.
        by: Color,
        /// The ply the game would go back to.
        to: Ply,
        /// When.
        at: UnixMillis,
    },
    /// It was not allowed.
    TakebackDeclined {
        /// By whom.
        by: Color,
        /// When.
        at: UnixMillis,
    },
    /// The game went back.
    TakenBack {
        /// The ply it is at now.
        to: Ply,
        /// The clocks as they were then.
        left: ByColor<Option<Millis>>,
        /// When.
        at: UnixMillis,
    },
    /// A side asks to adjourn the game, or to go on with it.
    AdjournmentOffered {
        /// Who.
        by: Color,
        /// When.
        at: UnixMillis,
    },
    /// The other did not agree.
    AdjournmentDeclined {
        /// Who did not.
        by: Color,
        /// When.
        at: UnixMillis,
    },
    /// A side got time.
    TimeAdded {
        /// Who got it.
        to: Color,
        /// How much; negative if the arbiter took it.
        time: Millis,
        /// When.
        at: UnixMillis,
    },
    /// A side gave time away, and whatever its moves would earn or spare.
    Berserked {
        /// Who.
        by: Color,
        /// How much time.
        time: Millis,
        /// When.
        at: UnixMillis,
    },
    /// The clocks were stopped.
    Paused {
        /// Why.
        why: Halt,
        /// When.
        at: UnixMillis,
    },
    /// The clocks run again; the time since the last event is not charged.
    Resumed {
        /// When.
        at: UnixMillis,
    },
    /// The server was away: nobody pays for that time, but for what was used before it.
    DowntimeCredited {
        /// Since when it was away.
        since: UnixMillis,
        /// When it was back.
        at: UnixMillis,
    },
    /// A side went on leave.
    LeaveTaken {
        /// Who.
        by: Color,
        /// When.
        at: UnixMillis,
    },
    /// A side came back from leave.
    LeaveEnded {
        /// Who.
        by: Color,
        /// When.
        at: UnixMillis,
    },
    /// The arbiter set the clocks.
    ClocksSet {
        /// To what.
        left: ByColor<Option<Millis>>,
        /// When.
        at: UnixMillis,
    },
    /// The game ended, or its result was corrected.
    Ended {
        /// How.
        outcome: Outcome,
        /// When.
        at: UnixMillis,
    },
    /// A game that had ended goes on, its clocks standing.
    Reopened {
        /// GMO: where chance comes from afterwards, as the seed of before is known.
        #[serde(default, with = "super::seed", skip_serializing_if = "Option::is_none")]
        seed: Option<Seed>,
        /// When.
        at: UnixMillis,
    },
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde hands a reference")]
fn is_zero(span: &Millis) -> bool {
    *span == Millis::ZERO
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde hands a reference")]
fn is_none(passes: &u8) -> bool {
    *passes == 0
}

impl Event {
    /// When it happened.
    pub fn at(&self) -> UnixMillis {
        match *self {
            Event::Played { at, .. }
            | Event::HandedIn { at, .. }
            | Event::Started { at }
            | Event::DrawOffered { at, .. }
            | Event::DrawDeclined { at, .. }
            | Event::TakebackOffered { at, .. }
            | Event::TakebackDeclined { at, .. }
            | Event::TakenBack { at, .. }
            | Event::AdjournmentOffered { at, .. }
            | Event::AdjournmentDeclined { at, .. }
            | Event::TimeAdded { at, .. }
            | Event::Berserked { at, .. }
            | Event::Paused { at, .. }
            | Event::Resumed { at }
            | Event::DowntimeCredited { at, .. }
            | Event::LeaveTaken { at, .. }
            | Event::LeaveEnded { at, .. }
            | Event::ClocksSet { at, .. }
            | Event::Ended { at, .. }
            | Event::Reopened { at, .. } => at,
        }
    }
}
