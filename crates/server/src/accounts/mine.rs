//! What players do with their own account: look at it, choose, change the password or the address, leave.

use store::{PasswordChange, Player, Purpose, StoreError};

use super::fields::FieldProblem;
use super::preferences::Preferences;
use super::proof::Proof;
use super::sign_up::{LINK_VALID_FOR, email_problem};
use super::wire::{AccountView, LastGameView, NewEmail, NewPassword};
use super::{AccountError, Accounts, Token, Visitor};
use crate::config::EmailPolicy;
use crate::gmo::LookKey;
use crate::mail::MailKind;

impl Accounts {
    /// The account as its owner sees it.
    pub(crate) async fn account_view(
        &self,
        visitor: &Visitor,
    ) -> Result<AccountView, AccountError> {
        let player = self.player_of(visitor).await?;
        let last_game = self.0.store.last_game_of(player.id).await?;
        Ok(AccountView {
            pending_email: self.0.store.pending_email(player.id, self.now()).await?,
            recovery_codes_left: self.recovery_codes_left(player.id).await?,
            email_verified: player.email_verified_at.is_some(),
            totp: player.second_factor().is_some(),
            pin: self.0.store.pin_state(player.id).await?.into(),
            preferences: Preferences::from_stored(&player.preferences),
            roles: visitor.roles.into(),
            created_at: player.created_at.0,
            changed_at: player.changed_at.0,
            current_login_at: player.current_login_at.map(|at| at.0),
            last_login_at: player.last_login_at.map(|at| at.0),
            must_change_password: player.must_change_password,
            initial_rating: player.initial_rating,
            last_game: last_game.map(|game| LastGameView {
                id: game.id.to_string(),
                position: LookKey::of_instance(&self.0.key).shown_text(game.position),
                outcome: game.outcome,
                ended_at: game.ended_at.0,
                played_white: game.white == player.id,
            }),
            name: player.name,
            email: player.email,
        })
    }

    /// Remembers what the player has chosen.
    pub(crate) async fn set_preferences(
        &self,
        visitor: &Visitor,
        preferences: Preferences,
    ) -> Result<(), AccountError> {
        let id = visitor.account_id().ok_or(AccountError::NoSession)?;
        Ok(self.0.store.set_preferences(id, preferences.to_stored(), self.now()).await?)
    }

    /// What is known about a player to everybody: no password is made of it.
    async fn context_of(&self, player: &Player) -> Result<Vec<String>, AccountError> {
        let policy = self.policy().await?;
        let known = [policy.club_name, Some(player.name.clone()), player.email.clone()];
        Ok(known.into_iter().flatten().collect())
    }

    /// Changes the password and ends the other sessions.
    ///
    /// Somebody who came by a printed card has not chosen a password yet and is not asked for the old one.
    pub(crate) async fn change_password(
        &self,
        visitor: &Visitor,
        form: &NewPassword,
    ) -> Result<(), AccountError> {
        let player = self.player_of(visitor).await?;
        let context = self.context_of(&player).await?;
        let context: Vec<&str> = context.iter().map(String::as_str).collect();
        let mut problem = self.password_problem("new_password", &form.new_password, &context);
        if form.old_password.as_deref() == Some(form.new_password.as_str()) {
            let detail = "this is the password you have now";
            problem = Some(FieldProblem::new("new_password", "password_unchanged", detail));
        }
        if let Some(problem) = problem {
            return Err(AccountError::Fields(vec![problem]));
        }
        match form.old_password.as_deref() {
            None if player.must_change_password => {}
            old => {
                let password = old.unwrap_or_default();
                let code = form.code.as_deref();
                self.prove(visitor, Proof { password, field: "old_password", code }).await?;
            }
        }
        let change = PasswordChange {
            password: self.hash_password(&form.new_password).await?,
            must_change: false,
            keep: visitor.token,
            by_token: None,
            actor: Some(player.id),
        };
        self.0.store.set_password(player.id, change, self.now()).await?;
        self.0.live.close_other_sessions(player.id, visitor.token);
        self.tell(player.email.as_deref(), MailKind::PasswordChanged { name: player.name }).await;
        Ok(())
    }

    /// Changes the address: at once without a mail server, otherwise once the new address has confirmed it.
    ///
    /// Says whether a mail is on its way. A taken address gets the same answer, and its owner a mail.
    pub(crate) async fn change_email(
        &self,
        visitor: &Visitor,
        form: &NewEmail,
    ) -> Result<bool, AccountError> {
        let email = Some(form.email.trim().to_owned()).filter(|email| !email.is_empty());
        let policy = self.policy().await?;
        let problem = match &email {
            Some(email) => email_problem(email),
            None if policy.email == EmailPolicy::Required => {
                Some(FieldProblem::new("email", "email_required", "an address is needed"))
            }
            None => None,
        };
        if let Some(problem) = problem {
            return Err(AccountError::Fields(vec![problem]));
        }
        let code = form.code.as_deref();
        let proof = Proof { password: &form.password, field: "password", code };
        let player = self.prove(visitor, proof).await?;
        match email {
            Some(email) if self.0.mail.is_configured() => {
                self.ask_new_address(&player, email).await?;
                Ok(true)
            }
            email => {
                let set =
                    self.0.store.set_email(player.id, email, None, Some(player.id), self.now());
                match set.await {
                    Err(StoreError::Conflict) => Err(email_taken()),
                    other => Ok(other.map(|()| false)?),
                }
            }
        }
    }

    async fn ask_new_address(&self, player: &Player, email: String) -> Result<(), AccountError> {
        let owner = self.0.store.find_player(&email).await?;
        // The link is made in any case: the account page shows the same whether the address is taken or not.
        let purpose = Purpose::EmailChange;
        let token = self.new_token(player.id, purpose, Some(email.clone()), LINK_VALID_FOR).await?;
        let kind = match owner.filter(|owner| owner.id != player.id) {
            Some(owner) => MailKind::SignUpWithKnownAddress {
                name: owner.name,
                url: format!("{}/log-in", self.0.public_url),
            },
            None => MailKind::EmailChange {
                name: player.name.clone(),
                url: self.link("confirm-email", &token),
            },
        };
        self.tell(Some(&email), kind).await;
        Ok(())
    }

    /// Confirms a new address by the link that was sent to it. The old one is told.
    pub(crate) async fn confirm_email(&self, token: &str) -> Result<(), AccountError> {
        let token = Token::from_text(token).ok_or(AccountError::BadToken)?.hash();
        let found =
            self.0.store.find_one_time_token(token, Purpose::EmailChange, self.now()).await?;
        let (id, email) = found.ok_or(AccountError::BadToken)?;
        let player = self.0.store.load_player(id).await?;
        match self.0.store.set_email(id, email, Some(token), Some(id), self.now()).await {
            Err(StoreError::Conflict) => return Err(email_taken()),
            Err(StoreError::NotFound) => return Err(AccountError::BadToken),
            other => other?,
        }
        self.tell(player.email.as_deref(), MailKind::EmailChanged { name: player.name }).await;
        Ok(())
    }

    /// Deletes the visitor's account.
    pub(crate) async fn delete_own(
        &self,
        visitor: &Visitor,
        proof: Proof<'_>,
    ) -> Result<(), AccountError> {
        let player = self.prove(visitor, proof).await?;
        self.delete_player(&player, player.id).await
    }

    /// Deletes a player: personal data goes at once, games stay under a neutral name, sockets close.
    pub async fn delete_player(
        &self,
        player: &Player,
        actor: store::AccountId,
    ) -> Result<(), AccountError> {
        match self.0.store.remove_player(player.id, Some(actor), self.now()).await {
            Err(StoreError::Conflict) => return Err(AccountError::LastAdministrator),
            other => other?,
        }
        self.0.live.close_account(player.id);
        let name = player.name.clone();
        self.tell(player.email.as_deref(), MailKind::AccountDeleted { name }).await;
        Ok(())
    }
}

fn email_taken() -> AccountError {
    AccountError::field("email", "email_taken", "there is an account with this address already")
}
