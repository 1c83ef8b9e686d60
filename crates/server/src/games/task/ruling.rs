//! The arbiter at a board: every ruling is written together with its reason.

use rules::clock::Halt;
use rules::gmo::Seed;
use rules::{AbortReason, Act, Actor, ByColor, Color, Command, Event, Millis, Outcome, UnixMillis};
use store::{AccountId, NewDecision};

use super::GameTask;
use crate::games::GameError;
use crate::games::render::{Shown, Surroundings};
use crate::games::slow::What;
use crate::games::wire::{ChatLineView, GameView};
use crate::world::Chance;

/// What an arbiter does to a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum RulingAct {
    /// Decides the game, or corrects its result.
    Result(Outcome),
    /// The game does not count.
    Annul,
    /// A game that had ended goes on; its clocks stand until it is resumed.
    Reopen,
    /// Sets the clocks.
    Clocks(ByColor<Option<Millis>>),
    /// Stops the game.
    Adjourn,
    /// Lets it go on.
    Resume,
}

impl RulingAct {
    /// The word in the log of decisions.
    pub(crate) const fn name(&self) -> &'static str {
        match self {
            RulingAct::Result(_) => "result",
            RulingAct::Annul => "annul",
            RulingAct::Reopen => "reopen",
            RulingAct::Clocks(_) => "clocks",
            RulingAct::Adjourn => "adjourn",
            RulingAct::Resume => "resume",
        }
    }

    fn act(self, chance: &Chance) -> Act {
        match self {
            RulingAct::Result(outcome) => Act::SetResult(outcome),
            RulingAct::Annul => Act::SetResult(Outcome::Aborted { by: AbortReason::Arbiter }),
            RulingAct::Reopen => Act::Reopen(Some(Seed(chance.bytes()))),
            RulingAct::Clocks(left) => Act::SetClocks(left),
            RulingAct::Adjourn => Act::Pause(Halt::Arbiter),
            RulingAct::Resume => Act::Resume,
        }
    }

    /// Whether the result may change, and the ratings with it.
    fn changes_result(&self) -> bool {
        matches!(self, RulingAct::Result(_) | RulingAct::Annul | RulingAct::Reopen)
    }
}

/// A ruling with its reason.
#[derive(Debug, Clone)]
pub(crate) struct Ruling {
    pub(crate) arbiter: AccountId,
    pub(crate) act: RulingAct,
    pub(crate) reason: String,
}

impl GameTask {
    /// Does what the arbiter says, with the reason in the log of decisions, and tells everybody.
    pub(super) async fn rule(&mut self, ruling: Ruling) -> Result<(), GameError> {
        // What is still owed for an absence of the storage is given back before: the clocks of a ruling are the last word.
        self.credit_outage().await?;
        let at = self.house.world.time.now();
        let ruling = Ruling { act: self.whole(ruling.act, at), ..ruling };
        let command = Command::new(Actor::Arbiter, at, ruling.act.act(&self.house.world.chance));
        self.carry_out(command, Some(ruling)).await?;
        self.ring(What::Decided);
        // A game that goes on may be waiting for what somebody has planned.
        self.answer_by_plan().await;
        Ok(())
    }

    /// A clock that the arbiter leaves alone goes on from what it shows.
    fn whole(&self, act: RulingAct, at: UnixMillis) -> RulingAct {
        let RulingAct::Clocks(left) = act else { return act };
        RulingAct::Clocks(ByColor::new_with(|side| left[side].or(self.game.left(side, at))))
    }

    /// The game as it is now, with all that was said: for the arbiter, whom no delay and no room keeps out.
    pub(super) fn whole_view(&self) -> GameView {
        let now = self.house.world.time.now();
        let surroundings = Surroundings {
            around: self.around(Some(Color::White)),
            chat: self.talk.lines.iter().flatten().map(ChatLineView::from).collect(),
            can_chat: false,
            muted: Vec::new(),
            ratings: self.ratings.clone(),
            delay: None,
        };
        let (game, players, terms) = (&self.game, &self.players, &self.terms);
        let looks = &self.house.looks;
        let shown = Shown { id: self.id, game, players, terms, version: self.version, looks };
        shown.view(None, surroundings, now)
    }

    /// The decision to be written, once the copy of the game is a step ahead.
    pub(super) fn decision(&self, ruling: Ruling, events: &[Event]) -> Option<NewDecision> {
        let at = events.first()?.at();
        let pool = self.terms.pool.clone().filter(|_| self.terms.rated);
        let recount = pool.filter(|_| ruling.act.changes_result()).map(|pool| {
            let system = self.house.pools.rules(&pool).system;
            (pool, system)
        });
        Some(NewDecision {
            arbiter: ruling.arbiter,
            act: ruling.act.name().to_owned(),
            reason: ruling.reason,
            at,
            before: self.game.outcome().copied(),
            after: self.ahead.outcome().copied(),
            recount,
        })
    }
}
