//! What the rules need to know about a player who is to be paired.

use crate::model::{Bye, Colour, Entry, PairingNumber, Player, Points, Tournament};

/// How much a player wants a colour (article 1.7).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
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
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Float {
    /// Met an equal score.
    None,
    /// Met a lower score, or scored without playing.
    Down,
    /// Met a higher score.
    Up,
}

/// A player who is to be paired, with everything the criteria look at.
#[derive(Debug, Clone)]
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
}

/// Scores of everybody before the rounds that still matter for floats.
#[derive(Debug)]
pub(super) struct PastScores {
    /// By place in the player list: before the last round and before the one before it, each
    /// with the fictitious points of that round.
    before: Vec<[Points; 2]>,
}

impl PastScores {
    pub(super) fn new(tournament: &Tournament) -> PastScores {
        let paired = tournament.rounds_paired();
        let score = |player: &Player, back: u16| {
            let Some(round) = paired.checked_sub(back) else { return Points::ZERO };
            let coming = crate::model::RoundNumber(round + 1);
            tournament.score_after(player, round) + tournament.fictitious_points(player.number, coming)
        };
        PastScores {
            before: tournament.players.iter().map(|player| [score(player, 1), score(player, 2)]).collect(),
        }
    }
}

impl Seat {
    pub(super) fn new(
        tournament: &Tournament,
        player: &Player,
        place: u32,
        past: &PastScores,
        index_of: impl Fn(PairingNumber) -> Option<usize>,
    ) -> Seat {
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
        let paired = tournament.rounds_paired();
        let plain_score = tournament.score(player);
        let score = plain_score + tournament.fictitious_points(player.number, tournament.next_round());
        let is_last = tournament.total_rounds.is_some_and(|total| paired + 1 >= total);
        let best = tournament.scoring.win.max(tournament.scoring.draw);
        let float = |back: usize| float_of(tournament, player, back, past, &index_of);
        Seat {
            number: player.number,
            place,
            score,
            plain_score,
            wants,
            strength,
            imbalance,
            repeated,
            floats: [float(1), float(2)],
            may_have_bye: may_have_bye(tournament, player),
            unplayed: u16::try_from(player.rounds.len() - colours.len()).unwrap_or(u16::MAX),
            topscorer: is_last && score * 2 > best * i32::from(paired),
            colours,
        }
    }

    /// Whether the colour is wanted absolutely.
    pub fn is_absolute(&self) -> bool {
        self.strength == Strength::Absolute
    }
}

/// Article 1.4.3: what a round was for the player, by the scores before it.
fn float_of(
    tournament: &Tournament,
    player: &Player,
    back: usize,
    past: &PastScores,
    index_of: &impl Fn(PairingNumber) -> Option<usize>,
) -> Float {
    let Some(round) = player.rounds.len().checked_sub(back) else { return Float::None };
    let entry = &player.rounds[round];
    match entry {
        Entry::Game { opponent, .. } => {
            let (Some(own), Some(theirs)) = (index_of(player.number), index_of(*opponent)) else {
                return Float::None;
            };
            match past.before[own][back - 1].cmp(&past.before[theirs][back - 1]) {
                std::cmp::Ordering::Greater => Float::Down,
                std::cmp::Ordering::Less => Float::Up,
                std::cmp::Ordering::Equal => Float::None,
            }
        }
        Entry::Bye(Bye::PairingAllocated) => Float::Down,
        _ if tournament.scoring.points(entry) > tournament.scoring.loss => Float::Down,
        _ => Float::None,
    }
}

/// C2: no earlier pairing-allocated bye, and no round that gave a win's points unplayed.
fn may_have_bye(tournament: &Tournament, player: &Player) -> bool {
    !player.rounds.iter().any(|entry| {
        matches!(entry, Entry::Bye(Bye::PairingAllocated))
            || !entry.is_played() && tournament.scoring.points(entry) >= tournament.scoring.win
    })
}
