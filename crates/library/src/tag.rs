//! Tags as the index knows them: a number for a name with its value, so that any tag can be asked for.

use rules::pgn::Tags;

use crate::filter::folded;

/// A tag and its value as a number: the same whatever the case, the marks on letters and the space around them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct TagNumber(pub u32);

/// No game has more of them in the index.
const MOST: usize = 64;

impl TagNumber {
    /// The number of a tag with its value.
    pub fn of(name: &str, value: &str) -> TagNumber {
        let mut hash = 0xcbf2_9ce4_8422_2325_u64;
        for text in [name, value] {
            let text = text.trim();
            if text.is_ascii() {
                text.bytes().for_each(|byte| take(&mut hash, byte.to_ascii_lowercase()));
            } else {
                folded(text).bytes().for_each(|byte| take(&mut hash, byte));
            }
            take(&mut hash, 0);
        }
        let halves = (hash >> 32) ^ (hash & 0xffff_ffff);
        TagNumber(u32::try_from(halves).unwrap_or(0))
    }

    /// The numbers of all tags of a game.
    pub(crate) fn all(tags: &Tags) -> Box<[TagNumber]> {
        tags.iter().take(MOST).map(|(name, value)| TagNumber::of(name, value)).collect()
    }
}

fn take(hash: &mut u64, byte: u8) {
    *hash = (*hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn case_marks_and_space_make_no_difference_but_letters_do() {
        let number = TagNumber::of("Event", "Zürich Open");
        assert_eq!(number, TagNumber::of("event", " ZURICH open"));
        assert_ne!(number, TagNumber::of("Event", "Zürich"));
        assert_ne!(number, TagNumber::of("Site", "Zürich Open"));
        assert_ne!(TagNumber::of("ab", "c"), TagNumber::of("a", "bc"));
    }
}
