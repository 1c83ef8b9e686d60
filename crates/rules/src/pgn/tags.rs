//! The tags of a game.

/// The seven tags that every game has, in the order in which they are written.
const ROSTER: [&str; 7] = ["Event", "Site", "Date", "Round", "White", "Black", "Result"];

/// Tag pairs: the seven of the roster first, then by name.
///
/// What is not known is not there: `?` in a tag of the roster is how the file says "unknown". The result is no tag
/// either but a field of the game, so that the two cannot disagree.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Tags(Vec<(String, String)>);

impl Tags {
    /// No tags.
    pub fn new() -> Tags {
        Tags::default()
    }

    /// The value of a tag.
    pub fn get(&self, name: &str) -> Option<&str> {
        self.find(name).ok().map(|at| self.0[at].1.as_str())
    }

    /// Sets a tag. The value that means "unknown" removes it, and a name that cannot be written is not set.
    pub fn set(&mut self, name: &str, value: impl Into<String>) {
        let value = plain(value.into());
        let place = self.find(name);
        match place {
            Ok(at) if is_unknown(name, &value) => drop(self.0.remove(at)),
            Ok(at) => self.0[at].1 = value,
            Err(_) if is_unknown(name, &value) || !is_name(name) || name == "Result" => {}
            Err(at) => self.0.insert(at, (name.to_owned(), value)),
        }
    }

    /// The tags in the order in which they are written.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        self.0.iter().map(|(name, value)| (name.as_str(), value.as_str()))
    }

    /// How many tags there are.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Is nothing known?
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    fn find(&self, name: &str) -> Result<usize, usize> {
        let key = order(name);
        self.0.binary_search_by(|(other, _)| order(other).cmp(&key))
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

fn order(name: &str) -> (usize, &str) {
    (ROSTER.iter().position(|&known| known == name).unwrap_or(ROSTER.len()), name)
}

fn is_unknown(name: &str, value: &str) -> bool {
    roster().any(|(known, unknown)| known == name && (value == unknown || value.is_empty()))
}

fn plain(value: String) -> String {
    if value.contains(char::is_control) { value.replace(char::is_control, " ") } else { value }
}
