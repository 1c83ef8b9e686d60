//! Judging and doing what is asked of an event. The caller works on a copy: what is refused leaves nothing behind.

mod entries;
mod results;
mod rounds;
mod stages;
mod way_back;

pub(crate) use stages::parse_title;

use rules::UnixMillis;
use store::EventState;

use super::{Command, EntryNumber, Event};
use crate::accounts::fields::FieldProblem;

/// What was done, for the log.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Deed {
    /// In one word.
    pub act: &'static str,
    /// What else there is to say.
    pub detail: String,
    /// What would take it back, as long as that makes sense.
    pub undo: Option<Command>,
}

impl Deed {
    pub(super) fn new(act: &'static str, detail: impl Into<String>) -> Deed {
        Deed { act, detail: detail.into(), undo: None }
    }

    fn undone_by(self, undo: Command) -> Deed {
        Deed { undo: Some(undo), ..self }
    }
}

/// Why an event did not do what was asked. It is unchanged.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Refused {
    /// Not at this stage.
    #[error("this cannot be done while the event is in the state {}", .0.as_str())]
    WrongState(EventState),
    /// From here there is no way there.
    #[error("an event cannot go from {} to {}", .from.as_str(), .to)]
    NoSuchStep {
        /// Where it is.
        from: EventState,
        /// Where it should go.
        to: String,
    },
    /// Nobody can play alone.
    #[error("an event needs at least two players")]
    TooFewPlayers,
    /// The event is full.
    #[error("the event is full: {0} may play")]
    Full(u16),
    /// No such player.
    #[error("there is no player {0}")]
    UnknownPlayer(EntryNumber),
    /// No such round or board.
    #[error("there is no such board")]
    UnknownBoard,
    /// In already.
    #[error("in this event already: {0}")]
    Twice(String),
    /// A name is missing or too long.
    #[error("a player needs a name of at most 80 characters")]
    BadName,
    /// Registration is over, or has not begun.
    #[error("nobody can enter now")]
    EntryClosed,
    /// The rules of entry say no.
    #[error("{0}")]
    NotEligible(String),
    /// Who has played stays in the table.
    #[error("{0} has played: let them withdraw instead")]
    HasPlayed(String),
    /// It is so already.
    #[error("it is so already")]
    NothingToDo,
    /// This system has no such byes.
    #[error("in this system nobody can ask for a bye")]
    NoByes,
    /// The round was paired already.
    #[error("round {0} was paired already")]
    RoundPaired(u16),
    /// A result is missing.
    #[error("round {0} still has games without a result")]
    RoundOpen(u16),
    /// All rounds were played.
    #[error("all {0} rounds were played")]
    AllRoundsPlayed(u16),
    /// Another round is next.
    #[error("the next round is {0}: look at the event again")]
    NotNext(u16),
    /// Somebody stands in two places.
    #[error("{0} is paired twice")]
    PairedTwice(String),
    /// Somebody is forgotten.
    #[error("{0} has neither a game nor a bye")]
    NotPaired(String),
    /// Somebody plays a game of the event already.
    #[error("{0} still plays another game of this event")]
    StillPlays(String),
    /// A knockout is drawn once.
    #[error(
        "in a knockout the bracket says who meets whom: only colours and boards can be changed"
    )]
    NotInBracket,
    /// Who is out of a knockout stays out.
    #[error("{0} is out of the bracket and cannot come back")]
    IsOut(String),
    /// The director has said so.
    #[error("the director has withdrawn {0}: ask them to let you play again")]
    Barred(String),
    /// The regulations leave it to the director.
    #[error("in this event the director withdraws players: ask them")]
    DirectorWithdraws,
    /// The regulations want a game to be finished first.
    #[error("in this event players withdraw between their games: finish yours first")]
    GameFirst,
    /// The round rests on a decision of the director.
    #[error("a match was decided after this round: take the decision back first")]
    DecidedSince,
    /// Somebody who does not play now is paired.
    #[error("{0} does not play in this round")]
    NotPlaying(String),
    /// Games have begun.
    #[error("round {0} has begun: there are results or games")]
    RoundBegun(u16),
    /// Later rounds rest on it.
    #[error("later rounds rest on this: take them back first")]
    LaterRounds,
    /// The result comes from the game.
    #[error(
        "this game is played here, and its result comes from it: an arbiter can reopen the game"
    )]
    GameRuns,
    /// Players do not enter results here.
    #[error("in this event the director enters the results")]
    StaffEntersResults,
    /// Not a result a player may claim.
    #[error("only a win, a draw or a loss can be reported")]
    UnusualResult,
    /// It was changed meanwhile.
    #[error("it was changed since")]
    ChangedSince,
    /// Only in a knockout.
    #[error("only a match of a knockout that is ready can be decided")]
    NoMatch,
    /// Games cannot begin with these regulations.
    #[error("the games cannot begin like this: {0}")]
    NoGame(String),
    /// There is nothing to time.
    #[error("there is no round over the board whose timer could do that")]
    NoTimer,
    /// The numbers are those of the table, or everybody is not in the list once.
    #[error("numbers are given to everybody once, before the first round of a table or a bracket")]
    NoNumbers,
    /// A match is level, and the regulations have no more games for it.
    #[error("{0} is level after all its games: draw lots, or decide it")]
    LevelMatch(String),
    /// One telephone speaks for one player.
    #[error("the other player has to say it too, on another device")]
    SameDevice,
    /// Not this kind of player.
    #[error("no programs play in this event unless its regulations let them in: {0}")]
    NoBots(String),
    /// The pairing says no.
    #[error("{0}")]
    NoPairing(String),
    /// This cannot be changed any more.
    #[error("{0} cannot be changed once the event runs")]
    Locked(&'static str),
    /// What was asked makes no sense.
    #[error("some fields are not right")]
    Fields(Vec<FieldProblem>),
}

impl Refused {
    /// The reason, for programs.
    pub fn code(&self) -> &'static str {
        match self {
            Refused::WrongState(_) => "wrong_state",
            Refused::NoSuchStep { .. } => "no_such_step",
            Refused::TooFewPlayers => "too_few_players",
            Refused::Full(_) => "event_full",
            Refused::UnknownPlayer(_) => "unknown_entry",
            Refused::UnknownBoard => "unknown_board",
            Refused::Twice(_) => "entered_already",
            Refused::BadName => "bad_name",
            Refused::EntryClosed => "entry_closed",
            Refused::NotEligible(_) => "not_eligible",
            Refused::HasPlayed(_) => "has_played",
            Refused::NothingToDo => "nothing_to_do",
            Refused::NoByes => "no_byes",
            Refused::RoundPaired(_) => "round_paired",
            Refused::RoundOpen(_) => "round_open",
            Refused::AllRoundsPlayed(_) => "all_rounds_played",
            Refused::NotNext(_) => "not_next",
            Refused::PairedTwice(_) => "paired_twice",
            Refused::NotPaired(_) => "not_paired",
            Refused::StillPlays(_) => "still_plays",
            Refused::NotInBracket => "not_in_bracket",
            Refused::IsOut(_) => "is_out",
            Refused::Barred(_) => "barred",
            Refused::DirectorWithdraws => "director_withdraws",
            Refused::GameFirst => "game_first",
            Refused::DecidedSince => "decided_since",
            Refused::NotPlaying(_) => "not_playing",
            Refused::RoundBegun(_) => "round_begun",
            Refused::LaterRounds => "later_rounds",
            Refused::GameRuns => "game_runs",
            Refused::StaffEntersResults => "staff_enters_results",
            Refused::UnusualResult => "unusual_result",
            Refused::ChangedSince => "changed_since",
            Refused::NoMatch => "no_match",
            Refused::NoBots(_) => "no_bots",
            Refused::NoGame(_) => "no_game",
            Refused::NoTimer => "no_timer",
            Refused::NoNumbers => "no_numbers",
            Refused::LevelMatch(_) => "level_match",
            Refused::SameDevice => "same_device",
            Refused::NoPairing(_) => "no_pairing",
            Refused::Locked(_) => "locked",
            Refused::Fields(_) => "invalid_fields",
        }
    }
}

impl Event {
    /// Does what is asked, or says why not. After a refusal the value may be half changed: work on a copy.
    pub fn act(&mut self, command: Command, now: UnixMillis) -> Result<Deed, Refused> {
        match command {
            Command::Describe { name, visibility, starts_at, regulations } => {
                self.describe(&name, &visibility, starts_at, *regulations)
            }
            Command::Move { state, lot_is_white } => self.go_to(&state, lot_is_white, now),
            Command::Enter { people } => self.enter(people, now),
            Command::Enlist { members, people } => self.enlist(members, people, now),
            Command::Join { account, name, rating, by_staff } => {
                self.join(account, name, rating, by_staff, now)
            }
            Command::NameArbiter { account, name, named } => {
                self.name_arbiter(account, name, named)
            }
            Command::Edit { player, person } => self.edit(player, person),
            Command::Remove { players } => self.remove(&players),
            Command::CheckIn { player, present } => self.check_in(player, present),
            Command::Withdraw { player, by_staff, absent } => {
                self.withdraw(player, by_staff, absent)
            }
            Command::Return { player, by_staff } => self.come_back(player, by_staff),
            Command::SetBye { player, round, bye } => self.set_bye(player, round, bye),
            Command::Number { order, by_lot } => self.number(order, by_lot),
            Command::SetTimer { act, minutes } => self.set_timer(act, minutes, now),
            Command::Publish { plan } => self.publish(&plan, now),
            Command::PublishAll { plans } => self.publish_all(&plans, now),
            Command::Reseat { plan } => self.reseat(&plan),
            Command::Unpair { round, unplayed } => self.unpair(round, unplayed),
            Command::SetResult { round, board, result, reason } => {
                self.set_result(round, board, result, &reason)
            }
            Command::Restore { round, board, from, to } => self.restore(round, board, from, to),
            Command::PutBack { from, to } => self.put_back(&from, *to, now),
            Command::Report { round, board, side, result, device } => {
                self.report((round, board), side, result, device)
            }
            Command::Collect { ended } => self.collect(&ended),
            Command::Follow { games } => self.follow(&games),
            Command::Decide { winner, loser, by_lot } => self.decide(winner, loser, by_lot),
            Command::Undecide { winner, loser } => self.undecide(winner, loser),
            Command::StandStill { version, why } => self.stand_still(version, why),
            Command::Berserk { game, player } => self.berserk(game, player),
        }
    }

    fn in_state(&self, allowed: &[EventState]) -> Result<(), Refused> {
        if allowed.contains(&self.state) { Ok(()) } else { Err(Refused::WrongState(self.state)) }
    }

    fn name_of(&self, player: EntryNumber) -> String {
        self.player(player).map_or_else(|| format!("player {player}"), |player| player.name.clone())
    }
}
