//! A game as PGN tells it: tags, a line of moves with its variations, a result.

use super::{Board, GameResult, Nag, StartError, Tags};
use crate::position::Action;
use crate::units::Millis;
use shakmaty::{CastlingMode, Move, Square, uci::UciMove};

/// A game that was read, or is to be written.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Game {
    /// Who, when, where, and from which position.
    pub tags: Tags,
    /// The moves of the game.
    pub line: Line,
    /// How it ended.
    pub result: GameResult,
}

impl Game {
    /// The position in which the game begins, by its tags.
    pub fn start(&self) -> Result<Board, StartError> {
        Board::from_tags(&self.tags)
    }

    /// Phase two of a game of `ChessDefender` as a game of chess from a set-up position, for any other program.
    ///
    /// `None` if it is another variant, or if phase two never began.
    pub fn battle(&self) -> Option<Game> {
        let Ok(mut board @ Board::Defender(_)) = self.start() else { return None };
        let mut nodes = self.line.nodes.iter();
        while board.chess().is_none() {
            board.step(nodes.next()?.step);
        }
        let mut game = Game { tags: self.tags.clone(), result: self.result, ..Game::default() };
        for name in ["Variant", "DefenderPoints", "DefenderPosition", "DefenderScore"] {
            game.tags.remove(name);
        }
        game.tags.set("SetUp", "1");
        game.tags.set("FEN", Board::Chess(board.chess()?.clone()).fen());
        game.line.nodes.extend(nodes.cloned());
        Some(game)
    }

    /// The moves of the game without its variations.
    pub fn steps(&self) -> impl Iterator<Item = Step> {
        self.line.nodes.iter().map(|node| node.step)
    }
}

/// A sequence of moves: the game itself, or a variation.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Line {
    /// What is said before the first move.
    pub notes: Notes,
    /// The moves.
    pub nodes: Vec<Node>,
}

/// A move with what is said about it.
///
/// Most moves of most games stand alone, so a node is small and what is said has a place of its own.
#[derive(Debug, Clone)]
pub struct Node {
    /// The move.
    pub step: Step,
    said: Option<Box<Said>>,
}

#[derive(Debug, Clone, Default)]
struct Said {
    notes: Notes,
    variations: Vec<Line>,
}

impl Node {
    /// Is anything said about the move, in words, values or variations?
    #[inline]
    pub fn is_said(&self) -> bool {
        let says = |said: &Said| !said.notes.is_empty() || !said.variations.is_empty();
        self.said.as_deref().is_some_and(says)
    }

    /// What is said after the move.
    #[inline]
    pub fn notes(&self) -> &Notes {
        static NOTHING: Notes = Notes::new();
        self.said.as_ref().map_or(&NOTHING, |said| &said.notes)
    }

    /// What is said after the move, to say more.
    pub fn notes_mut(&mut self) -> &mut Notes {
        &mut self.said.get_or_insert_default().notes
    }

    /// What could have been played in its place.
    pub fn variations(&self) -> &[Line] {
        self.said.as_ref().map_or(&[], |said| &said.variations)
    }

    /// What could have been played in its place, to add or remove some.
    pub fn variations_mut(&mut self) -> &mut Vec<Line> {
        &mut self.said.get_or_insert_default().variations
    }
}

impl From<Step> for Node {
    fn from(step: Step) -> Node {
        Node { step, said: None }
    }
}

/// A place for words that is empty says as much as no place.
impl PartialEq for Node {
    fn eq(&self, other: &Node) -> bool {
        self.step == other.step
            && self.notes() == other.notes()
            && self.variations() == other.variations()
    }
}

impl Eq for Node {}

/// One entry of a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Step {
    /// A move; a placement of `ChessDefender` is a [`Move::Put`].
    Move(Move),
    /// `--`: a pass in `ChessDefender`, a null move elsewhere.
    Null,
}

impl Step {
    /// The step as a record of ours holds it: castling goes to the rook in Chess960, to the king's target otherwise.
    pub fn action(self, castling: CastlingMode) -> Action {
        match self {
            Step::Null => Action::Pass,
            Step::Move(Move::Put { role, to }) => Action::Place { role, to },
            Step::Move(played) => match played.to_uci(castling) {
                UciMove::Normal { from, to, promotion } => Action::Move { from, to, promotion },
                UciMove::Put { role, to } => Action::Place { role, to },
                UciMove::Null => Action::Pass,
            },
        }
    }
}

/// What is said about a move: glyphs, comments, and the values that programs put into comments.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Notes {
    /// Annotation glyphs.
    pub nags: Vec<Nag>,
    /// Comments, each in one line without surplus space.
    pub comments: Vec<String>,
    /// Time left on the clock of the player who moved (`%clk`).
    pub clock: Option<Millis>,
    /// Time spent on the move (`%emt`).
    pub elapsed: Option<Millis>,
    /// What an engine thinks (`%eval`).
    pub eval: Option<Eval>,
    /// Coloured squares (`%csl`).
    pub squares: Vec<(Brush, Square)>,
    /// Coloured arrows (`%cal`).
    pub arrows: Vec<(Brush, Square, Square)>,
}

impl Notes {
    /// Nothing said.
    pub const fn new() -> Notes {
        Notes {
            nags: Vec::new(),
            comments: Vec::new(),
            clock: None,
            elapsed: None,
            eval: None,
            squares: Vec::new(),
            arrows: Vec::new(),
        }
    }

    /// Is nothing said?
    pub fn is_empty(&self) -> bool {
        self.nags.is_empty() && self.has_no_text()
    }

    /// Is nothing said in words or values?
    pub(super) fn has_no_text(&self) -> bool {
        self.comments.is_empty()
            && self.clock.is_none()
            && self.elapsed.is_none()
            && self.eval.is_none()
            && self.squares.is_empty()
            && self.arrows.is_empty()
    }
}

/// What an engine thinks of the position after a move, seen from White.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Eval {
    /// The score.
    pub score: Score,
    /// The depth it was found at.
    pub depth: Option<u32>,
}

/// The score of a position, seen from White.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Score {
    /// Hundredths of a pawn.
    Centipawns(i32),
    /// Mate in so many moves; negative if Black mates.
    Mate(i32),
}

/// The colour of an arrow or a square.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Brush {
    /// G.
    Green,
    /// R.
    Red,
    /// Y.
    Yellow,
    /// B.
    Blue,
}
