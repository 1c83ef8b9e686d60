//! The open seeks, as everybody in the lobby sees them.

use std::collections::BTreeMap;

use parking_lot::Mutex;
use rules::UnixMillis;
use store::{AccountId, Challenge, GameId};

use super::presence::Presence;
use super::wire::ChallengeView;

/// Seeks in the list at most.
const SHOWN: usize = 100;

/// The open seeks.
#[derive(Default)]
pub(super) struct Seeks(Mutex<BTreeMap<GameId, Seek>>);

struct Seek {
    challenger: AccountId,
    created_at: UnixMillis,
    /// Whether its game would be played at once: then it waits only as long as its maker does.
    is_live: bool,
    view: ChallengeView,
}

impl Seeks {
    pub(super) fn insert(&self, challenge: &Challenge, view: ChallengeView) {
        let (challenger, created_at) = (challenge.challenger.id, challenge.created_at);
        let is_live = challenge.setup.time.is_live();
        self.0.lock().insert(challenge.id, Seek { challenger, created_at, is_live, view });
    }

    pub(super) fn remove(&self, id: GameId) {
        self.0.lock().remove(&id);
    }

    /// Whether there is one whose maker has to stay.
    pub(super) fn has_live(&self) -> bool {
        self.0.lock().values().any(|seek| seek.is_live)
    }

    /// Somebody's seeks for games that are played at once.
    pub(super) fn live_of(&self, account: AccountId) -> Vec<GameId> {
        let seeks = self.0.lock();
        let is_one = |seek: &Seek| seek.is_live && seek.challenger == account;
        seeks.iter().filter(|(_, seek)| is_one(seek)).map(|(id, _)| *id).collect()
    }

    /// The newest, the newest first.
    pub(super) fn shown(&self) -> Vec<ChallengeView> {
        self.shown_to(None)
    }

    /// The newest, and whatever somebody offers themselves.
    pub(super) fn shown_to(&self, account: Option<AccountId>) -> Vec<ChallengeView> {
        let seeks = self.0.lock();
        let mut all: Vec<&Seek> = seeks.values().collect();
        let age = |seek: &Seek| seek.view.created_at;
        all.sort_by(|a, b| age(b).cmp(&age(a)).then_with(|| a.view.id.cmp(&b.view.id)));
        let is_shown =
            |(place, seek): &(usize, &Seek)| *place < SHOWN || Some(seek.challenger) == account;
        all.into_iter().enumerate().filter(is_shown).map(|(_, seek)| seek.view.clone()).collect()
    }

    /// Those whose makers have been gone for this long. Who seeks a game of days need not stay.
    pub(super) fn abandoned(
        &self,
        presence: &Presence,
        now: UnixMillis,
        grace: i64,
    ) -> Vec<GameId> {
        let is_abandoned = |seek: &Seek| {
            let gone = presence.gone_since(seek.challenger);
            let is_gone = gone.is_some_and(|it| now.0 - it.max(seek.created_at).0 >= grace);
            seek.is_live && is_gone
        };
        let seeks = self.0.lock();
        seeks.iter().filter(|(_, seek)| is_abandoned(seek)).map(|(id, _)| *id).collect()
    }
}
