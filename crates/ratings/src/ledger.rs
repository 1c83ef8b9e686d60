//! All standings of a pool, game after game. Recomputing is playing the same games again.

use std::collections::BTreeMap;

use crate::{Context, Score, Standing, System, rate};

/// A finished rated game of a pool.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Played<Player> {
    /// Who had White.
    pub white: Player,
    /// Who had Black.
    pub black: Player,
    /// How it ended.
    pub score: Score,
    /// When, and how old the players are.
    pub context: Context,
}

/// What a game did to one player; stored with the game.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Change {
    /// The standing before.
    pub before: Standing,
    /// The standing after.
    pub after: Standing,
}

/// The standings of one pool.
///
/// To correct or annul a result, begin with the standings before that game (each player's `before` of the first game
/// from there on) and play what followed; beginning with the first game of all gives the same numbers.
#[derive(Debug, Clone, PartialEq)]
pub struct Ledger<Player> {
    system: System,
    standings: BTreeMap<Player, Standing>,
}

impl<Player: Ord + Clone> Ledger<Player> {
    /// A pool nobody has played in; whoever claims a rating of his own is entered first.
    pub fn new(system: System) -> Self {
        Ledger { system, standings: BTreeMap::new() }
    }

    /// Enters a player with a standing, at the beginning or at the point from which to recompute.
    pub fn enter(&mut self, player: Player, standing: Standing) {
        self.standings.insert(player, standing);
    }

    /// A player's standing; a newcomer's if there is none yet.
    pub fn standing(&self, player: &Player) -> Standing {
        self.standings.get(player).copied().unwrap_or_else(|| self.system.newcomer(None))
    }

    /// Counts a game; what it did to White and to Black.
    pub fn play(&mut self, game: &Played<Player>) -> (Change, Change) {
        let (white, black) = (self.standing(&game.white), self.standing(&game.black));
        let (new_white, new_black) = rate(&self.system, &white, &black, game.score, &game.context);
        self.enter(game.white.clone(), new_white);
        self.enter(game.black.clone(), new_black);
        (Change { before: white, after: new_white }, Change { before: black, after: new_black })
    }

    /// All who have a standing.
    pub fn standings(&self) -> &BTreeMap<Player, Standing> {
        &self.standings
    }
}
