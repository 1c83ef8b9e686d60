//! chess.com: a profile, a list of months, and for each month one document with all its games.

use serde::Deserialize;

use super::client::{Answer, Client, Question, Trouble};
use super::games::{Told, player};
use super::proof::Profile;

/// The most that a month may take: a game every ten seconds, day and night. No more than a game is held at a time.
pub(super) const MOST: u64 = 2 << 30;

const JSON: &str = "application/json";

#[derive(Deserialize)]
struct Player {
    username: String,
    #[serde(default)]
    name: String,
    #[serde(default)]
    location: String,
}

/// Somebody's public profile.
pub(super) async fn profile(client: &Client, name: &str) -> Result<Profile, Trouble> {
    let path = format!("/pub/player/{name}");
    let text = client.ask_whole(&Question { path, accept: JSON, ..Question::default() }).await?;
    let player: Player =
        serde_json::from_slice(&text).map_err(|_| Trouble::Garbled("this is no profile"))?;
    // The profile has the name in lower case; how it is written the games tell.
    Ok(Profile {
        key: player.username.to_lowercase(),
        name: player.username,
        words: vec![player.name, player.location],
        games: 0,
    })
}

#[derive(Deserialize)]
struct Archives {
    archives: Vec<String>,
}

/// A month with games, `2026/11`: in this form months sort as the calendar does.
pub(super) type Month = String;

/// The months in which somebody played, oldest first.
pub(super) async fn months(client: &Client, name: &str) -> Result<Vec<Month>, Trouble> {
    let path = format!("/pub/player/{name}/games/archives");
    let text = client.ask_whole(&Question { path, accept: JSON, ..Question::default() }).await?;
    let listed: Archives =
        serde_json::from_slice(&text).map_err(|_| Trouble::Garbled("this is no list of months"))?;
    // The list holds addresses. Only year and month of them are used: we ask at the place of the settings.
    let mut months: Vec<Month> = listed.archives.iter().filter_map(|url| month_of(url)).collect();
    months.sort_unstable();
    months.dedup();
    Ok(months)
}

fn month_of(url: &str) -> Option<Month> {
    let mut parts = url.rsplit('/');
    let (month, year) = (parts.next()?, parts.next()?);
    let is_number = |text: &str, length: usize| {
        text.len() == length && text.bytes().all(|byte| byte.is_ascii_digit())
    };
    (is_number(month, 2) && is_number(year, 4)).then(|| format!("{year}/{month}"))
}

/// The months that have to be read, after everything up to a month was read.
///
/// That one may have grown, and the site shows what is up to a day old: so the month before it is read again too.
pub(super) fn still_to_read(months: &[Month], reached: &str) -> Vec<Month> {
    let known = months.iter().filter(|month| month.as_str() <= reached).count();
    months[known.saturating_sub(2)..].to_vec()
}

/// The games of a month.
pub(super) async fn games(client: &Client, name: &str, month: &str) -> Result<Answer, Trouble> {
    let path = format!("/pub/player/{name}/games/{month}");
    client.ask(&Question { path, accept: JSON, ..Question::default() }).await
}

#[derive(Deserialize)]
struct Game {
    #[serde(default)]
    url: String,
    #[serde(default)]
    uuid: String,
    #[serde(default)]
    pgn: String,
    #[serde(default)]
    rules: String,
    #[serde(default)]
    white: Side,
    #[serde(default)]
    black: Side,
}

#[derive(Default, Deserialize)]
struct Side {
    #[serde(default)]
    username: String,
}

/// Reads a game; none if it is not what the site documents.
pub(super) fn read_game(text: &[u8]) -> Option<Told> {
    let game: Game = serde_json::from_slice(text).ok()?;
    let external_id =
        game_name(&game.url).or_else(|| is_word(&game.uuid).then(|| game.uuid.clone()))?;
    let variant = (game.rules != "chess" && is_word(&game.rules)).then_some(game.rules);
    Some(Told {
        external_id,
        players: [game.white, game.black].map(|side| player(&side.username)),
        pgn: game.pgn,
        variant,
    })
}

fn is_word(text: &str) -> bool {
    let is_letter = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-';
    (1..=50).contains(&text.len()) && text.bytes().all(is_letter)
}

/// The name of a game is the end of its address, `live/123` or `daily/123`; old addresses have it the other way round.
fn game_name(url: &str) -> Option<String> {
    let mut parts = url.rsplit('/');
    let number = parts.next().filter(|number| number.bytes().all(|byte| byte.is_ascii_digit()))?;
    let kind = parts.find(|part| *part != "game").filter(|kind| is_word(kind))?;
    (!number.is_empty() && number.len() <= 20).then(|| format!("{kind}/{number}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_game_is_named_after_its_address() {
        let name = |url: &str| game_name(url);
        assert_eq!(name("https://www.chess.com/game/live/744").as_deref(), Some("live/744"));
        assert_eq!(name("https://www.chess.com/daily/game/19").as_deref(), Some("daily/19"));
        assert_eq!(name("https://www.chess.com/game/daily/19").as_deref(), Some("daily/19"));
        for bad in ["", "live/x", "https://www.chess.com/game/live/", "https://www.chess.com/a?b/1"]
        {
            assert_eq!(name(bad), None, "{bad}");
        }
    }

    #[test]
    fn the_last_two_known_months_are_read_again() {
        let months: Vec<Month> =
            ["2024/01", "2024/03", "2024/04", "2024/05"].map(str::to_owned).to_vec();
        assert_eq!(still_to_read(&months, ""), months);
        assert_eq!(still_to_read(&months, "2024/01"), months);
        assert_eq!(still_to_read(&months, "2024/04"), ["2024/03", "2024/04", "2024/05"]);
        assert_eq!(still_to_read(&months, "2024/05"), ["2024/04", "2024/05"]);
        assert_eq!(still_to_read(&[], "2024/05"), [""; 0]);
    }

    #[test]
    fn months_come_out_of_addresses_and_addresses_are_not_used() {
        assert_eq!(month_of("https://evil.example/x/2024/07").as_deref(), Some("2024/07"));
        for bad in ["", "x", "https://a/2024/7", "https://a/2024/../07", "https://a/20a4/07"] {
            assert_eq!(month_of(bad), None, "{bad}");
        }
    }
}
