//! The reader with a board: every move is tried, and the games come out whole.

use super::problem::TooMuch;
use super::{
    At, Board, Game, GameResult, Limits, Line, Nag, Node, Notes, Place, Problem, ProblemKind,
    RawText, RawValue, Reader, Severity, StartError, Visitor, tags,
};
use crate::notation::{NotationError, Reading};
use shakmaty::{Chess, Move};

/// What comes out of a file, in its order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Item {
    /// A game, good or with problems.
    Game(Box<ReadGame>),
    /// Something wrong between the games.
    Stray(Problem),
}

/// A game of a file: all of it that could be read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReadGame {
    /// Where it begins.
    pub place: Place,
    /// The game. Every move in it is legal.
    pub game: Game,
    /// What is wrong with it, in the order of the file.
    pub problems: Vec<Problem>,
}

impl ReadGame {
    /// The first thing that could not be read, if there is one.
    pub fn error(&self) -> Option<&Problem> {
        self.problems.iter().find(|problem| problem.severity() == Severity::Error)
    }
}

/// How much of a game is wanted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Keep {
    /// All of it.
    #[default]
    Everything,
    /// Tags, moves and result: comments, glyphs and variations are passed over unread.
    MainLine,
}

/// Goes along the main line of every game while it is read, on the board on which the moves are tried: whoever wants to
/// know something of each position need not play the game again.
pub trait Follower {
    /// A game begins in this position; none if its moves are not of chess, or it cannot begin at all.
    fn begin(&mut self, start: Option<&Chess>);
    /// This move is played next in this position. It is legal.
    fn play(&mut self, before: &Chess, played: Move);
    /// And this is where it leads.
    fn reach(&mut self, after: &Chess);
    /// The game goes on with something that is no move; nothing more of it is told.
    fn leave(&mut self);
}

/// Nobody goes along.
impl Follower for () {
    fn begin(&mut self, _start: Option<&Chess>) {}
    fn play(&mut self, _before: &Chess, _played: Move) {}
    fn reach(&mut self, _after: &Chess) {}
    fn leave(&mut self) {}
}

/// Reads a file piece by piece and gives its games, each move tried on a board.
#[derive(Debug)]
pub struct GameReader<F = ()> {
    reader: Reader,
    builder: Builder,
    follower: F,
}

impl GameReader {
    /// A reader at the beginning of a file.
    pub fn new(limits: Limits, keep: Keep) -> GameReader {
        GameReader::followed(limits, keep, ())
    }

    /// Reads the next piece and gives every game that ended in it.
    pub fn feed(&mut self, piece: &[u8], sink: &mut impl FnMut(Item)) {
        self.feed_followed(piece, &mut |item, _follower| sink(item));
    }

    /// Gives what is left at the end of the file.
    pub fn finish(self, sink: &mut impl FnMut(Item)) {
        self.finish_followed(&mut |item, _follower| sink(item));
    }
}

impl<F: Follower> GameReader<F> {
    /// A reader at the beginning of a file, with somebody who goes along every game.
    pub fn followed(limits: Limits, keep: Keep, follower: F) -> GameReader<F> {
        let (reader, builder) = (Reader::new(limits), Builder::new(limits, keep));
        GameReader { reader, builder, follower }
    }

    /// Reads the next piece and gives every game that ended in it, with who went along it.
    pub fn feed_followed(&mut self, piece: &[u8], sink: &mut impl FnMut(Item, &mut F)) {
        let GameReader { reader, builder, follower } = self;
        reader.feed(piece, &mut Building { builder, follower, sink });
    }

    /// Gives what is left at the end of the file.
    pub fn finish_followed(self, sink: &mut impl FnMut(Item, &mut F)) {
        let GameReader { reader, mut builder, mut follower } = self;
        let (builder, follower) = (&mut builder, &mut follower);
        reader.finish(&mut Building { builder, follower, sink });
    }
}

/// Reads a whole text at once.
pub fn read_games(text: &[u8], limits: Limits) -> Vec<Item> {
    let mut items = Vec::new();
    let mut sink = |item| items.push(item);
    let mut reader = GameReader::new(limits, Keep::Everything);
    reader.feed(text, &mut sink);
    reader.finish(&mut sink);
    items
}

/// What a comment of no length takes, roughly: many short ones must not take more memory than few long ones.
const COMMENT_COST: usize = 48;

/// Room for the moves of most games, so that it need not grow while they are read.
const USUAL_PLIES: usize = 120;

/// A line that is being read.
#[derive(Debug)]
struct Open {
    line: Line,
    /// The position after its last move.
    board: Board,
    /// The position after `reached` of its moves: played on to where a variation begins when there is one.
    behind: Board,
    reached: usize,
    /// Nothing more of it is kept, because a move could not be played.
    broken: bool,
}

impl Open {
    fn new(board: Board) -> Open {
        let behind = board.clone();
        Open { line: Line::default(), board, behind, reached: 0, broken: false }
    }

    /// The position before its last move: where variations to that move begin.
    fn before(&mut self) -> &Board {
        let last = self.line.nodes.len().saturating_sub(1);
        for node in self.line.nodes.get(self.reached..last).into_iter().flatten() {
            self.behind.step_again(node.step);
        }
        self.reached = last;
        &self.behind
    }

    fn notes(&mut self) -> &mut Notes {
        match self.line.nodes.last_mut() {
            Some(node) => node.notes_mut(),
            None => &mut self.line.notes,
        }
    }
}

#[derive(Debug)]
struct Builder {
    limits: Limits,
    keep: Keep,
    current: Option<ReadGame>,
    /// The line being read and the lines it belongs to, the game itself first.
    open: Vec<Open>,
    /// Variations inside which nothing is kept.
    left_out: usize,
    reading: Reading,
    result_tag: Option<GameResult>,
    /// Where the tag stands that tells the start position or the variant.
    start_tag: Option<Place>,
    moves: usize,
    comment_bytes: usize,
}

impl Builder {
    fn new(limits: Limits, keep: Keep) -> Builder {
        Builder {
            limits,
            keep,
            current: None,
            open: Vec::new(),
            left_out: 0,
            reading: Reading::default(),
            result_tag: None,
            start_tag: None,
            moves: 0,
            comment_bytes: 0,
        }
    }

    /// The line being read, unless it is one that is left out.
    #[inline]
    fn line(&mut self) -> Option<&mut Open> {
        if self.left_out > 0 { None } else { self.open.last_mut().filter(|open| !open.broken) }
    }

    fn game(&mut self) -> Option<&mut Game> {
        self.current.as_mut().map(|current| &mut current.game)
    }

    fn problem(&mut self, problem: Problem) {
        let Some(current) = &mut self.current else { return };
        let most = self.limits.problems;
        // An error is told even when remarks have filled the list.
        let is_first_error = problem.severity() == Severity::Error && current.error().is_none();
        if current.problems.len() < most || is_first_error {
            current.problems.push(problem);
        } else if current.problems.len() == most {
            let kind = ProblemKind::TooMuch(TooMuch::Problems);
            current.problems.push(Problem { place: problem.place, kind });
        }
    }

    fn begin(&mut self, at: At<'_>) {
        let (game, problems) = (Game::default(), Vec::new());
        // The place for the lines stays from game to game.
        let mut open = std::mem::take(&mut self.open);
        open.clear();
        let mut main = Open::new(Board::default());
        main.line.nodes.reserve(USUAL_PLIES);
        open.push(main);
        *self = Builder { open, ..Builder::new(self.limits, self.keep) };
        self.current = Some(ReadGame { place: at.place(), game, problems });
    }

    fn tag(&mut self, name: &[u8], value: RawValue<'_>, at: At<'_>) {
        let most = self.limits.tags;
        let Some(game) = self.game() else { return };
        let name = match std::str::from_utf8(name) {
            Ok(name) if tags::is_name(name) => name,
            _ => return self.problem(at.problem(ProblemKind::Tag)),
        };
        let value = value.decode();
        if name == "Result" {
            match GameResult::parse(value.trim().as_bytes()) {
                _ if self.result_tag.is_some() => self.duplicate(name, at),
                Some(result) => self.result_tag = Some(result),
                None if matches!(&*value, "" | "?") => {}
                None => self.problem(at.problem(ProblemKind::ResultTag(value.into_owned()))),
            }
        } else if game.tags.len() >= most {
            self.problem(at.problem(ProblemKind::TooMuch(TooMuch::Tags)));
        } else if game.tags.add(name, value) {
            self.duplicate(name, at);
        } else if matches!(name, "FEN" | "Variant") {
            self.start_tag = Some(at.place());
        }
    }

    fn duplicate(&mut self, name: &str, at: At<'_>) {
        self.problem(at.problem(ProblemKind::DuplicateTag(name.to_owned())));
    }

    fn begin_moves(&mut self, follower: &mut impl Follower) {
        self.set_up();
        let main = self.open.last().filter(|main| !main.broken);
        follower.begin(main.and_then(|main| match &main.board {
            Board::Chess(start) => Some(start),
            Board::Defender(_) => None,
        }));
    }

    fn set_up(&mut self) {
        let Some(current) = &mut self.current else { return };
        let (Some(main), Some(place)) = (self.open.last_mut(), self.start_tag) else { return };
        match current.game.start() {
            Ok(board) => {
                main.behind = board.clone();
                main.board = board;
            }
            Err(why) => {
                main.broken = true;
                let kind = match why {
                    StartError::Position(why) => ProblemKind::Position(why),
                    StartError::Variant(variant) => ProblemKind::Variant(variant),
                };
                self.problem(Problem { place, kind });
            }
        }
    }

    #[inline]
    fn ply(&mut self, text: &[u8], at: At<'_>, follower: &mut impl Follower) {
        if self.left_out > 0 {
            return;
        }
        let is_main = self.open.len() == 1;
        let Some(open) = self.open.last_mut().filter(|open| !open.broken) else { return };
        if self.moves >= self.limits.moves {
            open.broken = true;
            return self.problem(at.problem(ProblemKind::TooMuch(TooMuch::Moves)));
        }
        let read = if is_main {
            open.board.read(text, &mut self.reading, follower)
        } else {
            open.board.read(text, &mut self.reading, &mut ())
        };
        match read {
            Ok(step) => {
                open.line.nodes.push(Node::from(step));
                self.moves += 1;
            }
            Err(why) => {
                open.broken = true;
                self.bad_move(text, why, at);
            }
        }
    }

    #[cold]
    fn bad_move(&mut self, text: &[u8], why: NotationError, at: At<'_>) {
        // A word that is too long comes as an empty one and was told already.
        if !text.is_empty() {
            let text = RawText(text).decode().into_owned();
            self.problem(at.problem(ProblemKind::Move { text, why }));
        }
    }

    fn nag(&mut self, nag: Nag) {
        if self.keep == Keep::MainLine {
            return;
        }
        if let Some(open) = self.line() {
            let nags = &mut open.notes().nags;
            if nags.len() < 255 && !nags.contains(&nag) {
                nags.push(nag);
            }
        }
    }

    fn comment(&mut self, text: RawText<'_>, at: At<'_>) {
        let most = self.limits.comments;
        if self.keep == Keep::MainLine || self.line().is_none() {
            return;
        }
        let before = self.comment_bytes;
        self.comment_bytes += text.0.len() + COMMENT_COST;
        if self.comment_bytes > most {
            // Told once: the next comment finds the mark far above.
            if before <= most {
                self.problem(at.problem(ProblemKind::TooMuch(TooMuch::Comments)));
            }
            return;
        }
        if let Some(open) = self.line() {
            open.notes().add_comment(&text.decode());
        }
    }

    fn begin_variation(&mut self, at: At<'_>) {
        if self.keep == Keep::MainLine {
            self.left_out += 1;
            return;
        }
        let Limits { depth, moves, .. } = self.limits;
        let (is_deep, are_many) = (self.open.len() > depth, self.moves >= moves);
        let Some(open) = self.line() else {
            self.left_out += 1;
            return;
        };
        let problem = if open.line.nodes.is_empty() {
            ProblemKind::StrayBracket('(')
        } else if is_deep {
            ProblemKind::TooMuch(TooMuch::Depth)
        } else if are_many {
            ProblemKind::TooMuch(TooMuch::Moves)
        } else {
            let board = open.before().clone();
            // A variation takes memory even if there is no move in it.
            self.moves += 1;
            self.open.push(Open::new(board));
            return;
        };
        self.left_out += 1;
        self.problem(at.problem(problem));
    }

    fn end_variation(&mut self) {
        if self.left_out > 0 {
            self.left_out -= 1;
            return;
        }
        let Some(done) = self.open.pop() else { return };
        let said = !done.line.nodes.is_empty() || !done.line.notes.is_empty();
        let last = self.open.last_mut().and_then(|open| open.line.nodes.last_mut());
        if let (true, Some(node)) = (said, last) {
            node.variations_mut().push(done.line);
        }
    }

    fn result(&mut self, end: GameResult, at: At<'_>) {
        match self.result_tag {
            Some(tag) if tag != end => {
                self.problem(at.problem(ProblemKind::ResultMismatch { tag, end }));
                // The tag counts, unless it only says that it does not know.
                if tag == GameResult::Unknown {
                    self.result_tag = Some(end);
                }
            }
            _ => self.result_tag = Some(end),
        }
    }

    fn end(&mut self) -> Option<ReadGame> {
        let mut done = self.current.take()?;
        done.game.result = self.result_tag.unwrap_or_default();
        done.game.line = self.open.drain(..).next()?.line;
        Some(done)
    }
}

/// The builder together with who goes along and who takes the games.
struct Building<'a, F, S> {
    builder: &'a mut Builder,
    follower: &'a mut F,
    sink: &'a mut S,
}

impl<F: Follower, S: FnMut(Item, &mut F)> Visitor for Building<'_, F, S> {
    fn begin_game(&mut self, at: At<'_>) {
        self.builder.begin(at);
    }

    fn tag(&mut self, name: &[u8], value: RawValue<'_>, at: At<'_>) {
        self.builder.tag(name, value, at);
    }

    fn begin_moves(&mut self) {
        self.builder.begin_moves(self.follower);
    }

    #[inline]
    fn ply(&mut self, text: &[u8], at: At<'_>) {
        self.builder.ply(text, at, self.follower);
    }

    fn nag(&mut self, nag: Nag) {
        self.builder.nag(nag);
    }

    fn comment(&mut self, text: RawText<'_>, at: At<'_>) {
        self.builder.comment(text, at);
    }

    fn begin_variation(&mut self, at: At<'_>) {
        self.builder.begin_variation(at);
    }

    fn end_variation(&mut self) {
        self.builder.end_variation();
    }

    fn result(&mut self, result: GameResult, at: At<'_>) {
        self.builder.result(result, at);
    }

    fn problem(&mut self, problem: Problem) {
        if self.builder.current.is_some() {
            self.builder.problem(problem);
        } else {
            (self.sink)(Item::Stray(problem), self.follower);
        }
    }

    fn end_game(&mut self) {
        if let Some(done) = self.builder.end() {
            (self.sink)(Item::Game(Box::new(done)), self.follower);
        }
    }
}
