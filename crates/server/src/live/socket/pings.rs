//! The server's own pings of a line, numbered: an answer may be overtaken by the next ping, and still tells how long it
//! took.

use bytes::Bytes;
use rules::{Millis, UnixMillis};

/// Pings that an answer is waited for; a line with more of them on their way is given up.
const KEPT: u32 = 4;

/// The last pings.
#[derive(Default)]
pub(super) struct Pings {
    sent: [Option<UnixMillis>; KEPT as usize],
    /// How many were sent: the number of the next one.
    count: u32,
}

impl Pings {
    /// Notes that a ping is sent now. Gives what it carries, and its answer with it.
    pub(super) fn send(&mut self, now: UnixMillis) -> Bytes {
        self.sent[place(self.count)] = Some(now);
        let payload = Bytes::copy_from_slice(&self.count.to_be_bytes());
        self.count = self.count.wrapping_add(1);
        payload
    }

    /// How long this answer took; nothing if it answers none of the last pings, or one that is answered already.
    pub(super) fn answer(&mut self, payload: &[u8], now: UnixMillis) -> Option<Millis> {
        let number = u32::from_be_bytes(payload.try_into().ok()?);
        let behind = self.count.wrapping_sub(number);
        let is_kept = (1..=KEPT).contains(&behind);
        let sent = is_kept.then(|| self.sent[place(number)].take())??;
        Some(Millis(now.0 - sent.0))
    }
}

const fn place(number: u32) -> usize {
    (number % KEPT) as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_that_the_next_ping_overtakes_tells_its_own_time() {
        let mut pings = Pings::default();
        let first = pings.send(UnixMillis(0));
        let second = pings.send(UnixMillis(4_000));
        assert_eq!(pings.answer(&first, UnixMillis(5_000)), Some(Millis(5_000)));
        assert_eq!(pings.answer(&second, UnixMillis(9_000)), Some(Millis(5_000)));
    }

    #[test]
    fn what_answers_no_ping_of_late_tells_nothing() {
        let mut pings = Pings::default();
        let first = pings.send(UnixMillis(0));
        assert_eq!(pings.answer(b"", UnixMillis(10)), None, "an answer to nothing");
        assert_eq!(pings.answer(&7_u32.to_be_bytes(), UnixMillis(10)), None, "not sent yet");
        assert_eq!(pings.answer(&first, UnixMillis(10)), Some(Millis(10)));
        assert_eq!(pings.answer(&first, UnixMillis(20)), None, "it was answered");
        let old = pings.send(UnixMillis(100));
        (1..=4).for_each(|n| drop(pings.send(UnixMillis(100 + n))));
        assert_eq!(pings.answer(&old, UnixMillis(200)), None, "too old");
    }
}
