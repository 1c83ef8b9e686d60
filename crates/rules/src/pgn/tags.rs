//! The tags of a game.

use std::borrow::Cow;

/// The seven tags that every game has, in the order in which they are written.
const ROSTER: [&str; 7] = ["Event", "Site", "Date", "Round", "White", "Black", "Result"];

/// Tag pairs: the seven of the roster first, then by name.
///
/// What is not known is not there: `?` in a tag of the roster is how the file says "unknown". The result is no tag
/// either but a field of the game, so that the two cannot disagree.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Tags(Vec<Tag>);

#[derive(Debug, Clone, PartialEq, Eq)]
struct Tag {
    /// The place in the roster; tags outside it have the place after the last.
    rank: usize,
    /// The names that most games have are borrowed.
    name: Cow<'static, str>,
    value: String,
}

impl Tags {
    /// No tags.
    pub fn new() -> Tags {
        Tags::default()
    }

    /// The value of a tag.
    pub fn get(&self, name: &str) -> Option<&str> {
        self.find(rank(name), name).ok().map(|at| self.0[at].value.as_str())
    }

    /// Sets a tag. The value that means "unknown" removes it, and a name that cannot be written is not set.
    pub fn set(&mut self, name: &str, value: impl Into<String>) {
        let value = plain(value.into());
        let rank = rank(name);
        match self.find(rank, name) {
            Ok(at) if is_unknown(rank, &value) => drop(self.0.remove(at)),
            Ok(at) => self.0[at].value = value,
            Err(at) if is_name(name) && name != "Result" => self.insert(at, rank, name, value),
            Err(_) => {}
        }
    }

    /// Sets a tag unless it is there already, which is the answer.
    ///
    /// Name and value come from a file: the one was checked, the other has lost its control characters.
    pub(super) fn add(&mut self, name: &str, value: Cow<'_, str>) -> bool {
        let rank = rank(name);
        let place = self.find(rank, name);
        if let Err(at) = place {
            self.insert(at, rank, name, value.into_owned());
        }
        place.is_ok()
    }

    fn insert(&mut self, at: usize, rank: usize, name: &str, value: String) {
        if is_unknown(rank, &value) {
            return;
        }
        let name = match ROSTER.get(rank).copied().or_else(|| usual(name)) {
            Some(known) => Cow::Borrowed(known),
            None => Cow::Owned(name.to_owned()),
        };
        self.0.insert(at, Tag { rank, name, value });
    }

    /// Takes a tag away.
    pub fn remove(&mut self, name: &str) {
        if let Ok(at) = self.find(rank(name), name) {
            self.0.remove(at);
        }
    }

    /// The tags in the order in which they are written.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        self.0.iter().map(|tag| (tag.name.as_ref(), tag.value.as_str()))
    }

    /// How many tags there are.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Is nothing known?
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    fn find(&self, rank: usize, name: &str) -> Result<usize, usize> {
        self.0.binary_search_by(|tag| tag.rank.cmp(&rank).then_with(|| tag.name.as_ref().cmp(name)))
    }
}

impl<N: AsRef<str>, V: Into<String>> FromIterator<(N, V)> for Tags {
    fn from_iter<I: IntoIterator<Item = (N, V)>>(pairs: I) -> Tags {
        let mut tags = Tags::new();
        for (name, value) in pairs {
            tags.set(name.as_ref(), value);
        }
        tags
    }
}

/// The tags of the roster with what is written when they are not known; the result is left to the game.
pub(super) fn roster() -> impl Iterator<Item = (&'static str, &'static str)> {
    ROSTER.into_iter().map(|name| (name, if name == "Date" { "????.??.??" } else { "?" }))
}

/// Is it one of the seven?
pub(super) fn is_roster(name: &str) -> bool {
    ROSTER.contains(&name)
}

/// May this stand as the name of a tag?
pub(super) fn is_name(name: &str) -> bool {
    let fits = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
    !name.is_empty() && name.len() <= 255 && name.bytes().all(fits)
}

fn rank(name: &str) -> usize {
    ROSTER.iter().position(|&known| known == name).unwrap_or(ROSTER.len())
}

/// A name outside the roster that very many games have.
fn usual(name: &str) -> Option<&'static str> {
    macro_rules! usual {
        ($($known:literal)*) => {
            match name {
                $($known => Some($known),)*
                _ => None,
            }
        };
    }
    usual!(
        "Annotator" "BlackElo" "BlackFideId" "BlackRatingDiff" "BlackTeam" "BlackTitle" "ECO" "EventDate" "EventType"
        "FEN" "Opening" "PlyCount" "SetUp" "Source" "SourceDate" "Termination" "TimeControl" "UTCDate" "UTCTime"
        "Variant" "Variation" "WhiteElo" "WhiteFideId" "WhiteRatingDiff" "WhiteTeam" "WhiteTitle"
    )
}

fn is_unknown(rank: usize, value: &str) -> bool {
    rank < ROSTER.len() && matches!(value, "" | "?" | "????.??.??")
}

fn plain(value: String) -> String {
    if value.contains(char::is_control) { value.replace(char::is_control, " ") } else { value }
}
