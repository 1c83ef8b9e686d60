//! HTTP of games at one computer.

use axum::Json;
use axum::extract::State;
use store::GameId;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::OneComputer;
use super::wire::{NewTable, Settled};
use crate::accounts::{Accounts, Visitor};
use crate::games::Games;
use crate::games::slow_games::TableAct;
use crate::games::wire::GameView;
use crate::http::{ApiError, AppState, Body, Id, Problem};

/// The routes of this subject.
pub(crate) fn router() -> OpenApiRouter<AppState> {
    OpenApiRouter::new().routes(routes!(begin_at_one_computer)).routes(routes!(settle_at_table))
}

/// Begin a game of two people at this computer. Moves of both sides are made by whoever begins it.
#[utoipa::path(post, path = "/api/v1/one-computer", tag = "games", request_body = NewTable,
    responses((status = 200, body = GameView),
        (status = 401, body = Problem, description = "`bad_credentials` or `bad_pin`: a member did not confirm"),
        (status = 403, body = Problem, description = "`pin_locked`: the password is needed"),
        (status = 422, body = Problem, description = "cannot be played like this")))]
pub(crate) async fn begin_at_one_computer(
    State(tables): State<OneComputer>,
    visitor: Visitor,
    Body(new): Body<NewTable>,
) -> Result<Json<GameView>, ApiError> {
    Ok(Json(tables.begin(&visitor, &new).await?))
}

/// Note what two people at one computer have settled between them.
#[utoipa::path(post, path = "/api/v1/games/{id}/table", tag = "games", params(("id" = String, Path)), request_body = Settled,
    responses((status = 200, body = GameView), (status = 403, description = "`at_one_computer`: not from here"),
        (status = 409, description = "refused")))]
pub(crate) async fn settle_at_table(
    State(games): State<Games>,
    State(accounts): State<Accounts>,
    visitor: Visitor,
    Id(game): Id<GameId>,
    Body(settled): Body<Settled>,
) -> Result<Json<GameView>, ApiError> {
    let account = accounts.account_of(&visitor).await?;
    let act = match settled {
        Settled::Draw => TableAct::Draw,
        Settled::Takeback => TableAct::Takeback,
        Settled::Resign { side } => TableAct::Resign(side),
    };
    Ok(Json(games.settle_at_table(game, account.id, act).await?))
}
