//! After a start of the server: who was at a board needs a moment to find the way back, and is not charged for it.

use rules::{Act, Actor, ByColor, Color, Command, UnixMillis};
use store::Account;

use super::GameTask;

/// How long the side to act is waited for at most.
const GRACE: i64 = 15_000;

/// Until when each player is waited for, in a game that has come back with the server. Bots are there at once.
pub(super) fn due_back(
    players: &ByColor<Account>,
    back_since: Option<UnixMillis>,
) -> ByColor<Option<UnixMillis>> {
    let until = back_since.map(|since| UnixMillis(since.0 + GRACE));
    ByColor::new_with(|side| until.filter(|_| !players[side].is_bot()))
}

impl GameTask {
    /// Until when the flag of the side to act cannot fall: it has not been seen since the server came back.
    pub(super) fn awaited_until(&self) -> Option<UnixMillis> {
        let side = self.game.to_act().filter(|_| self.game.paused().is_none())?;
        // Whose turn began later than that has been waited for.
        let turn_began = self.game.clocks().thinking_since()?;
        self.due_back[side].filter(|until| *until > turn_began)
    }

    /// A player is back, or has been waited for long enough: from here on time is charged again.
    pub(super) async fn end_grace(&mut self, side: Color) {
        let since = self.awaited_until().map(|until| UnixMillis(until.0 - GRACE));
        self.due_back[side] = None;
        if self.terms.host.is_some() {
            self.due_back[side.other()] = None;
        }
        let now = self.house.world.time.now();
        let is_charged = self.game.clocks().thinking_since().is_some_and(|began| began < now);
        let Some(since) = since.filter(|_| self.game.to_act() == Some(side) && is_charged) else {
            return;
        };
        // If this cannot be written the game is held, and gives back as much when it goes on.
        let _ = self.act(Command::new(Actor::Server, now, Act::CreditDowntime { since })).await;
    }
}
