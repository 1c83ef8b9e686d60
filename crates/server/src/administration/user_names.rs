//! User names made of real names: `Żółkiewska, Anna` becomes `anna.zolkiewska`.

use deunicode::deunicode;

use crate::accounts::check_name;

/// The longest name that still leaves room for a number behind it.
const ROOM: usize = 26;

/// A user name for somebody with this real name, the `attempt`th one from 1; `None` if the name has no letter.
pub fn user_name(real_name: &str, attempt: u32) -> Option<String> {
    let in_order = match real_name.split_once(',') {
        Some((last, first)) => format!("{first} {last}"),
        None => real_name.to_owned(),
    };
    let words: Vec<String> = deunicode(&in_order)
        .split_whitespace()
        .map(|word| {
            let letters = word.chars().filter(char::is_ascii_alphanumeric);
            letters.map(|c| c.to_ascii_lowercase()).collect::<String>()
        })
        .filter(|word| !word.is_empty())
        .collect();
    // People with four names are called by the first and the last.
    let base = match words.as_slice() {
        [] => return None,
        [only] => only.clone(),
        [first, .., last] => format!("{first}.{last}"),
    };
    let base: String = base.chars().take(ROOM).collect();
    let base = base.trim_end_matches('.');
    let name = if attempt > 1 { format!("{base}{attempt}") } else { base.to_owned() };
    // `Bo` is too short: a number makes a name of it. `Admin` is reserved: a number would not make it less misleading.
    let numbered = (name.len() < 4).then(|| format!("{name}.{attempt}"));
    let other = format!("{name}.player{attempt}");
    [Some(name), numbered, Some(other)].into_iter().flatten().find(|name| check_name(name).is_ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(real_name: &str, expected: Option<&str>) {
        assert_eq!(user_name(real_name, 1).as_deref(), expected, "{real_name:?}");
    }

    #[test]
    fn names_of_many_languages_become_plain_ones() {
        check("Anna Nowak", Some("anna.nowak"));
        check("Żółkiewska, Łucja", Some("lucja.zolkiewska"));
        check("Jürgen Groß", Some("jurgen.gross"));
        check("Đorđe Ćirić", Some("dorde.ciric"));
        check("Анна Иванова", Some("anna.ivanova"));
        check("  Mary   Ann  O'Neil-Smith ", Some("mary.oneilsmith"));
        check("王小明", Some("wang.ming"));
    }

    #[test]
    fn what_would_be_no_user_name_is_mended() {
        check("Bo", Some("bo.1"));
        check("A", Some("a.player1"));
        check("Admin", Some("admin.player1"));
        check("", None);
        check("---", None);
        check("Wolfeschlegelsteinhausenbergerdorff Hubert", Some("wolfeschlegelsteinhausenbe"));
    }

    #[test]
    fn a_second_one_of_the_same_name_gets_a_number() {
        assert_eq!(user_name("Anna Nowak", 2).as_deref(), Some("anna.nowak2"));
        assert_eq!(user_name("Anna Nowak", 117).as_deref(), Some("anna.nowak117"));
        assert_eq!(user_name("Bo", 2).as_deref(), Some("bo2.2"));
    }
}
