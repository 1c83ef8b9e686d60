//! Why a placement is not possible, in the order in which reasons are reported.

/// Why Defender refuses an action. The first reason in this order is reported.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, thiserror::Error)]
pub enum DefenderError {
    /// The other side is to act.
    #[error("it is not your turn")]
    NotYourTurn,
    /// A placement in phase two, or a chess move in phase one.
    #[error("this belongs to the other phase of the game")]
    WrongPhase,
    /// No such piece on the shelf.
    #[error("there is no such piece")]
    UnknownPiece,
    /// The piece costs more than there is.
    #[error("you do not have the points for this piece")]
    NoPoints,
    /// Not on the own first three ranks.
    #[error("pieces are placed on your first three ranks")]
    OutOfZone,
    /// Something stands there.
    #[error("the square is occupied")]
    Occupied,
    /// A pawn cannot stand on the own first rank.
    #[error("a pawn cannot stand on your first rank")]
    PawnFirstRank,
    /// Fifteen men and the king are the most.
    #[error("you already have fifteen men")]
    TooManyMen,
    /// The last free square of the zone is the king's.
    #[error("the last free square is kept for your king")]
    RoomForKing,
    /// Kings come when both sides have finished.
    #[error("kings are placed when both sides have finished")]
    KingTooEarly,
    /// It is time for the king and nothing else.
    #[error("you must place your king now")]
    KingRequired,
    /// The king would stand in check.
    #[error("the square is attacked")]
    KingAttacked,
    /// The piece would give check to a king that is already there.
    #[error("this would give check to the other king")]
    ChecksKing,
    /// The game has ended.
    #[error("the game is over")]
    GameOver,
}

impl DefenderError {
    /// Stable code for programs.
    pub const fn code(self) -> &'static str {
        match self {
            DefenderError::NotYourTurn => "D_NOT_YOUR_TURN",
            DefenderError::WrongPhase => "D_WRONG_PHASE",
            DefenderError::UnknownPiece => "D_UNKNOWN_PIECE",
            DefenderError::NoPoints => "D_NO_POINTS",
            DefenderError::OutOfZone => "D_OUT_OF_ZONE",
            DefenderError::Occupied => "D_OCCUPIED",
            DefenderError::PawnFirstRank => "D_PAWN_FIRST_RANK",
            DefenderError::TooManyMen => "D_TOO_MANY_MEN",
            DefenderError::RoomForKing => "D_ROOM_FOR_KING",
            DefenderError::KingTooEarly => "D_KING_TOO_EARLY",
            DefenderError::KingRequired => "D_KING_REQUIRED",
            DefenderError::KingAttacked => "D_KING_ATTACKED",
            DefenderError::ChecksKing => "D_CHECKS_KING",
            DefenderError::GameOver => "D_GAME_OVER",
        }
    }
}
