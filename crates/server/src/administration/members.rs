//! What those who run the club may do about somebody.

use rules::UnixMillis;
use store::{
    AccountId, Member, MemberQuery, NewOneTimeToken, PasswordChange, PlayerState, Purpose, Role,
    StoreError,
};

use super::wire::{InactiveUsers, UserChange};
use super::{Administration, AdministrationError, DAY, one_time_password};
use crate::accounts::{Token, Visitor, check_name};
use crate::mail::{MailKind, is_address};

/// How long a reset link that is handed out lives. A mailed one lives an hour; this one has to find its way to a child.
const RESET_MILLIS: i64 = DAY;
/// The fewest days without a sign of life that make an account inactive.
const FEWEST_DAYS: i64 = 30;
/// How many names of inactive accounts are told.
const NAMES: usize = 50;

impl Administration {
    /// A page of members, and the name after which the next one begins.
    pub async fn list(
        &self,
        query: &MemberQuery,
    ) -> Result<(Vec<Member>, Option<String>), AdministrationError> {
        let (members, more) = self.0.store.list_members(query).await?;
        let next = members.last().filter(|_| more).map(|member| member.name.clone());
        Ok((members, next))
    }

    /// One member.
    pub async fn show(&self, id: AccountId) -> Result<Member, AdministrationError> {
        self.member(id).await
    }

    /// Changes what is given of somebody's name, address, state and group.
    pub async fn change(
        &self,
        by: AccountId,
        id: AccountId,
        change: UserChange,
    ) -> Result<Member, AdministrationError> {
        let before = self.member(id).await?;
        check(&change)?;
        let name = change.name.filter(|name| *name != before.name);
        let email = change.email.as_deref().map(unless_empty).filter(|new| *new != before.email);
        let group = change.group.as_deref().map(unless_empty).filter(|new| *new != before.group);
        let state = change.state.map(PlayerState::from).filter(|state| *state != before.state);
        // What can be refused is asked before anything is changed.
        let name_key = name.as_ref().filter(|name| !name.eq_ignore_ascii_case(&before.name));
        self.refuse_taken("name", name_key).await?;
        self.refuse_taken("email", email.as_ref().and_then(Option::as_ref)).await?;
        let (store, now) = (&self.0.store, self.now());
        if let Some(state) = state {
            last(store.set_player_state(id, state, Some(by), now).await)?;
            if state != PlayerState::Active {
                self.0.live.close_account(id);
            }
        }
        if let Some(name) = name {
            store.rename_player(id, name, Some(by), now).await?;
        }
        if let Some(group) = group {
            store.set_group(id, group, Some(by), now).await?;
        }
        if let Some(email) = email {
            store.set_email(id, email, None, Some(by), now).await?;
            let kind = MailKind::EmailChanged { name: before.name };
            self.0.accounts.tell(before.email.as_deref(), kind).await;
        }
        self.member(id).await
    }

    async fn refuse_taken(
        &self,
        field: &str,
        value: Option<&String>,
    ) -> Result<(), AdministrationError> {
        match value {
            Some(value) if !self.0.store.is_free(value).await? => {
                let code = if field == "name" { "name_taken" } else { "email_taken" };
                Err(AdministrationError::field(field, code, "somebody else has this one"))
            }
            _ => Ok(()),
        }
    }

    /// Gives somebody a role.
    pub async fn grant(
        &self,
        by: AccountId,
        id: AccountId,
        role: Role,
    ) -> Result<(), AdministrationError> {
        match self.0.store.grant_role(id, role, Some(by), self.now()).await {
            Err(StoreError::NotFound) => Err(AdministrationError::UnknownUser),
            other => Ok(other?),
        }
    }

    /// Takes a role from somebody.
    pub async fn revoke(
        &self,
        by: AccountId,
        id: AccountId,
        role: Role,
    ) -> Result<(), AdministrationError> {
        last(self.0.store.revoke_role(id, role, Some(by), self.now()).await)
    }

    /// A link by which somebody chooses a new password, to be handed to them. Gives its token and when it ends.
    pub async fn make_reset_link(
        &self,
        visitor: &Visitor,
        id: AccountId,
    ) -> Result<(String, UnixMillis), AdministrationError> {
        self.in_care_of(visitor, id).await?;
        let (now, token) = (self.now(), Token::draw(&self.0.world.chance));
        let expires_at = UnixMillis(now.0 + RESET_MILLIS);
        let link = NewOneTimeToken {
            token: token.hash(),
            purpose: Purpose::PasswordReset,
            account: id,
            email: None,
            expires_at,
        };
        // Noted first: a link that exists is never without its line in the log.
        self.0.store.audit(visitor.account_id(), "reset_link_made", Some(id), "", now).await?;
        self.0.store.new_one_time_token(link, now).await?;
        Ok((token.into_text(), expires_at))
    }

    /// Gives somebody a password that they have to change at the next log-in; their sessions end.
    pub async fn set_one_time_password(
        &self,
        visitor: &Visitor,
        id: AccountId,
    ) -> Result<String, AdministrationError> {
        let member = self.in_care_of(visitor, id).await?;
        let password = one_time_password(&self.0.world.chance);
        let change = PasswordChange {
            password: self.0.accounts.hash_password(&password).await?,
            must_change: true,
            keep: None,
            by_token: None,
            actor: visitor.account_id(),
        };
        self.0.store.set_password(id, change, self.now()).await?;
        self.0.live.close_account(id);
        let kind = MailKind::PasswordChanged { name: member.name };
        self.0.accounts.tell(member.email.as_deref(), kind).await;
        Ok(password)
    }

    /// Deletes somebody's account, as they could do themselves.
    pub async fn delete(&self, by: AccountId, id: AccountId) -> Result<(), AdministrationError> {
        let member = self.member(id).await?;
        last(self.0.store.remove_player(id, Some(by), self.now()).await)?;
        self.0.live.close_account(id);
        let kind = MailKind::AccountDeleted { name: member.name };
        self.0.accounts.tell(member.email.as_deref(), kind).await;
        Ok(())
    }

    /// Takes somebody's second factor away: their phone is gone, and the recovery codes too.
    pub async fn remove_second_factor(
        &self,
        by: AccountId,
        id: AccountId,
    ) -> Result<(), AdministrationError> {
        let member = self.member(id).await?;
        self.0.store.remove_totp(id, Some(by), self.now()).await?;
        let kind = MailKind::SecondFactorChanged { name: member.name, on: false };
        self.0.accounts.tell(member.email.as_deref(), kind).await;
        Ok(())
    }

    /// Signs somebody out everywhere.
    pub async fn end_sessions(
        &self,
        by: AccountId,
        id: AccountId,
    ) -> Result<(), AdministrationError> {
        self.member(id).await?;
        self.0.store.revoke_sessions(id, Some(by), self.now()).await?;
        self.0.live.close_account(id);
        Ok(())
    }

    /// Notes that somebody has tried the mail server.
    pub async fn note_test_mail(&self, by: AccountId) -> Result<(), AdministrationError> {
        Ok(self.0.store.audit(Some(by), "mail_tested", None, "", self.now()).await?)
    }

    /// Says who has shown no sign of life for this many days and, if `confirm` is set, deletes them.
    pub async fn remove_inactive(
        &self,
        by: AccountId,
        days: i64,
        confirm: bool,
    ) -> Result<InactiveUsers, AdministrationError> {
        if !(FEWEST_DAYS..=36_500).contains(&days) {
            let detail = format!("at least {FEWEST_DAYS} days");
            return Err(AdministrationError::field("days", "bad_days", detail));
        }
        let now = self.now();
        let before = UnixMillis(now.0 - days * DAY);
        let mut names = if confirm {
            let gone = self.0.store.remove_inactive(before, Some(by), now).await?;
            for (id, _) in &gone {
                self.0.live.close_account(*id);
            }
            gone.into_iter().map(|(_, name)| name).collect()
        } else {
            self.0.store.list_inactive(before).await?
        };
        let count = names.len();
        names.truncate(NAMES);
        Ok(InactiveUsers { count, names })
    }
}

/// Whether the values of a change can be what they are meant to be.
fn check(change: &UserChange) -> Result<(), AdministrationError> {
    if let Some(name) = &change.name {
        check_name(name).map_err(|bad| AdministrationError::Fields(vec![bad.problem()]))?;
    }
    if change.email.as_ref().is_some_and(|email| !email.is_empty() && !is_address(email)) {
        let detail = "this is no e-mail address";
        return Err(AdministrationError::field("email", "bad_email", detail));
    }
    check_group(change.group.as_deref().unwrap_or_default())
}

/// Whether a text can be the name of a group; an empty one is none.
pub(super) fn check_group(text: &str) -> Result<(), AdministrationError> {
    if text.chars().count() > 60 || text.chars().any(char::is_control) {
        let detail = "a group's name has at most 60 characters";
        return Err(AdministrationError::field("group", "bad_group", detail));
    }
    Ok(())
}

/// A text of a form; an empty field is none.
pub(super) fn unless_empty(text: &str) -> Option<String> {
    Some(text.trim().to_owned()).filter(|text| !text.is_empty())
}

/// What the store means where the last administrator is at stake.
fn last(result: Result<(), StoreError>) -> Result<(), AdministrationError> {
    match result {
        Err(StoreError::Conflict) => Err(AdministrationError::LastAdministrator),
        Err(StoreError::NotFound) => Err(AdministrationError::Unknown),
        other => Ok(other?),
    }
}
