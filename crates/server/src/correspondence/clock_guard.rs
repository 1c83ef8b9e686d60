//! The guard over the calendar: if it jumps by more than ten minutes, no flag of a slow game falls until it is back or
//! an administrator has looked.
//!
//! The server's time does not jump with it, for it is counted from the start. But whoever plays over days looks at a
//! calendar: when the two disagree, one of them is wrong, and nobody loses a game by that.

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};

use rules::UnixMillis;
use serde::{Deserialize, Serialize};
use store::{Member, MemberQuery, PlayerState, Role, Store, StoreError};
use utoipa::ToSchema;

use crate::games::Games;
use crate::mail::{Mail, MailKind};
use crate::world::World;

/// How far the calendar may be away from the time that has passed.
const MOST: i64 = 600_000;
/// How often it is looked at.
const EVERY: i64 = 30_000;

/// How the calendar and the server's time agree.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ClockState {
    /// Whether no flag of a game of days falls.
    pub is_frozen: bool,
    /// How far the calendar is ahead of the server's time.
    pub ahead_ms: i64,
    /// The server's moment.
    pub now: i64,
}

/// How administrators are told. Cheap to clone.
#[derive(Clone)]
pub struct Bureau {
    /// Who they are.
    pub store: Store,
    /// The post office.
    pub mail: Mail,
    /// The club's address.
    pub site: String,
}

impl Bureau {
    /// Writes one mail to every administrator. Nobody waits for it, and a club without a mail server has its log.
    fn tell_soon(self, ahead_ms: i64) {
        if !self.mail.is_configured() {
            return;
        }
        tokio::spawn(async move {
            if let Err(error) = self.tell(ahead_ms / 60_000).await {
                tracing::warn!(%error, "administrators were not told that the calendar has jumped");
            }
        });
    }

    async fn tell(&self, ahead: i64) -> Result<(), StoreError> {
        let (role, state) = (Some(Role::Administrator), Some(PlayerState::Active));
        let query = MemberQuery { role, state, ..MemberQuery::default() };
        let (administrators, _) = self.store.list_members(&query).await?;
        for Member { name, email, .. } in administrators {
            let kind = MailKind::CalendarJumped { name, ahead, url: self.site.clone() };
            if let Some(email) = email {
                // An address that does not work must not keep the others from being told.
                let _ = self.mail.queue(&email, kind).await;
            }
        }
        Ok(())
    }
}

/// The guard. Cheap to clone.
#[derive(Clone)]
pub struct ClockGuard {
    world: World,
    games: Games,
    bureau: Bureau,
    /// A jump that an administrator has looked at and found in order.
    accepted: Arc<AtomicI64>,
}

impl ClockGuard {
    /// Looks at the calendar from now on. At a start it is compared with the last sign of life: a calendar that has
    /// gone back while the server was away is as wrong as one that jumps.
    pub fn start(world: World, games: Games, bureau: Bureau) -> ClockGuard {
        let guard = ClockGuard { world, games, bureau, accepted: Arc::default() };
        guard.look();
        let watching = guard.clone();
        tokio::spawn(async move {
            loop {
                watching.world.time.sleep(EVERY).await;
                watching.look();
            }
        });
        guard
    }

    /// How it is now.
    pub fn state(&self) -> ClockState {
        let now = self.world.time.now();
        ClockState { is_frozen: self.is_wrong(now), ahead_ms: self.ahead(now), now: now.0 }
    }

    /// An administrator says that the calendar is right as it is: flags may fall again.
    pub async fn accept(&self) -> Result<ClockState, StoreError> {
        self.games.trust_calendar().await?;
        let now = self.world.time.now();
        self.accepted.store(self.ahead(now), Ordering::SeqCst);
        self.look();
        Ok(self.state())
    }

    fn ahead(&self, now: UnixMillis) -> i64 {
        let went_back = self.games.went_back();
        self.world.time.calendar().0 - now.0 - went_back
    }

    fn is_wrong(&self, now: UnixMillis) -> bool {
        (self.ahead(now) - self.accepted.load(Ordering::SeqCst)).abs() > MOST
    }

    fn look(&self) {
        let now = self.world.time.now();
        let is_wrong = self.is_wrong(now);
        if self.games.set_frozen(is_wrong) == is_wrong {
            return;
        }
        if is_wrong {
            let ahead_ms = self.ahead(now);
            tracing::error!(ahead_ms, "the calendar has jumped: no flag of a game of days falls");
            self.bureau.clone().tell_soon(ahead_ms);
        } else {
            tracing::info!("the calendar is in order: flags of games of days fall again");
        }
    }
}
