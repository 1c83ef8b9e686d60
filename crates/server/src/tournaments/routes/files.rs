//! Events as files.

use axum::Json;
use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::IntoResponse;
use pairing::trf::Flavour;
use serde::Deserialize;
use store::EventId;
use utoipa::IntoParams;

use super::super::event::Event;
use super::super::exchange::{pairings_csv, players_csv, standings_csv, write_file, write_trf};
use super::super::wire::{ImportForm, ImportedEvent};
use super::super::{Rights, Tournaments};
use super::{answer, staff};
use crate::accounts::Visitor;
use crate::http::{ApiError, Body, Id, Params, PublicUrl};

/// A file to keep, with a name made of the event's.
fn file(event: &Event, kind: &str, ending: &str, text: String) -> impl IntoResponse + use<> {
    let name: String = event
        .name
        .chars()
        .map(|sign| if sign.is_ascii_alphanumeric() { sign.to_ascii_lowercase() } else { '-' })
        .take(60)
        .collect();
    let headers = [
        (header::CONTENT_TYPE, format!("{kind}; charset=utf-8")),
        (header::CONTENT_DISPOSITION, format!("attachment; filename=\"{name}.{ending}\"")),
    ];
    (headers, text)
}

/// Make an event of a file: TRF16, TRF-2026, or an event file of this program.
#[utoipa::path(post, path = "/api/v1/events/import", tag = "events", request_body = ImportForm,
    responses((status = 201, body = ImportedEvent), (status = 422, description = "a file that cannot be read")))]
pub(crate) async fn import_event(
    State(tournaments): State<Tournaments>,
    visitor: Visitor,
    Body(form): Body<ImportForm>,
) -> Result<(StatusCode, Json<ImportedEvent>), ApiError> {
    let (event, warnings) = tournaments.import(staff(&visitor)?, &form.text).await?;
    let Json(event) = answer(&tournaments, &event, &visitor);
    Ok((StatusCode::CREATED, Json(ImportedEvent { event, warnings })))
}

/// Which form of TRF.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct TrfQuery {
    /// `16` or `26`; 26 if absent.
    form: Option<u8>,
}

/// The event as a tournament report of FIDE.
#[utoipa::path(get, path = "/api/v1/events/{id}/export.trf", tag = "events", params(("id" = String, Path), TrfQuery),
    responses((status = 200, body = String, content_type = "text/plain")))]
pub(crate) async fn export_trf(
    State(tournaments): State<Tournaments>,
    visitor: Visitor,
    Id(id): Id<EventId>,
    Params(ask): Params<TrfQuery>,
) -> Result<impl IntoResponse, ApiError> {
    let event = tournaments.show(id, &visitor).await?;
    let flavour = if ask.form == Some(16) { Flavour::Trf16 } else { Flavour::Trf26 };
    let director = tournaments.name_of(Some(event.owner)).await;
    let text = write_trf(&event, flavour, Rights::in_event(&visitor, &event).results, director);
    Ok(file(&event, "text/plain", "trf", text))
}

/// Which table.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct CsvQuery {
    /// `standings`, `players` or `pairings`; standings if absent.
    what: Option<String>,
}

/// A table of the event for spreadsheets.
#[utoipa::path(get, path = "/api/v1/events/{id}/export.csv", tag = "events", params(("id" = String, Path), CsvQuery),
    responses((status = 200, body = String, content_type = "text/csv")))]
pub(crate) async fn export_csv(
    State(tournaments): State<Tournaments>,
    visitor: Visitor,
    Id(id): Id<EventId>,
    Params(ask): Params<CsvQuery>,
) -> Result<impl IntoResponse, ApiError> {
    let event = tournaments.show(id, &visitor).await?;
    let text = match ask.what.as_deref() {
        Some("players") => players_csv(&event, Rights::in_event(&visitor, &event).results),
        Some("pairings") => pairings_csv(&event),
        None | Some("standings") => standings_csv(&event),
        Some(_) => {
            return Err(ApiError::bad_request(
                "bad_query",
                "ask for standings, players or pairings",
            ));
        }
    };
    Ok(file(&event, "text/csv", "csv", text))
}

/// The whole event as a file of this program, without log-ins. For those who run it.
#[utoipa::path(get, path = "/api/v1/events/{id}/export.json", tag = "events", params(("id" = String, Path)),
    responses((status = 200, body = String, content_type = "application/json")))]
pub(crate) async fn export_json(
    State(tournaments): State<Tournaments>,
    visitor: Visitor,
    Id(id): Id<EventId>,
) -> Result<impl IntoResponse, ApiError> {
    staff(&visitor)?;
    let event = tournaments.load(id).await?;
    let text = serde_json::to_string_pretty(&write_file(&event))
        .map_err(|error| ApiError::fault(&error))?;
    Ok(file(&event, "application/json", "json", text))
}

/// All games of the event as PGN; of games over the board there are tags and results.
#[utoipa::path(get, path = "/api/v1/events/{id}/export.pgn", tag = "events", params(("id" = String, Path)),
    responses((status = 200, body = String, content_type = "application/x-chess-pgn")))]
pub(crate) async fn export_pgn(
    State(tournaments): State<Tournaments>,
    visitor: Visitor,
    site: PublicUrl,
    Id(id): Id<EventId>,
) -> Result<impl IntoResponse, ApiError> {
    let event = tournaments.show(id, &visitor).await?;
    let text = tournaments.games_pgn(&event, &visitor, site.as_str()).await?;
    Ok(file(&event, "application/x-chess-pgn", "pgn", text))
}
