//! HTTP of events.

mod events;
mod files;
mod players;
mod rounds;
mod tables;

use axum::Json;
use axum::extract::DefaultBodyLimit;
use store::AccountId;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::event::Event;
use super::view::event_view;
use super::wire::EventView;
use super::{Rights, TournamentError, Tournaments};
use crate::accounts::Visitor;
use crate::http::AppState;

/// The largest file of an event: the report of a thousand players fits several times.
const LARGEST_FILE: usize = 4 << 20;

/// The routes of this subject.
pub(crate) fn router() -> OpenApiRouter<AppState> {
    let import = OpenApiRouter::new()
        .routes(routes!(files::import_event))
        .layer(DefaultBodyLimit::max(LARGEST_FILE));
    OpenApiRouter::new()
        .merge(import)
        .routes(routes!(events::list_events, events::create_event))
        .routes(routes!(events::suggest_event_rounds))
        .routes(routes!(events::list_event_groups))
        .routes(routes!(events::show_event, events::change_event, events::delete_event))
        .routes(routes!(events::show_game_event))
        .routes(routes!(events::copy_event))
        .routes(routes!(events::name_event_arbiter))
        .routes(routes!(events::dismiss_event_arbiter))
        .routes(routes!(events::move_event))
        .routes(routes!(events::list_event_actions))
        .routes(routes!(events::undo_event_action))
        .routes(routes!(players::enter_players))
        .routes(routes!(players::read_player_list))
        .routes(routes!(players::show_entry, players::edit_entry, players::remove_entry))
        .routes(routes!(players::check_in_entry))
        .routes(routes!(players::withdraw_entry, players::return_entry))
        .routes(routes!(players::set_entry_bye))
        .routes(routes!(players::join_event, players::leave_event))
        .routes(routes!(players::check_in))
        .routes(routes!(players::go_berserk))
        .routes(routes!(players::take_bye))
        .routes(routes!(players::number_players))
        .routes(routes!(rounds::set_timer))
        .routes(routes!(events::remove_event_line))
        .routes(routes!(rounds::propose_round))
        .routes(routes!(rounds::check_round))
        .routes(routes!(rounds::publish_round))
        .routes(routes!(rounds::show_round, rounds::reseat_round, rounds::unpair_round))
        .routes(routes!(rounds::set_result))
        .routes(routes!(rounds::decide_match))
        .routes(routes!(rounds::show_standings))
        .routes(routes!(tables::show_table, tables::report_result))
        .routes(routes!(tables::show_table_qr))
        .routes(routes!(files::export_trf))
        .routes(routes!(files::export_csv))
        .routes(routes!(files::export_json))
        .routes(routes!(files::export_pgn))
}

/// Who acts: everybody who gets here through the table of rights has an account.
fn actor(visitor: &Visitor) -> Result<AccountId, TournamentError> {
    visitor.account_id().ok_or(TournamentError::NotStaff)
}

/// Refuses everybody but those who run events.
fn staff(visitor: &Visitor) -> Result<AccountId, TournamentError> {
    Rights::of(visitor).check_manage()?;
    actor(visitor)
}

fn answer(tournaments: &Tournaments, event: &Event, visitor: &Visitor) -> Json<EventView> {
    Json(event_view(event, visitor, tournaments.now().0))
}
