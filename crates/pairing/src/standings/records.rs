//! What every tie-break needs: scores, and scores as the opponents' tie-breaks see them.

use super::{Edition, Format, Rules};
use crate::model::{Bye, Entry, GameResult, Places, Player, Points, RoundNumber, Tournament};

/// A tournament with the scores that tie-breaks are made of.
pub(super) struct Records<'a> {
    pub(super) tournament: &'a Tournament,
    pub(super) places: Places,
    pub(super) rules: Rules,
    /// The points of each player.
    pub(super) score: Vec<Points>,
    /// The most a dummy opponent can have: half of what was possible in all rounds.
    cap: Points,
    /// The points of each player as the tie-breaks of the opponents count them (16.3).
    pub(super) adjusted: Vec<Points>,
}

/// What one round adds to a tie-break that looks at opponents.
#[derive(Debug, Clone, Copy)]
pub(super) struct Encounter {
    /// The score of the opponent or of the dummy.
    pub(super) opponent: Points,
    /// The points made in the round.
    pub(super) points: Points,
    /// Whether the player chose not to play: such values are cut first (16.5).
    pub(super) voluntary: bool,
}

impl<'a> Records<'a> {
    pub(super) fn new(tournament: &'a Tournament, rules: &Rules) -> Records<'a> {
        let score = tournament.players.iter().map(|player| tournament.score(player)).collect();
        let adjusted = tournament
            .players
            .iter()
            .map(|player| adjusted_score(tournament, player, rules))
            .collect();
        let cap = tournament.scoring.draw * i32::from(tournament.rounds_in_all());
        Records { tournament, places: tournament.places(), rules: *rules, score, cap, adjusted }
    }

    /// The place of a round's opponent by the pairing.
    pub(super) fn opponent(&self, entry: &Entry) -> Option<usize> {
        entry.opponent_paired().and_then(|number| self.places.of(number))
    }

    /// Whether a round counts as a game for the tie-breaks of the Buchholz family.
    pub(super) fn counts_as_game(&self, entry: &Entry, forfeits_played: bool) -> bool {
        match entry {
            Entry::Game { .. } => true,
            Entry::Forfeit { .. } => forfeits_played || self.rules.format == Format::RoundRobin,
            Entry::Bye(_) => false,
        }
    }

    /// All rounds of a player, unplayed ones against a dummy (16.4).
    pub(super) fn encounters(&self, place: usize, forfeits_played: bool) -> Vec<Encounter> {
        let player = &self.tournament.players[place];
        let rounds = player.rounds.iter().enumerate();
        let encounter = |(index, entry): (usize, &Entry)| {
            let points = self.tournament.points_in(player, RoundNumber::from_index(index));
            let opponent = self.opponent(entry).map(|opponent| self.adjusted[opponent]);
            match opponent {
                Some(opponent) if self.counts_as_game(entry, forfeits_played) => {
                    Some(Encounter { opponent, points, voluntary: false })
                }
                // A round robin has no dummies: who rests, rests.
                _ if self.rules.format == Format::RoundRobin => None,
                _ => Some(Encounter {
                    opponent: self.dummy(place, opponent),
                    points,
                    voluntary: is_voluntary(entry),
                }),
            }
        };
        rounds.filter_map(encounter).collect()
    }

    /// The score of the opponent a player has in an unplayed round: the player's own, but since
    /// 2026 not above that of the opponent who was forfeited, nor above half of what was possible.
    fn dummy(&self, place: usize, forfeited: Option<Points>) -> Points {
        let own = self.score[place];
        if self.rules.edition == Edition::August2024 {
            return own;
        }
        own.min(forfeited.unwrap_or(self.cap))
    }
}

/// Whether the player chose not to play the round: a requested bye or a forfeit loss (16.1).
pub(super) fn is_voluntary(entry: &Entry) -> bool {
    is_requested(entry) || matches!(entry, Entry::Forfeit { won: false, .. })
}

/// Whether it is a half-point or a zero-point bye.
pub(super) fn is_requested(entry: &Entry) -> bool {
    matches!(entry, Entry::Bye(Bye::Half | Bye::Zero))
}

/// The score for the opponents' tie-breaks: requested byes after which the player did not want to
/// play any more count as draws (16.3).
fn adjusted_score(tournament: &Tournament, player: &Player, rules: &Rules) -> Points {
    let mut score = tournament.score(player);
    if rules.format == Format::RoundRobin {
        return score;
    }
    for (index, entry) in player.rounds.iter().enumerate().rev() {
        if is_requested(entry) {
            score -= tournament.points_in(player, RoundNumber::from_index(index));
            score += tournament.scoring.draw;
        } else if !is_voluntary(entry) {
            break;
        }
    }
    score
}

/// The tournament as if all games that were paired for the last round had been drawn.
pub(super) fn with_last_round_drawn(tournament: &Tournament) -> Tournament {
    let mut drawn = tournament.clone();
    let last = usize::from(tournament.rounds_paired());
    for player in &mut drawn.players {
        if let Some(entry) = last.checked_sub(1).and_then(|last| player.rounds.get_mut(last)) {
            *entry = match *entry {
                Entry::Game { opponent, colour, rated, .. } => {
                    Entry::Game { opponent, colour, result: GameResult::Draw, rated }
                }
                Entry::Forfeit { opponent, colour, .. } => Entry::Game {
                    opponent,
                    // The colour does not matter for what this is used for.
                    colour: colour.unwrap_or(crate::model::Colour::White),
                    result: GameResult::Draw,
                    rated: false,
                },
                bye @ Entry::Bye(_) => bye,
            };
        }
    }
    drawn
}
