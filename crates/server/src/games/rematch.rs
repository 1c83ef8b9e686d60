//! A rematch: the same game with colours swapped, begun when both want it. An offer can be declined and taken back, and
//! does not outlive the stay of whoever made it.

use rules::{ByColor, Color, Setup, TimeControl, UnixMillis, Variant};
use store::{
    Account, AccountId, Challenge, ChallengeKind, ChallengeState, GameId, StoreError, StoredGame,
};
use tokio::sync::broadcast;

use super::task::{Mail, Ready};
use super::wire::{GameView, RematchView};
use super::{GameError, Games, house};

/// How long an offer waits at most, after a live game and after one of days.
const LIVE_LIFETIME: i64 = 3_600_000;
const SLOW_LIFETIME: i64 = 14 * 86_400_000;

/// A rematch that has begun, and is on the disk.
#[derive(Debug, Clone)]
pub(crate) struct Begun {
    pub(crate) game: GameId,
    pub(crate) players: ByColor<Account>,
    pub(crate) is_live: bool,
}

impl Games {
    /// The rematches that begin from now on.
    pub(crate) fn rematches(&self) -> broadcast::Receiver<Begun> {
        self.0.house.rematches.subscribe()
    }

    /// Offers a rematch, or accepts the one on offer. Gives the game it is a rematch of.
    pub async fn rematch(&self, id: GameId, by: AccountId) -> Result<GameView, GameError> {
        self.refuse_if_draining()?;
        let side = self.side_after_end(id, by).await?;
        let stored = self.0.house.store.load_game(id).await?;
        let offer = match self.agree_on_rematch(&stored, side).await {
            // The other has asked at the same moment and was first: both want it.
            Err(GameError::Store(StoreError::Conflict)) => {
                self.agree_on_rematch(&stored, side).await?
            }
            agreed => agreed?,
        };
        self.tell_rematch(id, Some(side), Some(offer)).await;
        self.view(id, Some(by)).await
    }

    /// Declines the rematch on offer, or takes the own offer back. Gives the game it would have been a rematch of.
    pub async fn decline_rematch(&self, id: GameId, by: AccountId) -> Result<GameView, GameError> {
        let side = self.side_after_end(id, by).await?;
        let store = &self.0.house.store;
        let open = store.load_rematch_of(id).await?;
        let offer = match open.filter(|offer| offer.state == ChallengeState::Open) {
            Some(own) if own.challenger.id == by => {
                store.withdraw_rematch(id, by).await?;
                None
            }
            Some(_) => {
                store.decline_rematch(id, by).await?;
                Some(RematchView { by: side.other(), game: None, declined: true })
            }
            None => return Err(GameError::NoRematch),
        };
        self.tell_rematch(id, Some(side), offer).await;
        self.view(id, Some(by)).await
    }

    /// The side of a player in a game of two that is over.
    async fn side_after_end(&self, id: GameId, by: AccountId) -> Result<Color, GameError> {
        let view = self.view(id, Some(by)).await?;
        let side = view.you.ok_or(GameError::NotYourGame)?;
        if view.one_computer {
            // Those who confirmed the last game may have gone: a new one is begun at the table, by both.
            return Err(GameError::AtOneComputer);
        }
        if view.outcome.is_none() {
            return Err(GameError::StillRunning);
        }
        Ok(side)
    }

    /// Tells a game's room where its rematch stands.
    pub(crate) async fn tell_rematch(
        &self,
        id: GameId,
        by: Option<Color>,
        offer: Option<RematchView>,
    ) {
        if let Some(handle) = self.alive(id) {
            let _ = handle.post.send(Mail::Rematch { by, offer }).await;
        }
    }

    async fn agree_on_rematch(
        &self,
        stored: &StoredGame,
        side: Color,
    ) -> Result<RematchView, GameError> {
        let by = stored.players[side].id;
        match self.0.house.store.load_rematch_of(stored.id).await? {
            None => self.offer_rematch(stored, side, None).await,
            Some(offer) => match offer.state {
                ChallengeState::Open if offer.challenger.id != by => {
                    self.accept_rematch(stored, offer).await
                }
                // Whoever was told no does not ask again; whoever said it may think better of it.
                ChallengeState::Declined(_) if offer.challenger.id != by => {
                    self.offer_rematch(stored, side, Some(offer.id)).await
                }
                ChallengeState::Cancelled | ChallengeState::Expired => {
                    self.offer_rematch(stored, side, Some(offer.id)).await
                }
                ChallengeState::Open | ChallengeState::Accepted | ChallengeState::Declined(_) => {
                    Ok(rematch_view(&stored.players, &offer))
                }
            },
        }
    }

    /// Offers a rematch, in the place of an offer that is over.
    async fn offer_rematch(
        &self,
        stored: &StoredGame,
        side: Color,
        over: Option<GameId>,
    ) -> Result<RematchView, GameError> {
        let now = self.0.house.world.time.now();
        let is_live = stored.setup.time.is_live();
        let lifetime = if is_live { LIVE_LIFETIME } else { SLOW_LIFETIME };
        let challenge = Challenge {
            id: GameId::from_bits(self.0.house.world.chance.bits()),
            kind: ChallengeKind::Rematch { of: stored.id },
            challenger: stored.players[side].clone(),
            color: Some(side.other()),
            setup: self.undrawn(stored).await?,
            rated: stored.rated,
            private: stored.private,
            state: ChallengeState::Open,
            created_at: now,
            expires_at: Some(UnixMillis(now.0 + lifetime)),
        };
        let offer = rematch_view(&stored.players, &challenge);
        match over {
            Some(over) => self.0.house.store.replace_challenge(over, challenge).await?,
            None => self.0.house.store.create_challenge(challenge).await?,
        }
        Ok(offer)
    }

    /// The terms of a game before anything was drawn by lot: a rematch draws again what the game itself had drawn, and
    /// keeps what somebody had chosen. Where the sides have different times, each player keeps the own one.
    async fn undrawn(&self, stored: &StoredGame) -> Result<Setup, GameError> {
        let mut setup = Setup { seed: None, ..stored.setup.clone() };
        if let TimeControl::Live(ByColor { white, black }) = setup.time {
            setup.time = TimeControl::Live(ByColor { white: black, black: white });
        }
        if setup.variant == Variant::Chess960 {
            setup.start = match self.0.house.store.load_challenge(stored.id).await {
                Ok(challenge) => challenge.setup.start,
                // Two from the queue never had a challenge.
                Err(StoreError::NotFound) => None,
                Err(error) => return Err(error.into()),
            };
        }
        Ok(setup)
    }

    async fn accept_rematch(
        &self,
        stored: &StoredGame,
        challenge: Challenge,
    ) -> Result<RematchView, GameError> {
        // The colours are swapped: who had White now has Black.
        let players = ByColor {
            white: stored.players[Color::Black].clone(),
            black: stored.players[Color::White].clone(),
        };
        let setup =
            house::draw(challenge.setup.clone(), challenge.rated, &self.0.house.world.chance);
        let challenge = Challenge { setup, ..challenge };
        let new = self.new_game(&challenge, &players).await?;
        self.0.house.store.accept_challenge(new.clone()).await?;
        self.begin(new, players.clone()).await?;
        let is_live = challenge.setup.time.is_live();
        // Without a lobby there is nobody to tell.
        let _ = self.0.house.rematches.send(Begun { game: challenge.id, players, is_live });
        Ok(rematch_view(
            &stored.players,
            &Challenge { state: ChallengeState::Accepted, ..challenge },
        ))
    }

    pub(super) async fn stored_rematch(
        &self,
        ready: &Ready,
    ) -> Result<Option<RematchView>, GameError> {
        if ready.game.outcome().is_none() {
            return Ok(None);
        }
        let challenge = self.0.house.store.load_rematch_of(ready.id).await?;
        let is_over = |challenge: &Challenge| {
            matches!(challenge.state, ChallengeState::Cancelled | ChallengeState::Expired)
        };
        let challenge = challenge.filter(|challenge| !is_over(challenge));
        Ok(challenge.map(|challenge| rematch_view(&ready.players, &challenge)))
    }
}

fn rematch_view(players: &ByColor<store::Account>, challenge: &Challenge) -> RematchView {
    let by = if players[Color::White].id == challenge.challenger.id {
        Color::White
    } else {
        Color::Black
    };
    let game = (challenge.state == ChallengeState::Accepted).then_some(challenge.id);
    let declined = matches!(challenge.state, ChallengeState::Declined(_));
    RematchView { by, game, declined }
}
