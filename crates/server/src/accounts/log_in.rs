//! Logging in: name and password, the second step, a printed card; and logging out.

use store::{Player, PlayerState, Purpose, StoreError};

use super::{AccountError, Accounts, Device, Token, Visitor};

/// How long somebody may take between the password and the code.
const SECOND_STEP_WITHIN: i64 = 5 * 60_000;

/// How a log-in goes on.
pub(crate) enum LoggedIn {
    /// This is the session.
    SignedIn(Token),
    /// The code is asked for next; the ticket shows that the password was right.
    SecondStep {
        /// The ticket.
        ticket: String,
    },
}

impl Accounts {
    /// Looks at name and password. Known or not, the answer and the work for it are the same.
    pub(crate) async fn log_in(
        &self,
        visitor: &Visitor,
        device: Device,
        name_or_email: &str,
        password: &str,
        captcha: Option<&str>,
    ) -> Result<LoggedIn, AccountError> {
        let player = self.0.store.find_player(name_or_email.trim()).await?;
        let account = player.as_ref().map(|player| player.id.to_string());
        let account = account.as_deref().unwrap_or(name_or_email.trim());
        let attempt = self.attempt("password", account, visitor.address);
        self.0.throttle.check(&attempt).map_err(AccountError::TooManyAttempts)?;
        if self.0.throttle.wants_captcha(&attempt) {
            self.check_captcha(visitor.address, captcha)?;
        }
        // Counted before the work: of many guesses at once each one counts.
        self.0.throttle.count(&attempt);
        let stored = player.as_ref().and_then(|player| player.password.as_deref());
        let is_right = self.0.hashing.verify(password, stored).await?;
        let Some(player) = player.filter(|_| is_right) else {
            return Err(AccountError::BadCredentials);
        };
        self.0.throttle.forgive(&attempt);
        may_log_in(&player)?;
        self.owner_is_there(&player).await?;
        self.upgrade_hash(&player, password).await;
        self.go_on(visitor, device, &player).await
    }

    /// Either the session begins, or the second factor is asked for.
    async fn go_on(
        &self,
        visitor: &Visitor,
        device: Device,
        player: &Player,
    ) -> Result<LoggedIn, AccountError> {
        if player.second_factor().is_none() {
            let token = self.begin_session(player.id, visitor, device).await?;
            return Ok(LoggedIn::SignedIn(token));
        }
        let ticket =
            self.new_token(player.id, Purpose::SecondStep, None, SECOND_STEP_WITHIN).await?;
        Ok(LoggedIn::SecondStep { ticket })
    }

    /// The second step: the code of the second factor, or a recovery code.
    pub(crate) async fn second_step(
        &self,
        visitor: &Visitor,
        device: Device,
        ticket: &str,
        code: &str,
    ) -> Result<Token, AccountError> {
        let ticket = Token::from_text(ticket).ok_or(AccountError::BadToken)?.hash();
        let found =
            self.0.store.find_one_time_token(ticket, Purpose::SecondStep, self.now()).await?;
        let (id, _) = found.ok_or(AccountError::BadToken)?;
        let player = self.0.store.load_player(id).await?;
        may_log_in(&player)?;
        self.check_code(&player, code, visitor.address).await?;
        match self.0.store.use_one_time_token(ticket, Purpose::SecondStep, self.now()).await {
            Err(StoreError::NotFound) => return Err(AccountError::BadToken),
            other => other?,
        }
        self.begin_session(id, visitor, device).await
    }

    /// Logs in with the QR code of a printed card. It works until the owner has chosen a password.
    pub(crate) async fn log_in_by_card(
        &self,
        visitor: &Visitor,
        device: Device,
        token: &str,
    ) -> Result<LoggedIn, AccountError> {
        let token = Token::from_text(token).ok_or(AccountError::BadToken)?.hash();
        let found = self.0.store.find_one_time_token(token, Purpose::Card, self.now()).await?;
        let (id, _) = found.ok_or(AccountError::BadToken)?;
        let player = self.0.store.load_player(id).await?;
        may_log_in(&player)?;
        self.go_on(visitor, device, &player).await
    }

    /// Ends the session and closes its sockets.
    pub(crate) async fn log_out(&self, visitor: &Visitor) -> Result<(), AccountError> {
        if let Some(token) = visitor.token {
            self.0.store.end_session(token).await?;
            self.close_session(Some(token));
        }
        Ok(())
    }

    /// Hashes the password again if its hash was made with other parameters than those in force.
    async fn upgrade_hash(&self, player: &Player, password: &str) {
        let Some(old) = player.password.clone().filter(|old| self.0.hashing.is_outdated(old))
        else {
            return;
        };
        let upgraded = match self.hash_password(password).await {
            Ok(new) => self.0.store.rehash_password(player.id, old, new).await.map_err(Into::into),
            Err(error) => Err(error),
        };
        if let Err(error) = upgraded {
            tracing::warn!(%error, "a password's hash could not be brought up to date");
        }
    }
}

/// Who has proved to be the owner learns why they may not come in.
pub(super) fn may_log_in(player: &Player) -> Result<(), AccountError> {
    match player.state {
        PlayerState::Active => Ok(()),
        PlayerState::Pending => Err(AccountError::NotActivated),
        PlayerState::Deactivated => Err(AccountError::Deactivated),
    }
}
