//! Positions of standard chess and Chess960, on `shakmaty`.

use shakmaty::fen::Fen;
use shakmaty::san::SanPlus;
use shakmaty::zobrist::Zobrist64;
use shakmaty::{
    Bitboard, CastlingMode, CastlingSide, Chess, EnPassantMode, FromSetup, Move, Position as _,
    PositionError, Role, Square,
};

use super::{Action, Dests, PositionTextError};
use crate::outcome::{DrawReason, Outcome, WinReason};
use crate::units::Color;

/// Reads a FEN, forgiving castling rights and en passant squares that cannot be, as found in the wild.
pub(crate) fn read_fen(text: &str, mode: CastlingMode) -> Result<Chess, PositionTextError> {
    let fen = Fen::from_ascii(text.trim().as_bytes()).map_err(|_| PositionTextError::Form)?;
    forgive(Chess::from_setup(fen.into_setup(), mode))
        .map_err(|error| PositionTextError::Impossible(error.to_string()))
}

/// More than that, and engines lose count.
const MOST_PIECES: usize = 32;

/// Reads a FEN of a position that is only looked at: more material than a game can have is welcome, and without a word
/// about the castling the rights themselves tell which it is.
pub(crate) fn read_fen_to_study(
    text: &str,
    mode: Option<CastlingMode>,
) -> Result<Chess, PositionTextError> {
    let fen = Fen::from_ascii(text.trim().as_bytes()).map_err(|_| PositionTextError::Form)?;
    let setup = fen.into_setup();
    if setup.board.occupied().count() > MOST_PIECES {
        return Err(PositionTextError::Impossible("more than 32 pieces".to_owned()));
    }
    let mode = mode.unwrap_or_else(|| CastlingMode::detect(&setup));
    let read = Chess::from_setup(setup, mode).or_else(PositionError::ignore_too_much_material);
    forgive(read).map_err(|error| PositionTextError::Impossible(error.to_string()))
}

#[expect(clippy::result_large_err, reason = "the error type is shakmaty's")]
fn forgive(result: Result<Chess, PositionError<Chess>>) -> Result<Chess, PositionError<Chess>> {
    result
        .or_else(PositionError::ignore_invalid_castling_rights)
        .or_else(PositionError::ignore_invalid_ep_square)
        .or_else(PositionError::ignore_impossible_check)
}

/// The FEN, with an en passant square only if the capture is legal.
pub(crate) fn fen(position: &Chess) -> String {
    // Written for every move: as long as most are, and without the detour over `Display`.
    let mut text = String::with_capacity(80);
    Fen::from_position(position, EnPassantMode::Legal).append_to_string(&mut text);
    text
}

/// The square a castling king arrives on.
fn castling_target(king: Square, rook: Square) -> Square {
    let side = CastlingSide::from_king_side(king < rook);
    Square::from_coords(side.king_to_file(), king.rank())
}

/// A legal move as the record holds it.
pub(crate) fn action_of(position: &Chess, m: Move) -> Action {
    match m {
        Move::Castle { king, rook } if position.castles().mode().is_standard() => {
            Action::step(king, castling_target(king, rook))
        }
        Move::Castle { king, rook } => Action::step(king, rook),
        _ => {
            Action::Move { from: m.from().unwrap_or(m.to()), to: m.to(), promotion: m.promotion() }
        }
    }
}

/// The legal move an action means; castling may be given by the king's target or by the rook.
pub(crate) fn find_move(position: &Chess, action: Action) -> Option<Move> {
    let Action::Move { from, to, promotion } = action else { return None };
    let role = position.board().role_at(from)?;
    let own_rook = role == Role::King && (position.us() & position.board().rooks()).contains(to);
    if !own_rook {
        // Narrower than all legal moves, and in Chess960 a king's step goes before a castling to the same square.
        let step = position
            .san_candidates(role, to)
            .into_iter()
            .find(|m| m.from() == Some(from) && m.promotion() == promotion);
        if step.is_some() || role != Role::King {
            return step;
        }
    }
    if promotion.is_some() {
        return None;
    }
    CastlingSide::ALL.iter().flat_map(|&side| position.castling_moves(side)).find(|m| {
        matches!(*m, Move::Castle { king, rook } if king == from && (rook == to || castling_target(king, rook) == to))
    })
}

/// All legal moves as actions.
pub(crate) fn actions(position: &Chess) -> Vec<Action> {
    position.legal_moves().iter().map(|&m| action_of(position, m)).collect()
}

/// Legal targets by origin.
pub(crate) fn dests(position: &Chess) -> Dests {
    let mut dests = Dests::default();
    for m in position.legal_moves() {
        if let Action::Move { from, to, .. } = action_of(position, m) {
            dests.add(from, to);
        }
    }
    dests
}

/// A legal move in standard algebraic notation, with check and mate signs.
pub(crate) fn san(position: &Chess, m: Move) -> String {
    SanPlus::from_move(position.clone(), m).to_string()
}

/// Identity for repetition: en passant counts only if the capture is legal (FIDE 9.2.3).
pub(crate) fn hash(position: &Chess) -> u64 {
    position.zobrist_hash::<Zobrist64>(EnPassantMode::Legal).0
}

/// Mate, stalemate or a position nobody can win.
pub(crate) fn outcome(position: &Chess) -> Option<Outcome> {
    if position.legal_moves().is_empty() {
        return Some(if position.is_check() {
            Outcome::Win { winner: Color::from(position.turn()).other(), by: WinReason::Mate }
        } else {
            Outcome::Draw { by: DrawReason::Stalemate }
        });
    }
    position.is_insufficient_material().then_some(Outcome::Draw { by: DrawReason::DeadPosition })
}

/// The king in check, of the side to move.
pub(crate) fn check_square(position: &Chess) -> Option<Square> {
    if position.is_check() { position.board().king_of(position.turn()) } else { None }
}

/// The position with the other side to move; `None` if the side that passes is in check.
pub(crate) fn after_null_move(position: &Chess) -> Option<Chess> {
    let mode = position.castles().mode();
    let mut setup = position.to_setup(EnPassantMode::Legal);
    setup.ep_square = None;
    setup.halfmoves = setup.halfmoves.saturating_add(1);
    setup.fullmoves = setup.fullmoves.saturating_add(u32::from(setup.turn.is_black()));
    setup.turn = !setup.turn;
    Chess::from_setup(setup, mode)
        .or_else(PositionError::ignore_too_much_material)
        .or_else(PositionError::ignore_impossible_check)
        .ok()
}

/// The start position of Chess960 with this number (0–959, 518 is standard chess).
pub fn chess960_start(number: u16) -> Option<Chess> {
    if number >= 960 {
        return None;
    }
    let setup = shakmaty::Setup {
        board: shakmaty::Board::chess960(u32::from(number)),
        castling_rights: Bitboard::EMPTY,
        ..shakmaty::Setup::initial()
    };
    let rooks = setup.board.rooks();
    Chess::from_setup(shakmaty::Setup { castling_rights: rooks, ..setup }, CastlingMode::Chess960)
        .ok()
}
