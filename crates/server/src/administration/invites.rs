//! Invitations: links by which people may sign up.

use rules::UnixMillis;
use store::{AccountId, Invite, InviteId, StoreError};

use super::{Administration, AdministrationError, DAY};
use crate::accounts::Token;

impl Administration {
    /// Makes an invitation; gives its token, which is shown once.
    pub async fn invite(
        &self,
        by: AccountId,
        days: i64,
        uses: i64,
    ) -> Result<(Invite, String), AdministrationError> {
        if !(1..=365).contains(&days) {
            return Err(AdministrationError::field("days", "bad_days", "1 to 365 days"));
        }
        if !(1..=1_000).contains(&uses) {
            return Err(AdministrationError::field("uses", "bad_uses", "for 1 to 1000 people"));
        }
        let (now, chance) = (self.now(), &self.0.world.chance);
        let token = Token::draw(chance);
        let invite = Invite {
            id: InviteId::from_bits(chance.bits()),
            uses_left: uses,
            created_at: now,
            expires_at: UnixMillis(now.0 + days * DAY),
        };
        self.0.store.create_invite(invite.clone(), token.hash(), by).await?;
        Ok((invite, token.into_text()))
    }

    /// The invitations that can still be used.
    pub async fn invites(&self) -> Result<Vec<Invite>, AdministrationError> {
        Ok(self.0.store.load_invites(self.now()).await?)
    }

    /// Takes an invitation back.
    pub async fn withdraw_invite(
        &self,
        by: AccountId,
        id: InviteId,
    ) -> Result<(), AdministrationError> {
        match self.0.store.delete_invite(id, by, self.now()).await {
            Err(StoreError::NotFound) => Err(AdministrationError::Unknown),
            other => Ok(other?),
        }
    }
}
