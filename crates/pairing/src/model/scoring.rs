//! What a result is worth.

use serde::{Deserialize, Serialize};

use super::{Bye, Entry, GameResult, Points};

/// The points an event gives for each kind of result.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Scoring {
    /// A game won.
    pub win: Points,
    /// A game drawn.
    pub draw: Points,
    /// A game lost.
    pub loss: Points,
    /// A game won because the opponent did not come.
    pub forfeit_win: Points,
    /// A game lost by not coming.
    pub forfeit_loss: Points,
    /// The pairing-allocated bye.
    pub pairing_bye: Points,
    /// A full-point bye.
    pub full_bye: Points,
    /// A half-point bye.
    pub half_bye: Points,
    /// A zero-point bye: absent, withdrawn, not yet arrived.
    pub zero_bye: Points,
}

impl Default for Scoring {
    fn default() -> Scoring {
        Scoring::new(Points::ONE, Points::HALF, Points::ZERO)
    }
}

impl Scoring {
    /// Scoring with these values for played games; byes count what they stand for, absence nothing.
    pub const fn new(win: Points, draw: Points, loss: Points) -> Scoring {
        Scoring {
            win,
            draw,
            loss,
            forfeit_win: win,
            forfeit_loss: Points::ZERO,
            pairing_bye: win,
            full_bye: win,
            half_bye: draw,
            zero_bye: Points::ZERO,
        }
    }

    /// The points of one round's entry.
    pub const fn points(&self, entry: &Entry) -> Points {
        match entry {
            Entry::Game { result, .. } => self.game(*result),
            Entry::Forfeit { won: true, .. } => self.forfeit_win,
            Entry::Forfeit { won: false, .. } => self.forfeit_loss,
            Entry::Bye(bye) => self.bye(*bye),
        }
    }

    /// The points of a game played.
    pub const fn game(&self, result: GameResult) -> Points {
        match result {
            GameResult::Win => self.win,
            GameResult::Draw => self.draw,
            GameResult::Loss => self.loss,
        }
    }

    /// The points of a bye.
    pub const fn bye(&self, bye: Bye) -> Points {
        match bye {
            Bye::Full => self.full_bye,
            Bye::Half => self.half_bye,
            Bye::Zero => self.zero_bye,
            Bye::PairingAllocated => self.pairing_bye,
        }
    }
}
