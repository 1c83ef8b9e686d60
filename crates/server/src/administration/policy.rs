//! The club's policy, as administrators set it.

use serde::Serialize;
use store::AccountId;

use super::wire::PolicyView;
use super::{Administration, AdministrationError};
use crate::accounts::{Policy, check_club_name};

impl Administration {
    /// The policy in force.
    pub async fn policy(&self) -> Result<PolicyView, AdministrationError> {
        let policy = Policy::load(&self.0.store, &self.0.config, self.0.has_mail).await?;
        Ok(PolicyView {
            club_name: policy.shown_name().to_owned(),
            sign_up: policy.sign_up,
            email: policy.email,
            activation: policy.activation,
            chat: policy.chat,
        })
    }

    /// Sets the policy. It wins over the settings file from now on.
    pub async fn set_policy(
        &self,
        by: AccountId,
        policy: PolicyView,
    ) -> Result<(), AdministrationError> {
        let name = policy.club_name.trim();
        check_club_name(name).map_err(|error| {
            AdministrationError::field("club_name", "bad_club_name", error.to_string())
        })?;
        let settings = vec![
            ("club_name", name.to_owned()),
            ("sign_up", word(policy.sign_up)),
            ("email", word(policy.email)),
            ("activation", word(policy.activation)),
            ("chat", word(policy.chat)),
        ];
        self.0.store.set_policy(settings, by, self.now()).await?;
        self.0.chat.set(policy.chat);
        Ok(())
    }
}

/// A choice in the word it has on the wire.
fn word(choice: impl Serialize) -> String {
    let value = serde_json::to_value(choice).unwrap_or_default();
    value.as_str().unwrap_or_default().to_owned()
}
