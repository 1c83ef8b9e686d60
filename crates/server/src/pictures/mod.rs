//! Pictures of positions by address: for a message, a blog, a page elsewhere. As SVG and as PNG, in our own drawing.

mod board;
mod paint;
mod pieces;

use axum::extract::Query;
use axum::http::{HeaderName, StatusCode, header};
use axum::response::IntoResponse;
use serde::Deserialize;
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::http::{ApiError, AppState};
use board::Diagram;

/// Who sits at the bottom.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum PictureSide {
    #[default]
    White,
    Black,
}

/// What a picture shows.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct PictureQuery {
    /// The position: a FEN, or its first part alone.
    fen: String,
    /// Who sits at the bottom; White without a word.
    #[param(inline)]
    #[serde(default)]
    side: PictureSide,
    /// The last move, `e2e4`: its squares are marked.
    last: Option<String>,
    /// The length of a side in dots, for PNG: from 64 to 1024; 480 without a word.
    size: Option<u32>,
}

/// The routes of this subject.
pub(crate) fn router() -> OpenApiRouter<AppState> {
    OpenApiRouter::new().routes(routes!(show_position_svg)).routes(routes!(show_position_png))
}

impl PictureQuery {
    fn diagram(&self) -> Result<Diagram, ApiError> {
        let diagram =
            Diagram::read(&self.fen, self.side == PictureSide::Black, self.last.as_deref());
        diagram.ok_or_else(|| {
            let detail = "a picture needs a position as FEN: eight ranks of eight squares";
            ApiError::new(StatusCode::UNPROCESSABLE_ENTITY, "bad_position", detail)
        })
    }
}

/// The picture of a position never changes, and other sites may show it.
fn headers(kind: &'static str) -> [(HeaderName, &'static str); 3] {
    [
        (header::CONTENT_TYPE, kind),
        (header::CACHE_CONTROL, "public, max-age=86400"),
        (HeaderName::from_static("cross-origin-resource-policy"), "cross-origin"),
    ]
}

/// Draw a position as SVG.
#[utoipa::path(get, path = "/api/v1/pictures/position.svg", tag = "library", params(PictureQuery),
    responses((status = 200, body = String, content_type = "image/svg+xml"), (status = 422, description = "no position")))]
pub(crate) async fn show_position_svg(
    Query(asked): Query<PictureQuery>,
) -> Result<impl IntoResponse, ApiError> {
    Ok((headers("image/svg+xml"), asked.diagram()?.to_svg()))
}

/// Draw a position as PNG.
#[utoipa::path(get, path = "/api/v1/pictures/position.png", tag = "library", params(PictureQuery),
    responses((status = 200, body = Vec<u8>, content_type = "image/png"), (status = 422, description = "no position")))]
pub(crate) async fn show_position_png(
    Query(asked): Query<PictureQuery>,
) -> Result<impl IntoResponse, ApiError> {
    let diagram = asked.diagram()?;
    let size = asked.size.unwrap_or(480).clamp(64, 1_024);
    let painted = tokio::task::spawn_blocking(move || diagram.to_png(size)).await;
    let png =
        painted.ok().flatten().ok_or_else(|| ApiError::fault(&"a picture cannot be painted"))?;
    Ok((headers("image/png"), png))
}
