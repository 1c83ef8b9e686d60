//! What a game tells the bots: that something has happened, and everything there is to see.

use rules::{ByColor, Color, Game, UnixMillis};
use store::{Account, AccountId};

use super::{GameTask, RematchView};

/// A game as it is.
pub struct Snapshot {
    /// The game, with all it knows.
    pub game: Game,
    /// Who plays.
    pub players: ByColor<AccountId>,
    /// Who makes the moves of both sides, if it is played at one computer.
    pub host: Option<AccountId>,
    /// Whether it counts.
    pub is_rated: bool,
    /// The rematch that was offered.
    pub rematch: Option<RematchView>,
}

impl GameTask {
    /// Lets the bots know that something has happened.
    pub(super) fn call_bots(&self) {
        if Color::ALL.iter().any(|side| self.players[*side].is_bot()) {
            self.house.bell.ring(self.id);
        }
    }

    pub(super) fn snapshot(&self) -> Snapshot {
        let players = ByColor::new_with(|side| self.players[side].id);
        let (game, is_rated, rematch) = (self.game.clone(), self.terms.rated, self.rematch);
        Snapshot { game, players, host: self.terms.host, is_rated, rematch }
    }
}

/// Nobody is here yet when a game's task begins, and everybody gets the time to come back. Bots are always here.
pub(super) fn all_gone(players: &ByColor<Account>, now: UnixMillis) -> ByColor<Option<UnixMillis>> {
    ByColor::new_with(|side| (!players[side].is_bot()).then_some(now))
}
