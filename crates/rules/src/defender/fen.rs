//! Positions of Defender as text: FEN with a seventh field.

use shakmaty::fen::Fen;
use shakmaty::{Board, CastlingMode, Chess, FromSetup, PositionError, Rank};

use super::placing::{MOST_MEN, Placing, State};
use crate::position::PositionTextError;
use crate::units::{ByColor, Color};

/// The most points a side may have: the budget of a single player.
const MOST_POINTS: u8 = 99;

/// The most pieces on the board, kings included.
const MOST_PIECES: usize = 32;

/// What a Defender FEN holds, before automatic passes.
pub(super) enum Read {
    Placing(Placing),
    Battle(Chess),
}

/// Reads a Defender FEN; six fields are phase two.
pub(super) fn read(text: &str) -> Result<Read, PositionTextError> {
    let mut fields = text.split_ascii_whitespace();
    let mut next = || fields.next().ok_or(PositionTextError::Form);
    let [board, side, castling, ep, halfmoves, fullmoves] =
        [next()?, next()?, next()?, next()?, next()?, next()?];
    let setup = fields.next();
    if fields.next().is_some() {
        return Err(PositionTextError::Form);
    }
    if castling != "-" {
        return Err(impossible("there is no castling"));
    }
    let states = setup.map_or(Ok(ByColor::same(State::Crowned)), read_states)?;
    if states.both(|&state| state == State::Crowned) {
        return read_battle(&format!("{board} {side} - {ep} {halfmoves} {fullmoves}"))
            .map(Read::Battle);
    }
    if (ep, halfmoves) != ("-", "0") {
        return Err(impossible("pieces are still being placed"));
    }
    let slot = match side {
        "w" => Color::White,
        "b" => Color::Black,
        _ => return Err(PositionTextError::Form),
    };
    let board =
        Board::from_ascii_board_fen(board.as_bytes()).map_err(|_| PositionTextError::Form)?;
    let fullmoves = fullmoves.parse().ok().filter(|&n| n > 0).ok_or(PositionTextError::Form)?;
    check_board(&board, states)?;
    Ok(Read::Placing(Placing { board, slot, fullmoves, states }))
}

fn read_states(text: &str) -> Result<ByColor<State>, PositionTextError> {
    let (white, black) = text.split_once('/').ok_or(PositionTextError::Form)?;
    let state = |text: &str| match text.as_bytes() {
        b"K" => Ok(State::Crowned),
        b"0" => Ok(State::Points(0)),
        [b'1'..=b'9', ..] => {
            let points = text.parse().ok().filter(|&points| points <= MOST_POINTS);
            points.map(State::Points).ok_or_else(|| impossible("too many points"))
        }
        _ => Err(PositionTextError::Form),
    };
    Ok(ByColor { white: state(white)?, black: state(black)? })
}

fn impossible(why: &str) -> PositionTextError {
    PositionTextError::Impossible(why.to_owned())
}

/// What must hold so that phase two can begin as a position of chess.
fn check_board(board: &Board, states: ByColor<State>) -> Result<(), PositionTextError> {
    if (board.pawns() & (shakmaty::Bitboard::from(Rank::First) | Rank::Eighth)).any() {
        return Err(impossible("a pawn stands on the first or last rank"));
    }
    for side in Color::ALL {
        let own = board.by_color(side.into());
        let kings = usize::from(states[side] == State::Crowned);
        if (own & board.kings()).count() != kings {
            return Err(impossible("the kings do not fit the last field"));
        }
        if own.count() - kings > MOST_MEN {
            return Err(impossible("a side has more than fifteen men"));
        }
        let attacked = board.king_of(side.into()).is_some_and(|king| {
            board.attacks_to(king, side.other().into(), board.occupied()).any()
        });
        if attacked {
            return Err(impossible("a king is attacked while pieces are being placed"));
        }
    }
    Ok(())
}

/// A position of phase two, where more than the usual material is welcome.
pub(super) fn read_battle(fen: &str) -> Result<Chess, PositionTextError> {
    let fen = Fen::from_ascii(fen.as_bytes()).map_err(|_| PositionTextError::Form)?;
    if fen.as_setup().board.occupied().count() > MOST_PIECES {
        return Err(impossible("more than 32 pieces"));
    }
    battle(fen.into_setup()).map_err(|error| PositionTextError::Impossible(error.to_string()))
}

#[expect(clippy::result_large_err, reason = "the error type is shakmaty's")]
pub(super) fn battle(setup: shakmaty::Setup) -> Result<Chess, PositionError<Chess>> {
    Chess::from_setup(setup, CastlingMode::Standard)
        .or_else(PositionError::ignore_too_much_material)
        .or_else(PositionError::ignore_invalid_ep_square)
        .or_else(PositionError::ignore_impossible_check)
}

/// Writes a position of phase one.
pub(super) fn write(placing: &Placing) -> String {
    let state = |state: State| match state {
        State::Points(points) => points.to_string(),
        State::Crowned => "K".to_owned(),
    };
    let side = if placing.slot == Color::White { 'w' } else { 'b' };
    let board = placing.board.board_fen();
    let (white, black) = (state(placing.states.white), state(placing.states.black));
    format!("{board} {side} - - 0 {} {white}/{black}", placing.fullmoves)
}
