//! How often one may try: failures are counted per account and network, per account, and per network.
//!
//! Guessing one password from one place is stopped early; from many places a little later; guessing many passwords
//! from one place too. Somebody who fails elsewhere cannot lock the owner out of their own network for long.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::Arc;

use parking_lot::Mutex;
use rules::UnixMillis;

use crate::networks::neighbourhood;
use crate::world::Time;

/// Failures are forgotten one by one over this time.
const WINDOW: i64 = 15 * 60_000;
/// Failures of one account from one network until it has to wait.
const PER_PAIR: i64 = 10;
/// Failures of one account from everywhere.
const PER_ACCOUNT: i64 = 100;
/// Wrong codes of one account from everywhere: a code has six digits only, and who tries knows the password.
const CODES_PER_ACCOUNT: i64 = 20;
/// Failures of one network for all accounts. A classroom is exempt: its people share an address.
const PER_NETWORK: i64 = 50;
/// Failures after which a puzzle has to be solved first.
const BEFORE_CAPTCHA: i64 = 3;
/// Things counted at most; when there are more, those that have recovered are forgotten.
const MOST: usize = 100_000;

/// What an attempt at the second factor is called.
pub(crate) const CODE: &str = "code";

/// What failures are counted by.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
enum Key {
    Pair(String, IpAddr),
    Account(String),
    Network(&'static str, IpAddr),
}

/// One who tries: an account (or what was typed for one) from an address.
#[derive(Debug, Clone)]
pub(crate) struct Attempt {
    what: &'static str,
    account: String,
    network: IpAddr,
    is_trusted: bool,
}

impl Attempt {
    /// `what` keeps kinds of attempts apart: passwords, codes, mails.
    pub(crate) fn new(
        what: &'static str,
        account: &str,
        address: IpAddr,
        is_trusted: bool,
    ) -> Attempt {
        let account = format!("{what} {}", account.to_lowercase());
        Attempt { what, account, network: neighbourhood(address), is_trusted }
    }

    fn keys(&self) -> impl Iterator<Item = (Key, i64)> + use<> {
        let pair = (Key::Pair(self.account.clone(), self.network), PER_PAIR);
        let per_account = if self.what == CODE { CODES_PER_ACCOUNT } else { PER_ACCOUNT };
        let account = (Key::Account(self.account.clone()), per_account);
        let network =
            (!self.is_trusted).then_some((Key::Network(self.what, self.network), PER_NETWORK));
        [pair, account].into_iter().chain(network)
    }
}

/// The counts. Cheap to clone.
#[derive(Clone)]
pub(crate) struct Throttle {
    time: Time,
    counts: Arc<Mutex<HashMap<Key, Count>>>,
}

/// Failures in thousandths, as of a moment; they leak away evenly.
#[derive(Clone, Copy)]
struct Count {
    failures: i64,
    limit: i64,
    at: UnixMillis,
}

impl Count {
    fn now(self, now: UnixMillis) -> i64 {
        let forgotten = (now.0 - self.at.0).max(0) * self.limit * 1_000 / WINDOW;
        (self.failures - forgotten).max(0)
    }
}

impl Throttle {
    pub(crate) fn new(time: Time) -> Throttle {
        Throttle { time, counts: Arc::default() }
    }

    /// Whether one may try now, or in how many seconds.
    pub(crate) fn check(&self, attempt: &Attempt) -> Result<(), u32> {
        let now = self.time.now();
        let counts = self.counts.lock();
        let wait = attempt.keys().filter_map(|(key, limit)| {
            let count = counts.get(&key)?.now(now);
            let over = count - (limit - 1) * 1_000;
            (over > 0).then(|| over * WINDOW / (limit * 1_000) / 1_000 + 1)
        });
        match wait.max() {
            Some(seconds) => Err(u32::try_from(seconds).unwrap_or(u32::MAX)),
            None => Ok(()),
        }
    }

    /// Whether a puzzle has to be solved before the next try.
    pub(crate) fn wants_captcha(&self, attempt: &Attempt) -> bool {
        let now = self.time.now();
        let counts = self.counts.lock();
        !attempt.is_trusted
            && attempt.keys().any(|(key, _)| {
                counts.get(&key).is_some_and(|count| count.now(now) > (BEFORE_CAPTCHA - 1) * 1_000)
            })
    }

    /// Counts a failure, or anything else that must not happen too often.
    pub(crate) fn count(&self, attempt: &Attempt) {
        let now = self.time.now();
        let mut counts = self.counts.lock();
        if counts.len() >= MOST {
            counts.retain(|_, count| count.now(now) > 0);
        }
        for (key, limit) in attempt.keys() {
            let count = counts.entry(key).or_insert(Count { failures: 0, limit, at: now });
            *count = Count { failures: count.now(now) + 1_000, limit, at: now };
        }
    }

    /// Forgets the failures of this account from this network: its owner has proved to be there.
    pub(crate) fn forgive(&self, attempt: &Attempt) {
        self.counts.lock().remove(&Key::Pair(attempt.account.clone(), attempt.network));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::world::{SimulatedTime, World};

    fn throttle() -> (Throttle, SimulatedTime) {
        let (world, hand) = World::simulated(1);
        (Throttle::new(world.time), hand)
    }

    fn attempt(account: &str, last: u8) -> Attempt {
        Attempt::new("password", account, IpAddr::from([10, 0, 0, last]), false)
    }

    /// How many of these get through.
    fn tried(throttle: &Throttle, attempts: impl Iterator<Item = Attempt>) -> usize {
        attempts
            .filter(|attempt| {
                let may = throttle.check(attempt).is_ok();
                if may {
                    throttle.count(attempt);
                }
                may
            })
            .count()
    }

    #[test]
    fn a_thousand_guesses_from_one_place_are_ten() {
        let (throttle, hand) = throttle();
        assert_eq!(tried(&throttle, (0..1_000).map(|_| attempt("anna", 1))), 10);
        let seconds = throttle.check(&attempt("anna", 1)).unwrap_err();
        hand.advance(i64::from(seconds) * 1_000);
        assert!(throttle.check(&attempt("anna", 1)).is_ok(), "after what Retry-After said");
    }

    #[test]
    fn a_thousand_guesses_from_everywhere_are_a_hundred() {
        let (throttle, _) = throttle();
        let everywhere = (0..1_000).map(|n: u32| attempt("anna", u8::try_from(n % 250).unwrap()));
        assert_eq!(tried(&throttle, everywhere), 100);
    }

    #[test]
    fn a_thousand_codes_from_everywhere_are_twenty() {
        let (throttle, _) = throttle();
        let everywhere = (0..1_000).map(|n: u32| {
            let address = IpAddr::from([10, 0, 0, u8::try_from(n % 250).unwrap()]);
            Attempt::new(CODE, "anna", address, false)
        });
        assert_eq!(tried(&throttle, everywhere), 20);
    }

    #[test]
    fn a_thousand_names_from_one_place_are_fifty_and_in_a_classroom_a_thousand() {
        let (throttle, _) = throttle();
        let names = |trusted| {
            (0..1_000).map(move |n| {
                Attempt::new("password", &format!("child{n}"), IpAddr::from([10, 0, 0, 7]), trusted)
            })
        };
        assert_eq!(tried(&throttle, names(false)), 50);
        assert_eq!(tried(&throttle, names(true)), 1_000);
    }

    #[test]
    fn failing_elsewhere_does_not_lock_the_owner_out_and_success_forgives() {
        let (throttle, _) = throttle();
        tried(&throttle, (0..20).map(|_| attempt("anna", 1)));
        assert!(throttle.check(&attempt("ANNA", 1)).is_err(), "case makes no other account");
        assert!(throttle.check(&attempt("anna", 2)).is_ok());
        throttle.forgive(&attempt("anna", 1));
        assert!(throttle.check(&attempt("anna", 1)).is_ok());
    }

    #[test]
    fn one_house_has_many_addresses() {
        let (throttle, _) = throttle();
        let from = |n: u16| {
            let address = IpAddr::from([0x2001, 0xdb8, 0, 1, n, n, n, n]);
            Attempt::new("password", "anna", address, false)
        };
        assert_eq!(tried(&throttle, (0..100).map(from)), 10);
    }

    #[test]
    fn the_puzzle_comes_after_the_third_failure_and_never_in_a_classroom() {
        let (throttle, _) = throttle();
        for expected in [false, false, false, true, true] {
            assert_eq!(throttle.wants_captcha(&attempt("anna", 1)), expected);
            throttle.count(&attempt("anna", 1));
        }
        let trusted = Attempt::new("password", "anna", IpAddr::from([10, 0, 0, 1]), true);
        assert!(!throttle.wants_captcha(&trusted));
    }
}
