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
    view: ChallengeView,
}

impl Seeks {
    pub(super) fn insert(&self, challenge: &Challenge, view: ChallengeView) {
        let (challenger, created_at) = (challenge.challenger.id, challenge.created_at);
        self.0.lock().insert(challenge.id, Seek { challenger, created_at, view });
    }

    pub(super) fn remove(&self, id: GameId) {
        self.0.lock().remove(&id);
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.lock().is_empty()
    }

    pub(super) fn has_one_of(&self, account: AccountId) -> bool {
        self.0.lock().values().any(|seek| seek.challenger == account)
    }

    /// The newest first.
    pub(super) fn shown(&self) -> Vec<ChallengeView> {
        let seeks = self.0.lock();
        let mut views: Vec<&ChallengeView> = seeks.values().map(|seek| &seek.view).collect();
        views.sort_by(|a, b| b.created_at.cmp(&a.created_at).then_with(|| a.id.cmp(&b.id)));
        views.into_iter().take(SHOWN).cloned().collect()
    }

    /// Those whose makers have been gone for this long.
    pub(super) fn abandoned(
        &self,
        presence: &Presence,
        now: UnixMillis,
        grace: i64,
    ) -> Vec<GameId> {
        let is_abandoned = |seek: &Seek| {
            let gone = presence.gone_since(seek.challenger);
            gone.is_some_and(|since| now.0 - since.max(seek.created_at).0 >= grace)
        };
        let seeks = self.0.lock();
        seeks.iter().filter(|(_, seek)| is_abandoned(seek)).map(|(id, _)| *id).collect()
    }
}
