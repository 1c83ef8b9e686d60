//! A small generator of repeatable cases: the number of a case is its seed.

/// `SplitMix64`.
pub(crate) struct Chance(u64);

impl Chance {
    pub(crate) fn new(case: u64) -> Chance {
        Chance(case.wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ 0x0052_4F4F_4B45_5259)
    }

    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    /// A number below `n`.
    pub(crate) fn below(&mut self, n: usize) -> usize {
        usize::try_from(self.next() % n as u64).expect("smaller than n")
    }

    /// A time below `n` milliseconds.
    pub(crate) fn ms(&mut self, n: i64) -> i64 {
        i64::try_from(self.next() % n.unsigned_abs()).expect("smaller than n")
    }

    pub(crate) fn one_in(&mut self, n: usize) -> bool {
        self.below(n) == 0
    }

    pub(crate) fn pick<'a, T>(&mut self, items: &'a [T]) -> &'a T {
        &items[self.below(items.len())]
    }
}
