//! Defender for one player: prepared positions of the computer, king included, against which few points shall win.

use shakmaty::{Bitboard, Board, Role};

use super::Defender;
use crate::units::Color;

/// Pieces of the computer, its king included.
const MOST_PREPARED: usize = 16;

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

/// Why a board cannot be a prepared position.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum PreparedError {
    /// Not the first field of a FEN.
    #[error("this is no board")]
    Unreadable,
    /// A piece of the player.
    #[error("only the computer's pieces stand in a prepared position")]
    PlayersPiece,
    /// None, or several.
    #[error("the computer needs exactly one king")]
    Kings,
    /// A pawn on the first or the last rank.
    #[error("no pawn can stand on the first or the last rank")]
    PawnRank,
    /// Too many.
    #[error("the computer has at most 16 pieces, its king included")]
    TooMany,
    /// No square is left for the player's king.
    #[error("every square of the player's zone is attacked: the king could not be placed")]
    NoKingSquare,
    /// Something else is wrong.
    #[error("this position cannot be played")]
    Unplayable,
}

impl PreparedError {
    /// The reason for programs.
    pub fn code(self) -> &'static str {
        match self {
            PreparedError::Unreadable => "bad_board",
            PreparedError::PlayersPiece => "players_piece",
            PreparedError::Kings => "one_king",
            PreparedError::PawnRank => "pawn_rank",
            PreparedError::TooMany => "too_many_pieces",
            PreparedError::NoKingSquare => "no_king_square",
            PreparedError::Unplayable => "unplayable",
        }
    }
}

/// Whether a board of the computer can be a prepared position for this side.
pub fn check_prepared(text: &str, player: Color) -> Result<(), PreparedError> {
    let board = Board::from_ascii_board_fen(text.as_bytes());
    let board = board.map_err(|_| PreparedError::Unreadable)?;
    let players = board.by_color(player.into());
    if players.any() {
        return Err(PreparedError::PlayersPiece);
    }
    if board.kings().count() != 1 {
        return Err(PreparedError::Kings);
    }
    if (board.pawns() & Bitboard::BACKRANKS).any() {
        return Err(PreparedError::PawnRank);
    }
    if board.occupied().count() > MOST_PREPARED {
        return Err(PreparedError::TooMany);
    }
    let start = single_player_start(text, player, 1);
    let (position, _) = Defender::read(&start).map_err(|_| PreparedError::Unplayable)?;
    let Defender::Placing(placing) = position else { return Err(PreparedError::Unplayable) };
    if placing.squares_for(Role::King).is_empty() {
        return Err(PreparedError::NoKingSquare);
    }
    Ok(())
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
    use super::*;
    use crate::defender::CASUAL_START;

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
    fn a_prepared_position_has_one_king_few_pieces_and_room_for_the_other_king() {
        let check = |board, player, expected| {
            assert_eq!(check_prepared(board, player), expected, "{board}");
        };
        for prepared in PREPARED {
            check(prepared.board, prepared.player, Ok(()));
            check(prepared.board, prepared.player.other(), Err(PreparedError::PlayersPiece));
        }
        let wrong = |board, error| check(board, Color::White, Err(error));
        wrong("8/8", PreparedError::Unreadable);
        wrong("8/8/8/8/8/8/8/8", PreparedError::Kings);
        wrong("kk6/8/8/8/8/8/8/8", PreparedError::Kings);
        wrong("kp6/8/8/8/8/8/8/8", PreparedError::PawnRank);
        wrong("krrrrrrr/pppppppp/p7/8/8/8/8/8", PreparedError::TooMany);
        wrong("k7/8/8/8/8/r7/r7/r7", PreparedError::NoKingSquare);
        check("krrrrrrr/pppppppp/8/8/8/8/8/8", Color::White, Ok(()));
    }

    #[test]
    fn only_one_side_is_crowned_where_one_plays_alone() {
        assert!(PREPARED.iter().all(|prepared| is_single_start(&prepared.start(30))));
        assert!(!is_single_start(CASUAL_START));
        assert!(!is_single_start("3r2k1/8/8/8/8/2P2N2/4P3/6K1 w - - 0 5 K/K"));
        assert!(!is_single_start("8/8 w"));
    }
}
