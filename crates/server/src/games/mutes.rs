//! Not hearing somebody who plays or talks at a board: the way for guests, who have no page of their own.

use axum::extract::{Path, State};
use axum::http::StatusCode;
use store::{AccountId, GameId, Sight, Store};

use super::{GameError, Games};
use crate::accounts::{Accounts, Visitor};
use crate::http::ApiError;

/// Whom somebody does not want to hear; none if that cannot be read.
pub(crate) type Muted = Option<Vec<AccountId>>;

/// Reads whom somebody does not want to hear.
pub(crate) async fn muted_by(store: &Store, account: Option<AccountId>) -> Muted {
    let Some(account) = account else { return Some(Vec::new()) };
    match store.muted_by(account).await {
        Ok(muted) => Some(muted),
        Err(error) => {
            tracing::warn!(%account, %error, "mutes cannot be read; nothing is shown");
            None
        }
    }
}

impl Games {
    /// Mutes somebody who plays or has said something at this board, or hears them again.
    pub async fn set_mute(
        &self,
        id: GameId,
        by: Sight,
        whom: AccountId,
        muted: bool,
    ) -> Result<(), GameError> {
        let me = by.account().ok_or(GameError::NotYourGame)?;
        let view = self.view(id, by).await?;
        let house = &self.0.house;
        if !muted {
            return Ok(house.store.unmute(me, whom).await?);
        }
        let those = [&view.players.white, &view.players.black];
        let mut heard = those.into_iter().chain(view.chat.iter().map(|line| &line.by));
        let is_here = heard.any(|one| one.id == whom.as_str());
        if !is_here || whom == me {
            return Err(GameError::NobodyToMute);
        }
        Ok(house.store.mute(me, whom, house.world.time.now()).await?)
    }
}

/// Mute somebody who plays or talks at this board: what they say is not shown to you any more, here and elsewhere.
#[utoipa::path(put, path = "/api/v1/games/{id}/mutes/{account}", tag = "games",
    params(("id" = String, Path), ("account" = String, Path)),
    responses((status = 204), (status = 404, description = "no such game, or nobody who was heard there")))]
pub(crate) async fn mute_at_game(
    State(games): State<Games>,
    State(accounts): State<Accounts>,
    visitor: Visitor,
    Path((game, whom)): Path<(String, String)>,
) -> Result<StatusCode, ApiError> {
    set(&games, &accounts, &visitor, (&game, &whom), true).await
}

/// Hear somebody of this board again.
#[utoipa::path(delete, path = "/api/v1/games/{id}/mutes/{account}", tag = "games",
    params(("id" = String, Path), ("account" = String, Path)),
    responses((status = 204), (status = 404, description = "no such game")))]
pub(crate) async fn unmute_at_game(
    State(games): State<Games>,
    State(accounts): State<Accounts>,
    visitor: Visitor,
    Path((game, whom)): Path<(String, String)>,
) -> Result<StatusCode, ApiError> {
    set(&games, &accounts, &visitor, (&game, &whom), false).await
}

async fn set(
    games: &Games,
    accounts: &Accounts,
    visitor: &Visitor,
    (game, whom): (&str, &str),
    muted: bool,
) -> Result<StatusCode, ApiError> {
    let id: GameId = game.parse().map_err(|_| GameError::Unknown)?;
    let whom: AccountId = whom.parse().map_err(|_| GameError::NobodyToMute)?;
    let me = accounts.account_of(visitor).await?;
    games.set_mute(id, me.id.into(), whom, muted).await?;
    Ok(StatusCode::NO_CONTENT)
}
