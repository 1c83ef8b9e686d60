//! HTTP of players.

use axum::Json;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use ratings::{Pool, Venue};
use rules::UnixMillis;
use serde::Deserialize;
use store::{AccountId, Cursor, GameFilter};
use utoipa::IntoParams;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::boards::Ranked;
use super::wire::{
    HistoryPage, HistoryQuery, LeaderView, Leaderboard, LeaderboardList, PlayerList, ProfileView,
    RatingChart, VersusView, player_view,
};
use super::{PAGE, Players, PlayersError};
use crate::accounts::{Accounts, Visitor};
use crate::http::{ApiError, AppState, Params};

/// Players of a pool in the list of all pools.
const TOP: usize = 10;
/// Players on a page of one pool.
const LEADERS: usize = 50;

/// The routes of this subject.
pub(crate) fn router() -> OpenApiRouter<AppState> {
    OpenApiRouter::new()
        .routes(routes!(search_players))
        .routes(routes!(show_player))
        .routes(routes!(list_player_games))
        .routes(routes!(show_rating_chart))
        .routes(routes!(compare_players))
        .routes(routes!(mute_player, unmute_player))
        .routes(routes!(list_leaderboards))
        .routes(routes!(show_leaderboard))
        .routes(routes!(super::rating_list::list_ratings))
}

/// Whom to look for.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct SearchQuery {
    /// How the name begins, in any case.
    query: String,
    /// How many, at most 20.
    limit: Option<u32>,
}

/// Find players by the beginning of their name.
#[utoipa::path(get, path = "/api/v1/players", tag = "players", params(SearchQuery), responses((status = 200, body = PlayerList)))]
pub(crate) async fn search_players(
    State(players): State<Players>,
    Params(ask): Params<SearchQuery>,
) -> Result<Json<PlayerList>, ApiError> {
    let found = players.search(&ask.query, ask.limit.unwrap_or(u32::MAX)).await?;
    Ok(Json(PlayerList { players: found.iter().map(player_view).collect() }))
}

/// Show a player.
#[utoipa::path(get, path = "/api/v1/players/{name}", tag = "players", params(("name" = String, Path)),
    responses((status = 200, body = ProfileView), (status = 404, description = "nobody of this name has a page")))]
pub(crate) async fn show_player(
    State(players): State<Players>,
    visitor: Visitor,
    Path(name): Path<String>,
) -> Result<Json<ProfileView>, ApiError> {
    Ok(Json(players.profile(&name, (&visitor).into()).await?))
}

/// List a player's finished games, newest first, ten a page.
#[utoipa::path(get, path = "/api/v1/players/{name}/games", tag = "players", params(("name" = String, Path), HistoryQuery),
    responses((status = 200, body = HistoryPage), (status = 404, description = "nobody of this name has a page")))]
pub(crate) async fn list_player_games(
    State(players): State<Players>,
    visitor: Visitor,
    Path(name): Path<String>,
    Params(ask): Params<HistoryQuery>,
) -> Result<Json<HistoryPage>, ApiError> {
    let before = ask.before.as_deref().map(parse_cursor).transpose()?;
    let filter = GameFilter {
        variant: ask.variant,
        speed: ask.speed.map(|speed| speed.name().to_owned()),
        result: ask.result.map(Into::into),
        color: ask.color,
        opponent: None,
        rated: ask.rated,
    };
    let games =
        players.history(&name, filter, ask.opponent.as_deref(), before, (&visitor).into()).await?;
    let is_full = games.len() == PAGE as usize;
    let next =
        games.last().filter(|_| is_full).map(|last| format!("{}-{}", last.created_at.0, last.id));
    Ok(Json(HistoryPage { games: players.summaries(games).await?, next }))
}

fn parse_cursor(text: &str) -> Result<Cursor, ApiError> {
    let (at, id) = text.split_once('-').ok_or_else(bad_cursor)?;
    Ok((UnixMillis(at.parse().map_err(|_| bad_cursor())?), id.parse().map_err(|_| bad_cursor())?))
}

fn bad_cursor() -> ApiError {
    ApiError::bad_request("bad_cursor", "ask with the `next` of the page before")
}

/// Which chart.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct ChartQuery {
    /// The pool, `standard/blitz`.
    pool: String,
}

/// Show how a player's rating went.
#[utoipa::path(get, path = "/api/v1/players/{name}/ratings", tag = "players", params(("name" = String, Path), ChartQuery),
    responses((status = 200, body = RatingChart), (status = 404, description = "nobody of this name has a page")))]
pub(crate) async fn show_rating_chart(
    State(players): State<Players>,
    Path(name): Path<String>,
    Params(ask): Params<ChartQuery>,
) -> Result<Json<RatingChart>, ApiError> {
    Ok(Json(RatingChart { points: players.chart(&name, &ask.pool).await? }))
}

/// Compare two players by their games with each other.
#[utoipa::path(get, path = "/api/v1/players/{name}/versus/{other}", tag = "players",
    params(("name" = String, Path), ("other" = String, Path)),
    responses((status = 200, body = VersusView), (status = 404, description = "nobody of this name has a page")))]
pub(crate) async fn compare_players(
    State(players): State<Players>,
    visitor: Visitor,
    Path((name, other)): Path<(String, String)>,
) -> Result<Json<VersusView>, ApiError> {
    let (score, games) = players.versus(&name, &other, (&visitor).into()).await?;
    let games = players.summaries(games).await?;
    Ok(Json(VersusView { wins: score.wins, draws: score.draws, losses: score.losses, games }))
}

/// Mute a player: their chat is not shown to you, their challenges do not reach you.
#[utoipa::path(put, path = "/api/v1/players/{name}/mute", tag = "players", params(("name" = String, Path)),
    responses((status = 204), (status = 404, description = "nobody of this name has a page")))]
pub(crate) async fn mute_player(
    State(players): State<Players>,
    State(accounts): State<Accounts>,
    visitor: Visitor,
    Path(name): Path<String>,
) -> Result<StatusCode, ApiError> {
    let account = accounts.account_of(&visitor).await?;
    players.set_mute(account.id, &name, true).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Hear a player again.
#[utoipa::path(delete, path = "/api/v1/players/{name}/mute", tag = "players", params(("name" = String, Path)),
    responses((status = 204), (status = 404, description = "nobody of this name has a page")))]
pub(crate) async fn unmute_player(
    State(players): State<Players>,
    State(accounts): State<Accounts>,
    visitor: Visitor,
    Path(name): Path<String>,
) -> Result<StatusCode, ApiError> {
    let account = accounts.account_of(&visitor).await?;
    players.set_mute(account.id, &name, false).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// List the best ten of every pool.
#[utoipa::path(get, path = "/api/v1/leaderboards", tag = "players", responses((status = 200, body = LeaderboardList)))]
pub(crate) async fn list_leaderboards(
    State(players): State<Players>,
) -> Result<Json<LeaderboardList>, ApiError> {
    let boards = players.boards().await?;
    let pools = boards.pools().filter_map(|(name, ranked)| Some((name.parse().ok()?, ranked)));
    let mut pools: Vec<(Pool, &[Ranked])> = pools.collect();
    // Chess before its variants, the fast before the slow.
    pools.sort_by_key(|(pool, _)| {
        (pool.variant() != "standard", pool.variant().to_owned(), pool.speed())
    });
    let pools = pools.iter().map(|(pool, ranked)| page_of(pool, ranked, TOP)).collect();
    Ok(Json(LeaderboardList { pools }))
}

/// Which page of a leaderboard.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct LeadersQuery {
    /// `next` of the page before.
    after: Option<String>,
}

/// Show the best of a pool, fifty a page.
#[utoipa::path(get, path = "/api/v1/leaderboards/{variant}/{speed}", tag = "players",
    params(("variant" = String, Path), ("speed" = String, Path), LeadersQuery),
    responses((status = 200, body = Leaderboard), (status = 404, description = "no such pool")))]
pub(crate) async fn show_leaderboard(
    State(players): State<Players>,
    Path((variant, speed)): Path<(String, String)>,
    Params(ask): Params<LeadersQuery>,
) -> Result<Json<Leaderboard>, ApiError> {
    let pool: Pool = format!("{variant}/{speed}").parse().map_err(|_| PlayersError::UnknownPool)?;
    if pool.venue() != Venue::Online {
        return Err(PlayersError::UnknownPool.into());
    }
    let after = ask.after.as_deref().map(parse_place).transpose()?;
    let boards = players.boards().await?;
    let all = boards.pool(&pool.to_string());
    // The list may have changed since the page before: go on below the place where that one ended.
    let seen = after.map_or(0, |place| all.partition_point(|ranked| is_above(ranked, place)));
    Ok(Json(page_of(&pool, &all[seen..], LEADERS)))
}

/// A rating and whose it is: where a page of a leaderboard ended.
type Place = (f64, AccountId);

/// Whether somebody stands at this place or above it.
fn is_above(ranked: &Ranked, (rating, id): Place) -> bool {
    ranked.rating > rating || (ranked.rating >= rating && ranked.account.id <= id)
}

fn parse_place(text: &str) -> Result<Place, ApiError> {
    let (rating, id) = text.split_once('-').ok_or_else(bad_cursor)?;
    Ok((rating.parse().map_err(|_| bad_cursor())?, id.parse().map_err(|_| bad_cursor())?))
}

fn page_of(pool: &Pool, rest: &[Ranked], length: usize) -> Leaderboard {
    let page = &rest[..rest.len().min(length)];
    let more = rest.len() > page.len();
    Leaderboard {
        pool: pool.to_string(),
        variant: pool.variant().to_owned(),
        speed: pool.speed().name().to_owned(),
        players: page.iter().map(LeaderView::from).collect(),
        next: page
            .last()
            .filter(|_| more)
            .map(|last| format!("{}-{}", last.rating, last.account.id)),
    }
}
