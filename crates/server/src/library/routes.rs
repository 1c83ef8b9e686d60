//! HTTP of the library.

use axum::Json;
use axum::extract::{DefaultBodyLimit, Path, State};
use axum::http::header;
use axum::response::IntoResponse;
use bytes::Bytes;
use store::{AccountId, LibraryNumber, Sight};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::export::Format;
use super::game_view::LibraryGameView;
use super::query::LibraryQuery;
use super::sheets::Shown;
use super::statistics::LibraryStatistics;
use super::wire::{
    EndQuery, ExplorerQuery, ExplorerView, ExportQuery, ImportList, ImportProblemView,
    ImportProblems, ImportView, LibraryPage, NewImport, PageQuery, PieceQuery,
};
use super::{Library, LibraryError};
use crate::accounts::Visitor;
use crate::analysis::Analysis;
use crate::analysis::report::wire::ReportView;
use crate::http::{ApiError, AppState, Body, Params};

/// The largest piece of a file in one request.
const PIECE: usize = 8 << 20;

/// The routes of this subject.
pub(crate) fn router() -> OpenApiRouter<AppState> {
    let pieces =
        OpenApiRouter::new().routes(routes!(send_piece)).layer(DefaultBodyLimit::max(PIECE));
    OpenApiRouter::new()
        .routes(routes!(list_imports, begin_import))
        .routes(routes!(show_import, end_import))
        .routes(routes!(list_import_problems))
        .merge(pieces)
        .routes(routes!(list_library_games))
        .routes(routes!(show_library_game, remove_library_game))
        .routes(routes!(show_library_game_pgn))
        .routes(routes!(show_library_report, ask_library_report, cancel_library_report))
        .routes(routes!(export_library))
        .routes(routes!(explore_position))
        .routes(routes!(show_statistics))
}

fn member(visitor: &Visitor) -> Result<AccountId, LibraryError> {
    visitor.account_id().filter(|_| visitor.is_player()).ok_or(LibraryError::NotLoggedIn)
}

/// Who asks, and whether they have games of their own here.
fn asker(visitor: &Visitor) -> (Option<AccountId>, bool) {
    (visitor.account_id(), visitor.is_player())
}

async fn view(library: &Library, import: store::Import) -> Result<ImportView, LibraryError> {
    let (arrived, waits) = (library.arrived(&import).await?, library.waits(&import));
    Ok(ImportView::new(import, arrived, waits))
}

/// List one's imports.
#[utoipa::path(get, path = "/api/v1/library/imports", tag = "library", responses((status = 200, body = ImportList)))]
pub(crate) async fn list_imports(
    State(library): State<Library>,
    visitor: Visitor,
) -> Result<Json<ImportList>, ApiError> {
    let mut imports = Vec::new();
    for import in library.imports(member(&visitor)?).await? {
        imports.push(view(&library, import).await?);
    }
    Ok(Json(ImportList { imports }))
}

/// Begin an import: PGN, plain or as .zst, .gz or .zip. Its file follows in pieces.
#[utoipa::path(post, path = "/api/v1/library/imports", tag = "library", request_body = NewImport,
    responses((status = 200, body = ImportView), (status = 413, description = "the file is too big"),
        (status = 429, description = "other imports have to end first")))]
pub(crate) async fn begin_import(
    State(library): State<Library>,
    visitor: Visitor,
    Body(new): Body<NewImport>,
) -> Result<Json<ImportView>, ApiError> {
    let import = library.begin_import(member(&visitor)?, &new.file_name, new.bytes).await?;
    Ok(Json(view(&library, import).await?))
}

/// Send the next piece of an import's file, at most 8 MiB. The last one sets the import off.
#[utoipa::path(put, path = "/api/v1/library/imports/{id}/file", tag = "library",
    params(("id" = i64, Path), PieceQuery), request_body(content = Vec<u8>, content_type = "application/octet-stream"),
    responses((status = 200, body = ImportView), (status = 409, description = "another piece is awaited; `bytes_arrived` of the import says which")))]
pub(crate) async fn send_piece(
    State(library): State<Library>,
    visitor: Visitor,
    Path(id): Path<i64>,
    Params(ask): Params<PieceQuery>,
    piece: Bytes,
) -> Result<Json<ImportView>, ApiError> {
    let import = library.take_piece(member(&visitor)?, id, ask.offset, piece).await?;
    Ok(Json(view(&library, import).await?))
}

/// Show an import: how far it is, what it brought.
#[utoipa::path(get, path = "/api/v1/library/imports/{id}", tag = "library", params(("id" = i64, Path)),
    responses((status = 200, body = ImportView), (status = 404, description = "no such import of yours")))]
pub(crate) async fn show_import(
    State(library): State<Library>,
    visitor: Visitor,
    Path(id): Path<i64>,
) -> Result<Json<ImportView>, ApiError> {
    let import = library.import_of(member(&visitor)?, id).await?;
    Ok(Json(view(&library, import).await?))
}

/// Stop an import, or take its games out again.
#[utoipa::path(delete, path = "/api/v1/library/imports/{id}", tag = "library", params(("id" = i64, Path), EndQuery),
    responses((status = 200, body = ImportView), (status = 404, description = "no such import of yours")))]
pub(crate) async fn end_import(
    State(library): State<Library>,
    visitor: Visitor,
    Path(id): Path<i64>,
    Params(ask): Params<EndQuery>,
) -> Result<Json<ImportView>, ApiError> {
    let import = library.cancel_import(member(&visitor)?, id, ask.remove_games).await?;
    Ok(Json(view(&library, import).await?))
}

/// List what was wrong in an import's file, with lines.
#[utoipa::path(get, path = "/api/v1/library/imports/{id}/problems", tag = "library", params(("id" = i64, Path)),
    responses((status = 200, body = ImportProblems), (status = 404, description = "no such import of yours")))]
pub(crate) async fn list_import_problems(
    State(library): State<Library>,
    visitor: Visitor,
    Path(id): Path<i64>,
) -> Result<Json<ImportProblems>, ApiError> {
    let import = library.import_of(member(&visitor)?, id).await?;
    let problems = library.problems(import.id).await?.into_iter();
    let problems =
        problems.map(|problem| ImportProblemView { line: problem.line, reason: problem.reason });
    Ok(Json(ImportProblems { problems: problems.collect() }))
}

/// Find games, newest first.
#[utoipa::path(get, path = "/api/v1/library/games", tag = "library", params(LibraryQuery, PageQuery),
    responses((status = 200, body = LibraryPage), (status = 400, description = "the question makes no sense")))]
pub(crate) async fn list_library_games(
    State(library): State<Library>,
    visitor: Visitor,
    Params(asked): Params<LibraryQuery>,
    Params(page): Params<PageQuery>,
) -> Result<Json<LibraryPage>, ApiError> {
    let (asker, is_member) = asker(&visitor);
    let before = page.before.as_deref();
    Ok(Json(library.list(&asked, before, page.limit, asker, is_member).await?))
}

/// Show a game with its moves, variations, comments and clocks.
#[utoipa::path(get, path = "/api/v1/library/games/{number}", tag = "library", params(("number" = i64, Path)),
    responses((status = 200, body = LibraryGameView),
        (status = 403, description = "it has notes, and a rated game of yours is at stake"), (status = 404, description = "no such game of yours")))]
pub(crate) async fn show_library_game(
    State(library): State<Library>,
    visitor: Visitor,
    Path(number): Path<i64>,
) -> Result<Json<LibraryGameView>, ApiError> {
    Ok(Json(library.show(LibraryNumber(number), visitor.account_id()).await?))
}

/// Remove a game that one has brought.
#[utoipa::path(delete, path = "/api/v1/library/games/{number}", tag = "library", params(("number" = i64, Path)),
    responses((status = 204), (status = 404, description = "no such game of yours")))]
pub(crate) async fn remove_library_game(
    State(library): State<Library>,
    visitor: Visitor,
    Path(number): Path<i64>,
) -> Result<axum::http::StatusCode, ApiError> {
    let removed = library.remove_games(member(&visitor)?, vec![LibraryNumber(number)]).await?;
    if removed == 0 {
        return Err(LibraryError::UnknownGame.into());
    }
    Ok(axum::http::StatusCode::NO_CONTENT)
}

/// Show a game as PGN.
#[utoipa::path(get, path = "/api/v1/library/games/{number}/pgn", tag = "library", params(("number" = i64, Path)),
    responses((status = 200, body = String, content_type = "application/x-chess-pgn"),
        (status = 403, description = "it has notes, and a rated game of yours is at stake"),
        (status = 404, description = "no such game of yours")))]
pub(crate) async fn show_library_game_pgn(
    State(library): State<Library>,
    visitor: Visitor,
    Path(number): Path<i64>,
) -> Result<impl IntoResponse, ApiError> {
    let text = library.pgn(LibraryNumber(number), visitor.account_id()).await?;
    let headers = [
        (header::CONTENT_TYPE, "application/x-chess-pgn; charset=utf-8".to_owned()),
        (header::CONTENT_DISPOSITION, format!("attachment; filename=\"game-{number}.pgn\"")),
    ];
    Ok((headers, text))
}

/// Show the report of a game, or how far it has got.
#[utoipa::path(get, path = "/api/v1/library/games/{number}/report", tag = "analysis", params(("number" = i64, Path)),
    responses((status = 200, body = ReportView), (status = 403, description = "a rated game of yours is at stake"),
        (status = 404, description = "no such game of yours")))]
pub(crate) async fn show_library_report(
    State(library): State<Library>,
    State(analysis): State<Analysis>,
    visitor: Visitor,
    Path(number): Path<i64>,
) -> Result<Json<ReportView>, ApiError> {
    let (number, account) = (LibraryNumber(number), visitor.account_id());
    let Shown { stored, sheet, .. } = library.visible(number, account).await?;
    let reports = analysis.reports();
    Ok(Json(match stored.game {
        Some(game) => reports.show(game, Sight::from(&visitor)).await?,
        None => reports.show_library(number, &sheet, account).await?,
    }))
}

/// Ask for the report of a game.
#[utoipa::path(post, path = "/api/v1/library/games/{number}/report", tag = "analysis", params(("number" = i64, Path)),
    responses((status = 200, body = ReportView), (status = 403, description = "a rated game of yours is at stake"),
        (status = 404, description = "no such game of yours")))]
pub(crate) async fn ask_library_report(
    State(library): State<Library>,
    State(analysis): State<Analysis>,
    visitor: Visitor,
    Path(number): Path<i64>,
) -> Result<Json<ReportView>, ApiError> {
    let (number, by) = (LibraryNumber(number), member(&visitor)?);
    let Shown { stored, sheet, .. } = library.visible(number, Some(by)).await?;
    let reports = analysis.reports();
    Ok(Json(match stored.game {
        Some(game) => reports.ask(game, by, Sight::from(&visitor)).await?,
        None => reports.ask_library(number, &sheet, by).await?,
    }))
}

/// Call a report off that is not there yet and that you asked for.
#[utoipa::path(delete, path = "/api/v1/library/games/{number}/report", tag = "analysis", params(("number" = i64, Path)),
    responses((status = 204), (status = 404, description = "none waits for you")))]
pub(crate) async fn cancel_library_report(
    State(library): State<Library>,
    State(analysis): State<Analysis>,
    visitor: Visitor,
    Path(number): Path<i64>,
) -> Result<axum::http::StatusCode, ApiError> {
    let (number, by) = (LibraryNumber(number), member(&visitor)?);
    let stored = library.visible(number, Some(by)).await?.stored;
    match stored.game {
        Some(game) => analysis.reports().cancel(game, by).await?,
        None => analysis.reports().cancel(number, by).await?,
    }
    Ok(axum::http::StatusCode::NO_CONTENT)
}

/// Download games as one file. Notes on a position of a rated game that one is playing are left out.
#[utoipa::path(get, path = "/api/v1/library/export", tag = "library", params(LibraryQuery, ExportQuery),
    responses((status = 200, body = String, content_type = "application/x-chess-pgn"), (status = 400, description = "the question makes no sense")))]
pub(crate) async fn export_library(
    State(library): State<Library>,
    visitor: Visitor,
    Params(asked): Params<LibraryQuery>,
    Params(form): Params<ExportQuery>,
) -> Result<impl IntoResponse, ApiError> {
    let (asker, is_member) = asker(&visitor);
    let (format, body) = library.export(asked, form, asker, is_member).await?;
    let (kind, name) = match format {
        Format::Pgn => ("application/x-chess-pgn; charset=utf-8", "games.pgn"),
        Format::Ndjson => ("application/x-ndjson", "games.ndjson"),
    };
    let headers = [
        (header::CONTENT_TYPE, kind.to_owned()),
        (header::CONTENT_DISPOSITION, format!("attachment; filename=\"{name}\"")),
    ];
    Ok((headers, body))
}

/// Ask what was played in a position, and how it went.
#[utoipa::path(get, path = "/api/v1/library/explorer", tag = "library", params(LibraryQuery, ExplorerQuery),
    responses((status = 200, body = ExplorerView), (status = 422, description = "no position, or no legal move in it")))]
pub(crate) async fn explore_position(
    State(library): State<Library>,
    visitor: Visitor,
    Params(asked): Params<LibraryQuery>,
    Params(ask): Params<ExplorerQuery>,
) -> Result<Json<ExplorerView>, ApiError> {
    let (asker, is_member) = asker(&visitor);
    Ok(Json(library.explore(&asked, ask.play.as_deref(), asker, is_member).await?))
}

/// Show sums over many games, seen from one player.
#[utoipa::path(get, path = "/api/v1/library/statistics", tag = "library", params(LibraryQuery),
    responses((status = 200, body = LibraryStatistics), (status = 400, description = "the question makes no sense")))]
pub(crate) async fn show_statistics(
    State(library): State<Library>,
    visitor: Visitor,
    Params(asked): Params<LibraryQuery>,
) -> Result<Json<LibraryStatistics>, ApiError> {
    let (asker, is_member) = asker(&visitor);
    Ok(Json(library.statistics(&asked, asker, is_member).await?))
}
