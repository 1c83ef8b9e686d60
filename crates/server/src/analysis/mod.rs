//! Analysis: positions played out, engines asked, trees kept, games reported on.
//!
//! No rule of chess is here, and no engine: `rules` and `engine` have them. What is decided here is who may ask what
//! ([`fair_play`]), how it is told, and what is kept.

mod error;
pub mod fair_play;
mod kept;
mod lines;
mod position;
pub mod report;
pub mod routes;
mod stream;
mod studies;
mod tree;
pub mod wire;

use std::sync::Arc;

use engine::pool::Pool;
use prometheus_client::metrics::counter::Counter;
use store::{Sight, Store};

use crate::games::Games;
use crate::world::World;
pub use error::AnalysisError;
use fair_play::FairPlay;
pub(crate) use kept::Kept;
pub(crate) use position::Line;
use report::Reports;
pub(crate) use stream::{Stream, Wish};
pub(crate) use tree::positions_of;
use wire::{EngineView, PositionQuestion, PositionView};

/// Everything about analysis. Cheap to clone.
#[derive(Clone)]
pub struct Analysis(Arc<Inner>);

struct Inner {
    store: Store,
    world: World,
    games: Games,
    pool: Pool,
    fair_play: FairPlay,
    reports: Reports,
}

impl Analysis {
    /// Opens the room; reports that were not done before the last stop go on.
    pub fn start(
        store: Store,
        world: World,
        games: Games,
        pool: Pool,
        searches: Counter,
    ) -> Analysis {
        let fair_play = FairPlay::new(games.clone());
        let reports =
            Reports::start(store.clone(), world.clone(), games.clone(), pool.clone(), searches);
        Analysis(Arc::new(Inner { store, world, games, pool, fair_play, reports }))
    }

    fn store(&self) -> &Store {
        &self.0.store
    }

    fn world(&self) -> &World {
        &self.0.world
    }

    /// Who may be helped with what.
    pub fn fair_play(&self) -> &FairPlay {
        &self.0.fair_play
    }

    /// Reports of games.
    pub fn reports(&self) -> &Reports {
        &self.0.reports
    }

    /// Plays a line out and shows where it leads.
    pub async fn position(
        &self,
        sight: Sight,
        question: &PositionQuestion,
    ) -> Result<PositionView, AnalysisError> {
        Ok(self.line(sight, question).await?.view())
    }

    /// A line that somebody may look at.
    pub(crate) async fn line(
        &self,
        sight: Sight,
        question: &PositionQuestion,
    ) -> Result<Line, AnalysisError> {
        let line = Line::play(&self.0.games, sight, question).await?;
        self.0.fair_play.may_ask(sight.account(), line.variant, &line.positions).await?;
        Ok(line)
    }

    /// Who can be asked, the usual engine first. Whoever wants to know will ask soon: they are got ready.
    pub fn engines(&self) -> Vec<EngineView> {
        let pool = self.0.pool.clone();
        tokio::spawn(async move { pool.warm_up().await });
        self.0.pool.engines().into_iter().map(EngineView::from).collect()
    }
}
