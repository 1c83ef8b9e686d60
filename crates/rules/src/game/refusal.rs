//! Why a game says no, and why a log is no game.

use crate::position::{Action, ArmyError, Illegal};
use crate::units::{Millis, Ply};

use super::SetupError;

/// Why a game refused what was asked of it. The game is unchanged.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// Nothing can be asked of a finished game any more.
    #[error("the game is over")]
    GameOver,
    /// Only an arbiter can ask this, and only after the end.
    #[error("the game is not over")]
    NotOver,
    /// The other side is to act.
    #[error("it is not your turn")]
    NotYourTurn,
    /// The move was made for an earlier position.
    #[error("the game is at ply {now}, this move was made for ply {sent}")]
    StalePly {
        /// The ply the move was made for.
        sent: Ply,
        /// Where the game is.
        now: Ply,
    },
    /// The move was made for a position that is not there yet.
    #[error("the game is only at ply {now}, this move was made for ply {sent}")]
    FuturePly {
        /// The ply the move was made for.
        sent: Ply,
        /// Where the game is.
        now: Ply,
    },
    /// The rules of the variant do not allow it.
    #[error(transparent)]
    Illegal(#[from] Illegal),
    /// The army of a GMO player is not good.
    #[error(transparent)]
    Army(#[from] ArmyError),
    /// A move of GMO that needs chance cannot be made without the seed.
    #[error("this game was restored without its seed and can only be looked at")]
    NoSeed,
    /// Whoever asks has no right to this.
    #[error("you may not do this in this game")]
    NotAllowed,
    /// The rule set of the game does not have this.
    #[error("the rules of this game do not allow this")]
    AgainstRules,
    /// Draws may not be offered yet.
    #[error("draws may be offered from ply {from} on")]
    TooEarly {
        /// From when on.
        from: Ply,
    },
    /// Both sides have acted: the game can be resigned, not aborted.
    #[error("it is too late to abort the game")]
    TooLateToAbort,
    /// The same offer is still open, or was made since the last own move.
    #[error("you have already offered this; make a move first")]
    AlreadyOffered,
    /// There is nothing to accept or decline.
    #[error("there is no such offer")]
    NoOffer,
    /// The position allows no claim.
    #[error("there is no draw to claim here")]
    NothingToClaim,
    /// There is no move to take back.
    #[error("there is no move to take back")]
    NothingToTakeBack,
    /// The side has no clock.
    #[error("there is no clock to set")]
    NoClock,
    /// The flag has not fallen.
    #[error("no flag has fallen")]
    FlagNotFallen,
    /// The other side is still there.
    #[error("the game can be claimed after {after}")]
    NotAbandoned {
        /// How long the other must be away.
        after: Millis,
    },
    /// The game stands still.
    #[error("the game is paused")]
    Paused,
    /// There is no such pause to end.
    #[error("the game is not paused like this")]
    NotPaused,
    /// There is no leave left, or the side is away already.
    #[error("no leave can be taken")]
    NoLeave,
    /// The side is not on leave.
    #[error("you are not on leave")]
    NotOnLeave,
    /// Nothing is left to play in this position.
    #[error("the position itself ended the game")]
    PositionIsOver,
}

impl Refusal {
    /// Stable code for programs.
    pub const fn code(&self) -> &'static str {
        match self {
            Refusal::GameOver => "game_over",
            Refusal::NotOver => "not_over",
            Refusal::NotYourTurn => "not_your_turn",
            Refusal::StalePly { .. } => "stale_ply",
            Refusal::FuturePly { .. } => "future_ply",
            Refusal::Illegal(illegal) => illegal.code(),
            Refusal::Army(error) => error.code(),
            Refusal::NoSeed => "no_seed",
            Refusal::NotAllowed => "not_allowed",
            Refusal::AgainstRules => "against_rules",
            Refusal::TooEarly { .. } => "too_early",
            Refusal::TooLateToAbort => "too_late_to_abort",
            Refusal::AlreadyOffered => "already_offered",
            Refusal::NoOffer => "no_offer",
            Refusal::NothingToClaim => "nothing_to_claim",
            Refusal::NothingToTakeBack => "nothing_to_take_back",
            Refusal::NoClock => "no_clock",
            Refusal::FlagNotFallen => "flag_not_fallen",
            Refusal::NotAbandoned { .. } => "not_abandoned",
            Refusal::Paused => "paused",
            Refusal::NotPaused => "not_paused",
            Refusal::NoLeave => "no_leave",
            Refusal::NotOnLeave => "not_on_leave",
            Refusal::PositionIsOver => "position_is_over",
        }
    }
}

/// Why a list of events is not the log of a game.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Corrupt {
    /// The game could not even begin.
    #[error("the set-up is not playable: {0}")]
    Setup(#[from] SetupError),
    /// An action that is not legal where it stands.
    #[error("{action} is not legal at ply {ply}")]
    Illegal {
        /// Where.
        ply: Ply,
        /// What.
        action: Action,
    },
    /// Something happened after the end, or an end was undone that had not come.
    #[error("an event does not fit the state of the game at ply {ply}")]
    Misplaced {
        /// Where.
        ply: Ply,
    },
    /// A takeback to a ply that was never reached.
    #[error("the game cannot go back to ply {to} from ply {ply}")]
    Takeback {
        /// Where the game was.
        ply: Ply,
        /// Where it should go.
        to: Ply,
    },
}
