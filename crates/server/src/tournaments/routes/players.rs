//! Who plays: entered by the director or by themselves.

use axum::Json;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use rules::Color;
use store::EventId;

use super::super::event::{Command, EntryNumber, Person, Refused};
use super::super::exchange::read_people;
use super::super::view::{entrant, standings_view};
use super::super::wire::{
    ByeForm, CoefficientQuery, EventView, NumbersForm, PastedList, PeopleForm, PlayerCard,
    PresenceForm, ReadList,
};
use super::super::{Rights, TournamentError, Tournaments};
use super::{actor, answer, staff};
use crate::accounts::Visitor;
use crate::http::{ApiError, Body, Id, Params};

/// The number of a player in the path, behind the event's id.
type EntryPath = Path<(String, EntryNumber)>;

fn event_id(text: &str) -> Result<EventId, TournamentError> {
    text.parse().map_err(|_| TournamentError::Unknown)
}

/// Enter people: by name, or members of the club. All of them, or nobody.
#[utoipa::path(post, path = "/api/v1/events/{id}/players", tag = "events", params(("id" = String, Path)), request_body = PeopleForm,
    responses((status = 201, body = EventView), (status = 404, description = "no member of this name"),
        (status = 409, description = "in it already, full, or too late")))]
pub(crate) async fn enter_players(
    State(tournaments): State<Tournaments>,
    visitor: Visitor,
    Id(id): Id<EventId>,
    Body(form): Body<PeopleForm>,
) -> Result<(StatusCode, Json<EventView>), ApiError> {
    let by = staff(&visitor)?;
    let event = tournaments.enlist(id, by, &form.members, form.people).await?;
    Ok((StatusCode::CREATED, answer(&tournaments, &event, &visitor)))
}

/// Read a pasted list of people without entering them.
#[utoipa::path(post, path = "/api/v1/events/{id}/players/reading", tag = "events", params(("id" = String, Path)), request_body = PastedList,
    responses((status = 200, body = ReadList)))]
pub(crate) async fn read_player_list(
    visitor: Visitor,
    Id(_): Id<EventId>,
    Body(list): Body<PastedList>,
) -> Result<Json<ReadList>, ApiError> {
    staff(&visitor)?;
    Ok(Json(read_people(&list.text)))
}

/// Show a player of an event with all rounds.
#[utoipa::path(get, path = "/api/v1/events/{id}/players/{number}", tag = "events",
    params(("id" = String, Path), ("number" = u32, Path), CoefficientQuery),
    responses((status = 200, body = PlayerCard)))]
pub(crate) async fn show_entry(
    State(tournaments): State<Tournaments>,
    visitor: Visitor,
    Path((id, number)): EntryPath,
    Params(ask): Params<CoefficientQuery>,
) -> Result<Json<PlayerCard>, ApiError> {
    let event = tournaments.show(event_id(&id)?, &visitor).await?;
    let player =
        event.player(number).ok_or(TournamentError::Refused(Refused::UnknownPlayer(number)))?;
    let standing = standings_view(&event).rows.into_iter().find(|row| row.player == number);
    let played: Vec<(Color, EntryNumber)> = event.played_by(number).collect();
    let of_color = |color| {
        let games = played.iter().filter(|(side, _)| *side == color).count();
        u16::try_from(games).unwrap_or(u16::MAX)
    };
    let ratings: Vec<u32> = played
        .iter()
        .filter_map(|(_, opponent)| event.player(*opponent)?.details.rating)
        .map(u32::from)
        .collect();
    let opponents = u32::try_from(ratings.len()).ok().filter(|count| *count > 0);
    let (whites, blacks) = (of_color(Color::White), of_color(Color::Black));
    let card = PlayerCard {
        player: entrant(&event, player, Rights::in_event(&visitor, &event).results),
        opponents: opponents
            .and_then(|count| u16::try_from(ratings.iter().sum::<u32>() / count).ok()),
        whites,
        blacks,
        rating_change: tournaments.rating_change(&event, player).await?,
        expected_change: event.expected_change(number, ask.k.unwrap_or(20).min(40).into()),
        standing,
    };
    Ok(Json(card))
}

/// Change what is known of a player.
#[utoipa::path(put, path = "/api/v1/events/{id}/players/{number}", tag = "events",
    params(("id" = String, Path), ("number" = u32, Path)), request_body = Person, responses((status = 200, body = EventView)))]
pub(crate) async fn edit_entry(
    State(tournaments): State<Tournaments>,
    visitor: Visitor,
    Path((id, player)): EntryPath,
    Body(person): Body<Person>,
) -> Result<Json<EventView>, ApiError> {
    let command = Command::Edit { player, person };
    let event = tournaments.act(event_id(&id)?, Some(staff(&visitor)?), command).await?;
    Ok(answer(&tournaments, &event, &visitor))
}

/// Take a player out who has not played.
#[utoipa::path(delete, path = "/api/v1/events/{id}/players/{number}", tag = "events",
    params(("id" = String, Path), ("number" = u32, Path)),
    responses((status = 200, body = EventView), (status = 409, description = "has played")))]
pub(crate) async fn remove_entry(
    State(tournaments): State<Tournaments>,
    visitor: Visitor,
    Path((id, player)): EntryPath,
) -> Result<Json<EventView>, ApiError> {
    let command = Command::Remove { players: vec![player] };
    let event = tournaments.act(event_id(&id)?, Some(staff(&visitor)?), command).await?;
    Ok(answer(&tournaments, &event, &visitor))
}

/// Say whether a player is there.
#[utoipa::path(put, path = "/api/v1/events/{id}/players/{number}/presence", tag = "events",
    params(("id" = String, Path), ("number" = u32, Path)), request_body = PresenceForm, responses((status = 200, body = EventView)))]
pub(crate) async fn check_in_entry(
    State(tournaments): State<Tournaments>,
    visitor: Visitor,
    Path((id, player)): EntryPath,
    Body(form): Body<PresenceForm>,
) -> Result<Json<EventView>, ApiError> {
    let id = event_id(&id)?;
    if !Rights::in_event(&visitor, &*tournaments.load(id).await?).results {
        return Err(TournamentError::NotStaff.into());
    }
    let command = Command::CheckIn { player, present: form.present };
    let event = tournaments.act(id, Some(actor(&visitor)?), command).await?;
    Ok(answer(&tournaments, &event, &visitor))
}

/// Give the numbers of a table or a bracket by lot, by hand, or by strength. Only before the first round.
#[utoipa::path(put, path = "/api/v1/events/{id}/numbers", tag = "events", params(("id" = String, Path)), request_body = NumbersForm,
    responses((status = 200, body = EventView), (status = 409, description = "not now, or somebody is missing in the order")))]
pub(crate) async fn number_players(
    State(tournaments): State<Tournaments>,
    visitor: Visitor,
    Id(id): Id<EventId>,
    Body(form): Body<NumbersForm>,
) -> Result<Json<EventView>, ApiError> {
    let by = staff(&visitor)?;
    let event = tournaments.number(id, by, form.order, form.by_lot).await?;
    Ok(answer(&tournaments, &event, &visitor))
}

/// Let a player withdraw.
#[utoipa::path(post, path = "/api/v1/events/{id}/players/{number}/withdrawal", tag = "events",
    params(("id" = String, Path), ("number" = u32, Path)), responses((status = 200, body = EventView)))]
pub(crate) async fn withdraw_entry(
    State(tournaments): State<Tournaments>,
    visitor: Visitor,
    Path((id, player)): EntryPath,
) -> Result<Json<EventView>, ApiError> {
    let by = staff(&visitor)?;
    let event = tournaments.withdraw(event_id(&id)?, player, by, true).await?;
    Ok(answer(&tournaments, &event, &visitor))
}

/// Let a player who has withdrawn come back.
#[utoipa::path(delete, path = "/api/v1/events/{id}/players/{number}/withdrawal", tag = "events",
    params(("id" = String, Path), ("number" = u32, Path)), responses((status = 200, body = EventView)))]
pub(crate) async fn return_entry(
    State(tournaments): State<Tournaments>,
    visitor: Visitor,
    Path((id, player)): EntryPath,
) -> Result<Json<EventView>, ApiError> {
    let by = staff(&visitor)?;
    let command = Command::Return { player, by_staff: true };
    let event = tournaments.act(event_id(&id)?, Some(by), command).await?;
    Ok(answer(&tournaments, &event, &visitor))
}

/// Grant a bye in a round to come, or cancel it.
#[utoipa::path(put, path = "/api/v1/events/{id}/players/{number}/byes/{round}", tag = "events",
    params(("id" = String, Path), ("number" = u32, Path), ("round" = u16, Path)), request_body = ByeForm,
    responses((status = 200, body = EventView)))]
pub(crate) async fn set_entry_bye(
    State(tournaments): State<Tournaments>,
    visitor: Visitor,
    Path((id, player, round)): Path<(String, EntryNumber, u16)>,
    Body(form): Body<ByeForm>,
) -> Result<Json<EventView>, ApiError> {
    let command = Command::SetBye { player, round, bye: form.bye };
    let event = tournaments.act(event_id(&id)?, Some(staff(&visitor)?), command).await?;
    Ok(answer(&tournaments, &event, &visitor))
}

/// Enter an event, or come back to it.
#[utoipa::path(post, path = "/api/v1/events/{id}/entry", tag = "events", params(("id" = String, Path)),
    responses((status = 200, body = EventView), (status = 403, description = "the conditions say no"),
        (status = 409, description = "closed or full")))]
pub(crate) async fn join_event(
    State(tournaments): State<Tournaments>,
    visitor: Visitor,
    Id(id): Id<EventId>,
) -> Result<Json<EventView>, ApiError> {
    tournaments.show(id, &visitor).await?;
    let account = actor(&visitor)?;
    let event = tournaments.join(id, account, account, false).await?;
    Ok(answer(&tournaments, &event, &visitor))
}

/// Leave an event: before the start one is out, afterwards one has withdrawn.
#[utoipa::path(delete, path = "/api/v1/events/{id}/entry", tag = "events", params(("id" = String, Path)),
    responses((status = 200, body = EventView)))]
pub(crate) async fn leave_event(
    State(tournaments): State<Tournaments>,
    visitor: Visitor,
    Id(id): Id<EventId>,
) -> Result<Json<EventView>, ApiError> {
    let event = tournaments.leave(id, actor(&visitor)?).await?;
    Ok(answer(&tournaments, &event, &visitor))
}

/// Halve the own clock in a game of an arena, before the own first move.
#[utoipa::path(post, path = "/api/v1/events/{id}/games/{game}/berserk", tag = "events",
    params(("id" = String, Path), ("game" = String, Path)),
    responses((status = 200, body = EventView), (status = 409, description = "too late, or not allowed here")))]
pub(crate) async fn go_berserk(
    State(tournaments): State<Tournaments>,
    visitor: Visitor,
    Path((id, game)): Path<(String, String)>,
) -> Result<Json<EventView>, ApiError> {
    let game = game.parse().map_err(|_| TournamentError::Unknown)?;
    let event = tournaments.berserk(event_id(&id)?, actor(&visitor)?, game).await?;
    Ok(answer(&tournaments, &event, &visitor))
}

/// Say that one is there.
#[utoipa::path(put, path = "/api/v1/events/{id}/entry/presence", tag = "events", params(("id" = String, Path)), request_body = PresenceForm,
    responses((status = 200, body = EventView)))]
pub(crate) async fn check_in(
    State(tournaments): State<Tournaments>,
    visitor: Visitor,
    Id(id): Id<EventId>,
    Body(form): Body<PresenceForm>,
) -> Result<Json<EventView>, ApiError> {
    let account = actor(&visitor)?;
    let event = tournaments.show(id, &visitor).await?;
    let player =
        event.player_of(account).ok_or(TournamentError::Refused(Refused::NothingToDo))?.number;
    let command = Command::CheckIn { player, present: form.present };
    let event = tournaments.act(id, Some(account), command).await?;
    Ok(answer(&tournaments, &event, &visitor))
}

/// Take a half-point bye in a round to come, or give it back.
#[utoipa::path(put, path = "/api/v1/events/{id}/entry/byes/{round}", tag = "events",
    params(("id" = String, Path), ("round" = u16, Path)), request_body = ByeForm,
    responses((status = 200, body = EventView), (status = 403, description = "no more of them")))]
pub(crate) async fn take_bye(
    State(tournaments): State<Tournaments>,
    visitor: Visitor,
    Path((id, round)): Path<(String, u16)>,
    Body(form): Body<ByeForm>,
) -> Result<Json<EventView>, ApiError> {
    let account = actor(&visitor)?;
    let event = tournaments.take_bye(event_id(&id)?, account, round, form.bye.is_some()).await?;
    Ok(answer(&tournaments, &event, &visitor))
}
