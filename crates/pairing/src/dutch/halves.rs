//! Upper half against lower half: the first pairing in order, over rows of bits.

use crate::matching::bits::{Bits, Members};
use crate::matching::{NONE, compact};

/// The two halves of a remainder. If the number is odd, a joker plays in the upper half:
/// whoever meets the joker is the one left over.
pub(super) struct Halves<R> {
    /// All players in order; the upper half comes first.
    players: Vec<usize>,
    /// How many are in the upper half, the joker not counted.
    upper: usize,
    joker: Option<Bits>,
    /// The neighbours of a player: two rows of bits, both must be set.
    rows: R,
    /// Lower players whose opponent is not final.
    open: Bits,
    /// By upper place (the joker last): the opponent.
    opponent: Vec<u32>,
    /// By player: the upper place of the opponent.
    upper_of: Vec<u32>,
    /// The words of a row in which the players' bits lie.
    words: std::ops::Range<usize>,
}

/// A remainder paired.
pub(super) struct Found {
    pub(super) pairs: Vec<(usize, usize)>,
    pub(super) single: Option<usize>,
}

impl<'r, R: Fn(usize) -> (&'r [u64], &'r [u64])> Halves<R> {
    pub(super) fn new(players: Vec<usize>, joker: Option<Bits>, size: usize, rows: R) -> Halves<R> {
        let upper = players.len() / 2;
        let open = Bits::of(size, players[upper..].iter().copied());
        let words = match (players.first(), players.last()) {
            (Some(first), Some(last)) => first / 64..last / 64 + 1,
            _ => 0..0,
        };
        Halves {
            opponent: vec![NONE; upper + usize::from(joker.is_some())],
            upper_of: vec![NONE; size],
            players,
            upper,
            joker,
            rows,
            open,
            words,
        }
    }

    /// The first pairing in order, if there is any at all.
    pub(super) fn first_pairing(mut self) -> Option<Found> {
        debug_assert_eq!(self.players.len() % 2 == 1, self.joker.is_some());
        for place in 0..self.opponent.len() {
            let free = self.words.clone().find_map(|index| {
                let mut members = Members { word: self.row_word(place, index), index };
                members.find(|&lower| self.upper_of[lower] == NONE)
            });
            match free {
                Some(lower) => self.join(place, lower),
                None => self.augment(place)?,
            }
        }
        for place in 0..self.upper {
            self.improve(place);
            self.open.remove(self.opponent[place] as usize);
        }
        let pairs = (0..self.upper)
            .map(|place| (self.players[place], self.opponent[place] as usize))
            .collect();
        let single = self.joker.is_some().then(|| self.opponent[self.upper] as usize);
        Some(Found { pairs, single })
    }

    /// One word of the open neighbours of an upper place.
    fn row_word(&self, place: usize, index: usize) -> u64 {
        let open = self.open.words()[index];
        if place == self.upper {
            return self.joker.as_ref().map_or(0, |joker| joker.words()[index] & open);
        }
        let (row, mask) = (self.rows)(self.players[place]);
        row[index] & mask[index] & open
    }

    fn are_joined(&self, place: usize, lower: usize) -> bool {
        self.row_word(place, lower / 64) >> (lower % 64) & 1 == 1
    }

    fn join(&mut self, place: usize, lower: usize) {
        self.opponent[place] = compact(lower);
        self.upper_of[lower] = compact(place);
    }

    /// Finds an opponent for an upper place by rearranging others.
    fn augment(&mut self, root: usize) -> Option<()> {
        let mut unseen = self.open.clone();
        let mut reached_from = vec![NONE; self.upper_of.len()];
        let mut queue = vec![root];
        let mut head = 0;
        while head < queue.len() {
            let place = queue[head];
            head += 1;
            for index in self.words.clone() {
                let fresh = self.row_word(place, index) & unseen.words()[index];
                unseen.words_mut()[index] &= !fresh;
                for lower in (Members { word: fresh, index }) {
                    reached_from[lower] = compact(place);
                    if self.upper_of[lower] == NONE {
                        self.shift(lower, &reached_from);
                        return Some(());
                    }
                    queue.push(self.upper_of[lower] as usize);
                }
            }
        }
        None
    }

    /// Turns an alternating path around, from its free end.
    fn shift(&mut self, end: usize, reached_from: &[u32]) {
        let mut lower = end;
        loop {
            let place = reached_from[lower] as usize;
            let before = self.opponent[place];
            self.join(place, lower);
            if before == NONE {
                return;
            }
            lower = before as usize;
        }
    }

    /// Gives an upper place the first opponent that leaves everybody else one.
    fn improve(&mut self, place: usize) {
        let own = self.opponent[place] as usize;
        let mut wanted = self
            .words
            .clone()
            .flat_map(|index| Members { word: self.row_word(place, index), index });
        let Some(first) = wanted.next() else { return };
        if first == own {
            return;
        }
        let holder = self.upper_of[first] as usize;
        if self.are_joined(holder, own) {
            self.join(holder, own);
            self.join(place, first);
            return;
        }
        let ways = self.ways_to(own, place);
        let better = std::iter::once(first).chain(wanted).take_while(|&lower| lower < own);
        let reachable =
            better.into_iter().find(|&lower| ways[self.upper_of[lower] as usize] != NONE);
        if let Some(lower) = reachable {
            self.hand_over(lower, own, &ways);
            self.join(place, lower);
        }
    }

    /// For every upper place the lower player it can take over on a way that ends with `own`
    /// being taken; `NONE` if there is no way.
    fn ways_to(&self, own: usize, without: usize) -> Vec<u32> {
        let mut ways = vec![NONE; self.opponent.len()];
        let mut unseen =
            Bits::of(self.upper_of.len(), self.players[without + 1..self.upper].iter().copied());
        let mut joker_unseen = self.joker.is_some();
        let mut queue = vec![own];
        let mut head = 0;
        while head < queue.len() {
            let lower = queue[head];
            head += 1;
            let (row, mask) = (self.rows)(lower);
            for index in self.words.clone() {
                let fresh = row[index] & mask[index] & unseen.words()[index];
                unseen.words_mut()[index] &= !fresh;
                for player in (Members { word: fresh, index }) {
                    let place = self.place_of(player);
                    ways[place] = compact(lower);
                    queue.push(self.opponent[place] as usize);
                }
            }
            if joker_unseen && self.are_joined(self.upper, lower) {
                joker_unseen = false;
                ways[self.upper] = compact(lower);
                queue.push(self.opponent[self.upper] as usize);
            }
        }
        ways
    }

    fn place_of(&self, player: usize) -> usize {
        self.players[..self.upper]
            .binary_search(&player)
            .expect("only players of the upper half are asked for")
    }

    /// Frees `lower` by moving its opponent, and theirs in turn, until `own` is taken.
    fn hand_over(&mut self, lower: usize, own: usize, ways: &[u32]) {
        let mut place = self.upper_of[lower] as usize;
        loop {
            let taken = ways[place] as usize;
            let next = self.upper_of[taken];
            self.join(place, taken);
            if taken == own {
                return;
            }
            place = next as usize;
        }
    }
}
