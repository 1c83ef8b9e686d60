//! Events as they are kept: rows and what must be written together. What they mean is the application's to say.

mod read;
mod talk;
mod write;

pub use talk::EventLine;

use rules::{Color, UnixMillis};

use crate::{AccountId, EventId, GameId, NewGame, StoreError};

/// Where an event stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum EventState {
    /// Only those who run it see it.
    Draft,
    /// Players enter.
    Registration,
    /// Players say that they are there.
    CheckIn,
    /// Rounds are played.
    Running,
    /// The table is final.
    Finished,
}

/// Who finds an event.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EventVisibility {
    /// Everybody.
    Public,
    /// Who has the link.
    Unlisted,
    /// Who plays in it or runs it.
    Private,
}

/// Whether somebody plays.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EntryState {
    /// Entered.
    Entered,
    /// Entered, and there.
    CheckedIn,
    /// Plays no more.
    Withdrawn,
}

macro_rules! words {
    ($name:ident, $what:literal, $($variant:ident = $word:literal),*) => {
        impl $name {
            /// In one word.
            pub fn as_str(self) -> &'static str {
                match self { $($name::$variant => $word),* }
            }

            pub(crate) fn parse(text: &str) -> Result<$name, StoreError> {
                match text {
                    $($word => Ok($name::$variant),)*
                    other => Err(StoreError::Damaged(format!(concat!("{:?} is no ", $what), other))),
                }
            }
        }
    };
}
words!(
    EventState,
    "state of an event",
    Draft = "draft",
    Registration = "registration",
    CheckIn = "check_in",
    Running = "running",
    Finished = "finished"
);
words!(
    EventVisibility,
    "visibility",
    Public = "public",
    Unlisted = "unlisted",
    Private = "private"
);
words!(
    EntryState,
    "state of an entry",
    Entered = "entered",
    CheckedIn = "checked_in",
    Withdrawn = "withdrawn"
);

/// An event without its players and rounds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredEvent {
    /// Its name among machines.
    pub id: EventId,
    /// Its name among people.
    pub name: String,
    /// Where it stands.
    pub state: EventState,
    /// Who finds it.
    pub visibility: EventVisibility,
    /// Who made it.
    pub owner: AccountId,
    /// When it begins, if that is known.
    pub starts_at: Option<UnixMillis>,
    /// The regulations: JSON, as the application wrote it.
    pub settings: String,
    /// The number of actions so far.
    pub version: i64,
    /// When the program acts by itself.
    pub due_at: Option<UnixMillis>,
    /// The secret behind the codes on the tables.
    pub table_key: String,
    /// When it was made.
    pub created_at: UnixMillis,
    /// When something was last done.
    pub changed_at: UnixMillis,
}

impl StoredEvent {
    /// The moment by which events are listed: when it begins, or was made if that is open.
    pub fn begins(&self) -> UnixMillis {
        self.starts_at.unwrap_or(self.created_at)
    }
}

/// Somebody who plays.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredEntry {
    /// In the order of entry, from 1.
    pub number: i64,
    /// Whose account, if any.
    pub account: Option<AccountId>,
    /// The name: the account's, if there is one.
    pub name: String,
    /// The pairing number, once the event has begun.
    pub seed: Option<i64>,
    /// Whether they play.
    pub state: EntryState,
    /// JSON, as the application wrote it.
    pub details: String,
    /// When they entered.
    pub entered_at: UnixMillis,
}

/// A board of a round.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredBoard {
    /// From 1.
    pub board: i64,
    /// Who has White.
    pub white: i64,
    /// Who has Black.
    pub black: i64,
    /// The game, if it is played here.
    pub game: Option<GameId>,
    /// The result in a word.
    pub result: Option<String>,
    /// What White says it is.
    pub white_report: Option<String>,
    /// What Black says it is.
    pub black_report: Option<String>,
}

/// A round that was published.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredRound {
    /// From 1.
    pub round: i64,
    /// When.
    pub published_at: UnixMillis,
    /// The boards, the first first.
    pub boards: Vec<StoredBoard>,
    /// Who is free, and what it is called.
    pub byes: Vec<(i64, String)>,
}

/// An event with everything in it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WholeEvent {
    /// Itself.
    pub event: StoredEvent,
    /// Who plays, in the order of entry.
    pub players: Vec<StoredEntry>,
    /// The rounds so far.
    pub rounds: Vec<StoredRound>,
}

/// An event in a list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ListedEvent {
    /// Itself.
    pub event: StoredEvent,
    /// How many play.
    pub players: i64,
    /// How many rounds there were.
    pub rounds: i64,
}

/// Which events to list.
#[derive(Debug, Clone, Default)]
pub struct EventQuery {
    /// What the name contains, in lower case.
    pub name: Option<String>,
    /// Where they stand.
    pub state: Option<EventState>,
    /// Those that begin at this moment or later.
    pub from: Option<UnixMillis>,
    /// Those that begin before this moment.
    pub until: Option<UnixMillis>,
    /// Those in which this account plays or which it made, as far as it may see them.
    pub mine: Option<AccountId>,
    /// Private and unlisted ones and drafts too: for those who run events.
    pub all: bool,
    /// Those that stand behind this one: when it begins, and which it is.
    pub before: Option<(UnixMillis, EventId)>,
    /// How many at most.
    pub limit: i64,
}

/// Something that was done in an event.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EventAction {
    /// The version of the event that it made.
    pub version: i64,
    /// When.
    pub at: UnixMillis,
    /// Who; nobody: the program by itself, or somebody with the code of a table.
    pub actor: Option<AccountId>,
    /// What, in one word.
    pub act: String,
    /// What else there is to say.
    pub detail: String,
    /// What would take it back: JSON, as the application wrote it.
    pub undo: Option<String>,
}

/// What one action changes. All of it is written, or nothing.
#[derive(Debug, Clone)]
pub struct EventChange {
    /// The event as it is now; its version is the one that the action makes.
    pub event: StoredEvent,
    /// Players who are new or changed.
    pub players: Vec<StoredEntry>,
    /// Players who are gone, by number.
    pub removed_players: Vec<i64>,
    /// Rounds that are new, or whose boards or byes changed: written whole.
    pub rounds: Vec<StoredRound>,
    /// Boards whose result or reports changed, with their round.
    pub boards: Vec<(i64, StoredBoard)>,
    /// Rounds that are gone.
    pub removed_rounds: Vec<i64>,
    /// Games that begin with it.
    pub games: Vec<NewGame>,
    /// What was done.
    pub action: EventAction,
}

/// A side of a board as it is written.
fn color_word(color: Color) -> &'static str {
    match color {
        Color::White => "white",
        Color::Black => "black",
    }
}
