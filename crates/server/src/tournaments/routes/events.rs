//! Events themselves: made, found, changed, copied, deleted; what was done in them.

use axum::Json;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use rules::UnixMillis;
use serde::Deserialize;
use store::{EventId, EventQuery, EventState, GameId};
use utoipa::IntoParams;

use super::super::event::{Command, Suggestion, System, suggest_rounds};
use super::super::view::{card, event_of_game};
use super::super::wire::{
    ActionPage, ActionView, ArbiterForm, CopyForm, DeleteForm, EventForm, EventListQuery,
    EventPage, EventView, GameEvent, GroupList, StateForm,
};
use super::super::{NewEvent, Rights, TournamentError, Tournaments};
use super::{answer, staff};
use crate::accounts::Visitor;
use crate::http::{ApiError, Body, Id, Params};

/// Events on one page.
const PAGE: usize = 30;

/// Take away a line that somebody has said in the room of an event.
#[utoipa::path(delete, path = "/api/v1/events/{id}/talk/{number}", tag = "events",
    params(("id" = String, Path), ("number" = i64, Path)),
    responses((status = 204), (status = 404, description = "no such line")))]
pub(crate) async fn remove_event_line(
    State(tournaments): State<Tournaments>,
    visitor: Visitor,
    Path((id, number)): Path<(String, i64)>,
) -> Result<StatusCode, ApiError> {
    let by = staff(&visitor)?;
    let id: EventId = id.parse().map_err(|_| TournamentError::Unknown)?;
    tournaments.unsay(id, by, number).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// List events, the latest first: by the day they begin, or were made if that is open.
#[utoipa::path(get, path = "/api/v1/events", tag = "events", params(EventListQuery),
    responses((status = 200, body = EventPage)))]
pub(crate) async fn list_events(
    State(tournaments): State<Tournaments>,
    visitor: Visitor,
    Params(ask): Params<EventListQuery>,
) -> Result<Json<EventPage>, ApiError> {
    let state = ask.state.as_deref().map(parse_state).transpose()?;
    let before = ask.before.as_deref().map(parse_cursor).transpose()?;
    if ask.mine.is_some() && visitor.account_id().is_none() {
        return Ok(Json(EventPage { events: Vec::new(), next: None }));
    }
    let query = EventQuery {
        name: ask.query.map(|name| name.trim().to_lowercase()).filter(|name| !name.is_empty()),
        state,
        from: ask.from.map(UnixMillis),
        until: ask.until.map(UnixMillis),
        mine: ask.mine.and(visitor.account_id()),
        all: Rights::of(&visitor).results,
        before,
        limit: i64::try_from(PAGE).unwrap_or(30),
    };
    let events = tournaments.list(query).await?;
    let last = events.last().filter(|_| events.len() == PAGE);
    let next = last.map(|last| format!("{}-{}", last.event.begins().0, last.event.id));
    let events = events.iter().map(card).collect::<Result<_, TournamentError>>()?;
    Ok(Json(EventPage { events, next }))
}

fn parse_state(word: &str) -> Result<EventState, ApiError> {
    let all = [
        EventState::Draft,
        EventState::Registration,
        EventState::CheckIn,
        EventState::Running,
        EventState::Finished,
    ];
    let bad = || ApiError::bad_request("bad_state", "there is no such state of an event");
    all.into_iter().find(|state| state.as_str() == word).ok_or_else(bad)
}

fn parse_cursor(text: &str) -> Result<(UnixMillis, EventId), ApiError> {
    let bad = || ApiError::bad_request("bad_cursor", "ask with the `next` of the page before");
    let (at, id) = text.split_once('-').ok_or_else(bad)?;
    Ok((UnixMillis(at.parse().map_err(|_| bad())?), id.parse().map_err(|_| bad())?))
}

/// Make an event.
#[utoipa::path(post, path = "/api/v1/events", tag = "events", request_body = EventForm,
    responses((status = 201, body = EventView), (status = 422, description = "regulations that make no sense")))]
pub(crate) async fn create_event(
    State(tournaments): State<Tournaments>,
    visitor: Visitor,
    Body(form): Body<EventForm>,
) -> Result<(StatusCode, Json<EventView>), ApiError> {
    let owner = staff(&visitor)?;
    let EventForm { name, visibility, starts_at, regulations } = form;
    let starts_at = starts_at.map(UnixMillis);
    let event =
        tournaments.create(owner, NewEvent { name, visibility, starts_at, regulations }).await?;
    Ok((StatusCode::CREATED, answer(&tournaments, &event, &visitor)))
}

/// List the groups of the club: an event can be for one of them.
#[utoipa::path(get, path = "/api/v1/events/groups", tag = "events", responses((status = 200, body = GroupList)))]
pub(crate) async fn list_event_groups(
    State(tournaments): State<Tournaments>,
    visitor: Visitor,
) -> Result<Json<GroupList>, ApiError> {
    staff(&visitor)?;
    Ok(Json(GroupList { groups: tournaments.groups().await? }))
}

/// For how many players of which system.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct SuggestionQuery {
    /// How many players.
    players: u16,
    /// How opponents are found.
    system: System,
}

/// Suggest how many rounds an event should have, and say why.
#[utoipa::path(get, path = "/api/v1/events/suggestion", tag = "events", params(SuggestionQuery),
    responses((status = 200, body = Suggestion)))]
pub(crate) async fn suggest_event_rounds(Params(ask): Params<SuggestionQuery>) -> Json<Suggestion> {
    Json(suggest_rounds(ask.system, ask.players.min(10_000)))
}

/// Show an event with its players.
#[utoipa::path(get, path = "/api/v1/events/{id}", tag = "events", params(("id" = String, Path)),
    responses((status = 200, body = EventView), (status = 404, description = "no such event")))]
pub(crate) async fn show_event(
    State(tournaments): State<Tournaments>,
    visitor: Visitor,
    Id(id): Id<EventId>,
) -> Result<Json<EventView>, ApiError> {
    let event = tournaments.show(id, &visitor).await?;
    Ok(answer(&tournaments, &event, &visitor))
}

/// Show the event that a game belongs to, if there is one and it is not hidden from the one who asks.
#[utoipa::path(get, path = "/api/v1/games/{id}/event", tag = "events", params(("id" = String, Path)),
    responses((status = 200, body = GameEvent)))]
pub(crate) async fn show_game_event(
    State(tournaments): State<Tournaments>,
    visitor: Visitor,
    Id(id): Id<GameId>,
) -> Result<Json<GameEvent>, ApiError> {
    let event = tournaments.event_for(id, &visitor).await?;
    let event = event.map(|event| event_of_game(&event, id, &visitor));
    Ok(Json(GameEvent { event }))
}

/// Change name, date, visibility or regulations, as far as the event's state allows it.
#[utoipa::path(put, path = "/api/v1/events/{id}", tag = "events", params(("id" = String, Path)), request_body = EventForm,
    responses((status = 200, body = EventView), (status = 409, description = "not at this stage"),
        (status = 422, description = "regulations that make no sense")))]
pub(crate) async fn change_event(
    State(tournaments): State<Tournaments>,
    visitor: Visitor,
    Id(id): Id<EventId>,
    Body(form): Body<EventForm>,
) -> Result<Json<EventView>, ApiError> {
    let command = Command::Describe {
        name: form.name,
        visibility: form.visibility,
        starts_at: form.starts_at.map(UnixMillis),
        regulations: Box::new(form.regulations),
    };
    let event = tournaments.act(id, Some(staff(&visitor)?), command).await?;
    Ok(answer(&tournaments, &event, &visitor))
}

/// Delete an event; its name confirms it.
#[utoipa::path(delete, path = "/api/v1/events/{id}", tag = "events", params(("id" = String, Path)), request_body = DeleteForm,
    responses((status = 204), (status = 422, description = "not its name")))]
pub(crate) async fn delete_event(
    State(tournaments): State<Tournaments>,
    visitor: Visitor,
    Id(id): Id<EventId>,
    Body(form): Body<DeleteForm>,
) -> Result<StatusCode, ApiError> {
    tournaments.delete(id, staff(&visitor)?, &form.name).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Make another event with the same regulations.
#[utoipa::path(post, path = "/api/v1/events/{id}/copy", tag = "events", params(("id" = String, Path)), request_body = CopyForm,
    responses((status = 201, body = EventView)))]
pub(crate) async fn copy_event(
    State(tournaments): State<Tournaments>,
    visitor: Visitor,
    Id(id): Id<EventId>,
    Body(form): Body<CopyForm>,
) -> Result<(StatusCode, Json<EventView>), ApiError> {
    let event = tournaments.copy(id, staff(&visitor)?, form.players).await?;
    Ok((StatusCode::CREATED, answer(&tournaments, &event, &visitor)))
}

/// Name a member an arbiter of this event: they may enter and correct results, and open its games.
#[utoipa::path(post, path = "/api/v1/events/{id}/arbiters", tag = "events", params(("id" = String, Path)), request_body = ArbiterForm,
    responses((status = 201, body = EventView), (status = 404, description = "no member of this name")))]
pub(crate) async fn name_event_arbiter(
    State(tournaments): State<Tournaments>,
    visitor: Visitor,
    Id(id): Id<EventId>,
    Body(form): Body<ArbiterForm>,
) -> Result<(StatusCode, Json<EventView>), ApiError> {
    let by = staff(&visitor)?;
    let account = tournaments.member(&form.name).await?;
    let event = tournaments.name_arbiter(id, by, account, true).await?;
    Ok((StatusCode::CREATED, answer(&tournaments, &event, &visitor)))
}

/// Take that back.
#[utoipa::path(delete, path = "/api/v1/events/{id}/arbiters/{account}", tag = "events",
    params(("id" = String, Path), ("account" = String, Path)), responses((status = 200, body = EventView)))]
pub(crate) async fn dismiss_event_arbiter(
    State(tournaments): State<Tournaments>,
    visitor: Visitor,
    Path((id, account)): Path<(String, String)>,
) -> Result<Json<EventView>, ApiError> {
    let id: EventId = id.parse().map_err(|_| TournamentError::Unknown)?;
    let account = account.parse().map_err(|_| TournamentError::UnknownPlayer)?;
    let event = tournaments.name_arbiter(id, staff(&visitor)?, account, false).await?;
    Ok(answer(&tournaments, &event, &visitor))
}

/// Let an event go on to another state.
#[utoipa::path(put, path = "/api/v1/events/{id}/state", tag = "events", params(("id" = String, Path)), request_body = StateForm,
    responses((status = 200, body = EventView), (status = 409, description = "there is no way from here to there")))]
pub(crate) async fn move_event(
    State(tournaments): State<Tournaments>,
    visitor: Visitor,
    Id(id): Id<EventId>,
    Body(form): Body<StateForm>,
) -> Result<Json<EventView>, ApiError> {
    let event = tournaments.go_to(id, Some(staff(&visitor)?), form.state).await?;
    Ok(answer(&tournaments, &event, &visitor))
}

/// Which page of actions.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct ActionQuery {
    /// The `next` of the page before.
    before: Option<i64>,
}

/// List what was done in an event, the newest first.
#[utoipa::path(get, path = "/api/v1/events/{id}/actions", tag = "events", params(("id" = String, Path), ActionQuery),
    responses((status = 200, body = ActionPage)))]
pub(crate) async fn list_event_actions(
    State(tournaments): State<Tournaments>,
    visitor: Visitor,
    Id(id): Id<EventId>,
    Params(ask): Params<ActionQuery>,
) -> Result<Json<ActionPage>, ApiError> {
    staff(&visitor)?;
    let event = tournaments.load(id).await?;
    let actions = tournaments.actions(id, ask.before).await?;
    let next = actions.last().map(|action| action.version).filter(|version| *version > 1);
    let mut views = Vec::with_capacity(actions.len());
    for action in actions {
        let can_undo = tournaments.can_undo(&event, &action);
        views.push(ActionView {
            version: action.version,
            at: action.at.0,
            by: tournaments.name_of(action.actor).await,
            act: action.act,
            detail: action.detail,
            can_undo,
        });
    }
    Ok(Json(ActionPage { actions: views, next }))
}

/// Take an action back, if that still makes sense.
#[utoipa::path(post, path = "/api/v1/events/{id}/actions/{version}/undo", tag = "events",
    params(("id" = String, Path), ("version" = i64, Path)),
    responses((status = 200, body = EventView), (status = 409, description = "it cannot be taken back")))]
pub(crate) async fn undo_event_action(
    State(tournaments): State<Tournaments>,
    visitor: Visitor,
    Path((id, version)): Path<(String, i64)>,
) -> Result<Json<EventView>, ApiError> {
    let id: EventId = id.parse().map_err(|_| TournamentError::Unknown)?;
    let event = tournaments.undo(id, staff(&visitor)?, version).await?;
    Ok(answer(&tournaments, &event, &visitor))
}
