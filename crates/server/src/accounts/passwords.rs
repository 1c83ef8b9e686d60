//! Passwords: which ones are good enough, by the profile of the club.

use std::collections::HashSet;
use std::sync::LazyLock;

use unicode_normalization::UnicodeNormalization as _;

use super::fields::FieldProblem;
use crate::config::PasswordProfile;

/// Passwords that are tried first by everybody who tries: from published lists of the most frequent ones, in lower case.
static COMMON: LazyLock<HashSet<&str>> =
    LazyLock::new(|| include_str!("common-passwords.txt").lines().collect());

/// The most characters of a password: enough for any sentence, too few to keep the server busy.
const LONGEST: usize = 128;
/// A word around which a password must not be built has at least this many characters.
const SHORTEST_CONTEXT: usize = 4;
/// What has to be left of a password without the words that everybody knows.
const LEFT_OVER: usize = 5;

/// Why a password is not good enough.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum WeakPassword {
    /// Too short.
    #[error("a password has at least {0} characters")]
    TooShort(usize),
    /// Too long.
    #[error("a password has at most {LONGEST} characters")]
    TooLong,
    /// Everybody's password.
    #[error(
        "this is one of the passwords that are tried first; choose something only you would think of"
    )]
    Common,
    /// Built from what everybody knows about the account.
    #[error("a password is not made of your name, your address or the club's name")]
    Context,
    /// The classic profile asks for it.
    #[error("a password has at least one capital letter")]
    NoCapital,
    /// The classic profile asks for it.
    #[error("a password has at least one digit")]
    NoDigit,
}

impl WeakPassword {
    /// The reason in one word, for programs.
    pub fn code(self) -> &'static str {
        match self {
            WeakPassword::TooShort(_) => "password_too_short",
            WeakPassword::TooLong => "password_too_long",
            WeakPassword::Common => "password_common",
            WeakPassword::Context => "password_context",
            WeakPassword::NoCapital => "password_no_capital",
            WeakPassword::NoDigit => "password_no_digit",
        }
    }

    pub(crate) fn problem(self, field: &str) -> FieldProblem {
        FieldProblem::new(field, self.code(), self.to_string())
    }
}

/// The same password whichever keyboard wrote it: `é` is one character or two, depending on the system.
pub(crate) fn normalize(password: &str) -> String {
    password.nfkc().collect()
}

/// Whether a password is good enough; `context` is what everybody knows about the account.
pub fn check_password(
    profile: PasswordProfile,
    password: &str,
    context: &[&str],
) -> Result<(), WeakPassword> {
    let password = normalize(password);
    let length = password.chars().count();
    let shortest = match profile {
        PasswordProfile::Modern => 8,
        PasswordProfile::Classic => 6,
    };
    if length < shortest {
        return Err(WeakPassword::TooShort(shortest));
    }
    if length > LONGEST {
        return Err(WeakPassword::TooLong);
    }
    match profile {
        PasswordProfile::Modern => check_modern(&password.to_lowercase(), context),
        PasswordProfile::Classic => check_classic(&password),
    }
}

fn check_classic(password: &str) -> Result<(), WeakPassword> {
    if !password.chars().any(char::is_uppercase) {
        return Err(WeakPassword::NoCapital);
    }
    if !password.chars().any(char::is_numeric) {
        return Err(WeakPassword::NoDigit);
    }
    Ok(())
}

fn check_modern(password: &str, context: &[&str]) -> Result<(), WeakPassword> {
    // `password1!` is `password` to whoever guesses.
    let core = password.trim_matches(|c: char| !c.is_alphabetic());
    if COMMON.contains(password) || COMMON.contains(core) || is_monotonous(password) {
        return Err(WeakPassword::Common);
    }
    let words = context.iter().flat_map(|text| words_of(text)).chain(["rookery".to_owned()]);
    let mut words: Vec<String> = words.collect();
    // The longest first: taking `rook` out of `rookery` would hide it.
    words.sort_by_key(|word| std::cmp::Reverse(word.len()));
    let left = words.into_iter().fold(password.to_owned(), |left, word| left.replace(&word, ""));
    let is_context = left.len() < password.len() && left.chars().count() < LEFT_OVER;
    if is_context { Err(WeakPassword::Context) } else { Ok(()) }
}

/// The text as a whole and its parts, in lower case, if they are long enough to be recognised.
fn words_of(text: &str) -> Vec<String> {
    let text = text.to_lowercase();
    let parts = text.split(|c: char| !c.is_alphanumeric()).map(str::to_owned).collect::<Vec<_>>();
    let mut words: Vec<String> = std::iter::once(text).chain(parts).collect();
    words.retain(|word| word.chars().count() >= SHORTEST_CONTEXT);
    words
}

/// One or two different characters, or a run like `abcdefgh` or `87654321`.
fn is_monotonous(password: &str) -> bool {
    let codes: Vec<i64> = password.chars().map(|c| i64::from(u32::from(c))).collect();
    let is_run = |step: i64| codes.windows(2).all(|pair| pair[1] - pair[0] == step);
    codes.iter().collect::<HashSet<_>>().len() < 3 || is_run(1) || is_run(-1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn modern(password: &str, expected: Result<(), WeakPassword>) {
        let context = ["Magnolia", "magnolia.lee@example.org", "Rook End"];
        let found = check_password(PasswordProfile::Modern, password, &context);
        assert_eq!(found, expected, "{password:?}");
    }

    #[test]
    fn modern_passwords_are_long_enough_and_nobody_s_first_guess() {
        modern("bishop takes h7", Ok(()));
        modern("zażółć gęślą jaźń", Ok(()));
        modern("♜♞♝♛♚♝♞♜♟", Ok(()));
        modern("seven77", Err(WeakPassword::TooShort(8)));
        modern(&"ab c".repeat(33), Err(WeakPassword::TooLong));
        modern(&"ab c".repeat(32), Ok(()));
        for common in ["password", "Password1!", "12345678", "qwertyuiop", "iloveyou", "aaaaaaaaa"]
        {
            modern(common, Err(WeakPassword::Common));
        }
        for common in ["abcdefghij", "98765432", "1212121212", "schachmatt", "Checkmate!!"] {
            modern(common, Err(WeakPassword::Common));
        }
    }

    #[test]
    fn what_everybody_knows_about_somebody_is_no_password() {
        for context in ["magnolia", "Magnolia1987", "lee-magnolia", "rookery2026", "rook end 1"] {
            modern(context, Err(WeakPassword::Context));
        }
        modern("magnolia blossoms in May", Ok(()));
    }

    #[test]
    fn the_classic_profile_counts_kinds_of_characters() {
        let check = |password: &str, expected| {
            assert_eq!(check_password(PasswordProfile::Classic, password, &[]), expected);
        };
        check("Abcde1", Ok(()));
        check("Abc1", Err(WeakPassword::TooShort(6)));
        check("abcdef1", Err(WeakPassword::NoCapital));
        check("Abcdefg", Err(WeakPassword::NoDigit));
    }

    #[test]
    fn both_ways_to_write_an_accent_are_the_same_password() {
        assert_eq!(normalize("caf\u{e9}"), normalize("cafe\u{301}"));
    }
}
