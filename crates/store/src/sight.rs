//! Who may see which game: the one rule, for values and for queries.
//!
//! A public game is seen by everybody, a private one by its two players, by arbiters, and by those who play in the
//! private event to which it belongs. To anybody else a private game is one that does not exist.

use rules::{ByColor, Color};

use crate::AccountId;

/// Who looks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Sight {
    /// Somebody of whom nothing is known.
    #[default]
    Stranger,
    /// Somebody with an account.
    Account(AccountId),
    /// An arbiter, who sees every game.
    Arbiter(AccountId),
}

impl Sight {
    /// The account that looks.
    pub fn account(self) -> Option<AccountId> {
        match self {
            Sight::Stranger => None,
            Sight::Account(id) | Sight::Arbiter(id) => Some(id),
        }
    }

    /// Whether a game between these two is seen, if it belongs to no event.
    pub fn sees(self, is_private: bool, players: &ByColor<AccountId>) -> bool {
        match self {
            _ if !is_private => true,
            Sight::Stranger => false,
            Sight::Arbiter(_) => true,
            Sight::Account(id) => id == players[Color::White] || id == players[Color::Black],
        }
    }

    /// What [`is_seen!`] compares with: an id, or a word that is none.
    pub(crate) fn bound(self) -> String {
        match self {
            Sight::Stranger => String::new(),
            Sight::Account(id) => id.into(),
            Sight::Arbiter(_) => "*".to_owned(),
        }
    }
}

impl From<Option<AccountId>> for Sight {
    fn from(account: Option<AccountId>) -> Self {
        account.map_or(Sight::Stranger, Sight::Account)
    }
}

impl From<AccountId> for Sight {
    fn from(account: AccountId) -> Self {
        Sight::Account(account)
    }
}

/// The same rule as a condition on rows of `game`; the parameter is [`Sight::bound`].
macro_rules! is_seen {
    ($parameter:literal) => {
        concat!(
            "(game.private = 0 OR ",
            $parameter,
            " IN ('*', game.white_id, game.black_id) OR EXISTS (
                SELECT 1 FROM event_board JOIN event_player ON event_player.event_id = event_board.event_id
                WHERE event_board.game_id = game.id AND event_player.account_id = ",
            $parameter,
            "))"
        )
    };
}
pub(crate) use is_seen;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_private_game_is_seen_by_its_players_and_by_arbiters_alone() {
        let [white, black, other] = [1, 2, 3].map(AccountId::from_bits);
        let players = ByColor { white, black };
        for (sight, sees_private) in [
            (Sight::Stranger, false),
            (Sight::Account(white), true),
            (Sight::Account(black), true),
            (Sight::Account(other), false),
            (Sight::Arbiter(other), true),
        ] {
            assert_eq!(sight.sees(true, &players), sees_private, "{sight:?}");
            assert!(sight.sees(false, &players), "{sight:?}");
        }
    }
}
