//! One round: who meets whom, and how it ended.

use std::collections::BTreeMap;
use std::fmt;

use serde::{Deserialize, Serialize};

use super::{Bye, Colour, Entry, GameResult, ModelError, PairingNumber, Tournament};

/// Two players who meet.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Board {
    /// Who has White.
    pub white: PairingNumber,
    /// Who has Black.
    pub black: PairingNumber,
}

/// A round as it is published. Who stands neither on a board nor has the bye does not play.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct RoundPairing {
    /// The boards, the first first.
    pub boards: Vec<Board>,
    /// Who has no opponent because the number is odd.
    pub bye: Option<PairingNumber>,
}

impl fmt::Display for RoundPairing {
    /// As pairing engines print it: the number of lines, then `white black`, the bye as `id 0`.
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(out, "{}", self.boards.len() + usize::from(self.bye.is_some()))?;
        for board in &self.boards {
            writeln!(out, "{} {}", board.white, board.black)?;
        }
        self.bye.map_or(Ok(()), |player| writeln!(out, "{player} 0"))
    }
}

/// How a board ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum BoardResult {
    /// Played, with this end for White.
    Game(GameResult),
    /// Not played; who was there wins.
    Forfeit {
        /// Whether White was there.
        white: bool,
        /// Whether Black was there.
        black: bool,
    },
}

impl GameResult {
    /// The same game seen by the opponent.
    #[must_use]
    pub const fn other(self) -> GameResult {
        match self {
            GameResult::Win => GameResult::Loss,
            GameResult::Draw => GameResult::Draw,
            GameResult::Loss => GameResult::Win,
        }
    }
}

impl Tournament {
    /// Adds a finished round. Who was not paired has the bye that was announced, or was absent.
    ///
    /// The tournament is unchanged if the round makes no sense.
    pub fn record_round(
        &mut self,
        pairing: &RoundPairing,
        mut result_of: impl FnMut(&Board) -> BoardResult,
    ) -> Result<(), ModelError> {
        let round = self.next_round();
        let mut entries: BTreeMap<PairingNumber, Entry> = BTreeMap::new();
        for board in &pairing.boards {
            let (white, black) = sides(*board, result_of(board));
            for (player, entry) in [(board.white, white), (board.black, black)] {
                if entries.insert(player, entry).is_some() {
                    return Err(ModelError::PairedTwice { player, round });
                }
            }
        }
        if let Some(player) = pairing.bye
            && entries.insert(player, Entry::Bye(Bye::PairingAllocated)).is_some()
        {
            return Err(ModelError::PairedTwice { player, round });
        }
        let places = self.places();
        if let Some(&player) = entries.keys().find(|&&player| places.of(player).is_none()) {
            return Err(ModelError::UnknownPlayer { player, round });
        }
        let announced: BTreeMap<PairingNumber, Bye> = self
            .byes
            .iter()
            .filter(|bye| bye.round == round)
            .map(|bye| (bye.player, bye.bye))
            .collect();
        for player in &mut self.players {
            let absent = Entry::Bye(announced.get(&player.number).copied().unwrap_or(Bye::Zero));
            player.rounds.resize(round.index(), Entry::Bye(Bye::Zero));
            player.rounds.push(entries.remove(&player.number).unwrap_or(absent));
        }
        self.byes.retain(|bye| bye.round != round);
        Ok(())
    }

    /// The tournament as it was after so many rounds. Byes that were announced are not restored.
    #[must_use]
    pub fn after_round(&self, rounds: u16) -> Tournament {
        let mut earlier = self.clone();
        for player in &mut earlier.players {
            player.rounds.truncate(usize::from(rounds));
        }
        earlier
    }
}

/// The entries of the two players of a board.
fn sides(board: Board, result: BoardResult) -> (Entry, Entry) {
    let entry = |opponent, colour, result: Result<GameResult, bool>| match result {
        Ok(result) => Entry::Game { opponent, colour, result, rated: true },
        Err(won) => Entry::Forfeit { opponent, colour: Some(colour), won },
    };
    let (white, black) = match result {
        BoardResult::Game(result) => (Ok(result), Ok(result.other())),
        // A player who was there wins only if the other was not.
        BoardResult::Forfeit { white, black } => (Err(white && !black), Err(black && !white)),
    };
    (entry(board.black, Colour::White, white), entry(board.white, Colour::Black, black))
}

#[cfg(test)]
mod tests {
    use super::super::{AnnouncedBye, Player, Points, RoundNumber};
    use super::*;

    fn three() -> Tournament {
        let player =
            |number| Player::new(PairingNumber(number), format!("P{number:04}, Test"), None);
        Tournament { players: (1..=3).map(player).collect(), ..Tournament::default() }
    }

    const PAIRING: fn() -> RoundPairing = || RoundPairing {
        boards: vec![Board { white: PairingNumber(1), black: PairingNumber(3) }],
        bye: Some(PairingNumber(2)),
    };

    #[track_caller]
    fn check(result: BoardResult, tenths: [i32; 3]) {
        let mut tournament = three();
        tournament.record_round(&PAIRING(), |_| result).unwrap();
        assert_eq!(tournament.check(), Ok(()));
        let scores: Vec<Points> =
            tournament.players.iter().map(|player| tournament.score(player)).collect();
        assert_eq!(scores, tenths.map(Points::from_tenths));
    }

    #[test]
    fn a_recorded_round_gives_everybody_an_entry() {
        check(BoardResult::Game(GameResult::Win), [10, 10, 0]);
        check(BoardResult::Game(GameResult::Draw), [5, 10, 5]);
        check(BoardResult::Forfeit { white: false, black: true }, [0, 10, 10]);
        check(BoardResult::Forfeit { white: false, black: false }, [0, 10, 0]);
    }

    #[test]
    fn who_is_not_paired_has_the_announced_bye() {
        let mut tournament = three();
        tournament.byes =
            vec![AnnouncedBye { round: RoundNumber(1), player: PairingNumber(2), bye: Bye::Half }];
        let pairing = RoundPairing { bye: None, ..PAIRING() };
        tournament.record_round(&pairing, |_| BoardResult::Game(GameResult::Draw)).unwrap();
        assert_eq!(tournament.players[1].rounds, [Entry::Bye(Bye::Half)]);
        assert_eq!(tournament.byes, []);
    }

    #[test]
    fn a_round_that_makes_no_sense_is_refused() {
        let (player, round) = (PairingNumber(3), RoundNumber(1));
        let twice = RoundPairing { bye: Some(player), ..PAIRING() };
        let result = three().record_round(&twice, |_| BoardResult::Game(GameResult::Draw));
        assert_eq!(result, Err(ModelError::PairedTwice { player, round }));
        let player = PairingNumber(9);
        let unknown = RoundPairing { bye: Some(player), ..PAIRING() };
        let result = three().record_round(&unknown, |_| BoardResult::Game(GameResult::Draw));
        assert_eq!(result, Err(ModelError::UnknownPlayer { player, round }));
    }

    #[test]
    fn a_pairing_is_printed_as_engines_do() {
        assert_eq!(PAIRING().to_string(), "2\n1 3\n2 0\n");
    }
}
