//! lichess.org: games as lines of JSON, oldest first from a moment on; `/api/user` and `/api/account` for proofs.

use serde::Deserialize;
use store::Connection;

use super::client::{Answer, Client, Question, Token, Trouble};
use super::games::{Told, player};
use super::proof::Profile;

/// Games that are asked for at once. The site gives about twenty a second: nobody waits long for their turn.
pub(super) const SLICE: usize = 300;
/// Games that may be asked for by name at once.
pub(super) const BY_NAME: usize = 300;
/// Games of one answer never take more.
pub(super) const MOST: u64 = 256 << 20;

const NDJSON: &str = "application/x-ndjson";
const WITH: &str = "pgnInJson=true&clocks=true&evals=true&opening=true";

#[derive(Deserialize)]
struct Account {
    id: String,
    username: String,
    #[serde(default)]
    profile: Words,
    #[serde(default)]
    count: Count,
}

/// What somebody says about themselves. Only the fields in which a code may stand.
#[derive(Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
struct Words {
    bio: String,
    location: String,
    real_name: String,
    links: String,
}

#[derive(Default, Deserialize)]
struct Count {
    #[serde(default)]
    all: i64,
}

impl From<Account> for Profile {
    fn from(account: Account) -> Profile {
        let Words { bio, location, real_name, links } = account.profile;
        Profile {
            key: account.id.to_lowercase(),
            name: account.username,
            words: vec![bio, location, real_name, links],
            games: account.count.all,
        }
    }
}

/// Somebody's public profile.
pub(super) async fn profile(client: &Client, name: &str) -> Result<Profile, Trouble> {
    let path = format!("/api/user/{name}");
    read_profile(&client.ask_whole(&Question { path, accept: JSON, ..Question::default() }).await?)
}

/// Whose key this is.
pub(super) async fn owner_of(client: &Client, token: &Token) -> Result<Profile, Trouble> {
    let path = "/api/account".to_owned();
    let question = Question { path, accept: JSON, token: Some(token), text: None };
    read_profile(&client.ask_whole(&question).await?)
}

const JSON: &str = "application/json";

fn read_profile(text: &[u8]) -> Result<Profile, Trouble> {
    let account: Account =
        serde_json::from_slice(text).map_err(|_| Trouble::Garbled("this is no profile"))?;
    Ok(account.into())
}

/// The next games from a moment on, oldest first; those that are still being played too.
pub(super) async fn games(
    client: &Client,
    connection: &Connection,
    token: Option<&Token>,
) -> Result<Answer, Trouble> {
    let name = &connection.name_key;
    let since = match connection.reached.as_str() {
        "" => String::new(),
        moment => format!("&since={moment}"),
    };
    let path =
        format!("/api/games/user/{name}?sort=dateAsc&max={SLICE}&ongoing=true&{WITH}{since}");
    client.ask(&Question { path, accept: NDJSON, token, text: None }).await
}

/// Games by their names.
pub(super) async fn games_by_name(
    client: &Client,
    names: &[String],
    token: Option<&Token>,
) -> Result<Answer, Trouble> {
    let path = format!("/api/games/export/_ids?{WITH}");
    client.ask(&Question { path, accept: NDJSON, token, text: Some(names.join(",")) }).await
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Line {
    id: String,
    created_at: i64,
    status: String,
    #[serde(default)]
    players: Players,
    #[serde(default)]
    pgn: String,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Players {
    white: Side,
    black: Side,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Side {
    user: Option<User>,
}

#[derive(Deserialize)]
struct User {
    name: String,
}

/// A line of the site's answer.
pub(super) struct Listed {
    /// The game's name.
    pub(super) id: String,
    /// When it began.
    pub(super) created_at: i64,
    /// The game; none while it is being played.
    pub(super) told: Option<Told>,
}

/// Reads a line; none if it is not what the site documents.
pub(super) fn read_line(text: &[u8]) -> Option<Listed> {
    let line: Line = serde_json::from_slice(text).ok()?;
    let is_name = |id: &str| {
        (1..=20).contains(&id.len()) && id.bytes().all(|byte| byte.is_ascii_alphanumeric())
    };
    if !is_name(&line.id) {
        return None;
    }
    let Players { white, black } = line.players;
    let players = [white, black].map(|side| side.user.and_then(|user| player(&user.name)));
    let is_over = !matches!(line.status.as_str(), "created" | "started");
    let told = is_over.then(|| Told {
        external_id: line.id.clone(),
        players,
        pgn: line.pgn,
        variant: None,
    });
    Some(Listed { id: line.id, created_at: line.created_at, told })
}
