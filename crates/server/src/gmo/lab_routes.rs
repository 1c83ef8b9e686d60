//! HTTP of the lab.

use axum::Json;
use axum::extract::State;
use rules::gmo::{Genome, Lab, Seed};
use rules::shakmaty::Square;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::lab_wire::{
    DnaText, ExplainQuery, ExplanationView, LabBoard, LabMove, LabPlayed, LabView,
};
use super::{Gmo, GmoError, lab};
use crate::accounts::Visitor;
use crate::http::{ApiError, AppState, Body, Params};

/// The routes of this file.
pub(super) fn router() -> OpenApiRouter<AppState> {
    OpenApiRouter::new()
        .routes(routes!(explain_dna))
        .routes(routes!(mutate_dna))
        .routes(routes!(show_lab_targets))
        .routes(routes!(try_lab_move))
}

/// Explain a DNA, right or wrong: codon by codon, with its walks. Players of an event of hidden rules are told only
/// whether it is right, or where it is wrong.
#[utoipa::path(get, path = "/api/v1/gmo/explanation", tag = "gmo", params(ExplainQuery), responses((status = 200, body = ExplanationView)))]
async fn explain_dna(
    State(gmo): State<Gmo>,
    visitor: Visitor,
    Params(ask): Params<ExplainQuery>,
) -> Result<Json<ExplanationView>, ApiError> {
    let origin = ask.origin.as_deref().map(Lab::read_square).transpose().map_err(GmoError::from)?;
    let explained = lab::explain(&ask.dna, origin.unwrap_or(Square::D4), &gmo.0.looks);
    let is_hidden = gmo.hides_rules_from(&visitor).await?;
    Ok(Json(if is_hidden { explained.in_few_words() } else { explained }))
}

/// Change one letter of a DNA by chance; it stays as it is if twenty attempts fail.
#[utoipa::path(post, path = "/api/v1/gmo/mutation", tag = "gmo", request_body = DnaText, responses((status = 200, body = DnaText), (status = 422)))]
async fn mutate_dna(
    State(gmo): State<Gmo>,
    visitor: Visitor,
    Body(text): Body<DnaText>,
) -> Result<Json<DnaText>, ApiError> {
    let genome = Genome::parse(&text.dna).map_err(GmoError::from);
    let genome = gmo.in_few_words(&visitor, genome).await?;
    let mutated = genome.mutated(&Seed(gmo.0.world.chance.bytes())).unwrap_or(genome);
    Ok(Json(DnaText { dna: mutated.dna().to_owned() }))
}

/// Tell where every piece of a lab board may go.
#[utoipa::path(post, path = "/api/v1/gmo/lab/targets", tag = "gmo", request_body = LabBoard, responses((status = 200, body = LabView), (status = 422)))]
async fn show_lab_targets(
    State(gmo): State<Gmo>,
    visitor: Visitor,
    Body(board): Body<LabBoard>,
) -> Result<Json<LabView>, ApiError> {
    let lab = gmo.in_few_words(&visitor, lab::open(&board.pieces, Seed([0; 32]))).await?;
    Ok(Json(lab::show(&lab, &gmo.0.looks)))
}

/// Try a move on a lab board.
#[utoipa::path(post, path = "/api/v1/gmo/lab/moves", tag = "gmo", request_body = LabMove, responses((status = 200, body = LabPlayed), (status = 422)))]
async fn try_lab_move(
    State(gmo): State<Gmo>,
    visitor: Visitor,
    Body(wanted): Body<LabMove>,
) -> Result<Json<LabPlayed>, ApiError> {
    let seed = match &wanted.seed {
        Some(text) => Seed::from_hex(text).ok_or_else(bad_seed)?,
        None => Seed(gmo.0.world.chance.bytes()),
    };
    let lab = gmo.in_few_words(&visitor, lab::open(&wanted.pieces, seed)).await?;
    Ok(Json(lab::play(lab.after(wanted.ply), &wanted.from, &wanted.to, &gmo.0.looks)?))
}

fn bad_seed() -> ApiError {
    ApiError::bad_request("bad_seed", "a seed has 64 hexadecimal digits")
}
