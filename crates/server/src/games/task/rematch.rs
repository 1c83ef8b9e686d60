//! A rematch on offer while the board is still set up: it goes with whoever offers it.

use rules::UnixMillis;
use store::StoreError;

use super::{GameTask, LINGER};

impl GameTask {
    /// When the rematch on offer ends because whoever offers it has left. After a game of days nobody has to be there.
    pub(super) fn rematch_ends(&self) -> Option<UnixMillis> {
        let offer = self.rematch.filter(|offer| offer.game.is_none() && !offer.declined)?;
        let since = self.gone_since[offer.by].filter(|_| self.game.setup().time.is_live())?;
        Some(UnixMillis(since.0 + LINGER))
    }

    /// Takes back, for whoever has left, what they had offered.
    pub(super) async fn end_rematch(&mut self, now: UnixMillis) {
        if self.rematch_ends().is_none_or(|due| due > now) {
            return;
        }
        let Some(offer) = self.rematch.take() else { return };
        match self.house.store.withdraw_rematch(self.id, self.players[offer.by].id).await {
            // Accepted or taken back just now: whoever did that tells it.
            Ok(()) | Err(StoreError::Conflict) => {}
            // It ends by its own time, and is shown no more.
            Err(error) => tracing::warn!(game = %self.id, %error, "a rematch was not taken back"),
        }
        self.tell_around();
    }
}
