//! Numbers that look random and follow from a seed alone.

/// A small generator: fast and well mixed, nothing a secret may rest on.
#[derive(Debug, Clone)]
pub(super) struct Random(u64);

impl Random {
    /// The numbers that belong to these two seeds together, such as a game's and a position's.
    pub(super) fn new(seed: u64, salt: u64) -> Random {
        let mut random = Random(seed);
        random.0 = random.next() ^ salt;
        random.next();
        random
    }

    /// Sixty-four bits.
    pub(super) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// A number below `n`; 0 if `n` is 0.
    pub(super) fn below(&mut self, n: usize) -> usize {
        let wide = u128::from(self.next()) * (n as u128);
        usize::try_from(wide >> 64).unwrap_or(0)
    }

    /// Whether something of this probability happens.
    pub(super) fn happens(&mut self, percent: u8) -> bool {
        self.below(100) < usize::from(percent)
    }

    /// A number from -256 to 256 that is mostly near 0: the sum of four even ones, so nearly a bell.
    pub(super) fn bell(&mut self) -> i32 {
        (0..4).map(|_| i32::try_from(self.below(129)).unwrap_or(0) - 64).sum()
    }
}
