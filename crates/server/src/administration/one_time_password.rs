//! Passwords that are written on a card and used once: short, easy to type, hard to guess.

use crate::world::Chance;

/// No letter here looks like another or like a digit, in any case.
const LETTERS: &[u8; 28] = b"abcdefghjkmnpqrstuvwxyz23456";

/// Three groups of four characters: 57 bits, more than anybody can try before it has to be changed.
pub fn one_time_password(chance: &Chance) -> String {
    let mut bits = chance.bits();
    let mut group = || -> String {
        (0..4)
            .map(|_| {
                let letter = LETTERS[usize::try_from(bits % 28).unwrap_or(0)];
                bits /= 28;
                char::from(letter)
            })
            .collect()
    };
    format!("{}-{}-{}", group(), group(), group())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_password_is_three_groups_of_plain_letters_and_never_the_same() {
        let chance = Chance::from_seed(3);
        let mut all: Vec<String> = (0..1_000).map(|_| one_time_password(&chance)).collect();
        for password in &all {
            assert_eq!(password.len(), 14, "{password}");
            let plain = password.split('-').flat_map(str::bytes);
            assert!(plain.clone().count() == 12 && plain.into_iter().all(|b| LETTERS.contains(&b)));
        }
        all.sort();
        all.dedup();
        assert_eq!(all.len(), 1_000);
    }
}
