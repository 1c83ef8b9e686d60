//! Numbers for weights: plain integers where they suffice, wider ones where many criteria are
//! packed into one number.

use std::cmp::Ordering;
use std::ops::{Add, Sub};

/// A signed whole number that can carry a weight.
pub trait Weight: Copy + Ord + Add<Output = Self> + Sub<Output = Self> {
    /// Nothing.
    const ZERO: Self;
    /// How many bits a value may use without its sums overflowing a sign.
    const BITS: u32;

    /// `value` moved left by so many bits.
    fn shifted(value: u64, by: u32) -> Self;

    /// Half of an even number.
    #[must_use]
    fn half(self) -> Self;
}

impl Weight for i64 {
    const ZERO: i64 = 0;
    const BITS: u32 = 62;

    fn shifted(value: u64, by: u32) -> i64 {
        value.cast_signed() << by
    }

    fn half(self) -> i64 {
        self >> 1
    }
}

impl Weight for i128 {
    const ZERO: i128 = 0;
    const BITS: u32 = 126;

    fn shifted(value: u64, by: u32) -> i128 {
        i128::from(value) << by
    }

    fn half(self) -> i128 {
        self >> 1
    }
}

/// A signed number of `N` words in two's complement, the lowest word first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Wide<const N: usize>([u64; N]);

impl<const N: usize> Add for Wide<N> {
    type Output = Wide<N>;

    fn add(mut self, other: Wide<N>) -> Wide<N> {
        let mut carry = false;
        for (word, theirs) in self.0.iter_mut().zip(other.0) {
            let (sum, first) = word.overflowing_add(theirs);
            let (sum, second) = sum.overflowing_add(u64::from(carry));
            (*word, carry) = (sum, first || second);
        }
        self
    }
}

impl<const N: usize> Sub for Wide<N> {
    type Output = Wide<N>;

    fn sub(mut self, other: Wide<N>) -> Wide<N> {
        let mut borrow = false;
        for (word, theirs) in self.0.iter_mut().zip(other.0) {
            let (rest, first) = word.overflowing_sub(theirs);
            let (rest, second) = rest.overflowing_sub(u64::from(borrow));
            (*word, borrow) = (rest, first || second);
        }
        self
    }
}

impl<const N: usize> Ord for Wide<N> {
    fn cmp(&self, other: &Wide<N>) -> Ordering {
        let top = self.0[N - 1].cast_signed().cmp(&other.0[N - 1].cast_signed());
        (0..N - 1).rev().fold(top, |order, word| order.then(self.0[word].cmp(&other.0[word])))
    }
}

impl<const N: usize> PartialOrd for Wide<N> {
    fn partial_cmp(&self, other: &Wide<N>) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl<const N: usize> Weight for Wide<N> {
    const ZERO: Wide<N> = Wide([0; N]);
    #[expect(clippy::cast_possible_truncation, reason = "a handful of words")]
    const BITS: u32 = 64 * N as u32 - 2;

    fn shifted(value: u64, by: u32) -> Wide<N> {
        let mut words = [0; N];
        let (word, bit) = ((by / 64) as usize, by % 64);
        words[word] = value << bit;
        if bit > 0 && word + 1 < N {
            words[word + 1] = value >> (64 - bit);
        }
        Wide(words)
    }

    fn half(mut self) -> Wide<N> {
        for word in 0..N - 1 {
            self.0[word] = self.0[word] >> 1 | self.0[word + 1] << 63;
        }
        self.0[N - 1] = (self.0[N - 1].cast_signed() >> 1).cast_unsigned();
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    type W = Wide<3>;

    /// The same calculation in 128 bits and in three words.
    fn both(value: u64, by: u32, other: u64, by_other: u32) {
        let narrow = (i128::shifted(value, by), i128::shifted(other, by_other));
        let wide = (W::shifted(value, by), W::shifted(other, by_other));
        let truth = (narrow.0 - narrow.1).cmp(&0);
        assert_eq!((wide.0 - wide.1).cmp(&W::ZERO), truth);
        assert_eq!(wide.0.cmp(&wide.1), narrow.0.cmp(&narrow.1));
        assert_eq!((wide.0 - wide.1) + wide.1, wide.0);
        let doubled = (wide.0 - wide.1) + (wide.0 - wide.1);
        assert_eq!(doubled.half(), wide.0 - wide.1);
    }

    #[test]
    fn wide_numbers_count_like_narrow_ones() {
        both(5, 0, 7, 0);
        both(1, 64, u64::MAX, 0);
        both(3, 62, 1, 63);
        both(0, 0, 1, 100);
        both(0x00ff_ffff, 60, 0x00ff_fff0, 60);
    }
}
