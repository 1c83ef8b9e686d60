//! How long a bot seems to think, so that a beginner's opponent does not move like a machine.

use std::time::Duration;

use super::level::Level;
use super::random::Random;
use crate::report::Phase;

/// What a player who thinks can see.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Moment {
    /// How far the game has come.
    pub phase: Phase,
    /// What its clock shows; `None` if it has none.
    pub left: Option<Duration>,
    /// What a move brings back.
    pub increment: Duration,
    /// How many moves there are to choose from.
    pub choices: usize,
}

/// No pretended thought is longer.
const LONGEST: Duration = Duration::from_secs(12);

/// How long the move should take in all, from the seed alone; the engine's own time is part of it.
///
/// The two strongest levels do not pretend.
pub fn think_time(level: Level, seed: u64, moment: &Moment) -> Duration {
    let mut random = Random::new(seed, 0x7061_6365);
    let usual: u32 = match moment.phase {
        _ if level.number() >= 7 => return Duration::ZERO,
        _ if moment.choices <= 1 => 350,
        Phase::Opening => 1_000,
        Phase::Middlegame => 2_600,
        Phase::Endgame => 1_900,
    };
    // Most thoughts take about as long as usual, some half, and one in twelve is a deep one.
    let bell = u32::try_from(random.bell() + 256).unwrap_or(256);
    let percent = 40 + bell * 120 / 512;
    let deep = if random.below(12) == 0 && moment.choices > 1 { 3 } else { 1 };
    let wanted = Duration::from_millis(u64::from(usual * percent / 100 * deep));
    let affordable = moment.left.map_or(LONGEST, |left| left / 40 + moment.increment / 2);
    // Even an increment cannot be spent before it is there.
    let reserve = moment.left.map_or(LONGEST, |left| left / 5);
    wanted.min(affordable).min(reserve).min(LONGEST)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn moment(left_ms: Option<u64>) -> Moment {
        Moment {
            phase: Phase::Middlegame,
            left: left_ms.map(Duration::from_millis),
            increment: Duration::ZERO,
            choices: 30,
        }
    }

    #[test]
    fn thinking_never_loses_on_time() {
        for left in [1, 100, 1_000, 10_000, 600_000] {
            for seed in 0..200 {
                let time = think_time(Level::WEAKEST, seed, &moment(Some(left)));
                assert!(time <= Duration::from_millis(left) / 5, "{left} ms left, thinks {time:?}");
            }
        }
    }

    #[test]
    fn thinking_times_vary_with_the_seed_and_only_with_it() {
        let time = |seed| think_time(Level::WEAKEST, seed, &moment(Some(600_000)));
        let times: std::collections::BTreeSet<Duration> = (0..100).map(time).collect();
        assert!(times.len() > 30);
        assert!(times.iter().all(|time| (300..13_000).contains(&time.as_millis())), "{times:?}");
        assert_eq!(time(5), time(5));
    }

    #[test]
    fn the_only_move_comes_at_once_and_the_strong_never_pretend() {
        let forced = Moment { choices: 1, ..moment(None) };
        assert!((0..50).all(|seed| think_time(Level::WEAKEST, seed, &forced).as_millis() < 700));
        assert_eq!(think_time(Level::STRONGEST, 1, &moment(None)), Duration::ZERO);
    }
}
