//! Round robin by Berger tables: everybody meets everybody, colours as even as can be.
//!
//! Rounds are computed one by one from a formula (C.05, annex 1), so a table of ten thousand
//! players costs nothing until a round is asked for.

use serde::{Deserialize, Serialize};

use crate::model::{
    Board, Bye, Entry, MAX_PLAYERS, PairingNumber, RoundNumber, RoundPairing, Tournament,
};

/// How often everybody meets everybody.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Cycles {
    /// Once.
    Single,
    /// Twice, the second time with colours reversed. The last two rounds of the first cycle
    /// change places, so that nobody has the same colour three times in a row.
    Double,
}

/// The table of a round robin.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct RoundRobin {
    players: u16,
    cycles: Cycles,
}

/// Why there is no such table.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum RoundRobinError {
    /// A table needs two.
    #[error("a round robin needs at least two players, not {0}")]
    TooFew(usize),
    /// Over the limit.
    #[error("{0} players are too many: the limit is {MAX_PLAYERS}")]
    TooMany(usize),
}

impl RoundRobin {
    /// The table for so many players, numbered from 1.
    pub fn new(players: usize, cycles: Cycles) -> Result<RoundRobin, RoundRobinError> {
        match u16::try_from(players) {
            Ok(0 | 1) => Err(RoundRobinError::TooFew(players)),
            Ok(count) if players <= MAX_PLAYERS => Ok(RoundRobin { players: count, cycles }),
            _ => Err(RoundRobinError::TooMany(players)),
        }
    }

    /// The rounds of one cycle: with an odd number everybody rests once.
    const fn rounds_in_cycle(self) -> u16 {
        self.even_players() - 1
    }

    /// The number of players with the one who does not exist, if they are odd.
    const fn even_players(self) -> u16 {
        self.players + self.players % 2
    }

    /// The number of rounds.
    pub const fn rounds(self) -> u16 {
        match self.cycles {
            Cycles::Single => self.rounds_in_cycle(),
            Cycles::Double => 2 * self.rounds_in_cycle(),
        }
    }

    /// The pairing of a round; nothing if the table has no such round.
    ///
    /// Who meets the player that does not exist rests and stands in no board. That is no
    /// pairing-allocated bye: it gives no points.
    pub fn round(self, round: RoundNumber) -> Option<RoundPairing> {
        if round.0 == 0 || round.0 > self.rounds() {
            return None;
        }
        let cycle = self.rounds_in_cycle();
        let is_second = round.0 > cycle;
        let in_cycle = if is_second { round.0 - cycle } else { round.0 };
        let row = match self.cycles {
            Cycles::Double if !is_second && cycle >= 3 && in_cycle >= cycle - 1 => {
                if in_cycle == cycle { cycle - 1 } else { cycle }
            }
            _ => in_cycle,
        };
        let mut boards = self.berger(row);
        if is_second {
            for board in &mut boards {
                *board = Board { white: board.black, black: board.white };
            }
        }
        Some(RoundPairing { boards, bye: None })
    }

    /// Who rests in a round because the number of players is odd.
    pub fn resting(self, round: RoundNumber) -> Option<PairingNumber> {
        let boards = self.round(round)?.boards;
        let plays =
            |player| boards.iter().any(|board| board.white == player || board.black == player);
        (1..=self.players).map(PairingNumber).find(|&player| !plays(player))
    }

    /// All rounds in order.
    pub fn schedule(self) -> impl Iterator<Item = RoundPairing> {
        (1..=self.rounds()).filter_map(move |round| self.round(RoundNumber(round)))
    }

    /// One row of the Berger table, in the table's own order of boards.
    fn berger(self, round: u16) -> Vec<Board> {
        let last = self.even_players();
        let cycle = last - 1;
        let partner = if round % 2 == 1 { round.div_ceil(2) } else { last / 2 + round / 2 };
        let mut boards = Vec::with_capacity(usize::from(last / 2));
        if last == self.players {
            boards.push(if partner <= last / 2 {
                board(partner, last)
            } else {
                board(last, partner)
            });
        }
        for step in 1..last / 2 {
            // The two at equal distance from the partner of the last player.
            let one = (partner - 1 + step) % cycle + 1;
            let other = (partner - 1 + cycle - step) % cycle + 1;
            let (small, large) = (one.min(other), one.max(other));
            let small_has_white = (small + large) % 2 == 1;
            boards.push(if small_has_white { board(small, large) } else { board(large, small) });
        }
        boards
    }
}

const fn board(white: u16, black: u16) -> Board {
    Board { white: PairingNumber(white), black: PairingNumber(black) }
}

/// What becomes of the games of a player who leaves a round robin.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Withdrawal {
    /// Less than half was played: the results count for rating, not for the standings.
    Annulled,
    /// At least half was played: the remaining games are lost by forfeit.
    RestForfeited,
}

impl Withdrawal {
    /// Judges by the games played and the games the table has for the player.
    pub const fn judge(played: u16, scheduled: u16) -> Withdrawal {
        if 2 * (played as u32) < scheduled as u32 {
            Withdrawal::Annulled
        } else {
            Withdrawal::RestForfeited
        }
    }
}

/// The tournament for the standings, without players whose results are annulled: their
/// opponents rested in those rounds.
#[must_use]
pub fn without_annulled(tournament: &Tournament, annulled: &[PairingNumber]) -> Tournament {
    let mut left = tournament.clone();
    left.players.retain(|player| !annulled.contains(&player.number));
    let entries = left.players.iter_mut().flat_map(|player| &mut player.rounds);
    for entry in entries {
        if entry.opponent_paired().is_some_and(|opponent| annulled.contains(&opponent)) {
            *entry = Entry::Bye(Bye::Zero);
        }
    }
    left
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows(players: usize, cycles: Cycles) -> Vec<String> {
        let table = RoundRobin::new(players, cycles).unwrap();
        let row = |round: RoundPairing| {
            let boards =
                round.boards.iter().map(|board| format!("{}-{}", board.white, board.black));
            boards.collect::<Vec<_>>().join(" ")
        };
        table.schedule().map(row).collect()
    }

    #[test]
    fn six_players_follow_the_published_table() {
        assert_eq!(
            rows(6, Cycles::Single),
            ["1-6 2-5 3-4", "6-4 5-3 1-2", "2-6 3-1 4-5", "6-5 1-4 2-3", "3-6 4-2 5-1"]
        );
    }

    #[test]
    fn five_players_rest_in_turn() {
        assert_eq!(
            rows(5, Cycles::Single),
            ["2-5 3-4", "5-3 1-2", "3-1 4-5", "1-4 2-3", "4-2 5-1"]
        );
    }

    #[test]
    fn the_one_who_rests_is_named() {
        let table = RoundRobin::new(5, Cycles::Single).unwrap();
        let resting: Vec<u16> =
            (1..=5).map(|round| table.resting(RoundNumber(round)).unwrap().0).collect();
        assert_eq!(resting, [1, 4, 2, 5, 3]);
        assert_eq!(RoundRobin::new(4, Cycles::Single).unwrap().resting(RoundNumber(1)), None);
    }

    #[test]
    fn a_double_round_robin_swaps_the_last_two_rounds_of_the_first_cycle() {
        assert_eq!(
            rows(4, Cycles::Double),
            ["1-4 2-3", "2-4 3-1", "4-3 1-2", "4-1 3-2", "3-4 2-1", "4-2 1-3"]
        );
    }

    #[test]
    fn the_limits_are_stated() {
        assert_eq!(RoundRobin::new(1, Cycles::Single), Err(RoundRobinError::TooFew(1)));
        assert_eq!(RoundRobin::new(10_001, Cycles::Single), Err(RoundRobinError::TooMany(10_001)));
        let large = RoundRobin::new(10_000, Cycles::Single).unwrap();
        assert_eq!(large.round(RoundNumber(9_999)).unwrap().boards.len(), 5_000);
        assert_eq!(large.round(RoundNumber(10_000)), None);
    }

    #[test]
    fn half_of_the_games_decide_about_a_withdrawal() {
        assert_eq!(Withdrawal::judge(4, 9), Withdrawal::Annulled);
        assert_eq!(Withdrawal::judge(5, 10), Withdrawal::RestForfeited);
        assert_eq!(Withdrawal::judge(5, 9), Withdrawal::RestForfeited);
    }
}
