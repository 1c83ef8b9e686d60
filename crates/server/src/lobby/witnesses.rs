//! Who may know of a challenge. The game of a private one is nobody else's business, and so is what led to it.

use rules::Color;
use store::{AccountId, Challenge, ChallengeKind, ChallengeState, GameId, Sight};

use super::error::LobbyError;
use super::hall::Hall;

/// Who may know of a challenge.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Witnesses {
    /// Everybody, or whoever has the link.
    All,
    /// These, and arbiters.
    Only(Vec<AccountId>),
}

impl Witnesses {
    pub(super) fn include(&self, sight: Sight) -> bool {
        match (self, sight) {
            (Witnesses::All, _) | (_, Sight::Arbiter(_)) => true,
            (Witnesses::Only(those), sight) => {
                sight.account().is_some_and(|account| those.contains(&account))
            }
        }
    }
}

impl Hall {
    /// Who may know of this challenge now: of a private one whoever has its link until it is accepted, and those whom it
    /// concerns.
    pub(super) async fn witnesses(&self, challenge: &Challenge) -> Result<Witnesses, LobbyError> {
        let is_accepted = challenge.state == ChallengeState::Accepted;
        Ok(match &challenge.kind {
            _ if !challenge.private => Witnesses::All,
            ChallengeKind::Link | ChallengeKind::Seek { .. } if !is_accepted => Witnesses::All,
            ChallengeKind::Link | ChallengeKind::Seek { .. } => {
                self.players_of(challenge.id).await?
            }
            ChallengeKind::Direct { asked } => {
                Witnesses::Only(vec![challenge.challenger.id, asked.id])
            }
            ChallengeKind::Rematch { of } => self.players_of(*of).await?,
        })
    }

    async fn players_of(&self, game: GameId) -> Result<Witnesses, LobbyError> {
        let players = self.store.load_game(game).await?.players;
        Ok(Witnesses::Only(Color::ALL.map(|side| players[side].id).into()))
    }
}
