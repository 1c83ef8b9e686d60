//! From text to a legal move of a position.

use super::{Language, LanguageSet, NotationError, Written, quick};
use shakmaty::{Chess, Move, Position, Role, Square, uci::UciMove};

/// Reads a move in any notation that names exactly one legal move.
///
/// Without a language the text is read as English first. If that gives no legal move, the other languages are
/// asked, and their answer counts if all that know one give the same.
pub fn read_move(
    position: &Chess,
    text: &str,
    language: Option<Language>,
) -> Result<Move, NotationError> {
    match language {
        Some(language) => in_language(position, text.as_bytes(), language),
        None => Reading::default().read(position, text.as_bytes()),
    }
}

/// Reads a move as engines write it; castling as king to target or king to rook.
pub fn read_uci(position: &Chess, text: &str) -> Result<Move, NotationError> {
    let uci = UciMove::from_ascii(text.as_bytes()).map_err(|_| NotationError::Unreadable)?;
    match uci {
        UciMove::Normal { .. } => uci.to_move(position).map_err(|_| NotationError::Illegal),
        UciMove::Put { .. } | UciMove::Null => Err(NotationError::WrongVariant),
    }
}

/// Reads the moves of one game, whose language is not told but does not change either.
///
/// A move that reads well as English and says so by its letter (`N`, `B`, `Q`) settles the matter: a later mistake
/// in an English game is then a mistake and not, by chance, a move of the king in French.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Reading {
    possible: LanguageSet,
}

impl Default for Reading {
    fn default() -> Reading {
        Reading { possible: LanguageSet::ALL }
    }
}

impl Reading {
    /// Reads the next move and remembers what it tells about the language.
    #[inline]
    pub fn read(&mut self, position: &Chess, text: &[u8]) -> Result<Move, NotationError> {
        if !self.possible.has(Language::English) {
            return self.read_foreign(position, text, NotationError::Unreadable);
        }
        match in_language(position, text, Language::English) {
            Ok(found) => {
                let first = text.first().copied().unwrap_or(0);
                self.possible = self.possible.and(LanguageSet::reading_like_english(first));
                Ok(found)
            }
            Err(NotationError::Ambiguous) => Err(NotationError::Ambiguous),
            Err(why) => self.read_foreign(position, text, why),
        }
    }

    /// Asks the languages other than English; `english` is what English had to say.
    #[cold]
    fn read_foreign(
        &mut self,
        position: &Chess,
        text: &[u8],
        english: NotationError,
    ) -> Result<Move, NotationError> {
        let mut found = None;
        let mut readers = LanguageSet::NONE;
        let mut failure = english;
        for language in self.possible.iter().filter(|&language| language != Language::English) {
            match in_language(position, text, language) {
                Ok(other) if found.is_some_and(|known| known != other) => {
                    return Err(NotationError::Ambiguous);
                }
                Ok(other) => {
                    found = Some(other);
                    readers = readers.with(language);
                }
                Err(why) if failure == NotationError::Unreadable => failure = why,
                Err(_) => {}
            }
        }
        let found = found.ok_or(failure)?;
        self.possible = readers;
        Ok(found)
    }
}

#[inline]
fn in_language(position: &Chess, text: &[u8], language: Language) -> Result<Move, NotationError> {
    let written = Written::parse(text, language).ok_or(NotationError::Unreadable)?;
    find_move(position, written)
}

/// Finds the one legal move that a text describes.
#[inline]
pub fn find_move(position: &Chess, written: Written) -> Result<Move, NotationError> {
    match written {
        Written::Normal { role, file, rank, to, promotion } => {
            let from = match (file, rank) {
                (Some(file), Some(rank)) => Some(Square::from_coords(file, rank)),
                _ => None,
            };
            let role = match (role, from) {
                (Some(role), _) => role,
                (None, Some(from)) => {
                    position.board().role_at(from).ok_or(NotationError::Illegal)?
                }
                (None, None) => return Err(NotationError::Unreadable),
            };
            if let Some(found) = quick::find(position, role, file, rank, to, promotion) {
                return Ok(found);
            }
            // SAN's `d5` is always a push: a capture names the file it comes from.
            let file = if role == Role::Pawn { file.or(Some(to.file())) } else { file };
            let mut pieces = 0;
            let mut found = None;
            let mut came_from = None;
            for candidate in &position.san_candidates(role, to) {
                let Some(square) = candidate.from() else { continue };
                if file.is_some_and(|file| file != square.file())
                    || rank.is_some_and(|rank| rank != square.rank())
                {
                    continue;
                }
                // The four promotions of one pawn are one candidate.
                pieces += usize::from(came_from.replace(square) != Some(square));
                if candidate.promotion() == promotion {
                    found = Some(*candidate);
                }
            }
            match (pieces, found) {
                (1, Some(found)) => Ok(found),
                (1, None) if promotion.is_none() => Err(NotationError::MissingPromotion),
                (0, _) if role == Role::King && promotion.is_none() => {
                    castling_by_king(position, from, to)
                }
                (0 | 1, _) => Err(NotationError::Illegal),
                _ => Err(NotationError::Ambiguous),
            }
        }
        Written::Castle(side) => {
            position.castling_moves(side).first().copied().ok_or(NotationError::Illegal)
        }
        Written::Put { .. } | Written::Null => Err(NotationError::WrongVariant),
    }
}

/// Castling written as a move of the king: `e1g1`, `Ke1-g1`, and `e1h1` as engines write it in Chess960.
#[cold]
fn castling_by_king(
    position: &Chess,
    from: Option<Square>,
    to: Square,
) -> Result<Move, NotationError> {
    let from = from.ok_or(NotationError::Illegal)?;
    let found = UciMove::Normal { from, to, promotion: None }
        .to_move(position)
        .map_err(|_| NotationError::Illegal)?;
    if matches!(found, Move::Castle { .. }) { Ok(found) } else { Err(NotationError::Illegal) }
}
