//! The store of the rules' specification: `/genome` and `/preset`, plain text in and out, idempotent.

use axum::Json;
use axum::body::Bytes;
use axum::extract::{Path, State};
use axum::http::{StatusCode, header};
use axum::response::IntoResponse;
use rules::gmo::MAX_INPUT_BYTES;
use store::GmoKind;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::wire::StoredView;
use super::{Gmo, GmoError, Keeper};
use crate::accounts::{Accounts, Visitor};
use crate::http::{ApiError, AppState};

/// The routes of this file.
pub(super) fn router() -> OpenApiRouter<AppState> {
    OpenApiRouter::new()
        .routes(routes!(put_genome))
        .routes(routes!(read_genome, put_genome_as))
        .routes(routes!(put_preset))
        .routes(routes!(read_preset, put_preset_as))
}

/// Store a genome.
#[utoipa::path(post, path = "/genome", tag = "gmo", request_body(content = String, content_type = "text/plain", description = "DNA"),
    responses((status = 200, body = StoredView, description = "it was there"), (status = 201, body = StoredView), (status = 413), (status = 422)))]
async fn put_genome(
    gmo: State<Gmo>,
    accounts: State<Accounts>,
    visitor: Visitor,
    body: Bytes,
) -> Result<impl IntoResponse, ApiError> {
    put(&gmo, &accounts, &visitor, GmoKind::Genome, None, &body).await
}

/// Store a genome whose hash, or the beginning of it, is known.
#[utoipa::path(post, path = "/genome/{hash}", tag = "gmo", params(("hash" = String, Path)), request_body(content = String, content_type = "text/plain", description = "DNA"),
    responses((status = 200, body = StoredView, description = "it was there"), (status = 201, body = StoredView), (status = 413), (status = 422)))]
async fn put_genome_as(
    gmo: State<Gmo>,
    accounts: State<Accounts>,
    visitor: Visitor,
    Path(hash): Path<String>,
    body: Bytes,
) -> Result<impl IntoResponse, ApiError> {
    put(&gmo, &accounts, &visitor, GmoKind::Genome, Some(&hash), &body).await
}

/// Store a preset.
#[utoipa::path(post, path = "/preset", tag = "gmo", request_body(content = String, content_type = "text/plain", description = "eight codes joined by `-`"),
    responses((status = 200, body = StoredView, description = "it was there"), (status = 201, body = StoredView), (status = 413), (status = 422)))]
async fn put_preset(
    gmo: State<Gmo>,
    accounts: State<Accounts>,
    visitor: Visitor,
    body: Bytes,
) -> Result<impl IntoResponse, ApiError> {
    put(&gmo, &accounts, &visitor, GmoKind::Preset, None, &body).await
}

/// Store a preset whose hash, or the beginning of it, is known.
#[utoipa::path(post, path = "/preset/{hash}", tag = "gmo", params(("hash" = String, Path)), request_body(content = String, content_type = "text/plain", description = "eight codes joined by `-`"),
    responses((status = 200, body = StoredView, description = "it was there"), (status = 201, body = StoredView), (status = 413), (status = 422)))]
async fn put_preset_as(
    gmo: State<Gmo>,
    accounts: State<Accounts>,
    visitor: Visitor,
    Path(hash): Path<String>,
    body: Bytes,
) -> Result<impl IntoResponse, ApiError> {
    put(&gmo, &accounts, &visitor, GmoKind::Preset, Some(&hash), &body).await
}

/// Read a genome: its DNA without white space.
#[utoipa::path(get, path = "/genome/{hash}", tag = "gmo", params(("hash" = String, Path)),
    responses((status = 200, body = String, content_type = "text/plain"), (status = 400), (status = 403), (status = 404)))]
async fn read_genome(
    State(gmo): State<Gmo>,
    visitor: Visitor,
    Path(hash): Path<String>,
) -> Result<impl IntoResponse, ApiError> {
    read(&gmo, GmoKind::Genome, &hash, &visitor).await
}

/// Read a preset: its text form.
#[utoipa::path(get, path = "/preset/{hash}", tag = "gmo", params(("hash" = String, Path)),
    responses((status = 200, body = String, content_type = "text/plain"), (status = 400), (status = 403), (status = 404)))]
async fn read_preset(
    State(gmo): State<Gmo>,
    visitor: Visitor,
    Path(hash): Path<String>,
) -> Result<impl IntoResponse, ApiError> {
    read(&gmo, GmoKind::Preset, &hash, &visitor).await
}

async fn put(
    gmo: &Gmo,
    accounts: &Accounts,
    visitor: &Visitor,
    kind: GmoKind,
    hash: Option<&str>,
    body: &[u8],
) -> Result<(StatusCode, Json<StoredView>), ApiError> {
    if body.len() > MAX_INPUT_BYTES {
        return Err(GmoError::TooLarge.into());
    }
    let keeper = Keeper::of(visitor, accounts).await?;
    let stored = match kind {
        GmoKind::Genome => {
            let stored = gmo.store_genome(&keeper, hash, body, "").await;
            gmo.in_few_words(visitor, stored).await?
        }
        GmoKind::Preset => {
            let text = String::from_utf8_lossy(body);
            gmo.store_preset(&keeper, hash, &text, "").await?
        }
    };
    let status = if stored.created { StatusCode::CREATED } else { StatusCode::OK };
    Ok((status, Json(stored.into())))
}

async fn read(
    gmo: &Gmo,
    kind: GmoKind,
    hash: &str,
    visitor: &Visitor,
) -> Result<impl IntoResponse + use<>, ApiError> {
    let found = gmo.find(kind, hash, visitor.account_id()).await?;
    if !found.is_readable {
        return Err(GmoError::Private.into());
    }
    Ok(([(header::CONTENT_TYPE, "text/plain; charset=utf-8")], found.text))
}
