//! What the outside sees of running the club. Unknown members of a body are refused: nobody sets by accident or by
//! malice what a form does not offer.

use serde::{Deserialize, Serialize};
use store::{AuditEntry, Invite, Member, PlayerState, Roles};
use utoipa::{IntoParams, ToSchema};

use crate::accounts::wire::RoleList;
use crate::config::{ActivationPolicy, ChatPolicy, EmailPolicy, SignUpPolicy};

/// Whether somebody may log in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum UserState {
    /// Not before the address is confirmed.
    Pending,
    /// Yes.
    Active,
    /// No: an administrator said so.
    Deactivated,
}

impl From<PlayerState> for UserState {
    fn from(state: PlayerState) -> Self {
        match state {
            PlayerState::Pending => UserState::Pending,
            PlayerState::Active => UserState::Active,
            PlayerState::Deactivated => UserState::Deactivated,
        }
    }
}

impl From<UserState> for PlayerState {
    fn from(state: UserState) -> Self {
        match state {
            UserState::Pending => PlayerState::Pending,
            UserState::Active => PlayerState::Active,
            UserState::Deactivated => PlayerState::Deactivated,
        }
    }
}

/// A player as those who run the club see them.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct UserView {
    /// The account's id.
    pub id: String,
    /// The user name.
    pub name: String,
    /// The address; only administrators see it.
    pub email: Option<String>,
    /// Whether they may log in.
    pub state: UserState,
    /// What they may do beyond playing.
    pub roles: RoleList,
    /// When they signed up.
    pub created_at: i64,
    /// The newest log-in.
    pub last_login_at: Option<i64>,
    /// Whether a second factor is on.
    pub totp: bool,
    /// Whether they have to choose a password of their own first.
    pub must_change_password: bool,
    /// The class or group.
    pub group: Option<String>,
}

impl UserView {
    /// What this reader may see of a member.
    pub(super) fn new(member: Member, reader: Roles) -> UserView {
        UserView {
            id: member.id.to_string(),
            name: member.name,
            email: member.email.filter(|_| reader.administrator),
            state: member.state.into(),
            roles: member.roles.into(),
            created_at: member.created_at.0,
            last_login_at: member.last_login_at.map(|at| at.0),
            totp: member.totp,
            must_change_password: member.must_change_password,
            group: member.group,
        }
    }
}

/// Which players to list.
#[derive(Debug, Clone, Default, Deserialize, IntoParams)]
#[serde(default, deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct UserQuery {
    /// Part of the name, the address or the group.
    pub query: String,
    /// Only those with this role: arbiter, director, administrator.
    pub role: String,
    /// Only those in this state: pending, active, deactivated.
    pub state: String,
    /// `next` of the page before.
    pub after: String,
}

/// A page of players.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct UserPage {
    /// Ordered by name.
    pub users: Vec<UserView>,
    /// `after` for the next page; none on the last.
    pub next: Option<String>,
}

/// What to change about a player; what is not given stays.
#[derive(Debug, Clone, Default, Serialize, Deserialize, ToSchema)]
#[serde(default, deny_unknown_fields)]
pub struct UserChange {
    /// Another user name.
    pub name: Option<String>,
    /// Another address; empty for none.
    pub email: Option<String>,
    /// Whether they may log in.
    pub state: Option<UserState>,
    /// Another group; empty for none.
    pub group: Option<String>,
}

/// A link by which somebody chooses a new password.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct ResetLink {
    /// The link, to be handed to them. It works once.
    pub url: String,
    /// When it ends.
    pub expires_at: i64,
}

/// A password that has to be changed at the next log-in.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct OneTimePassword {
    /// Shown once.
    pub password: String,
}

/// Which accounts count as inactive.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct RemoveInactive {
    /// Days without a log-in, a request or a game; at least 30.
    pub days: i64,
    /// Without it nothing is removed: the answer says who would be.
    #[serde(default)]
    pub confirm: bool,
}

/// Who is inactive, or was and is gone.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct InactiveUsers {
    /// How many.
    pub count: usize,
    /// The first of them by name.
    pub names: Vec<String>,
}

/// Accounts for a class.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct BulkUsers {
    /// Real names, one a line: `Anna Nowak` or `Nowak, Anna`.
    pub names: String,
    /// The class or group they all belong to.
    pub group: Option<String>,
}

/// What to print for one member of the class.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct Card {
    /// The name as it was in the list.
    pub name: String,
    /// The user name.
    pub user_name: String,
    /// The one-time password. Shown once.
    pub password: String,
    /// The link that logs in until a password was chosen, for 30 days at most.
    pub login_url: String,
    /// The same link as a QR code.
    pub qr_svg: String,
}

/// A line of the list that is no name.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct LineProblem {
    /// Its number, from 1.
    pub line: usize,
    /// What is wrong with it.
    pub detail: String,
}

/// What became of a list.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct BulkResult {
    /// One for each name, in the order of the list.
    pub cards: Vec<Card>,
    /// The lines that were left out.
    pub problems: Vec<LineProblem>,
}

/// An invitation to be made.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct NewInvite {
    /// How many days it is good for.
    pub days: i64,
    /// How many people may use it.
    pub uses: i64,
}

/// An invitation.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct InviteView {
    /// Its id.
    pub id: String,
    /// How many may still use it.
    pub uses_left: i64,
    /// When it was made.
    pub created_at: i64,
    /// When it ends.
    pub expires_at: i64,
    /// The link; only in the answer that made it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub url: Option<String>,
}

impl From<Invite> for InviteView {
    fn from(invite: Invite) -> Self {
        InviteView {
            id: invite.id.to_string(),
            uses_left: invite.uses_left,
            created_at: invite.created_at.0,
            expires_at: invite.expires_at.0,
            url: None,
        }
    }
}

/// The invitations.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct InviteList {
    /// Those that can still be used, newest first.
    pub invites: Vec<InviteView>,
}

/// The club's policy.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct PolicyView {
    /// What the club is called.
    pub club_name: String,
    /// Who may sign up.
    pub sign_up: SignUpPolicy,
    /// Whether an address is asked for.
    pub email: EmailPolicy,
    /// Whether a new account waits for its address to be confirmed. Without a mail server it never does.
    pub activation: ActivationPolicy,
    /// What may be said in chats.
    pub chat: ChatPolicy,
}

/// Which lines of the audit log to show.
#[derive(Debug, Clone, Default, Deserialize, IntoParams)]
#[serde(default, deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct AuditQuery {
    /// `next` of the page before.
    pub after: Option<i64>,
    /// Only what this account did.
    pub actor: String,
    /// Only what was done to this account.
    pub subject: String,
}

/// Somebody in the audit log.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct AuditPerson {
    /// The account's id.
    pub id: String,
    /// Its name now.
    pub name: String,
}

/// A line of the audit log.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct AuditLine {
    /// Its number.
    pub seq: i64,
    /// When.
    pub at: i64,
    /// Who; nobody for the command line and the program itself.
    pub actor: Option<AuditPerson>,
    /// What: `role_granted`, `account_deleted`, …
    pub act: String,
    /// To whom.
    pub subject: Option<AuditPerson>,
    /// What else there is to say.
    pub detail: String,
}

impl From<AuditEntry> for AuditLine {
    fn from(entry: AuditEntry) -> Self {
        let person =
            |(id, name): (store::AccountId, String)| AuditPerson { id: id.to_string(), name };
        AuditLine {
            seq: entry.seq,
            at: entry.at.0,
            actor: entry.actor.map(person),
            act: entry.act,
            subject: entry.subject.map(person),
            detail: entry.detail,
        }
    }
}

/// A page of the audit log.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct AuditPage {
    /// Newest first.
    pub lines: Vec<AuditLine>,
    /// `after` for the next page; none on the last.
    pub next: Option<i64>,
}

/// A mail that was given up.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct FailedMailView {
    /// Where it should have gone.
    pub recipient: String,
    /// What it was about.
    pub subject: String,
    /// What the mail server said.
    pub problem: String,
    /// When it was written.
    pub created_at: i64,
}

/// How the outbox is.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct MailView {
    /// Whether there is a mail server in the settings.
    pub configured: bool,
    /// Mails that wait.
    pub waiting: i64,
    /// What the mail server or the line said the last time, if mails wait for that reason.
    pub problem: Option<String>,
    /// The newest mails that were given up.
    pub failed: Vec<FailedMailView>,
}

/// Where to send a test mail.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct MailTest {
    /// The address.
    pub to: String,
}
