//! Defender for one player: prepared positions of the computer, king included, against which few points shall win.

use crate::units::Color;

/// A prepared position.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Prepared {
    /// Its name, stable: results are kept under it.
    pub id: &'static str,
    /// The computer's pieces, as a FEN writes them.
    pub board: &'static str,
    /// The side of the player.
    pub player: Color,
    /// The fewest points with which somebody is known to stand well.
    pub par: u8,
}

/// The positions everybody has.
pub const PREPARED: [Prepared; 7] = [
    Prepared { id: "1", board: "8/8/8/8/2P5/1PPP4/R1P5/KR6", player: Color::Black, par: 15 },
    Prepared { id: "2", board: "1bkb4/1rbr4/8/8/8/8/8/8", player: Color::White, par: 6 },
    Prepared { id: "3", board: "8/8/8/8/8/2B5/1B1B4/1RKR4", player: Color::Black, par: 20 },
    Prepared { id: "4", board: "8/8/8/8/8/PPP5/QPPP4/KQ6", player: Color::Black, par: 22 },
    Prepared { id: "6", board: "1kr3r1/ppp5/8/6p1/6pp/8/8/8", player: Color::White, par: 13 },
    Prepared { id: "7", board: "8/8/8/1Q6/3P4/4P3/1R3PPP/1R3BK1", player: Color::Black, par: 26 },
    Prepared { id: "8", board: "2r1r1k1/2r1r1b1/5pbp/6p1/8/8/8/8", player: Color::White, par: 24 },
];

impl Prepared {
    /// The position of this name.
    pub fn find(id: &str) -> Option<&'static Prepared> {
        PREPARED.iter().find(|prepared| prepared.id == id)
    }

    /// The first position of an attempt with this budget.
    pub fn start(&self, budget: u8) -> String {
        single_player_start(self.board, self.player, budget)
    }
}

/// The start of a single-player game: the computer's board, the player's colour and budget.
pub fn single_player_start(board: &str, player: Color, budget: u8) -> String {
    match player {
        Color::White => format!("{board} w - - 0 1 {budget}/K"),
        Color::Black => format!("{board} b - - 0 1 K/{budget}"),
    }
}

/// Whether a game from this start is one player's against a prepared position.
pub fn is_single_start(fen: &str) -> bool {
    let setup = fen.split_whitespace().nth(6).and_then(|setup| setup.split_once('/'));
    setup.is_some_and(|(white, black)| (white == "K") != (black == "K"))
}

#[cfg(test)]
mod tests {
    use shakmaty::Role;

    use super::*;
    use crate::defender::{CASUAL_START, Defender};

    /// Safe squares for the player's king, as the specification counts them.
    #[test]
    fn every_prepared_position_can_be_played_and_has_its_safe_squares() {
        let expected = [21, 16, 20, 24, 21, 17, 16];
        for (prepared, safe) in PREPARED.iter().zip(expected) {
            for budget in [1, 30, 99] {
                let (position, passes) = Defender::read(&prepared.start(budget)).unwrap();
                let Defender::Placing(placing) = position else { panic!("{}", prepared.id) };
                assert_eq!((placing.slot(), passes), (prepared.player, 0), "{}", prepared.id);
                assert_eq!(placing.squares_for(Role::King).count(), safe, "{}", prepared.id);
            }
        }
    }

    #[test]
    fn only_one_side_is_crowned_where_one_plays_alone() {
        assert!(PREPARED.iter().all(|prepared| is_single_start(&prepared.start(30))));
        assert!(!is_single_start(CASUAL_START));
        assert!(!is_single_start("3r2k1/8/8/8/8/2P2N2/4P3/6K1 w - - 0 5 K/K"));
        assert!(!is_single_start("8/8 w"));
    }
}
