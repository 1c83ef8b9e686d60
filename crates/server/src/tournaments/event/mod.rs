//! An event as a value: regulations, players, rounds. What may be done with it is in `act`; it reads no clock and
//! asks nobody.

mod act;
mod arena;
mod berger;
mod bracket;
mod command;
mod keep;
mod model;
mod pace;
mod plan;
mod regulations;
mod standings;
mod timer;

use pairing::PairingNumber;
use rules::{ByColor, Color, UnixMillis};
use serde::{Deserialize, Serialize};
use store::{AccountId, EntryState, EventId, EventState, EventVisibility, GameId};
use utoipa::ToSchema;

pub use act::{Deed, Refused};
pub use command::{BoardPlan, Command, Member, Person, RoundPlan};
pub use keep::{Doing, change_between, from_store, hides_rules, to_new};
pub(crate) use model::{calendar_day, noon_of};
pub(crate) use pace::ARENA_EVERY;
pub use plan::{ByeReason, PlannedBoard, Proposal};
pub use regulations::{
    ArenaRules, Disconnect, EntryRules, FirstColor, KnockoutRules, Pace, PointsTable, Regulations,
    ReportFacts, ResultsBy, SeedingView, Suggestion, System, Withdrawal, suggest_rounds,
};
pub use standings::{Place, Ranking};
pub use timer::{RoundTimer, TimerAct};

/// The number of an entry in its event, from 1.
pub type EntryNumber = u32;

/// How a board ended, as score sheets write it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
pub enum Score {
    /// White won.
    #[serde(rename = "1-0")]
    WhiteWins,
    /// Black won.
    #[serde(rename = "0-1")]
    BlackWins,
    /// Drawn.
    #[serde(rename = "1/2-1/2")]
    Draw,
    /// Black did not come.
    #[serde(rename = "+-")]
    BlackAbsent,
    /// White did not come.
    #[serde(rename = "-+")]
    WhiteAbsent,
    /// Neither came.
    #[serde(rename = "--")]
    BothAbsent,
    /// Played, and lost by both: a decision of the arbiter.
    #[serde(rename = "0-0")]
    BothLose,
    /// Played; half a point for White, none for Black: a decision of the arbiter.
    #[serde(rename = "1/2-0")]
    WhiteHalf,
    /// Played; half a point for Black, none for White: a decision of the arbiter.
    #[serde(rename = "0-1/2")]
    BlackHalf,
}

/// All scores with their words.
const SCORES: [(Score, &str); 9] = [
    (Score::WhiteWins, "1-0"),
    (Score::BlackWins, "0-1"),
    (Score::Draw, "1/2-1/2"),
    (Score::BlackAbsent, "+-"),
    (Score::WhiteAbsent, "-+"),
    (Score::BothAbsent, "--"),
    (Score::BothLose, "0-0"),
    (Score::WhiteHalf, "1/2-0"),
    (Score::BlackHalf, "0-1/2"),
];

impl Score {
    /// As score sheets write it.
    pub fn as_str(self) -> &'static str {
        SCORES.iter().find(|(score, _)| *score == self).map_or("", |(_, word)| word)
    }

    /// Reads it.
    pub fn parse(text: &str) -> Option<Score> {
        SCORES.iter().find(|(_, word)| *word == text).map(|(score, _)| *score)
    }

    /// Whether it was won without a game: somebody, or both, did not come.
    pub fn is_forfeit(self) -> bool {
        matches!(self, Score::BlackAbsent | Score::WhiteAbsent | Score::BothAbsent)
    }

    /// What it says for one side: `1`, `½`, `0`, `+` or `-`.
    pub fn of_side(self, side: Color) -> String {
        let text = self.as_str();
        let halves = if self.is_forfeit() { Some(text.split_at(1)) } else { text.split_once('-') };
        let (white, black) = halves.unwrap_or((text, text));
        let own = if side == Color::White { white } else { black };
        own.replace("1/2", "½")
    }

    /// Whether a player may say this; the rest is for the arbiter.
    pub fn is_usual(self) -> bool {
        matches!(self, Score::WhiteWins | Score::BlackWins | Score::Draw)
    }
}

/// A round without an opponent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum ByeKind {
    /// A full point, on request.
    Full,
    /// Half a point, on request.
    Half,
    /// Nothing: absent, or resting in a round robin.
    Zero,
    /// The bye of the odd player.
    Pairing,
}

impl ByeKind {
    /// In one word.
    pub fn as_str(self) -> &'static str {
        match self {
            ByeKind::Full => "full",
            ByeKind::Half => "half",
            ByeKind::Zero => "zero",
            ByeKind::Pairing => "pairing",
        }
    }

    fn parse(text: &str) -> Option<ByeKind> {
        [ByeKind::Full, ByeKind::Half, ByeKind::Zero, ByeKind::Pairing]
            .into_iter()
            .find(|kind| kind.as_str() == text)
    }

    /// As the pairing knows it.
    pub fn to_pairing(self) -> pairing::Bye {
        match self {
            ByeKind::Full => pairing::Bye::Full,
            ByeKind::Half => pairing::Bye::Half,
            ByeKind::Zero => pairing::Bye::Zero,
            ByeKind::Pairing => pairing::Bye::PairingAllocated,
        }
    }
}

/// A bye that somebody asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct RequestedBye {
    /// For which round.
    pub round: u16,
    /// Which.
    pub bye: ByeKind,
}

/// What is known of a player besides the name.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(default)]
pub struct Details {
    /// The rating by which they are seeded.
    pub rating: Option<u16>,
    /// A title of FIDE: `GM`, `WFM`.
    pub title: Option<String>,
    /// The federation's code.
    pub federation: String,
    /// The number at FIDE.
    pub fide_id: String,
    /// The year of birth.
    pub birth_year: Option<u16>,
    /// The club or school.
    pub club: String,
    /// `m` or `w`, as rating reports ask for it.
    pub sex: Option<String>,
    /// Byes for rounds to come, and those that were granted before.
    pub byes: Vec<RequestedBye>,
}

/// Somebody who plays.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entrant {
    /// In the order of entry.
    pub number: EntryNumber,
    /// Whose account, if any.
    pub account: Option<AccountId>,
    /// The name.
    pub name: String,
    /// The pairing number, once the event has begun.
    pub seed: Option<PairingNumber>,
    /// Whether they play.
    pub state: EntryState,
    /// What else is known.
    pub details: Details,
    /// When they entered.
    pub entered_at: UnixMillis,
}

impl Entrant {
    /// Whether they take part in the rounds to come.
    pub fn plays(&self) -> bool {
        self.state != EntryState::Withdrawn
    }

    /// The bye asked for a round.
    pub fn bye_in(&self, round: u16) -> Option<ByeKind> {
        self.details.byes.iter().find(|bye| bye.round == round).map(|bye| bye.bye)
    }
}

/// A board of a round.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EventBoard {
    /// From 1.
    pub number: u16,
    /// Who sits there.
    pub players: ByColor<EntryNumber>,
    /// The game, if it is played here.
    pub game: Option<GameId>,
    /// How it ended.
    pub result: Option<Score>,
    /// What the players say, until they agree.
    pub reports: ByColor<Option<Score>>,
}

impl EventBoard {
    /// The side of somebody who sits there.
    pub fn side_of(&self, player: EntryNumber) -> Option<Color> {
        Color::ALL.into_iter().find(|side| self.players[*side] == player)
    }
}

/// A round that was published.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EventRound {
    /// From 1.
    pub number: u16,
    /// When.
    pub published_at: UnixMillis,
    /// The boards.
    pub boards: Vec<EventBoard>,
    /// Who is free.
    pub byes: Vec<(EntryNumber, ByeKind)>,
}

impl EventRound {
    /// Whether every board has its result.
    pub fn is_complete(&self) -> bool {
        self.boards.iter().all(|board| board.result.is_some())
    }

    /// A board by its number.
    pub fn board(&self, number: u16) -> Option<&EventBoard> {
        self.boards.iter().find(|board| board.number == number)
    }

    /// Where somebody sits.
    pub fn board_of(&self, player: EntryNumber) -> Option<&EventBoard> {
        self.boards.iter().find(|board| board.side_of(player).is_some())
    }

    /// The bye somebody has.
    pub fn bye_of(&self, player: EntryNumber) -> Option<ByeKind> {
        self.byes.iter().find(|(number, _)| *number == player).map(|(_, bye)| *bye)
    }
}

/// A match of a knockout that was decided other than by its games.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Decision {
    /// Who advances.
    pub winner: EntryNumber,
    /// Who does not.
    pub loser: EntryNumber,
    /// After how many rounds it was made: games before it belong to the match.
    pub after: u16,
}

/// Why an event that moves on by itself does not: it waits for the director.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Standstill {
    /// For programs.
    pub code: String,
    /// For people.
    pub reason: String,
}

/// What an arena must know of a game that was played on another server: its board has no game here.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Elsewhere {
    /// In which wave.
    pub round: u16,
    /// At which board.
    pub board: u16,
    /// How many moves each side made, if that is known.
    pub moves: Option<u16>,
    /// Who halved the clock.
    pub berserks: Vec<EntryNumber>,
}

/// Somebody who judges in one event only.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct EventArbiter {
    /// Who.
    pub account: AccountId,
    /// The name when they were named.
    pub name: String,
}

/// From which device a player's side of a result was reported, until both agree.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Reporter {
    /// In which round.
    pub round: u16,
    /// At which board.
    pub board: u16,
    /// For which side.
    pub side: Color,
    /// The device, as far as it can be known.
    pub device: String,
}

/// An event with everything in it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Event {
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
    /// The regulations.
    pub regulations: Regulations,
    /// Matches that were decided other than by games.
    pub decisions: Vec<Decision>,
    /// The highest number an entry has had. Numbers are not given twice: what names somebody who was taken out, such as
    /// the way back of an action, must not meet somebody else.
    pub last_entry: EntryNumber,
    /// Whom the director has withdrawn: they do not come back by themselves.
    pub barred: Vec<EntryNumber>,
    /// Who did not check in and so does not play: they are back if it begins again.
    pub absent: Vec<EntryNumber>,
    /// Where all games run at once: how many games those who have withdrawn had played by then.
    pub left_after: Vec<(EntryNumber, u16)>,
    /// Swiss: the last player of the accelerated group, once the first round is paired.
    pub last_accelerated: Option<EntryNumber>,
    /// Members who are arbiters of this event alone.
    pub arbiters: Vec<EventArbiter>,
    /// Who has reported a result that the other has not confirmed.
    pub reporters: Vec<Reporter>,
    /// The version at which something changed that is not a result of the last round.
    pub facts: i64,
    /// Arena: who halved the clock in which game.
    pub berserks: Vec<(GameId, EntryNumber)>,
    /// Arena: how many moves each side made in which game.
    pub lengths: Vec<(GameId, u16)>,
    /// Arena: what else is known of games that were played on another server.
    pub elsewhere: Vec<Elsewhere>,
    /// When an arena is over.
    pub ends_at: Option<UnixMillis>,
    /// Whether the first colour was drawn by lot: the regulations then say what was drawn.
    pub lot_drawn: bool,
    /// Whether it was opened again after its end: then it ends when the director says so.
    pub reopened: bool,
    /// The timer of the hall, of the round for which somebody has set it last.
    pub timer: Option<RoundTimer>,
    /// Before the first round: the order of the numbers, if it was drawn or made by hand.
    pub drawn: Vec<EntryNumber>,
    /// Why it does not move on by itself though it should.
    pub stuck: Option<Standstill>,
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
    /// Who plays, in the order of entry.
    pub players: Vec<Entrant>,
    /// The rounds so far.
    pub rounds: Vec<EventRound>,
}

impl Event {
    /// An event of which nothing is known yet.
    pub fn blank(id: EventId, owner: AccountId, table_key: String, now: UnixMillis) -> Event {
        Event {
            id,
            name: String::new(),
            state: EventState::Draft,
            visibility: EventVisibility::Public,
            owner,
            starts_at: None,
            regulations: Regulations::default(),
            decisions: Vec::new(),
            last_entry: 0,
            barred: Vec::new(),
            absent: Vec::new(),
            left_after: Vec::new(),
            last_accelerated: None,
            arbiters: Vec::new(),
            reporters: Vec::new(),
            facts: 0,
            berserks: Vec::new(),
            lengths: Vec::new(),
            elsewhere: Vec::new(),
            ends_at: None,
            lot_drawn: false,
            reopened: false,
            timer: None,
            drawn: Vec::new(),
            stuck: None,
            version: 0,
            due_at: None,
            table_key,
            created_at: now,
            changed_at: now,
            players: Vec::new(),
            rounds: Vec::new(),
        }
    }

    /// Somebody by number.
    pub fn player(&self, number: EntryNumber) -> Option<&Entrant> {
        self.players.iter().find(|player| player.number == number)
    }

    /// Somebody by account.
    pub fn player_of(&self, account: AccountId) -> Option<&Entrant> {
        self.players.iter().find(|player| player.account == Some(account))
    }

    /// Whether somebody judges in this event.
    pub fn is_arbiter(&self, account: AccountId) -> bool {
        self.arbiters.iter().any(|arbiter| arbiter.account == account)
    }

    /// A round by number.
    pub fn round(&self, number: u16) -> Option<&EventRound> {
        self.rounds.iter().find(|round| round.number == number)
    }

    /// The number of the next round.
    pub fn next_round(&self) -> u16 {
        self.rounds.last().map_or(1, |round| round.number.saturating_add(1))
    }

    /// Whether a result of this round may be opened again: no later round was paired because of it.
    pub(crate) fn nothing_rests_on(&self, round: u16) -> bool {
        self.regulations.at_once
            || self.regulations.system == System::Arena
            || round + 1 == self.next_round()
    }

    /// A board by the game that is played at it, with its round.
    pub fn board_of_game(&self, game: GameId) -> Option<(u16, &EventBoard)> {
        let mut rounds = self.rounds.iter();
        rounds.find_map(|round| {
            let board = round.boards.iter().find(|board| board.game == Some(game))?;
            Some((round.number, board))
        })
    }

    /// The games somebody still has to play here.
    pub fn open_games(&self, player: EntryNumber) -> Vec<GameId> {
        let boards = self.rounds.iter().filter_map(|round| round.board_of(player));
        boards.filter(|board| board.result.is_none()).filter_map(|board| board.game).collect()
    }

    /// The games somebody has played, by side and opponent: no forfeits, and none that still runs.
    pub fn played_by(&self, player: EntryNumber) -> impl Iterator<Item = (Color, EntryNumber)> {
        let boards = self.rounds.iter().filter_map(move |round| round.board_of(player));
        let played = boards.filter(|board| board.result.is_some_and(|score| !score.is_forfeit()));
        played.filter_map(move |board| {
            let side = board.side_of(player)?;
            Some((side, board.players[side.other()]))
        })
    }

    /// Whether something else than results of the last round differs from an earlier state: names, regulations,
    /// what was played before. In an arena games end in all waves, which are told as they are.
    pub fn has_other_facts(&self, before: &Event) -> bool {
        let earlier = match self.regulations.system {
            System::Arena => 0,
            _ => self.rounds.len().min(before.rounds.len()).saturating_sub(1),
        };
        self.name != before.name
            || self.visibility != before.visibility
            || self.starts_at != before.starts_at
            || self.regulations != before.regulations
            || self.decisions != before.decisions
            || self.barred != before.barred
            || self.arbiters != before.arbiters
            || self.players != before.players
            || self.rounds[..earlier] != before.rounds[..earlier]
    }

    /// Whether every board of every round has its result.
    pub fn is_complete(&self) -> bool {
        self.rounds.iter().all(EventRound::is_complete)
    }

    /// The players who have a pairing number, by it.
    pub fn seeded(&self) -> Vec<&Entrant> {
        let mut seeded: Vec<&Entrant> =
            self.players.iter().filter(|player| player.seed.is_some()).collect();
        seeded.sort_by_key(|player| player.seed);
        seeded
    }

    /// How many rounds there will be, as far as that is known.
    pub fn total_rounds(&self) -> Option<u16> {
        let players = u16::try_from(self.seeded().len()).unwrap_or(u16::MAX);
        match self.regulations.system {
            System::Swiss => Some(self.regulations.rounds),
            System::RoundRobin | System::DoubleRoundRobin if players >= 2 => {
                Some(suggest_rounds(self.regulations.system, players).rounds)
            }
            // Ties make more rounds than the bracket has.
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_score_is_read_as_it_is_written() {
        for (score, word) in SCORES {
            assert_eq!(Score::parse(word), Some(score));
            assert_eq!(serde_json::to_string(&score).unwrap(), format!("{word:?}"));
            let sides = [score.of_side(Color::White), score.of_side(Color::Black)];
            assert!(
                sides.iter().all(|side| ["1", "½", "0", "+", "-"].contains(&&**side)),
                "{word}"
            );
        }
        assert_eq!(Score::BlackHalf.of_side(Color::Black), "½");
        assert_eq!(Score::BlackAbsent.of_side(Color::Black), "-");
        assert_eq!(Score::parse("2-0"), None);
    }
}
