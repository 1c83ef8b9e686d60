//! What others see of a player: profile, history, chart, head-to-head, the lists of the best; and whom one mutes.
//!
//! Nothing private passes through here: names, ratings and games only. Ratings are computed where games end.

mod boards;
pub mod rating_list;
pub mod routes;
pub mod wire;

use std::sync::Arc;

use ratings::{Moment, Pool, Pools, Standing, System, TitleClasses};
use rules::{Game, Millis, UnixMillis, Variant};
use store::{
    Account, AccountId, Cursor, FinishedGame, GameFilter, GameId, PoolStanding, Profile, Score,
    Sight, Store, StoreError,
};

use crate::gmo::LookKey;
use crate::world::World;
use boards::Boards;
use wire::{GameSummary, PoolView, ProfileView, RatingPoint, ScoreView};

/// Games on a page of a history.
const PAGE: u32 = 10;
/// Names a search gives at most.
const MOST_FOUND: u32 = 20;

/// Why something about a player could not be told or done.
#[derive(Debug, Clone, thiserror::Error)]
pub enum PlayersError {
    /// Nobody of that name has a page.
    #[error("there is no player of this name; guests and former members have no page")]
    Unknown,
    /// There is no such pool.
    #[error("there is no such leaderboard")]
    UnknownPool,
    /// Nobody needs that.
    #[error("you cannot mute yourself")]
    Own,
    /// The store said no.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Tells whether somebody is here at the moment.
pub type Presence = Arc<dyn Fn(AccountId) -> bool + Send + Sync>;

/// The players. Cheap to clone.
#[derive(Clone)]
pub struct Players(Arc<Inner>);

struct Inner {
    store: Store,
    world: World,
    pools: Pools,
    titles: TitleClasses,
    is_online: Presence,
    boards: Boards,
    looks: LookKey,
}

impl Players {
    /// Makes ready to tell about players.
    pub fn new(
        store: Store,
        world: World,
        pools: Pools,
        titles: TitleClasses,
        is_online: Presence,
        looks: LookKey,
    ) -> Players {
        let boards = Boards::default();
        Players(Arc::new(Inner { store, world, pools, titles, is_online, boards, looks }))
    }

    /// Games with no more of their last positions than everybody may see, and with the set-ups of ChessDefender.
    pub(super) async fn summaries(
        &self,
        games: Vec<FinishedGame>,
    ) -> Result<Vec<GameSummary>, PlayersError> {
        let mut summaries = Vec::with_capacity(games.len());
        for mut game in games {
            let text = std::mem::take(&mut game.position);
            game.position = self.0.looks.shown_text(text);
            let set_up = match game.setup.variant {
                Variant::Defender => self.set_up(game.id).await?,
                _ => None,
            };
            summaries.push(GameSummary { set_up, ..GameSummary::from(game) });
        }
        Ok(summaries)
    }

    /// The position in which the chess of a game of Defender began; none if it never did.
    async fn set_up(&self, game: GameId) -> Result<Option<String>, StoreError> {
        let stored = self.0.store.load_game(game).await?;
        // A damaged log has no picture; whoever opens the game is told.
        let game = Game::rebuild(stored.setup, stored.created_at, &stored.events).ok();
        let began = game.as_ref().and_then(|game| game.position_at(game.battle_began()?));
        Ok(began.and_then(|position| position.chess_fen()))
    }

    fn now(&self) -> UnixMillis {
        self.0.world.time.now()
    }

    async fn find(&self, name: &str) -> Result<Profile, PlayersError> {
        self.0.store.find_profile(name).await?.ok_or(PlayersError::Unknown)
    }

    /// Players whose name begins like this.
    pub async fn search(&self, beginning: &str, limit: u32) -> Result<Vec<Account>, PlayersError> {
        let beginning = beginning.trim();
        if beginning.is_empty() {
            return Ok(Vec::new());
        }
        Ok(self.0.store.search_players(beginning, limit.clamp(1, MOST_FOUND)).await?)
    }

    /// Everything the page of a player begins with.
    pub async fn profile(&self, name: &str, viewer: Sight) -> Result<ProfileView, PlayersError> {
        let Profile { account, created_at } = self.find(name).await?;
        let store = &self.0.store;
        let boards = self.boards().await?;
        let standings = store.standings_of(account.id).await?;
        let pools = standings.iter().filter_map(|standing| {
            let rank = boards.rank(&standing.pool, account.id);
            self.pool_view(standing, rank)
        });
        let muted = match viewer.account() {
            Some(viewer) => store.muted_by(viewer).await?.contains(&account.id),
            None => false,
        };
        Ok(ProfileView {
            player: wire::player_view(&account),
            created_at: created_at.0,
            online: (self.0.is_online)(account.id),
            playing: store.running_game_of(account.id, viewer).await?.map(String::from),
            muted,
            pools: pools.collect(),
            totals: ScoreView::from(store.score_of(account.id, None, viewer).await?),
        })
    }

    /// A standing as it is now; none if its pool's name makes no sense.
    fn pool_view(&self, stored: &PoolStanding, rank: Option<u32>) -> Option<PoolView> {
        let pool: Pool = stored.pool.parse().ok()?;
        let system = &self.0.pools.rules(&pool).system;
        let (standing, now) = (standing_of(stored), Moment(self.now().0));
        let deviation = match system {
            System::Glicko2(constants) => constants.deviation_at(&standing, now),
            System::Elo(_) => 0.0,
        };
        Some(PoolView {
            pool: stored.pool.clone(),
            variant: pool.variant().to_owned(),
            speed: pool.speed().name().to_owned(),
            rating: wire::shown(stored.rating),
            deviation: wire::shown(deviation),
            provisional: system.is_provisional(&standing, now),
            class: self.0.titles.of(standing.shown()).map(str::to_owned),
            games: stored.games,
            wins: stored.wins,
            draws: stored.draws,
            losses: stored.losses,
            peak: wire::shown(stored.peak),
            rank,
        })
    }

    /// A page of a player's finished games.
    pub async fn history(
        &self,
        name: &str,
        mut filter: GameFilter,
        opponent: Option<&str>,
        before: Option<Cursor>,
        viewer: Sight,
    ) -> Result<Vec<FinishedGame>, PlayersError> {
        let account = self.find(name).await?.account;
        if let Some(opponent) = opponent {
            // A name that nobody has is an opponent without games.
            let Some(found) = self.0.store.find_profile(opponent).await? else { return Ok(vec![]) };
            filter.opponent = Some(found.account.id);
        }
        let store = &self.0.store;
        let games = store.finished_games_of(account.id, &filter, before, PAGE, viewer).await?;
        Ok(games)
    }

    /// How a rating went.
    pub async fn chart(&self, name: &str, pool: &str) -> Result<Vec<RatingPoint>, PlayersError> {
        let account = self.find(name).await?.account;
        let points = self.0.store.rating_points(account.id, pool).await?;
        let told =
            |(at, rating): (UnixMillis, f64)| RatingPoint { at: at.0, rating: wire::shown(rating) };
        Ok(points.into_iter().map(told).collect())
    }

    /// How two players' games with each other ended, seen from the first, and the last of these games.
    pub async fn versus(
        &self,
        name: &str,
        other: &str,
        viewer: Sight,
    ) -> Result<(Score, Vec<FinishedGame>), PlayersError> {
        let (one, other) = (self.find(name).await?.account, self.find(other).await?.account);
        let score = self.0.store.score_of(one.id, Some(other.id), viewer).await?;
        let filter = GameFilter { opponent: Some(other.id), ..GameFilter::default() };
        let games = self.0.store.finished_games_of(one.id, &filter, None, PAGE, viewer).await?;
        Ok((score, games))
    }

    /// Mutes a player for an account, or hears them again.
    pub async fn set_mute(
        &self,
        by: AccountId,
        name: &str,
        muted: bool,
    ) -> Result<(), PlayersError> {
        let whom = self.find(name).await?.account.id;
        match muted {
            true if whom == by => Err(PlayersError::Own),
            true => Ok(self.0.store.mute(by, whom, self.now()).await?),
            false => Ok(self.0.store.unmute(by, whom).await?),
        }
    }
}

/// A stored standing as the rating systems know it.
fn standing_of(stored: &PoolStanding) -> Standing {
    Standing {
        rating: stored.rating,
        deviation: stored.deviation,
        volatility: stored.volatility,
        games: u32::try_from(stored.games).unwrap_or(u32::MAX),
        peak: stored.peak,
        last_game: stored.last_game.map(Moment),
    }
}

/// How long the lists of the best may be out of date.
const BOARDS_LIVE: Millis = Millis(30_000);
