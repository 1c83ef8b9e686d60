//! A game as a pure state machine: commands in, events or a refusal out; events alone rebuild it.
//!
//! The game knows no clock and no chance. `decide` judges a command and changes nothing; the caller stores the events
//! and then applies them, so nothing is visible before it is durable.
//!
//! ```
//! use rules::{Act, Actor, Color, Command, Game, Millis, Ply, RuleSet, Setup, TimeControl, UnixMillis};
//!
//! let time = TimeControl::fischer(Millis::minutes(5), Millis::seconds(3));
//! let mut game = Game::new(Setup::standard(time, RuleSet::online()), UnixMillis(0))?;
//! let act = Act::Play { ply: Ply(0), action: "e2e4".into() };
//! let events = game.decide(&Command::new(Actor::Player(Color::White), UnixMillis(900), act))?;
//! for event in &events {
//!     game.apply(event)?; // once they are on the disk
//! }
//! assert_eq!(game.to_act(), Some(Color::Black));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod apply;
mod command;
mod decide;
mod event;
mod record;
mod refusal;
mod rules;
mod seed;
mod setup;

pub use command::{AbandonmentClaim, Act, Actor, Command};
pub use event::Event;
pub use refusal::{Corrupt, Refusal};
pub use rules::{ClockStart, DrawsBy, RuleSet};
pub use setup::{GmoOptions, Reveal, Setup, SetupError, Variant};

use record::GmoRecord;

use crate::clock::{Clocks, Halt};
use crate::gmo::Seed;
use crate::outcome::Outcome;
use crate::position::{Action, Position};
use crate::units::{ByColor, Color, Millis, Ply, UnixMillis};

/// How long nobody may act after a freezing move of GMO, and what it costs the mover.
const FREEZE: Millis = Millis::seconds(5);

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
    /// What was given or taken besides the moves, and when: a takeback does not undo it.
    adjusted: Vec<(Ply, ByColor<Millis>)>,
    clocks: Clocks,
    offers: Offers,
    outcome: Option<Outcome>,
    /// What the last action of each side was credited for the network.
    lag: ByColor<Millis>,
    /// Where the chance of GMO comes from now.
    seed: Option<Seed>,
    /// What a replay of GMO needs besides the actions.
    gmo: Option<Box<GmoRecord>>,
}

/// What is on the table.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub struct Offers {
    /// Who offers a draw.
    pub draw: Option<Color>,
    /// Who wants to take back, and to which ply the game would go.
    pub takeback: Option<(Color, Ply)>,
    /// Who asks to adjourn, or to go on after an adjournment.
    pub adjournment: Option<Color>,
    /// When each side last offered a draw: one offer for one move.
    last_draw: ByColor<Option<Ply>>,
    /// The same for takebacks.
    last_takeback: ByColor<Option<Ply>>,
    /// The same for adjournments.
    last_adjournment: ByColor<Option<Ply>>,
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
            seed: setup.seed,
            setup,
            started: at,
            position,
            actions: Vec::new(),
            hashes,
            lefts: Vec::new(),
            adjusted: Vec::new(),
            clocks,
            offers: Offers::default(),
            outcome: None,
            lag: ByColor::same(Millis::ZERO),
            gmo: None,
        };
        game.keep_gmo_start();
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

    /// Where the chance of GMO comes from: a secret as long as the game runs. A reopened game has another than it began
    /// with.
    pub fn seed(&self) -> Option<&Seed> {
        self.seed.as_ref()
    }

    /// Whether genomes are on its board that not everybody may know: of a game of GMO until its end, or for ever.
    pub fn has_secrets(&self) -> bool {
        let is_revealed = self.outcome.is_some() && self.setup.gmo.reveal == Reveal::End;
        self.setup.variant == Variant::Gmo && !is_revealed
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

    /// Who must act now; nobody after the end, and nobody in particular while the armies of GMO are awaited.
    pub fn to_act(&self) -> Option<Color> {
        let running = self.outcome.is_none() && !self.is_mustering();
        running.then(|| self.position.side_to_act())
    }

    /// GMO: whether armies are still awaited.
    pub fn is_mustering(&self) -> bool {
        matches!(self.position, Position::Muster(_))
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

    /// [`Position::hash`] of every position since repetitions count, the one on the board last.
    pub fn hashes(&self) -> &[u64] {
        &self.hashes
    }

    /// What was done at this ply, to recognise a move that is sent twice.
    pub fn played_at(&self, ply: Ply) -> Option<&Action> {
        self.actions.get(ply.index())
    }

    /// Whether this text is what was done at this ply, so that a move sent twice can be answered as played.
    ///
    /// Other texts of the same move count too (castling onto the rook).
    pub fn has_played(&self, ply: Ply, text: &str) -> bool {
        let Some(played) = self.played_at(ply) else { return false };
        self.position_at(ply).is_some_and(|then| {
            then.read_action(text).and_then(|sent| then.resolve(sent)) == Ok(*played)
        })
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

    /// What both sides have on their clocks at a moment.
    pub fn lefts(&self, at: UnixMillis) -> ByColor<Option<Millis>> {
        ByColor::new_with(|side| self.left(side, at))
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

    /// When the running flag falls, or the time for the armies or for the first move is over: time to send
    /// [`Act::CheckFlag`].
    ///
    /// Whoever credits network time waits that much longer before he asks, for a move in time may still be on its way.
    pub fn next_deadline(&self) -> Option<UnixMillis> {
        if self.outcome.is_some() {
            return None;
        }
        if self.is_mustering() {
            return self.muster_deadline();
        }
        let flag = self.clocks.deadline(&self.setup.time);
        match (flag, self.first_move_deadline()) {
            (Some(flag), Some(first)) => Some(flag.min(first)),
            (flag, first) => flag.or(first),
        }
    }

    /// What the last action of a side was credited for the network.
    pub fn last_lag(&self, side: Color) -> Millis {
        self.lag[side]
    }

    /// How long the running clock still waits before it counts down, where a simple delay is played.
    pub fn delay_left(&self, at: UnixMillis) -> Millis {
        self.clocks.delay_left(&self.setup.time, at)
    }

    /// Whether both sides have acted, so that the game can no longer be aborted by a player.
    pub fn both_have_acted(&self) -> bool {
        Color::ALL.iter().all(|&side| self.has_acted(side))
    }

    fn has_acted(&self, side: Color) -> bool {
        self.clocks.moves_made(side) > 0
    }

    /// GMO: when the time for the armies is over. Pauses, leave and free weekends make it later, as they do for a move.
    pub fn muster_deadline(&self) -> Option<UnixMillis> {
        let wait = self.setup.rules.muster.filter(|_| self.is_mustering())?;
        self.clocks.thought_for(wait)
    }

    /// When the game is aborted unless the side to act makes its first move before; none after it, and where nobody is
    /// hurried.
    pub fn first_move_deadline(&self) -> Option<UnixMillis> {
        let wait = self.setup.rules.first_move.filter(|_| self.setup.time.is_live())?;
        if self.is_mustering() {
            return None;
        }
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

    /// The clock of the side to act counts from `since`.
    fn begin_turn(&mut self, since: UnixMillis) {
        let counted = !self.is_mustering() && self.clocks_count();
        self.clocks.begin(self.position.side_to_act(), since, counted);
    }

    /// When nobody may act after a freezing move of GMO: only a live clock is held.
    fn freeze(&self, freezes: bool) -> Millis {
        if freezes && self.setup.time.is_live() { FREEZE } else { Millis::ZERO }
    }
}
