//! What a report says that an event of this program does not: told to whoever brings it, one sentence each.

use std::collections::BTreeSet;

use pairing::model::{InitialOrder, Scoring};
use pairing::trf::Warning;
use pairing::{Acceleration, Tournament};

use super::super::event::Event;

/// Sentences of one kind: a file that is odd in every line is odd in the same way.
const MOST: usize = 20;

/// What was odd about a report, and what of it the event has lost.
pub(super) fn left_out(read: &Tournament, odd: &[Warning], event: &Event) -> Vec<String> {
    let mut told: Vec<String> = odd.iter().take(MOST).map(ToString::to_string).collect();
    if odd.len() > MOST {
        told.push(format!("{} further lines were odd", odd.len() - MOST));
    }
    let mut say = |is_so: bool, words: String| {
        if is_so {
            told.push(words);
        }
    };
    let (system, kind) = (system_words(read), read.header.kind.trim());
    say(
        !is_known(read),
        format!("`{system}` is paired and counted as a Swiss by the Dutch system"),
    );
    say(
        kind.to_uppercase().contains("TEAM"),
        format!("`{kind}`: the event has players, but no teams"),
    );
    let usual = Scoring {
        pairing_bye: read.scoring.pairing_bye,
        ..Scoring::new(read.scoring.win, read.scoring.draw, read.scoring.loss)
    };
    say(
        read.scoring != usual,
        "points of their own for forfeits and for byes on request are left out: they count like games"
            .to_owned(),
    );
    let special = read.abnormal.len();
    say(special > 0, format!("special points (299) are left out: {special} lines"));
    say(
        matches!(read.acceleration, Acceleration::Explicit(_)),
        "acceleration that is given player by player becomes that of the Baku system".to_owned(),
    );
    say(
        read.forbidden.iter().any(|group| group.rounds.is_some()),
        "players who must not meet in some rounds will not meet in any".to_owned(),
    );
    say(
        read.initial_order == InitialOrder::Rank,
        "players are paired by their numbers, not by the ranks in the report".to_owned(),
    );
    let tie_breaks = read.tie_breaks.trim();
    say(
        !tie_breaks.is_empty() && pairing::standings::parse_list(tie_breaks).is_err(),
        format!("the tie-breaks `{tie_breaks}` are not known: those of the house apply"),
    );
    let codes: BTreeSet<&str> = read
        .header
        .other_lines
        .iter()
        .filter_map(|line| line.get(..3))
        .filter(|code| *code != "222" && code.bytes().all(|byte| byte.is_ascii_digit()))
        .collect();
    let listed = codes.iter().copied().collect::<Vec<_>>().join(", ");
    say(!codes.is_empty(), format!("lines of these kinds are left out: {listed}"));
    told.extend(other_points(read, event));
    told
}

/// Whose points are no longer those of the report.
fn other_points(read: &Tournament, event: &Event) -> Vec<String> {
    let ours = event.tournament();
    let places = ours.places();
    let mut told = Vec::new();
    for player in &read.players {
        let Some(place) = places.of(player.number) else { continue };
        let (there, here) = (read.score(player), ours.score(&ours.players[place]));
        if there != here {
            told.push(format!("{} has {here} points here, {there} in the report", player.name));
        }
    }
    let all = told.len();
    told.truncate(MOST);
    if all > MOST {
        told.push(format!("{} further players have other points here", all - MOST));
    }
    told
}

fn system_words(read: &Tournament) -> &str {
    if read.system.is_empty() { read.header.kind.trim() } else { read.system.as_str() }
}

/// Whether the event plays by the system that the report names. One that names none is a Swiss.
fn is_known(read: &Tournament) -> bool {
    let words = system_words(read).to_uppercase().replace(['-', ' ', '_'], "");
    let others =
        ["DUBOV", "BURSTEIN", "FIDELIM", "DOUBLESWISS", "KNOCKOUT", "ARENA", "SCHEVENINGEN"];
    words.is_empty()
        || words.contains("ROUNDROBIN")
        || (["SWISS", "DUTCH"].iter().any(|known| words.contains(known))
            && !others.iter().any(|other| words.contains(other)))
}
