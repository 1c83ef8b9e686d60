//! The clocks: real ones, and one that a test moves by hand.

// The one place where the real clocks may be read.
#![allow(clippy::disallowed_methods)]

use std::collections::BTreeMap;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use parking_lot::Mutex;
use rules::UnixMillis;
use tokio::sync::oneshot;
use tokio::time::Instant;

/// The server's timeline. Cheap to clone.
#[derive(Clone)]
pub enum Time {
    /// The machine's clocks.
    Real {
        /// A moment on the monotonic clock …
        anchor: Instant,
        /// … and what the calendar said then.
        anchored_at: UnixMillis,
    },
    /// A test's.
    Simulated(SimulatedTime),
}

impl Time {
    /// The machine's clocks.
    pub fn real() -> Time {
        Time::Real { anchor: Instant::now(), anchored_at: calendar_now() }
    }

    /// Now, on a timeline that never jumps and never goes back while the process lives: the calendar at the start plus
    /// the monotonic time since. Thinking time is measured on it, so an administrator who sets the clock moves no flag.
    pub fn now(&self) -> UnixMillis {
        match self {
            Time::Real { anchor, anchored_at } => {
                UnixMillis(anchored_at.0 + millis(anchor.elapsed()))
            }
            Time::Simulated(hand) => hand.now(),
        }
    }

    /// What the machine's calendar says now. It can jump: only the guard over the clocks asks for it.
    pub fn calendar(&self) -> UnixMillis {
        match self {
            Time::Real { .. } => calendar_now(),
            Time::Simulated(hand) => hand.calendar(),
        }
    }

    /// Microseconds since some fixed moment, for measuring how long something took.
    pub fn micros(&self) -> u64 {
        match self {
            Time::Real { anchor, .. } => {
                u64::try_from(anchor.elapsed().as_micros()).unwrap_or(u64::MAX)
            }
            Time::Simulated(hand) => u64::try_from(hand.now().0).unwrap_or(0).saturating_mul(1_000),
        }
    }

    /// Waits until a moment; at once if it has passed.
    pub fn sleep_until(&self, at: UnixMillis) -> Sleep {
        match self {
            Time::Real { anchor, anchored_at } => {
                let since_anchor = u64::try_from(at.0 - anchored_at.0).unwrap_or(0);
                Sleep::Real(Box::pin(tokio::time::sleep_until(
                    *anchor + Duration::from_millis(since_anchor),
                )))
            }
            Time::Simulated(hand) => Sleep::Simulated(hand.sleeper(at)),
        }
    }

    /// Waits for a while.
    pub fn sleep(&self, for_millis: i64) -> Sleep {
        self.sleep_until(UnixMillis(self.now().0 + for_millis))
    }
}

fn calendar_now() -> UnixMillis {
    UnixMillis(SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, millis))
}

fn millis(duration: Duration) -> i64 {
    i64::try_from(duration.as_millis()).unwrap_or(i64::MAX)
}

/// A wait.
pub enum Sleep {
    /// On the machine's clock.
    Real(Pin<Box<tokio::time::Sleep>>),
    /// On a test's.
    Simulated(oneshot::Receiver<()>),
}

impl Future for Sleep {
    type Output = ();
    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<()> {
        match &mut *self {
            Sleep::Real(sleep) => sleep.as_mut().poll(cx),
            Sleep::Simulated(told) => Pin::new(told).poll(cx).map(|_| ()),
        }
    }
}

/// Time that stands still until a test moves it. Cheap to clone.
#[derive(Clone)]
pub struct SimulatedTime(Arc<Mutex<Hand>>);

struct Hand {
    now: UnixMillis,
    /// How far the calendar is ahead of it.
    calendar_ahead: i64,
    next: u64,
    sleepers: BTreeMap<(i64, u64), oneshot::Sender<()>>,
}

impl SimulatedTime {
    pub(super) fn new() -> SimulatedTime {
        // Some day in 2026: a year that looks right in what the tests print.
        let now = UnixMillis(1_767_225_600_000);
        let hand = Hand { now, calendar_ahead: 0, next: 0, sleepers: BTreeMap::new() };
        SimulatedTime(Arc::new(Mutex::new(hand)))
    }

    /// The simulated moment.
    pub fn now(&self) -> UnixMillis {
        self.0.lock().now
    }

    /// What the calendar says.
    pub fn calendar(&self) -> UnixMillis {
        let hand = self.0.lock();
        UnixMillis(hand.now.0 + hand.calendar_ahead)
    }

    /// Sets the calendar apart from the time that passes, as an administrator or a sleeping machine does.
    pub fn set_calendar_ahead(&self, by_millis: i64) {
        self.0.lock().calendar_ahead = by_millis;
    }

    /// Moves time forward and wakes whoever waited for it, in order.
    pub fn advance(&self, by_millis: i64) {
        let mut hand = self.0.lock();
        hand.now = UnixMillis(hand.now.0 + by_millis);
        let first_later = (hand.now.0 + 1, 0);
        let later = hand.sleepers.split_off(&first_later);
        for (_, sleeper) in std::mem::replace(&mut hand.sleepers, later) {
            let _ = sleeper.send(());
        }
    }

    fn sleeper(&self, at: UnixMillis) -> oneshot::Receiver<()> {
        let (wake, told) = oneshot::channel();
        let mut hand = self.0.lock();
        if at <= hand.now {
            let _ = wake.send(());
        } else {
            // Waits that nobody waits for any more would pile up under a clock that is often asked.
            hand.sleepers.retain(|_, sleeper| !sleeper.is_closed());
            let number = hand.next;
            hand.next += 1;
            hand.sleepers.insert((at.0, number), wake);
        }
        told
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_simulated_sleep_ends_exactly_when_its_moment_comes() {
        let hand = SimulatedTime::new();
        let time = Time::Simulated(hand.clone());
        let mut sleep = tokio_test_poll(time.sleep(1_000));
        hand.advance(999);
        assert!(!sleep.ready());
        hand.advance(1);
        assert!(sleep.ready());
    }

    struct Polled(Sleep);
    impl Polled {
        fn ready(&mut self) -> bool {
            let mut cx = Context::from_waker(std::task::Waker::noop());
            Pin::new(&mut self.0).poll(&mut cx).is_ready()
        }
    }
    fn tokio_test_poll(sleep: Sleep) -> Polled {
        Polled(sleep)
    }

    #[test]
    fn real_time_never_goes_back() {
        let time = Time::real();
        let mut last = time.now();
        for _ in 0..10_000 {
            let now = time.now();
            assert!(now >= last);
            last = now;
        }
    }
}
