//! From draft to final table, and what may still be changed on the way.

use std::cmp::Reverse;

use pairing::PairingNumber;
use pairing::model::Title;
use rules::UnixMillis;
use store::{AccountId, EntryState, EventState, EventVisibility};

use super::super::{
    Command, Entrant, Event, EventArbiter, EventRound, FirstColor, Regulations, Standstill, System,
};
use super::{Deed, Refused};
use crate::accounts::fields::FieldProblem;

/// The longest name of an event.
const LONGEST_NAME: usize = 120;
/// Arbiters of one event.
const MOST_ARBITERS: usize = 50;

impl Event {
    pub(super) fn describe(
        &mut self,
        name: &str,
        visibility: &str,
        starts_at: Option<UnixMillis>,
        regulations: Regulations,
    ) -> Result<Deed, Refused> {
        let name = name.trim();
        let mut problems = regulations.problems();
        if self.state >= EventState::Running {
            // What it runs with already is not what somebody changes now.
            let old = self.regulations.problems();
            problems.retain(|problem| !old.contains(problem));
        }
        if name.is_empty() || name.chars().count() > LONGEST_NAME {
            problems.push(FieldProblem::new(
                "name",
                "bad_name",
                "an event has a name of at most 120 characters",
            ));
        }
        let visibility = parse_visibility(visibility);
        if visibility.is_none() {
            problems.push(FieldProblem::new(
                "visibility",
                "unknown",
                "an event is public, unlisted or private",
            ));
        }
        let Some(visibility) = visibility.filter(|_| problems.is_empty()) else {
            return Err(Refused::Fields(problems));
        };
        if self.state >= EventState::Running {
            self.check_locks(&regulations)?;
            // Games are private or not from their beginning on.
            let was_private = self.visibility == EventVisibility::Private;
            let has_games = self.regulations.online && !self.rounds.is_empty();
            if has_games && was_private != (visibility == EventVisibility::Private) {
                return Err(Refused::Locked("whether its games are private"));
            }
        }
        let before = Command::Describe {
            name: std::mem::replace(&mut self.name, name.to_owned()),
            visibility: std::mem::replace(&mut self.visibility, visibility).as_str().to_owned(),
            starts_at: std::mem::replace(&mut self.starts_at, starts_at),
            regulations: Box::new(std::mem::replace(&mut self.regulations, regulations)),
        };
        Ok(Deed::new("described", name).undone_by(self.description().put_back_to(before)))
    }

    /// Names somebody an arbiter of this event, or takes it back.
    pub(super) fn name_arbiter(
        &mut self,
        account: AccountId,
        name: String,
        named: bool,
    ) -> Result<Deed, Refused> {
        if self.is_arbiter(account) == named {
            return Err(Refused::NothingToDo);
        }
        if named && self.arbiters.len() >= MOST_ARBITERS {
            return Err(Refused::Full(u16::try_from(MOST_ARBITERS).unwrap_or(u16::MAX)));
        }
        self.arbiters.retain(|other| other.account != account);
        if named {
            self.arbiters.push(EventArbiter { account, name: name.clone() });
        }
        let act = if named { "arbiter_named" } else { "arbiter_dismissed" };
        let undo = Command::NameArbiter { account, name: name.clone(), named: !named };
        Ok(Deed::new(act, name).undone_by(undo))
    }

    /// What would describe it as it is.
    pub(super) fn description(&self) -> Command {
        Command::Describe {
            name: self.name.clone(),
            visibility: self.visibility.as_str().to_owned(),
            starts_at: self.starts_at,
            regulations: Box::new(self.regulations.clone()),
        }
    }

    /// What a running event rests on stays.
    fn check_locks(&self, new: &Regulations) -> Result<(), Refused> {
        let old = &self.regulations;
        let locks = [
            (old.system == new.system, "the system"),
            (old.online == new.online, "where it is played"),
            (old.variant == new.variant && old.start == new.start, "the variant"),
            (old.rated == new.rated, "whether it is rated"),
            (old.points == new.points, "the points"),
            (old.first_color == new.first_color, "the first colour"),
            (old.accelerated == new.accelerated, "the acceleration"),
            (old.knockout == new.knockout, "the bracket"),
            (old.arena == new.arena, "the arena"),
            (old.at_once == new.at_once, "whether all games begin at once"),
        ];
        if let Some((_, what)) = locks.iter().find(|(same, _)| !same) {
            return Err(Refused::Locked(what));
        }
        let played = self.next_round() - 1;
        if new.system == System::Swiss && new.rounds < played {
            return Err(Refused::AllRoundsPlayed(played));
        }
        let finished = self.state == EventState::Finished;
        if finished && (old.tie_breaks != new.tie_breaks || old.rounds != new.rounds) {
            return Err(Refused::Locked("the order of the table"));
        }
        Ok(())
    }

    pub(super) fn go_to(
        &mut self,
        to: &str,
        lot_is_white: bool,
        now: UnixMillis,
    ) -> Result<Deed, Refused> {
        use EventState::{CheckIn, Draft, Finished, Registration, Running};
        let from = self.state;
        let no_step = || Refused::NoSuchStep { from, to: to.to_owned() };
        let target = [Draft, Registration, CheckIn, Running, Finished]
            .into_iter()
            .find(|state| state.as_str() == to)
            .ok_or_else(no_step)?;
        match (from, target) {
            (Draft | Registration | CheckIn, Draft | Registration | CheckIn) if from != target => {}
            (Draft | Registration | CheckIn, Running) => self.begin(lot_is_white, now)?,
            (Running, CheckIn | Registration) if self.rounds.is_empty() => self.unseed(),
            (Running, Finished) if self.rounds.iter().all(EventRound::is_complete) => {
                self.due_at = None;
                self.reopened = false;
            }
            (Running, Finished) => return Err(Refused::RoundOpen(self.next_round() - 1)),
            // Somebody wants to correct something: it would be over again before they could.
            (Finished, Running) => self.reopened = true,
            _ => return Err(no_step()),
        }
        self.state = target;
        let deed = Deed::new("moved", format!("{} → {}", from.as_str(), target.as_str()));
        let may_return = self.rounds.is_empty() || target == Finished;
        Ok(if may_return {
            let step = |state: EventState| Command::Move {
                state: state.as_str().to_owned(),
                lot_is_white,
            };
            deed.undone_by(step(target).put_back_to(step(from)))
        } else {
            deed
        })
    }

    /// Waits for the director. Not if something was done meanwhile: that may have been what it waits for.
    pub(super) fn stand_still(&mut self, version: i64, why: Standstill) -> Result<Deed, Refused> {
        if self.version != version {
            return Err(Refused::ChangedSince);
        }
        let deed = Deed::new("stuck", why.reason.clone());
        self.stuck = Some(why);
        Ok(deed)
    }

    /// Gives everybody who is there a number by strength. After a check-in, who did not come has withdrawn.
    fn begin(&mut self, lot_is_white: bool, now: UnixMillis) -> Result<(), Refused> {
        if self.state == EventState::CheckIn {
            for player in
                self.players.iter_mut().filter(|player| player.state == EntryState::Entered)
            {
                player.state = EntryState::Withdrawn;
                self.absent.push(player.number);
            }
        }
        let is_arena = self.regulations.system == System::Arena;
        let mut order: Vec<&mut Entrant> =
            self.players.iter_mut().filter(|player| player.plays()).collect();
        if order.len() < 2 && !is_arena {
            return Err(Refused::TooFewPlayers);
        }
        order.sort_by_cached_key(|player| strength(player));
        for (player, seed) in order.into_iter().zip(1..) {
            player.seed = Some(PairingNumber(seed));
        }
        if self.regulations.first_color == FirstColor::Lot {
            self.regulations.first_color =
                if lot_is_white { FirstColor::White } else { FirstColor::Black };
            self.lot_drawn = true;
        }
        if is_arena {
            self.ends_at =
                Some(UnixMillis(now.0 + i64::from(self.regulations.arena.minutes) * 60_000));
        }
        Ok(())
    }

    /// The regulations as they were before the lot was drawn: another beginning draws anew.
    pub(crate) fn regulations_before_lot(&self) -> Regulations {
        let mut regulations = self.regulations.clone();
        if self.lot_drawn {
            regulations.first_color = FirstColor::Lot;
        }
        regulations
    }

    fn unseed(&mut self) {
        self.regulations = self.regulations_before_lot();
        self.lot_drawn = false;
        self.due_at = None;
        self.ends_at = None;
        self.drawn.clear();
        // Matches that were decided before the first round belong to the bracket that is gone.
        self.decisions.clear();
        for player in &mut self.players {
            player.seed = None;
            // Another beginning finds out anew who is there.
            if self.absent.contains(&player.number) && player.state == EntryState::Withdrawn {
                player.state = EntryState::Entered;
            }
        }
        self.absent.clear();
    }
}

/// What the starting list goes by (C.04.2): rating, title, name; at last the order of entry.
pub(super) fn strength(player: &Entrant) -> impl Ord + use<> {
    let title = player.details.title.as_deref().and_then(parse_title);
    (Reverse(player.details.rating), title.is_none(), title, player.name.clone(), player.number)
}

/// A title by its abbreviation.
pub(crate) fn parse_title(text: &str) -> Option<Title> {
    serde_json::from_value(serde_json::Value::String(text.to_uppercase())).ok()
}

fn parse_visibility(text: &str) -> Option<EventVisibility> {
    [EventVisibility::Public, EventVisibility::Unlisted, EventVisibility::Private]
        .into_iter()
        .find(|visibility| visibility.as_str() == text)
}
