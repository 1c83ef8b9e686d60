//! Keys for programs: `rook_…`, shown once, for some purposes and some time.

use rules::UnixMillis;
use store::{AccountId, ApiToken, StoreError, TokenHash, TokenId};

use super::error::AccountError;
use super::fields::FieldProblem;
use super::{Accounts, DAY, HOUR, Token};
use crate::http::access::Scopes;

/// How every key begins, so that people and scanners recognise one that lies around.
const PREFIX: &str = "rook_";
/// Keys of one person at most.
const MOST: usize = 20;
/// The longest life of a key in days.
const MOST_DAYS: i64 = 365;

impl Accounts {
    /// Makes a key; the text is shown once and kept nowhere.
    pub async fn make_token(
        &self,
        owner: AccountId,
        name: &str,
        scopes: Scopes,
        days: i64,
    ) -> Result<(ApiToken, String), AccountError> {
        let name = name.trim();
        check(name, scopes, days)?;
        let now = self.now();
        if self.0.store.load_api_tokens(owner, now).await?.len() >= MOST {
            let detail = format!("at most {MOST} keys at the same time: end one first");
            return Err(AccountError::Fields(vec![FieldProblem::new(
                "name",
                "too_many_keys",
                detail,
            )]));
        }
        let secret = Token::draw(&self.0.world.chance);
        let token = ApiToken {
            id: TokenId::from_bits(self.0.world.chance.bits()),
            name: name.to_owned(),
            scopes: scopes.words().join(" "),
            created_at: now,
            expires_at: UnixMillis(now.0 + days * DAY),
            used_at: None,
        };
        self.0.store.create_api_token(owner, token.clone(), secret.hash()).await?;
        Ok((token, format!("{PREFIX}{}", secret.into_text())))
    }

    /// Somebody's keys.
    pub async fn tokens(&self, owner: AccountId) -> Result<Vec<ApiToken>, AccountError> {
        Ok(self.0.store.load_api_tokens(owner, self.now()).await?)
    }

    /// Ends a key.
    pub async fn revoke_token(&self, owner: AccountId, id: TokenId) -> Result<(), AccountError> {
        self.0.store.revoke_api_token(owner, id, self.now()).await?;
        self.0.live.close_programs(owner);
        Ok(())
    }

    /// Notes that a key was used, at most once an hour.
    pub(super) async fn note_use(
        &self,
        id: TokenId,
        used_at: Option<UnixMillis>,
    ) -> Result<(), StoreError> {
        let now = self.now();
        if used_at.is_some_and(|used_at| now.0 < used_at.0 + HOUR) {
            return Ok(());
        }
        self.0.store.note_api_token_use(id, now).await
    }
}

/// The hash of a key's text, if it can be one.
pub(super) fn hash_of(text: &str) -> Option<TokenHash> {
    text.strip_prefix(PREFIX).and_then(Token::from_text).map(|token| token.hash())
}

fn check(name: &str, scopes: Scopes, days: i64) -> Result<(), AccountError> {
    let mut problems = Vec::new();
    if name.is_empty() || name.chars().count() > 60 || name.chars().any(char::is_control) {
        problems.push(FieldProblem::new("name", "bad_key_name", "a name has 1 to 60 characters"));
    }
    if scopes == Scopes::default() {
        problems.push(FieldProblem::new(
            "scopes",
            "no_scope",
            "choose what the key may be used for",
        ));
    }
    if !(1..=MOST_DAYS).contains(&days) {
        let detail = format!("a key lives 1 to {MOST_DAYS} days");
        problems.push(FieldProblem::new("days", "bad_days", detail));
    }
    if problems.is_empty() { Ok(()) } else { Err(AccountError::Fields(problems)) }
}

impl Scopes {
    /// The scopes of these words; `None` if one is unknown.
    pub fn from_words<'w>(words: impl IntoIterator<Item = &'w str>) -> Option<Scopes> {
        words.into_iter().try_fold(Scopes::default(), |scopes, word| {
            Some(match word {
                "read" => Scopes { read: true, ..scopes },
                "play" => Scopes { play: true, ..scopes },
                "tournament" => Scopes { tournament: true, ..scopes },
                "admin" => Scopes { admin: true, ..scopes },
                _ => return None,
            })
        })
    }

    /// The scopes in words.
    pub fn words(self) -> Vec<&'static str> {
        let all = [
            ("read", self.read),
            ("play", self.play),
            ("tournament", self.tournament),
            ("admin", self.admin),
        ];
        all.into_iter().filter(|(_, has)| *has).map(|(word, _)| word).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scopes_survive_their_words_and_nothing_else_is_one() {
        for words in
            [vec!["read"], vec!["play", "admin"], vec!["read", "play", "tournament", "admin"]]
        {
            assert_eq!(Scopes::from_words(words.clone()).map(Scopes::words), Some(words));
        }
        assert_eq!(Scopes::from_words(["read", "everything"]), None);
    }

    #[test]
    fn only_a_whole_key_with_its_prefix_has_a_hash() {
        let text = Token::draw(&crate::world::Chance::from_seed(1)).into_text();
        assert!(hash_of(&format!("rook_{text}")).is_some());
        for bad in ["", "rook_", &text, &format!("ROOK_{text}"), &format!("rook_{}", &text[1..])] {
            assert!(hash_of(bad).is_none(), "{bad:?}");
        }
    }
}
