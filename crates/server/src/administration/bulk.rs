//! Accounts for a whole class from a pasted list: each gets a card with a user name, a one-time password and a link.

use qrcode::QrCode;
use qrcode::render::svg;
use rules::UnixMillis;
use store::{AccountId, MadeAccount, NewOneTimeToken, NewPlayer, PlayerState, Purpose, StoreError};

use super::members::{check_group, unless_empty};
use super::wire::{BulkResult, Card, LineProblem};
use super::{Administration, AdministrationError, DAY, one_time_password, user_name};
use crate::accounts::Token;

/// Names in one list at most: more than any class, and hashing their passwords takes seconds only.
const MOST: usize = 200;
/// The longest real name.
const LONGEST: usize = 60;
/// How long a card is good for.
const CARD_MILLIS: i64 = 30 * DAY;
/// How many numbers are tried behind a name that is taken.
const ATTEMPTS: u32 = 1_000;

/// One line of the list, on its way to a card.
struct Pupil {
    real_name: String,
    user_name: String,
    password: String,
    token: String,
}

impl Administration {
    /// Makes an account for every name of a list, all of them or none.
    pub async fn make_accounts(
        &self,
        by: AccountId,
        names: &str,
        group: Option<String>,
        login_page: &str,
    ) -> Result<BulkResult, AdministrationError> {
        check_group(group.as_deref().unwrap_or_default())?;
        let group = group.as_deref().and_then(unless_empty);
        let (names, problems) = read_list(names)?;
        let now = self.now();
        let (mut made, mut pupils) = (Vec::new(), Vec::new());
        let mut taken: Vec<String> = Vec::new();
        for real_name in names {
            let user_name = self.free_name(&real_name, &taken).await?;
            taken.push(user_name.clone());
            let (account, pupil) = self.prepare(real_name, user_name, group.clone(), now).await?;
            made.push(account);
            pupils.push(pupil);
        }
        match self.0.store.make_accounts(made, Some(by), now).await {
            Err(StoreError::Conflict) => return Err(AdministrationError::NameTaken),
            other => other?,
        }
        let cards = pupils.into_iter().map(|pupil| card(pupil, login_page));
        Ok(BulkResult { cards: cards.collect(), problems })
    }

    /// A user name that nobody has, neither in the club nor in this list.
    async fn free_name(
        &self,
        real_name: &str,
        taken: &[String],
    ) -> Result<String, AdministrationError> {
        for attempt in 1..ATTEMPTS {
            let Some(name) = user_name(real_name, attempt) else { break };
            if !taken.contains(&name) && self.0.store.is_free(&name).await? {
                return Ok(name);
            }
        }
        let detail = format!("no user name could be made of {real_name:?}");
        Err(AdministrationError::field("names", "no_user_name", detail))
    }

    async fn prepare(
        &self,
        real_name: String,
        user_name: String,
        group: Option<String>,
        now: UnixMillis,
    ) -> Result<(MadeAccount, Pupil), AdministrationError> {
        let chance = &self.0.world.chance;
        let password = one_time_password(chance);
        let id = AccountId::from_bits(chance.bits());
        let token = Token::draw(chance);
        let card = NewOneTimeToken {
            token: token.hash(),
            purpose: Purpose::Card,
            account: id,
            email: None,
            expires_at: UnixMillis(now.0 + CARD_MILLIS),
        };
        let player = NewPlayer {
            name: user_name.clone(),
            email: None,
            password: Some(self.0.accounts.hash_password(&password).await?),
            must_change_password: true,
            state: PlayerState::Active,
            is_bot: false,
            group_name: group,
            initial_rating: self.0.config.initial_rating,
            preferences: "{}".to_owned(),
        };
        let account = MadeAccount { id, player, role: None, card: Some(card) };
        Ok((account, Pupil { real_name, user_name, password, token: token.into_text() }))
    }
}

/// The names of a pasted list, and the lines that are none.
fn read_list(text: &str) -> Result<(Vec<String>, Vec<LineProblem>), AdministrationError> {
    let (mut names, mut problems) = (Vec::new(), Vec::new());
    for (line, text) in (1..).zip(text.lines()) {
        let name = text.trim();
        if name.is_empty() {
            continue;
        }
        let detail = if name.chars().count() > LONGEST {
            format!("a name has at most {LONGEST} characters")
        } else if name.chars().any(char::is_control) {
            "a name has no control characters".to_owned()
        } else if user_name(name, 1).is_none() {
            "there is no letter in this name".to_owned()
        } else {
            names.push(name.to_owned());
            continue;
        };
        problems.push(LineProblem { line, detail });
    }
    if names.len() > MOST {
        let detail = format!("a list has at most {MOST} names");
        return Err(AdministrationError::field("names", "too_many_names", detail));
    }
    if names.is_empty() && problems.is_empty() {
        return Err(AdministrationError::field("names", "no_names", "write one name a line"));
    }
    Ok((names, problems))
}

fn card(pupil: Pupil, login_page: &str) -> Card {
    let Pupil { real_name, user_name, password, token } = pupil;
    // The token travels behind the #, so it reaches no log on its way.
    let login_url = format!("{login_page}#{token}");
    let qr_svg = QrCode::new(login_url.as_bytes()).map_or_else(
        |_| String::new(),
        |code| code.render::<svg::Color<'_>>().min_dimensions(160, 160).quiet_zone(true).build(),
    );
    Card { name: real_name, user_name, password, login_url, qr_svg }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_is_read_line_by_line_and_bad_lines_are_named() {
        let text = format!("Anna Nowak\r\n\n  Bert Lang \n***\n{}\n", "x".repeat(61));
        let (names, problems) = read_list(&text).unwrap();
        assert_eq!(names, ["Anna Nowak", "Bert Lang"]);
        assert_eq!(problems.iter().map(|p| p.line).collect::<Vec<_>>(), [4, 5]);
    }

    #[test]
    fn an_empty_or_endless_list_is_refused() {
        assert!(read_list(" \n\n").is_err());
        assert!(read_list(&"Anna Nowak\n".repeat(MOST)).is_ok());
        assert!(read_list(&"Anna Nowak\n".repeat(MOST + 1)).is_err());
    }
}
