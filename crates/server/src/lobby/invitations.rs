//! Invitations: challenges to one player, with a word, that may wait for days.

use store::{AccountId, Challenge};

use super::Lobby;
use super::error::LobbyError;
use super::hall::describe;
use super::wire::{ChallengeKindView, ChallengeView, NewChallenge};

/// How long an invitation or a seek for a slow game waits.
pub(super) const SLOW_LIFETIME: i64 = 14 * 86_400_000;
/// Letters of a message.
const LONGEST: usize = 500;

/// What goes with a challenge, if it is one to a single player.
pub(super) fn message(new: &NewChallenge) -> Result<Option<String>, LobbyError> {
    let text = new.message.as_deref().map(str::trim).filter(|text| !text.is_empty());
    let fits =
        |text: &str| new.kind == ChallengeKindView::Direct && text.chars().count() <= LONGEST;
    match text {
        None => Ok(None),
        Some(text) if fits(text) => Ok(Some(text.to_owned())),
        Some(_) => Err(LobbyError::BadMessage),
    }
}

impl Lobby {
    /// Challenges as one of their two players sees them.
    pub(crate) async fn describe_all(
        &self,
        account: AccountId,
        challenges: &[Challenge],
    ) -> Result<Vec<ChallengeView>, LobbyError> {
        let mut views = Vec::with_capacity(challenges.len());
        for challenge in challenges {
            let view = describe(&self.0.hall.games, challenge).await?;
            views.push(view.seen_by(Some(account)));
        }
        Ok(views)
    }

    /// Has somebody's pages look again at what concerns them.
    pub(crate) async fn tell_notices(&self, account: AccountId) {
        self.0.hall.notices.changed(account).await;
    }
}
