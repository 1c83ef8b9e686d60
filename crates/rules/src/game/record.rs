//! The record of a game: what was played, what occurred how often, and how to get back.

use super::{Game, Variant};
use crate::defender::Defender;
use crate::gmo::GmoPosition;
use crate::position::{Action, Fate, Position};
use crate::units::{ByColor, Color, Millis, Ply};

/// What a takeback leaves at least on a clock that an arbiter had set back.
const LEAST_LEFT: Millis = Millis::seconds(1);

/// What a replay of GMO needs besides the actions.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct GmoRecord {
    start: GmoPosition,
    /// Only of plies with a fate, in order.
    fates: Vec<(Ply, Fate)>,
}

impl GmoRecord {
    fn fate(&self, ply: Ply) -> Option<&Fate> {
        let found = self.fates.binary_search_by_key(&ply, |(ply, _)| *ply).ok()?;
        Some(&self.fates[found].1)
    }
}

impl Game {
    /// How often the position on the board has occurred, this time included.
    pub fn occurrences(&self) -> usize {
        let (_, earlier) = self.hashes.split_last().expect("the first position is always there");
        1 + self.occurred_before(&self.position, earlier)
    }

    /// How often a position that follows now would have occurred, that time included.
    pub(super) fn occurrences_of(&self, after: &Position) -> usize {
        1 + self.occurred_before(after, &self.hashes)
    }

    fn occurred_before(&self, position: &Position, earlier: &[u64]) -> usize {
        let hash = position.hash();
        if self.setup.variant == Variant::Gmo {
            // Nothing is irreversible here, and promotions break the alternation.
            return earlier.iter().filter(|&&other| other == hash).count();
        }
        let reach = earlier.len().min(position.halfmoves() as usize);
        let reversible = &earlier[earlier.len() - reach..];
        // The same side is to move every second ply.
        reversible.iter().rev().skip(1).step_by(2).filter(|&&other| other == hash).count()
    }

    /// What chance and new genomes added to the action at this ply (GMO).
    pub fn fate_at(&self, ply: Ply) -> Option<&Fate> {
        self.gmo.as_ref()?.fate(ply)
    }

    /// The position as it was at an earlier ply, replayed from the start.
    ///
    /// None for a ply that was not reached, or that lies inside a row of automatic passes.
    pub fn position_at(&self, ply: Ply) -> Option<Position> {
        self.replay(ply).map(|(position, _)| position)
    }

    /// The position at a ply and how often each side has acted until then.
    pub(super) fn replay(&self, to: Ply) -> Option<(Position, ByColor<u32>)> {
        let (mut position, mut reached) = self.first_position()?;
        let mut made = ByColor::<u32>::default();
        while reached < to {
            made[position.side_to_act()] += 1;
            let fate = self.fate_at(reached).unwrap_or(&Fate::NONE);
            let done = position.play_fated(*self.played_at(reached)?, fate).ok()?;
            reached = Ply(reached.0 + 1 + u32::from(done.passes));
        }
        (reached == to).then_some((position, made))
    }

    fn first_position(&self) -> Option<(Position, Ply)> {
        if self.is_mustering() {
            return Some((self.position.clone(), Ply(0)));
        }
        if let Some(record) = &self.gmo {
            return Some((Position::Gmo(Box::new(record.start.clone())), Ply(0)));
        }
        let (position, passes) = self.setup.position().ok()?;
        Some((position, Ply(u32::from(passes))))
    }

    /// GMO: remembers the position the game began with.
    pub(super) fn keep_gmo_start(&mut self) {
        if let Position::Gmo(start) = &self.position {
            self.gmo = Some(Box::new(GmoRecord { start: (**start).clone(), fates: Vec::new() }));
        }
    }

    /// GMO: remembers what an action had besides its text.
    pub(super) fn keep_fate(&mut self, fate: Option<&Fate>) {
        let ply = self.ply();
        if let (Some(record), Some(fate)) = (&mut self.gmo, fate) {
            record.fates.push((ply, fate.clone()));
        }
    }

    /// Defender: the ply at which phase two began.
    pub fn battle_began(&self) -> Option<Ply> {
        if self.setup.variant != Variant::Defender || self.position.as_chess().is_none() {
            return None;
        }
        let placed = |action: &Action| matches!(action, Action::Place { .. } | Action::Pass);
        Some(Ply::of_len(self.actions.iter().rposition(placed).map_or(0, |last| last + 1)))
    }

    /// Defender: what a side's placements cost, the score of a single player.
    pub fn points_spent(&self, side: Color) -> u32 {
        Defender::spent(&self.actions, side, self.first_side(self.actions.len()))
    }

    /// The side of the first entry of the record, where sides alternate strictly.
    fn first_side(&self, entries: usize) -> Color {
        let side = self.position.side_to_act();
        if entries.is_multiple_of(2) { side } else { side.other() }
    }

    /// Enters automatic passes of Defender, which cost nothing.
    pub(super) fn note_passes(&mut self, passes: u8) {
        let first = self.first_side(self.actions.len() + usize::from(passes));
        for _ in 0..passes {
            let passing = if self.actions.len().is_multiple_of(2) { first } else { first.other() };
            self.note_action(Action::Pass, self.clocks.set_to(passing));
        }
    }

    /// Enters an action that led to the position on the board.
    pub(super) fn note_action(&mut self, action: Action, left: Option<Millis>) {
        self.actions.push(action);
        self.hashes.push(self.position.hash());
        if !self.setup.time.is_unlimited() {
            self.lefts.push(left.unwrap_or(Millis::ZERO));
        }
    }

    /// The clocks as they stood when the game was at this ply, with what was given or taken since.
    pub(super) fn lefts_at(&self, ply: Ply) -> ByColor<Option<Millis>> {
        let mut left = ByColor::new_with(|side| self.setup.time.initial(side));
        let mut set_at = ByColor::same(Ply(0));
        let first = self.first_side(self.actions.len());
        for (index, &after) in self.lefts.iter().enumerate().take(ply.index()) {
            let side = if index.is_multiple_of(2) { first } else { first.other() };
            left[side] = left[side].map(|_| after);
            set_at[side] = Ply::of_len(index + 1);
        }
        for side in Color::ALL {
            let since = self.adjusted.iter().filter(|(when, _)| *when >= set_at[side]);
            let change = since.fold(Millis::ZERO, |sum, (_, change)| sum.plus(change[side]));
            if change != Millis::ZERO {
                // Nobody loses by a takeback, whatever an arbiter has taken away.
                left[side] = left[side].map(|had| had.plus(change).max(LEAST_LEFT));
            }
        }
        left
    }

    /// Remembers what a clock got or lost besides the moves.
    pub(super) fn note_adjustment(&mut self, change: ByColor<Millis>) {
        if change != ByColor::same(Millis::ZERO) {
            self.adjusted.push((self.ply(), change));
        }
    }

    /// The game goes back, and the clocks keep what they got: now it counts as given here.
    pub(super) fn keep_adjustments(&mut self, to: Ply) {
        self.adjusted.iter_mut().for_each(|(when, _)| *when = to.min(*when));
    }
}
