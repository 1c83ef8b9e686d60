//! Results: entered, reported by the players, corrected; matches decided; clocks halved.

use rules::{ByColor, Color};
use store::{EventState, GameId};

use super::super::{
    Command, Decision, EntryNumber, Event, EventBoard, Reporter, ResultsBy, Score, System,
};
use super::{Deed, Refused};

/// The longest reason of a correction.
const LONGEST_REASON: usize = 300;

impl Event {
    fn board_mut(&mut self, round: u16, board: u16) -> Result<&mut EventBoard, Refused> {
        let round = self.rounds.iter_mut().find(|found| found.number == round);
        let boards = round.into_iter().flat_map(|round| &mut round.boards);
        boards.into_iter().find(|found| found.number == board).ok_or(Refused::UnknownBoard)
    }

    /// The result a board has before anybody plays: who has withdrawn loses by forfeit.
    pub fn preset_result(&self, players: ByColor<EntryNumber>) -> Option<Score> {
        let is_away = |side| self.player(players[side]).is_none_or(|player| !player.plays());
        match (is_away(Color::White), is_away(Color::Black)) {
            (false, false) => None,
            (true, false) => Some(Score::WhiteAbsent),
            (false, true) => Some(Score::BlackAbsent),
            (true, true) => Some(Score::BothAbsent),
        }
    }

    pub(super) fn set_result(
        &mut self,
        round: u16,
        board: u16,
        result: Option<Score>,
        reason: &str,
    ) -> Result<Deed, Refused> {
        self.in_state(&[EventState::Running])?;
        self.check_bracket_stays(round)?;
        let may_open = self.nothing_rests_on(round);
        let found = self.board_mut(round, board)?;
        if found.result == result {
            return Err(Refused::NothingToDo);
        }
        if result.is_none() && !may_open {
            return Err(Refused::LaterRounds);
        }
        if result.is_none() && found.game.is_some() {
            return Err(Refused::GameRuns);
        }
        let before = found.result;
        found.result = result;
        found.reports = ByColor::same(None);
        let names = found.players;
        self.reporters.retain(|other| (other.round, other.board) != (round, board));
        let (white, black) = (self.name_of(names.white), self.name_of(names.black));
        let word = result.map_or("open", Score::as_str);
        let was = before.map_or(String::new(), |before| format!(" (was {})", before.as_str()));
        let why = reason.trim().chars().take(LONGEST_REASON).collect::<String>();
        let why = if why.is_empty() { why } else { format!(": {why}") };
        let detail = format!("round {round}, board {board}: {white} – {black} {word}{was}{why}");
        let act = if before.is_some() { "result_corrected" } else { "result_set" };
        Ok(Deed::new(act, detail).undone_by(Command::Restore {
            round,
            board,
            from: result,
            to: before,
        }))
    }

    pub(super) fn restore(
        &mut self,
        round: u16,
        board: u16,
        from: Option<Score>,
        to: Option<Score>,
    ) -> Result<Deed, Refused> {
        if self.board_mut(round, board)?.result != from {
            return Err(Refused::ChangedSince);
        }
        self.set_result(round, board, to, "")
    }

    /// Takes over the results of games that were played here. A board that has one already keeps it: the arbiter's word.
    pub(super) fn collect(&mut self, ended: &[(GameId, Score, u16)]) -> Result<Deed, Refused> {
        let mut told = Vec::new();
        let boards = self.rounds.iter_mut().flat_map(|round| {
            let number = round.number;
            round.boards.iter_mut().map(move |board| (number, board))
        });
        for (round, board) in boards.filter(|(_, board)| board.result.is_none()) {
            let found = ended.iter().find(|(game, ..)| board.game == Some(*game));
            if let Some((game, score, moves)) = found {
                board.result = Some(*score);
                told.push(format!("{round}.{} {}", board.number, score.as_str()));
                self.lengths.push((*game, *moves));
            }
        }
        if told.is_empty() {
            return Err(Refused::NothingToDo);
        }
        if self.regulations.system != System::Arena {
            // Only an arena asks how long a game was.
            self.lengths.clear();
        }
        Ok(Deed::new("results_came_in", told.join(", ")))
    }

    /// Results follow their games when an arbiter has decided about them. All of them, or none.
    pub(super) fn follow(&mut self, games: &[(GameId, Option<Score>)]) -> Result<Deed, Refused> {
        self.in_state(&[EventState::Running, EventState::Finished])?;
        let mut told = Vec::new();
        for (game, score) in games {
            let Some((round, board)) = self.board_of_game(*game) else { continue };
            let (number, before) = (board.number, board.result);
            if before == *score {
                continue;
            }
            self.check_bracket_stays(round)?;
            if score.is_none() && !self.nothing_rests_on(round) {
                return Err(Refused::LaterRounds);
            }
            if score.is_none() && self.state == EventState::Finished {
                return Err(Refused::WrongState(self.state));
            }
            let found = self.board_mut(round, number)?;
            found.result = *score;
            found.reports = ByColor::same(None);
            let word = |score: Option<Score>| score.map_or("open", Score::as_str);
            told.push(format!("{round}.{number} {} → {}", word(before), word(*score)));
        }
        if told.is_empty() {
            return Err(Refused::NothingToDo);
        }
        Ok(Deed::new("results_followed", told.join(", ")))
    }

    /// In a knockout later matches rest on who has won.
    fn check_bracket_stays(&self, round: u16) -> Result<(), Refused> {
        let is_last = round + 1 == self.next_round();
        if self.regulations.system == System::Knockout && !is_last {
            return Err(Refused::LaterRounds);
        }
        Ok(())
    }

    pub(super) fn report(
        &mut self,
        (round, board): (u16, u16),
        side: Color,
        result: Score,
        device: Option<String>,
    ) -> Result<Deed, Refused> {
        self.in_state(&[EventState::Running])?;
        if self.regulations.results_by != ResultsBy::Players {
            return Err(Refused::StaffEntersResults);
        }
        if !result.is_usual() {
            return Err(Refused::UnusualResult);
        }
        let is_last = self.nothing_rests_on(round);
        let found = self.board_mut(round, board)?;
        if found.game.is_some() {
            return Err(Refused::GameRuns);
        }
        if found.result.is_some() || !is_last {
            return Err(Refused::ChangedSince);
        }
        let is_of_board = |other: &Reporter| (other.round, other.board) == (round, board);
        let by_same = |other: &Reporter| {
            is_of_board(other) && other.side != side && Some(&other.device) == device.as_ref()
        };
        if self.reporters.iter().any(by_same) {
            return Err(Refused::SameDevice);
        }
        self.reporters.retain(|other| !(is_of_board(other) && other.side == side));
        self.reporters.extend(device.map(|device| Reporter { round, board, side, device }));
        let found = self.board_mut(round, board)?;
        found.reports[side] = Some(result);
        let is_agreed = found.reports[side.other()] == Some(result);
        if is_agreed {
            found.result = Some(result);
            found.reports = ByColor::same(None);
            self.reporters.retain(|other| (other.round, other.board) != (round, board));
        }
        let by = self.board_mut(round, board)?.players[side];
        let name = self.name_of(by);
        let detail = format!("round {round}, board {board}: {} by {name}", result.as_str());
        let act = if is_agreed { "result_agreed" } else { "result_reported" };
        let deed = Deed::new(act, detail);
        Ok(if is_agreed {
            deed.undone_by(Command::Restore { round, board, from: Some(result), to: None })
        } else {
            deed
        })
    }

    pub(super) fn decide(
        &mut self,
        winner: EntryNumber,
        loser: EntryNumber,
        by_lot: bool,
    ) -> Result<Deed, Refused> {
        self.in_state(&[EventState::Running])?;
        let bracket = self.bracket().ok_or(Refused::NoMatch)?;
        let seed = |player| self.player(player).and_then(|player| player.seed);
        let both = [seed(winner), seed(loser)];
        let is_ready = bracket
            .ready()
            .any(|found| found.players == both || found.players == [both[1], both[0]]);
        if !is_ready || both.contains(&None) {
            return Err(Refused::NoMatch);
        }
        let after = self.next_round() - 1;
        self.decisions.push(Decision { winner, loser, after });
        let lot = if by_lot { ", by lot" } else { "" };
        let detail = format!("{} advances past {}{lot}", self.name_of(winner), self.name_of(loser));
        Ok(Deed::new("decided", detail).undone_by(Command::Undecide { winner, loser }))
    }

    pub(super) fn undecide(
        &mut self,
        winner: EntryNumber,
        loser: EntryNumber,
    ) -> Result<Deed, Refused> {
        self.in_state(&[EventState::Running])?;
        let is_it = |found: &Decision| found.winner == winner && found.loser == loser;
        let last = self.decisions.iter().rposition(is_it);
        let Some(place) = last else { return Err(Refused::ChangedSince) };
        let taken = self.decisions.remove(place);
        // If a later match was paired because of it, the bracket no longer fits the rounds.
        if self.bracket_fits().is_err() {
            return Err(Refused::LaterRounds);
        }
        let detail = format!("{} – {}", self.name_of(winner), self.name_of(loser));
        let deed = Deed::new("undecided", detail);
        // Made again after further rounds it would be another decision.
        let is_same = taken.after + 1 == self.next_round();
        let again = Command::Decide { winner, loser, by_lot: false };
        Ok(if is_same { deed.undone_by(again) } else { deed })
    }

    pub(super) fn berserk(&mut self, game: GameId, player: EntryNumber) -> Result<Deed, Refused> {
        self.in_state(&[EventState::Running])?;
        if !self.may_berserk(game, player) {
            return Err(Refused::NothingToDo);
        }
        self.berserks.push((game, player));
        Ok(Deed::new("berserk", self.name_of(player)))
    }

    /// Whether somebody may halve the own clock in a game that has not ended, as far as the event knows.
    pub fn may_berserk(&self, game: GameId, player: EntryNumber) -> bool {
        let sits = self
            .board_of_game(game)
            .is_some_and(|(_, board)| board.result.is_none() && board.side_of(player).is_some());
        let allowed = self.regulations.system == System::Arena && self.regulations.arena.berserk;
        sits && allowed && !self.berserks.contains(&(game, player))
    }
}
