//! The public list of ratings: everybody of a pool, with class, results and activity, to filter and to search.

use axum::Json;
use axum::extract::State;
use ratings::{Moment, TitleClasses};
use rules::UnixMillis;
use serde::{Deserialize, Serialize};
use store::{RatedPlayer, RatingQuery};
use utoipa::{IntoParams, ToSchema};

use super::wire::player_view;
use super::{Players, PlayersError, standing_of};
use crate::games::wire::PlayerView;
use crate::http::{ApiError, Params};

/// Players on a page.
const PAGE: u32 = 50;
/// Who has played within this time is active.
const ACTIVE: i64 = 90 * 86_400_000;

/// Whom to list.
#[derive(Debug, Default, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct RatingsAsk {
    /// The pool, `standard/correspondence`; the one with most players if not said.
    pool: Option<String>,
    /// A part of the name, in any case.
    name: Option<String>,
    /// Only this class.
    class: Option<String>,
    /// Only who has played a rated game within 90 days.
    active: Option<bool>,
    /// `next` of the page before.
    after: Option<u32>,
}

/// A line of the list.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct RatingLine {
    /// The place among all of the pool.
    pub place: i64,
    /// Who, with the rating.
    pub player: PlayerView,
    /// The class of that rating.
    pub class: Option<String>,
    /// Rated games.
    pub games: i64,
    /// Won.
    pub wins: i64,
    /// Drawn.
    pub draws: i64,
    /// Lost.
    pub losses: i64,
    /// When the last one ended.
    pub last_game: Option<i64>,
}

/// A page of the list.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct RatingList {
    /// The pool that is listed.
    pub pool: String,
    /// All pools in which anybody has a rating.
    pub pools: Vec<String>,
    /// The classes of this club, the highest first.
    pub classes: Vec<String>,
    /// The players.
    pub players: Vec<RatingLine>,
    /// What to ask for as `after` to see the next page; none on the last.
    pub next: Option<u32>,
}

/// List players by rating, with class, results and activity.
#[utoipa::path(get, path = "/api/v1/ratings", tag = "players", params(RatingsAsk), responses((status = 200, body = RatingList)))]
pub(crate) async fn list_ratings(
    State(players): State<Players>,
    Params(ask): Params<RatingsAsk>,
) -> Result<Json<RatingList>, ApiError> {
    Ok(Json(players.rating_list(ask).await?))
}

impl Players {
    async fn rating_list(&self, ask: RatingsAsk) -> Result<RatingList, PlayersError> {
        let pools = self.0.store.rated_pools().await?;
        let pool = ask.pool.or_else(|| pools.first().cloned()).unwrap_or_default();
        let titles = &self.0.titles;
        let after = ask.after.unwrap_or(0);
        let (from, below) = match ask.class.as_deref() {
            Some(class) => bounds(titles, class).ok_or(PlayersError::UnknownPool)?,
            None => (None, None),
        };
        let is_active = ask.active.unwrap_or(false);
        let query = RatingQuery {
            name: ask.name.unwrap_or_default().chars().take(60).collect(),
            from,
            below,
            active_since: is_active.then(|| UnixMillis(self.now().0 - ACTIVE)),
            after,
            // One more than is shown: whether there is a next page.
            limit: PAGE + 1,
            pool,
        };
        let mut found = self.0.store.rating_list(&query).await?;
        let is_full = found.len() > PAGE as usize;
        found.truncate(PAGE as usize);
        Ok(RatingList {
            pools,
            classes: names(titles),
            players: found.into_iter().map(|it| self.line(&query.pool, it)).collect(),
            next: is_full.then_some(after.saturating_add(PAGE)),
            pool: query.pool,
        })
    }

    fn line(
        &self,
        pool: &str,
        RatedPlayer { place, account, standing }: RatedPlayer,
    ) -> RatingLine {
        let known = standing_of(&standing);
        let shown = known.shown();
        let system = pool.parse().map(|pool| self.0.pools.rules(&pool).system).unwrap_or_default();
        let provisional = system.is_provisional(&known, Moment(self.now().0));
        let player =
            PlayerView { rating: Some(i64::from(shown)), provisional, ..player_view(&account) };
        RatingLine {
            place,
            player,
            class: self.0.titles.of(shown).map(str::to_owned),
            games: standing.games,
            wins: standing.wins,
            draws: standing.draws,
            losses: standing.losses,
            last_game: standing.last_game,
        }
    }
}

/// The ratings of a class: people see them rounded, so a class begins half a point earlier.
fn bounds(titles: &TitleClasses, class: &str) -> Option<(Option<f64>, Option<f64>)> {
    let own = titles.0.iter().find(|title| title.name == class)?;
    let next = titles.0.iter().map(|title| title.from).filter(|from| *from > own.from).min();
    Some((Some(f64::from(own.from) - 0.5), next.map(|from| f64::from(from) - 0.5)))
}

fn names(titles: &TitleClasses) -> Vec<String> {
    let mut sorted: Vec<_> = titles.0.iter().collect();
    sorted.sort_by_key(|title| std::cmp::Reverse(title.from));
    sorted.into_iter().map(|title| title.name.clone()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_class_has_the_ratings_that_people_see_in_it() {
        let titles = TitleClasses::default();
        assert_eq!(bounds(&titles, "Class A"), Some((Some(1799.5), Some(1999.5))));
        assert_eq!(bounds(&titles, "Senior Master"), Some((Some(2399.5), None)));
        assert_eq!(bounds(&titles, "Wizard"), None);
        assert_eq!(names(&titles)[0], "Senior Master");
    }
}
