//! The next round: who meets whom and why.

use std::collections::BTreeMap;

use pairing::dutch::{self, Explanation, Verdict};
use pairing::{PairingNumber, RoundNumber};
use serde::{Deserialize, Serialize};
use store::EventState;
use utoipa::ToSchema;

use super::{BoardPlan, ByeKind, EntryNumber, Event, Refused, RoundPlan, System};

/// A board that is proposed, with the reason.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct PlannedBoard {
    /// The board.
    #[serde(flatten)]
    pub plan: BoardPlan,
    /// Why these two meet.
    pub why: Option<String>,
    /// Why the colours are as they are.
    pub colors: Option<String>,
}

/// Somebody who is free, with the reason.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ByeReason {
    /// Who.
    pub player: EntryNumber,
    /// Which bye.
    pub bye: ByeKind,
    /// Why.
    pub why: Option<String>,
}

/// The next round as it would be published.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Proposal {
    /// Which round.
    pub round: u16,
    /// The version of the event that it was made for: send it with the round, which is then refused if anything has
    /// happened since.
    pub version: i64,
    /// The boards, the first first.
    pub boards: Vec<PlannedBoard>,
    /// Who is free.
    pub byes: Vec<ByeReason>,
    /// What speaks against publishing it just now, one sentence each.
    pub warnings: Vec<String>,
}

impl Proposal {
    /// What would be published.
    pub fn plan(&self) -> RoundPlan {
        RoundPlan {
            round: self.round,
            boards: self.boards.iter().map(|board| board.plan).collect(),
            byes: self.byes.iter().map(|bye| (bye.player, bye.bye)).collect(),
        }
    }
}

impl Event {
    /// The next round, quickly.
    pub fn next_plan(&self) -> Result<RoundPlan, Refused> {
        self.check_can_pair()?;
        match self.regulations.system {
            System::Swiss => {
                let round = dutch::pair(&self.tournament())
                    .map_err(|error| Refused::NoPairing(error.to_string()))?;
                self.swiss_plan(&round)
            }
            System::RoundRobin | System::DoubleRoundRobin => {
                self.plan_round_robin(self.next_round())
            }
            System::Knockout => self.plan_knockout(),
            System::Arena => Err(Refused::NoPairing("an arena pairs by itself".to_owned())),
        }
    }

    /// The next round with its reasons.
    pub fn propose(&self) -> Result<Proposal, Refused> {
        if self.regulations.system != System::Swiss {
            let plan = self.next_plan()?;
            let why = |board: &BoardPlan| self.reason(board, plan.round);
            return Ok(Proposal {
                round: plan.round,
                version: self.version,
                boards: plan.boards.iter().map(|board| planned(*board, why(board), None)).collect(),
                byes: plan
                    .byes
                    .iter()
                    .map(|(player, bye)| self.bye_reason(*player, *bye))
                    .collect(),
                // A table that was changed by hand in an earlier round no longer fits in a later one.
                warnings: self.table_warnings(&plan),
            });
        }
        self.check_can_pair()?;
        let told = dutch::explain(&self.tournament())
            .map_err(|error| Refused::NoPairing(error.to_string()))?;
        let plan = self.swiss_plan(&told.round)?;
        Ok(self.with_reasons(&plan, &told))
    }

    fn check_can_pair(&self) -> Result<(), Refused> {
        if self.state != EventState::Running {
            return Err(Refused::WrongState(self.state));
        }
        if !self.is_complete() {
            return Err(Refused::RoundOpen(self.next_round() - 1));
        }
        match self.total_rounds() {
            Some(total) if self.next_round() > total => Err(Refused::AllRoundsPlayed(total)),
            _ => Ok(()),
        }
    }

    fn swiss_plan(&self, round: &dutch::Round) -> Result<RoundPlan, Refused> {
        let seats: BTreeMap<PairingNumber, EntryNumber> =
            self.players.iter().filter_map(|player| Some((player.seed?, player.number))).collect();
        let entry = |seed: PairingNumber| {
            seats
                .get(&seed)
                .copied()
                .ok_or_else(|| Refused::NoPairing(format!("there is no number {seed}")))
        };
        let mut boards = Vec::with_capacity(round.pairs.len());
        for pair in &round.pairs {
            let (white, black) = (entry(pair.white)?, entry(pair.black)?);
            boards.push(BoardPlan { white, black, result: None, game: None });
        }
        let mut byes: Vec<(EntryNumber, ByeKind)> = Vec::new();
        for player in self.players.iter().filter(|player| player.seed.is_some()) {
            let bye =
                if player.plays() { player.bye_in(round.number.0) } else { Some(ByeKind::Zero) };
            byes.extend(bye.map(|bye| (player.number, bye)));
        }
        if let Some(odd) = round.bye {
            byes.push((entry(odd)?, ByeKind::Pairing));
        }
        Ok(RoundPlan { round: round.number.0, boards, byes })
    }

    /// All rounds of a round robin whose games begin together.
    pub fn all_plans(&self) -> Result<Vec<RoundPlan>, Refused> {
        self.check_can_pair()?;
        let total = self.total_rounds().ok_or(Refused::TooFewPlayers)?;
        (self.next_round()..=total).map(|round| self.plan_round_robin(round)).collect()
    }

    fn with_reasons(&self, plan: &RoundPlan, told: &Explanation) -> Proposal {
        let mut reasons = BTreeMap::new();
        let mut floats = BTreeMap::new();
        for bracket in &told.brackets {
            for pair in &bracket.pairs {
                let key = (pair.higher.min(pair.lower), pair.higher.max(pair.lower));
                reasons.insert(key, (pair.reason.text.clone(), pair.colours.text.clone()));
            }
            for float in bracket.floats.iter().filter(|float| float.is_bye) {
                floats.insert(float.player, float.reason.text.clone());
            }
        }
        let seed =
            |number| self.player(number).and_then(|player| player.seed).unwrap_or(PairingNumber(0));
        let board = |board: &BoardPlan| {
            let (one, other) = (seed(board.white), seed(board.black));
            let found = reasons.remove(&(one.min(other), one.max(other)));
            let (why, colors) =
                found.map_or((None, None), |(why, colors)| (Some(why), Some(colors)));
            planned(*board, why, colors)
        };
        let boards = plan.boards.iter().map(board).collect();
        let bye = |(player, bye): &(EntryNumber, ByeKind)| {
            let told = floats.get(&seed(*player)).filter(|_| *bye == ByeKind::Pairing).cloned();
            ByeReason { why: told, ..self.bye_reason(*player, *bye) }
        };
        let byes = plan.byes.iter().map(bye).collect();
        Proposal { round: plan.round, version: self.version, boards, byes, warnings: Vec::new() }
    }

    fn reason(&self, board: &BoardPlan, round: u16) -> Option<String> {
        match self.regulations.system {
            System::Knockout => {
                let id = self.open_match(board.white, board.black)?;
                let games = self.rounds.iter().flat_map(|round| &round.boards).filter(|played| {
                    played.side_of(board.white).is_some() && played.side_of(board.black).is_some()
                });
                let game = games.count() + 1;
                let usual = usize::from(self.regulations.knockout.games);
                let kind = if game > usual { "tie-break game" } else { "game" };
                Some(format!("match {} of bracket round {}, {kind} {game}", id.number, id.round))
            }
            _ => Some(format!("Berger table, round {round}")),
        }
    }

    fn bye_reason(&self, player: EntryNumber, bye: ByeKind) -> ByeReason {
        let why = match bye {
            ByeKind::Pairing if self.regulations.system == System::Knockout => {
                "stands in the next round already"
            }
            ByeKind::Pairing => "the number of players is odd",
            ByeKind::Zero if self.player(player).is_some_and(|player| !player.plays()) => {
                "has withdrawn"
            }
            ByeKind::Zero if self.regulations.system.is_round_robin() => "rests in this round",
            ByeKind::Zero | ByeKind::Half | ByeKind::Full => "asked for it",
        };
        ByeReason { player, bye, why: Some(why.to_owned()) }
    }

    /// What speaks against a round that somebody has changed by hand. An empty list: nothing.
    pub fn warnings(&self, plan: &RoundPlan) -> Vec<String> {
        if self.regulations.system.is_round_robin() {
            return self.table_warnings(plan);
        }
        let mut warnings = Vec::new();
        let name =
            |number| self.player(number).map_or_else(String::new, |player| player.name.clone());
        if self.regulations.system == System::Swiss {
            for board in &plan.boards {
                let met =
                    self.rounds.iter().filter(|round| round.number != plan.round).find(|round| {
                        // A game that was forfeited is none: they may meet again (C.04.2).
                        round.board_of(board.white).is_some_and(|seat| {
                            seat.side_of(board.black).is_some()
                                && seat.result.is_none_or(|score| !score.is_forfeit())
                        })
                    });
                if let Some(round) = met {
                    let (white, black) = (name(board.white), name(board.black));
                    warnings.push(format!("{white} and {black} met in round {}", round.number));
                }
            }
        }
        let at_boards = plan.boards.iter().flat_map(|board| [board.white, board.black]);
        for player in at_boards.filter_map(|number| self.player(number)) {
            if player.plays() && player.bye_in(plan.round).is_some() {
                warnings.push(format!("{} has a bye in this round", player.name));
            }
        }
        if self.regulations.system == System::Swiss
            && let Some(given) = self.dutch_round(plan)
            && let Ok(Verdict::Wrong(faults)) =
                dutch::check(&self.before(plan.round).tournament(), &given)
        {
            warnings.extend(faults.into_iter().map(|fault| fault.text).take(20));
        }
        warnings
    }

    fn dutch_round(&self, plan: &RoundPlan) -> Option<dutch::Round> {
        let seed = |number| self.player(number)?.seed;
        let pairs = plan.boards.iter().map(|board| {
            Some(dutch::Pair { white: seed(board.white)?, black: seed(board.black)? })
        });
        let odd = plan.byes.iter().find(|(_, bye)| *bye == ByeKind::Pairing);
        Some(dutch::Round {
            number: RoundNumber(plan.round),
            pairs: pairs.collect::<Option<_>>()?,
            bye: odd.and_then(|(player, _)| seed(*player)),
        })
    }

    /// The event as it was before a round was published.
    #[must_use]
    pub fn before(&self, round: u16) -> Event {
        let mut earlier = self.clone();
        earlier.rounds.retain(|other| other.number < round);
        earlier
    }
}

fn planned(plan: BoardPlan, why: Option<String>, colors: Option<String>) -> PlannedBoard {
    PlannedBoard { plan, why, colors }
}
