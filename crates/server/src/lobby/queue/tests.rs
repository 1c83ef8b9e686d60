//! The queue against a slow and obvious one, and one fact at a time.

use proptest::prelude::*;
use rules::{ByColor, Millis, TimeControl, UnixMillis, Variant};
use store::AccountId;

use super::*;

fn id(number: u64) -> AccountId {
    AccountId::from_bits(number)
}

fn mode(minutes: i64) -> Mode {
    let time = TimeControl::fischer(Millis::minutes(minutes), Millis::ZERO);
    Mode { variant: Variant::Standard, time, is_rated: true }
}

fn entry(player: u64, rating: i32) -> Entry {
    Entry { player: id(player), rating, color_balance: 0, avoids: Vec::new() }
}

/// A queue for blitz with these players, all come at moment 0.
fn queue(players: impl IntoIterator<Item = (u64, i32)>) -> Queue {
    let mut queue = Queue::default();
    for (player, rating) in players {
        queue.join(&mode(5), entry(player, rating), UnixMillis(0));
    }
    queue
}

/// The pairs of one tick, the longer waiting first where chance decides.
fn pairs(queue: &mut Queue, now: i64) -> Vec<(AccountId, AccountId)> {
    let tick = queue.tick(UnixMillis(now), || true);
    tick.pairings.into_iter().map(|one| (one.players.white, one.players.black)).collect()
}

fn check(players: &[(u64, i32)], now: i64, expected: &[(u64, u64)]) {
    let mut queue = queue(players.iter().copied());
    let expected: Vec<_> = expected.iter().map(|(a, b)| (id(*a), id(*b))).collect();
    assert_eq!(pairs(&mut queue, now), expected);
}

#[test]
fn the_range_grows_by_50_every_full_5_seconds() {
    check(&[(1, 1500), (2, 1550)], 0, &[(1, 2)]);
    check(&[(1, 1500), (2, 1551)], 4_999, &[]);
    check(&[(1, 1500), (2, 1551)], 5_000, &[(1, 2)]);
    check(&[(1, 1500), (2, 1600)], 5_000, &[(1, 2)]);
    check(&[(1, 1500), (2, 1601)], 9_999, &[]);
    check(&[(1, 1601), (2, 1500)], 10_000, &[(1, 2)]);
}

#[test]
fn each_has_to_be_in_the_others_range() {
    let mut queue = queue([(1, 1500)]);
    queue.join(&mode(5), entry(2, 1600), UnixMillis(20_000));
    assert_eq!(pairs(&mut queue, 24_999), []);
    assert_eq!(pairs(&mut queue, 25_000), [(id(1), id(2))]);
}

#[test]
fn the_longest_waiting_chooses_the_closest() {
    check(&[(1, 1500), (2, 1540), (3, 1510), (4, 1545)], 0, &[(1, 3), (2, 4)]);
    check(&[(1, 1500), (2, 1490), (3, 1510)], 0, &[(1, 2)]); // equally close: who came first
    check(&[(1, 1500), (3, 1510), (2, 1490)], 0, &[(1, 3)]);
    check(&[(1, 1500), (2, 1490), (3, 1490), (4, 1490)], 0, &[(1, 2), (3, 4)]);
}

#[test]
fn joining_twice_keeps_the_place() {
    let mut queue = queue([(1, 1500), (2, 1540)]);
    queue.join(&mode(5), entry(1, 1500), UnixMillis(9_000));
    let seen = queue.view(id(1), UnixMillis(10_000)).unwrap();
    assert_eq!(seen, WaitingView { waited: Millis(10_000), range: 150, players: 2 });
    assert_eq!(pairs(&mut queue, 10_000), [(id(1), id(2))]);
    assert!(queue.is_empty());
}

#[test]
fn joining_another_mode_gives_up_the_first() {
    let mut queue = queue([(1, 1500)]);
    queue.join(&mode(3), entry(1, 1500), UnixMillis(1_000));
    queue.join(&mode(5), entry(2, 1500), UnixMillis(1_000));
    assert_eq!(pairs(&mut queue, 1_000), []);
    assert_eq!(queue.view(id(1), UnixMillis(1_000)).unwrap().waited, Millis(0));
    queue.join(&mode(3), entry(2, 1500), UnixMillis(2_000));
    assert_eq!(pairs(&mut queue, 2_000), [(id(1), id(2))]);
}

#[test]
fn modes_do_not_mix() {
    let mut queue = queue([(1, 1500)]);
    let casual = Mode { is_rated: false, ..mode(5) };
    let shuffled = Mode { variant: Variant::Chess960, ..mode(5) };
    for (player, other) in [(2, mode(3)), (3, casual), (4, shuffled)] {
        queue.join(&other, entry(player, 1500), UnixMillis(0));
    }
    assert_eq!(pairs(&mut queue, 1_000_000), []);
    assert_eq!(queue.len(), 4);
}

#[test]
fn who_has_left_is_not_paired_and_not_seen() {
    let mut queue = queue([(1, 1500), (2, 1500)]);
    assert!(queue.leave(id(1)));
    assert!(!queue.leave(id(1)));
    assert_eq!(queue.view(id(1), UnixMillis(0)), None);
    assert_eq!(pairs(&mut queue, 0), []);
    assert!(queue.leave(id(2)));
    assert_eq!(queue.next_growth(), None);
}

#[test]
fn white_goes_to_the_one_who_had_it_less_often_and_else_by_lot() {
    fn check(balances: [i32; 2], chance: bool, white: u64, draws: usize) {
        let mut queue = Queue::default();
        for (player, color_balance) in [1, 2].into_iter().zip(balances) {
            let entry = Entry { color_balance, ..entry(player, 1500) };
            queue.join(&mode(5), entry, UnixMillis(0));
        }
        let mut drawn = 0;
        let tick = queue.tick(UnixMillis(0), || {
            drawn += 1;
            chance
        });
        let players = ByColor { white: id(white), black: id(3 - white) };
        assert_eq!(tick.pairings[0].players, players, "{balances:?}");
        assert_eq!(drawn, draws);
    }
    check([-1, 0], false, 1, 0);
    check([0, -1], true, 2, 0);
    check([2, 2], true, 1, 1);
    check([2, 2], false, 2, 1);
}

#[test]
fn one_sides_wish_is_enough_not_to_meet() {
    for avoider in [1, 2] {
        let mut queue = Queue::default();
        for player in [1, 2] {
            let avoids = if player == avoider { vec![id(9), id(3 - player)] } else { vec![] };
            queue.join(&mode(5), Entry { avoids, ..entry(player, 1500) }, UnixMillis(0));
        }
        assert_eq!(pairs(&mut queue, 100_000), []);
        queue.join(&mode(5), entry(3, 1510), UnixMillis(100_000));
        assert_eq!(pairs(&mut queue, 100_000), [(id(1), id(3))]);
    }
}

#[test]
fn the_next_growth_is_told() {
    let mut queue = queue([(1, 1500)]);
    assert_eq!(queue.next_growth(), Some(UnixMillis(5_000)));
    pairs(&mut queue, 12_345);
    assert_eq!(queue.next_growth(), Some(UnixMillis(15_000)));
}

#[test]
fn the_ends_of_time_and_rating_do_no_harm() {
    let mut queue = Queue::default();
    queue.join(&mode(5), entry(1, i32::MIN), UnixMillis(i64::MIN));
    queue.join(&mode(5), entry(2, i32::MAX), UnixMillis(i64::MAX));
    queue.join(&mode(5), entry(3, 0), UnixMillis(0));
    assert_eq!(pairs(&mut queue, 0), []);
    assert_eq!(pairs(&mut queue, i64::MAX), [(id(1), id(3))]);
    assert_eq!(pairs(&mut queue, i64::MIN), []);
    assert_eq!(queue.view(id(2), UnixMillis(0)).unwrap().waited, Millis(0));
    let settings = QueueSettings { interval_ms: 0, ..QueueSettings::default() };
    assert_eq!(settings.range_after(Millis(2)), 150);
}

#[test]
fn a_crowded_mode_does_not_starve_the_others() {
    let mut queue = Queue::new(QueueSettings { work_per_tick: 10, ..QueueSettings::default() });
    for player in 0..1_000 {
        queue.join(&mode(5), entry(player, 1500), UnixMillis(0));
    }
    queue.join(&mode(3), entry(2_000, 1500), UnixMillis(0));
    queue.join(&mode(3), entry(2_001, 1500), UnixMillis(0));
    let waits = |queue: &Queue| queue.view(id(2_000), UnixMillis(0)).is_some();
    let ticks = (0..).take_while(|_| queue.tick(UnixMillis(0), || true).has_more && waits(&queue));
    assert!(ticks.count() < 3);
}

/// The same rules, looked up pair by pair.
#[derive(Default)]
struct Obvious(Vec<(i64, Entry)>);

impl Obvious {
    /// Whether two meet at this moment, and how far apart they are.
    fn distance(&self, one: usize, other: usize, now: i64) -> Option<u32> {
        let ((since, a), (other_since, b)) = (&self.0[one], &self.0[other]);
        let range = |since: i64| 50 + 50 * u32::try_from((now - since) / 5_000).unwrap();
        let distance = a.rating.abs_diff(b.rating);
        let meet = distance <= range(*since).min(range(*other_since))
            && !a.avoids.contains(&b.player)
            && !b.avoids.contains(&a.player);
        (one != other && meet).then_some(distance)
    }

    fn next_pair(&self, now: i64) -> Option<(usize, usize)> {
        (0..self.0.len()).find_map(|one| {
            let closest = (0..self.0.len())
                .filter_map(|other| Some((self.distance(one, other, now)?, other)))
                .min()?;
            Some((one, closest.1))
        })
    }

    fn tick(&mut self, now: i64) -> Vec<(AccountId, AccountId)> {
        let mut pairs = Vec::new();
        while let Some((one, other)) = self.next_pair(now) {
            pairs.push((self.0[one].1.player, self.0[other].1.player));
            self.0.remove(one.max(other));
            self.0.remove(one.min(other));
        }
        pairs
    }
}

#[derive(Debug, Clone)]
enum Step {
    Join { player: u64, rating: i32, avoids: Vec<u64> },
    Leave(u64),
    Pass(i64),
    Tick,
}

fn step() -> impl Strategy<Value = Step> {
    let avoids = prop::collection::vec(0_u64..40, 0..4);
    let join = (0_u64..40, 1000_i32..2200, avoids);
    prop_oneof![
        6 => join.prop_map(|(player, rating, avoids)| Step::Join { player, rating, avoids }),
        1 => (0_u64..40).prop_map(Step::Leave),
        3 => prop_oneof![0_i64..3_000, 0_i64..30_000].prop_map(Step::Pass),
        3 => Just(Step::Tick),
    ]
}

/// Plays the steps with both queues; `tick` looks at both when a tick comes.
fn both(
    settings: QueueSettings,
    steps: Vec<Step>,
    mut tick: impl FnMut(&mut Queue, &mut Obvious, i64),
) {
    let (mut queue, mut obvious, mut now) = (Queue::new(settings), Obvious::default(), 0);
    for step in steps {
        match step {
            Step::Join { player, rating, avoids } => {
                let avoids = avoids.into_iter().map(id).collect();
                let entry = Entry { avoids, ..entry(player, rating) };
                if queue.view(id(player), UnixMillis(now)).is_none() {
                    obvious.0.push((now, entry.clone()));
                }
                queue.join(&mode(5), entry, UnixMillis(now));
            }
            Step::Leave(player) => {
                queue.leave(id(player));
                obvious.0.retain(|(_, entry)| entry.player != id(player));
            }
            Step::Pass(millis) => now += millis,
            Step::Tick => tick(&mut queue, &mut obvious, now),
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 256, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn the_queue_pairs_like_the_obvious_one(steps in prop::collection::vec(step(), 0..200)) {
        both(QueueSettings::default(), steps, |queue, obvious, now| {
            assert_eq!(pairs(queue, now), obvious.tick(now));
            assert_eq!(queue.len(), obvious.0.len());
        });
    }

    #[test]
    fn cut_into_small_ticks_the_longest_waiting_is_still_served_first(
        steps in prop::collection::vec(step(), 0..200),
        work_per_tick in 1_u32..20,
    ) {
        // Whatever little a tick does is the beginning of what the obvious one would do at that moment.
        both(QueueSettings { work_per_tick, ..QueueSettings::default() }, steps, |queue, obvious, now| {
            let made = pairs(queue, now);
            for pair in &made {
                let (one, other) = obvious.next_pair(now).unwrap();
                let players = (obvious.0[one].1.player, obvious.0[other].1.player);
                assert_eq!(*pair, players);
                obvious.0.retain(|(_, entry)| entry.player != pair.0 && entry.player != pair.1);
            }
        });
    }

    #[test]
    fn small_ticks_come_to_the_end_of_the_work(
        steps in prop::collection::vec(step(), 0..200),
        work_per_tick in 1_u32..20,
    ) {
        both(QueueSettings { work_per_tick, ..QueueSettings::default() }, steps, |queue, obvious, now| {
            let mut made = Vec::new();
            loop {
                let tick = queue.tick(UnixMillis(now), || true);
                made.extend(tick.pairings.into_iter().map(|one| (one.players.white, one.players.black)));
                if !tick.has_more {
                    break;
                }
            }
            assert_eq!(made, obvious.tick(now));
        });
    }
}
