//! The dice.

use std::sync::Arc;

use parking_lot::Mutex;

/// A source of random numbers: the system's secure one, or a reproducible one for tests. Cheap to clone.
#[derive(Clone)]
pub struct Chance(Source);

#[derive(Clone)]
enum Source {
    System,
    Seeded(Arc<Mutex<u64>>),
}

impl Chance {
    /// The system's secure generator.
    pub fn from_system() -> Chance {
        Chance(Source::System)
    }

    /// The same numbers for the same seed. Not secure: for tests.
    pub fn from_seed(seed: u64) -> Chance {
        Chance(Source::Seeded(Arc::new(Mutex::new(seed))))
    }

    /// Another source beside this one: what is drawn from it leaves the numbers of this one as they are, so that a test
    /// with a seed does not depend on everything that a start draws.
    pub(crate) fn apart(&self) -> Chance {
        match &self.0 {
            Source::System => Chance::from_system(),
            Source::Seeded(state) => Chance::from_seed(!*state.lock()),
        }
    }

    /// Fills an array with random bytes.
    pub fn bytes<const N: usize>(&self) -> [u8; N] {
        let mut bytes = [0; N];
        match &self.0 {
            // Without its random source the system cannot make a session or an id safely: better to stop here.
            Source::System => getrandom::fill(&mut bytes).expect("the system has a random source"),
            Source::Seeded(state) => {
                let mut state = state.lock();
                for chunk in bytes.chunks_mut(8) {
                    chunk.copy_from_slice(&split_mix(&mut state).to_le_bytes()[..chunk.len()]);
                }
            }
        }
        bytes
    }

    /// A random number of 64 bits.
    pub fn bits(&self) -> u64 {
        u64::from_le_bytes(self.bytes())
    }
}

/// One step of the generator `SplitMix64`.
fn split_mix(state: &mut u64) -> u64 {
    *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let mut z = *state;
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seed_gives_the_same_numbers_again() {
        let (a, b) = (Chance::from_seed(5), Chance::from_seed(5));
        assert_eq!(
            (0..9).map(|_| a.bits()).collect::<Vec<_>>(),
            (0..9).map(|_| b.bits()).collect::<Vec<_>>()
        );
        assert_ne!(a.bytes::<32>(), Chance::from_seed(6).bytes::<32>());
    }
}
