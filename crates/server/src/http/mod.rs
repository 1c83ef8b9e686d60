//! HTTP: the router, its layers, and what all routes share.

pub mod access;
mod assets;
mod client_address;
mod doors;
mod error;
mod extract;
mod health;
mod heavy;
mod rate;
mod security;
mod serve;

use std::sync::Arc;
use std::time::Duration;

use axum::extract::{DefaultBodyLimit, FromRef, Request};
use axum::http::{HeaderName, StatusCode, header};
use axum::middleware::{from_fn, from_fn_with_state};
use axum::response::{IntoResponse, Response};
use axum::{Router, routing::get};
use engine::pool::Pool;
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::registry::Registry;
use store::Store;
use tower_http::catch_panic::CatchPanicLayer;
use tower_http::compression::CompressionLayer;
use tower_http::request_id::{
    MakeRequestUuid, PropagateRequestIdLayer, RequestId, SetRequestIdLayer,
};
use tower_http::timeout::TimeoutLayer;
use tower_http::trace::TraceLayer;
use utoipa::OpenApi;
use utoipa::openapi::OpenApi as Document;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::accounts::{self, Accounts, token_routes};
use crate::administration::{self, Administration, club_routes};
use crate::analysis::{self, Analysis};
use crate::arbiter::{self, ArbiterDesk};
use crate::bots::{self, Bots};
use crate::config::{Limits, WebConfig};
use crate::connections::{self, Connections};
use crate::correspondence::{self, Correspondence};
use crate::defender::{self, Defender};
use crate::games::{self, Games};
use crate::gmo::{self, Gmo};
use crate::library::{self, Library};
use crate::live::{self, Live};
use crate::lobby::{self, Lobby};
use crate::mail::Mail;
use crate::one_computer::{self, OneComputer};
use crate::players::{self, Players};
use crate::reminders::{self, Reminders};
use crate::room::Disk;
use crate::tournaments::{self, Tournaments};
use assets::Assets;

pub(crate) use client_address::ClientAddress;
pub(crate) use doors::Doors;
pub use doors::Seat;
pub use error::{ApiError, Problem};
pub(crate) use extract::client_address;
pub use extract::{Body, Id, Params, PublicUrl};
pub(crate) use heavy::Heavy;
pub(crate) use rate::Rate;
pub(crate) use serve::serve;

/// The page's files, ready to serve.
pub(crate) fn load_assets() -> Assets {
    Assets::load()
}

/// What the handlers can ask for, by part.
#[derive(Clone, FromRef)]
pub(crate) struct AppState {
    pub(crate) accounts: Accounts,
    pub(crate) administration: Administration,
    pub(crate) analysis: Analysis,
    pub(crate) arbiter_desk: ArbiterDesk,
    pub(crate) assets: Assets,
    pub(crate) connections: Connections,
    pub(crate) correspondence: Correspondence,
    pub(crate) bots: Bots,
    pub(crate) defender: Defender,
    pub(crate) disk: Disk,
    pub(crate) engines: Pool,
    pub(crate) games: Games,
    pub(crate) library: Library,
    pub(crate) gmo: Gmo,
    pub(crate) live: Live,
    pub(crate) lobby: Lobby,
    pub(crate) mail: Mail,
    pub(crate) metrics: Arc<Metrics>,
    pub(crate) one_computer: OneComputer,
    pub(crate) players: Players,
    pub(crate) reminders: Reminders,
    pub(crate) store: Store,
    pub(crate) tournaments: Tournaments,
    pub(crate) web: WebConfig,
}

/// What Prometheus sees.
pub(crate) struct Metrics {
    pub(crate) registry: Registry,
    pub(crate) games: games::Metrics,
    pub(crate) running_games: Gauge,
    pub(crate) open_sockets: Gauge,
    /// Positions of reports that an engine was asked about.
    pub(crate) searches: Counter,
}

impl Metrics {
    pub(crate) fn new() -> Metrics {
        let mut registry = Registry::with_prefix("rookery");
        let games = games::Metrics::default();
        let (running_games, open_sockets) = (Gauge::default(), Gauge::default());
        registry.register("game_events", "Events of games written to disk", games.events.clone());
        registry.register(
            "games_rebuilt",
            "Games whose task failed and was rebuilt",
            games.rebuilt.clone(),
        );
        registry.register("running_games", "Games that run", running_games.clone());
        registry.register("open_sockets", "Open WebSockets", open_sockets.clone());
        let searches = Counter::default();
        let help = "Positions of reports that an engine was asked about";
        registry.register("report_searches", help, searches.clone());
        Metrics { registry, games, running_games, open_sockets, searches }
    }
}

/// What the document says besides the routes.
#[derive(OpenApi)]
#[openapi(
    info(title = "Rookery", description = "A chess club in one binary. Moments are Unix milliseconds, durations milliseconds. Errors are RFC 9457 problems with a stable `code`.", license(name = "AGPL-3.0-or-later")),
    components(schemas(live::wire::ClientMsg, live::wire::ServerMsg, live::wire::RoomState, Problem)),
    tags(
        (name = "accounts", description = "Who is there"),
        (name = "administration", description = "Running the club"),
        (name = "lobby", description = "Challenges, quick pairing, who is there"),
        (name = "games", description = "Games; live changes come over the socket at `/ws` as `ServerMsg`, which takes `ClientMsg`"),
        (name = "library", description = "Every game ever played: files in, searches, the explorer, files out"),
        (name = "gmo", description = "GMO chess: genomes, presets, the lab; `/genome` and `/preset` are the store of the game's own specification"),
        (name = "defender", description = "ChessDefender for one player"),
        (name = "players", description = "Profiles, histories, leaderboards"),
        (name = "analysis", description = "Positions, engines, studies, reports; lines of engines come over the socket"),
        (name = "events", description = "Tournaments of every system, online and over the board"),
        (name = "correspondence", description = "Games of days: one's own games, the inbox, notes, conditional moves, leave"),
        (name = "arbiter", description = "The arbiter's desk"),
    )
)]
struct Head;

fn api() -> OpenApiRouter<AppState> {
    OpenApiRouter::with_openapi(Head::openapi())
        .merge(accounts::routes::router())
        .routes(routes!(bots::routes::list_bots))
        .routes(routes!(defender::routes::list_prepared, defender::routes::add_prepared))
        .routes(routes!(defender::routes::change_prepared))
        .routes(routes!(defender::routes::list_defender_results))
        .routes(routes!(defender::routes::begin_attempt))
        .routes(routes!(defender::routes::show_attempt))
        .routes(routes!(token_routes::list_tokens, token_routes::make_token))
        .routes(routes!(token_routes::revoke_token))
        .routes(routes!(administration::routes::list_users))
        .routes(routes!(administration::routes::make_accounts))
        .routes(routes!(administration::routes::remove_inactive_users))
        .routes(routes!(
            administration::routes::show_user,
            administration::routes::change_user,
            administration::routes::delete_user
        ))
        .routes(routes!(administration::routes::grant_role, administration::routes::revoke_role))
        .routes(routes!(administration::routes::make_reset_link))
        .routes(routes!(administration::routes::set_one_time_password))
        .routes(routes!(administration::routes::remove_user_totp))
        .routes(routes!(administration::routes::end_user_sessions))
        .routes(routes!(club_routes::list_invites, club_routes::make_invite))
        .routes(routes!(club_routes::withdraw_invite))
        .routes(routes!(club_routes::show_policy, club_routes::set_policy))
        .routes(routes!(club_routes::show_audit))
        .routes(routes!(club_routes::show_mail))
        .routes(routes!(club_routes::send_test_mail))
        .routes(routes!(lobby::routes::list_challenges, lobby::routes::create_challenge))
        .routes(routes!(lobby::routes::show_challenge, lobby::routes::cancel_challenge))
        .routes(routes!(lobby::routes::show_challenge_qr))
        .routes(routes!(lobby::routes::accept_challenge))
        .routes(routes!(lobby::routes::decline_challenge))
        .routes(routes!(lobby::routes::list_online))
        .routes(routes!(lobby::routes::become_guest))
        .routes(routes!(games::routes::list_games))
        .routes(routes!(games::routes::show_game))
        .routes(routes!(games::routes::play_move))
        .routes(routes!(games::routes::resign_game))
        .routes(routes!(games::routes::offer_draw, games::routes::decline_draw))
        .routes(routes!(games::routes::offer_takeback, games::routes::decline_takeback))
        .routes(routes!(games::routes::offer_adjournment, games::routes::decline_adjournment))
        .routes(routes!(games::routes::give_time))
        .routes(routes!(games::routes::claim_game))
        .routes(routes!(games::routes::say_at_game))
        .routes(routes!(games::routes::abort_game))
        .routes(routes!(games::routes::offer_rematch, games::routes::decline_rematch))
        .routes(routes!(games::pgn::show_game_pgn))
        .routes(routes!(games::mutes::mute_at_game, games::mutes::unmute_at_game))
        .merge(players::routes::router())
        .merge(analysis::routes::router())
        .merge(tournaments::routes::router())
        .merge(library::routes::router())
        .merge(crate::pictures::router())
        .merge(connections::routes::router())
        .merge(correspondence::routes::router())
        .merge(reminders::routes::router())
        .merge(arbiter::routes::router())
        .merge(gmo::router())
        .merge(one_computer::routes::router())
}

/// The API's document.
pub fn openapi() -> Document {
    let mut document = api().into_openapi();
    crate::VERSION.clone_into(&mut document.info.version);
    document
}

/// The API's document as text.
pub fn openapi_json() -> String {
    openapi().to_pretty_json().expect("the document is made of plain data")
}

/// The whole application as one service.
pub(crate) fn router(app: AppState, limits: &Limits, rate: Rate, heavy: Heavy) -> Router {
    const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");
    let document = bytes::Bytes::from(openapi_json());
    let (api, _) = api().split_for_parts();
    api.route(
        "/api/v1/openapi.json",
        get(move || async move { ([(header::CONTENT_TYPE, "application/json")], document) }),
    )
    .route("/ws", get(live::open_socket))
    .route("/healthz", get(health::healthz))
    .route("/readyz", get(health::readyz))
    .route("/metrics", get(health::metrics))
    .route_layer(from_fn(access::check_access))
    .route_layer(from_fn_with_state(rate.clone(), rate::limit_account))
    .route_layer(from_fn_with_state(app.clone(), accounts::identify))
    .fallback(assets::serve_page)
    .layer(from_fn_with_state(heavy, heavy::take_turns))
    .layer(from_fn_with_state(app.clone(), security::same_origin))
    .layer(from_fn_with_state(rate, rate::limit_network))
    .layer(DefaultBodyLimit::max(limits.body_bytes))
    .layer(TimeoutLayer::with_status_code(
        StatusCode::REQUEST_TIMEOUT,
        Duration::from_secs(limits.request_seconds),
    ))
    .layer(CompressionLayer::new())
    .layer(CatchPanicLayer::custom(answer_to_panic))
    .layer(from_fn_with_state(app.clone(), security::secure_headers))
    .layer(PropagateRequestIdLayer::new(REQUEST_ID))
    .layer(TraceLayer::new_for_http().make_span_with(|request: &Request| {
        let id =
            request.extensions().get::<RequestId>().and_then(|id| id.header_value().to_str().ok());
        let client = request.extensions().get::<ClientAddress>().map(|client| client.0);
        let client = client.map(tracing::field::display);
        // The path only: a query may hold a set-up token.
        let (method, path) = (request.method(), request.uri().path());
        tracing::info_span!("request", id, client, %method, path)
    }))
    .layer(SetRequestIdLayer::new(REQUEST_ID, MakeRequestUuid))
    .layer(from_fn_with_state(app.clone(), client_address::note_client_address))
    .with_state(app)
}

/// A handler that panics fails its own request and nothing else. What it said goes to the log, not to the client.
#[allow(clippy::needless_pass_by_value, reason = "that is how a panic is handed over")]
fn answer_to_panic(panic: Box<dyn std::any::Any + Send>) -> Response {
    let text = panic.downcast_ref::<&str>().copied();
    let text = text.or_else(|| panic.downcast_ref::<String>().map(String::as_str));
    ApiError::fault(&text.unwrap_or("a handler panicked")).into_response()
}

#[cfg(test)]
mod tests {
    use tower::ServiceExt as _;

    use super::*;

    #[tokio::test]
    async fn a_handler_that_panics_fails_its_own_request_and_says_nothing_of_the_inside() {
        async fn fail() -> &'static str {
            let place = "engine room".to_owned();
            panic!("the {place} is on fire")
        }
        let app = Router::<()>::new()
            .route("/fails", get(fail))
            .route("/works", get(|| async { "fine" }))
            .layer(CatchPanicLayer::custom(answer_to_panic));
        let ask = |path: &str| {
            let asked = axum::http::Request::get(path).body(axum::body::Body::empty());
            app.clone().oneshot(asked.unwrap())
        };
        let failed = ask("/fails").await.unwrap();
        assert_eq!(failed.status(), StatusCode::INTERNAL_SERVER_ERROR);
        let body = axum::body::to_bytes(failed.into_body(), 10_000).await.unwrap();
        let problem: serde_json::Value = serde_json::from_slice(&body).unwrap();
        assert_eq!(problem["code"], "fault");
        assert!(!problem.to_string().contains("engine room"), "{problem}");
        assert_eq!(ask("/works").await.unwrap().status(), StatusCode::OK);
    }
}
