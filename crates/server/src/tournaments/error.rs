//! Why something could not be done with an event.

use axum::http::StatusCode;
use store::StoreError;

use super::event::Refused;
use crate::accounts::AccountError;
use crate::games::GameError;
use crate::http::ApiError;

/// Why something could not be done with an event.
#[derive(Debug, Clone, thiserror::Error)]
pub enum TournamentError {
    /// There is no such event, or not for this visitor.
    #[error("there is no such event")]
    Unknown,
    /// Only for those who run it.
    #[error("only those who run the event may do this")]
    NotStaff,
    /// No code of a table, and no seat at it.
    #[error("scan the code on your table, or log in as the player who sits there")]
    NotAtThisTable,
    /// Nobody judges a game of their own.
    #[error("you play in this game: another arbiter has to decide")]
    OwnGame,
    /// No player of this name.
    #[error("there is no player of this name")]
    UnknownPlayer,
    /// No members of these names; nobody was entered.
    #[error("nobody here has this name: {0}")]
    UnknownNames(String),
    /// No such line in the room.
    #[error("there is no such line")]
    NoSuchLine,
    /// The action cannot be taken back.
    #[error("this cannot be taken back")]
    NoUndo,
    /// A file that cannot be read.
    #[error("{0}")]
    BadFile(String),
    /// The event says no.
    #[error(transparent)]
    Refused(#[from] Refused),
    /// A game could not begin.
    #[error(transparent)]
    Game(#[from] GameError),
    /// The store said no.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl From<TournamentError> for ApiError {
    fn from(error: TournamentError) -> ApiError {
        let (status, code) = match &error {
            TournamentError::Store(error) => return error.clone().into(),
            TournamentError::Game(error) => return error.clone().into(),
            TournamentError::Refused(Refused::Fields(fields)) => {
                return AccountError::Fields(fields.clone()).into();
            }
            TournamentError::Refused(refused) => (status_of(refused), refused.code()),
            TournamentError::Unknown => (StatusCode::NOT_FOUND, "unknown_event"),
            TournamentError::UnknownPlayer | TournamentError::UnknownNames(_) => {
                (StatusCode::NOT_FOUND, "unknown_player")
            }
            TournamentError::NoSuchLine => (StatusCode::NOT_FOUND, "unknown_line"),
            TournamentError::NotStaff => (StatusCode::FORBIDDEN, "not_staff"),
            TournamentError::NotAtThisTable => (StatusCode::FORBIDDEN, "not_at_this_table"),
            TournamentError::OwnGame => (StatusCode::FORBIDDEN, "own_game"),
            TournamentError::NoUndo => (StatusCode::CONFLICT, "no_undo"),
            TournamentError::BadFile(_) => (StatusCode::UNPROCESSABLE_ENTITY, "bad_file"),
        };
        ApiError::new(status, code, error.to_string())
    }
}

fn status_of(refused: &Refused) -> StatusCode {
    match refused {
        Refused::UnknownPlayer(_) | Refused::UnknownBoard => StatusCode::NOT_FOUND,
        Refused::NotEligible(_)
        | Refused::StaffEntersResults
        | Refused::Barred(_)
        | Refused::SameDevice
        | Refused::NoBots(_)
        | Refused::DirectorWithdraws => StatusCode::FORBIDDEN,
        Refused::BadName | Refused::UnusualResult => StatusCode::UNPROCESSABLE_ENTITY,
        _ => StatusCode::CONFLICT,
    }
}
