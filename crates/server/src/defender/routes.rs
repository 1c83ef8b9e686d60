//! HTTP of ChessDefender for one player.

use axum::Json;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use engine::builtin::Level;
use rules::defender::Defender as Rules;
use rules::{Millis, TimeControl};
use serde::Deserialize;
use store::{AccountId, Attempt, GameId, StoreError};
use utoipa::IntoParams;

use super::wire::{
    AttemptView, BegunAttempt, DefenderResultView, DefenderResults, MadePosition, NewAttemptBody,
    PositionBody, PreparedList, PreparedView,
};
use super::{
    Defender, DefenderError, MOST_RESULTS, RECORD_LEVEL, USUAL_BUDGET, Wish, player_side, set_up_of,
};
use crate::accounts::{Accounts, Visitor};
use crate::http::{ApiError, Body, Id, Params};
use crate::lobby::LobbyError;

impl Defender {
    /// The best results at a position against a level of an engine, with their places.
    async fn results(
        &self,
        position: &str,
        level: u8,
        engine: &str,
        most: u32,
    ) -> Result<Vec<DefenderResultView>, DefenderError> {
        let best = self.store.best_attempts(position, level, engine, most).await?;
        Ok(best.iter().map(DefenderResultView::from).collect())
    }

    /// Somebody's best result at a position against a level of an engine.
    async fn best_of(
        &self,
        position: &str,
        level: u8,
        engine: &str,
        account: AccountId,
    ) -> Result<Option<DefenderResultView>, DefenderError> {
        let best = self.store.best_attempt_of(position, level, engine, account).await?;
        Ok(best.as_ref().map(DefenderResultView::from))
    }

    /// The engines that were beaten at a position on a level.
    async fn beaten(&self, position: &str, level: u8) -> Result<Vec<String>, DefenderError> {
        Ok(self.store.beaten_engines(position, level).await?)
    }

    /// An attempt as everybody sees it.
    async fn show(&self, id: GameId) -> Result<AttemptView, DefenderError> {
        let attempt = self.store.load_attempt(id).await.map_err(|error| match error {
            StoreError::NotFound => DefenderError::UnknownAttempt,
            other => other.into(),
        })?;
        let seen = self.games.snapshot(id).await?;
        let player = player_side(&attempt, &seen);
        let Attempt { position, engine, .. } = &attempt;
        let best = self.best_of(position, attempt.level, engine, attempt.account).await?;
        let result = attempt.result;
        Ok(AttemptView {
            game: id.to_string(),
            position: attempt.position,
            level: attempt.level,
            engine: attempt.engine,
            won: result.map(|result| result.is_won),
            points: Rules::spent(seen.game.actions(), player, player),
            moves: result.map_or(0, |result| result.moves),
            best,
            setup: set_up_of(&seen.game),
        })
    }
}

/// The prepared positions, with the best results against a level of all and of the one who asks. Administrators see
/// hidden ones too.
#[utoipa::path(get, path = "/api/v1/defender/positions", tag = "defender", params(ResultsQuery),
    responses((status = 200, body = PreparedList), (status = 422, description = "no such level")))]
pub(crate) async fn list_prepared(
    State(defender): State<Defender>,
    visitor: Visitor,
    Params(query): Params<ResultsQuery>,
) -> Result<Json<PreparedList>, ApiError> {
    let (me, level) = (visitor.account_id(), query.level()?);
    let engine = defender.profile(level).await;
    let level = level.number();
    let sees_all = visitor.is_player() && visitor.roles.administrator;
    let known = defender.positions().await?;
    let mut positions = Vec::with_capacity(known.len());
    for prepared in known.iter().filter(|known| sees_all || !known.stored.is_hidden) {
        let id = &prepared.stored.id;
        let best = defender.results(id, level, &engine, 1).await?.pop();
        let mine = match me {
            Some(me) => defender.best_of(id, level, &engine, me).await?,
            None => None,
        };
        positions.push(PreparedView::new(prepared, best, mine));
    }
    Ok(Json(PreparedList { positions }))
}

/// Which results to show.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct ResultsQuery {
    /// The level that was beaten, 1 to 8; 8 if nothing is said. Levels are never mixed.
    level: Option<u8>,
}

impl ResultsQuery {
    fn level(&self) -> Result<Level, DefenderError> {
        Level::new(self.level.unwrap_or(RECORD_LEVEL)).ok_or(DefenderError::BadLevel)
    }
}

/// Whose results to show.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct EngineQuery {
    /// One of `engines`: the engine that was beaten; the one that plays now if nothing is said. Engines are never mixed.
    engine: Option<String>,
}

/// The best results at a position against a level: one a player, fewest points first.
#[utoipa::path(get, path = "/api/v1/defender/positions/{id}/results", tag = "defender",
    params(("id" = String, Path), ResultsQuery, EngineQuery),
    responses((status = 200, body = DefenderResults), (status = 404, description = "no such position"),
        (status = 422, description = "no such level")))]
pub(crate) async fn list_defender_results(
    State(defender): State<Defender>,
    Path(id): Path<String>,
    Params(query): Params<ResultsQuery>,
    Params(asked): Params<EngineQuery>,
) -> Result<Json<DefenderResults>, ApiError> {
    defender.position(&id).await?;
    let level = query.level()?;
    let now = defender.profile(level).await;
    let beaten = defender.beaten(&id, level.number()).await?;
    let engine = asked.engine.unwrap_or_else(|| now.clone());
    let results = defender.results(&id, level.number(), &engine, MOST_RESULTS).await?;
    let earlier = beaten.into_iter().filter(|beaten| *beaten != now);
    let engines = std::iter::once(now.clone()).chain(earlier).collect();
    Ok(Json(DefenderResults { results, engine, engines }))
}

/// Prepare a position.
#[utoipa::path(post, path = "/api/v1/defender/positions", tag = "defender", request_body = PositionBody,
    responses((status = 201, body = MadePosition), (status = 409, description = "it is there already"),
        (status = 422, description = "no prepared position can be like this")))]
pub(crate) async fn add_prepared(
    State(defender): State<Defender>,
    State(accounts): State<Accounts>,
    visitor: Visitor,
    Body(body): Body<PositionBody>,
) -> Result<(StatusCode, Json<MadePosition>), ApiError> {
    let by = accounts.account_of(&visitor).await?;
    let id = defender.add_position(body.into(), by.id).await?;
    Ok((StatusCode::CREATED, Json(MadePosition { id })))
}

/// Change a prepared position, hide it or offer it again. Its pieces stay once somebody has tried it.
#[utoipa::path(put, path = "/api/v1/defender/positions/{id}", tag = "defender", params(("id" = String, Path)),
    request_body = PositionBody, responses((status = 204), (status = 404, description = "no such position"),
        (status = 409, description = "its pieces cannot be changed any more"),
        (status = 422, description = "no prepared position can be like this")))]
pub(crate) async fn change_prepared(
    State(defender): State<Defender>,
    State(accounts): State<Accounts>,
    visitor: Visitor,
    Path(id): Path<String>,
    Body(body): Body<PositionBody>,
) -> Result<StatusCode, ApiError> {
    let by = accounts.account_of(&visitor).await?;
    defender.change_position(&id, body.into(), by.id).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Begin an attempt: a game against a bot from a prepared position.
#[utoipa::path(post, path = "/api/v1/defender/attempts", tag = "defender", request_body = NewAttemptBody,
    responses((status = 201, body = BegunAttempt), (status = 404, description = "no such position, or no bots"),
        (status = 422, description = "no such level, budget or clock, or a set-up that cannot be placed")))]
pub(crate) async fn begin_attempt(
    State(defender): State<Defender>,
    State(accounts): State<Accounts>,
    visitor: Visitor,
    Body(body): Body<NewAttemptBody>,
) -> Result<(StatusCode, Json<BegunAttempt>), ApiError> {
    let account = accounts.account_of(&visitor).await?;
    let usual = || Ok(TimeControl::fischer(Millis::minutes(10), Millis::ZERO));
    let time =
        body.time.as_ref().map_or_else(usual, |time| time.to_rules().map_err(LobbyError::from))?;
    let budget = body.budget.unwrap_or(USUAL_BUDGET);
    let (position, set_up) = (body.position, body.setup);
    let wish = Wish { position, level: body.level, budget, time, set_up };
    let game = defender.begin(account, &wish).await?.to_string();
    Ok((StatusCode::CREATED, Json(BegunAttempt { game })))
}

/// An attempt and its result.
#[utoipa::path(get, path = "/api/v1/defender/attempts/{id}", tag = "defender", params(("id" = String, Path)),
    responses((status = 200, body = AttemptView), (status = 404, description = "no attempt")))]
pub(crate) async fn show_attempt(
    State(defender): State<Defender>,
    Id(id): Id<GameId>,
) -> Result<Json<AttemptView>, ApiError> {
    Ok(Json(defender.show(id).await?))
}
