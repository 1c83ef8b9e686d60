//! Whether a tournament makes sense as a value.

use super::{Entry, MAX_PLAYERS, PairingNumber, RoundNumber, Tournament};

/// Why a tournament makes no sense.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ModelError {
    /// Over the limit.
    #[error("{count} players are too many: the limit is {MAX_PLAYERS}")]
    TooManyPlayers {
        /// How many there are.
        count: usize,
    },
    /// Numbers start at 1.
    #[error("a player has the number 0")]
    NumberZero,
    /// A number given to two.
    #[error("two players have the number {number}")]
    SameNumber {
        /// Which.
        number: PairingNumber,
    },
    /// A round is missing for somebody.
    #[error("player {player} has {found} rounds where others have {expected}")]
    RoundMissing {
        /// Whose.
        player: PairingNumber,
        /// How many there are.
        found: usize,
        /// How many there should be.
        expected: usize,
    },
    /// The opponent does not exist.
    #[error("player {player} meets {opponent} in round {round}, but there is no player {opponent}")]
    UnknownOpponent {
        /// Whose entry.
        player: PairingNumber,
        /// The one who is not there.
        opponent: PairingNumber,
        /// When.
        round: RoundNumber,
    },
    /// The same player stands twice in a round.
    #[error("player {player} is paired twice in round {round}")]
    PairedTwice {
        /// Who.
        player: PairingNumber,
        /// When.
        round: RoundNumber,
    },
    /// A round names somebody who is not there.
    #[error("round {round} names player {player}, who does not exist")]
    UnknownPlayer {
        /// Who.
        player: PairingNumber,
        /// When.
        round: RoundNumber,
    },
    /// The opponent's entry does not agree.
    #[error(
        "player {player} meets {opponent} in round {round}, but the entry of {opponent} does not agree"
    )]
    OneSided {
        /// Whose entry.
        player: PairingNumber,
        /// Whose entry disagrees.
        opponent: PairingNumber,
        /// When.
        round: RoundNumber,
    },
}

impl ModelError {
    /// The entry that is wrong, if it is one: its player and round.
    pub fn place(&self) -> Option<(PairingNumber, RoundNumber)> {
        match self {
            ModelError::UnknownOpponent { player, round, .. }
            | ModelError::OneSided { player, round, .. } => Some((*player, *round)),
            _ => None,
        }
    }
}

impl Tournament {
    /// Checks what every user of a tournament relies on: numbers are unique and within the limit,
    /// everybody has an entry for every round paired, and the two sides of a game agree.
    pub fn check(&self) -> Result<(), ModelError> {
        let count = self.players.len();
        if count > MAX_PLAYERS {
            return Err(ModelError::TooManyPlayers { count });
        }
        self.check_numbers()?;
        let places = self.places();
        let expected = usize::from(self.rounds_paired());
        for player in &self.players {
            if player.rounds.len() != expected {
                let found = player.rounds.len();
                return Err(ModelError::RoundMissing { player: player.number, found, expected });
            }
            for (index, entry) in player.rounds.iter().enumerate() {
                let Some(opponent) = entry.opponent_paired() else { continue };
                let (player, round) = (player.number, RoundNumber::from_index(index));
                let unknown = ModelError::UnknownOpponent { player, opponent, round };
                let place = places.of(opponent).ok_or(unknown)?;
                let answer = self.players[place].rounds.get(index);
                if opponent == player
                    || !answer.is_some_and(|answer| agree(player, *entry, *answer))
                {
                    return Err(ModelError::OneSided { player, opponent, round });
                }
            }
        }
        Ok(())
    }

    fn check_numbers(&self) -> Result<(), ModelError> {
        let mut numbers: Vec<PairingNumber> =
            self.players.iter().map(|player| player.number).collect();
        numbers.sort_unstable();
        if numbers.first() == Some(&PairingNumber(0)) {
            return Err(ModelError::NumberZero);
        }
        match numbers.windows(2).find(|pair| pair[0] == pair[1]) {
            Some(pair) => Err(ModelError::SameNumber { number: pair[0] }),
            None => Ok(()),
        }
    }
}

/// Whether the opponent's entry is the other side of this one. Results may be anything (an
/// arbiter can give 0-0 or ½-0), and the opponent of a forfeit may stand as absent.
fn agree(player: PairingNumber, entry: Entry, answer: Entry) -> bool {
    match (entry, answer) {
        (Entry::Game { colour, .. }, Entry::Game { opponent, colour: theirs, .. }) => {
            opponent == player && theirs == colour.other()
        }
        (Entry::Forfeit { .. }, Entry::Forfeit { opponent, .. }) => opponent == player,
        (Entry::Forfeit { .. }, Entry::Bye(_)) => true,
        _ => false,
    }
}
