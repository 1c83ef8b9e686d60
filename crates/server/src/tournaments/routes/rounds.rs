//! Rounds and results.

use axum::Json;
use axum::extract::{Path, State};
use axum::http::{StatusCode, header};
use axum::response::IntoResponse;
use store::EventId;

use super::super::event::{Command, Event, Proposal, Refused, RoundPlan};
use super::super::view::{consequences, round_view};
use super::super::wire::{
    Consequences, DecisionForm, EventView, ResultForm, RoundForm, RoundView, StandingsView,
    TimerForm, Warnings,
};
use super::super::{Rights, TournamentError, Tournaments};
use super::{actor, answer, staff};
use crate::accounts::Visitor;
use crate::http::{ApiError, Body, Id};

fn event_id(text: &str) -> Result<EventId, TournamentError> {
    text.parse().map_err(|_| TournamentError::Unknown)
}

/// A round as it was sent: who has withdrawn has lost beforehand.
fn plan(event: &Event, round: u16, form: RoundForm) -> Option<RoundPlan> {
    let mut boards = form.boards?;
    boards.truncate(5_000);
    for board in &mut boards {
        board.result =
            event.preset_result(rules::ByColor { white: board.white, black: board.black });
    }
    Some(RoundPlan {
        round,
        boards,
        byes: form.byes.iter().map(|bye| (bye.player, bye.bye)).collect(),
    })
}

/// Propose the next round and say why everybody meets whom they meet. Nothing is changed.
#[utoipa::path(get, path = "/api/v1/events/{id}/proposal", tag = "events", params(("id" = String, Path)),
    responses((status = 200, body = Proposal), (status = 409, description = "no round can be paired now")))]
pub(crate) async fn propose_round(
    State(tournaments): State<Tournaments>,
    visitor: Visitor,
    Id(id): Id<EventId>,
) -> Result<Json<Proposal>, ApiError> {
    staff(&visitor)?;
    let event = tournaments.load(id).await?;
    // Explaining a large round takes a while: not on a thread that moves wait for.
    let explained = event.clone();
    let proposal = tokio::task::spawn_blocking(move || explained.propose()).await;
    let proposal = proposal.map_err(|error| ApiError::fault(&error))?;
    let mut proposal = proposal.map_err(TournamentError::from)?;
    let called_away = tournaments.called_away(&event, &proposal.plan()).await;
    proposal.warnings.extend(called_away);
    Ok(Json(proposal))
}

/// Say what speaks against a round that was changed by hand. Nothing is changed.
#[utoipa::path(post, path = "/api/v1/events/{id}/proposal/check", tag = "events", params(("id" = String, Path)), request_body = RoundForm,
    responses((status = 200, body = Warnings)))]
pub(crate) async fn check_round(
    State(tournaments): State<Tournaments>,
    visitor: Visitor,
    Id(id): Id<EventId>,
    Body(form): Body<RoundForm>,
) -> Result<Json<Warnings>, ApiError> {
    staff(&visitor)?;
    let event = tournaments.load(id).await?;
    let last = event.rounds.last().filter(|round| !round.is_complete()).map(|round| round.number);
    let plan = plan(&event, last.unwrap_or_else(|| event.next_round()), form).unwrap_or_default();
    let called_away = tournaments.called_away(&event, &plan).await;
    let warnings = tokio::task::spawn_blocking(move || event.warnings(&plan)).await;
    let mut warnings = warnings.map_err(|error| ApiError::fault(&error))?;
    warnings.extend(called_away);
    Ok(Json(Warnings { warnings }))
}

/// Publish the next round: the one that is proposed, or another.
#[utoipa::path(post, path = "/api/v1/events/{id}/rounds", tag = "events", params(("id" = String, Path)), request_body = RoundForm,
    responses((status = 201, body = EventView), (status = 409, description = "not now, somebody is missing, or the proposal is old")))]
pub(crate) async fn publish_round(
    State(tournaments): State<Tournaments>,
    visitor: Visitor,
    Id(id): Id<EventId>,
    Body(form): Body<RoundForm>,
) -> Result<(StatusCode, Json<EventView>), ApiError> {
    let by = staff(&visitor)?;
    let event = tournaments.load(id).await?;
    let seen = form.version;
    let given = plan(&event, event.next_round(), form);
    let event = tournaments.publish_seen(id, Some(by), given, seen).await?;
    Ok((StatusCode::CREATED, answer(&tournaments, &event, &visitor)))
}

/// Show a round.
#[utoipa::path(get, path = "/api/v1/events/{id}/rounds/{round}", tag = "events",
    params(("id" = String, Path), ("round" = u16, Path)),
    responses((status = 200, body = RoundView), (status = 404, description = "no such round")))]
pub(crate) async fn show_round(
    State(tournaments): State<Tournaments>,
    visitor: Visitor,
    Path((id, round)): Path<(String, u16)>,
) -> Result<Json<RoundView>, ApiError> {
    let event = tournaments.show(event_id(&id)?, &visitor).await?;
    let found = event.round(round).ok_or(TournamentError::Refused(Refused::UnknownBoard))?;
    Ok(Json(round_view(&event, found)))
}

/// Change who sits where in the last round, as long as nothing has happened in it.
#[utoipa::path(put, path = "/api/v1/events/{id}/rounds/{round}", tag = "events",
    params(("id" = String, Path), ("round" = u16, Path)), request_body = RoundForm,
    responses((status = 200, body = EventView), (status = 409, description = "it has begun, or somebody is missing")))]
pub(crate) async fn reseat_round(
    State(tournaments): State<Tournaments>,
    visitor: Visitor,
    Path((id, round)): Path<(String, u16)>,
    Body(form): Body<RoundForm>,
) -> Result<Json<EventView>, ApiError> {
    let (id, by) = (event_id(&id)?, staff(&visitor)?);
    let event = tournaments.load(id).await?;
    let plan = plan(&event, round, form).unwrap_or_default();
    let event = tournaments.act(id, Some(by), Command::Reseat { plan }).await?;
    Ok(answer(&tournaments, &event, &visitor))
}

/// Take the last round back, as long as nothing has happened in it. Games in which nobody has moved are annulled.
#[utoipa::path(delete, path = "/api/v1/events/{id}/rounds/{round}", tag = "events",
    params(("id" = String, Path), ("round" = u16, Path)),
    responses((status = 200, body = EventView), (status = 409, description = "it has begun")))]
pub(crate) async fn unpair_round(
    State(tournaments): State<Tournaments>,
    visitor: Visitor,
    Path((id, round)): Path<(String, u16)>,
) -> Result<Json<EventView>, ApiError> {
    let by = staff(&visitor)?;
    let event = tournaments.unpair(event_id(&id)?, by, round).await?;
    Ok(answer(&tournaments, &event, &visitor))
}

/// Say how a board ended, correct it, or only ask what would follow.
#[utoipa::path(put, path = "/api/v1/events/{id}/rounds/{round}/boards/{board}/result", tag = "events",
    params(("id" = String, Path), ("round" = u16, Path), ("board" = u16, Path)), request_body = ResultForm,
    responses((status = 200, body = Consequences), (status = 409, description = "later rounds rest on it")))]
pub(crate) async fn set_result(
    State(tournaments): State<Tournaments>,
    visitor: Visitor,
    Path((id, round, board)): Path<(String, u16, u16)>,
    Body(form): Body<ResultForm>,
) -> Result<Json<Consequences>, ApiError> {
    let (id, by) = (event_id(&id)?, actor(&visitor)?);
    let old = tournaments.load(id).await?;
    if !Rights::in_event(&visitor, &old).results {
        return Err(TournamentError::NotStaff.into());
    }
    let reason = form.reason.unwrap_or_default();
    let command = Command::SetResult { round, board, result: form.result, reason };
    let new = if form.dry_run {
        tournaments.try_out(&old, command)?
    } else {
        tournaments.correct(id, by, (round, board), command).await?
    };
    Ok(Json(Consequences { changes: consequences(&old, &new, round), is_done: !form.dry_run }))
}

/// Start, stop, extend or reset the timer of the hall for the round that is played.
#[utoipa::path(put, path = "/api/v1/events/{id}/timer", tag = "events", params(("id" = String, Path)), request_body = TimerForm,
    responses((status = 200, body = EventView), (status = 409, description = "no round is played over the board, or it is so already")))]
pub(crate) async fn set_timer(
    State(tournaments): State<Tournaments>,
    visitor: Visitor,
    Id(id): Id<EventId>,
    Body(form): Body<TimerForm>,
) -> Result<Json<EventView>, ApiError> {
    let by = actor(&visitor)?;
    let event = tournaments.load(id).await?;
    if !Rights::in_event(&visitor, &event).results {
        return Err(TournamentError::NotStaff.into());
    }
    let command = Command::SetTimer { act: form.act, minutes: form.minutes };
    let event = tournaments.act(id, Some(by), command).await?;
    Ok(answer(&tournaments, &event, &visitor))
}

/// Decide a match of a knockout: a play-off elsewhere, a walkover, the lot.
#[utoipa::path(post, path = "/api/v1/events/{id}/decisions", tag = "events", params(("id" = String, Path)), request_body = DecisionForm,
    responses((status = 200, body = EventView), (status = 409, description = "no such match waits for a decision")))]
pub(crate) async fn decide_match(
    State(tournaments): State<Tournaments>,
    visitor: Visitor,
    Id(id): Id<EventId>,
    Body(form): Body<DecisionForm>,
) -> Result<Json<EventView>, ApiError> {
    let by = staff(&visitor)?;
    let event = tournaments.decide(id, by, (form.winner, form.loser), form.by_lot).await?;
    Ok(answer(&tournaments, &event, &visitor))
}

/// Show the standings, with the cross table and the bracket in them.
#[utoipa::path(get, path = "/api/v1/events/{id}/standings", tag = "events", params(("id" = String, Path)),
    responses((status = 200, body = StandingsView)))]
pub(crate) async fn show_standings(
    State(tournaments): State<Tournaments>,
    visitor: Visitor,
    Id(id): Id<EventId>,
) -> Result<impl IntoResponse, ApiError> {
    let event = tournaments.show(id, &visitor).await?;
    let body = tournaments.0.rendered.standings(&event).map_err(|error| ApiError::fault(&error))?;
    Ok(([(header::CONTENT_TYPE, "application/json")], body))
}
