//! HTTP of analysis.

use axum::Json;
use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::IntoResponse;
use store::{AccountId, GameId, Sight, StudyId};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::report::wire::{BulkChange, BulkView, ReportView};
use super::wire::{
    EngineList, NewStudy, PgnText, PositionQuestion, PositionView, StudyCard, StudyChange,
    StudyList, StudyView, TreeView,
};
use super::{Analysis, AnalysisError, tree};
use crate::accounts::Visitor;
use crate::http::{ApiError, AppState, Body, Id};

/// The routes of this subject.
pub(crate) fn router() -> OpenApiRouter<AppState> {
    OpenApiRouter::new()
        .routes(routes!(show_position))
        .routes(routes!(list_engines))
        .routes(routes!(read_pgn))
        .routes(routes!(write_pgn))
        .routes(routes!(list_studies, make_study))
        .routes(routes!(show_study, change_study, delete_study))
        .routes(routes!(show_report, ask_report, cancel_report))
        .routes(routes!(
            show_bulk_reports,
            ask_bulk_reports,
            change_bulk_reports,
            cancel_bulk_reports
        ))
}

/// Play a line out: where it leads and what may be done there.
///
/// Nothing is kept. Refused with `fair_play` for a position of a rated game the asker is playing.
#[utoipa::path(post, path = "/api/v1/analysis/position", tag = "analysis", request_body = PositionQuestion,
    responses((status = 200, body = PositionView), (status = 403, description = "a rated game of yours is at stake"),
        (status = 422, description = "no such position, or no such move")))]
pub(crate) async fn show_position(
    State(analysis): State<Analysis>,
    visitor: Visitor,
    Body(question): Body<PositionQuestion>,
) -> Result<Json<PositionView>, ApiError> {
    Ok(Json(analysis.position(Sight::from(&visitor), &question).await?))
}

/// List the engines that can be asked over the socket.
#[utoipa::path(get, path = "/api/v1/analysis/engines", tag = "analysis", responses((status = 200, body = EngineList)))]
pub(crate) async fn list_engines(State(analysis): State<Analysis>) -> Json<EngineList> {
    Json(EngineList { engines: analysis.engines() })
}

/// Read a PGN into a tree of variations.
#[utoipa::path(post, path = "/api/v1/analysis/tree", tag = "analysis", request_body = PgnText,
    responses((status = 200, body = TreeView), (status = 422, description = "no game in it")))]
pub(crate) async fn read_pgn(
    State(analysis): State<Analysis>,
    visitor: Visitor,
    Body(text): Body<PgnText>,
) -> Result<Json<TreeView>, ApiError> {
    Ok(Json(analysis.read_pgn(visitor.account_id(), &text.pgn).await?))
}

/// Write a tree of variations as PGN.
#[utoipa::path(post, path = "/api/v1/analysis/pgn", tag = "analysis", request_body = TreeView,
    responses((status = 200, body = String, content_type = "application/x-chess-pgn"),
        (status = 422, description = "the tree cannot be played")))]
pub(crate) async fn write_pgn(Body(tree): Body<TreeView>) -> Result<impl IntoResponse, ApiError> {
    let text = tree::write(&tree)?;
    Ok(([(header::CONTENT_TYPE, "application/x-chess-pgn; charset=utf-8")], text))
}

/// List your studies, the last changed first.
#[utoipa::path(get, path = "/api/v1/studies", tag = "analysis", responses((status = 200, body = StudyList)))]
pub(crate) async fn list_studies(
    State(analysis): State<Analysis>,
    visitor: Visitor,
) -> Result<Json<StudyList>, ApiError> {
    let studies = analysis.studies(account_of(&visitor)?).await?;
    Ok(Json(StudyList { studies }))
}

/// Keep a new study.
#[utoipa::path(post, path = "/api/v1/studies", tag = "analysis", request_body = NewStudy,
    responses((status = 201, body = StudyView), (status = 422, description = "the tree cannot be played")))]
pub(crate) async fn make_study(
    State(analysis): State<Analysis>,
    visitor: Visitor,
    Body(new): Body<NewStudy>,
) -> Result<(StatusCode, Json<StudyView>), ApiError> {
    let study = analysis.make_study(account_of(&visitor)?, new).await?;
    Ok((StatusCode::CREATED, Json(study)))
}

/// Show a study of yours.
#[utoipa::path(get, path = "/api/v1/studies/{id}", tag = "analysis", params(("id" = String, Path)),
    responses((status = 200, body = StudyView), (status = 404, description = "no such study of yours")))]
pub(crate) async fn show_study(
    State(analysis): State<Analysis>,
    visitor: Visitor,
    Id(id): Id<StudyId>,
) -> Result<Json<StudyView>, ApiError> {
    Ok(Json(analysis.study(id, account_of(&visitor)?).await?))
}

/// Write a study anew.
#[utoipa::path(put, path = "/api/v1/studies/{id}", tag = "analysis", params(("id" = String, Path)),
    request_body = StudyChange, responses((status = 200, body = StudyCard),
        (status = 409, description = "it was changed since it was read")))]
pub(crate) async fn change_study(
    State(analysis): State<Analysis>,
    visitor: Visitor,
    Id(id): Id<StudyId>,
    Body(change): Body<StudyChange>,
) -> Result<Json<StudyCard>, ApiError> {
    Ok(Json(analysis.change_study(id, account_of(&visitor)?, change).await?))
}

/// Throw a study away.
#[utoipa::path(delete, path = "/api/v1/studies/{id}", tag = "analysis", params(("id" = String, Path)),
    responses((status = 204), (status = 404, description = "no such study of yours")))]
pub(crate) async fn delete_study(
    State(analysis): State<Analysis>,
    visitor: Visitor,
    Id(id): Id<StudyId>,
) -> Result<StatusCode, ApiError> {
    analysis.delete_study(id, account_of(&visitor)?).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Show the report of a finished game, or how far it has got.
///
/// Whoever listens to the game's room hears of its progress as `report_progress`.
#[utoipa::path(get, path = "/api/v1/games/{id}/report", tag = "analysis", params(("id" = String, Path)),
    responses((status = 200, body = ReportView), (status = 409, description = "the game is still running")))]
pub(crate) async fn show_report(
    State(analysis): State<Analysis>,
    visitor: Visitor,
    Id(game): Id<GameId>,
) -> Result<Json<ReportView>, ApiError> {
    Ok(Json(analysis.reports().show(game, Sight::from(&visitor)).await?))
}

/// Ask for the report of a finished game.
#[utoipa::path(post, path = "/api/v1/games/{id}/report", tag = "analysis", params(("id" = String, Path)),
    responses((status = 200, body = ReportView), (status = 409, description = "the game is still running")))]
pub(crate) async fn ask_report(
    State(analysis): State<Analysis>,
    visitor: Visitor,
    Id(game): Id<GameId>,
) -> Result<Json<ReportView>, ApiError> {
    Ok(Json(analysis.reports().ask(game, account_of(&visitor)?, Sight::from(&visitor)).await?))
}

/// Call a report off that is not there yet and that you asked for.
#[utoipa::path(delete, path = "/api/v1/games/{id}/report", tag = "analysis", params(("id" = String, Path)),
    responses((status = 204), (status = 404, description = "none waits for you")))]
pub(crate) async fn cancel_report(
    State(analysis): State<Analysis>,
    visitor: Visitor,
    Id(game): Id<GameId>,
) -> Result<StatusCode, ApiError> {
    analysis.reports().cancel(game, account_of(&visitor)?).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Show how far the reports of your whole history have got.
#[utoipa::path(get, path = "/api/v1/account/reports", tag = "analysis", responses((status = 200, body = BulkView)))]
pub(crate) async fn show_bulk_reports(
    State(analysis): State<Analysis>,
    visitor: Visitor,
) -> Result<Json<BulkView>, ApiError> {
    Ok(Json(analysis.reports().show_all(account_of(&visitor)?).await?))
}

/// Ask for the reports of your finished games that have none yet; they wait for everybody else.
///
/// The newest come first, and no more than `most` wait at once: ask again when they are done.
#[utoipa::path(post, path = "/api/v1/account/reports", tag = "analysis", responses((status = 200, body = BulkView)))]
pub(crate) async fn ask_bulk_reports(
    State(analysis): State<Analysis>,
    visitor: Visitor,
) -> Result<Json<BulkView>, ApiError> {
    Ok(Json(analysis.reports().ask_all(account_of(&visitor)?).await?))
}

/// Put the rest of your history off, or go on with it.
#[utoipa::path(patch, path = "/api/v1/account/reports", tag = "analysis", request_body = BulkChange,
    responses((status = 200, body = BulkView)))]
pub(crate) async fn change_bulk_reports(
    State(analysis): State<Analysis>,
    visitor: Visitor,
    Body(change): Body<BulkChange>,
) -> Result<Json<BulkView>, ApiError> {
    Ok(Json(analysis.reports().pause_all(account_of(&visitor)?, change.paused).await?))
}

/// Call the rest of your history off; reports that are there stay.
#[utoipa::path(delete, path = "/api/v1/account/reports", tag = "analysis", responses((status = 204)))]
pub(crate) async fn cancel_bulk_reports(
    State(analysis): State<Analysis>,
    visitor: Visitor,
) -> Result<StatusCode, ApiError> {
    analysis.reports().cancel_all(account_of(&visitor)?).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Whoever asks; the table of rights lets nobody without an account get here.
fn account_of(visitor: &Visitor) -> Result<AccountId, ApiError> {
    let nobody = || ApiError::new(StatusCode::UNAUTHORIZED, "no_account", "this needs an account");
    visitor.account_id().ok_or_else(nobody)
}

impl From<AnalysisError> for ApiError {
    fn from(error: AnalysisError) -> ApiError {
        let status = match &error {
            AnalysisError::Store(error) => return error.clone().into(),
            AnalysisError::Game(error) => return error.clone().into(),
            AnalysisError::FairPlay => StatusCode::FORBIDDEN,
            AnalysisError::UnknownStudy | AnalysisError::NoReport => StatusCode::NOT_FOUND,
            AnalysisError::StudyChanged | AnalysisError::StillRunning => StatusCode::CONFLICT,
            AnalysisError::TooManyStudies(_) | AnalysisError::TooManyReports(_) => {
                StatusCode::TOO_MANY_REQUESTS
            }
            AnalysisError::Busy | AnalysisError::Engine(_) => StatusCode::SERVICE_UNAVAILABLE,
            _ => StatusCode::UNPROCESSABLE_ENTITY,
        };
        ApiError::new(status, error.code(), error.to_string())
    }
}
