//! Random tournaments from a seed, for tests, benchmarks and practice.
//!
//! The same seed and settings give the same tournament everywhere: the generator is part of
//! this module and everything is whole numbers. The pairing is done by whoever calls.

use serde::{Deserialize, Serialize};

use crate::dutch;
use crate::model::{
    Acceleration, AnnouncedBye, Board, BoardResult, Bye, Colour, ForbiddenGroup, GameResult,
    MAX_PLAYERS, ModelError, PairingNumber, Player, RoundNumber, RoundPairing, Tournament,
};
use crate::standings::rating::expected;

/// A small generator of random numbers (splitmix64).
#[derive(Debug, Clone)]
pub struct Random(u64);

impl Random {
    /// The generator of a seed.
    pub const fn new(seed: u64) -> Random {
        Random(seed)
    }

    /// The next 64 bits.
    pub const fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut bits = self.0;
        bits = (bits ^ (bits >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        bits = (bits ^ (bits >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        bits ^ (bits >> 31)
    }

    /// A number below the bound, 0 if that is 0.
    pub const fn below(&mut self, bound: u64) -> u64 {
        // The high half of a product is evenly spread for all bounds that occur here.
        ((self.bits() as u128 * bound as u128) >> 64) as u64
    }

    /// A number from the first to the last, both included.
    pub fn between(&mut self, first: u16, last: u16) -> u16 {
        let span = u64::from(last.saturating_sub(first)) + 1;
        first + u16::try_from(self.below(span)).unwrap_or(0)
    }

    /// True so many times out of a thousand.
    pub const fn chance(&mut self, per_mille: u16) -> bool {
        self.below(1000) < per_mille as u64
    }
}

/// So that the Dutch system can pair a simulated tournament.
impl From<dutch::Round> for RoundPairing {
    fn from(round: dutch::Round) -> RoundPairing {
        let board = |pair: dutch::Pair| Board { white: pair.white, black: pair.black };
        RoundPairing { boards: round.pairs.into_iter().map(board).collect(), bye: round.bye }
    }
}

/// What a simulated tournament is like. Frequencies are per thousand.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Settings {
    /// How many players.
    pub players: u16,
    /// How many rounds the event has.
    pub rounds: u16,
    /// After how many rounds to stop, to leave a round to be paired; all if absent.
    pub stop_after: Option<u16>,
    /// The lowest and the highest rating.
    pub ratings: (u16, u16),
    /// Players without a rating.
    pub unrated: u16,
    /// Whether ratings decide about results; if not, all results are alike likely.
    pub by_rating: bool,
    /// Drawn games among equals.
    pub draws: u16,
    /// Players not coming to a game.
    pub forfeits: u16,
    /// Half-point byes, by player and round.
    pub half_byes: u16,
    /// Zero-point byes, by player and round.
    pub zero_byes: u16,
    /// Full-point byes, by player and round.
    pub full_byes: u16,
    /// Players who withdraw at some time.
    pub withdrawals: u16,
    /// Players who arrive later than for round 1.
    pub late_entries: u16,
    /// How many groups of players who must not meet.
    pub forbidden_groups: u16,
    /// Whether the first rounds are accelerated by the Baku system.
    pub baku: bool,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            players: 40,
            rounds: 9,
            stop_after: None,
            ratings: (1400, 2400),
            unrated: 0,
            by_rating: true,
            draws: 300,
            forfeits: 0,
            half_byes: 0,
            zero_byes: 0,
            full_byes: 0,
            withdrawals: 0,
            late_entries: 0,
            forbidden_groups: 0,
            baku: false,
        }
    }
}

impl Settings {
    /// An event in which everything happens: forfeits, byes, late entries, withdrawals.
    pub fn lively(players: u16, rounds: u16) -> Settings {
        Settings {
            players,
            rounds,
            unrated: 50,
            forfeits: 20,
            half_byes: 30,
            zero_byes: 20,
            full_byes: 3,
            withdrawals: 60,
            late_entries: 50,
            ..Settings::default()
        }
    }
}

/// Why a simulation did not come to its end.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SimulationError<E> {
    /// Over the limit.
    #[error("{0} players are too many: the limit is {MAX_PLAYERS}")]
    TooManyPlayers(u16),
    /// The pairing function gave up; the tournament is as it got it.
    #[error("round {round}: {error}")]
    NotPaired {
        /// Which round.
        round: RoundNumber,
        /// What it said.
        error: E,
        /// The tournament before that round.
        tournament: Box<Tournament>,
    },
    /// The pairing function gave something that is no pairing.
    #[error(transparent)]
    NoPairing(ModelError),
}

/// What the generator knows about a player and the tournament does not.
struct Plan {
    /// What results are drawn from, for unrated players too.
    strength: i64,
    arrives: u16,
    leaves_after: u16,
}

/// Plays a tournament. `pair` is given the tournament with the byes of the round announced.
pub fn simulate<E>(
    settings: &Settings,
    seed: u64,
    mut pair: impl FnMut(&Tournament) -> Result<RoundPairing, E>,
) -> Result<Tournament, SimulationError<E>> {
    if usize::from(settings.players) > MAX_PLAYERS {
        return Err(SimulationError::TooManyPlayers(settings.players));
    }
    let mut random = Random::new(seed);
    let (mut tournament, plans) = enrol(settings, seed, &mut random);
    let last = settings.stop_after.unwrap_or(settings.rounds).min(settings.rounds);
    for round in (1..=last).map(RoundNumber) {
        announce_byes(&mut tournament, &plans, settings, round, &mut random);
        let pairing = match pair(&tournament) {
            Ok(pairing) => pairing,
            Err(error) => {
                return Err(SimulationError::NotPaired {
                    round,
                    error,
                    tournament: Box::new(tournament),
                });
            }
        };
        let result = |board: &Board| draw_result(*board, &plans, settings, &mut random);
        tournament.record_round(&pairing, result).map_err(SimulationError::NoPairing)?;
    }
    if last < settings.rounds {
        announce_byes(&mut tournament, &plans, settings, RoundNumber(last + 1), &mut random);
    }
    Ok(tournament)
}

fn enrol(settings: &Settings, seed: u64, random: &mut Random) -> (Tournament, Vec<Plan>) {
    let (lowest, highest) = settings.ratings;
    let mut strengths: Vec<u16> =
        (0..settings.players).map(|_| random.between(lowest, highest)).collect();
    strengths.sort_unstable_by(|a, b| b.cmp(a));
    let mut tournament = Tournament {
        total_rounds: Some(settings.rounds),
        initial_colour: Some(if random.chance(500) { Colour::White } else { Colour::Black }),
        ..Tournament::default()
    };
    tournament.header.name = format!("Simulation {seed}");
    if settings.baku {
        "FIDE_DUTCH_2026_BAKU".clone_into(&mut tournament.system);
        tournament.acceleration = Acceleration::baku(settings.players);
    }
    let mut plans = Vec::with_capacity(strengths.len());
    for (number, strength) in (1..).zip(strengths) {
        let rating = (!random.chance(settings.unrated)).then_some(strength);
        tournament.players.push(Player::new(
            PairingNumber(number),
            format!("P{number:04}, Simulated"),
            rating,
        ));
        let middle = settings.rounds.div_ceil(2);
        let is_late = middle >= 2 && random.chance(settings.late_entries);
        let arrives = if is_late { random.between(2, middle) } else { 1 };
        let leaves = arrives < settings.rounds && random.chance(settings.withdrawals);
        let leaves_after =
            if leaves { random.between(arrives, settings.rounds - 1) } else { u16::MAX };
        plans.push(Plan { strength: i64::from(strength), arrives, leaves_after });
    }
    for _ in 0..settings.forbidden_groups {
        let size = random.between(2, 4);
        let mut players: Vec<PairingNumber> =
            (0..size).map(|_| PairingNumber(random.between(1, settings.players.max(1)))).collect();
        players.sort_unstable();
        players.dedup();
        if players.len() > 1 {
            tournament.forbidden.push(ForbiddenGroup { rounds: None, players });
        }
    }
    (tournament, plans)
}

fn announce_byes(
    tournament: &mut Tournament,
    plans: &[Plan],
    settings: &Settings,
    round: RoundNumber,
    random: &mut Random,
) {
    for (player, plan) in tournament.players.iter().zip(plans) {
        let bye = if round.0 < plan.arrives || round.0 > plan.leaves_after {
            Some(Bye::Zero)
        } else if random.chance(settings.half_byes) {
            Some(Bye::Half)
        } else if random.chance(settings.zero_byes) {
            Some(Bye::Zero)
        } else if random.chance(settings.full_byes) {
            Some(Bye::Full)
        } else {
            None
        };
        tournament.byes.extend(bye.map(|bye| AnnouncedBye { round, player: player.number, bye }));
    }
}

fn draw_result(
    board: Board,
    plans: &[Plan],
    settings: &Settings,
    random: &mut Random,
) -> BoardResult {
    let (white, black) = (!random.chance(settings.forfeits), !random.chance(settings.forfeits));
    if !white || !black {
        return BoardResult::Forfeit { white, black };
    }
    let strength = |player: PairingNumber| {
        plans.get(usize::from(player.0) - 1).map_or(0, |plan| plan.strength)
    };
    // White is worth 35 points of rating.
    let difference = strength(board.white) - strength(board.black) + 35;
    let percent =
        if settings.by_rating { u64::try_from(expected(difference)).unwrap_or(50) } else { 50 };
    let per_mille = percent * 10;
    // The share of draws shrinks where one side is expected to win nearly always.
    let draws = u64::from(settings.draws).min(2 * per_mille).min(2 * (1000 - per_mille));
    let lot = random.below(1000);
    let result = if lot < draws {
        GameResult::Draw
    } else if lot < draws + per_mille - draws / 2 {
        GameResult::Win
    } else {
        GameResult::Loss
    };
    BoardResult::Game(result)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::round_robin::{Cycles, RoundRobin};

    fn by_table(tournament: &Tournament) -> Result<RoundPairing, String> {
        let table = RoundRobin::new(tournament.players.len(), Cycles::Single)
            .map_err(|error| error.to_string())?;
        table.round(tournament.next_round()).ok_or_else(|| "no such round".to_owned())
    }

    #[test]
    fn a_seed_gives_the_same_tournament_again() {
        let settings = Settings { players: 12, rounds: 11, forfeits: 50, ..Settings::default() };
        let play = |seed| simulate(&settings, seed, by_table).unwrap();
        assert_eq!(play(7), play(7));
        assert_ne!(play(7), play(8));
    }

    #[test]
    fn the_generator_is_the_published_one() {
        // First outputs of splitmix64 for the seed 1234567.
        let mut random = Random::new(1_234_567);
        assert_eq!(
            [random.bits(), random.bits()],
            [6_457_827_717_110_365_317, 3_203_168_211_198_807_973]
        );
    }

    #[test]
    fn the_tournament_makes_sense() {
        let settings = Settings { late_entries: 0, withdrawals: 0, ..Settings::lively(20, 19) };
        for seed in 0..20 {
            let tournament = simulate(&settings, seed, |tournament| {
                // The table knows no byes: who has one does not stand on a board.
                let mut pairing = by_table(tournament)?;
                let is_away =
                    |player| tournament.announced_bye(player, tournament.next_round()).is_some();
                pairing.boards.retain(|board| !is_away(board.white) && !is_away(board.black));
                Ok::<_, String>(pairing)
            })
            .unwrap();
            assert_eq!(tournament.check(), Ok(()));
            assert_eq!(tournament.rounds_paired(), 19);
        }
    }

    #[test]
    fn a_pairing_that_fails_stops_the_simulation() {
        let settings = Settings { players: 4, rounds: 5, ..Settings::default() };
        let stopped = simulate(&settings, 1, by_table).unwrap_err();
        assert_eq!(stopped.to_string(), "round 4: no such round");
        let SimulationError::NotPaired { tournament, .. } = stopped else { panic!("{stopped}") };
        assert_eq!(tournament.rounds_paired(), 3);
    }

    #[test]
    fn the_limit_is_stated() {
        let settings = Settings { players: 10_001, ..Settings::default() };
        let refused = simulate(&settings, 1, by_table);
        assert_eq!(refused, Err(SimulationError::TooManyPlayers(10_001)));
    }
}
