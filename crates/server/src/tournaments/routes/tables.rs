//! Results by those who sit at the table.

use axum::Json;
use axum::extract::{Path, State};
use axum::http::header;
use axum::response::IntoResponse;
use qrcode::QrCode;
use qrcode::render::svg;
use store::EventId;

use super::super::tables::table_code;
use super::super::view::table_view;
use super::super::wire::{CodeQuery, ReportForm, TableView};
use super::super::{Rights, TournamentError, Tournaments};
use crate::accounts::Visitor;
use crate::http::{ApiError, Body, Params, PublicUrl};

fn event_id(text: &str) -> Result<EventId, TournamentError> {
    text.parse().map_err(|_| TournamentError::Unknown)
}

/// Look at a table with the code that stands on it, or as one who sits there.
#[utoipa::path(get, path = "/api/v1/events/{id}/tables/{table}", tag = "events",
    params(("id" = String, Path), ("table" = u16, Path), CodeQuery),
    responses((status = 200, body = TableView), (status = 403, description = "not your table")))]
pub(crate) async fn show_table(
    State(tournaments): State<Tournaments>,
    visitor: Visitor,
    Path((id, table)): Path<(String, u16)>,
    Params(ask): Params<CodeQuery>,
) -> Result<Json<TableView>, ApiError> {
    let found = tournaments.table(event_id(&id)?, table, ask.code.as_deref(), &visitor).await?;
    Ok(Json(table_view(table, &found, &visitor)))
}

/// Say how the own game ended. When both players say the same, it counts.
#[utoipa::path(post, path = "/api/v1/events/{id}/tables/{table}", tag = "events",
    params(("id" = String, Path), ("table" = u16, Path)), request_body = ReportForm,
    responses((status = 200, body = TableView), (status = 403, description = "not your table, or the director does it"),
        (status = 409, description = "it has a result already")))]
pub(crate) async fn report_result(
    State(tournaments): State<Tournaments>,
    visitor: Visitor,
    Path((id, table)): Path<(String, u16)>,
    Body(form): Body<ReportForm>,
) -> Result<Json<TableView>, ApiError> {
    let place = (form.round, table);
    let code = form.code.as_deref();
    let found =
        tournaments.report(event_id(&id)?, place, code, form.side, form.result, &visitor).await?;
    Ok(Json(table_view(table, &found, &visitor)))
}

/// The code of a table to print, as a picture.
#[utoipa::path(get, path = "/api/v1/events/{id}/tables/{table}/qr.svg", tag = "events",
    params(("id" = String, Path), ("table" = u16, Path)),
    responses((status = 200, content_type = "image/svg+xml", body = String)))]
pub(crate) async fn show_table_qr(
    State(tournaments): State<Tournaments>,
    visitor: Visitor,
    base: PublicUrl,
    Path((id, table)): Path<(String, u16)>,
) -> Result<impl IntoResponse, ApiError> {
    let event = tournaments.load(event_id(&id)?).await?;
    if !Rights::in_event(&visitor, &event).results {
        return Err(TournamentError::NotStaff.into());
    }
    let link = base.link(&format!(
        "/events/{}/table/{table}?code={}",
        event.id,
        table_code(&event, table)
    ));
    let code = QrCode::new(link.as_bytes()).map_err(|error| ApiError::fault(&error))?;
    let picture = code.render::<svg::Color<'_>>().min_dimensions(240, 240).quiet_zone(true).build();
    Ok(([(header::CONTENT_TYPE, "image/svg+xml")], picture))
}
