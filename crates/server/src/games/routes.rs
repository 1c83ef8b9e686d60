//! HTTP of games.

use axum::Json;
use axum::extract::{Query, State};
use rules::{AbandonmentClaim, Act, Color, Millis, Ply};
use serde::Deserialize;
use store::GameId;
use utoipa::IntoParams;

use super::Games;
use super::wire::{ChatLineView, ClaimReason, GamePage, GameView, NewChatLine, NewClaim, NewMove};
use crate::accounts::{Accounts, Visitor};
use crate::http::{ApiError, Body, Id};

/// Games on a page, if the request does not say.
const PAGE: usize = 24;
/// Games on a page at most.
const MOST: usize = 100;

/// Which running games to list.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct ListQuery {
    /// Only `running` for now.
    state: Option<String>,
    /// How many, at most 100.
    limit: Option<usize>,
    /// `next` of the page before.
    before: Option<String>,
}

/// List running games, newest first.
#[utoipa::path(get, path = "/api/v1/games", tag = "games", params(ListQuery), responses((status = 200, body = GamePage)))]
pub(crate) async fn list_games(
    State(games): State<Games>,
    Query(query): Query<ListQuery>,
) -> Result<Json<GamePage>, ApiError> {
    if query.state.as_deref().is_some_and(|state| state != "running") {
        return Err(ApiError::bad_request("bad_state", "only state=running can be listed"));
    }
    let before = query.before.as_deref().map(parse_cursor).transpose()?;
    let limit = query.limit.unwrap_or(PAGE).clamp(1, MOST);
    let games = games.running(before, limit).await;
    let next = (games.len() == limit)
        .then(|| games.last().map(|card| format!("{}-{}", card.created_at, card.id)));
    Ok(Json(GamePage { next: next.flatten(), games }))
}

fn parse_cursor(text: &str) -> Result<(i64, GameId), ApiError> {
    let bad = || ApiError::bad_request("bad_cursor", "`before` is the `next` of the page before");
    let (at, id) = text.split_once('-').ok_or_else(bad)?;
    Ok((at.parse().map_err(|_| bad())?, id.parse().map_err(|_| bad())?))
}

/// Show a game.
#[utoipa::path(get, path = "/api/v1/games/{id}", tag = "games", params(("id" = String, Path)),
    responses((status = 200, body = GameView), (status = 404, description = "no such game")))]
pub(crate) async fn show_game(
    State(games): State<Games>,
    visitor: Visitor,
    Id(game): Id<GameId>,
) -> Result<Json<GameView>, ApiError> {
    Ok(Json(games.view(game, &visitor).await?))
}

/// Make a move. Sending the same move for the same ply again changes nothing.
#[utoipa::path(post, path = "/api/v1/games/{id}/moves", tag = "games", params(("id" = String, Path)),
    request_body = NewMove, responses((status = 200, body = GameView), (status = 409, description = "refused")))]
pub(crate) async fn play_move(
    State(games): State<Games>,
    State(accounts): State<Accounts>,
    visitor: Visitor,
    Id(game): Id<GameId>,
    Body(new): Body<NewMove>,
) -> Result<Json<GameView>, ApiError> {
    let act = Act::Play { ply: Ply(new.ply), action: new.uci };
    act_in(&games, &accounts, &visitor, game, act).await
}

/// Resign a game.
#[utoipa::path(post, path = "/api/v1/games/{id}/resignation", tag = "games", params(("id" = String, Path)),
    responses((status = 200, body = GameView)))]
pub(crate) async fn resign_game(
    State(games): State<Games>,
    State(accounts): State<Accounts>,
    visitor: Visitor,
    Id(game): Id<GameId>,
) -> Result<Json<GameView>, ApiError> {
    act_in(&games, &accounts, &visitor, game, Act::Resign).await
}

/// Offer a draw, or accept the one on offer.
#[utoipa::path(post, path = "/api/v1/games/{id}/draw", tag = "games", params(("id" = String, Path)),
    responses((status = 200, body = GameView)))]
pub(crate) async fn offer_draw(
    State(games): State<Games>,
    State(accounts): State<Accounts>,
    visitor: Visitor,
    Id(game): Id<GameId>,
) -> Result<Json<GameView>, ApiError> {
    act_in(&games, &accounts, &visitor, game, Act::OfferDraw).await
}

/// Decline the draw on offer.
#[utoipa::path(delete, path = "/api/v1/games/{id}/draw", tag = "games", params(("id" = String, Path)),
    responses((status = 200, body = GameView)))]
pub(crate) async fn decline_draw(
    State(games): State<Games>,
    State(accounts): State<Accounts>,
    visitor: Visitor,
    Id(game): Id<GameId>,
) -> Result<Json<GameView>, ApiError> {
    act_in(&games, &accounts, &visitor, game, Act::DeclineDraw).await
}

/// Abort a game that has not really begun.
#[utoipa::path(post, path = "/api/v1/games/{id}/abort", tag = "games", params(("id" = String, Path)),
    responses((status = 200, body = GameView)))]
pub(crate) async fn abort_game(
    State(games): State<Games>,
    State(accounts): State<Accounts>,
    visitor: Visitor,
    Id(game): Id<GameId>,
) -> Result<Json<GameView>, ApiError> {
    act_in(&games, &accounts, &visitor, game, Act::Abort).await
}

/// Offer a rematch, or accept the one on offer.
#[utoipa::path(post, path = "/api/v1/games/{id}/rematch", tag = "games", params(("id" = String, Path)),
    responses((status = 200, body = GameView)))]
pub(crate) async fn offer_rematch(
    State(games): State<Games>,
    State(accounts): State<Accounts>,
    visitor: Visitor,
    Id(game): Id<GameId>,
) -> Result<Json<GameView>, ApiError> {
    let account = accounts.account_of(&visitor).await?;
    Ok(Json(games.rematch(game, account.id).await?))
}

/// Decline the rematch on offer, or take the own offer back.
#[utoipa::path(delete, path = "/api/v1/games/{id}/rematch", tag = "games", params(("id" = String, Path)),
    responses((status = 200, body = GameView), (status = 409, description = "there is none")))]
pub(crate) async fn decline_rematch(
    State(games): State<Games>,
    State(accounts): State<Accounts>,
    visitor: Visitor,
    Id(game): Id<GameId>,
) -> Result<Json<GameView>, ApiError> {
    let account = accounts.account_of(&visitor).await?;
    Ok(Json(games.decline_rematch(game, account.id).await?))
}

/// Ask to take the own last move back, or allow what the other asks.
#[utoipa::path(post, path = "/api/v1/games/{id}/takeback", tag = "games", params(("id" = String, Path)),
    responses((status = 200, body = GameView)))]
pub(crate) async fn offer_takeback(
    State(games): State<Games>,
    State(accounts): State<Accounts>,
    visitor: Visitor,
    Id(game): Id<GameId>,
) -> Result<Json<GameView>, ApiError> {
    let view = games.view(game, visitor.account_id()).await?;
    let is_asked = view.takeback_offer.is_some() && view.takeback_offer != view.you;
    let act = if is_asked { Act::AcceptTakeback } else { Act::OfferTakeback };
    act_in(&games, &accounts, &visitor, game, act).await
}

/// Do not allow a takeback.
#[utoipa::path(delete, path = "/api/v1/games/{id}/takeback", tag = "games", params(("id" = String, Path)),
    responses((status = 200, body = GameView)))]
pub(crate) async fn decline_takeback(
    State(games): State<Games>,
    State(accounts): State<Accounts>,
    visitor: Visitor,
    Id(game): Id<GameId>,
) -> Result<Json<GameView>, ApiError> {
    act_in(&games, &accounts, &visitor, game, Act::DeclineTakeback).await
}

/// Ask to adjourn, or to go on after an adjournment; or agree to what the other asks.
#[utoipa::path(post, path = "/api/v1/games/{id}/adjournment", tag = "games", params(("id" = String, Path)),
    responses((status = 200, body = GameView), (status = 409, description = "refused")))]
pub(crate) async fn offer_adjournment(
    State(games): State<Games>,
    State(accounts): State<Accounts>,
    visitor: Visitor,
    Id(game): Id<GameId>,
) -> Result<Json<GameView>, ApiError> {
    act_in(&games, &accounts, &visitor, game, Act::OfferAdjournment).await
}

/// Do not agree to an adjournment, or to go on.
#[utoipa::path(delete, path = "/api/v1/games/{id}/adjournment", tag = "games", params(("id" = String, Path)),
    responses((status = 200, body = GameView)))]
pub(crate) async fn decline_adjournment(
    State(games): State<Games>,
    State(accounts): State<Accounts>,
    visitor: Visitor,
    Id(game): Id<GameId>,
) -> Result<Json<GameView>, ApiError> {
    act_in(&games, &accounts, &visitor, game, Act::DeclineAdjournment).await
}

/// Give the other 15 seconds.
#[utoipa::path(post, path = "/api/v1/games/{id}/time", tag = "games", params(("id" = String, Path)),
    responses((status = 200, body = GameView)))]
pub(crate) async fn give_time(
    State(games): State<Games>,
    State(accounts): State<Accounts>,
    visitor: Visitor,
    Id(game): Id<GameId>,
) -> Result<Json<GameView>, ApiError> {
    // To whom and how much is the game's to say.
    let act = Act::AddTime { to: Color::White, time: Millis(0) };
    act_in(&games, &accounts, &visitor, game, act).await
}

/// Claim a draw by repetition or fifty moves, or the game of somebody who has left.
#[utoipa::path(post, path = "/api/v1/games/{id}/claim", tag = "games", params(("id" = String, Path)),
    request_body = NewClaim, responses((status = 200, body = GameView), (status = 409, description = "refused")))]
pub(crate) async fn claim_game(
    State(games): State<Games>,
    State(accounts): State<Accounts>,
    visitor: Visitor,
    Id(game): Id<GameId>,
    Body(claim): Body<NewClaim>,
) -> Result<Json<GameView>, ApiError> {
    let left = |claim| Act::ClaimAbandonment { gone: Millis(0), claim };
    let act = match claim.by {
        ClaimReason::Position => Act::ClaimDraw { intending: claim.uci },
        ClaimReason::WinByAbsence => left(AbandonmentClaim::Win),
        ClaimReason::DrawByAbsence => left(AbandonmentClaim::Draw),
    };
    act_in(&games, &accounts, &visitor, game, act).await
}

/// Say something at a board.
#[utoipa::path(post, path = "/api/v1/games/{id}/chat", tag = "games", params(("id" = String, Path)),
    request_body = NewChatLine, responses((status = 200, body = ChatLineView), (status = 403, description = "not here")))]
pub(crate) async fn say_at_game(
    State(games): State<Games>,
    State(accounts): State<Accounts>,
    visitor: Visitor,
    Id(game): Id<GameId>,
    Body(line): Body<NewChatLine>,
) -> Result<Json<ChatLineView>, ApiError> {
    let account = accounts.account_of(&visitor).await?;
    Ok(Json(games.say(game, account, line.room.into(), line.text).await?))
}

async fn act_in(
    games: &Games,
    accounts: &Accounts,
    visitor: &Visitor,
    game: GameId,
    act: Act,
) -> Result<Json<GameView>, ApiError> {
    let account = accounts.account_of(visitor).await?;
    Ok(Json(games.act(game, account.id, act).await?))
}
