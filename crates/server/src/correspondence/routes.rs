//! HTTP of slow games.

use axum::Json;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use rules::Act;
use serde::Deserialize;
use store::{GameId, Sight};
use utoipa::IntoParams;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::Correspondence;
use super::clock_guard::ClockState;
use super::wire::{DecisionView, Desk, Inbox, LeaveTaken, MyGames, NewNote, NewPlan};
use crate::accounts::{Accounts, Visitor};
use crate::games::Games;
use crate::games::plan::{ConsideredLine, PlanView};
use crate::games::wire::GameView;
use crate::http::{ApiError, AppState, Body, Id, Params};

/// The routes of this subject.
pub(crate) fn router() -> OpenApiRouter<AppState> {
    OpenApiRouter::new()
        .routes(routes!(list_my_games))
        .routes(routes!(show_inbox))
        .routes(routes!(put_away))
        .routes(routes!(take_leave_everywhere, end_leave_everywhere))
        .routes(routes!(show_desk))
        .routes(routes!(set_note))
        .routes(routes!(set_plan))
        .routes(routes!(show_line))
        .routes(routes!(take_leave, end_leave))
        .routes(routes!(list_decisions))
        .routes(routes!(show_clock, accept_clock))
}

/// List one's own running games: those in which it is one's move first, the least time first.
#[utoipa::path(get, path = "/api/v1/me/games", tag = "correspondence", responses((status = 200, body = MyGames)))]
pub(crate) async fn list_my_games(
    State(correspondence): State<Correspondence>,
    State(accounts): State<Accounts>,
    visitor: Visitor,
) -> Result<Json<MyGames>, ApiError> {
    let account = accounts.account_of(&visitor).await?;
    Ok(Json(correspondence.my_games(account.id).await?))
}

/// What waits: invitations and their answers, requests of opponents, decisions of arbiters.
#[utoipa::path(get, path = "/api/v1/me/inbox", tag = "correspondence", responses((status = 200, body = Inbox)))]
pub(crate) async fn show_inbox(
    State(correspondence): State<Correspondence>,
    State(accounts): State<Accounts>,
    visitor: Visitor,
) -> Result<Json<Inbox>, ApiError> {
    let account = accounts.account_of(&visitor).await?;
    Ok(Json(correspondence.inbox(account.id).await?))
}

/// Put an answer (`challenge:ID`) or a decision (`decision:NUMBER`) away from the inbox.
#[utoipa::path(delete, path = "/api/v1/me/inbox/{item}", tag = "correspondence", params(("item" = String, Path)),
    responses((status = 204), (status = 404, description = "nothing like this")))]
pub(crate) async fn put_away(
    State(correspondence): State<Correspondence>,
    State(accounts): State<Accounts>,
    visitor: Visitor,
    Path(item): Path<String>,
) -> Result<StatusCode, ApiError> {
    let account = accounts.account_of(&visitor).await?;
    correspondence.put_away(account.id, &item).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Go on leave in every game that has some.
#[utoipa::path(post, path = "/api/v1/me/leave", tag = "correspondence", responses((status = 200, body = LeaveTaken)))]
pub(crate) async fn take_leave_everywhere(
    State(correspondence): State<Correspondence>,
    State(accounts): State<Accounts>,
    visitor: Visitor,
) -> Result<Json<LeaveTaken>, ApiError> {
    let account = accounts.account_of(&visitor).await?;
    Ok(Json(LeaveTaken { games: correspondence.leave_all(account.id, true).await }))
}

/// Come back from leave in every game.
#[utoipa::path(delete, path = "/api/v1/me/leave", tag = "correspondence", responses((status = 200, body = LeaveTaken)))]
pub(crate) async fn end_leave_everywhere(
    State(correspondence): State<Correspondence>,
    State(accounts): State<Accounts>,
    visitor: Visitor,
) -> Result<Json<LeaveTaken>, ApiError> {
    let account = accounts.account_of(&visitor).await?;
    Ok(Json(LeaveTaken { games: correspondence.leave_all(account.id, false).await }))
}

/// What one has beside a board and shows to nobody. What was said there counts as read.
#[utoipa::path(get, path = "/api/v1/games/{id}/desk", tag = "correspondence", params(("id" = String, Path)),
    responses((status = 200, body = Desk), (status = 403, description = "not your game")))]
pub(crate) async fn show_desk(
    State(correspondence): State<Correspondence>,
    State(accounts): State<Accounts>,
    visitor: Visitor,
    Id(game): Id<GameId>,
) -> Result<Json<Desk>, ApiError> {
    let account = accounts.account_of(&visitor).await?;
    Ok(Json(correspondence.desk(game, account.id).await?))
}

/// Keep a private note about a game.
#[utoipa::path(put, path = "/api/v1/games/{id}/note", tag = "correspondence", params(("id" = String, Path)),
    request_body = NewNote, responses((status = 204), (status = 422, description = "too long")))]
pub(crate) async fn set_note(
    State(correspondence): State<Correspondence>,
    State(accounts): State<Accounts>,
    visitor: Visitor,
    Id(game): Id<GameId>,
    Body(note): Body<NewNote>,
) -> Result<StatusCode, ApiError> {
    let account = accounts.account_of(&visitor).await?;
    correspondence.set_note(game, account.id, &note.text).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Keep conditional moves: the server plays them when the other follows a line.
#[utoipa::path(put, path = "/api/v1/games/{id}/conditional", tag = "correspondence", params(("id" = String, Path)),
    request_body = NewPlan, responses((status = 200, body = PlanView), (status = 422, description = "lines that make no sense")))]
pub(crate) async fn set_plan(
    State(correspondence): State<Correspondence>,
    State(accounts): State<Accounts>,
    visitor: Visitor,
    Id(game): Id<GameId>,
    Body(plan): Body<NewPlan>,
) -> Result<Json<PlanView>, ApiError> {
    let account = accounts.account_of(&visitor).await?;
    Ok(Json(correspondence.set_plan(game, account.id, plan.lines).await?))
}

/// A line to look at.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct LineQuery {
    /// Moves from the game's position on, as UCI, with commas between them.
    #[serde(default)]
    moves: String,
}

/// Look at the position after some moves from where a slow game of one's own is.
#[utoipa::path(get, path = "/api/v1/games/{id}/line", tag = "correspondence", params(("id" = String, Path), LineQuery),
    responses((status = 200, body = ConsideredLine), (status = 422, description = "cannot be played")))]
pub(crate) async fn show_line(
    State(correspondence): State<Correspondence>,
    State(accounts): State<Accounts>,
    visitor: Visitor,
    Id(game): Id<GameId>,
    Params(query): Params<LineQuery>,
) -> Result<Json<ConsideredLine>, ApiError> {
    let account = accounts.account_of(&visitor).await?;
    let moves = query.moves.split(',').map(str::trim).filter(|text| !text.is_empty());
    Ok(Json(correspondence.line(game, account.id, moves.map(str::to_owned).collect()).await?))
}

/// Go on leave in a game: the own clock stands until one comes back or the year's leave is used up.
#[utoipa::path(post, path = "/api/v1/games/{id}/leave", tag = "correspondence", params(("id" = String, Path)),
    responses((status = 200, body = GameView), (status = 409, description = "no leave left")))]
pub(crate) async fn take_leave(
    State(games): State<Games>,
    State(accounts): State<Accounts>,
    visitor: Visitor,
    Id(game): Id<GameId>,
) -> Result<Json<GameView>, ApiError> {
    let account = accounts.account_of(&visitor).await?;
    Ok(Json(games.act(game, account.id, Act::TakeLeave).await?))
}

/// Come back from leave.
#[utoipa::path(delete, path = "/api/v1/games/{id}/leave", tag = "correspondence", params(("id" = String, Path)),
    responses((status = 200, body = GameView), (status = 409, description = "not on leave")))]
pub(crate) async fn end_leave(
    State(games): State<Games>,
    State(accounts): State<Accounts>,
    visitor: Visitor,
    Id(game): Id<GameId>,
) -> Result<Json<GameView>, ApiError> {
    let account = accounts.account_of(&visitor).await?;
    Ok(Json(games.act(game, account.id, Act::EndLeave).await?))
}

/// List what arbiters decided about a game, the oldest first.
#[utoipa::path(get, path = "/api/v1/games/{id}/decisions", tag = "correspondence", params(("id" = String, Path)),
    responses((status = 200, body = [DecisionView])))]
pub(crate) async fn list_decisions(
    State(correspondence): State<Correspondence>,
    visitor: Visitor,
    Id(game): Id<GameId>,
) -> Result<Json<Vec<DecisionView>>, ApiError> {
    Ok(Json(correspondence.decisions(game, Sight::from(&visitor)).await?))
}

/// Whether the calendar agrees with the server's time; if it does not, no flag of a game of days falls.
#[utoipa::path(get, path = "/api/v1/admin/clock", tag = "administration", responses((status = 200, body = ClockState)))]
pub(crate) async fn show_clock(State(correspondence): State<Correspondence>) -> Json<ClockState> {
    Json(correspondence.clock_guard().state())
}

/// Say that the calendar is right as it is: flags fall again.
#[utoipa::path(post, path = "/api/v1/admin/clock", tag = "administration", responses((status = 200, body = ClockState)))]
pub(crate) async fn accept_clock(
    State(correspondence): State<Correspondence>,
) -> Result<Json<ClockState>, ApiError> {
    Ok(Json(correspondence.clock_guard().accept().await?))
}
