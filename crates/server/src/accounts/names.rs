//! User names: which texts can be one.
//!
//! The safe set is ASCII: letters that look alike in other alphabets, marks that turn the direction of writing and
//! characters that cannot be seen do not exist in it, so two names that differ look different everywhere.

use super::fields::FieldProblem;

/// The fewest characters of a name.
const SHORTEST: usize = 4;
/// The most characters of a name.
const LONGEST: usize = 30;

/// Names that would be mistaken for the club itself or for parts of its pages.
const RESERVED: &[&str] = &[
    "abuse",
    "account",
    "admin",
    "administrator",
    "admins",
    "anonymous",
    "api",
    "arbiter",
    "billing",
    "computer",
    "contact",
    "deleted",
    "director",
    "engine",
    "everybody",
    "everyone",
    "formermember",
    "guest",
    "guests",
    "help",
    "hostmaster",
    "info",
    "login",
    "mail",
    "mailer",
    "member",
    "moderator",
    "moderators",
    "nobody",
    "noreply",
    "null",
    "official",
    "operator",
    "owner",
    "player",
    "postmaster",
    "referee",
    "rookery",
    "root",
    "security",
    "server",
    "setup",
    "signup",
    "staff",
    "superuser",
    "support",
    "sysadmin",
    "system",
    "team",
    "undefined",
    "unknown",
    "user",
    "webmaster",
    "white",
    "black",
];

/// Why a text is no user name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum BadName {
    /// Too short.
    #[error("a user name has at least {SHORTEST} characters")]
    TooShort,
    /// Too long.
    #[error("a user name has at most {LONGEST} characters")]
    TooLong,
    /// White space.
    #[error("a user name has no spaces")]
    HasSpace,
    /// Characters that cannot be seen or that change the direction of writing.
    #[error("a user name has no invisible characters")]
    HasHidden,
    /// Characters that could be mistaken for others.
    #[error("a user name has only the letters A to Z, digits, and _ - . between them")]
    HasForeign,
    /// Punctuation where a letter or digit belongs.
    #[error("a user name begins and ends with a letter or digit, with single _ - . between them")]
    BadPunctuation,
    /// A name the club keeps for itself.
    #[error("this name is reserved")]
    Reserved,
}

impl BadName {
    /// The reason in one word, for programs.
    pub fn code(self) -> &'static str {
        match self {
            BadName::TooShort => "name_too_short",
            BadName::TooLong => "name_too_long",
            BadName::HasSpace => "name_has_space",
            BadName::HasHidden => "name_has_hidden_character",
            BadName::HasForeign => "name_has_foreign_character",
            BadName::BadPunctuation => "name_bad_punctuation",
            BadName::Reserved => "name_reserved",
        }
    }

    pub(crate) fn problem(self) -> FieldProblem {
        FieldProblem::new("name", self.code(), self.to_string())
    }
}

/// Whether a text can be a user name.
pub fn check_name(name: &str) -> Result<(), BadName> {
    // What is wrong with a character is said before the length: it is what the writer cannot see.
    if name.chars().any(char::is_whitespace) {
        return Err(BadName::HasSpace);
    }
    if name.chars().any(is_hidden) {
        return Err(BadName::HasHidden);
    }
    let is_mark = |c: char| matches!(c, '_' | '-' | '.');
    if !name.chars().all(|c| c.is_ascii_alphanumeric() || is_mark(c)) {
        return Err(BadName::HasForeign);
    }
    match name.len() {
        ..SHORTEST => return Err(BadName::TooShort),
        SHORTEST..=LONGEST => {}
        _ => return Err(BadName::TooLong),
    }
    let ends_in_mark = name.starts_with(is_mark) || name.ends_with(is_mark);
    let doubled = name.as_bytes().windows(2).any(|pair| pair.iter().all(|&b| is_mark(b.into())));
    if ends_in_mark || doubled {
        return Err(BadName::BadPunctuation);
    }
    if RESERVED.contains(&plain(name).as_str()) { Err(BadName::Reserved) } else { Ok(()) }
}

/// Control characters, marks of direction, joiners, and what else takes no place on the screen.
fn is_hidden(c: char) -> bool {
    c.is_control()
        || matches!(c,
            '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}'..='\u{1160}' | '\u{17b4}'..='\u{17b5}'
            | '\u{180b}'..='\u{180f}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}' | '\u{3164}' | '\u{fe00}'..='\u{fe0f}' | '\u{feff}'
            | '\u{ffa0}' | '\u{fff0}'..='\u{fffb}' | '\u{e0000}'..='\u{e0fff}')
}

/// The name without what is easily overlooked, `Adm1n_` like `admin`: for comparing with reserved names.
fn plain(name: &str) -> String {
    name.chars()
        .filter(char::is_ascii_alphanumeric)
        .map(|c| match c.to_ascii_lowercase() {
            '0' => 'o',
            '1' => 'i',
            '3' => 'e',
            '5' => 's',
            other => other,
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(name: &str, expected: Result<(), BadName>) {
        assert_eq!(check_name(name), expected, "{name:?}");
    }

    #[test]
    fn ordinary_names_are_names() {
        for name in ["Anna", "rook_lift", "J.Kowalski", "e4-e5", "x".repeat(30).as_str(), "2024"] {
            check(name, Ok(()));
        }
    }

    #[test]
    fn each_thing_that_can_be_wrong_has_its_own_reason() {
        check("", Err(BadName::TooShort));
        check("Bob", Err(BadName::TooShort));
        check(&"x".repeat(31), Err(BadName::TooLong));
        check("Anna Lee", Err(BadName::HasSpace));
        check("Anna\tLee", Err(BadName::HasSpace));
        check("Anna\u{a0}", Err(BadName::HasSpace));
        check("Anna\r\nSet-Cookie: x", Err(BadName::HasSpace));
        check("Anna\0", Err(BadName::HasHidden));
        check("\u{202e}annA", Err(BadName::HasHidden));
        check("An\u{200b}na", Err(BadName::HasHidden));
        check("Аnna", Err(BadName::HasForeign)); // The first letter is Cyrillic.
        check("Žofia", Err(BadName::HasForeign));
        check("<b>anna</b>", Err(BadName::HasForeign));
        check("anna@club", Err(BadName::HasForeign));
        check("_anna", Err(BadName::BadPunctuation));
        check("anna.", Err(BadName::BadPunctuation));
        check("an--na", Err(BadName::BadPunctuation));
    }

    #[test]
    fn nobody_can_pose_as_the_club() {
        for name in ["admin", "Admin", "ADM1N", "a.d.m.i.n", "r00t", "Guest", "Former-Member"] {
            check(name, Err(BadName::Reserved));
        }
    }
}
