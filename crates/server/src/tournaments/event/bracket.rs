//! The bracket of a knockout, rebuilt from the rounds: nothing of it is stored.

use std::collections::BTreeSet;

use pairing::GameResult;
use pairing::PairingNumber;
use pairing::knockout::{Bracket, Match, MatchId};
use rules::{ByColor, Color};

use super::{
    BoardPlan, ByeKind, EntryNumber, Event, EventBoard, Refused, RoundPlan, Score, System,
};

impl Event {
    /// The bracket as far as it was played; none for other systems or before the start.
    pub fn bracket(&self) -> Option<Bracket> {
        self.bracket_fits().ok().flatten()
    }

    /// The same, and whether every board belongs to a match of it.
    pub(super) fn bracket_fits(&self) -> Result<Option<Bracket>, Refused> {
        let players = self.seeded().len();
        if self.regulations.system != System::Knockout || players < 2 {
            return Ok(None);
        }
        let mut bracket = Bracket::new(players, self.regulations.bracket())
            .map_err(|error| Refused::NoPairing(error.to_string()))?;
        self.settle(&mut bracket, 0);
        for round in &self.rounds {
            for board in &round.boards {
                self.record(&mut bracket, board)?;
            }
            // A decision may open the match that the next round plays.
            self.settle(&mut bracket, round.number);
        }
        Ok(Some(bracket))
    }

    fn seeds(&self, players: ByColor<EntryNumber>) -> Option<[PairingNumber; 2]> {
        let seed = |number| self.player(number).and_then(|player| player.seed);
        Some([seed(players.white)?, seed(players.black)?])
    }

    fn record(&self, bracket: &mut Bracket, board: &EventBoard) -> Result<(), Refused> {
        let [white, black] = self.seeds(board.players).ok_or(Refused::NoMatch)?;
        let found = find_match(bracket, white, black).ok_or(Refused::NoMatch)?;
        let (id, played) = (found.id, found.games.len());
        let white_is_next = found.next_board().is_some_and(|next| next.white == white);
        let result = match board.result {
            Some(Score::WhiteWins | Score::BlackAbsent | Score::WhiteHalf) => GameResult::Win,
            Some(Score::BlackWins | Score::WhiteAbsent | Score::BlackHalf) => GameResult::Loss,
            Some(Score::Draw) => GameResult::Draw,
            // Nobody has won: the director decides, or another game does.
            Some(Score::BothAbsent | Score::BothLose) | None => return Ok(()),
        };
        let done = if played < usize::from(self.regulations.knockout.games) {
            bracket.record_game(id, if white_is_next { result } else { result.other() })
        } else {
            match result {
                GameResult::Win => bracket.decide(id, white),
                GameResult::Loss => bracket.decide(id, black),
                GameResult::Draw => Ok(()),
            }
        };
        done.map_err(|error| Refused::NoPairing(error.to_string()))
    }

    fn settle(&self, bracket: &mut Bracket, after: u16) {
        for decision in self.decisions.iter().filter(|decision| decision.after == after) {
            let pair = ByColor { white: decision.winner, black: decision.loser };
            let Some([winner, loser]) = self.seeds(pair) else { continue };
            if let Some(found) = find_match(bracket, winner, loser).map(|found| found.id) {
                // A match that is over needs no decision.
                let _ = bracket.decide(found, winner);
            }
        }
    }

    /// The next round of a knockout: the next game of every match that is not decided, in the first unfinished round.
    pub(super) fn plan_knockout(&self) -> Result<RoundPlan, Refused> {
        let bracket = self.bracket_fits()?.ok_or(Refused::TooFewPlayers)?;
        let Some(first) = bracket.ready().map(|found| found.id.round).min() else {
            return Err(Refused::AllRoundsPlayed(self.next_round() - 1));
        };
        let ready: Vec<&Match> = bracket.ready().filter(|found| found.id.round == first).collect();
        let entry = |seed| self.entry_of(seed).ok_or(Refused::TooFewPlayers);
        let mut boards = Vec::with_capacity(ready.len());
        let mut level = Vec::new();
        for found in &ready {
            if self.has_no_game_left(found) {
                level.push(self.match_name(found));
                continue;
            }
            let Some(mut next) = found.next_board() else { continue };
            // In tie-break games the colours go on changing from what was played last.
            if let Some(white) = self.last_white(found)
                && white == next.white
            {
                std::mem::swap(&mut next.white, &mut next.black);
            }
            let (white, black) = (entry(next.white)?, entry(next.black)?);
            let result = self.preset_result(ByColor { white, black });
            boards.push(BoardPlan { white, black, result, game: None });
        }
        if boards.is_empty() && !level.is_empty() {
            return Err(Refused::LevelMatch(level.join("; ")));
        }
        // Who stands in a later match already has nobody to play in this round.
        let later = bracket.rounds.iter().skip(usize::from(first)).flatten();
        let seats = later.filter(|_| self.plays_first_game(&ready)).flat_map(|found| found.players);
        // Somebody for whom the director has decided may stand in several of them.
        let free: BTreeSet<EntryNumber> = seats
            .flatten()
            .filter(|seed| !ready.iter().any(|found| found.players.contains(&Some(*seed))))
            .filter_map(|seed| self.entry_of(seed))
            .collect();
        let byes = free.into_iter().map(|number| (number, ByeKind::Pairing)).collect();
        Ok(RoundPlan { round: self.next_round(), boards, byes })
    }

    /// The games of a match so far, whatever came of them.
    fn games_of(&self, found: &Match) -> usize {
        let boards = self.rounds.iter().flat_map(|round| &round.boards);
        let is_of_match = |board: &&EventBoard| {
            self.seeds(board.players).is_some_and(|pair| {
                let [white, black] = pair.map(Some);
                found.players == [white, black] || found.players == [black, white]
            })
        };
        boards.filter(is_of_match).count()
    }

    /// Whether the regulations have no further game for a match that is level.
    fn has_no_game_left(&self, found: &Match) -> bool {
        let rules = &self.regulations.knockout;
        let most = rules.tie_break_games.map(|more| usize::from(rules.games) + usize::from(more));
        most.is_some_and(|most| self.games_of(found) >= most)
    }

    fn match_name(&self, found: &Match) -> String {
        let name = |entry: Option<EntryNumber>| {
            entry.and_then(|number| self.player(number)).map_or("?", |player| player.name.as_str())
        };
        let [one, other] = self.match_entries(found);
        format!("{} – {}", name(one), name(other))
    }

    /// Whether the next game of these two would play off a tie.
    pub fn is_tie_break(&self, one: EntryNumber, other: EntryNumber) -> bool {
        if self.regulations.system != System::Knockout {
            return false;
        }
        let Some([one, other]) = self.seeds(ByColor { white: one, black: other }) else {
            return false;
        };
        let Some(bracket) = self.bracket() else { return false };
        let found = find_match(&bracket, one, other);
        found.is_some_and(|found| {
            self.games_of(found) >= usize::from(self.regulations.knockout.games)
        })
    }

    /// Byes are noted once, with the first games of a round of the bracket.
    fn plays_first_game(&self, ready: &[&Match]) -> bool {
        ready.iter().all(|found| found.games.is_empty() && self.last_white(found).is_none())
    }

    /// Who had White in the last game of a match.
    fn last_white(&self, found: &Match) -> Option<PairingNumber> {
        let boards = self.rounds.iter().flat_map(|round| &round.boards);
        let seeds = boards.filter_map(|board| self.seeds(board.players));
        let mut of_match = seeds.filter(|pair| {
            let [white, black] = pair.map(Some);
            found.players == [white, black] || found.players == [black, white]
        });
        of_match.next_back().map(|[white, _]| white)
    }

    /// Ranks of a knockout: the further, the better; who went out in the same round shares the rank.
    pub(super) fn knockout_ranks(&self) -> Vec<(EntryNumber, u16, u32)> {
        let Some(bracket) = self.bracket() else { return Vec::new() };
        let rounds = u32::try_from(bracket.rounds.len()).unwrap_or(u32::MAX);
        let third = self.regulations.knockout.third_place;
        let merit = |seed: PairingNumber| {
            let mut played =
                bracket.rounds.iter().flatten().filter(|found| found.players.contains(&Some(seed)));
            let Some(last) = played.next_back() else { return 0 };
            let round = u32::from(last.id.round);
            let is_small_final = third && round == rounds && last.id.number == 2;
            let won = last.winner == Some(seed);
            // The match for the third place stands below the final and above everything else.
            match (is_small_final, won) {
                (true, true) => 2 * rounds - 1,
                (true, false) => 2 * rounds - 2,
                (false, true) => 2 * round + 2,
                (false, false) => 2 * round + u32::from(round == rounds),
            }
        };
        let mut rows: Vec<(EntryNumber, u16, u32)> = self
            .seeded()
            .into_iter()
            .filter_map(|player| Some((player.number, 0, merit(player.seed?))))
            .collect();
        rows.sort_by_key(|(_, _, merit)| std::cmp::Reverse(*merit));
        let mut first = 1;
        for group in rows.chunk_by_mut(|one, other| one.2 == other.2) {
            for row in group.iter_mut() {
                row.1 = first;
            }
            first = first.saturating_add(u16::try_from(group.len()).unwrap_or(u16::MAX));
        }
        rows
    }

    /// Whether a knockout has its winner.
    pub fn is_knockout_over(&self) -> bool {
        self.bracket()
            .is_some_and(|bracket| bracket.ready().next().is_none() && bracket.champion().is_some())
    }

    /// Whether somebody has lost the match that they would need.
    pub(super) fn is_out_of_bracket(&self, player: EntryNumber) -> bool {
        let Some(seed) = self.player(player).and_then(|player| player.seed) else { return false };
        let Some(bracket) = self.bracket() else { return false };
        let mut own =
            bracket.rounds.iter().flatten().filter(|found| found.players.contains(&Some(seed)));
        own.next_back().is_some_and(|last| last.winner.is_some_and(|winner| winner != seed))
    }

    /// Refuses a round that the bracket does not know. By hand only boards and colours can be changed.
    pub(super) fn check_bracket_round(&self, plan: &RoundPlan) -> Result<(), Refused> {
        if self.regulations.system != System::Knockout {
            return Ok(());
        }
        let pairs = |plan: &RoundPlan| {
            let pair =
                |board: &BoardPlan| (board.white.min(board.black), board.white.max(board.black));
            plan.boards.iter().map(pair).collect::<BTreeSet<_>>()
        };
        let drawn = self.before(plan.round).plan_knockout()?;
        let byes =
            |plan: &RoundPlan| plan.byes.iter().map(|(player, _)| *player).collect::<BTreeSet<_>>();
        let fits = pairs(&drawn) == pairs(plan)
            && drawn.boards.len() == plan.boards.len()
            && byes(plan).is_subset(&byes(&drawn));
        if fits { Ok(()) } else { Err(Refused::NotInBracket) }
    }

    /// The players of a match, as entries.
    pub fn match_entries(&self, found: &Match) -> [Option<EntryNumber>; 2] {
        found.players.map(|seed| seed.and_then(|seed| self.entry_of(seed)))
    }

    /// The match two entries have, if it is ready.
    pub fn open_match(&self, one: EntryNumber, other: EntryNumber) -> Option<MatchId> {
        let [one, other] = self.seeds(ByColor { white: one, black: other })?;
        find_match(&self.bracket()?, one, other)
            .filter(|found| found.winner.is_none())
            .map(|found| found.id)
    }

    /// Matches that nobody will play, because both have withdrawn: who goes on and who does not.
    ///
    /// A round of such a match would be as empty as the one before it. The higher seed goes on, and whoever comes next
    /// wins against somebody who is not there.
    pub fn forsaken_matches(&self) -> Vec<(EntryNumber, EntryNumber)> {
        let is_away = |number| self.player(number).is_none_or(|player| !player.plays());
        let Some(bracket) = self.bracket() else { return Vec::new() };
        let pair = |found: &Match| {
            let [one, other] = found.players;
            let (winner, loser) = (one?.min(other?), one?.max(other?));
            let pair = (self.entry_of(winner)?, self.entry_of(loser)?);
            (is_away(pair.0) && is_away(pair.1)).then_some(pair)
        };
        bracket.ready().filter_map(pair).collect()
    }

    /// The side of a board that is seeded higher.
    pub fn higher_seed(&self, board: &EventBoard) -> Color {
        match self.seeds(board.players) {
            Some([white, black]) if black < white => Color::Black,
            _ => Color::White,
        }
    }
}

/// The latest match of these two: two can meet again in the match for the third place only.
fn find_match(bracket: &Bracket, one: PairingNumber, other: PairingNumber) -> Option<&Match> {
    let (there, back) = ([Some(one), Some(other)], [Some(other), Some(one)]);
    let mut matches = bracket
        .rounds
        .iter()
        .flatten()
        .filter(|found| found.players == there || found.players == back);
    let first = matches.next()?;
    Some(matches.find(|found| found.winner.is_none()).unwrap_or(first))
}
