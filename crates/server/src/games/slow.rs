//! What slow games share: the bell that tells of every change, and whether their flags may fall.
//!
//! Nobody sits at a slow game waiting for frames; what happens there is told here, to inboxes and reminders.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use rules::{ByColor, Color, Event, UnixMillis};
use store::{AccountId, GameId};
use tokio::sync::{broadcast, watch};

/// News that may wait for a listener; who is slower misses some, and looks at the games instead.
const WAITING: usize = 4_096;

/// Something happened in a game that its players may want to hear of elsewhere.
#[derive(Debug, Clone)]
pub(crate) struct News {
    pub(crate) game: GameId,
    pub(crate) players: ByColor<AccountId>,
    pub(crate) what: What,
}

/// What happened.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum What {
    /// A side moved, and this one is to act.
    Moved { to_act: Option<Color> },
    /// A side asks the other for something, or the answer came.
    Asked,
    /// Moves were taken back: the same ply comes again.
    WentBack,
    /// The game is over.
    Ended,
    /// An arbiter decided.
    Decided,
    /// Something was said.
    Said,
}

impl What {
    /// What is new after these events, if anything is.
    pub(super) fn of(events: &[Event], to_act: Option<Color>) -> Option<What> {
        let mut last = events.iter().rev();
        last.find_map(|event| match event {
            Event::Ended { .. } => Some(What::Ended),
            Event::Played { .. } => Some(What::Moved { to_act }),
            Event::TakenBack { .. } => Some(What::WentBack),
            Event::Resumed { .. } | Event::DowntimeCredited { .. } => None,
            _ => Some(What::Asked),
        })
    }
}

/// What slow games share. Cheap to clone.
#[derive(Clone)]
pub(crate) struct Slow {
    bell: broadcast::Sender<News>,
    is_frozen: Arc<AtomicBool>,
    outage: watch::Sender<Option<Outage>>,
}

/// An absence of the storage: nothing could be kept, so nobody could move.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Outage {
    /// The last moment at which something is known to have been kept.
    pub(crate) since: UnixMillis,
    /// When it was over; none while it lasts.
    pub(crate) until: Option<UnixMillis>,
}

impl Slow {
    pub(crate) fn new() -> Slow {
        Slow {
            bell: broadcast::Sender::new(WAITING),
            is_frozen: Arc::default(),
            outage: watch::Sender::new(None),
        }
    }

    /// The last absence of the storage, now and as it changes.
    pub(crate) fn outages(&self) -> watch::Receiver<Option<Outage>> {
        self.outage.subscribe()
    }

    /// Notes an absence of the storage, or its end.
    pub(crate) fn note_outage(&self, outage: Outage) {
        self.outage.send_replace(Some(outage));
    }

    /// Tells whoever listens.
    pub(crate) fn ring(&self, news: News) {
        // Nobody listening is no fault.
        let _ = self.bell.send(news);
    }

    /// What happens from now on.
    pub(crate) fn listen(&self) -> broadcast::Receiver<News> {
        self.bell.subscribe()
    }

    /// Whether no flag of a slow game may fall, for the calendar is in doubt.
    pub(crate) fn is_frozen(&self) -> bool {
        self.is_frozen.load(Ordering::SeqCst)
    }

    /// Gives how it was before.
    pub(crate) fn set_frozen(&self, is_frozen: bool) -> bool {
        self.is_frozen.swap(is_frozen, Ordering::SeqCst)
    }
}
