//! A game as a pure state machine: commands in, events or a refusal out; events alone rebuild it.
//!
//! The game knows no clock and no chance. `decide` judges a command and changes nothing; the caller stores the events
//! and then applies them, so nothing is visible before it is durable.

mod apply;
mod command;
mod decide;
mod event;
mod refusal;
mod rules;
mod setup;

pub use command::{AbandonmentClaim, Act, Actor, Command};
pub use event::Event;
pub use refusal::{Corrupt, Refusal};
pub use rules::{ClockStart, DrawsBy, RuleSet};
pub use setup::{Setup, SetupError, Variant};

use crate::clock::{Clocks, Halt};
use crate::outcome::Outcome;
use crate::position::{Action, Position};
use crate::units::{ByColor, Color, Millis, Ply, UnixMillis};

/// A game: its position, record, clocks and offers, or its end.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Game {
    setup: Setup,
    started: UnixMillis,
    position: Position,
    /// The record, one entry per ply.
    actions: Vec<Action>,
    /// Identity of every position, the first one included.
    hashes: Vec<u64>,
    /// What the mover had on the clock after each ply; empty if there is no clock.
    lefts: Vec<Millis>,
    clocks: Clocks,
    offers: Offers,
    outcome: Option<Outcome>,
}

/// What is on the table.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub struct Offers {
    /// Who offers a draw.
    pub draw: Option<Color>,
    /// Who wants to take back, and to which ply the game would go.
    pub takeback: Option<(Color, Ply)>,
    /// When each side last offered a draw: one offer for one move.
    last_draw: ByColor<Option<Ply>>,
    /// The same for takebacks.
    last_takeback: ByColor<Option<Ply>>,
}

impl Game {
    /// Begins a game; the clock of the side to act counts from `at`, or once the rules start it.
    pub fn new(setup: Setup, at: UnixMillis) -> Result<Game, SetupError> {
        setup.time.check()?;
        let (position, passes) = setup.position()?;
        if position.outcome().is_some() {
            return Err(SetupError::AlreadyOver);
        }
        let clocks = Clocks::new(&setup.time);
        let hashes = vec![position.hash()];
        let mut game = Game {
            setup,
            started: at,
            position,
            actions: Vec::new(),
            hashes,
            lefts: Vec::new(),
            clocks,
            offers: Offers::default(),
            outcome: None,
        };
        game.note_passes(passes);
        game.begin_turn(at);
        Ok(game)
    }

    /// A game from its set-up and its log.
    pub fn rebuild<'a>(
        setup: Setup,
        at: UnixMillis,
        events: impl IntoIterator<Item = &'a Event>,
    ) -> Result<Game, Corrupt> {
        let mut game = Game::new(setup, at)?;
        events.into_iter().try_for_each(|event| game.apply(event))?;
        Ok(game)
    }

    /// What never changes.
    pub fn setup(&self) -> &Setup {
        &self.setup
    }

    /// When the game began.
    pub fn started(&self) -> UnixMillis {
        self.started
    }

    /// Number of entries in the record.
    pub fn ply(&self) -> Ply {
        Ply::of_len(self.actions.len())
    }

    /// Who must act now; nobody after the end.
    pub fn to_act(&self) -> Option<Color> {
        self.outcome.is_none().then(|| self.position.side_to_act())
    }

    /// How the game ended.
    pub fn outcome(&self) -> Option<&Outcome> {
        self.outcome.as_ref()
    }

    /// The position on the board.
    pub fn position(&self) -> &Position {
        &self.position
    }

    /// The record.
    pub fn actions(&self) -> &[Action] {
        &self.actions
    }

    /// What was done at this ply, to recognise a move that is sent twice.
    pub fn played_at(&self, ply: Ply) -> Option<&Action> {
        self.actions.get(ply.index())
    }

    /// The last entry of the record.
    pub fn last_action(&self) -> Option<&Action> {
        self.actions.last()
    }

    /// The clocks.
    pub fn clocks(&self) -> &Clocks {
        &self.clocks
    }

    /// What a side has on its clock at a moment; none without a clock.
    pub fn left(&self, side: Color, at: UnixMillis) -> Option<Millis> {
        self.clocks.left(&self.setup.time, side, at)
    }

    /// What the mover had on the clock after each ply; empty without a clock.
    pub fn clock_history(&self) -> &[Millis] {
        &self.lefts
    }

    /// What is on the table.
    pub fn offers(&self) -> &Offers {
        &self.offers
    }

    /// Why the clocks stand, if they were stopped.
    pub fn paused(&self) -> Option<Halt> {
        self.clocks.halt()
    }

    /// When the running flag falls or the time for the first move is over: time to send [`Act::CheckFlag`].
    pub fn next_deadline(&self) -> Option<UnixMillis> {
        self.to_act()?;
        let flag = self.clocks.deadline(&self.setup.time);
        match (flag, self.first_move_deadline()) {
            (Some(flag), Some(first)) => Some(flag.min(first)),
            (flag, first) => flag.or(first),
        }
    }

    /// Whether both sides have acted, so that the game can no longer be aborted by a player.
    pub fn both_have_acted(&self) -> bool {
        Color::ALL.iter().all(|&side| self.has_acted(side))
    }

    /// How often the position on the board has occurred, this time included.
    pub fn occurrences(&self) -> usize {
        let (&last, earlier) =
            self.hashes.split_last().expect("the first position is always there");
        1 + earlier_occurrences(last, earlier, self.position.halfmoves())
    }

    /// The position as it was at an earlier ply, replayed from the start.
    ///
    /// None for a ply that was not reached, or that lies inside a row of automatic passes.
    pub fn position_at(&self, ply: Ply) -> Option<Position> {
        self.replay(ply).map(|(position, _)| position)
    }

    /// The position at a ply and how often each side has acted until then.
    fn replay(&self, to: Ply) -> Option<(Position, ByColor<u32>)> {
        let (mut position, passes) = self.setup.position().ok()?;
        let mut made = ByColor::<u32>::default();
        let mut reached = usize::from(passes);
        while reached < to.index() {
            made[position.side_to_act()] += 1;
            let done = position.play(*self.actions.get(reached)?).ok()?;
            reached += 1 + usize::from(done.passes);
        }
        (reached == to.index()).then_some((position, made))
    }

    /// Defender: the ply at which phase two began.
    pub fn battle_began(&self) -> Option<Ply> {
        if self.setup.variant != Variant::Defender || self.position.as_chess().is_none() {
            return None;
        }
        let placed = |action: &Action| matches!(action, Action::Place { .. } | Action::Pass);
        Some(Ply::of_len(self.actions.iter().rposition(placed).map_or(0, |last| last + 1)))
    }

    /// The side of the first entry of the record: sides alternate strictly.
    fn first_side(&self, entries: usize) -> Color {
        let side = self.position.side_to_act();
        if entries.is_multiple_of(2) { side } else { side.other() }
    }

    /// Enters automatic passes, which cost nothing, into the record.
    fn note_passes(&mut self, passes: u8) {
        let first = self.first_side(self.actions.len() + usize::from(passes));
        for _ in 0..passes {
            let passing = if self.actions.len().is_multiple_of(2) { first } else { first.other() };
            self.actions.push(Action::Pass);
            self.hashes.push(self.position.hash());
            if !self.setup.time.is_unlimited() {
                self.lefts.push(self.clocks.set_to(passing).unwrap_or(Millis::ZERO));
            }
        }
    }

    fn has_acted(&self, side: Color) -> bool {
        self.clocks.moves_made(side) > 0
    }

    fn first_move_deadline(&self) -> Option<UnixMillis> {
        let wait = self.setup.rules.first_move.filter(|_| self.setup.time.is_live())?;
        if self.has_acted(self.position.side_to_act()) {
            return None;
        }
        self.clocks.thinking_since().map(|since| since.plus(wait))
    }

    /// Whether the clocks count at this ply: the spec of Defender and GMO starts them at once.
    fn clocks_count(&self) -> bool {
        let waits = self.setup.variant.is_chess()
            && self.setup.time.is_live()
            && self.setup.rules.clock_start == ClockStart::AfterFirstMoves;
        !waits || self.both_have_acted()
    }

    fn begin_turn(&mut self, at: UnixMillis) {
        let counted = self.clocks_count();
        self.clocks.begin(self.position.side_to_act(), at, counted);
    }
}

/// How often a position with this hash occurred among `earlier` ones, the last of which it follows.
fn earlier_occurrences(hash: u64, earlier: &[u64], halfmoves: u32) -> usize {
    let reach = earlier.len().min(halfmoves as usize);
    let reversible = &earlier[earlier.len() - reach..];
    // The same side is to move every second ply.
    reversible.iter().rev().skip(1).step_by(2).filter(|&&other| other == hash).count()
}
