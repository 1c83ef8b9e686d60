//! The game as watchers see it where the house shows running games late: the same log, some seconds behind.

use std::collections::VecDeque;

use rules::{Corrupt, Event, Game, Millis, Setup, UnixMillis};

use crate::games::record::seen_events;

/// A game some seconds ago.
pub(crate) struct Late {
    pub(super) delay: Millis,
    pub(super) game: Game,
    pub(super) version: u32,
    /// What has happened since, the oldest first.
    waiting: VecDeque<Event>,
}

impl Late {
    /// A game that watchers see as it is now.
    pub(crate) fn at(game: Game, version: u32, delay: Millis) -> Option<Late> {
        (delay.0 > 0).then(|| Late { delay, game, version, waiting: VecDeque::new() })
    }

    /// A game that comes back from its log: what was too young to be shown before the stop still is.
    pub(crate) fn rebuild(
        setup: Setup,
        started: UnixMillis,
        events: &[Event],
        delay: Millis,
        now: UnixMillis,
    ) -> Result<Option<Late>, Corrupt> {
        if delay.0 == 0 {
            return Ok(None);
        }
        let seen = seen_events(events, delay, now);
        let game = Game::rebuild(setup, started, &events[..seen])?;
        let version = u32::try_from(seen).unwrap_or(u32::MAX);
        Ok(Some(Late { delay, game, version, waiting: events[seen..].iter().cloned().collect() }))
    }

    /// Something has happened that watchers see later.
    pub(crate) fn push(&mut self, event: Event) {
        self.waiting.push_back(event);
    }

    /// When the next event is old enough.
    pub(super) fn next_due(&self) -> Option<UnixMillis> {
        self.waiting.front().map(|event| UnixMillis(event.at().0 + self.delay.0))
    }

    /// The next event that is old enough by now, or that must wait no more; the game is still before it.
    pub(super) fn pop(&mut self, now: UnixMillis, is_over: bool) -> Option<Event> {
        let is_due = is_over || self.next_due()? <= now;
        if is_due { self.waiting.pop_front() } else { None }
    }
}
