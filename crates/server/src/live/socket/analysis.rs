//! What a socket asks the engines: one thing at a time.

use super::Connection;
use crate::analysis::Wish;

impl Connection {
    /// Asks an engine; what was asked before is called off.
    pub(super) async fn analyse(&mut self, wish: Wish) {
        self.analysis = None;
        let account = self.account().await;
        let analysis = &self.live.0.analysis;
        self.analysis = Some(analysis.stream(account, wish, self.outbox.clone()));
    }
}
