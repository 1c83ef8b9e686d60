//! Moves, placements, promotions and armies; the ends they bring, and draws that can be claimed.

use super::{Verdict, ended};
use crate::clock::Press;
use crate::defender::DefenderError;
use crate::game::{Act, Actor, Command, DrawsBy, Event, Game, Refusal, Variant};
use crate::gmo::{Genome, HouseRules, KingError, MoveError, PresetError, PromotionError};
use crate::outcome::{DrawReason, Outcome, WinReason};
use crate::position::{Action, Army, ArmyError, Done, Fate, Illegal, Position, gmo};
use crate::units::{Color, Millis, Ply, UnixMillis};

impl Game {
    /// A move, a placement, a pass.
    pub(super) fn play(&self, side: Color, ply: Ply, text: &str, command: &Command) -> Verdict {
        self.expect_ply(ply)?;
        self.expect_running(command.at)?;
        if let Position::Gmo(position) = &self.position {
            let action = self.position.read_action(text)?;
            // The number of a genome is no permission to use it: promotions name their DNA.
            if matches!(action, Action::Promote { .. }) {
                return Err(Illegal::Promotion(PromotionError::UnknownGenome).into());
            }
            gmo::check(position, side.into(), action)?;
            let seed = self.seed.as_ref().ok_or(Refusal::NoSeed)?;
            let fate = gmo::roll(position, action, seed)?;
            return self.act(side, action, fate, command);
        }
        self.expect_turn(side)?;
        let action = self.position.read_action(text)?;
        self.act(side, action, Fate::NONE, command)
    }

    /// A promotion of GMO.
    pub(super) fn promote(
        &self,
        side: Color,
        ply: Ply,
        at: shakmaty::Square,
        dna: &str,
        command: &Command,
    ) -> Verdict {
        self.expect_ply(ply)?;
        self.expect_running(command.at)?;
        let Position::Gmo(position) = &self.position else {
            return Err(Illegal::Promotion(PromotionError::None).into());
        };
        position.check_promotion(side.into(), at).map_err(Illegal::Promotion)?;
        let unknown = || Illegal::Promotion(PromotionError::UnknownGenome);
        let genome = Genome::parse(dna).map_err(|_| unknown())?;
        let house = HouseRules::from(self.setup.gmo);
        if !house.allows(&genome) {
            let (file, blocks) = (at.file(), genome.blocks().len());
            let limit = house.max_blocks;
            return Err(Illegal::House(PresetError::MaxBlocks { file, blocks, limit }).into());
        }
        let action = Action::Promote { at, genome: gmo::next_index(position, &genome).0 };
        let fate = Fate { landing: None, dna: Some(genome.dna().into()) };
        self.act(side, action, fate, command)
    }

    /// An army of GMO; the second one starts the game.
    pub(super) fn hand_in(&self, side: Color, army: &Army, at: UnixMillis) -> Verdict {
        let Position::Muster(muster) = &self.position else {
            return Err(ArmyError::King(KingError::TooLate).into());
        };
        let mut muster = muster.clone();
        muster.hand_in(side, army, self.setup.gmo.into())?;
        let handed_in = Event::HandedIn { by: side, army: Box::new(army.clone()), at };
        if muster.is_complete() {
            return Ok(vec![handed_in, Event::Started { at }]);
        }
        Ok(vec![handed_in])
    }

    fn act(&self, side: Color, action: Action, fate: Fate, command: &Command) -> Verdict {
        let (at, lag) = (command.at, command.lag.at_least_zero());
        let mut after = self.position.clone();
        let Done { action, passes, freezes } = after.play_fated(action, &fate)?;
        let is_move = !matches!(action, Action::Promote { .. });
        let press = Press { at, lag, fine: Millis::ZERO, is_move };
        let Ok(in_time) = self.clocks.press(&self.setup.time, press) else {
            return ended(self.time_out(side), at);
        };
        let fined = match self.freeze(freezes) {
            Millis::ZERO => Ok(in_time),
            fine => self.clocks.press(&self.setup.time, Press { fine, ..press }),
        };
        let outcome = match self.judge(&after) {
            // A flag that falls by the freeze counts before everything but the loss of a king.
            end if fined.is_err() && !end.is_some_and(is_by_kings) => Some(self.time_out(side)),
            end => end,
        };
        let left = fined.unwrap_or(Some(Millis::ZERO));
        let fate = if fate.is_none() { None } else { Some(Box::new(fate)) };
        let played = Event::Played { action, at, left, lag, passes, fate };
        Ok(match outcome {
            Some(outcome) => vec![played, Event::Ended { outcome, at }],
            None => vec![played],
        })
    }

    fn expect_ply(&self, sent: Ply) -> Result<(), Refusal> {
        match self.ply() {
            now if sent < now => Err(Refusal::StalePly { sent, now }),
            now if sent > now => Err(Refusal::FuturePly { sent, now }),
            _ => Ok(()),
        }
    }

    /// Not paused, not frozen, armies there.
    fn expect_running(&self, at: UnixMillis) -> Result<(), Refusal> {
        if self.is_mustering() {
            return Err(Illegal::NotStarted.into());
        }
        if self.paused().is_some_and(|halt| !halt.allows_play()) {
            return Err(Refusal::Paused);
        }
        let thaws = self.clocks.thinking_since().filter(|_| self.setup.variant == Variant::Gmo);
        match thaws.map(|thaws| thaws.since(at)) {
            Some(remaining) if remaining > Millis::ZERO => {
                Err(Illegal::Gmo(MoveError::Frozen { remaining_ms: remaining.0.unsigned_abs() })
                    .into())
            }
            _ => Ok(()),
        }
    }

    fn expect_turn(&self, side: Color) -> Result<(), Refusal> {
        match self.setup.variant {
            _ if side == self.position.side_to_act() => Ok(()),
            Variant::Defender => Err(Illegal::Defender(DefenderError::NotYourTurn).into()),
            _ => Err(Refusal::NotYourTurn),
        }
    }

    /// GMO has its own code for the end, and Defender reports it as the last of its reasons.
    pub(super) fn refuse_after_end(&self, act: &Act, by: Actor) -> Refusal {
        let (Act::Play { action, .. }, Actor::Player(side)) = (act, by) else {
            return Refusal::GameOver;
        };
        match self.setup.variant {
            Variant::Standard | Variant::Chess960 => Refusal::GameOver,
            Variant::Gmo => Illegal::Gmo(MoveError::Over).into(),
            Variant::Defender => {
                match self.expect_turn(side).and_then(|()| Ok(self.look_ahead(action)?)) {
                    Err(refusal @ Refusal::Illegal(Illegal::Defender(_))) => refusal,
                    _ => Illegal::Defender(DefenderError::GameOver).into(),
                }
            }
        }
    }

    /// The position after an action in which chance has no part.
    fn look_ahead(&self, text: &str) -> Result<Position, Illegal> {
        let action = self.position.read_action(text)?;
        let mut after = self.position.clone();
        after.play(action)?;
        Ok(after)
    }

    /// The end that a new position brings by itself.
    fn judge(&self, after: &Position) -> Option<Outcome> {
        if let Some(outcome) = after.outcome() {
            return Some(outcome);
        }
        let by_itself = self.draws_by() == DrawsBy::Itself;
        let by = match (after.halfmoves(), self.occurrences_of(after)) {
            (150.., _) => DrawReason::SeventyFive,
            (_, 5..) if self.setup.variant == Variant::Gmo => DrawReason::Repetition,
            (_, 5..) => DrawReason::Fivefold,
            (100.., _) if by_itself => DrawReason::Fifty,
            (_, 3..) if by_itself => DrawReason::Threefold,
            _ => return None,
        };
        Some(Outcome::Draw { by })
    }

    /// How draws come about: the specifications of Defender and GMO want a claim, whatever the rule set says.
    pub fn draws_by(&self) -> DrawsBy {
        if self.setup.variant.is_chess() { self.setup.rules.draws } else { DrawsBy::Claim }
    }

    pub(super) fn claim_draw(
        &self,
        side: Color,
        intending: Option<&str>,
        at: UnixMillis,
    ) -> Verdict {
        self.expect_turn(side)?;
        let is_gmo = self.setup.variant == Variant::Gmo;
        let (halfmoves, occurred) = match intending {
            None => (self.position.halfmoves(), self.occurrences()),
            // What chance would do to an intended move is nobody's to know before it is made.
            Some(_) if is_gmo => return Err(Refusal::NothingToClaim),
            Some(text) => {
                let after = self.look_ahead(text)?;
                (after.halfmoves(), self.occurrences_of(&after))
            }
        };
        let by = match (halfmoves, occurred) {
            (_, 3..) if is_gmo => DrawReason::Repetition,
            (_, 3..) => DrawReason::Threefold,
            (100.., _) => DrawReason::Fifty,
            _ => return Err(Refusal::NothingToClaim),
        };
        ended(Outcome::Draw { by }, at)
    }
}

fn is_by_kings(outcome: Outcome) -> bool {
    matches!(
        outcome,
        Outcome::Win { by: WinReason::King, .. } | Outcome::Draw { by: DrawReason::BothKings }
    )
}
