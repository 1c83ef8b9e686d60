//! Signing up, and the link that activates a new account.

use store::{
    AccountId, AccountKind, NewOneTimeToken, NewPlayer, NewSession, PlayerState, Purpose,
    StoreError,
};

use super::fields::FieldProblem;
use super::policy::Policy;
use super::wire::{SignUp, SignUpCheck};
use super::{AccountError, Accounts, Device, HOUR, Token, Visitor, check_name, check_password};
use crate::config::{ActivationPolicy, EmailPolicy, SignUpPolicy};
use crate::mail::{MailKind, is_address};

/// How long the link in a mail works.
pub(super) const LINK_VALID_FOR: i64 = HOUR;

/// How a sign-up went.
pub(crate) enum SignedUp {
    /// The account is active, and this is its session.
    Active(Token),
    /// A mail is on its way.
    ActivationSent,
}

impl Accounts {
    /// Looks at a form while it is being filled in. Whether an address has an account is not told.
    pub(crate) async fn check_sign_up(
        &self,
        form: &SignUpCheck,
    ) -> Result<Vec<FieldProblem>, AccountError> {
        let policy = self.policy().await?;
        let mut problems = Vec::new();
        if let Some(name) = &form.name {
            problems.extend(self.name_problem(name).await?);
        }
        if let Some(email) = form.email.as_deref().filter(|email| !email.is_empty()) {
            problems.extend(email_problem(email));
        }
        if let Some(password) = &form.password {
            let context = context(&policy, form.name.as_deref(), form.email.as_deref());
            problems.extend(self.password_problem("password", password, &context));
        }
        Ok(problems)
    }

    /// Signs somebody up. A guest becomes the player and keeps the games.
    pub(crate) async fn sign_up(
        &self,
        visitor: &Visitor,
        device: Device,
        form: SignUp,
    ) -> Result<SignedUp, AccountError> {
        let policy = self.policy().await?;
        let invite = self.invitation(&policy, form.invite.as_deref()).await?;
        let email = form.email.clone().filter(|email| !email.is_empty());
        // The form first: somebody who mistypes does not pay with the puzzle's solution.
        self.check_form(&policy, &form, email.as_deref()).await?;
        self.check_captcha(visitor.address, form.captcha.as_deref())?;
        self.limit("sign-up", visitor.address)?;

        let waits = policy.activation == ActivationPolicy::Required;
        let is_email_free = match &email {
            Some(email) => self.0.store.is_free(email).await?,
            None => true,
        };
        // With a mail server an address counts only once it is confirmed, and nobody learns whose it is.
        let confirms_later = self.0.mail.is_configured() && !waits;
        let kept_email = email.clone().filter(|_| is_email_free && !confirms_later);
        let id = self.id_for(visitor);
        let player = NewPlayer {
            name: form.name.clone(),
            email: kept_email,
            password: Some(self.hash_password(&form.password).await?),
            must_change_password: false,
            state: if waits { PlayerState::Pending } else { PlayerState::Active },
            is_bot: false,
            group_name: None,
            initial_rating: self.initial_rating(form.initial_rating),
            preferences: form.preferences.unwrap_or_default().to_stored(),
        };
        match self.0.store.create_player(id, player, invite, self.now()).await {
            Err(StoreError::Conflict) => return Err(name_taken()),
            Err(StoreError::NotFound) => return Err(AccountError::InviteRequired),
            other => other?,
        }
        if let Some(email) = &email {
            self.mail_after_sign_up(id, &form.name, email, is_email_free, waits).await?;
        }
        if waits {
            return Ok(SignedUp::ActivationSent);
        }
        Ok(SignedUp::Active(self.begin_session(id, visitor, device).await?))
    }

    async fn mail_after_sign_up(
        &self,
        id: AccountId,
        name: &str,
        email: &str,
        is_email_free: bool,
        waits: bool,
    ) -> Result<(), AccountError> {
        if !self.0.mail.is_configured() {
            return Ok(());
        }
        let name = name.to_owned();
        let kind = if !is_email_free {
            let owner = self.0.store.find_player(email).await?;
            let name = owner.map_or(name, |owner| owner.name);
            MailKind::SignUpWithKnownAddress { name, url: format!("{}/log-in", self.0.public_url) }
        } else if waits {
            let token = self.new_token(id, Purpose::Activation, None, LINK_VALID_FOR).await?;
            MailKind::Activation { name, url: self.link("activate", &token) }
        } else {
            let address = Some(email.to_owned());
            let token = self.new_token(id, Purpose::EmailChange, address, LINK_VALID_FOR).await?;
            MailKind::EmailChange { name, url: self.link("confirm-email", &token) }
        };
        self.tell(Some(email), kind).await;
        Ok(())
    }

    /// Activates an account by the link in the mail.
    pub(crate) async fn activate(&self, token: &str) -> Result<(), AccountError> {
        let token = Token::from_text(token).ok_or(AccountError::BadToken)?.hash();
        let found =
            self.0.store.find_one_time_token(token, Purpose::Activation, self.now()).await?;
        let (id, _) = found.ok_or(AccountError::BadToken)?;
        match self.0.store.activate_player(id, token, self.now()).await {
            Err(StoreError::NotFound) => return Err(AccountError::BadToken),
            other => other?,
        }
        // The guest's session that signed up ends here: from now on there is a password.
        Ok(self.sign_out_everywhere(id).await?)
    }

    /// Sends the activation link again, if there is somebody who waits for it; the answer is the same if not.
    pub(crate) fn resend_activation(
        &self,
        visitor: &Visitor,
        name_or_email: String,
        captcha: Option<&str>,
    ) -> Result<(), AccountError> {
        self.limit("resend", visitor.address)?;
        self.check_captcha(visitor.address, captcha)?;
        let accounts = self.clone();
        // Beside the answer: how long it takes must not tell whether there is anybody.
        tokio::spawn(async move {
            if let Err(error) = accounts.send_activation(&name_or_email).await {
                tracing::warn!(%error, "an activation link could not be sent");
            }
        });
        Ok(())
    }

    async fn send_activation(&self, name_or_email: &str) -> Result<(), AccountError> {
        let player = self.0.store.find_player(name_or_email).await?;
        let player = player.filter(|player| player.state == PlayerState::Pending);
        let Some(player) = player.filter(|_| self.0.mail.is_configured()) else { return Ok(()) };
        let token = self.new_token(player.id, Purpose::Activation, None, LINK_VALID_FOR).await?;
        let url = self.link("activate", &token);
        self.tell(player.email.as_deref(), MailKind::Activation { name: player.name, url }).await;
        Ok(())
    }

    /// The invitation that is used up by a sign-up, where one is needed.
    async fn invitation(
        &self,
        policy: &Policy,
        invite: Option<&str>,
    ) -> Result<Option<store::TokenHash>, AccountError> {
        match policy.sign_up {
            SignUpPolicy::Open => Ok(None),
            SignUpPolicy::Closed => Err(AccountError::SignUpClosed),
            SignUpPolicy::Invite => {
                let token = invite.and_then(Token::from_text).map(|token| token.hash());
                let token = token.ok_or(AccountError::InviteRequired)?;
                let is_invited = self.0.store.is_invited(token, self.now()).await?;
                if is_invited { Ok(Some(token)) } else { Err(AccountError::InviteRequired) }
            }
        }
    }

    async fn check_form(
        &self,
        policy: &Policy,
        form: &SignUp,
        email: Option<&str>,
    ) -> Result<(), AccountError> {
        let mut problems: Vec<_> = self.name_problem(&form.name).await?.into_iter().collect();
        match email {
            Some(email) => {
                problems.extend(email_problem(email));
                if !self.0.mail.is_configured() && !self.0.store.is_free(email).await? {
                    let detail = "there is an account with this address already";
                    problems.push(FieldProblem::new("email", "email_taken", detail));
                }
            }
            None if policy.email == EmailPolicy::Required
                || policy.activation == ActivationPolicy::Required =>
            {
                problems.push(FieldProblem::new("email", "email_required", "an address is needed"));
            }
            None => {}
        }
        let context = context(policy, Some(&form.name), email);
        problems.extend(self.password_problem("password", &form.password, &context));
        if problems.is_empty() { Ok(()) } else { Err(AccountError::Fields(problems)) }
    }

    pub(super) async fn name_problem(
        &self,
        name: &str,
    ) -> Result<Option<FieldProblem>, AccountError> {
        if let Err(bad) = check_name(name) {
            return Ok(Some(bad.problem()));
        }
        let is_free = self.0.store.is_free(name).await?;
        Ok((!is_free).then(|| FieldProblem::new("name", "name_taken", NAME_TAKEN)))
    }

    pub(super) fn password_problem(
        &self,
        field: &str,
        password: &str,
        context: &[&str],
    ) -> Option<FieldProblem> {
        let weak = check_password(self.0.config.passwords, password, context).err();
        weak.map(|weak| weak.problem(field))
    }

    /// A claimed rating counts up to the cap; nobody begins below zero.
    fn initial_rating(&self, claimed: Option<i64>) -> i64 {
        let config = &self.0.config;
        claimed.unwrap_or(config.initial_rating).clamp(0, config.initial_rating_cap)
    }

    /// A guest's account becomes the player's; anybody else gets a new one.
    pub(super) fn id_for(&self, visitor: &Visitor) -> AccountId {
        match &visitor.account {
            Some(account) if account.kind == AccountKind::Guest => account.id,
            _ => AccountId::from_bits(self.0.world.chance.bits()),
        }
    }

    /// Makes a one-time token and gives its text.
    pub(super) async fn new_token(
        &self,
        account: AccountId,
        purpose: Purpose,
        email: Option<String>,
        valid_for: i64,
    ) -> Result<String, AccountError> {
        let token = Token::draw(&self.0.world.chance);
        let expires_at = self.later(valid_for);
        let new = NewOneTimeToken { token: token.hash(), purpose, account, email, expires_at };
        self.0.store.new_one_time_token(new, self.now()).await?;
        Ok(token.into_text())
    }

    /// Begins a session for somebody who has proved who they are. The browser's token before it ends.
    pub(super) async fn begin_session(
        &self,
        id: AccountId,
        visitor: &Visitor,
        Device(device): Device,
    ) -> Result<Token, AccountError> {
        let token = Token::draw(&self.0.world.chance);
        let session = NewSession {
            token: token.hash(),
            device,
            address: visitor.address.to_string(),
            expires_at: self.session_end(self.now()),
            replaces: visitor.token,
        };
        match self.0.store.start_session(id, session, self.now()).await {
            Err(StoreError::NotFound) => return Err(AccountError::BadCredentials),
            other => other?,
        }
        self.close_session(visitor.token);
        tracing::info!(account = %id, "logged in");
        Ok(token)
    }
}

const NAME_TAKEN: &str = "this name is taken";

pub(super) fn name_taken() -> AccountError {
    AccountError::field("name", "name_taken", NAME_TAKEN)
}

pub(super) fn email_problem(email: &str) -> Option<FieldProblem> {
    (!is_address(email))
        .then(|| FieldProblem::new("email", "email_malformed", "this is no e-mail address"))
}

/// What everybody knows about an account: no password is made of it.
fn context<'a>(policy: &'a Policy, name: Option<&'a str>, email: Option<&'a str>) -> Vec<&'a str> {
    [policy.club_name.as_deref(), name, email].into_iter().flatten().collect()
}
