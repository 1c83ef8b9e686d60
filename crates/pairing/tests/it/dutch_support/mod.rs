//! Random tournaments for the tests of the Dutch system, repeatable by seed.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on should stop")]

pub(crate) mod brute;

use pairing::dutch::{self, PairingError, Round};
use pairing::{
    Acceleration, AnnouncedBye, Bye, Colour, Entry, ForbiddenGroup, GameResult, PairingNumber,
    Player, RoundNumber, Tournament,
};

/// A small source of repeatable disorder.
pub(crate) struct Dice(u64);

impl Dice {
    pub(crate) fn new(seed: u64) -> Dice {
        Dice(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    pub(crate) fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from((self.0 >> 11) % limit as u64).unwrap()
    }

    /// True in so many of a hundred cases.
    pub(crate) fn percent(&mut self, chance: usize) -> bool {
        self.below(100) < chance
    }
}

/// How wild a tournament is; all in percent.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Habits {
    pub(crate) draws: usize,
    pub(crate) forfeits: usize,
    pub(crate) byes: usize,
    pub(crate) forbidden: usize,
    pub(crate) accelerated: bool,
}

pub(crate) const CALM: Habits =
    Habits { draws: 30, forfeits: 0, byes: 0, forbidden: 0, accelerated: false };
pub(crate) const WILD: Habits =
    Habits { draws: 40, forfeits: 8, byes: 10, forbidden: 10, accelerated: false };

impl Habits {
    /// Some habits, chosen by chance.
    pub(crate) fn random(dice: &mut Dice) -> Habits {
        let mut one_of = |values: &[usize]| values[dice.below(values.len())];
        Habits {
            draws: one_of(&[0, 30, 60, 95]),
            forfeits: one_of(&[0, 0, 5, 25]),
            byes: one_of(&[0, 0, 5, 20]),
            forbidden: one_of(&[0, 0, 10, 40]),
            accelerated: one_of(&[0, 0, 0, 1]) == 1,
        }
    }
}

/// An event before its first round.
pub(crate) fn start(dice: &mut Dice, players: u16, rounds: u16, habits: Habits) -> Tournament {
    let entries = (1..=players)
        .map(|number| Player::new(PairingNumber(number), format!("P{number:04}"), None));
    let mut forbidden = Vec::new();
    for _ in 0..usize::from(players) * habits.forbidden / 100 {
        let group = (0..2)
            .map(|_| PairingNumber(u16::try_from(1 + dice.below(usize::from(players))).unwrap()));
        forbidden.push(ForbiddenGroup { rounds: None, players: group.collect() });
    }
    Tournament {
        players: entries.collect(),
        total_rounds: Some(rounds),
        initial_colour: Some(if dice.percent(50) { Colour::White } else { Colour::Black }),
        acceleration: if habits.accelerated {
            Acceleration::baku(players)
        } else {
            Acceleration::None
        },
        forbidden,
        ..Tournament::default()
    }
}

/// Announces byes for the round to come.
pub(crate) fn announce(dice: &mut Dice, tournament: &mut Tournament, habits: Habits) {
    let round = tournament.next_round();
    for player in 0..tournament.players.len() {
        if dice.percent(habits.byes) {
            let bye = [Bye::Half, Bye::Half, Bye::Zero, Bye::Zero, Bye::Full][dice.below(5)];
            tournament.byes.push(AnnouncedBye {
                round,
                player: tournament.players[player].number,
                bye,
            });
        }
    }
}

/// Enters a round with results by chance.
pub(crate) fn play(dice: &mut Dice, tournament: &mut Tournament, round: &Round, habits: Habits) {
    let places = tournament.places();
    let mut entries = vec![Entry::Bye(Bye::Zero); tournament.players.len()];
    for bye in tournament.byes.iter().filter(|bye| bye.round == round.number) {
        entries[places.of(bye.player).unwrap()] = Entry::Bye(bye.bye);
    }
    if let Some(bye) = round.bye {
        entries[places.of(bye).unwrap()] = Entry::Bye(Bye::PairingAllocated);
    }
    for pair in &round.pairs {
        let (white, black) = (places.of(pair.white).unwrap(), places.of(pair.black).unwrap());
        if dice.percent(habits.forfeits) {
            let came = dice.below(5);
            let forfeit =
                |opponent, colour, won| Entry::Forfeit { opponent, colour: Some(colour), won };
            entries[white] = forfeit(pair.black, Colour::White, came < 2);
            entries[black] = forfeit(pair.white, Colour::Black, (2..4).contains(&came));
            continue;
        }
        let result = if dice.percent(habits.draws) {
            GameResult::Draw
        } else if dice.percent(50 + 2 * usize::from(white < black)) {
            GameResult::Win
        } else {
            GameResult::Loss
        };
        let other = match result {
            GameResult::Win => GameResult::Loss,
            GameResult::Draw => GameResult::Draw,
            GameResult::Loss => GameResult::Win,
        };
        let game = |opponent, colour, result| Entry::Game { opponent, colour, result, rated: true };
        entries[white] = game(pair.black, Colour::White, result);
        entries[black] = game(pair.white, Colour::Black, other);
    }
    for (player, entry) in tournament.players.iter_mut().zip(entries) {
        player.rounds.push(entry);
    }
}

/// Plays so many rounds; stops early if a round cannot be paired.
pub(crate) fn play_rounds(
    dice: &mut Dice,
    tournament: &mut Tournament,
    rounds: u16,
    habits: Habits,
) {
    for _ in 0..rounds {
        announce(dice, tournament, habits);
        match dutch::pair(tournament) {
            Ok(round) => play(dice, tournament, &round, habits),
            Err(PairingError::Impossible | PairingError::NobodyPresent) => break,
            Err(error) => panic!("{error}"),
        }
    }
}

/// A random tournament with its next round to be paired.
pub(crate) fn random(seed: u64, largest: usize) -> Tournament {
    let mut dice = Dice::new(seed);
    let habits = Habits::random(&mut dice);
    let players = 2 + dice.below(largest - 1);
    let most = (players - 1).clamp(1, 12);
    let rounds = 1 + dice.below(most);
    let played = dice.below(rounds);
    let size = |number: usize| u16::try_from(number).unwrap();
    let mut tournament = start(&mut dice, size(players), size(rounds), habits);
    play_rounds(&mut dice, &mut tournament, size(played), habits);
    if tournament.next_round() <= RoundNumber(size(rounds)) {
        announce(&mut dice, &mut tournament, habits);
    }
    tournament
}
