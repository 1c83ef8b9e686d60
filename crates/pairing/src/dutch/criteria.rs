//! The quality criteria C6 to C21 as facts about a pair or a player (article 2.2 to 2.4).

use std::fmt;

use serde::Serialize;

use super::seat::{Float, Seat, Strength};

/// The criteria of C.04.3 in the text of 1 February 2026, strictest first, and after them the
/// order of candidates that are equally good (articles 3 and 4).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[expect(missing_docs, reason = "the numbers are the names; `rule` says what they ask")]
pub enum Criterion {
    C1,
    C2,
    C3,
    C4,
    C5,
    C6,
    C7,
    C8,
    C9,
    C10,
    C11,
    C12,
    C13,
    C14,
    C15,
    C16,
    C17,
    C18,
    C19,
    C20,
    C21,
    /// Which moved-down players are paired.
    MoverSet,
    /// Whom they meet.
    MoverOpponents,
    /// Exchanges between S1 and S2.
    Exchange,
    /// Transpositions of S2.
    Transposition,
}

impl Criterion {
    /// What the criterion asks for.
    pub const fn rule(self) -> &'static str {
        match self {
            Criterion::C1 => "two players meet only once, and forbidden pairs never",
            Criterion::C2 => {
                "nobody gets the bye who had it or scored a full point without playing"
            }
            Criterion::C3 => {
                "two players with the same absolute colour preference do not meet, topscorers apart"
            }
            Criterion::C4 => "all players still to be paired can be paired",
            Criterion::C5 => "the bye goes to the lowest score possible",
            Criterion::C6 => "as few players as possible move down",
            Criterion::C7 => "those who move down have the lowest scores possible",
            Criterion::C8 => "those who move down leave the next bracket the best pairing",
            Criterion::C9 => "the bye goes to the player with the fewest unplayed games",
            Criterion::C10 => "no topscorer pair gets a colour difference above two",
            Criterion::C11 => "no topscorer pair gets the same colour three times in a row",
            Criterion::C12 => "as many players as possible get the colour they prefer",
            Criterion::C13 => "as many players as possible get the colour they strongly prefer",
            Criterion::C14 => "nobody moves down who moved down in the last round",
            Criterion::C15 => {
                "nobody meets a moved-down player who met a higher score in the last round"
            }
            Criterion::C16 => "nobody moves down who moved down two rounds ago",
            Criterion::C17 => {
                "nobody meets a moved-down player who met a higher score two rounds ago"
            }
            Criterion::C18 => "who moved down in the last round meets the closest score possible",
            Criterion::C19 => {
                "who met a higher score in the last round meets the closest score possible"
            }
            Criterion::C20 => "who moved down two rounds ago meets the closest score possible",
            Criterion::C21 => {
                "who met a higher score two rounds ago meets the closest score possible"
            }
            Criterion::MoverSet => {
                "of moved-down players with equal claim the higher-ranked ones are paired"
            }
            Criterion::MoverOpponents => {
                "moved-down players meet the highest-ranked residents possible"
            }
            Criterion::Exchange => {
                "the upper half meets the lower half, with as small an exchange between them as possible"
            }
            Criterion::Transposition => {
                "the players of the upper half meet the highest-ranked of the lower half possible"
            }
        }
    }
}

impl fmt::Display for Criterion {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Criterion::MoverSet => out.write_str("articles 3 and 4, set of moved-down players"),
            Criterion::MoverOpponents => {
                out.write_str("articles 3 and 4, opponents of moved-down players")
            }
            Criterion::Exchange => out.write_str("articles 3 and 4, exchanges"),
            Criterion::Transposition => out.write_str("articles 3 and 4, transpositions"),
            criterion => write!(out, "{criterion:?}"),
        }
    }
}

/// What a pair costs by the colour criteria C10, C11, C12 and C13.
pub(super) fn colour_costs(one: &Seat, other: &Seat) -> [bool; 4] {
    let (Some(wanted), Some(theirs)) = (one.wants, other.wants) else { return [false; 4] };
    if wanted != theirs {
        return [false; 4];
    }
    let both_absolute = one.is_absolute() && other.is_absolute();
    let wide = one.imbalance > 1 && other.imbalance > 1;
    let thrice = both_absolute
        && match one.imbalance.cmp(&other.imbalance) {
            std::cmp::Ordering::Equal => one.repeated.is_some() && one.repeated == other.repeated,
            // Whose difference is smaller gives way and gets the colour again.
            std::cmp::Ordering::Greater => other.repeated == Some(wanted.other()),
            std::cmp::Ordering::Less => one.repeated == Some(wanted.other()),
        };
    let strong =
        one.strength >= Strength::Strong && other.strength >= Strength::Strong && !both_absolute;
    [wide, thrice, true, strong]
}

/// Whether the player moved down so many rounds ago (1 or 2).
pub(super) fn was_down(seat: &Seat, rounds_ago: usize) -> bool {
    seat.floats[rounds_ago - 1] == Float::Down
}

/// Whether the player met a higher score so many rounds ago (1 or 2).
pub(super) fn was_up(seat: &Seat, rounds_ago: usize) -> bool {
    seat.floats[rounds_ago - 1] == Float::Up
}
