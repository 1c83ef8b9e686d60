//! How an outbox is emptied: what mails and notifications have in common. The table is the memory; a restart goes on
//! where it was.
//!
//! Not here: what is sent, to whom, and what its answer means.

use rules::UnixMillis;
use store::StoreError;
use tokio::sync::futures::Notified;

use crate::world::Time;

/// The first wait after something was not taken; each further one is twice as long.
const FIRST_WAIT: i64 = 30_000;
/// After this something is given up: what it says is old, and links in it have ended long before.
pub(crate) const GIVE_UP_AFTER: i64 = 24 * 3_600_000;
/// The outbox is looked at this often even if nobody has rung.
const LOOK_EVERY: i64 = 60_000;

/// Waits after the outbox of `what` was emptied: until the bell rings or something is due. `next` says when that is.
pub(crate) async fn rest(
    what: &str,
    time: &Time,
    rung: Notified<'_>,
    next: Result<Option<UnixMillis>, StoreError>,
) {
    let next = next.unwrap_or_else(|error| {
        tracing::warn!(%error, "{what} cannot be read or written; trying again");
        None
    });
    let latest = UnixMillis(time.now().0 + LOOK_EVERY);
    tokio::select! {
        () = rung => {}
        () = time.sleep_until(next.unwrap_or(latest).min(latest)) => {}
    }
}

/// Something that was not taken.
pub(crate) struct Untaken {
    /// Attempts before this one.
    pub(crate) attempts: i64,
    /// When it was written.
    pub(crate) created_at: UnixMillis,
    /// The longest wait between two attempts.
    pub(crate) longest_wait: i64,
    /// How long the other side asked us to wait at the least.
    pub(crate) asked: i64,
}

impl Untaken {
    /// When to try again; never, if it has been tried for too long.
    pub(crate) fn next_attempt(&self, now: UnixMillis) -> Option<UnixMillis> {
        let doublings = u32::try_from(self.attempts).unwrap_or(u32::MAX).min(16);
        let grown = (FIRST_WAIT << doublings).min(self.longest_wait);
        let at = now.0 + grown.max(self.asked.clamp(0, GIVE_UP_AFTER));
        (at < self.created_at.0 + GIVE_UP_AFTER).then_some(UnixMillis(at))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(attempts: i64, age: i64, asked: i64, expected: Option<i64>) {
        let created_at = UnixMillis(0);
        let untaken = Untaken { attempts, created_at, longest_wait: 900_000, asked };
        let wait = untaken.next_attempt(UnixMillis(age)).map(|at| at.0 - age);
        assert_eq!(wait, expected, "attempt {attempts} at {age}");
    }

    #[test]
    fn waits_grow_to_the_longest_and_end_after_a_day() {
        check(0, 0, 0, Some(30_000));
        check(1, 30_000, 0, Some(60_000));
        check(4, 600_000, 0, Some(480_000));
        check(5, 600_000, 0, Some(900_000));
        check(1_000_000, 600_000, 0, Some(900_000));
        check(90, GIVE_UP_AFTER - 900_001, 0, Some(900_000));
        check(90, GIVE_UP_AFTER - 900_000, 0, None);
    }

    #[test]
    fn who_asks_for_more_patience_gets_it_within_the_day() {
        check(0, 0, 3_600_000, Some(3_600_000));
        check(0, 0, 1_000, Some(30_000));
        check(0, 0, -5, Some(30_000));
        check(0, 0, i64::MAX, None);
    }
}
