//! Defender's phase one: which piece to buy and where to put it.
//!
//! With a hundred choices a slot and nothing to compare them by before the kings stand, looking ahead move by move
//! leads nowhere. So every choice is tried in set-ups that are completed by chance and judged as the chess position
//! they lead to; the better half of the choices is tried again, until one is left. All choices meet the same chances.
//!
//! Against an opponent the mean of the trials counts. A single player meets nobody who spoils the plan, so there the
//! best set-up counts that a choice can lead to: one that wins, with few points.

use rules::defender::{Defender, Placing, SHELF, State, cost};
use rules::shakmaty::{Bitboard, Role, Square};
use rules::{Action, Color};

use super::chess;
use super::limits::Limits;
use super::random::Random;
use super::score::{INFINITE, Value};
use super::search::Search;

/// Set-ups that are tried if nothing else limits the thinking.
const USUAL_TRIALS: usize = 12_000;
/// Set-ups for each unit of depth that is asked for.
const TRIALS_PER_DEPTH: usize = 1_000;
/// Positions a trial looks at, by and large.
const NODES_PER_TRIAL: u64 = 60;
/// A single player's set-up is judged by so much more.
const SINGLE_EFFORT: usize = 8;
/// No set-up counts for more: one that wins by a queen need not win by two.
const MOST: Value = 1_200;
/// A single player's set-up has to be so much better to count as won.
const WON: Value = 300;
/// What a point costs a single player, who wins by spending few; 99 of them are still better than not to win.
const THRIFT: Value = 10;

/// A choice and how it did.
#[derive(Debug, Clone, Copy)]
pub(super) struct Choice {
    pub(super) action: Action,
    sum: i64,
    trials: i64,
    /// The best trial, for those who play alone.
    best: Option<Value>,
}

impl Choice {
    fn new(action: Action, is_single: bool) -> Choice {
        Choice { action, sum: 0, trials: 0, best: is_single.then_some(-2 * MOST) }
    }

    fn count(&mut self, value: Value) {
        self.sum += i64::from(value);
        self.trials += 1;
        self.best = self.best.map(|best| best.max(value));
    }

    /// What is to be expected of it.
    pub(super) fn value(&self) -> Value {
        let mean = || Value::try_from(self.sum / self.trials.max(1)).unwrap_or(0);
        self.best.unwrap_or_else(mean)
    }
}

/// How many set-ups may be tried.
pub(super) fn trials(placing: &Placing, limits: &Limits) -> usize {
    let effort = if is_single(placing) { SINGLE_EFFORT } else { 1 };
    let by_depth = limits.depth.map(|depth| usize::from(depth) * TRIALS_PER_DEPTH);
    let by_nodes = limits
        .nodes
        .map(|nodes| usize::try_from(nodes / NODES_PER_TRIAL).unwrap_or(usize::MAX) / effort);
    by_depth.into_iter().chain(by_nodes).min().unwrap_or(USUAL_TRIALS / effort)
}

/// The choices of the slot, best first. Halted early they come in the order of what is known.
pub(super) fn choose(
    search: &mut Search<'_, chess::Board>,
    placing: &Placing,
    trials: usize,
    seed: u64,
) -> Vec<Choice> {
    let is_single = is_single(placing);
    let actions = placing.actions().into_iter();
    let mut choices: Vec<Choice> = actions.map(|action| Choice::new(action, is_single)).collect();
    let rounds = choices.len().next_power_of_two().trailing_zeros().max(1) as usize;
    let mut left = choices.len();
    let mut number = 0;
    while left > 1 && !search.halted {
        let each = (trials / rounds / left).max(1);
        for _ in 0..each {
            number += 1;
            for choice in &mut choices[..left] {
                let mut random = Random::new(seed, number);
                let value = try_out(search, placing, choice.action, &mut random);
                if search.halted {
                    break;
                }
                choice.count(value);
            }
        }
        choices[..left].sort_by_key(|choice| std::cmp::Reverse(choice.value()));
        left = left.div_ceil(2);
    }
    choices
}

/// Whether the other side's army stands already, king and all.
fn is_single(placing: &Placing) -> bool {
    placing.states()[placing.slot().other()] == State::Crowned
}

/// One set-up that begins with a choice, as good as it turns out for the side of the slot.
fn try_out(
    search: &mut Search<'_, chess::Board>,
    placing: &Placing,
    first: Action,
    random: &mut Random,
) -> Value {
    let side = placing.slot();
    let is_single = is_single(placing);
    let mut game = Defender::Placing(placing.clone());
    let mut next = first;
    let mut spent = 0;
    loop {
        if let Action::Place { role, .. } = next
            && game.side_to_act() == side
        {
            spent += Value::from(cost(role));
        }
        if game.place(next).is_err() {
            return -MOST;
        }
        match &game {
            Defender::Battle(chess) => {
                let board = chess::Board::new(chess.clone());
                let depth = if is_single { 3 } else { 1 };
                let white = search.descend(&board, depth, 1, -INFINITE, INFINITE, false);
                let value = if side == Color::White { white } else { -white };
                return match value {
                    WON.. if is_single => MOST - THRIFT * spent,
                    _ if is_single => value.clamp(-MOST, WON) - MOST,
                    _ => value.clamp(-MOST, MOST),
                };
            }
            Defender::Placing(placing) if placing.is_lost() => {
                return if placing.slot() == side { -MOST } else { MOST };
            }
            Defender::Placing(placing) => next = pick(placing, random),
        }
    }
}

/// Something legal that is not absurd.
fn pick(placing: &Placing, random: &mut Random) -> Action {
    /// How often a piece is bought, of a hundred.
    const TASTE: [(Role, usize); 5] = [
        (Role::Pawn, 40),
        (Role::Knight, 15),
        (Role::Bishop, 17),
        (Role::Rook, 18),
        (Role::Queen, 10),
    ];
    let king_squares = placing.squares_for(Role::King);
    if king_squares.any() && (!placing.may_finish() || random.happens(15)) {
        return Action::Place { role: Role::King, to: sheltered(placing, king_squares, random) };
    }
    let mut mark = random.below(100);
    let wanted = TASTE.into_iter().find(|&(_, share)| {
        let found = mark < share;
        mark = mark.saturating_sub(share);
        found
    });
    let wanted = wanted.map_or(Role::Pawn, |(role, _)| role);
    // If there is no money or no room for it, something cheaper will do.
    let affordable = SHELF.into_iter().rev().skip_while(|&role| role != wanted).chain(SHELF);
    for role in affordable {
        if let Some(to) = any_of(placing.squares_for(role), random) {
            return Action::Place { role, to };
        }
    }
    Action::Pass
}

/// Of three squares the one with most friends around.
fn sheltered(placing: &Placing, squares: Bitboard, random: &mut Random) -> Square {
    let own = placing.board().by_color(placing.slot().into());
    let friends = |square: Square| (rules::shakmaty::attacks::king_attacks(square) & own).count();
    let candidates = (0..3).filter_map(|_| any_of(squares, random));
    candidates.max_by_key(|&square| friends(square)).unwrap_or(Square::E1)
}

fn any_of(squares: Bitboard, random: &mut Random) -> Option<Square> {
    squares.into_iter().nth(random.below(squares.count()))
}
