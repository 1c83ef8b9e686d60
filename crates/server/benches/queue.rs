//! How long a hundred thousand waiting players take: all of them, and the longest single tick.

use std::time::Duration;

use divan::{Bencher, counter::ItemsCount};
use rules::{Millis, TimeControl, UnixMillis, Variant};
use rustix::time::{ClockId, clock_gettime};
use server::lobby::queue::{Entry, Mode, Queue, QueueSettings};
use store::AccountId;

const CROWD: u64 = 100_000;

#[allow(clippy::print_stdout, reason = "the longest tick is not among what divan reports")]
fn main() {
    for (name, crowd) in [
        ("a club evening of 100,000 comes at once", burst as fn() -> Crowd),
        ("100,000 who cannot reach each other for a minute", strangers),
        ("2,000 come every second, fifty seconds long", stream),
    ] {
        println!("{name}: {}", report(&crowd()));
    }
    divan::main();
}

/// Players in the order they come, and how long to look at them.
struct Crowd {
    players: Vec<(i64, Entry)>,
    until: i64,
}

/// Enough chance for a benchmark, the same in every run.
struct Chance(u64);

impl Chance {
    fn below(&mut self, end: u64) -> u64 {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % end
    }

    /// Ratings as clubs have them: most in the middle.
    fn rating(&mut self) -> i32 {
        let sum: u64 = (0..4).map(|_| self.below(600)).sum();
        i32::try_from(400 + sum).expect("a small number")
    }
}

fn entry(player: u64, rating: i32) -> Entry {
    Entry { player: AccountId::from_bits(player), rating, color_balance: 0, avoids: Vec::new() }
}

fn burst() -> Crowd {
    let mut chance = Chance(1);
    let players = (0..CROWD).map(|player| (0, entry(player, chance.rating()))).collect();
    Crowd { players, until: 1_000 }
}

/// 610 points apart: twelve growths before the first pair, all at the same moment.
fn strangers() -> Crowd {
    let rating = |player| i32::try_from(player * 610).expect("fits");
    Crowd {
        players: (0..CROWD).map(|player| (0, entry(player, rating(player)))).collect(),
        until: 61_000,
    }
}

/// The usual thing, only more of it: nobody waits long.
fn stream() -> Crowd {
    let mut chance = Chance(2);
    let players = (0..CROWD).map(|player| {
        let at = i64::try_from(player / 2).expect("a small number");
        (at, entry(player, chance.rating()))
    });
    Crowd { players: players.collect(), until: 60_000 }
}

fn mode() -> Mode {
    let time = TimeControl::fischer(Millis::minutes(5), Millis::ZERO);
    Mode { variant: Variant::Standard, time, is_rated: true }
}

/// Lets the crowd come and ticks every 100 ms of its time, at once again while there is more.
fn run(crowd: &Crowd, mut watch: impl FnMut(Duration)) -> (usize, usize) {
    let mode = mode();
    let mut queue = Queue::new(QueueSettings::default());
    let (mut pairs, mut now) = (0, 0);
    let mut players = crowd.players.iter().peekable();
    while now <= crowd.until {
        while let Some((at, entry)) = players.next_if(|(at, _)| *at <= now) {
            queue.join(&mode, entry.clone(), UnixMillis(*at));
        }
        loop {
            let began = cpu_time();
            let tick = queue.tick(UnixMillis(now), || true);
            watch(cpu_time().saturating_sub(began));
            pairs += tick.pairings.len();
            if !tick.has_more {
                break;
            }
        }
        now += 100;
    }
    (pairs, queue.len())
}

/// The processor time of this thread: on a busy machine the wall clock would measure the others too.
fn cpu_time() -> Duration {
    let spec = clock_gettime(ClockId::ThreadCPUTime);
    Duration::try_from(spec).expect("processor time is never negative")
}

fn report(crowd: &Crowd) -> String {
    let mut ticks = Vec::new();
    let (pairs, left) = run(crowd, |took| ticks.push(took));
    ticks.sort_unstable();
    let all: Duration = ticks.iter().sum();
    let part = |percent: usize| ticks[(ticks.len() - 1) * percent / 100];
    let (p50, p99, longest) = (part(50), part(99), part(100));
    let count = ticks.len();
    format!(
        "{pairs} pairs, {left} left, {count} ticks, {all:.1?} of processor time, \
         p50 {p50:.1?}, p99 {p99:.1?}, longest {longest:.1?}"
    )
}

#[divan::bench(sample_count = 5, sample_size = 1)]
fn pair_100_000_at_once(bencher: Bencher<'_, '_>) {
    let crowd = burst();
    bencher.counter(ItemsCount::new(CROWD)).bench_local(|| run(&crowd, |_| ()));
}

#[divan::bench(sample_count = 5, sample_size = 1)]
fn hold_100_000_for_a_minute(bencher: Bencher<'_, '_>) {
    let crowd = strangers();
    bencher.counter(ItemsCount::new(CROWD)).bench_local(|| run(&crowd, |_| ()));
}

/// Somebody comes, is shown the state and leaves, beside a hundred thousand.
#[divan::bench]
fn join_view_leave_beside_100_000(bencher: Bencher<'_, '_>) {
    let mode = mode();
    let mut queue = Queue::new(QueueSettings::default());
    for (at, entry) in burst().players {
        queue.join(&mode, entry, UnixMillis(at));
    }
    let newcomer = entry(CROWD, 1_500);
    bencher.bench_local(|| {
        queue.join(&mode, newcomer.clone(), UnixMillis(1));
        let view = queue.view(newcomer.player, UnixMillis(2));
        queue.leave(newcomer.player);
        view
    });
}
