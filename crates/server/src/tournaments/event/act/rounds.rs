//! Rounds: published whole, changed while nothing has happened in them, taken back.

use std::collections::BTreeSet;

use rules::{ByColor, UnixMillis};
use store::EventState;

use super::super::pace::TAKEN_BACK;
use super::super::{
    BoardPlan, ByeKind, Command, EntryNumber, Event, EventBoard, EventRound, RoundPlan, Standstill,
    System,
};
use super::{Deed, Refused};

impl Event {
    pub(super) fn publish(&mut self, plan: &RoundPlan, now: UnixMillis) -> Result<Deed, Refused> {
        self.in_state(&[EventState::Running])?;
        let next = self.next_round();
        if plan.round != next {
            return Err(Refused::NotNext(next));
        }
        let waits = self.regulations.system != System::Arena && !self.regulations.at_once;
        if waits && !self.is_complete() {
            return Err(Refused::RoundOpen(next - 1));
        }
        if let Some(total) = self.total_rounds()
            && next > total
        {
            return Err(Refused::AllRoundsPlayed(total));
        }
        let byes = self.check_plan(plan)?;
        self.number_as_seated(plan);
        if self.rounds.is_empty() {
            self.last_accelerated = self.accelerated_until();
        }
        self.rounds.push(EventRound {
            number: next,
            published_at: now,
            boards: boards(&plan.boards),
            byes,
        });
        self.due_at = None;
        let detail = format!("round {next}: {} boards", plan.boards.len());
        Ok(Deed::new("published", detail)
            .undone_by(Command::Unpair { round: next, unplayed: false }))
    }

    /// All rounds of a round robin whose games begin together.
    pub(super) fn publish_all(
        &mut self,
        plans: &[RoundPlan],
        now: UnixMillis,
    ) -> Result<Deed, Refused> {
        if !self.regulations.at_once || !self.rounds.is_empty() || plans.is_empty() {
            return Err(Refused::NotNext(self.next_round()));
        }
        for plan in plans {
            self.publish(plan, now)?;
        }
        let boards: usize = plans.iter().map(|plan| plan.boards.len()).sum();
        Ok(Deed::new("published", format!("{} rounds at once: {boards} boards", plans.len())))
    }

    pub(super) fn reseat(&mut self, plan: &RoundPlan) -> Result<Deed, Refused> {
        self.in_state(&[EventState::Running])?;
        let last = self.next_round() - 1;
        if plan.round != last {
            return Err(Refused::LaterRounds);
        }
        self.check_not_begun(last, false)?;
        let byes = self.check_plan(plan)?;
        self.number_as_seated(plan);
        let Some(round) = self.rounds.last_mut() else { return Err(Refused::UnknownBoard) };
        let before = RoundPlan {
            round: last,
            boards: round.boards.iter().map(BoardPlan::from).collect(),
            byes: std::mem::replace(&mut round.byes, byes),
        };
        round.boards = boards(&plan.boards);
        let left = Command::Reseat { plan: RoundPlan { byes: round.byes.clone(), ..plan.clone() } };
        Ok(Deed::new("reseated", format!("round {last}"))
            .undone_by(left.put_back_to(Command::Reseat { plan: before })))
    }

    pub(super) fn unpair(&mut self, round: u16, unplayed: bool) -> Result<Deed, Refused> {
        self.in_state(&[EventState::Running])?;
        if round == 0 || round != self.next_round() - 1 {
            return Err(Refused::LaterRounds);
        }
        self.check_not_begun(round, unplayed)?;
        if self.decisions.iter().any(|decision| decision.after >= round) {
            return Err(Refused::DecidedSince);
        }
        let Some(gone) = self.rounds.pop() else { return Err(Refused::UnknownBoard) };
        self.reporters.retain(|other| other.round != round);
        if self.rounds.is_empty() {
            self.last_accelerated = None;
            // Numbers that followed the seats follow nothing any more.
            self.number_anew();
        }
        if self.regulations.online && self.regulations.pace.automatic {
            // It would be paired again at once: whoever took it back has a reason, and something to do first.
            let reason = format!("round {round} was taken back");
            self.stuck = Some(Standstill { code: TAKEN_BACK.to_owned(), reason });
        }
        let deed = Deed::new("unpaired", format!("round {round}"));
        if gone.boards.iter().any(|board| board.game.is_some()) {
            // Its games are annulled: another round gets others.
            return Ok(deed);
        }
        let boards = gone.boards.iter().map(BoardPlan::from).collect();
        let plan = RoundPlan { round, boards, byes: gone.byes };
        Ok(deed.undone_by(Command::Publish { plan }))
    }

    /// Whether a round may still be changed.
    pub fn may_change(&self, round: u16) -> bool {
        self.may_unpair(round) && self.check_not_begun(round, false).is_ok()
    }

    /// Whether a round may still be taken back, as far as the event knows: in its games no move was made.
    pub fn may_unpair(&self, round: u16) -> bool {
        self.state == EventState::Running
            && round + 1 == self.next_round()
            && !matches!(self.regulations.system, System::Arena)
            && !self.regulations.at_once
            && self.check_not_begun(round, true).is_ok()
            && self.decisions.iter().all(|decision| decision.after < round)
    }

    /// A round has begun when a game runs or somebody has a result that they played for.
    fn check_not_begun(&self, round: u16, unplayed: bool) -> Result<(), Refused> {
        let Some(found) = self.round(round) else { return Err(Refused::UnknownBoard) };
        let has_begun = |board: &EventBoard| {
            let preset = self.preset_result(board.players);
            (board.game.is_some() && !unplayed)
                || (board.result.is_some() && board.result != preset)
        };
        if found.boards.iter().any(has_begun) { Err(Refused::RoundBegun(round)) } else { Ok(()) }
    }

    /// Everybody once, and nobody else. Gives the byes, with those that follow from who does not play.
    fn check_plan(&self, plan: &RoundPlan) -> Result<Vec<(EntryNumber, ByeKind)>, Refused> {
        let mut seen = BTreeSet::new();
        let at_boards = plan.boards.iter().flat_map(|board| [board.white, board.black]);
        let free = plan.byes.iter().map(|(player, _)| *player);
        for player in at_boards.chain(free) {
            let known = self.player(player).ok_or(Refused::UnknownPlayer(player))?;
            if known.seed.is_none() {
                return Err(Refused::NotPlaying(known.name.clone()));
            }
            if !seen.insert(player) {
                return Err(Refused::PairedTwice(known.name.clone()));
            }
        }
        self.check_bracket_round(plan)?;
        if self.regulations.system == System::Arena {
            let mut open = self.rounds.iter().flat_map(|round| &round.boards);
            let still = open.find_map(|board| {
                let sits = [board.players.white, board.players.black];
                let both = sits.into_iter().find(|player| seen.contains(player));
                both.filter(|_| board.result.is_none())
            });
            if let Some(player) = still {
                return Err(Refused::StillPlays(self.name_of(player)));
            }
        }
        let mut byes = plan.byes.clone();
        let forgotten = self.seeded().into_iter().filter(|player| !seen.contains(&player.number));
        match self.regulations.system {
            // Those who are out, or who wait for the next wave, have no place in the round.
            System::Knockout | System::Arena => {}
            System::Swiss | System::RoundRobin | System::DoubleRoundRobin => {
                for player in forgotten {
                    let bye =
                        player.bye_in(plan.round).or((!player.plays()).then_some(ByeKind::Zero));
                    let bye = bye.ok_or_else(|| Refused::NotPaired(player.name.clone()))?;
                    byes.push((player.number, bye));
                }
            }
        }
        byes.sort_unstable_by_key(|(player, _)| *player);
        Ok(byes)
    }
}

impl From<&EventBoard> for BoardPlan {
    fn from(board: &EventBoard) -> BoardPlan {
        let ByColor { white, black } = board.players;
        BoardPlan { white, black, result: board.result, game: board.game }
    }
}

fn boards(plans: &[BoardPlan]) -> Vec<EventBoard> {
    let board = |(plan, number): (&BoardPlan, u16)| EventBoard {
        number,
        players: ByColor { white: plan.white, black: plan.black },
        game: plan.game,
        result: plan.result,
        reports: ByColor::same(None),
    };
    plans.iter().zip(1..).map(board).collect()
}
