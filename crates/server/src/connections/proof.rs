//! Whose an account is: who has its key, or can write into its profile, has it.

use store::{Connection, StoreError};

use super::client::{Token, Trouble};
use super::problem::ConnectionProblem;
use super::site::Site;
use super::{Connections, Service, StepError, chesscom, lichess};

/// The letters of codes: none that is easily taken for another.
const LETTERS: &[u8; 31] = b"abcdefghjkmnpqrstuvwxyz23456789";

/// What a site says of somebody.
pub(super) struct Profile {
    /// The name in lower case.
    pub(super) key: String,
    /// The name as it is written there.
    pub(super) name: String,
    /// What they say about themselves.
    pub(super) words: Vec<String>,
    /// How many games there are; 0 if the site does not say.
    pub(super) games: i64,
}

impl Connections {
    /// A code that nobody else has: 59 bits.
    pub(super) fn draw_code(&self) -> String {
        let letter = |byte: u8| char::from(LETTERS[usize::from(byte) % LETTERS.len()]);
        let letters: Vec<char> = self.0.world.chance.bytes::<12>().map(letter).to_vec();
        let group = |part: &[char]| part.iter().collect::<String>();
        format!("rookery-{}-{}", group(&letters[..6]), group(&letters[6..]))
    }

    /// Looks whether the account is theirs; then it is linked.
    pub(super) async fn check_proof(
        &self,
        site: &Site,
        connection: &Connection,
    ) -> Result<(), StepError> {
        let profile = match self.open_token(connection) {
            Some(token) => owner(site, connection, &token).await?,
            None => writer(site, connection).await?,
        };
        let now = self.now();
        let proven =
            self.0.store.prove_connection(connection.id, profile.name, profile.games, now).await;
        match proven {
            Err(StoreError::Conflict) => Err(ConnectionProblem::Taken.into()),
            other => Ok(other?),
        }
    }
}

/// The owner of the key has to be the one whose account it is said to be.
async fn owner(site: &Site, connection: &Connection, token: &Token) -> Result<Profile, StepError> {
    let owner = match lichess::owner_of(&site.client, token).await {
        Err(Trouble::Denied) => return Err(ConnectionProblem::BadToken.into()),
        other => other?,
    };
    if owner.key == connection.name_key {
        Ok(owner)
    } else {
        Err(ConnectionProblem::OtherToken.into())
    }
}

/// Whoever writes into the profile has to know the code.
async fn writer(site: &Site, connection: &Connection) -> Result<Profile, StepError> {
    let name = &connection.name_key;
    let asked = match site.service {
        Service::Lichess => lichess::profile(&site.client, name).await,
        Service::Chesscom => chesscom::profile(&site.client, name).await,
    };
    let mut profile = match asked {
        Err(Trouble::Unknown) => return Err(ConnectionProblem::UnknownName.into()),
        other => other?,
    };
    if profile.key != *name || !profile.words.iter().any(|words| words.contains(&connection.code)) {
        return Err(ConnectionProblem::NoCode.into());
    }
    if site.service == Service::Chesscom {
        profile.name.clone_from(&connection.name);
    }
    Ok(profile)
}
