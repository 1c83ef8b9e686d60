//! A forgotten password: the link by mail or from an administrator, and the new password.

use store::{AccountId, PasswordChange, PlayerState, Purpose, StoreError};

use super::sign_up::LINK_VALID_FOR;
use super::wire::FinishReset;
use super::{AccountError, Accounts, DAY, Token, Visitor};
use crate::mail::MailKind;

/// How long the QR code on a printed card works, unless a password is chosen before.
const CARD_VALID_FOR: i64 = 30 * DAY;
/// How long a link from an administrator works.
const HANDED_LINK_VALID_FOR: i64 = DAY;

impl Accounts {
    /// Sends a reset link, if there is anybody to send it to; the answer is the same if not.
    pub(crate) fn request_reset(
        &self,
        visitor: &Visitor,
        name_or_email: String,
        captcha: Option<&str>,
    ) -> Result<(), AccountError> {
        self.limit("reset", visitor.address)?;
        self.check_captcha(visitor.address, captcha)?;
        let accounts = self.clone();
        let address = visitor.address;
        // Beside the answer: how long it takes must not tell whether there is anybody.
        tokio::spawn(async move {
            let attempt = accounts.attempt("reset mail", name_or_email.trim(), address);
            if accounts.0.throttle.check(&attempt).is_err() {
                return;
            }
            accounts.0.throttle.count(&attempt);
            if let Err(error) = accounts.send_reset(name_or_email.trim()).await {
                tracing::warn!(%error, "a reset link could not be sent");
            }
        });
        Ok(())
    }

    async fn send_reset(&self, name_or_email: &str) -> Result<(), AccountError> {
        let player = self.0.store.find_player(name_or_email).await?;
        let player = player.filter(|player| player.state == PlayerState::Active);
        let Some(player) = player.filter(|_| self.0.mail.is_configured()) else { return Ok(()) };
        if player.email.is_none() {
            return Ok(());
        }
        let token = self.new_token(player.id, Purpose::PasswordReset, None, LINK_VALID_FOR).await?;
        let url = self.link("reset", &token);
        self.tell(player.email.as_deref(), MailKind::PasswordReset { name: player.name, url })
            .await;
        Ok(())
    }

    /// The token of a reset link that an administrator or teacher hands out, and when it ends.
    pub async fn new_reset_link_token(
        &self,
        id: AccountId,
    ) -> Result<(String, rules::UnixMillis), AccountError> {
        let expires_at = self.later(HANDED_LINK_VALID_FOR);
        let token = self.new_token(id, Purpose::PasswordReset, None, HANDED_LINK_VALID_FOR).await?;
        Ok((token, expires_at))
    }

    /// The token of the QR code on a printed card.
    pub async fn new_card_token(&self, id: AccountId) -> Result<String, AccountError> {
        self.new_token(id, Purpose::Card, None, CARD_VALID_FOR).await
    }

    /// Sets a new password by a reset link. The second factor is asked for all the same; all sessions end.
    pub(crate) async fn finish_reset(
        &self,
        visitor: &Visitor,
        form: &FinishReset,
    ) -> Result<(), AccountError> {
        let token = Token::from_text(&form.token).ok_or(AccountError::BadToken)?.hash();
        let found =
            self.0.store.find_one_time_token(token, Purpose::PasswordReset, self.now()).await?;
        let (id, _) = found.ok_or(AccountError::BadToken)?;
        let player = self.0.store.load_player(id).await?;
        let policy = self.policy().await?;
        let context: Vec<&str> =
            [policy.club_name.as_deref(), Some(&player.name), player.email.as_deref()]
                .into_iter()
                .flatten()
                .collect();
        if let Some(problem) = self.password_problem("password", &form.password, &context) {
            return Err(AccountError::Fields(vec![problem]));
        }
        if player.second_factor().is_some() {
            let code = form.code.as_deref().filter(|code| !code.trim().is_empty());
            let code = code.ok_or(AccountError::SecondFactorRequired)?;
            self.check_code(&player, code, visitor.address).await?;
        }
        let change = PasswordChange {
            password: self.hash_password(&form.password).await?,
            must_change: false,
            keep: None,
            by_token: Some(token),
            actor: Some(id),
        };
        match self.0.store.set_password(id, change, self.now()).await {
            Err(StoreError::NotFound) => return Err(AccountError::BadToken),
            other => other?,
        }
        self.0.live.close_account(id);
        self.tell(player.email.as_deref(), MailKind::PasswordChanged { name: player.name }).await;
        Ok(())
    }
}
