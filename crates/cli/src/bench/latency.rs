//! Latencies in microseconds: every one is kept, so the quantiles are exact.

/// What was measured.
#[derive(Debug, Default, Clone)]
pub(super) struct Latencies(Vec<u32>);

impl Latencies {
    pub(super) fn add(&mut self, micros: u64) {
        self.0.push(u32::try_from(micros).unwrap_or(u32::MAX));
    }

    pub(super) fn append(&mut self, other: &mut Latencies) {
        self.0.append(&mut other.0);
    }

    pub(super) fn count(&self) -> usize {
        self.0.len()
    }

    /// The value that `per_mille` of a thousand do not exceed; 0 if nothing was measured.
    pub(super) fn quantile(&mut self, per_mille: usize) -> u32 {
        if self.0.is_empty() {
            return 0;
        }
        let rank = (self.0.len() * per_mille).div_ceil(1_000).clamp(1, self.0.len());
        *self.0.select_nth_unstable(rank - 1).1
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles_are_those_of_the_sorted_values() {
        let mut latencies = Latencies::default();
        assert_eq!(latencies.quantile(990), 0);
        (1..=1_000).rev().for_each(|micros| latencies.add(micros));
        assert_eq!(latencies.quantile(500), 500);
        assert_eq!(latencies.quantile(990), 990);
        assert_eq!(latencies.quantile(1_000), 1_000);
        assert_eq!(latencies.quantile(0), 1);
    }
}
