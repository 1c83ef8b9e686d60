//! Who gets which colour (article 5.2).

use serde::Serialize;

use super::seat::Seat;
use crate::model::Colour;

/// The rule that gave the colours of a pair.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum ColourRule {
    /// 5.2.1: both get what they want.
    BothGranted,
    /// 5.2.2: the stronger preference is granted.
    Stronger,
    /// 5.2.2: both absolute, the wider colour difference is granted.
    WiderDifference,
    /// 5.2.3: the colours alternate to the last round in which they differed.
    Alternate,
    /// 5.2.4: the higher-ranked player's preference is granted.
    HigherRanked,
    /// 5.2.5: nobody wants anything; the initial colour and the pairing number decide.
    InitialColour,
}

impl ColourRule {
    /// The article of C.04.3.
    pub const fn article(self) -> &'static str {
        match self {
            ColourRule::BothGranted => "5.2.1",
            ColourRule::Stronger | ColourRule::WiderDifference => "5.2.2",
            ColourRule::Alternate => "5.2.3",
            ColourRule::HigherRanked => "5.2.4",
            ColourRule::InitialColour => "5.2.5",
        }
    }
}

/// The colour of the higher-ranked player of a pair and the rule that gives it; nothing if the
/// initial colour is needed and not known.
pub(super) fn colour_of_higher(
    higher: &Seat,
    lower: &Seat,
    initial: Option<Colour>,
) -> Option<(Colour, ColourRule)> {
    let (own, theirs) = match (higher.wants, lower.wants) {
        (None, None) => {
            let initial = initial?;
            let colour = if higher.place % 2 == 1 { initial } else { initial.other() };
            return Some((colour, ColourRule::InitialColour));
        }
        (Some(own), None) => return Some((own, ColourRule::BothGranted)),
        (None, Some(theirs)) => return Some((theirs.other(), ColourRule::BothGranted)),
        (Some(own), Some(theirs)) => (own, theirs),
    };
    if own != theirs {
        return Some((own, ColourRule::BothGranted));
    }
    let granted = if higher.strength > lower.strength {
        (own, ColourRule::Stronger)
    } else if lower.strength > higher.strength {
        (own.other(), ColourRule::Stronger)
    } else if higher.is_absolute() && higher.imbalance > lower.imbalance {
        (own, ColourRule::WiderDifference)
    } else if higher.is_absolute() && lower.imbalance > higher.imbalance {
        (own.other(), ColourRule::WiderDifference)
    } else {
        let mut games = higher.colours.iter().rev().zip(lower.colours.iter().rev());
        match games.find(|(own, theirs)| own != theirs) {
            Some((_, theirs)) => (*theirs, ColourRule::Alternate),
            None => (own, ColourRule::HigherRanked),
        }
    };
    Some(granted)
}
