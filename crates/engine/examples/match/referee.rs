//! Games from varied openings, both colours each, and the score of a match.

use std::fmt;

use rules::{Color, Outcome, Position};

use super::players::Player;

/// Plies of chance before the players take over; in Defender they place from the start.
const OPENING: usize = 6;
/// A game of so many plies is drawn.
const MOST_PLIES: usize = 400;

/// The score of a match as the first player sees it.
#[derive(Default)]
pub(crate) struct Tally {
    pub(crate) wins: u32,
    pub(crate) draws: u32,
    pub(crate) losses: u32,
}

impl Tally {
    pub(crate) fn games(&self) -> u32 {
        self.wins + self.draws + self.losses
    }

    /// By how much a player is stronger who scores like this; half a point is kept from perfection.
    pub(crate) fn elo(&self) -> f64 {
        let games = f64::from(self.games()).max(1.0);
        let points = f64::from(self.wins) + f64::from(self.draws) / 2.0;
        let share = (points / games).clamp(0.5 / games, 1.0 - 0.5 / games);
        400.0 * (share / (1.0 - share)).log10()
    }
}

impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Tally { wins, draws, losses } = self;
        write!(f, "{wins} won, {draws} drawn, {losses} lost: Elo {:+.0}", self.elo())
    }
}

/// Plays pairs of games from one opening each, with colours exchanged.
pub(crate) fn play_match(
    first: &mut dyn Player,
    second: &mut dyn Player,
    start: &Position,
    games: u32,
    mut after_each: impl FnMut(&Tally),
) -> Tally {
    let mut tally = Tally::default();
    for game in 0..games {
        let opening = opening(start, u64::from(game / 2));
        let own = if game % 2 == 0 { Color::White } else { Color::Black };
        match play(first, second, own, opening, u64::from(game)) {
            Some(winner) if winner == own => tally.wins += 1,
            Some(_) => tally.losses += 1,
            None => tally.draws += 1,
        }
        after_each(&tally);
    }
    tally
}

/// A position a few moves of chance away from the start, and those before it.
fn opening(start: &Position, number: u64) -> Vec<Position> {
    let plies = if matches!(start, Position::Defender(_)) { 0 } else { OPENING };
    let mut chance = number.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    loop {
        let mut positions = vec![start.clone()];
        for _ in 0..plies {
            let mut position = positions[positions.len() - 1].clone();
            let actions = position.actions();
            chance = scramble(chance);
            let chosen = usize::try_from(chance % actions.len() as u64).unwrap_or(0);
            position.play(actions[chosen]).expect("a listed action is legal");
            if position.outcome().is_some() {
                break;
            }
            positions.push(position);
        }
        if positions.len() == plies + 1 {
            return positions;
        }
    }
}

fn scramble(mut value: u64) -> u64 {
    value ^= value << 13;
    value ^= value >> 7;
    value ^ value << 17
}

/// The winner, if there is one.
fn play(
    first: &mut dyn Player,
    second: &mut dyn Player,
    own: Color,
    positions: Vec<Position>,
    number: u64,
) -> Option<Color> {
    let mut hashes: Vec<u64> = positions.iter().map(Position::hash).collect();
    let mut position = positions.into_iter().next_back()?;
    let mut chance = scramble(number + 1);
    for _ in 0..MOST_PLIES {
        match position.outcome() {
            Some(Outcome::Win { winner, .. }) => return Some(winner),
            Some(_) => return None,
            None => {}
        }
        let now = position.hash();
        let repeated = hashes.iter().filter(|&&hash| hash == now).count() >= 3;
        if repeated || position.halfmoves() >= 100 {
            return None;
        }
        chance = scramble(chance);
        let history = &hashes[..hashes.len() - 1];
        let action = if position.side_to_act() == own {
            first.choose(&position, history, chance)
        } else {
            second.choose(&position, history, chance)
        };
        position.play(action).expect("players keep to the rules");
        hashes.push(position.hash());
    }
    None
}
