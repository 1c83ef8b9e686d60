//! The old club Swiss by weights.
//!
//! Whoever has the fewest possible opponents is paired first and gets the one that costs least:
//! difference in score, and colours that do not fit, which weigh more from round to round.
//! As the clubs played it, this could end with two players who had met; here every choice is
//! made only if the others can still be paired, so a complete pairing is found whenever one
//! exists. It is not one of FIDE's systems and does not try to be.

mod colours;

use serde::{Deserialize, Serialize};

use crate::matching::bits::{BitGraph, Bits};
use crate::matching::cardinality::Cardinality;
use crate::model::{
    Board, Bye, Colour, Entry, ModelError, PairingNumber, Player, Points, RoundNumber,
    RoundPairing, Tournament,
};
use colours::History;

/// What a pairing costs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Weights {
    /// For every tenth of a point between the two.
    pub score: u32,
    /// For every step by which a colour does not fit, times the number of the round.
    pub colour: u32,
}

impl Default for Weights {
    /// Half a point weighs as much as a badly fitting colour in the middle of an event.
    fn default() -> Weights {
        Weights { score: 20, colour: 4 }
    }
}

/// Why a round cannot be paired.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ClassicError {
    /// Whatever one tries, somebody is left over.
    #[error("no complete pairing exists: too many have met already or must not meet")]
    NoPairing,
    /// The tournament is no tournament.
    #[error(transparent)]
    Model(#[from] ModelError),
}

/// Somebody who takes part in the round.
struct Participant<'a> {
    player: &'a Player,
    /// With fictitious points.
    score: Points,
    history: History,
    /// The place in the own group of equal scores, and how many they are.
    in_group: (usize, usize),
}

/// Pairs the next round.
pub fn pair_round(
    tournament: &Tournament,
    weights: &Weights,
) -> Result<RoundPairing, ClassicError> {
    tournament.check()?;
    let round = tournament.next_round();
    let participants = participants(tournament, round);
    let graph = possible_pairs(tournament, &participants, round);
    let mut members = Bits::of(participants.len(), 0..participants.len());
    let bye = choose_bye(tournament, &participants, &graph, &members)?;
    if let Some(bye) = bye {
        members.remove(bye);
    }
    let mut search = Search::new(&graph, members).ok_or(ClassicError::NoPairing)?;
    let mut pairs = Vec::with_capacity(participants.len() / 2);
    while let Some(one) = search.scarcest() {
        let price = |other: usize| (cost(&participants, (one, other), round, *weights), other);
        let mut candidates: Vec<_> = search.opponents(one).map(price).collect();
        let other = loop {
            // The cheapest nearly always fits, so the others are not worth sorting. The witness
            // of the search has an opponent for everybody, so one is always found.
            let cheapest = (0..candidates.len()).min_by_key(|&index| candidates[index]);
            let (_, other) = candidates.swap_remove(cheapest.ok_or(ClassicError::NoPairing)?);
            if search.fix(one, other) {
                break other;
            }
        };
        pairs.push((one, other));
    }
    Ok(publish(tournament, &participants, pairs, bye))
}

/// Who plays, by score and number.
fn participants(tournament: &Tournament, round: RoundNumber) -> Vec<Participant<'_>> {
    let away: Vec<PairingNumber> =
        tournament.byes.iter().filter(|bye| bye.round == round).map(|bye| bye.player).collect();
    let present = tournament.players.iter().filter(|player| !away.contains(&player.number));
    let mut participants: Vec<Participant<'_>> = present
        .map(|player| Participant {
            player,
            score: tournament.score(player) + tournament.fictitious_points(player.number, round),
            history: History::of(player),
            in_group: (0, 0),
        })
        .collect();
    participants
        .sort_by_key(|participant| (-participant.score, tournament.order_key(participant.player)));
    for group in participants.chunk_by_mut(|a, b| a.score == b.score) {
        let size = group.len();
        for (place, participant) in group.iter_mut().enumerate() {
            participant.in_group = (place, size);
        }
    }
    participants
}

/// Who can meet whom: those who have not met and are not kept apart.
fn possible_pairs(
    tournament: &Tournament,
    participants: &[Participant<'_>],
    round: RoundNumber,
) -> BitGraph {
    let most =
        tournament.players.iter().map(|player| usize::from(player.number.0) + 1).max().unwrap_or(0);
    let mut place = vec![None; most];
    for (index, participant) in participants.iter().enumerate() {
        place[usize::from(participant.player.number.0)] = Some(index);
    }
    let place = |number: PairingNumber| place.get(usize::from(number.0)).copied().flatten();
    let mut graph = BitGraph::complete(participants.len());
    for (index, participant) in participants.iter().enumerate() {
        for met in
            participant.player.rounds.iter().filter_map(Entry::opponent_met).filter_map(place)
        {
            graph.part(index, met);
        }
    }
    for group in tournament.forbidden.iter().filter(|group| group.holds_in(round)) {
        let members: Vec<usize> = group.players.iter().copied().filter_map(place).collect();
        for (index, &one) in members.iter().enumerate() {
            members[index + 1..].iter().for_each(|&other| graph.part(one, other));
        }
    }
    graph
}

/// The lowest of those who may have the bye and without whom the others can be paired.
fn choose_bye(
    tournament: &Tournament,
    participants: &[Participant<'_>],
    graph: &BitGraph,
    members: &Bits,
) -> Result<Option<usize>, ClassicError> {
    if participants.len().is_multiple_of(2) {
        return Ok(None);
    }
    let mut largest = Cardinality::new(graph, members.clone());
    let [single] = largest.grow(&[])[..] else { return Err(ClassicError::NoPairing) };
    let possible = largest.exchangeable(single);
    let may_have_it = |&index: &usize| {
        possible.contains(index) && is_eligible(tournament, participants[index].player)
    };
    (0..participants.len()).rev().find(may_have_it).map(Some).ok_or(ClassicError::NoPairing)
}

/// Whether a player has not yet had the points of a win without playing.
fn is_eligible(tournament: &Tournament, player: &Player) -> bool {
    let mut entries = player.rounds.iter();
    !entries.any(|entry| {
        *entry == Entry::Bye(Bye::PairingAllocated)
            || (!entry.is_played() && tournament.scoring.points(entry) >= tournament.scoring.win)
    })
}

/// What a pair costs, then how far it is from the natural pairs of equal scores, the upper half
/// against the lower half.
fn cost(
    participants: &[Participant<'_>],
    (one, other): (usize, usize),
    round: RoundNumber,
    weights: Weights,
) -> (u64, usize) {
    let (a, b) = (&participants[one], &participants[other]);
    let difference = u64::from((a.score - b.score).tenths().unsigned_abs());
    let clash = u64::from(a.history.clash(b.history));
    let colour = u64::from(weights.colour) * u64::from(round.0) * clash;
    let cost = u64::from(weights.score) * difference + colour;
    let natural = (a.in_group.0 + a.in_group.1 / 2) % a.in_group.1.max(1);
    (cost, natural.abs_diff(b.in_group.0))
}

/// Gives colours and puts the boards in order: higher score, sum of scores, number.
fn publish(
    tournament: &Tournament,
    participants: &[Participant<'_>],
    mut pairs: Vec<(usize, usize)>,
    bye: Option<usize>,
) -> RoundPairing {
    for pair in &mut pairs {
        *pair = (pair.0.min(pair.1), pair.0.max(pair.1));
    }
    pairs.sort_by_key(|&(high, low)| {
        let (high, low) = (&participants[high], &participants[low]);
        (-high.score, -(high.score + low.score), tournament.order_key(high.player))
    });
    let initial = tournament.initial_colour().unwrap_or(Colour::White);
    let boards = pairs.iter().zip(0_usize..).map(|(&(high, low), index)| {
        let otherwise = if index.is_multiple_of(2) { initial } else { initial.other() };
        let colour =
            participants[high].history.colour_against(participants[low].history, otherwise);
        let (high, low) = (participants[high].player.number, participants[low].player.number);
        match colour {
            Colour::White => Board { white: high, black: low },
            Colour::Black => Board { white: low, black: high },
        }
    });
    RoundPairing { boards: boards.collect(), bye: bye.map(|bye| participants[bye].player.number) }
}

/// Who is left, and the proof that they can all be paired.
struct Search<'a> {
    graph: &'a BitGraph,
    left: Bits,
    /// How many of those left each could meet.
    opponents: Vec<usize>,
    /// One complete pairing of those left.
    witness: Vec<usize>,
}

impl<'a> Search<'a> {
    /// Nothing if they cannot all be paired.
    fn new(graph: &'a BitGraph, members: Bits) -> Option<Search<'a>> {
        let mut search = Search {
            graph,
            left: members,
            opponents: vec![0; graph.size()],
            witness: (0..graph.size()).collect(),
        };
        if !search.find_witness() {
            return None;
        }
        for vertex in 0..graph.size() {
            search.opponents[vertex] = search.opponents(vertex).count();
        }
        Some(search)
    }

    /// Looks for a complete pairing of those left.
    fn find_witness(&mut self) -> bool {
        let mut largest = Cardinality::new(self.graph, self.left.clone());
        if !largest.grow(&[]).is_empty() {
            return false;
        }
        for vertex in self.left.iter() {
            self.witness[vertex] = largest.mate(vertex).unwrap_or(vertex);
        }
        true
    }

    /// Those left whom a player could meet.
    fn opponents(&self, vertex: usize) -> impl Iterator<Item = usize> {
        self.left.iter().filter(move |&other| self.graph.joined(vertex, other))
    }

    /// Who has the fewest possible opponents, the higher-ranked of equals.
    fn scarcest(&self) -> Option<usize> {
        self.left.iter().min_by_key(|&vertex| (self.opponents[vertex], vertex))
    }

    /// Pairs two, unless the others could not be paired then.
    fn fix(&mut self, one: usize, other: usize) -> bool {
        self.left.remove(one);
        self.left.remove(other);
        let (of_one, of_other) = (self.witness[one], self.witness[other]);
        let still_complete = if of_one == other {
            true
        } else if self.graph.joined(of_one, of_other) {
            self.witness[of_one] = of_other;
            self.witness[of_other] = of_one;
            true
        } else {
            self.find_witness()
        };
        if !still_complete {
            self.left.insert(one);
            self.left.insert(other);
            return false;
        }
        for gone in [one, other] {
            let fewer: Vec<usize> = self.opponents(gone).collect();
            for vertex in fewer {
                self.opponents[vertex] -= 1;
            }
        }
        true
    }
}
