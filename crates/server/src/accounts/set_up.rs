//! The first set-up: a one-time link that names the club and makes its first administrator.

use store::{NewPlayer, PlayerState, StoreError};

use super::preferences::Preferences;
use super::sign_up::name_taken;
use super::wire::ClubSetup;
use super::{AccountError, Accounts, Device, Token, Visitor, hex};

impl Accounts {
    /// Makes the token of the one-time set-up link, unless the club is set up. An older link ends.
    pub async fn new_setup_token(&self) -> Result<Option<String>, StoreError> {
        if self.0.store.setting("club_name").await?.is_some() {
            return Ok(None);
        }
        let token = Token::draw(&self.0.world.chance);
        self.0.store.set_setting("setup_token", hex(&token.hash().0)).await?;
        Ok(Some(token.into_text()))
    }

    /// Names the club, signs the visitor up and makes them its administrator.
    pub(crate) async fn set_up(
        &self,
        visitor: &Visitor,
        device: Device,
        form: &ClubSetup,
    ) -> Result<Token, AccountError> {
        let club_name = form.club_name.trim();
        check_club_name(club_name)?;
        let expected = self.0.store.setting("setup_token").await?;
        let given = Token::from_text(&form.token).map(|token| hex(&token.hash().0));
        // Hashes are compared, so the time it takes tells nothing about the token.
        if given.is_none() || given != expected || self.policy().await?.club_name.is_some() {
            return Err(AccountError::BadSetupToken);
        }
        let mut problems: Vec<_> = self.name_problem(&form.name).await?.into_iter().collect();
        let context = [club_name, form.name.as_str()];
        problems.extend(self.password_problem("password", &form.password, &context));
        if !problems.is_empty() {
            return Err(AccountError::Fields(problems));
        }
        let id = self.id_for(visitor);
        let player = NewPlayer {
            name: form.name.clone(),
            email: None,
            password: Some(self.hash_password(&form.password).await?),
            must_change_password: false,
            state: PlayerState::Active,
            is_bot: false,
            group_name: None,
            initial_rating: self.0.config.initial_rating,
            preferences: Preferences::default().to_stored(),
        };
        match self.0.store.set_up_club(club_name.to_owned(), id, player, self.now()).await {
            Err(StoreError::Conflict) if self.policy().await?.club_name.is_none() => {
                return Err(name_taken());
            }
            Err(StoreError::Conflict) => return Err(AccountError::BadSetupToken),
            other => other?,
        }
        self.begin_session(id, visitor, device).await
    }
}

/// A club has a name that fits a line and has nothing in it that cannot be seen.
pub(crate) fn check_club_name(name: &str) -> Result<(), AccountError> {
    let is_good =
        !name.is_empty() && name.chars().count() <= 60 && !name.chars().any(char::is_control);
    if is_good { Ok(()) } else { Err(AccountError::BadClubName) }
}
