//! Which games somebody asks for, and which they may see.

use std::ops::RangeInclusive;

use rules::opening;
use rules::pgn::GameResult;

use crate::columns::Columns;
use crate::facts::{Source, Speed};
use crate::tag::TagNumber;

/// Which games somebody may see. Whoever asks decides; the index only obeys.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum View {
    /// Every game: for tools that work on files.
    Everything,
    /// All games played here, but private ones.
    Club,
    /// The games of these accounts at services, and those that belong to one owner alone (0 for none).
    Of {
        /// The owner of private games.
        owner: u64,
        /// Accounts at services.
        accounts: Vec<u32>,
        /// The accounts of whoever looks: private games are shown if one of them played.
        looker: Vec<u32>,
    },
    /// Whatever somebody may see: the club's games, those of their accounts, and those that are theirs alone.
    Whole {
        /// The owner of private games.
        owner: u64,
        /// Accounts at services.
        accounts: Vec<u32>,
    },
}

impl View {
    pub(crate) fn shows(&self, columns: &Columns, game: usize) -> bool {
        match self {
            View::Everything => true,
            View::Club => is_open(columns, game),
            View::Of { owner, accounts, looker } => {
                let own = columns.owner[game];
                if own != 0 {
                    return own == *owner;
                }
                let has = |some: &[u32]| has_played(columns, game, some);
                has(accounts) && (!columns.is_private(game) || has(looker))
            }
            View::Whole { owner, accounts } => match columns.owner[game] {
                0 => is_open(columns, game) || has_played(columns, game, accounts),
                own => own == *owner,
            },
        }
    }
}

/// Whether everybody may see a game: played here, and not in private.
fn is_open(columns: &Columns, game: usize) -> bool {
    columns.source(game) == Source::Here && !columns.is_private(game)
}

fn has_played(columns: &Columns, game: usize, accounts: &[u32]) -> bool {
    columns.accounts.iter().any(|side| accounts.contains(&side[game]))
}

/// A side of the board.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Side {
    /// White.
    White,
    /// Black.
    Black,
}

/// How the named player did.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Score {
    /// Won.
    Win,
    /// Drew.
    Draw,
    /// Lost.
    Loss,
}

/// Whose games are asked for.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Subject {
    /// Their accounts at services.
    accounts: Vec<u32>,
    /// Their whole name, folded: so they are called in games without accounts. Empty for nobody.
    name: String,
}

impl Subject {
    /// Somebody with these accounts and this name.
    pub fn new(accounts: Vec<u32>, name: &str) -> Subject {
        Subject { accounts, name: folded(name.trim()) }
    }

    /// Whether this player of a game, told by account (0 for none) and name, is the one.
    pub fn is(&self, account: u32, name: &str) -> bool {
        match account {
            0 => self.is_called(name),
            account => self.accounts.contains(&account),
        }
    }

    fn is_called(&self, name: &str) -> bool {
        !self.name.is_empty() && folded(name) == self.name
    }
}

/// Which games are wanted. What is none asks for nothing.
#[derive(Debug, Clone, Default)]
pub struct Filter {
    /// Whose side and score are meant if no name is asked for. Asks for nothing by itself.
    pub subject: Option<Subject>,
    /// Words of a player's name.
    pub player: Option<String>,
    /// The side that player or the subject has.
    pub side: Option<Side>,
    /// How that player or the subject did.
    pub score: Option<Score>,
    /// Words of the other player's name.
    pub opponent: Option<String>,
    /// The result.
    pub result: Option<GameResult>,
    /// Both ratings lie within.
    pub elo: Option<RangeInclusive<u16>>,
    /// Played within these minutes since 1970.
    pub played: Option<RangeInclusive<i32>>,
    /// How fast.
    pub speed: Option<Speed>,
    /// A code (`B90`, `B`) or words of the opening's name.
    pub opening: Option<String>,
    /// Where it comes from.
    pub source: Option<Source>,
    /// How many plies it has.
    pub plies: Option<RangeInclusive<u16>>,
    /// Tags with their values: it has all of them.
    pub tags: Vec<TagNumber>,
}

impl Filter {
    fn is_empty(&self) -> bool {
        self.player.is_none()
            && self.side.is_none()
            && self.score.is_none()
            && self.opponent.is_none()
            && self.result.is_none()
            && self.elo.is_none()
            && self.played.is_none()
            && self.speed.is_none()
            && self.opening.is_none()
            && self.source.is_none()
            && self.plies.is_none()
            && self.tags.is_empty()
    }
}

/// A filter, ready for the games of one set of columns.
pub(crate) struct Sieve<'c> {
    columns: &'c Columns,
    filter: &'c Filter,
    is_empty: bool,
    player: Option<Vec<bool>>,
    opponent: Option<Vec<bool>>,
    /// Whose side and score are meant, with the names of the dictionary that are theirs.
    subject: Option<(&'c Subject, Vec<bool>)>,
    openings: Option<Vec<bool>>,
}

impl<'c> Sieve<'c> {
    pub(crate) fn new(columns: &'c Columns, filter: &'c Filter) -> Sieve<'c> {
        let named = |words: &Option<String>| {
            let words = folded(words.as_deref()?);
            let names = columns.dictionary.iter();
            Some(names.map(|name| contains_words(&folded(name), &words)).collect())
        };
        let is_theirs =
            filter.player.is_none() && (filter.side.is_some() || filter.score.is_some());
        let subject = filter.subject.as_ref().filter(|_| is_theirs).map(|subject| {
            let names = columns.dictionary.iter();
            (subject, names.map(|name| subject.is_called(name)).collect())
        });
        Sieve {
            columns,
            filter,
            subject,
            is_empty: filter.is_empty(),
            player: named(&filter.player),
            opponent: named(&filter.opponent),
            openings: filter.opening.as_deref().map(openings_like),
        }
    }

    /// Whether everything falls through.
    pub(crate) fn is_open(&self) -> bool {
        self.is_empty
    }

    pub(crate) fn accepts(&self, game: usize) -> bool {
        self.is_empty || self.is_wanted(game)
    }

    fn is_wanted(&self, game: usize) -> bool {
        let Filter { result, elo, played, speed, source, plies, .. } = self.filter;
        let columns = self.columns;
        let within = |elo: &RangeInclusive<u16>| {
            columns.elos(game).iter().all(|known| *known > 0 && elo.contains(known))
        };
        result.is_none_or(|result| columns.result(game) == result)
            && elo.as_ref().is_none_or(within)
            && played.as_ref().is_none_or(|played| played.contains(&columns.played[game]))
            && speed.is_none_or(|speed| columns.speed(game) == Some(speed))
            && source.is_none_or(|source| columns.source(game) == source)
            && plies.as_ref().is_none_or(|plies| plies.contains(&columns.plies[game]))
            && self.has_opening(game)
            && self.has_people(game)
    }

    fn has_opening(&self, game: usize) -> bool {
        let Some(openings) = &self.openings else { return true };
        let number = usize::from(self.columns.opening[game]);
        openings.get(number).copied().unwrap_or(false)
    }

    fn has_people(&self, game: usize) -> bool {
        let Filter { side, score, .. } = self.filter;
        if self.player.is_none() && self.opponent.is_none() && side.is_none() && score.is_none() {
            return true;
        }
        let is = |names: &Option<Vec<bool>>, side: usize| {
            names.as_ref().is_none_or(|names| names[self.columns.names[side][game] as usize])
        };
        let fits = |at: usize| {
            side.is_none_or(|side| side as usize == at)
                && score.is_none_or(|score| score_of(self.columns.result(game), at) == Some(score))
                && is(&self.player, at)
                && self.is_subject(game, at)
                && is(&self.opponent, 1 - at)
        };
        fits(0) || fits(1)
    }

    fn is_subject(&self, game: usize, side: usize) -> bool {
        let Some((subject, names)) = &self.subject else { return true };
        match self.columns.accounts[side][game] {
            0 => names[self.columns.names[side][game] as usize],
            account => subject.accounts.contains(&account),
        }
    }
}

fn score_of(result: GameResult, side: usize) -> Option<Score> {
    match (result, side) {
        (GameResult::Draw, _) => Some(Score::Draw),
        (GameResult::WhiteWins, 0) | (GameResult::BlackWins, 1) => Some(Score::Win),
        (GameResult::WhiteWins | GameResult::BlackWins, _) => Some(Score::Loss),
        (GameResult::Unknown, _) => None,
    }
}

/// The openings whose code begins with the text, or whose name has all its words.
fn openings_like(text: &str) -> Vec<bool> {
    let words = folded(text);
    opening::all()
        .map(|(_, eco, name)| {
            folded(eco).starts_with(words.trim()) || contains_words(&folded(name), &words)
        })
        .collect()
}

/// Text as names are compared: without regard to case and to the marks on letters.
pub fn folded(text: &str) -> String {
    if text.is_ascii() {
        text.to_ascii_lowercase()
    } else {
        deunicode::deunicode(text).to_lowercase()
    }
}

/// Whether a folded text has all these folded words, in whatever order.
pub fn contains_words(text: &str, words: &str) -> bool {
    words.split([' ', ',']).filter(|word| !word.is_empty()).all(|word| text.contains(word))
}
