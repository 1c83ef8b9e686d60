//! Names of things that are remembered: eight characters of `[A-Za-z0-9]`, each kind its own type.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// A text that is no id: an id has exactly eight characters of `[A-Za-z0-9]`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("an id has exactly eight letters or digits")]
pub struct NotAnId;

macro_rules! id {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
        #[serde(try_from = "String", into = "String")]
        pub struct $name([u8; 8]);

        impl $name {
            /// Makes an id of 64 random bits; the bias of the modulus is far below what an id needs.
            pub fn from_bits(mut bits: u64) -> Self {
                const LETTERS: &[u8; 62] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
                Self(std::array::from_fn(|_| {
                    let letter = LETTERS[usize::try_from(bits % 62).unwrap_or(0)];
                    bits /= 62;
                    letter
                }))
            }

            /// The id as text.
            pub fn as_str(&self) -> &str {
                std::str::from_utf8(&self.0).expect("an id is made of ASCII letters and digits only")
            }
        }

        impl FromStr for $name {
            type Err = NotAnId;
            fn from_str(text: &str) -> Result<Self, NotAnId> {
                let bytes: [u8; 8] = text.as_bytes().try_into().map_err(|_| NotAnId)?;
                if bytes.iter().all(u8::is_ascii_alphanumeric) { Ok(Self(bytes)) } else { Err(NotAnId) }
            }
        }

        impl TryFrom<String> for $name {
            type Error = NotAnId;
            fn try_from(text: String) -> Result<Self, NotAnId> {
                text.parse()
            }
        }

        impl From<$name> for String {
            fn from(id: $name) -> String {
                id.as_str().to_owned()
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(self.as_str())
            }
        }

        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(self.as_str())
            }
        }
    };
}

id!(
    /// Names a game, and the challenge it came from.
    GameId
);
id!(
    /// Names a browser that asked to be told.
    SubscriptionId
);
id!(
    /// Names something on its way to a browser.
    PushId
);
id!(
    /// Names an account: a guest, a player.
    AccountId
);
id!(
    /// Names an event.
    EventId
);
id!(
    /// Names a mail on its way out.
    MailId
);
id!(
    /// Names an invitation.
    InviteId
);
id!(
    /// Names a token of a program; the token itself is a secret, this is not.
    TokenId
);
id!(
    /// Names a study.
    StudyId
);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_eight_letters_or_digits_make_an_id() {
        assert_eq!(
            "abcDEF12".parse::<GameId>().map(|id| id.to_string()),
            Ok("abcDEF12".to_owned())
        );
        for bad in ["", "abc", "abcDEF123", "abcDEF1-", "äbcDEF1", "abcDEF1\0"] {
            assert_eq!(bad.parse::<GameId>(), Err(NotAnId), "{bad:?}");
        }
    }

    #[test]
    fn every_number_of_64_bits_makes_an_id() {
        for bits in [0, 1, u64::MAX, 0x0123_4567_89ab_cdef] {
            let id = GameId::from_bits(bits);
            assert_eq!(id.as_str().parse(), Ok(id));
        }
    }
}
