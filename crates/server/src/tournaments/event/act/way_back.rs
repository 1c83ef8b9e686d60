//! Taking an action back where somebody may have changed the same thing since.
//!
//! What the action left is remembered with it. If it is no longer there, the way back would undo the work of somebody
//! else, and is refused.

use rules::UnixMillis;

use super::super::{Command, EntryNumber, Event, Person, RoundPlan};
use super::{Deed, Refused};

impl Event {
    pub(super) fn put_back(
        &mut self,
        from: &Command,
        to: Command,
        now: UnixMillis,
    ) -> Result<Deed, Refused> {
        if self.is_as_left_by(from) { self.act(to, now) } else { Err(Refused::ChangedSince) }
    }

    /// Whether nobody has touched since what a command made.
    fn is_as_left_by(&self, command: &Command) -> bool {
        match command {
            Command::Describe { .. } => *command == self.description(),
            Command::Edit { player, person } => self.is_person(*player, person),
            Command::SetBye { player, round, bye } => {
                self.player(*player).is_some_and(|player| player.bye_in(*round) == *bye)
            }
            Command::Reseat { plan } => self.is_seated(plan),
            Command::Number { order, .. } => self.drawn == *order,
            Command::Move { state, .. } => self.state.as_str() == state,
            _ => false,
        }
    }

    /// Byes are set by themselves: they are no part of what is known of somebody.
    fn is_person(&self, player: EntryNumber, left: &Person) -> bool {
        self.player(player).is_some_and(|player| {
            let mut details = left.details.clone();
            details.byes.clone_from(&player.details.byes);
            player.name == left.name && player.details == details
        })
    }

    /// Results may have come since: what is judged here is who sits where.
    fn is_seated(&self, left: &RoundPlan) -> bool {
        let then = left.boards.iter().map(|board| (board.white, board.black));
        self.round(left.round).is_some_and(|round| {
            let now = round.boards.iter().map(|board| (board.players.white, board.players.black));
            now.eq(then) && round.byes == left.byes
        })
    }
}
