//! What can go wrong with connected accounts, in their words.

use store::StoreError;

use crate::library::LibraryError;

/// Why a connection did not do what was asked.
#[derive(Debug, thiserror::Error)]
pub enum ConnectionError {
    /// The settings leave this site out.
    #[error("this club does not connect accounts at this site")]
    Off,
    /// There is no such connection, or it is somebody else's.
    #[error("there is no such connection")]
    Unknown,
    /// The text can be nobody's name.
    #[error("a name at this site has 2 to 30 letters, digits, hyphens and underscores")]
    BadName,
    /// The text can be no key.
    #[error("this is no token: copy it whole, without blanks")]
    BadToken,
    /// The site gives no keys.
    #[error("this site knows no tokens: put the code into the profile")]
    NoTokens,
    /// The same account again.
    #[error("you have this account in your list already")]
    Twice,
    /// Too many accounts.
    #[error("ten accounts are the most: disconnect one first")]
    TooMany,
    /// It is not proven whose the account is.
    #[error("first prove that the account is yours")]
    Unproven,
    /// The store said no.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The library said no.
    #[error(transparent)]
    Library(#[from] LibraryError),
}
