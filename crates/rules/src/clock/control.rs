//! Time controls: how much time a game gives, as data that never changes.

use serde::{Deserialize, Serialize};

use crate::units::{ByColor, Color, Millis};

/// The time a game gives to its players.
#[derive(Debug, Default, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum TimeControl {
    /// No clock at all.
    #[default]
    Unlimited,
    /// A chess clock; a side without times has no clock (the computer, a giver of odds).
    Live(ByColor<Option<SideTime>>),
    /// Days for a move.
    Days(DayTime),
}

/// The time of one side of a live game: stages one after the other, the last one for the rest of the game.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct SideTime {
    /// At least one.
    pub stages: Vec<Stage>,
}

/// A part of the game with its own time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Stage {
    /// Own moves until the next stage begins; none in the last stage.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub moves: Option<u32>,
    /// Time added when the stage begins.
    pub time: Millis,
    /// What each move of the stage earns or spares.
    #[serde(default, skip_serializing_if = "Bonus::is_none")]
    pub bonus: Bonus,
}

/// What a move earns or spares.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Bonus {
    /// Nothing.
    #[default]
    None,
    /// Added after every move in time.
    Fischer(Millis),
    /// The time used, up to this much, is given back after the move.
    Bronstein(Millis),
    /// The clock waits this long before it runs.
    Delay(Millis),
}

impl Bonus {
    /// Whether a move earns nothing.
    pub fn is_none(&self) -> bool {
        *self == Bonus::None
    }

    /// The span in it.
    pub fn span(self) -> Millis {
        match self {
            Bonus::None => Millis::ZERO,
            Bonus::Fischer(span) | Bonus::Bronstein(span) | Bonus::Delay(span) => span,
        }
    }

    /// How long the clock waits before it runs.
    pub(super) fn delay(self) -> Millis {
        if let Bonus::Delay(span) = self { span } else { Millis::ZERO }
    }

    /// What a move that used so much time (delay not yet taken off) adds to the clock.
    pub(super) fn earned(self, used: Millis) -> Millis {
        match self {
            Bonus::Fischer(span) => span,
            Bonus::Bronstein(span) => span.min(used),
            Bonus::Delay(_) | Bonus::None => Millis::ZERO,
        }
    }
}

/// The time of a correspondence game, the same for both sides.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct DayTime {
    /// Time for every move; with a bank, what every move adds to it.
    pub per_move: Millis,
    /// Time saved for later moves.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bank: Option<Bank>,
    /// Leave each side may take in a calendar year.
    #[serde(default)]
    pub leave: Millis,
    /// Whether Saturdays and Sundays (UTC) are not charged; moves may be made all the same.
    #[serde(default)]
    pub weekends_free: bool,
}

/// A store of thinking time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Bank {
    /// What it holds at the start.
    pub start: Millis,
    /// What it can hold at most.
    pub cap: Millis,
}

/// Why a time control cannot be played.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum TimeControlError {
    /// A time is zero, negative or longer than [`LONGEST`].
    #[error("a time must be positive and at most a year per stage")]
    Span,
    /// A side has no stage.
    #[error("a clock needs at least one stage")]
    NoStage,
    /// All stages but the last need a number of moves, the last none.
    #[error("every stage but the last needs a number of moves")]
    StageMoves,
}

/// The longest time a stage, a bonus or a day time may have.
pub const LONGEST: Millis = Millis::days(366);

/// The most stages a side may have.
const MOST_STAGES: usize = 8;

impl SideTime {
    /// One time for the whole game.
    pub fn single(time: Millis, bonus: Bonus) -> SideTime {
        SideTime { stages: vec![Stage { moves: None, time, bonus }] }
    }

    fn check(&self) -> Result<(), TimeControlError> {
        let (last, others) = self.stages.split_last().ok_or(TimeControlError::NoStage)?;
        let moves_fit =
            last.moves.is_none() && others.iter().all(|stage| stage.moves.is_some_and(|n| n > 0));
        if !moves_fit || self.stages.len() > MOST_STAGES {
            return Err(TimeControlError::StageMoves);
        }
        let good = |stage: &Stage| {
            in_range(stage.time)
                && stage.bonus.span() >= Millis::ZERO
                && stage.bonus.span() <= LONGEST
        };
        if self.stages.iter().all(good) { Ok(()) } else { Err(TimeControlError::Span) }
    }

    /// The stage in which the move after `made` own moves is made.
    fn stage_at(&self, made: u32) -> Option<&Stage> {
        let mut end = 0_u32;
        self.stages.iter().find(|stage| {
            end = end.saturating_add(stage.moves.unwrap_or(u32::MAX));
            made < end
        })
    }

    /// Time of the stage that begins when `made` own moves are complete.
    fn stage_begun(&self, made: u32) -> Millis {
        let mut end = 0_u32;
        for pair in self.stages.windows(2) {
            end = end.saturating_add(pair[0].moves.unwrap_or(u32::MAX));
            if made == end {
                return pair[1].time;
            }
        }
        Millis::ZERO
    }
}

fn in_range(span: Millis) -> bool {
    span > Millis::ZERO && span <= LONGEST
}

impl TimeControl {
    /// The same time for both sides, with an increment after every move.
    pub fn fischer(time: Millis, increment: Millis) -> TimeControl {
        let bonus = if increment == Millis::ZERO { Bonus::None } else { Bonus::Fischer(increment) };
        TimeControl::Live(ByColor::same(Some(SideTime::single(time, bonus))))
    }

    /// A fixed number of days for every move.
    pub fn days(days: i64) -> TimeControl {
        TimeControl::Days(DayTime {
            per_move: Millis::days(days),
            bank: None,
            leave: Millis::ZERO,
            weekends_free: false,
        })
    }

    /// Whether nobody has a clock.
    pub fn is_unlimited(&self) -> bool {
        Color::ALL.iter().all(|&side| self.initial(side).is_none())
    }

    /// Whether a chess clock stands beside the board.
    pub fn is_live(&self) -> bool {
        matches!(self, TimeControl::Live(_))
    }

    /// Whether this can be played.
    pub fn check(&self) -> Result<(), TimeControlError> {
        match self {
            TimeControl::Unlimited => Ok(()),
            TimeControl::Live(sides) => Color::ALL
                .iter()
                .filter_map(|&side| sides[side].as_ref())
                .try_for_each(SideTime::check),
            TimeControl::Days(days) => {
                let bank_fits = days
                    .bank
                    .is_none_or(|b| in_range(b.start) && in_range(b.cap) && b.start <= b.cap);
                let leave_fits = days.leave >= Millis::ZERO && days.leave <= LONGEST;
                if in_range(days.per_move) && bank_fits && leave_fits {
                    Ok(())
                } else {
                    Err(TimeControlError::Span)
                }
            }
        }
    }

    /// What a side has at the start.
    pub fn initial(&self, side: Color) -> Option<Millis> {
        match self {
            TimeControl::Unlimited => None,
            TimeControl::Live(sides) => {
                sides[side].as_ref().and_then(|s| s.stages.first()).map(|s| s.time)
            }
            TimeControl::Days(days) => Some(days.bank.map_or(days.per_move, |bank| bank.start)),
        }
    }

    /// Bonus of the move a side makes after `made` moves of its own.
    pub(super) fn bonus(&self, side: Color, made: u32) -> Bonus {
        match self {
            TimeControl::Live(sides) => sides[side]
                .as_ref()
                .and_then(|s| s.stage_at(made))
                .map_or(Bonus::None, |stage| stage.bonus),
            TimeControl::Unlimited | TimeControl::Days(_) => Bonus::None,
        }
    }

    /// What an action in time adds to the clock whatever it used: the increment, and the time of a stage that begins.
    ///
    /// `made` counts the side's moves before this one. What a delay spares or gives back is not in it.
    pub fn gained(&self, side: Color, made: u32, is_move: bool) -> Millis {
        if matches!(self, TimeControl::Days(_)) {
            return Millis::ZERO;
        }
        let increment = match self.bonus(side, made) {
            Bonus::Fischer(span) => span,
            _ => Millis::ZERO,
        };
        self.after_action(side, made, is_move, increment)
    }

    /// What a side has after an action that left `rest` on its clock, bonus included.
    ///
    /// `made` counts the side's moves before this one.
    pub(super) fn after_action(
        &self,
        side: Color,
        made: u32,
        is_move: bool,
        rest: Millis,
    ) -> Millis {
        match self {
            TimeControl::Unlimited => rest,
            TimeControl::Live(sides) => {
                let time = sides[side].as_ref().filter(|_| is_move);
                rest.plus(time.map_or(Millis::ZERO, |s| s.stage_begun(made + 1)))
            }
            TimeControl::Days(days) => match days.bank {
                // A bank that was given more than it holds (by an arbiter) is not emptied by a move.
                Some(bank) => rest.plus(days.per_move).min(bank.cap.max(rest)),
                None => days.per_move,
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stages(list: &[(Option<u32>, i64)]) -> TimeControl {
        let stages = list
            .iter()
            .map(|&(moves, time)| Stage { moves, time: Millis(time), bonus: Bonus::None })
            .collect();
        TimeControl::Live(ByColor::same(Some(SideTime { stages })))
    }

    #[test]
    fn a_move_gains_the_increment_and_the_time_of_the_next_stage() {
        let stage = |moves, minutes, bonus| Stage { moves, time: Millis::minutes(minutes), bonus };
        let increment = Bonus::Fischer(Millis::seconds(30));
        let stages = vec![stage(Some(40), 90, Bonus::None), stage(None, 30, increment)];
        let control = TimeControl::Live(ByColor::same(Some(SideTime { stages })));
        let gained = |made, is_move| control.gained(Color::White, made, is_move);
        assert_eq!(gained(38, true), Millis::ZERO);
        assert_eq!(gained(39, true), Millis::minutes(30), "the fortieth move");
        assert_eq!(gained(39, false), Millis::ZERO, "only moves reach the next stage");
        assert_eq!(gained(40, true), Millis::seconds(30));
        assert_eq!(TimeControl::days(3).gained(Color::White, 0, true), Millis::ZERO);
        assert_eq!(TimeControl::Unlimited.gained(Color::White, 0, true), Millis::ZERO);
    }

    #[test]
    fn a_control_that_cannot_be_played_is_refused() {
        use TimeControlError::{NoStage, Span, StageMoves};
        let check =
            |control: TimeControl, expected| assert_eq!(control.check(), expected, "{control:?}");
        check(TimeControl::Unlimited, Ok(()));
        check(TimeControl::fischer(Millis::minutes(5), Millis::seconds(3)), Ok(()));
        check(TimeControl::fischer(Millis(0), Millis::seconds(3)), Err(Span));
        check(TimeControl::fischer(Millis(1), Millis(-1)), Err(Span));
        check(TimeControl::fischer(Millis::days(367), Millis(0)), Err(Span));
        check(stages(&[]), Err(NoStage));
        check(stages(&[(None, 1), (None, 1)]), Err(StageMoves));
        check(stages(&[(Some(40), 1)]), Err(StageMoves));
        check(stages(&[(Some(0), 1), (None, 1)]), Err(StageMoves));
        check(stages(&[(Some(40), 1), (None, 1)]), Ok(()));
        check(TimeControl::days(3), Ok(()));
        check(TimeControl::days(0), Err(Span));
        check(TimeControl::Live(ByColor { white: None, black: None }), Ok(()));
    }

    #[test]
    fn a_stage_begins_when_its_moves_are_complete() {
        let control = stages(&[(Some(2), 100), (Some(3), 50), (None, 25)]);
        let after =
            |made, is_move| control.after_action(Color::White, made, is_move, Millis::ZERO).0;
        assert_eq!([0, 1, 2, 3, 4, 5, 6].map(|made| after(made, true)), [0, 50, 0, 0, 25, 0, 0]);
        assert_eq!([0, 1, 2, 3, 4].map(|made| after(made, false)), [0; 5], "promotions of GMO");
        assert_eq!(control.initial(Color::Black), Some(Millis(100)));
    }

    #[test]
    fn controls_are_stored_as_short_json() {
        let check = |control: TimeControl, json: &str| {
            assert_eq!(serde_json::to_string(&control).unwrap(), json);
            assert_eq!(serde_json::from_str::<TimeControl>(json).unwrap(), control);
        };
        check(TimeControl::Unlimited, r#"{"kind":"unlimited"}"#);
        check(
            TimeControl::fischer(Millis(1000), Millis(10)),
            r#"{"kind":"live","white":[{"time":1000,"bonus":{"fischer":10}}],"black":[{"time":1000,"bonus":{"fischer":10}}]}"#,
        );
        check(
            TimeControl::days(1),
            r#"{"kind":"days","per_move":86400000,"leave":0,"weekends_free":false}"#,
        );
    }
}
