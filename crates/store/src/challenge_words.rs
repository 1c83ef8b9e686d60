//! How a challenge is written in its row, and read back.

use rules::{Color, UnixMillis};

use crate::StoreError;
use crate::accounts::Account;
use crate::challenges::{Challenge, ChallengeKind, ChallengeState, DeclineReason};
use crate::games::parse_id;

/// The columns of a challenge and of the accounts in it.
#[derive(sqlx::FromRow)]
pub(crate) struct Columns {
    id: String,
    kind: String,
    color: String,
    setup: String,
    rated: i64,
    state: String,
    reason: Option<String>,
    lowest_rating: Option<i64>,
    highest_rating: Option<i64>,
    rematch_of: Option<String>,
    created_at: i64,
    expires_at: Option<i64>,
    private: i64,
    challenger_id: String,
    challenger_kind: String,
    challenger_name: String,
    asked_id: Option<String>,
    asked_kind: Option<String>,
    asked_name: Option<String>,
}

impl TryFrom<Columns> for Challenge {
    type Error = StoreError;
    fn try_from(row: Columns) -> Result<Challenge, StoreError> {
        let challenger =
            Account::from_columns(&row.challenger_id, &row.challenger_kind, row.challenger_name)?;
        let asked = match (row.asked_id, row.asked_kind, row.asked_name) {
            (Some(id), Some(kind), Some(name)) => Some(Account::from_columns(&id, &kind, name)?),
            _ => None,
        };
        let kind = match (row.kind.as_str(), asked, row.rematch_of) {
            ("link", ..) => ChallengeKind::Link,
            ("direct", Some(asked), _) => ChallengeKind::Direct { asked },
            ("seek", ..) => {
                ChallengeKind::Seek { lowest: row.lowest_rating, highest: row.highest_rating }
            }
            ("rematch", _, Some(of)) => ChallengeKind::Rematch { of: parse_id(&of)? },
            (other, ..) => {
                return Err(StoreError::Damaged(format!("{other:?} is no kind of challenge")));
            }
        };
        let state = match row.state.as_str() {
            "open" => ChallengeState::Open,
            "accepted" => ChallengeState::Accepted,
            "cancelled" => ChallengeState::Cancelled,
            "declined" => {
                ChallengeState::Declined(DeclineReason::read(row.reason.as_deref().unwrap_or("")))
            }
            "expired" => ChallengeState::Expired,
            other => {
                return Err(StoreError::Damaged(format!("{other:?} is no state of a challenge")));
            }
        };
        Ok(Challenge {
            id: parse_id(&row.id)?,
            kind,
            challenger,
            color: match row.color.as_str() {
                "white" => Some(Color::White),
                "black" => Some(Color::Black),
                _ => None,
            },
            setup: serde_json::from_str(&row.setup)?,
            rated: row.rated != 0,
            private: row.private != 0,
            state,
            created_at: UnixMillis(row.created_at),
            expires_at: row.expires_at.map(UnixMillis),
        })
    }
}

impl ChallengeKind {
    pub(crate) fn as_str(&self) -> &'static str {
        match self {
            ChallengeKind::Link => "link",
            ChallengeKind::Direct { .. } => "direct",
            ChallengeKind::Seek { .. } => "seek",
            ChallengeKind::Rematch { .. } => "rematch",
        }
    }
}

impl DeclineReason {
    const ALL: [DeclineReason; 8] = [
        DeclineReason::Later,
        DeclineReason::Generic,
        DeclineReason::TooFast,
        DeclineReason::TooSlow,
        DeclineReason::Rated,
        DeclineReason::Casual,
        DeclineReason::OtherVariant,
        DeclineReason::NotBots,
    ];

    pub(crate) fn as_str(self) -> &'static str {
        match self {
            DeclineReason::Later => "later",
            DeclineReason::Generic => "generic",
            DeclineReason::TooFast => "too_fast",
            DeclineReason::TooSlow => "too_slow",
            DeclineReason::Rated => "rated",
            DeclineReason::Casual => "casual",
            DeclineReason::OtherVariant => "other_variant",
            DeclineReason::NotBots => "not_bots",
        }
    }

    /// A reason of a later version is no reason we know.
    fn read(text: &str) -> DeclineReason {
        let known = DeclineReason::ALL.into_iter().find(|reason| reason.as_str() == text);
        known.unwrap_or(DeclineReason::Generic)
    }
}

pub(crate) fn color_text(color: Option<Color>) -> &'static str {
    match color {
        Some(Color::White) => "white",
        Some(Color::Black) => "black",
        None => "random",
    }
}
