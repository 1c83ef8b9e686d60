//! What everybody may see of a GMO position: where pieces stand, whose they are, their marks and their looks.
//!
//! A position's own text holds all DNA and never leaves the server. What does is this, one line like a FEN:
//! `faces BOARD TURN PLY PROMOTIONS`, where a piece of BOARD is square, `w` or `b`, four hexadecimal digits of its look,
//! `p` if it is a pawn and `k` if it is a king, such as `e1w3fa0k`; pieces are joined by `,`, and `-` is nothing.

use std::fmt::Write as _;

use rules::Position;
use rules::gmo::{Genome, GmoPosition, Look};

use crate::accounts::InstanceKey;

/// The secret from which pictures are drawn, so that a picture tells nothing of the DNA. Cheap to clone.
#[derive(Clone)]
pub struct LookKey([u8; 32]);

impl LookKey {
    /// The key of this instance: pictures stay the same as long as it does.
    pub(crate) fn of_instance(key: &InstanceKey) -> LookKey {
        LookKey(key.derive("gmo looks"))
    }

    /// The look of a genome.
    pub fn of(&self, genome: &Genome) -> u16 {
        Look::of(genome, &self.0).0
    }

    /// A position as text for everybody: the FEN, or the faces of GMO.
    pub fn shown(&self, position: &Position) -> String {
        match position {
            Position::Gmo(position) => self.faces(position),
            Position::Muster(_) => "faces - w 0 -".to_owned(),
            other => other.fen(),
        }
    }

    /// The same for the text that a game's row holds.
    pub fn shown_text(&self, text: String) -> String {
        if !text.starts_with("gmo1 ") {
            return text;
        }
        // A game that ended before its armies were there has no board; nothing else can fail.
        text.parse().map_or_else(|_| "faces - w 0 -".to_owned(), |position| self.faces(&position))
    }

    fn faces(&self, position: &GmoPosition) -> String {
        let mut text = "faces ".to_owned();
        // A String takes every text, so `write!` into it cannot fail, here and below.
        let mut looks: Vec<Option<u16>> = vec![None; position.genomes().len()];
        for (square, piece) in position.board().pieces() {
            let Some(genome) = position.genomes().get(piece.genome) else { continue };
            let look = *looks[usize::from(piece.genome.0)].get_or_insert_with(|| self.of(genome));
            let (pawn, king) =
                (if piece.pawn { "p" } else { "" }, if piece.king { "k" } else { "" });
            let comma = if text.ends_with(' ') { "" } else { "," };
            let _ = write!(text, "{comma}{square}{}{look:04x}{pawn}{king}", piece.owner.char());
        }
        if text.ends_with(' ') {
            text.push('-');
        }
        let _ = write!(text, " {} {} ", position.turn().char(), position.ply());
        for square in position.promotions().iter() {
            let comma = if text.ends_with(' ') { "" } else { "," };
            let _ = write!(text, "{comma}{square}");
        }
        if text.ends_with(' ') {
            text.push('-');
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_shown_position_tells_everything_but_the_dna() {
        let key = LookKey([7; 32]);
        let start = Position::gmo_default();
        let shown = key.shown(&start);
        let fields: Vec<&str> = shown.split(' ').collect();
        let [_, board, "w", "0", "-"] = fields[..] else { panic!("{shown}") };
        let pieces: Vec<&str> = board.split(',').collect();
        assert_eq!(pieces.len(), 32);
        assert!(pieces[3].starts_with("d1w") && pieces[3].ends_with('k'), "{}", pieces[3]);
        assert!(pieces[8].starts_with("a2w") && pieces[8].ends_with('p'), "{}", pieces[8]);
        assert_eq!(pieces[0][3..7], pieces[7][3..7], "two rooks look alike");
        assert_eq!(pieces[0][3..7], pieces[24][3..7], "also across the board");
        assert!(!shown.contains("AHH"));
        assert_eq!(key.shown_text(start.fen()), shown);
    }

    #[test]
    fn another_club_draws_other_pictures() {
        let start = Position::gmo_default();
        assert_ne!(LookKey([7; 32]).shown(&start), LookKey([8; 32]).shown(&start));
    }

    #[test]
    fn other_games_and_games_without_a_board_have_their_text() {
        let key = LookKey([7; 32]);
        assert_eq!(key.shown(&Position::standard()), Position::standard().fen());
        assert_eq!(key.shown_text("x".to_owned()), "x");
        assert_eq!(key.shown_text("gmo1 - w 0 - -".to_owned()), "faces - w 0 -");
    }
}
