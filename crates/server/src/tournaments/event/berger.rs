//! Round robins: the rows of the table, and what becomes of it when somebody changes a row by hand.

use std::collections::{BTreeMap, BTreeSet};

use pairing::round_robin::{Cycles, RoundRobin};
use pairing::{PairingNumber, RoundNumber};
use rules::ByColor;

use super::{BoardPlan, ByeKind, EntryNumber, Event, Refused, RoundPlan, System};

/// Two players, the one with the smaller number first.
type Pair = (EntryNumber, EntryNumber);

fn pair(one: EntryNumber, other: EntryNumber) -> Pair {
    (one.min(other), one.max(other))
}

impl Event {
    pub(super) fn plan_round_robin(&self, round: u16) -> Result<RoundPlan, Refused> {
        let table = self.table()?;
        let round = RoundNumber(round);
        let pairing = table.round(round).ok_or(Refused::AllRoundsPlayed(table.rounds()))?;
        let entry = |seed| self.entry_of(seed).ok_or(Refused::TooFewPlayers);
        let mut boards = Vec::with_capacity(pairing.boards.len());
        for board in &pairing.boards {
            let (white, black) = (entry(board.white)?, entry(board.black)?);
            let result = self.preset_result(ByColor { white, black });
            boards.push(BoardPlan { white, black, result, game: None });
        }
        let mut byes = Vec::new();
        if let Some(resting) = table.resting(round) {
            byes.push((entry(resting)?, ByeKind::Zero));
        }
        Ok(RoundPlan { round: round.0, boards, byes })
    }

    fn table(&self) -> Result<RoundRobin, Refused> {
        let cycles = match self.regulations.system {
            System::DoubleRoundRobin => Cycles::Double,
            _ => Cycles::Single,
        };
        RoundRobin::new(self.seeded().len(), cycles)
            .map_err(|error| Refused::NoPairing(error.to_string()))
    }

    /// The first round of a table may be put together by hand: then the numbers follow the seats, and all later rows
    /// fit. Who sits where the table has them keeps the number.
    ///
    /// Later rows cannot be changed like this: the numbers have been played with.
    pub(super) fn number_as_seated(&mut self, plan: &RoundPlan) {
        let is_table = self.regulations.system.is_round_robin() && !self.regulations.at_once;
        if !is_table || plan.round != 1 {
            return;
        }
        // From the same order whatever was seated before: taking it back leads back.
        self.number_by_strength();
        let Some(numbers) = self.numbers_as_seated(plan) else { return };
        for player in &mut self.players {
            if let Some(number) = numbers.get(&player.number) {
                player.seed = Some(*number);
            }
        }
    }

    /// The numbers with which the first row of the table seats everybody as a plan does; none if no numbers do.
    fn numbers_as_seated(&self, plan: &RoundPlan) -> Option<BTreeMap<EntryNumber, PairingNumber>> {
        let row = self.plan_round_robin(1).ok()?;
        let sits = |plan: &RoundPlan| -> BTreeSet<EntryNumber> {
            plan.boards.iter().flat_map(|board| [board.white, board.black]).collect()
        };
        let (seated, usual) = (sits(plan), sits(&row));
        if plan.boards.len() != row.boards.len() || seated.len() != usual.len() {
            return None;
        }
        let pairs = |plan: &RoundPlan| -> BTreeSet<Pair> {
            plan.boards.iter().map(|board| pair(board.white, board.black)).collect()
        };
        let (given, meant) = (pairs(plan), pairs(&row));
        let seed = |player| self.player(player).and_then(|player| player.seed);
        let changed = plan.boards.iter().filter(|it| !meant.contains(&pair(it.white, it.black)));
        let free = row.boards.iter().filter(|it| !given.contains(&pair(it.white, it.black)));
        let mut numbers = BTreeMap::new();
        for (board, place) in changed.zip(free) {
            numbers.insert(board.white, seed(place.white)?);
            numbers.insert(board.black, seed(place.black)?);
        }
        // With an odd number somebody else may rest now.
        if let (Some(rests), Some(rested)) =
            (usual.difference(&seated).next(), seated.difference(&usual).next())
        {
            numbers.insert(*rests, seed(*rested)?);
        }
        Some(numbers)
    }

    /// Who would meet too often, or not often enough, if a round were played like this and the others by the table.
    pub(super) fn table_warnings(&self, plan: &RoundPlan) -> Vec<String> {
        let Ok(row) = self.plan_round_robin(plan.round) else { return Vec::new() };
        if !self.regulations.system.is_round_robin()
            || (plan.round == 1 && self.numbers_as_seated(plan).is_some())
        {
            return Vec::new();
        }
        let meetings = self.meetings_with(plan);
        let times = if self.regulations.system == System::DoubleRoundRobin { 2 } else { 1 };
        let given = plan.boards.iter().map(|board| pair(board.white, board.black));
        let meant = row.boards.iter().map(|board| pair(board.white, board.black));
        let name = |player| self.player(player).map_or("", |player| player.name.as_str());
        let mut warnings = Vec::new();
        for (one, other) in given.chain(meant).collect::<BTreeSet<Pair>>() {
            let rounds = meetings.get(&(one, other)).map_or(&[][..], Vec::as_slice);
            let (one, other) = (name(one), name(other));
            let listed: Vec<String> = rounds.iter().map(u16::to_string).collect();
            if rounds.len() > times {
                let listed = listed.join(" and ");
                warnings.push(format!("{one} and {other} would meet in rounds {listed}"));
            } else if rounds.is_empty() {
                warnings.push(format!("{one} and {other} would not meet at all"));
            } else if rounds.len() < times {
                warnings.push(format!("{one} and {other} would meet only in round {}", listed[0]));
            }
        }
        warnings
    }

    /// In which rounds everybody meets everybody: what was published, the plan, and the rows that are left.
    fn meetings_with(&self, plan: &RoundPlan) -> BTreeMap<Pair, Vec<u16>> {
        let mut meetings: BTreeMap<Pair, Vec<u16>> = BTreeMap::new();
        for round in 1..=self.total_rounds().unwrap_or(plan.round) {
            let published = self.round(round).filter(|_| round != plan.round);
            let seats: Vec<Pair> = match published {
                Some(found) => {
                    let boards = found.boards.iter().map(|board| board.players);
                    boards.map(|players| pair(players.white, players.black)).collect()
                }
                None if round == plan.round => {
                    plan.boards.iter().map(|board| pair(board.white, board.black)).collect()
                }
                None => {
                    let row = self.plan_round_robin(round).unwrap_or_default();
                    row.boards.iter().map(|board| pair(board.white, board.black)).collect()
                }
            };
            for both in seats {
                meetings.entry(both).or_default().push(round);
            }
        }
        meetings
    }
}
