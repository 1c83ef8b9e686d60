//! Knockout: a bracket as data, and winners who advance.
//!
//! The bracket is made once, with every match of every round and where its two players come
//! from; results only fill it. Byes are no matches: who has one stands in the second round at
//! once. So n players need exactly n − 1 decided matches, plus one for the third place.

mod seeding;

use serde::{Deserialize, Serialize};

pub use seeding::{Seeding, seed_order};

use crate::model::{Board, Colour, GameResult, MAX_PLAYERS, PairingNumber};

/// The regulations of a knockout.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Regulations {
    /// How the players are put into the bracket.
    pub seeding: Seeding,
    /// The games of a match; a tie after them is decided by play-off ([`Bracket::decide`]).
    pub games: u8,
    /// Whether the losers of the semifinals play for the third place.
    pub third_place: bool,
    /// The colour of the higher seeded player in the first game of the first match of a round;
    /// it alternates from match to match and from game to game.
    pub initial_colour: Colour,
}

impl Default for Regulations {
    fn default() -> Regulations {
        Regulations {
            seeding: Seeding::Standard,
            games: 1,
            third_place: false,
            initial_colour: Colour::White,
        }
    }
}

/// Why something cannot be done with a bracket. It is unchanged.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum KnockoutError {
    /// A bracket needs two.
    #[error("a knockout needs at least two players, not {0}")]
    TooFew(usize),
    /// Over the limit.
    #[error("{0} players are too many: the limit is {MAX_PLAYERS}")]
    TooMany(usize),
    /// A match needs a game.
    #[error("a match needs at least one game")]
    NoGames,
    /// No such match.
    #[error("there is no match {0:?}")]
    NoMatch(MatchId),
    /// The players are not known yet.
    #[error("the players of match {0:?} are not known yet")]
    NotReady(MatchId),
    /// Nothing to add.
    #[error("match {0:?} is decided")]
    Decided(MatchId),
    /// All games are played; a play-off decides.
    #[error("match {0:?} has no more games: it needs a decision")]
    GamesPlayed(MatchId),
    /// The winner does not play there.
    #[error("player {1} does not play match {0:?}")]
    NotPlaying(MatchId, PairingNumber),
}

/// Which match: the round from 1, and the match in it from 1. The match for the third place is
/// the second one of the last round.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct MatchId {
    /// The round.
    pub round: u16,
    /// The match.
    pub number: u16,
}

/// Where a player of a match comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Side {
    /// Seeded there.
    Seed(PairingNumber),
    /// The winner of a match.
    WinnerOf(MatchId),
    /// The loser of a match.
    LoserOf(MatchId),
}

/// A match of two players.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Match {
    /// Which.
    pub id: MatchId,
    /// Where the two come from.
    pub sides: [Side; 2],
    /// The two as far as they are known.
    pub players: [Option<PairingNumber>; 2],
    /// The colour of the first player in the first game.
    pub first_colour: Colour,
    /// The games so far, as they ended for the first player.
    pub games: Vec<GameResult>,
    /// Who advances.
    pub winner: Option<PairingNumber>,
}

impl Match {
    /// The half points of the two players.
    pub fn score(&self) -> [u16; 2] {
        let halves = |result: &GameResult| match result {
            GameResult::Win => 2,
            GameResult::Draw => 1,
            GameResult::Loss => 0,
        };
        let first = self.games.iter().map(halves).sum();
        [first, u16::try_from(self.games.len()).unwrap_or(u16::MAX).saturating_mul(2) - first]
    }

    /// The other player, once both are known and one has won.
    pub fn loser(&self) -> Option<PairingNumber> {
        let winner = self.winner?;
        self.players.iter().flatten().copied().find(|&player| player != winner)
    }

    /// The board of the next game; nothing until both are known or when the match is decided.
    pub fn next_board(&self) -> Option<Board> {
        let [Some(first), Some(second)] = self.players else { return None };
        let is_even = self.games.len().is_multiple_of(2);
        let first_is_white = (self.first_colour == Colour::White) == is_even;
        let (white, black) = if first_is_white { (first, second) } else { (second, first) };
        self.winner.is_none().then_some(Board { white, black })
    }
}

/// The whole tournament: every match there will be.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Bracket {
    /// The regulations it was made with.
    pub regulations: Regulations,
    /// The matches, round by round.
    pub rounds: Vec<Vec<Match>>,
}

impl Bracket {
    /// A bracket for so many players, who are numbered from 1 by strength.
    pub fn new(players: usize, regulations: Regulations) -> Result<Bracket, KnockoutError> {
        if players < 2 {
            return Err(KnockoutError::TooFew(players));
        }
        let Some(count) = u16::try_from(players).ok().filter(|_| players <= MAX_PLAYERS) else {
            return Err(KnockoutError::TooMany(players));
        };
        if regulations.games == 0 {
            return Err(KnockoutError::NoGames);
        }
        Ok(Bracket { regulations, rounds: seeding::rounds(count, regulations) })
    }

    /// A match.
    pub fn get(&self, id: MatchId) -> Option<&Match> {
        let round = self.rounds.get(usize::from(id.round.checked_sub(1)?))?;
        round.iter().find(|of_round| of_round.id == id)
    }

    fn open_match(&mut self, id: MatchId) -> Result<&mut Match, KnockoutError> {
        let round =
            usize::from(id.round).checked_sub(1).and_then(|round| self.rounds.get_mut(round));
        let found = round.and_then(|round| round.iter_mut().find(|of_round| of_round.id == id));
        let found = found.ok_or(KnockoutError::NoMatch(id))?;
        match (found.winner, found.players) {
            (Some(_), _) => Err(KnockoutError::Decided(id)),
            (None, [Some(_), Some(_)]) => Ok(found),
            (None, _) => Err(KnockoutError::NotReady(id)),
        }
    }

    /// The matches that can be played now.
    pub fn ready(&self) -> impl Iterator<Item = &Match> {
        self.rounds.iter().flatten().filter(|of_round| of_round.next_board().is_some())
    }

    /// Adds a game, with its end for White, and lets the winner advance once the match cannot be
    /// lost any more.
    pub fn record_game(&mut self, id: MatchId, white: GameResult) -> Result<(), KnockoutError> {
        let games = u16::from(self.regulations.games);
        let of_round = self.open_match(id)?;
        if of_round.games.len() >= usize::from(games) {
            return Err(KnockoutError::GamesPlayed(id));
        }
        let first_is_white =
            of_round.next_board().is_some_and(|board| Some(board.white) == of_round.players[0]);
        of_round.games.push(if first_is_white { white } else { white.other() });
        let [first, second] = of_round.score();
        let winner = if first > games {
            of_round.players[0]
        } else if second > games {
            of_round.players[1]
        } else {
            None
        };
        winner.map_or(Ok(()), |winner| self.decide(id, winner))
    }

    /// Decides a match by other means: play-off, walkover, lot.
    pub fn decide(&mut self, id: MatchId, winner: PairingNumber) -> Result<(), KnockoutError> {
        let of_round = self.open_match(id)?;
        if !of_round.players.contains(&Some(winner)) {
            return Err(KnockoutError::NotPlaying(id, winner));
        }
        of_round.winner = Some(winner);
        let loser = of_round.loser();
        for later in self.rounds.iter_mut().skip(usize::from(id.round)).flatten() {
            for (side, player) in later.sides.iter().zip(&mut later.players) {
                match side {
                    Side::WinnerOf(from) if *from == id => *player = Some(winner),
                    Side::LoserOf(from) if *from == id => *player = loser,
                    _ => {}
                }
            }
        }
        Ok(())
    }

    /// The last match.
    fn final_match(&self) -> Option<&Match> {
        self.rounds.last().and_then(|round| round.first())
    }

    /// Who has won the tournament.
    pub fn champion(&self) -> Option<PairingNumber> {
        self.final_match()?.winner
    }

    /// Who has won the match for the third place.
    pub fn third(&self) -> Option<PairingNumber> {
        self.rounds.last()?.get(1)?.winner
    }
}
