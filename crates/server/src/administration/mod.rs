//! Running the club: members and their roles, accounts for a class, invitations, the policy, the audit log.
//!
//! Every act here is noted in the audit log in the transaction that does it. Who may do what is in `http::access`; what
//! depends on the other person (a director looks after players without a role) is here.

mod bulk;
pub mod club_routes;
mod error;
mod invites;
mod members;
mod one_time_password;
mod policy;
pub mod routes;
mod signed_out;
mod user_names;
pub mod wire;

use std::sync::Arc;

use rules::UnixMillis;
use store::{AccountId, Member, Store, StoreError};

use crate::accounts::{Accounts, Visitor};
use crate::config::AccountsConfig;
use crate::games::chat::ChatRule;
use crate::live::Live;
use crate::world::World;

pub use error::AdministrationError;
pub use one_time_password::one_time_password;
pub use user_names::user_name;

const HOUR: i64 = 3_600_000;
const DAY: i64 = 24 * HOUR;

/// The office. Cheap to clone.
#[derive(Clone)]
pub struct Administration(Arc<Inner>);

struct Inner {
    accounts: Accounts,
    store: Store,
    world: World,
    live: Live,
    config: AccountsConfig,
    has_mail: bool,
    /// Told when the policy about chats changes.
    chat: ChatRule,
}

impl Administration {
    /// Opens the office, and keeps watch for people who were signed out by another process.
    pub(crate) fn start(
        accounts: Accounts,
        store: Store,
        world: World,
        live: Live,
        config: AccountsConfig,
        has_mail: bool,
        chat: ChatRule,
    ) -> Administration {
        signed_out::start(store.clone(), world.clone(), live.clone());
        Administration(Arc::new(Inner { accounts, store, world, live, config, has_mail, chat }))
    }

    fn now(&self) -> UnixMillis {
        self.0.world.time.now()
    }

    /// The member, if this visitor may look after them: administrators everybody, directors players without a role.
    async fn in_care_of(
        &self,
        visitor: &Visitor,
        id: AccountId,
    ) -> Result<Member, AdministrationError> {
        let member = self.member(id).await?;
        let roles = member.roles;
        let has_role = roles.arbiter || roles.director || roles.administrator;
        if visitor.roles.administrator || !has_role {
            Ok(member)
        } else {
            Err(AdministrationError::NotInYourCare)
        }
    }

    async fn member(&self, id: AccountId) -> Result<Member, AdministrationError> {
        match self.0.store.load_member(id).await {
            Err(StoreError::NotFound) => Err(AdministrationError::UnknownUser),
            other => Ok(other?),
        }
    }
}
