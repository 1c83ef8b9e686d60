//! How many new texts the guests of one network may store in a day.
//!
//! To be a guest costs nothing, a text stays for ever, and of the shortest codes there are sixteen million: without a bound
//! one program could take them all.

use std::collections::HashMap;
use std::net::IpAddr;

use parking_lot::Mutex;
use rules::UnixMillis;

use super::GmoError;
use crate::networks::neighbourhood;

const DAY: i64 = 86_400_000;

/// What the guests of each network have stored today (UTC). A restart begins anew.
pub(super) struct Quota {
    most: u32,
    today: Mutex<Today>,
}

#[derive(Default)]
struct Today {
    day: i64,
    texts: HashMap<IpAddr, u32>,
}

impl Quota {
    pub(super) fn new(most: u32) -> Quota {
        Quota { most, today: Mutex::default() }
    }

    /// Refuses if this network has stored enough for today.
    pub(super) fn check(&self, from: IpAddr, now: UnixMillis) -> Result<(), GmoError> {
        let mut today = self.today.lock();
        let day = now.0.div_euclid(DAY);
        if today.day != day {
            *today = Today { day, texts: HashMap::new() };
        }
        let stored = today.texts.get(&neighbourhood(from)).copied().unwrap_or(0);
        if self.most > 0 && stored >= self.most {
            return Err(GmoError::TooManyToday { most: self.most });
        }
        Ok(())
    }

    /// A text has come in that nobody had stored before.
    pub(super) fn note(&self, from: IpAddr, now: UnixMillis) {
        let mut today = self.today.lock();
        if today.day == now.0.div_euclid(DAY) {
            *today.texts.entry(neighbourhood(from)).or_default() += 1;
        }
    }
}
