//! Errors as the API gives them: RFC 9457 problems with a stable `code`. The only place that knows status codes.

use axum::Json;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::{Deserialize, Serialize};
use store::StoreError;
use utoipa::ToSchema;

use crate::accounts::AccountError;
use crate::accounts::fields::FieldProblem;
use crate::administration::AdministrationError;
use crate::arbiter::ArbiterError;
use crate::connections::ConnectionError;
use crate::correspondence::CorrespondenceError;
use crate::defender::DefenderError;
use crate::games::GameError;
use crate::games::chat::ChatRefusal;
use crate::gmo::{Facts, GmoError};
use crate::library::LibraryError;
use crate::lobby::LobbyError;
use crate::mail::MailError;
use crate::one_computer::OneComputerError;
use crate::players::PlayersError;
use crate::push::PushError;
use crate::reminders::ReminderError;

/// A problem as RFC 9457 describes it.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct Problem {
    /// Always `about:blank`: `code` tells problems apart.
    pub r#type: String,
    /// The status in words.
    pub title: String,
    /// The status.
    pub status: u16,
    /// The reason, for programs. It does not change.
    pub code: String,
    /// The reason, for people.
    pub detail: String,
    /// What is wrong with which field; only where `code` is `invalid_fields`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub fields: Vec<FieldProblem>,
    /// What the rules of GMO tell of it.
    #[serde(flatten)]
    pub facts: Facts,
}

/// An error on its way out.
#[derive(Debug)]
pub struct ApiError {
    status: StatusCode,
    code: &'static str,
    detail: String,
    retry_after: Option<u32>,
    fields: Vec<FieldProblem>,
    /// Boxed: nearly no error has any.
    facts: Box<Facts>,
}

impl ApiError {
    /// Any error.
    pub(crate) fn new(
        status: StatusCode,
        code: &'static str,
        detail: impl Into<String>,
    ) -> ApiError {
        let (detail, facts) = (detail.into(), Box::default());
        ApiError { status, code, detail, retry_after: None, fields: Vec::new(), facts }
    }

    /// The reason for programs.
    pub(crate) fn code(&self) -> &'static str {
        self.code
    }

    /// The reason for people.
    pub(crate) fn detail(&self) -> &str {
        &self.detail
    }

    /// The request makes no sense.
    pub(crate) fn bad_request(code: &'static str, detail: impl Into<String>) -> ApiError {
        ApiError::new(StatusCode::BAD_REQUEST, code, detail)
    }

    /// Too often; try again after some seconds.
    pub(crate) fn too_many(seconds: u32) -> ApiError {
        let detail = format!("too many requests from your network; try again in {seconds} s");
        ApiError {
            retry_after: Some(seconds),
            ..ApiError::new(StatusCode::TOO_MANY_REQUESTS, "too_many_requests", detail)
        }
    }

    /// The key of a program is wrong, withdrawn or too old.
    pub(crate) fn bad_key() -> ApiError {
        ApiError::new(StatusCode::UNAUTHORIZED, "bad_key", "this key is not valid (any more)")
    }

    /// A fault of ours: logged here, once, and not explained to the outside.
    pub(crate) fn fault(error: &dyn std::fmt::Display) -> ApiError {
        tracing::error!(%error, "a request failed");
        ApiError::new(
            StatusCode::INTERNAL_SERVER_ERROR,
            "fault",
            "something went wrong on our side",
        )
    }
}

impl IntoResponse for ApiError {
    fn into_response(self) -> Response {
        // Whoever looks for an attack finds every refusal here, with the client's address from the request's span.
        if matches!(self.status.as_u16(), 401 | 403 | 429) {
            tracing::info!(code = self.code, "refused");
        }
        let problem = Problem {
            r#type: "about:blank".to_owned(),
            title: self.status.canonical_reason().unwrap_or("Error").to_owned(),
            status: self.status.as_u16(),
            code: self.code.to_owned(),
            detail: self.detail,
            fields: self.fields,
            facts: *self.facts,
        };
        let mut response = (self.status, Json(problem)).into_response();
        let headers = response.headers_mut();
        headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("application/problem+json"));
        if let Some(seconds) = self.retry_after {
            headers.insert(header::RETRY_AFTER, HeaderValue::from(seconds));
        }
        response
    }
}

impl From<StoreError> for ApiError {
    fn from(error: StoreError) -> Self {
        let status = match &error {
            StoreError::Conflict => StatusCode::CONFLICT,
            StoreError::NotFound => StatusCode::NOT_FOUND,
            StoreError::Away(_) | StoreError::Unknown(_) | StoreError::Stopped(_) => {
                StatusCode::SERVICE_UNAVAILABLE
            }
            _ => return ApiError::fault(&error),
        };
        let error = GameError::Store(error);
        ApiError::new(status, error.code(), error.to_string())
    }
}

impl From<GameError> for ApiError {
    fn from(error: GameError) -> Self {
        let status = match error {
            GameError::Store(error) => return error.into(),
            GameError::Fault(error) => return ApiError::fault(&error),
            GameError::Unknown | GameError::NobodyToMute => StatusCode::NOT_FOUND,
            GameError::NotYourGame
            | GameError::Hidden
            | GameError::AtOneComputer
            | GameError::Chat(ChatRefusal::NotYourRoom | ChatRefusal::Off) => StatusCode::FORBIDDEN,
            GameError::Chat(ChatRefusal::Flood) => StatusCode::TOO_MANY_REQUESTS,
            GameError::Chat(_) | GameError::Plan(_) => StatusCode::UNPROCESSABLE_ENTITY,
            GameError::Refused(_) | GameError::StillRunning | GameError::NoRematch => {
                StatusCode::CONFLICT
            }
            GameError::Draining => StatusCode::SERVICE_UNAVAILABLE,
        };
        let facts = match &error {
            GameError::Refused(refusal) => Box::new(Facts::of_refusal(refusal)),
            _ => Box::default(),
        };
        ApiError { facts, ..ApiError::new(status, error.code(), error.to_string()) }
    }
}

impl From<LobbyError> for ApiError {
    fn from(error: LobbyError) -> Self {
        let status = match &error {
            LobbyError::Game(error) => return error.clone().into(),
            LobbyError::Unknown | LobbyError::UnknownPlayer | LobbyError::NoBots => {
                StatusCode::NOT_FOUND
            }
            LobbyError::NotOpen | LobbyError::Own => StatusCode::CONFLICT,
            LobbyError::Time(_)
            | LobbyError::PrivateIsCasual
            | LobbyError::SeekIsPublic
            | LobbyError::Start(_)
            | LobbyError::NobodyAsked
            | LobbyError::NotRateable
            | LobbyError::BadMessage
            | LobbyError::BadRatingRange => StatusCode::UNPROCESSABLE_ENTITY,
            LobbyError::NotForYou
            | LobbyError::NotWelcome
            | LobbyError::GuestsPlayCasual
            | LobbyError::BotsPlayCasual
            | LobbyError::FairPlay
            | LobbyError::RatingOutOfRange => StatusCode::FORBIDDEN,
            LobbyError::TooMany | LobbyError::TooManyGames => StatusCode::TOO_MANY_REQUESTS,
        };
        ApiError::new(status, error.code(), error.to_string())
    }
}

impl From<OneComputerError> for ApiError {
    fn from(error: OneComputerError) -> Self {
        let (status, code) = match &error {
            OneComputerError::Account(error) => return error.clone().into(),
            OneComputerError::Terms(error) => return error.clone().into(),
            OneComputerError::BadName => (StatusCode::UNPROCESSABLE_ENTITY, "bad_name"),
            OneComputerError::MembersName(_) => (StatusCode::UNPROCESSABLE_ENTITY, "members_name"),
            OneComputerError::SamePerson => (StatusCode::UNPROCESSABLE_ENTITY, "same_person"),
            OneComputerError::NotForDays => (StatusCode::UNPROCESSABLE_ENTITY, "not_for_days"),
            OneComputerError::TooMany => (StatusCode::TOO_MANY_REQUESTS, "too_many_games"),
        };
        ApiError::new(status, code, error.to_string())
    }
}

impl From<CorrespondenceError> for ApiError {
    fn from(error: CorrespondenceError) -> Self {
        let (status, code) = match &error {
            CorrespondenceError::Game(error) => return error.clone().into(),
            CorrespondenceError::LongNote => (StatusCode::UNPROCESSABLE_ENTITY, "long_note"),
            CorrespondenceError::UnknownItem => (StatusCode::NOT_FOUND, "unknown_item"),
        };
        ApiError::new(status, code, error.to_string())
    }
}

impl From<PushError> for ApiError {
    fn from(error: PushError) -> Self {
        let (status, code) = match &error {
            PushError::Store(error) => return error.clone().into(),
            PushError::Off => (StatusCode::CONFLICT, "push_off"),
            PushError::BadEndpoint(_) => (StatusCode::UNPROCESSABLE_ENTITY, "bad_endpoint"),
            PushError::BadKeys => (StatusCode::UNPROCESSABLE_ENTITY, "bad_keys"),
        };
        ApiError::new(status, code, error.to_string())
    }
}

impl From<ReminderError> for ApiError {
    fn from(error: ReminderError) -> Self {
        let (status, code) = match &error {
            ReminderError::Store(error) => return error.clone().into(),
            ReminderError::Push(error) => return error.clone().into(),
            ReminderError::BadHour => (StatusCode::UNPROCESSABLE_ENTITY, "bad_hour"),
            ReminderError::BadLink => (StatusCode::NOT_FOUND, "bad_link"),
        };
        ApiError::new(status, code, error.to_string())
    }
}

impl From<ArbiterError> for ApiError {
    fn from(error: ArbiterError) -> Self {
        let (status, code) = match &error {
            ArbiterError::Game(error) => return error.clone().into(),
            ArbiterError::Event(error) => return error.clone().into(),
            ArbiterError::Reason => (StatusCode::UNPROCESSABLE_ENTITY, "no_reason"),
            ArbiterError::Remark => (StatusCode::UNPROCESSABLE_ENTITY, "bad_remark"),
            ArbiterError::CalledAlready => (StatusCode::CONFLICT, "called_already"),
            ArbiterError::NotYourGame => (StatusCode::FORBIDDEN, "not_your_game"),
            ArbiterError::Incomplete(_) => (StatusCode::UNPROCESSABLE_ENTITY, "incomplete_ruling"),
            ArbiterError::OwnGame => (StatusCode::FORBIDDEN, "own_game"),
            ArbiterError::NotArbiter => (StatusCode::FORBIDDEN, "forbidden"),
        };
        ApiError::new(status, code, error.to_string())
    }
}

impl From<DefenderError> for ApiError {
    fn from(error: DefenderError) -> Self {
        let status = match &error {
            DefenderError::Game(error) => return error.clone().into(),
            DefenderError::Store(error) => return error.clone().into(),
            DefenderError::UnknownPosition
            | DefenderError::UnknownAttempt
            | DefenderError::NoBots => StatusCode::NOT_FOUND,
            DefenderError::BadLevel
            | DefenderError::BadBudget
            | DefenderError::BadTime
            | DefenderError::BadPar
            | DefenderError::BadSetUp(_)
            | DefenderError::Board(_) => StatusCode::UNPROCESSABLE_ENTITY,
            DefenderError::SamePosition
            | DefenderError::BuiltIn
            | DefenderError::Tried
            | DefenderError::TooManyPositions => StatusCode::CONFLICT,
            DefenderError::TooManyGames => StatusCode::TOO_MANY_REQUESTS,
        };
        ApiError::new(status, error.code(), error.to_string())
    }
}

impl From<AccountError> for ApiError {
    fn from(error: AccountError) -> Self {
        let Some((status, code)) = error.status() else {
            return match error {
                AccountError::Store(error) => error.into(),
                other => ApiError::fault(&other),
            };
        };
        let retry_after = error.retry_after();
        let problem = ApiError::new(status, code, error.to_string());
        match error {
            AccountError::Fields(fields) => ApiError { fields, ..problem },
            _ => ApiError { retry_after, ..problem },
        }
    }
}

impl From<AdministrationError> for ApiError {
    fn from(error: AdministrationError) -> Self {
        let (status, code) = match &error {
            AdministrationError::Store(error) => return error.clone().into(),
            AdministrationError::Account(error) => return error.clone().into(),
            AdministrationError::Fields(fields) => {
                return AccountError::Fields(fields.clone()).into();
            }
            AdministrationError::UnknownUser => (StatusCode::NOT_FOUND, "unknown_user"),
            AdministrationError::Unknown => (StatusCode::NOT_FOUND, "unknown"),
            AdministrationError::LastAdministrator => (StatusCode::CONFLICT, "last_administrator"),
            AdministrationError::NotInYourCare => (StatusCode::FORBIDDEN, "not_in_your_care"),
            AdministrationError::NameTaken => (StatusCode::CONFLICT, "name_taken"),
        };
        ApiError::new(status, code, error.to_string())
    }
}

impl From<MailError> for ApiError {
    fn from(error: MailError) -> Self {
        let (status, code) = match &error {
            MailError::Store(error) => return error.clone().into(),
            MailError::Settings(error) => return ApiError::fault(error),
            MailError::NotConfigured => (StatusCode::CONFLICT, "no_mail_server"),
            MailError::BadAddress => (StatusCode::UNPROCESSABLE_ENTITY, "bad_address"),
            MailError::NotTaken(_) => (StatusCode::BAD_GATEWAY, "mail_not_taken"),
        };
        ApiError::new(status, code, error.to_string())
    }
}

impl From<LibraryError> for ApiError {
    fn from(error: LibraryError) -> Self {
        let (status, code) = match &error {
            LibraryError::Store(error) => return error.clone().into(),
            LibraryError::Index(_) | LibraryError::File(_) | LibraryError::Fault(_) => {
                return ApiError::fault(&error);
            }
            LibraryError::UnknownGame => (StatusCode::NOT_FOUND, "unknown_game"),
            LibraryError::UnknownImport => (StatusCode::NOT_FOUND, "unknown_import"),
            LibraryError::UnknownPlayer => (StatusCode::NOT_FOUND, "unknown_player"),
            LibraryError::NotLoggedIn => (StatusCode::UNAUTHORIZED, "not_logged_in"),
            LibraryError::BadPosition(_) => (StatusCode::UNPROCESSABLE_ENTITY, "bad_position"),
            LibraryError::BadMove => (StatusCode::UNPROCESSABLE_ENTITY, "illegal_move"),
            LibraryError::NoPgn => (StatusCode::UNPROCESSABLE_ENTITY, "no_pgn"),
            LibraryError::BadQuestion(_) => (StatusCode::BAD_REQUEST, "bad_query"),
            LibraryError::TooBig(_) => (StatusCode::PAYLOAD_TOO_LARGE, "too_big"),
            LibraryError::WrongOffset(_) => (StatusCode::CONFLICT, "wrong_offset"),
            LibraryError::NotUploading => (StatusCode::CONFLICT, "not_uploading"),
            LibraryError::TooManyImports => (StatusCode::TOO_MANY_REQUESTS, "too_many_imports"),
            LibraryError::TooManyToday(_) => {
                (StatusCode::TOO_MANY_REQUESTS, "too_many_imports_today")
            }
            LibraryError::Full(_) => (StatusCode::CONFLICT, "library_full"),
            LibraryError::TooSlow(_) => (StatusCode::UNPROCESSABLE_ENTITY, "too_slow"),
            LibraryError::BadFile(_) => (StatusCode::UNPROCESSABLE_ENTITY, "bad_file"),
            LibraryError::FairPlay => (StatusCode::FORBIDDEN, "fair_play"),
        };
        ApiError::new(status, code, error.to_string())
    }
}

impl From<ConnectionError> for ApiError {
    fn from(error: ConnectionError) -> Self {
        let (status, code) = match error {
            ConnectionError::Store(error) => return error.into(),
            ConnectionError::Library(error) => return error.into(),
            ConnectionError::Off => (StatusCode::CONFLICT, "connections_off"),
            ConnectionError::Unknown => (StatusCode::NOT_FOUND, "unknown_connection"),
            ConnectionError::BadName => (StatusCode::UNPROCESSABLE_ENTITY, "bad_name"),
            ConnectionError::BadToken => (StatusCode::UNPROCESSABLE_ENTITY, "bad_token"),
            ConnectionError::NoTokens => (StatusCode::UNPROCESSABLE_ENTITY, "no_tokens"),
            ConnectionError::Twice => (StatusCode::CONFLICT, "connected_twice"),
            ConnectionError::TooMany => (StatusCode::CONFLICT, "too_many_connections"),
            ConnectionError::Unproven => (StatusCode::CONFLICT, "unproven"),
        };
        ApiError::new(status, code, error.to_string())
    }
}

impl From<PlayersError> for ApiError {
    fn from(error: PlayersError) -> Self {
        let (status, code) = match &error {
            PlayersError::Store(error) => return error.clone().into(),
            PlayersError::Unknown => (StatusCode::NOT_FOUND, "unknown_player"),
            PlayersError::UnknownPool => (StatusCode::NOT_FOUND, "unknown_pool"),
            PlayersError::Own => (StatusCode::CONFLICT, "own_account"),
        };
        ApiError::new(status, code, error.to_string())
    }
}

impl From<GmoError> for ApiError {
    fn from(error: GmoError) -> Self {
        let status = match &error {
            GmoError::Store(error) => return error.clone().into(),
            GmoError::Game(error) => return error.clone().into(),
            GmoError::CodeFormat => StatusCode::BAD_REQUEST,
            GmoError::Private => StatusCode::FORBIDDEN,
            GmoError::NotFound | GmoError::NotGmo => StatusCode::NOT_FOUND,
            GmoError::TooLarge => StatusCode::PAYLOAD_TOO_LARGE,
            GmoError::LibraryFull { .. } | GmoError::InPreset { .. } => StatusCode::CONFLICT,
            GmoError::CodeMismatch
            | GmoError::Genome(_)
            | GmoError::Unexplained(_)
            | GmoError::Preset(_)
            | GmoError::Lab(_)
            | GmoError::Move(_) => StatusCode::UNPROCESSABLE_ENTITY,
            GmoError::TooManyToday { .. } => StatusCode::TOO_MANY_REQUESTS,
        };
        let facts = Box::new(Facts::of(&error));
        ApiError { facts, ..ApiError::new(status, error.code(), error.to_string()) }
    }
}
