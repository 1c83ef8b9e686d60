//! What the rules need to know about a player who is to be paired.

use std::cmp::Ordering;

use serde::Serialize;

use crate::model::{
    Bye, Colour, Entry, PairingNumber, Places, Player, Points, RoundNumber, Tournament,
};

/// How much a player wants a colour (article 1.7).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Strength {
    /// No game played yet.
    None,
    /// Colours are even: alternate.
    Mild,
    /// One colour is one game ahead.
    Strong,
    /// Two ahead, or the same colour twice in a row.
    Absolute,
}

/// Whether a past round took a player out of the score group, and in which direction.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Float {
    /// Met an equal score.
    None,
    /// Met a lower score, or scored without playing.
    Down,
    /// Met a higher score.
    Up,
}

/// A player who is to be paired, with everything the criteria look at.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Seat {
    /// The number in the initial order.
    pub number: PairingNumber,
    /// The place, from 1, among those who have ever been paired or are present.
    pub place: u32,
    /// The score by which the player is paired: fictitious points included.
    pub score: Points,
    /// The score without fictitious points.
    pub plain_score: Points,
    /// The colour wanted.
    pub wants: Option<Colour>,
    /// How much it is wanted.
    pub strength: Strength,
    /// By how many games one colour is ahead.
    pub imbalance: u16,
    /// The colour of the last two games, if the same.
    pub repeated: Option<Colour>,
    /// The floats of the last round and of the one before.
    pub floats: [Float; 2],
    /// Whether the pairing-allocated bye may be given (C2).
    pub may_have_bye: bool,
    /// Rounds without a game.
    pub unplayed: u16,
    /// Above half of the maximum when the last round is paired.
    pub topscorer: bool,
    /// The colours of the games played, the first one first.
    pub colours: Vec<Colour>,
    /// Everybody met over the board.
    pub opponents: Vec<PairingNumber>,
}

/// What is asked of the tournament for every player, found once.
#[derive(Debug)]
pub(super) struct History<'a> {
    tournament: &'a Tournament,
    places: Places,
    paired: u16,
    rounds: u16,
    /// By place in the player list: the score before the last round and before the one before
    /// it, each with the fictitious points of that round.
    before: Vec<[Points; 2]>,
}

impl<'a> History<'a> {
    pub(super) fn new(tournament: &'a Tournament) -> History<'a> {
        let mut history = History {
            tournament,
            places: tournament.places(),
            paired: tournament.rounds_paired(),
            rounds: tournament.rounds_in_all(),
            before: Vec::new(),
        };
        let score = |player: &Player, back: u16| {
            let rounds = history.paired.checked_sub(back)?;
            Some(tournament.score_after(player, rounds) + history.fictitious(player, rounds))
        };
        history.before = tournament
            .players
            .iter()
            .map(|player| [1, 2].map(|back| score(player, back).unwrap_or_default()))
            .collect();
        history
    }

    /// The fictitious points when so many rounds have been paired.
    fn fictitious(&self, player: &Player, paired: u16) -> Points {
        let Tournament { acceleration, scoring, .. } = self.tournament;
        acceleration.points(player.number, RoundNumber(paired + 1), self.rounds, scoring)
    }

    /// Article 1.4.3: what a round was for the player, by the scores before it.
    fn float(&self, player: &Player, back: usize) -> Float {
        let Some(round) = player.rounds.len().checked_sub(back) else { return Float::None };
        let entry = &player.rounds[round];
        let scoring = &self.tournament.scoring;
        match entry {
            Entry::Game { opponent, .. } => {
                let (Some(own), Some(theirs)) =
                    (self.places.of(player.number), self.places.of(*opponent))
                else {
                    return Float::None;
                };
                match self.before[own][back - 1].cmp(&self.before[theirs][back - 1]) {
                    Ordering::Greater => Float::Down,
                    Ordering::Less => Float::Up,
                    Ordering::Equal => Float::None,
                }
            }
            Entry::Bye(Bye::PairingAllocated) => Float::Down,
            _ if scoring.points(entry) > scoring.loss => Float::Down,
            _ => Float::None,
        }
    }
}

impl Seat {
    pub(super) fn new(history: &History<'_>, player: &Player, place: u32) -> Seat {
        let tournament = history.tournament;
        let colours: Vec<Colour> = player.rounds.iter().filter_map(Entry::colour_played).collect();
        let whites = colours.iter().filter(|&&colour| colour == Colour::White).count();
        let blacks = colours.len() - whites;
        let imbalance = u16::try_from(whites.abs_diff(blacks)).unwrap_or(u16::MAX);
        let behind = if whites > blacks { Colour::Black } else { Colour::White };
        let repeated = match colours[..] {
            [.., before, last] if before == last => Some(last),
            _ => None,
        };
        let (wants, strength) = match (imbalance, repeated, colours.last()) {
            (2.., _, _) => (Some(behind), Strength::Absolute),
            (_, Some(last), _) => (Some(last.other()), Strength::Absolute),
            (1, _, _) => (Some(behind), Strength::Strong),
            (_, _, Some(last)) => (Some(last.other()), Strength::Mild),
            (_, _, None) => (None, Strength::None),
        };
        let paired = history.paired;
        let plain_score = tournament.score_after(player, paired);
        let score = plain_score + history.fictitious(player, paired);
        let is_last = tournament.total_rounds.is_some_and(|total| paired + 1 >= total);
        let best = tournament.scoring.win.max(tournament.scoring.draw);
        Seat {
            number: player.number,
            place,
            score,
            plain_score,
            wants,
            strength,
            imbalance,
            repeated,
            floats: [1, 2].map(|back| history.float(player, back)),
            may_have_bye: may_have_bye(tournament, player),
            unplayed: u16::try_from(player.rounds.len() - colours.len()).unwrap_or(u16::MAX),
            topscorer: is_last && score * 2 > best * i32::from(paired),
            colours,
            opponents: player.rounds.iter().filter_map(Entry::opponent_met).collect(),
        }
    }

    /// Whether the colour is wanted absolutely.
    pub fn is_absolute(&self) -> bool {
        self.strength == Strength::Absolute
    }
}

/// C2: no earlier pairing-allocated bye, and no round that gave a win's points unplayed.
fn may_have_bye(tournament: &Tournament, player: &Player) -> bool {
    !player.rounds.iter().any(|entry| {
        matches!(entry, Entry::Bye(Bye::PairingAllocated))
            || !entry.is_played() && tournament.scoring.points(entry) >= tournament.scoring.win
    })
}
