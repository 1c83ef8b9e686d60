//! Why an account could not be made, opened or changed.

use axum::http::StatusCode;
use store::StoreError;

use super::fields::FieldProblem;

/// Why an account could not be made, opened or changed.
#[derive(Debug, Clone, thiserror::Error)]
pub enum AccountError {
    /// Requests without a session cannot do this.
    #[error("open the page in a browser first: this needs its session cookie")]
    NoSession,
    /// The link of the first set-up is wrong or used up.
    #[error(
        "this set-up link is not valid (any more); the server prints a fresh one when it starts"
    )]
    BadSetupToken,
    /// The name of the club is empty or too long.
    #[error("a club's name has 1 to 60 characters")]
    BadClubName,
    /// Something in the form is wrong.
    #[error("please look at the marked fields")]
    Fields(Vec<FieldProblem>),
    /// Nobody can sign up.
    #[error("this club does not take sign-ups; ask its administrator for an account")]
    SignUpClosed,
    /// Only with an invitation.
    #[error(
        "this club takes sign-ups by invitation; the link you used is missing or no longer valid"
    )]
    InviteRequired,
    /// The name or the password is wrong; which one is nobody's business.
    #[error("the name or the password is wrong")]
    BadCredentials,
    /// The name or the PIN is wrong, or there is no PIN.
    #[error("the name or the PIN is wrong; after five wrong tries only the password helps")]
    BadPin,
    /// The PIN was wrong too often.
    #[error("this PIN was wrong too often: use the password")]
    PinLocked,
    /// The puzzle was not solved.
    #[error("please wait until your browser has shown that it is no robot, and try again")]
    CaptchaRequired,
    /// The address was not confirmed yet.
    #[error(
        "this account waits for its activation: use the link in the mail, or have it sent again"
    )]
    NotActivated,
    /// An administrator has closed the account.
    #[error("this account is deactivated; ask an administrator of the club")]
    Deactivated,
    /// The link or ticket is wrong, used up or too old.
    #[error("this link is not valid (any more); ask for a new one")]
    BadToken,
    /// The second factor is on and its code is missing.
    #[error("this needs the code of your second factor too")]
    SecondFactorRequired,
    /// The second factor is on already, or there is nothing to confirm.
    #[error("the second factor is not in the state for this; load the page again")]
    SecondFactorState,
    /// There is no such session of the one who asks.
    #[error("you have no such session (any more)")]
    UnknownSession,
    /// Too many failures.
    #[error("too many attempts; try again in {0} s")]
    TooManyAttempts(u32),
    /// Too many log-ins at once.
    #[error("many people log in at this moment; try again in a few seconds")]
    Busy,
    /// The club would have no administrator.
    #[error("you are the last administrator; make somebody else one first")]
    LastAdministrator,
    /// A fault of ours.
    #[error("{0}")]
    Fault(String),
    /// The store said no.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl AccountError {
    /// One field is wrong.
    pub(crate) fn field(field: &str, code: &str, detail: &str) -> AccountError {
        AccountError::Fields(vec![FieldProblem::new(field, code, detail)])
    }

    /// The status and the reason for programs; none for what other errors explain.
    pub(crate) fn status(&self) -> Option<(StatusCode, &'static str)> {
        Some(match self {
            AccountError::NoSession => (StatusCode::UNAUTHORIZED, "no_session"),
            AccountError::BadSetupToken => (StatusCode::FORBIDDEN, "bad_setup_token"),
            AccountError::BadClubName => (StatusCode::UNPROCESSABLE_ENTITY, "bad_club_name"),
            AccountError::Fields(_) => (StatusCode::UNPROCESSABLE_ENTITY, "invalid_fields"),
            AccountError::SignUpClosed => (StatusCode::FORBIDDEN, "sign_up_closed"),
            AccountError::InviteRequired => (StatusCode::FORBIDDEN, "invite_required"),
            AccountError::BadCredentials => (StatusCode::UNAUTHORIZED, "bad_credentials"),
            AccountError::BadPin => (StatusCode::UNAUTHORIZED, "bad_pin"),
            AccountError::PinLocked => (StatusCode::FORBIDDEN, "pin_locked"),
            AccountError::CaptchaRequired => (StatusCode::FORBIDDEN, "captcha_required"),
            AccountError::NotActivated => (StatusCode::FORBIDDEN, "not_activated"),
            AccountError::Deactivated => (StatusCode::FORBIDDEN, "deactivated"),
            AccountError::BadToken => (StatusCode::FORBIDDEN, "bad_token"),
            AccountError::SecondFactorRequired => (StatusCode::FORBIDDEN, "second_factor_required"),
            AccountError::SecondFactorState => (StatusCode::CONFLICT, "second_factor_state"),
            AccountError::UnknownSession => (StatusCode::NOT_FOUND, "unknown_session"),
            AccountError::TooManyAttempts(_) => {
                (StatusCode::TOO_MANY_REQUESTS, "too_many_attempts")
            }
            AccountError::Busy => (StatusCode::SERVICE_UNAVAILABLE, "busy"),
            AccountError::LastAdministrator => (StatusCode::CONFLICT, "last_administrator"),
            AccountError::Fault(_) | AccountError::Store(_) => return None,
        })
    }

    /// In how many seconds trying again makes sense.
    pub(crate) fn retry_after(&self) -> Option<u32> {
        match self {
            AccountError::TooManyAttempts(seconds) => Some(*seconds),
            AccountError::Busy => Some(3),
            _ => None,
        }
    }
}
