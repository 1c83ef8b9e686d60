//! What a socket asks the engines: one thing at a time.

use store::Sight;

use super::Connection;
use crate::analysis::Wish;

impl Connection {
    /// Asks an engine; what was asked before is called off.
    pub(super) async fn analyse(&mut self, wish: Wish) {
        self.analysis = None;
        self.account().await;
        let sight = Sight::from(&self.visitor);
        let analysis = &self.live.0.analysis;
        self.analysis = Some(analysis.stream(sight, wish, self.outbox.clone()));
    }
}
