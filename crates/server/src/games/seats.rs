//! Who sits at a board and who may look at it. The rule itself is [`store::Sight`], which queries use too.

use rules::{ByColor, Color};
use store::{Account, AccountId, Sight};

use crate::accounts::Visitor;

/// Who sits at a board, and whether others may look on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Seats {
    pub(crate) players: ByColor<AccountId>,
    pub(crate) is_private: bool,
    /// Who makes the moves of both sides, if they sit at one computer.
    pub(crate) host: Option<AccountId>,
}

impl Seats {
    pub(crate) fn new(
        players: &ByColor<Account>,
        is_private: bool,
        host: Option<AccountId>,
    ) -> Seats {
        let players = ByColor { white: players[Color::White].id, black: players[Color::Black].id };
        Seats { players, is_private, host }
    }

    /// Everybody who has to do with the game: the players, and whose computer it is.
    pub(crate) fn everybody(&self) -> impl Iterator<Item = AccountId> + use<> {
        [self.players.white, self.players.black].into_iter().chain(self.host)
    }

    /// Whether somebody may know of the game.
    pub(crate) fn visible_to(&self, sight: Sight) -> bool {
        let is_host = self.host.is_some() && self.host == sight.account();
        is_host || sight.sees(self.is_private, &self.players)
    }

    /// Whether somebody sits at the board, and sees it as it is.
    pub(crate) fn include(&self, account: Option<AccountId>) -> bool {
        account.is_some_and(|account| self.everybody().any(|it| it == account))
    }
}

/// Arbiters, and who may do what they may, see every game. A program sees as much only if its key is for such work.
impl From<&Visitor> for Sight {
    fn from(visitor: &Visitor) -> Sight {
        let is_arbiter =
            visitor.roles.arbiter || visitor.roles.director || visitor.roles.administrator;
        let may_look = visitor.scopes.is_none_or(|scopes| scopes.tournament || scopes.admin);
        match visitor.account_id() {
            Some(id) if is_arbiter && may_look => Sight::Arbiter(id),
            account => Sight::from(account),
        }
    }
}
