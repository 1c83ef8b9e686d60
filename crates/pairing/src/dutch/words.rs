//! Reasons in words that a director can show to a player.

use super::bracket::Bracket;
use super::colour::ColourRule;
use super::criteria::Criterion;
use super::quality::Quality;
use super::seat::{Seat, Strength};
use crate::model::Colour;

/// `White` or `Black`.
pub(super) fn colour_name(colour: Colour) -> &'static str {
    match colour {
        Colour::White => "White",
        Colour::Black => "Black",
    }
}

/// Why two players may not meet at all: the criterion and a sentence.
pub(super) fn bar(one: &Seat, other: &Seat) -> (Criterion, String) {
    let (first, second) = (one.number, other.number);
    if one.opponents.contains(&second) {
        (Criterion::C1, format!("{first} and {second} have already met"))
    } else if let (true, true, Some(colour)) = (one.is_absolute(), other.is_absolute(), one.wants)
        && one.wants == other.wants
        && !one.topscorer
        && !other.topscorer
    {
        let colour = colour_name(colour);
        (Criterion::C3, format!("{first} and {second} must both have {colour}"))
    } else {
        (Criterion::C1, format!("{first} and {second} may not be paired with each other"))
    }
}

/// What a worse pairing would cost, by the first criterion in which it is worse.
pub(super) fn price(criterion: Criterion, worse: &Quality, better: &Quality) -> String {
    let (more, less) = (worse.count(criterion), better.count(criterion));
    let than = if less == 0 { "none".to_owned() } else { less.to_string() };
    let players = if more == 1 { "1 player".to_owned() } else { format!("{more} players") };
    let pairs = if more == 1 { "1 pair".to_owned() } else { format!("{more} pairs") };
    match criterion {
        Criterion::C6 => format!("{players} instead of {than} would have to move down"),
        Criterion::C7 => "somebody with a higher score would have to move down".to_owned(),
        Criterion::C8 => "the next bracket could not be paired as well".to_owned(),
        Criterion::C9 => {
            format!("the bye would go to a player with more unplayed games ({more}, not {less})")
        }
        Criterion::C10 => {
            format!("{pairs} instead of {than} would lead to a colour difference of three")
        }
        Criterion::C11 => {
            format!("{pairs} instead of {than} would lead to a third equal colour in a row")
        }
        Criterion::C12 => {
            format!("{players} instead of {than} would not get the colour they prefer")
        }
        Criterion::C13 => {
            format!("{players} instead of {than} would not get the colour they strongly prefer")
        }
        Criterion::C14 => {
            format!("{players} instead of {than} would move down for the second time running")
        }
        Criterion::C15 => format!(
            "{players} instead of {than} would meet a higher score for the second time running"
        ),
        Criterion::C16 => {
            format!("{players} instead of {than} would move down who did so two rounds ago")
        }
        Criterion::C17 => format!(
            "{players} instead of {than} would meet a higher score who did so two rounds ago"
        ),
        other => format!("it would be worse for the rule that {}", other.rule()),
    }
}

/// A player's wish: `strongly prefers White`.
fn wish(seat: &Seat) -> String {
    let Some(colour) = seat.wants else { return format!("{} has no preference", seat.number) };
    let verb = match seat.strength {
        Strength::None | Strength::Mild => "prefers",
        Strength::Strong => "strongly prefers",
        Strength::Absolute => "must have",
    };
    format!("{} {verb} {}", seat.number, colour_name(colour))
}

/// Why the colours are as they are.
pub(super) fn colours(higher: &Seat, lower: &Seat, rule: ColourRule) -> String {
    let wishes = format!("{}, {}", wish(higher), wish(lower));
    let decided = match rule {
        ColourRule::BothGranted => "nobody has to give way",
        ColourRule::Stronger => "the stronger preference is granted",
        ColourRule::WiderDifference => "the wider colour difference is granted",
        ColourRule::Alternate => {
            "the colours alternate from the last round in which the two had different ones"
        }
        ColourRule::HigherRanked => "the preference of the higher-ranked player is granted",
        ColourRule::InitialColour => {
            "the number of the higher-ranked player and the colour drawn by lot decide"
        }
    };
    format!("{wishes}: {decided} ({})", rule.article())
}

/// Who may not have the bye although the score would be right.
pub(super) fn barred_from_bye(bracket: &Bracket<'_>) -> Vec<String> {
    let seats = bracket.members.iter().map(|&seat| &bracket.roster.seats[seat]);
    let barred = seats.filter(|seat| bracket.bye == Some(seat.score) && !seat.may_have_bye);
    barred.map(|seat| seat.number.to_string()).collect()
}
