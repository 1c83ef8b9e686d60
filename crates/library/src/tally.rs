//! What many games add up to.

use rules::pgn::GameResult;

/// Results, ratings and the last day of some games.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Tally {
    /// How many games.
    pub games: u32,
    /// Won by White.
    pub white: u32,
    /// Drawn.
    pub draws: u32,
    /// Won by Black. What is missing to the number of games has no result.
    pub black: u32,
    /// Games in which both ratings are known.
    pub rated: u32,
    /// Those of them that have a result, and the half points that White made in them.
    pub rated_ended: u32,
    /// See `rated_ended`.
    pub rated_half_points: u32,
    /// The sum of White's ratings in the games in which both are known.
    pub white_elo: u64,
    /// The sum of Black's.
    pub black_elo: u64,
    /// When the last of them was played, in minutes since 1970; the smallest number if nobody knows.
    pub last: Last,
}

/// A moment in minutes since 1970, unknown at first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Last(pub i32);

impl Default for Last {
    fn default() -> Last {
        Last(i32::MIN)
    }
}

impl Tally {
    /// Takes a game in.
    pub fn add(&mut self, result: GameResult, elos: [u16; 2], played: i32) {
        self.games += 1;
        match result {
            GameResult::WhiteWins => self.white += 1,
            GameResult::BlackWins => self.black += 1,
            GameResult::Draw => self.draws += 1,
            GameResult::Unknown => {}
        }
        let [white, black] = elos;
        if white > 0 && black > 0 {
            self.rated += 1;
            self.white_elo += u64::from(white);
            self.black_elo += u64::from(black);
            self.rated_ended += u32::from(result != GameResult::Unknown);
            self.rated_half_points += match result {
                GameResult::WhiteWins => 2,
                GameResult::Draw => 1,
                GameResult::BlackWins | GameResult::Unknown => 0,
            };
        }
        self.last = self.last.max(Last(played));
    }

    /// Takes many games in.
    pub fn join(&mut self, other: &Tally) {
        self.games += other.games;
        self.white += other.white;
        self.draws += other.draws;
        self.black += other.black;
        self.rated += other.rated;
        self.rated_ended += other.rated_ended;
        self.rated_half_points += other.rated_half_points;
        self.white_elo += other.white_elo;
        self.black_elo += other.black_elo;
        self.last = self.last.max(other.last);
    }

    /// What was added since `before`; the last day is that of all.
    #[must_use]
    pub(crate) fn since(mut self, before: &Tally) -> Tally {
        self.games -= before.games;
        self.white -= before.white;
        self.draws -= before.draws;
        self.black -= before.black;
        self.rated -= before.rated;
        self.rated_ended -= before.rated_ended;
        self.rated_half_points -= before.rated_half_points;
        self.white_elo -= before.white_elo;
        self.black_elo -= before.black_elo;
        self
    }

    /// The mean rating of both sides in the rated games.
    pub fn average_rating(&self) -> Option<u32> {
        let sum = (self.white_elo + self.black_elo).checked_div(2 * u64::from(self.rated))?;
        u32::try_from(sum).ok()
    }
}
