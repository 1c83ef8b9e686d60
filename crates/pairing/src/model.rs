//! A tournament as a value: who plays, what each round gave, and what the regulations say.
//!
//! The same value serves every system. It holds facts only; scores, colours and standings are
//! computed from it, so there is nothing that can disagree. Byes for rounds that have not been
//! paired yet stand apart from the rounds ([`Tournament::byes`]), so a player's list of entries
//! has exactly one entry for every round that was paired.

mod acceleration;
mod check;
mod entries;
mod points;
mod round;
mod scoring;

use std::fmt;

use serde::{Deserialize, Serialize};

pub use acceleration::Acceleration;
pub use check::ModelError;
pub use entries::number_by_strength;
pub use points::{NoPoints, Points};
pub use round::{Board, BoardResult, RoundPairing};
pub use scoring::Scoring;

/// The most players a tournament can have.
pub const MAX_PLAYERS: usize = 10_000;

/// A player's number in the initial order (TPN), from 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct PairingNumber(pub u16);

impl fmt::Display for PairingNumber {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(out)
    }
}

/// The number of a round, from 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct RoundNumber(pub u16);

impl RoundNumber {
    /// The round at this place of a list, the first being 0.
    pub fn from_index(index: usize) -> RoundNumber {
        RoundNumber(u16::try_from(index + 1).unwrap_or(u16::MAX))
    }

    /// The round's place in a list, the first being 0.
    pub fn index(self) -> usize {
        usize::from(self.0).saturating_sub(1)
    }
}

impl fmt::Display for RoundNumber {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(out)
    }
}

/// The colour of the pieces.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Colour {
    /// The side that begins.
    White,
    /// The other side.
    Black,
}

impl Colour {
    /// The other colour.
    #[must_use]
    pub const fn other(self) -> Colour {
        match self {
            Colour::White => Colour::Black,
            Colour::Black => Colour::White,
        }
    }
}

/// How a game ended for one of its players.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum GameResult {
    /// Won.
    Win,
    /// Drawn.
    Draw,
    /// Lost.
    Loss,
}

/// A round without an opponent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Bye {
    /// Full-point bye, on request (`F`).
    Full,
    /// Half-point bye, on request (`H`).
    Half,
    /// Zero-point bye: absent, withdrawn or not yet arrived (`Z`).
    Zero,
    /// The bye the pairing gives to the odd player (`U`).
    PairingAllocated,
}

/// What one round was for one player.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Entry {
    /// A game over the board.
    Game {
        /// Against whom.
        opponent: PairingNumber,
        /// With which pieces.
        colour: Colour,
        /// With which end.
        result: GameResult,
        /// Whether it counts for rating; a game of less than a move does not (`W`, `D`, `L`).
        rated: bool,
    },
    /// Paired, but one or both did not come: not a game, no colour, the two may meet later.
    Forfeit {
        /// Against whom it would have been.
        opponent: PairingNumber,
        /// With which pieces it would have been, if the file says so.
        colour: Option<Colour>,
        /// Whether this player was there.
        won: bool,
    },
    /// No opponent.
    Bye(Bye),
}

impl Entry {
    /// Whether a game was played over the board.
    pub const fn is_played(&self) -> bool {
        matches!(self, Entry::Game { .. })
    }

    /// Whether the player took part in the pairing of the round: game, forfeit or pairing-allocated bye.
    pub const fn is_paired(&self) -> bool {
        !matches!(self, Entry::Bye(Bye::Full | Bye::Half | Bye::Zero))
    }

    /// The opponent of a game played over the board.
    pub const fn opponent_met(&self) -> Option<PairingNumber> {
        match self {
            Entry::Game { opponent, .. } => Some(*opponent),
            _ => None,
        }
    }

    /// The opponent by the pairing, whether the game was played or not.
    pub const fn opponent_paired(&self) -> Option<PairingNumber> {
        match self {
            Entry::Game { opponent, .. } | Entry::Forfeit { opponent, .. } => Some(*opponent),
            Entry::Bye(_) => None,
        }
    }

    /// The colour of a game played over the board.
    pub const fn colour_played(&self) -> Option<Colour> {
        match self {
            Entry::Game { colour, .. } => Some(*colour),
            _ => None,
        }
    }
}

/// A player's sex, as rating reports ask for it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Sex {
    /// `m` in files.
    Man,
    /// `w` in files.
    Woman,
}

/// A title of FIDE, the strongest first: this is also their order in the starting list.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "UPPERCASE")]
#[expect(missing_docs, reason = "the abbreviations are the names")]
pub enum Title {
    Gm,
    Im,
    Wgm,
    Fm,
    Wim,
    Cm,
    Wfm,
    Wcm,
}

/// A player and all rounds so far.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Player {
    /// Place in the initial order.
    pub number: PairingNumber,
    /// `Last, First`.
    pub name: String,
    /// Sex, if known.
    pub sex: Option<Sex>,
    /// Title, if any.
    pub title: Option<Title>,
    /// Rating, if any.
    pub rating: Option<u16>,
    /// Federation code, or empty.
    pub federation: String,
    /// FIDE identity number as written, or empty.
    pub fide_id: String,
    /// Date of birth as written (`YYYY/MM/DD`), or empty.
    pub birth: String,
    /// Rank as the file gives it; information only.
    pub rank: Option<u16>,
    /// One entry for every round that was paired.
    pub rounds: Vec<Entry>,
}

impl Player {
    /// A player of whom only number, name and rating are known.
    pub fn new(number: PairingNumber, name: impl Into<String>, rating: Option<u16>) -> Player {
        Player {
            number,
            name: name.into(),
            sex: None,
            title: None,
            rating,
            federation: String::new(),
            fide_id: String::new(),
            birth: String::new(),
            rank: None,
            rounds: Vec::new(),
        }
    }
}

/// Players none of whom may meet another of the group.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ForbiddenGroup {
    /// First and last round for which it holds; all rounds if absent.
    pub rounds: Option<(RoundNumber, RoundNumber)>,
    /// The group.
    pub players: Vec<PairingNumber>,
}

impl ForbiddenGroup {
    /// Whether the group counts in a round.
    pub fn holds_in(&self, round: RoundNumber) -> bool {
        self.rounds.is_none_or(|(first, last)| (first..=last).contains(&round))
    }
}

/// A bye, known beforehand, for a round that has not been paired yet.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct AnnouncedBye {
    /// In which round.
    pub round: RoundNumber,
    /// For whom.
    pub player: PairingNumber,
    /// Which.
    pub bye: Bye,
}

/// Points given against the scoring by the arbiter: penalties, gifts, special values (TRF-2026, 299).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct AbnormalPoints {
    /// The code of the result whose value is replaced; if absent, the points are added.
    pub replaces: Option<char>,
    /// The points.
    pub points: Points,
    /// The round; all rounds if absent.
    pub round: Option<RoundNumber>,
    /// The players; all if empty.
    pub players: Vec<PairingNumber>,
}

/// What decides the initial order.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum InitialOrder {
    /// The pairing numbers.
    #[default]
    Number,
    /// The rank column (`XXC rank`).
    Rank,
}

/// The event as the report describes it. Information only.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[expect(missing_docs, reason = "the names say it")]
pub struct Header {
    pub name: String,
    pub city: String,
    pub federation: String,
    pub start_date: String,
    pub end_date: String,
    /// Free text (092).
    pub kind: String,
    pub chief_arbiter: String,
    pub deputies: Vec<String>,
    pub time_control: String,
    /// The dates of the rounds, as written.
    pub round_dates: Vec<String>,
    /// Lines this crate does not interpret (teams, national ratings, comments), kept for writing.
    pub other_lines: Vec<String>,
}

/// A tournament: regulations, players, results.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tournament {
    /// What the report says about the event.
    pub header: Header,
    /// The players, by number.
    pub players: Vec<Player>,
    /// The points system.
    pub scoring: Scoring,
    /// How many rounds there will be, if known.
    pub total_rounds: Option<u16>,
    /// The colour of the first player in round 1, if known.
    pub initial_colour: Option<Colour>,
    /// What the initial order is taken from.
    pub initial_order: InitialOrder,
    /// Fictitious points.
    pub acceleration: Acceleration,
    /// Who must not meet.
    pub forbidden: Vec<ForbiddenGroup>,
    /// Byes of rounds that are still to be paired.
    pub byes: Vec<AnnouncedBye>,
    /// Points given against the scoring.
    pub abnormal: Vec<AbnormalPoints>,
    /// The pairing system by its code (192), such as `FIDE_DUTCH_2026`, or empty.
    pub system: String,
    /// Tie-breaks in order, such as `BH/C1,BH,SB` (202 or 212), or empty.
    pub tie_breaks: String,
}

impl Tournament {
    /// The number of rounds paired so far.
    pub fn rounds_paired(&self) -> u16 {
        let rounds = self.players.iter().map(|player| player.rounds.len()).max().unwrap_or(0);
        u16::try_from(rounds).unwrap_or(u16::MAX)
    }

    /// The round that would be paired next.
    pub fn next_round(&self) -> RoundNumber {
        RoundNumber(self.rounds_paired().saturating_add(1))
    }

    /// The number of rounds of the whole event; without better knowledge those paired so far.
    pub fn rounds_in_all(&self) -> u16 {
        self.total_rounds.unwrap_or(0).max(self.rounds_paired())
    }

    /// The points of one round, special assignments included.
    pub fn points_in(&self, player: &Player, round: RoundNumber) -> Points {
        let Some(entry) = player.rounds.get(round.index()) else { return Points::ZERO };
        let mut points = self.scoring.points(entry);
        for given in &self.abnormal {
            let meant = given.round.is_none_or(|only| only == round)
                && (given.players.is_empty() || given.players.contains(&player.number));
            match given.replaces {
                _ if !meant => {}
                None => points += given.points,
                Some(code) if has_code(*entry, code) => points = given.points,
                Some(_) => {}
            }
        }
        points
    }

    /// The points after the first `rounds` rounds, without fictitious ones.
    pub fn score_after(&self, player: &Player, rounds: u16) -> Points {
        if self.abnormal.is_empty() {
            let counted = player.rounds.iter().take(usize::from(rounds));
            return counted.map(|entry| self.scoring.points(entry)).sum();
        }
        (1..=rounds).map(|round| self.points_in(player, RoundNumber(round))).sum()
    }

    /// The points so far, without fictitious ones.
    pub fn score(&self, player: &Player) -> Points {
        self.score_after(player, u16::try_from(player.rounds.len()).unwrap_or(u16::MAX))
    }

    /// The fictitious points of a player when this round is paired.
    pub fn fictitious_points(&self, player: PairingNumber, round: RoundNumber) -> Points {
        let total = self.total_rounds.unwrap_or_else(|| self.rounds_paired());
        self.acceleration.points(player, round, total, &self.scoring)
    }

    /// The bye a player has been granted for a round still to be paired.
    pub fn announced_bye(&self, player: PairingNumber, round: RoundNumber) -> Option<Bye> {
        let wanted = |bye: &&AnnouncedBye| bye.player == player && bye.round == round;
        self.byes.iter().find(wanted).map(|bye| bye.bye)
    }

    /// The initial colour, from the record or from what the first round shows.
    ///
    /// The first player who has a colour in round 1 shows it: with an odd place among those who
    /// were paired it is his own, with an even one the other.
    pub fn initial_colour(&self) -> Option<Colour> {
        self.initial_colour.or_else(|| {
            let mut paired: Vec<&Player> = self
                .players
                .iter()
                .filter(|player| player.rounds.first().is_some_and(Entry::is_paired))
                .collect();
            paired.sort_by_key(|player| self.order_key(player));
            paired.iter().zip(1..).find_map(|(player, place)| {
                let colour = match player.rounds.first()? {
                    Entry::Game { colour, .. } => *colour,
                    Entry::Forfeit { colour, .. } => (*colour)?,
                    Entry::Bye(_) => return None,
                };
                Some(if place % 2 == 1 { colour } else { colour.other() })
            })
        })
    }

    /// What to sort players by to get the initial order.
    pub fn order_key(&self, player: &Player) -> (u16, PairingNumber) {
        match (self.initial_order, player.rank) {
            (InitialOrder::Rank, Some(rank)) => (rank, player.number),
            (InitialOrder::Rank, None) => (u16::MAX, player.number),
            (InitialOrder::Number, _) => (0, player.number),
        }
    }

    /// Where each number stands in [`Tournament::players`].
    pub fn places(&self) -> Places {
        let size =
            self.players.iter().map(|player| usize::from(player.number.0) + 1).max().unwrap_or(0);
        let mut places = vec![None; size];
        for (place, player) in self.players.iter().enumerate() {
            places[usize::from(player.number.0)] = Some(place);
        }
        Places(places)
    }
}

/// Where each pairing number stands in the list of players.
#[derive(Debug, Clone, Default)]
pub struct Places(Vec<Option<usize>>);

impl Places {
    /// The place of a number, from 0.
    pub fn of(&self, number: PairingNumber) -> Option<usize> {
        self.0.get(usize::from(number.0)).copied().flatten()
    }
}

/// Whether a result code of a TRF file describes this entry.
fn has_code(entry: Entry, code: char) -> bool {
    match entry {
        Entry::Game { result: GameResult::Win, .. } => code == 'W',
        Entry::Game { result: GameResult::Draw, .. } => code == 'D',
        Entry::Game { result: GameResult::Loss, .. } => code == 'L',
        Entry::Forfeit { won: true, .. } => code == '+',
        Entry::Forfeit { won: false, .. } => code == '-',
        Entry::Bye(Bye::Full) => code == 'F',
        Entry::Bye(Bye::Half) => code == 'H',
        Entry::Bye(Bye::Zero) => code == 'Z',
        Entry::Bye(Bye::PairingAllocated) => code == 'P',
    }
}
