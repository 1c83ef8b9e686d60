//! Which games are played without engines.

use rules::Color;

use super::GameTask;
use crate::defender::is_single;

impl GameTask {
    /// Whether engines may not be asked about this game while it runs.
    ///
    /// Two people who take their time have said it themselves; elsewhere a rating decides, or a place among the best. A
    /// bot has nothing to lose, and such a game may stand for years.
    pub(super) fn is_guarded(&self) -> bool {
        let setup = self.game.setup();
        let is_among_people = !Color::ALL.iter().any(|side| self.players[*side].is_bot());
        let is_slow = !setup.time.is_live() && self.terms.host.is_none() && is_among_people;
        self.terms.rated || is_single(&self.game) || (is_slow && !setup.engines)
    }
}
