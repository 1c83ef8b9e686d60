//! A rematch: the same game with colours swapped, offered once, begun when the other agrees.

use rules::{ByColor, Color, Setup, Variant};
use store::{
    Account, AccountId, Challenge, ChallengeKind, ChallengeState, GameId, StoreError, StoredGame,
};
use tokio::sync::broadcast;

use super::task::{Mail, Ready};
use super::wire::{GameView, RematchView};
use super::{GameError, Games, house};

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
        let view = self.view(id, Some(by)).await?;
        let side = view.you.ok_or(GameError::NotYourGame)?;
        if view.one_computer {
            // Those who confirmed the last game may have gone: a new one is begun at the table, by both.
            return Err(GameError::AtOneComputer);
        }
        if view.outcome.is_none() {
            return Err(GameError::StillRunning);
        }
        let stored = self.0.house.store.load_game(id).await?;
        let offer = match self.0.house.store.load_rematch_of(id).await? {
            None => self.offer_rematch(&stored, side).await?,
            Some(challenge)
                if challenge.challenger.id == by || challenge.state != ChallengeState::Open =>
            {
                rematch_view(&stored.players, &challenge)
            }
            Some(challenge) => self.accept_rematch(&stored, challenge).await?,
        };
        if let Some(handle) = self.alive(id) {
            let _ = handle.post.send(Mail::Rematch(offer)).await;
        }
        self.view(id, Some(by)).await
    }

    async fn offer_rematch(
        &self,
        stored: &StoredGame,
        side: Color,
    ) -> Result<RematchView, GameError> {
        let challenge = Challenge {
            id: GameId::from_bits(self.0.house.world.chance.bits()),
            kind: ChallengeKind::Rematch { of: stored.id },
            challenger: stored.players[side].clone(),
            color: Some(side.other()),
            setup: self.undrawn(stored).await?,
            rated: stored.rated,
            private: stored.private,
            state: ChallengeState::Open,
            created_at: self.0.house.world.time.now(),
            expires_at: None,
        };
        let offer = rematch_view(&stored.players, &challenge);
        self.0.house.store.create_challenge(challenge).await?;
        Ok(offer)
    }

    /// The terms of a game before anything was drawn by lot: a rematch draws again what the game itself had drawn, and
    /// keeps what somebody had chosen.
    async fn undrawn(&self, stored: &StoredGame) -> Result<Setup, GameError> {
        let mut setup = Setup { seed: None, ..stored.setup.clone() };
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
        self.begin(new, players.clone())?;
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
    RematchView { by, game }
}
