//! What everything in the lobby shares: the store, who is there, what is open, and how news are told.

use std::sync::Arc;

use axum::extract::ws::Utf8Bytes;
use ratings::Pool;
use rules::{ByColor, Color, Variant};
use store::{Account, AccountId, Challenge, ChallengeKind, ChallengeState, GameId, Store};
use tokio::sync::broadcast;

use super::doors::Doors;
use super::error::LobbyError;
use super::notices::Notices;
use super::presence::Presence;
use super::queue::Mode;
use super::seeks::Seeks;
use super::terms;
use super::wire::{ChallengeKindView, ChallengeStateView, ChallengeView};
use crate::config::LobbyConfig;
use crate::games::Games;
use crate::games::house;
use crate::games::wire::{RuleChoice, TimeControlView};
use crate::live::wire::ServerMsg;
use crate::world::World;

/// What somebody without a rating is taken for.
pub(super) const UNRATED: i64 = 1500;

/// What everything in the lobby shares.
pub(super) struct Hall {
    pub(super) store: Store,
    pub(super) world: World,
    pub(super) games: Games,
    pub(super) config: LobbyConfig,
    pub(super) presence: Arc<Presence>,
    pub(super) seeks: Seeks,
    pub(super) doors: Doors,
    pub(super) notices: Notices,
    /// Told of everybody who is invited, once that is on the disk.
    pub(super) invited: broadcast::Sender<(AccountId, GameId)>,
}

impl Hall {
    /// Takes up the open seeks of before.
    pub(super) async fn load_seeks(&self) -> Result<(), LobbyError> {
        for challenge in self.store.load_open_seeks().await? {
            self.seeks.insert(&challenge, describe(&self.games, &challenge).await?);
        }
        Ok(())
    }

    /// Begins the game that two in the queue have waited for: on disk first, then told.
    pub(super) async fn begin_paired(
        &self,
        mode: &Mode,
        players: ByColor<Account>,
    ) -> Result<(), LobbyError> {
        self.games.refuse_if_draining()?;
        let setup = terms::setup(mode.variant, mode.time.clone(), None, false)?;
        let now = self.world.time.now();
        // Nobody has to accept it, so it is never stored as a challenge: its game alone is.
        let agreed = Challenge {
            id: GameId::from_bits(self.world.chance.bits()),
            kind: ChallengeKind::Link,
            challenger: players[Color::White].clone(),
            color: Some(Color::White),
            setup: house::draw(setup, mode.is_rated, &self.world.chance),
            rated: mode.is_rated,
            private: false,
            state: ChallengeState::Accepted,
            created_at: now,
            expires_at: None,
        };
        let new = self.games.new_game(&agreed, &players).await?;
        self.store.begin_game(new.clone()).await?;
        self.games.begin(new, players.clone()).await?;
        self.tell_begin(agreed.id, &players, mode.time.is_live()).await;
        Ok(())
    }

    /// Tells both players that their game has begun. Who has found a live game seeks no other live one.
    pub(super) async fn tell_begin(&self, game: GameId, players: &ByColor<Account>, is_live: bool) {
        self.call_to(game, players, is_live);
        self.note_begin(players, is_live).await;
    }

    /// Calls both players to their board.
    pub(super) fn call_to(&self, game: GameId, players: &ByColor<Account>, live: bool) {
        let frame = Utf8Bytes::from(ServerMsg::Begin { game, live }.to_json());
        for side in Color::ALL {
            self.presence.tell(players[side].id, &frame);
        }
    }

    /// Everything else that follows from a game that has begun.
    pub(super) async fn note_begin(&self, players: &ByColor<Account>, is_live: bool) {
        for side in Color::ALL {
            let player = players[side].id;
            self.notices.changed(player).await;
            if is_live {
                self.withdraw_seeks(player).await;
            }
        }
    }

    async fn withdraw_seeks(&self, account: AccountId) {
        let seeks = self.seeks.live_of(account);
        if seeks.is_empty() {
            return;
        }
        match self.store.withdraw_seeks(account, seeks).await {
            Ok(withdrawn) => {
                for id in withdrawn {
                    self.tell_change(id).await;
                }
            }
            Err(error) => tracing::warn!(%account, %error, "seeks could not be withdrawn"),
        }
    }

    /// Tells everybody whom it concerns that a challenge has changed, which is on disk.
    pub(super) async fn tell_change(&self, id: GameId) {
        match self.store.load_challenge(id).await {
            Ok(challenge) => self.tell_change_of(&challenge).await,
            Err(error) => tracing::warn!(challenge = %id, %error, "a change is not told"),
        }
    }

    /// The same for whoever knows what it has become.
    pub(super) async fn tell_change_of(&self, challenge: &Challenge) {
        let id = challenge.id;
        if challenge.state != ChallengeState::Open {
            self.seeks.remove(id);
        }
        // Nobody waits at most of them, and a description asks the store for ratings.
        if self.doors.is_watched(id)
            && let Err(error) = self.tell_at_door(challenge).await
        {
            tracing::warn!(challenge = %id, %error, "a change is not told");
        }
        let is_over =
            matches!(challenge.state, ChallengeState::Cancelled | ChallengeState::Expired);
        if let (ChallengeKind::Rematch { of }, true) = (&challenge.kind, is_over) {
            self.games.tell_rematch(*of, None, None).await;
        }
        self.notices.changed(challenge.challenger.id).await;
        if let Some(asked) = challenge.kind.asked() {
            self.notices.changed(asked.id).await;
        }
    }

    async fn tell_at_door(&self, challenge: &Challenge) -> Result<(), LobbyError> {
        let witnesses = self.witnesses(challenge).await?;
        let view = describe(&self.games, challenge).await?;
        self.doors.tell(challenge.id, &view, &witnesses);
        Ok(())
    }

    /// The rating by which somebody is paired.
    pub(super) async fn rating_of(
        &self,
        account: &Account,
        pool: Option<&Pool>,
    ) -> Result<i64, LobbyError> {
        let Some(pool) = pool else { return Ok(UNRATED) };
        Ok(self.games.strength(account, pool).await?.map_or(UNRATED, |strength| strength.rating))
    }
}

/// A challenge as everybody sees it. Its address is relative; only the page knows by which name it is reached.
pub(super) async fn describe(
    games: &Games,
    challenge: &Challenge,
) -> Result<ChallengeView, LobbyError> {
    let pool = house::pool_of(challenge.setup.variant, &challenge.setup.time);
    let (lowest_rating, highest_rating) = challenge.kind.rating_range();
    let asked = match challenge.kind.asked() {
        Some(asked) => Some(games.player_view(asked, pool.as_ref()).await?),
        None => None,
    };
    let message = match &challenge.kind {
        ChallengeKind::Direct { .. } => games.invitation(challenge.id).await?,
        _ => None,
    };
    let (state, reason) = match challenge.state {
        ChallengeState::Open => (ChallengeStateView::Open, None),
        ChallengeState::Accepted => (ChallengeStateView::Accepted, None),
        ChallengeState::Cancelled => (ChallengeStateView::Cancelled, None),
        ChallengeState::Declined(reason) => (ChallengeStateView::Declined, Some(reason.into())),
        ChallengeState::Expired => (ChallengeStateView::Expired, None),
    };
    Ok(ChallengeView {
        id: challenge.id.to_string(),
        audience: match &challenge.kind {
            ChallengeKind::Link => ChallengeKindView::Link,
            ChallengeKind::Direct { .. } => ChallengeKindView::Direct,
            ChallengeKind::Seek { .. } => ChallengeKindView::Seek,
            ChallengeKind::Rematch { .. } => ChallengeKindView::Rematch,
        },
        state,
        reason,
        variant: challenge.setup.variant,
        time: TimeControlView::from(&challenge.setup.time),
        rated: challenge.rated,
        private: challenge.private,
        rules: RuleChoice::of(&challenge.setup),
        speed: pool.as_ref().map(|pool| pool.speed().name().to_owned()),
        start: challenge.setup.start.clone(),
        message,
        engines: challenge.setup.engines,
        gmo: (challenge.setup.variant == Variant::Gmo).then(|| challenge.setup.gmo.into()),
        color: challenge.color.into(),
        challenger: games.player_view(&challenge.challenger, pool.as_ref()).await?,
        asked,
        lowest_rating,
        highest_rating,
        is_mine: false,
        url: format!("/{}", challenge.id),
        created_at: challenge.created_at.0,
        expires_at: challenge.expires_at.map(|at| at.0),
    })
}
