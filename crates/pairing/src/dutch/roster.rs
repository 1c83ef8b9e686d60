//! Everybody who is to be paired, in order, and who may meet whom.

use std::ops::Range;

use super::PairingError;
use super::seat::{History, Seat};
use crate::matching::bits::{BitGraph, Bits};
use crate::model::{Colour, Player, Points, RoundNumber, Tournament};

/// The players to be paired in pairing order (score, then initial order).
///
/// A player is known by the place in this order throughout the pairing.
#[derive(Debug, Clone)]
pub(super) struct Roster {
    pub(super) seats: Vec<Seat>,
    /// Two players are joined if the absolute criteria C1 and C3 let them meet.
    pub(super) graph: BitGraph,
    /// The last round, where topscorers have their own rules.
    pub(super) is_last_round: bool,
    pub(super) round: RoundNumber,
    pub(super) initial_colour: Option<Colour>,
}

impl Roster {
    pub(super) fn new(tournament: &Tournament) -> Result<Roster, PairingError> {
        tournament.check()?;
        let round = tournament.next_round();
        if tournament.total_rounds.is_some_and(|total| round.0 > total) {
            return Err(PairingError::AllRoundsPaired { rounds: round.0 - 1 });
        }
        let mut seats = seats(tournament, round);
        if seats.is_empty() {
            return Err(PairingError::NobodyPresent);
        }
        seats.sort_by(|one, other| other.score.cmp(&one.score).then(one.place.cmp(&other.place)));
        Ok(Roster {
            graph: meeting_graph(tournament, &seats, round),
            seats,
            is_last_round: tournament.total_rounds.is_some_and(|total| round.0 >= total),
            round,
            initial_colour: tournament.initial_colour(),
        })
    }

    pub(super) fn len(&self) -> usize {
        self.seats.len()
    }

    pub(super) fn score(&self, seat: usize) -> Points {
        self.seats[seat].score
    }

    /// The score group that begins at this place; empty after the last one.
    pub(super) fn group_at(&self, start: usize) -> Range<usize> {
        let rest = &self.seats[start.min(self.len())..];
        let size = rest.iter().take_while(|seat| seat.score == rest[0].score).count();
        start..start + size
    }
}

fn seats(tournament: &Tournament, round: RoundNumber) -> Vec<Seat> {
    let absent: std::collections::HashSet<_> =
        tournament.byes.iter().filter(|bye| bye.round == round).map(|bye| bye.player).collect();
    let is_present = |player: &Player| !absent.contains(&player.number);
    let mut players: Vec<&Player> = tournament.players.iter().collect();
    players.sort_by_key(|player| tournament.order_key(player));
    // Who has never been paired and is not here has no number yet (C.04.2).
    players.retain(|player| {
        is_present(player) || player.rounds.iter().any(crate::model::Entry::is_paired)
    });
    let history = History::new(tournament);
    let numbered = players.into_iter().zip(1..).filter(|(player, _)| is_present(player));
    numbered.map(|(player, place)| Seat::new(&history, player, place)).collect()
}

/// C1, C3 and forbidden pairs as a graph.
fn meeting_graph(tournament: &Tournament, seats: &[Seat], round: RoundNumber) -> BitGraph {
    let size = seats.len();
    let mut graph = BitGraph::complete(size);
    for colour in [Colour::White, Colour::Black] {
        let wanting = |seat: &Seat| seat.is_absolute() && seat.wants == Some(colour);
        let all = Bits::of(
            size,
            (0..size).filter(|&seat| wanting(&seats[seat]) && !seats[seat].topscorer),
        );
        for seat in all.iter() {
            graph.part_one_way(seat, &all);
        }
    }
    let highest =
        tournament.players.iter().map(|player| usize::from(player.number.0)).max().unwrap_or(0);
    let mut seat_of = vec![None; highest + 1];
    for (index, seat) in seats.iter().enumerate() {
        seat_of[usize::from(seat.number.0)] = Some(index);
    }
    let find =
        |number: crate::model::PairingNumber| seat_of.get(usize::from(number.0)).copied().flatten();
    for player in &tournament.players {
        let Some(own) = find(player.number) else { continue };
        for theirs in
            player.rounds.iter().filter_map(crate::model::Entry::opponent_met).filter_map(find)
        {
            graph.part(own, theirs);
        }
    }
    for group in tournament.forbidden.iter().filter(|group| group.holds_in(round)) {
        let members = Bits::of(size, group.players.iter().copied().filter_map(find));
        for member in members.iter() {
            graph.part_one_way(member, &members);
        }
    }
    graph
}
