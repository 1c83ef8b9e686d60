//! The club's policy: what administrators have set in the browser, and where they have not, what the settings file says.

use serde::de::DeserializeOwned;
use serde_json::Value;
use store::{Store, StoreError};

use crate::config::{AccountsConfig, ActivationPolicy, ChatPolicy, EmailPolicy, SignUpPolicy};

/// The policy in force.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Policy {
    /// The club's name, once it was set up.
    pub club_name: Option<String>,
    /// Who may sign up.
    pub sign_up: SignUpPolicy,
    /// Whether an address is asked for.
    pub email: EmailPolicy,
    /// Whether a new account waits for its address to be confirmed; [`ActivationPolicy::Off`] without a mail server.
    pub activation: ActivationPolicy,
    /// What may be said in chats.
    pub chat: ChatPolicy,
}

impl Policy {
    /// Reads what is in force.
    pub(crate) async fn load(
        store: &Store,
        config: &AccountsConfig,
        has_mail: bool,
    ) -> Result<Policy, StoreError> {
        let set = store.settings().await?;
        let activation = choice(set.get("activation"), config.activation);
        Ok(Policy {
            sign_up: choice(set.get("sign_up"), config.sign_up),
            email: choice(set.get("email"), config.email),
            activation: if has_mail { activation } else { ActivationPolicy::Off },
            chat: choice(set.get("chat"), config.chat),
            club_name: set.get("club_name").cloned(),
        })
    }

    /// What the club is called, set up or not.
    pub fn shown_name(&self) -> &str {
        self.club_name.as_deref().unwrap_or("Rookery")
    }
}

/// A setting's value if it makes sense, or the default.
fn choice<T: DeserializeOwned>(set: Option<&String>, default: T) -> T {
    set.and_then(|text| serde_json::from_value(Value::from(text.as_str())).ok()).unwrap_or(default)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_set_wins_unless_it_makes_no_sense() {
        let check = |set: Option<&str>, expected| {
            assert_eq!(choice(set.map(str::to_owned).as_ref(), SignUpPolicy::Invite), expected);
        };
        check(None, SignUpPolicy::Invite);
        check(Some("closed"), SignUpPolicy::Closed);
        check(Some("maybe"), SignUpPolicy::Invite);
        check(Some("\"open\""), SignUpPolicy::Invite);
    }
}
