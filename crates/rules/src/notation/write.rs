//! From a legal move to its text.

use super::Language;
use shakmaty::san::{San, Suffix};
use shakmaty::{CastlingMode, CastlingSide, Chess, Move, Position, Role};

/// A legal move in short algebraic notation, with its check sign.
pub fn san(position: &Chess, played: Move, language: Language) -> String {
    san_and_play(&mut position.clone(), played, language)
}

/// A legal move in short algebraic notation, with its check sign; plays it too.
///
/// The move must be legal in the position.
pub fn san_and_play(position: &mut Chess, played: Move, language: Language) -> String {
    let mut text = String::with_capacity(8);
    append(&mut text, San::from_move(position, played), language);
    position.play_unchecked(played);
    // Looking for mate is dear, and mate is always check.
    if position.is_check() {
        text.extend(Suffix::from_position(position).map(Suffix::char));
    }
    text
}

/// A move as engines write it.
pub fn uci(played: Move, castling: CastlingMode) -> String {
    played.to_uci(castling).to_string()
}

/// The outlined figurine of a piece, used for both sides as books do.
pub fn figurine(role: Role) -> char {
    Language::Figurine.letter(role)
}

fn append(text: &mut String, san: San, language: Language) {
    match san {
        San::Normal { role, file, rank, capture, to, promotion } => {
            if role != Role::Pawn {
                text.push(language.letter(role));
            }
            text.extend(file.map(shakmaty::File::char));
            text.extend(rank.map(shakmaty::Rank::char));
            if capture {
                text.push('x');
            }
            text.extend([to.file().char(), to.rank().char()]);
            if let Some(promotion) = promotion {
                text.extend(['=', language.letter(promotion)]);
            }
        }
        San::Castle(CastlingSide::KingSide) => text.push_str("O-O"),
        San::Castle(CastlingSide::QueenSide) => text.push_str("O-O-O"),
        San::Put { role, to } => {
            text.extend([language.letter(role), '@', to.file().char(), to.rank().char()]);
        }
        San::Null => text.push_str("--"),
    }
}
