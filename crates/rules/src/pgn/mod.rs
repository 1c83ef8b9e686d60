//! Games as PGN text: reading and writing.
//!
//! An importer reads a file of any size in pieces and takes each game as it is done:
//!
//! ```
//! use rules::pgn::{GameReader, Item, Keep, Limits};
//!
//! let pieces: [&[u8]; 2] = [b"[White \"Anderssen\"]\n\n1. e4 e5 2. f", b"4 exf4 3. Ke3 1-0\n"];
//! let mut reader = GameReader::new(Limits::default(), Keep::Everything);
//! let mut take = |item| match item {
//!     Item::Game(read) => {
//!         assert_eq!(read.game.tags.get("White"), Some("Anderssen"));
//!         assert_eq!(read.game.line.nodes.len(), 4); // the good plies
//!         let error = read.error().expect("the king cannot go there");
//!         assert_eq!(error.to_string(), "line 3, column 24: “Ke3”: this move is not legal here");
//!     }
//!     Item::Stray(problem) => panic!("{problem}"),
//! };
//! for piece in pieces {
//!     reader.feed(piece, &mut take);
//! }
//! reader.finish(&mut take);
//! ```
//!
//! An exporter fills a [`Game`] and writes it:
//!
//! ```
//! use rules::notation::read_move;
//! use rules::pgn::{Game, GameResult, Node, Step, Tags};
//! use shakmaty::Chess;
//!
//! let mut game = Game { result: GameResult::Draw, ..Game::default() };
//! game.tags.set("White", "Anderssen");
//! let e4 = read_move(&Chess::default(), "e4", None)?;
//! game.line.nodes.push(Node::from(Step::Move(e4)));
//! assert!(game.to_pgn()?.ends_with("\n\n1. e4 1/2-1/2\n\n"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Two ways to read: [`Reader`] tells a [`Visitor`] the parts of each game as they stand in the file, without a board
//! and without allocating; [`GameReader`] tries every move and gives whole games. Both take bytes: the crate opens
//! no file. A bad game keeps what is good of it, says where and why it is bad, and never harms its neighbours.

mod board;
mod build;
mod encoding;
mod game;
mod limits;
mod notes;
mod problem;
mod reader;
mod result;
mod scan;
mod tags;
mod visitor;
mod write;

pub use board::{Board, StartError};
pub use build::{Follower, GameReader, Item, Keep, ReadGame, read_games};
pub use game::{Brush, Eval, Game, Line, Node, Notes, Score, Step};
pub use limits::Limits;
pub use problem::{At, Place, Problem, ProblemKind, Severity, TooMuch};
pub use reader::{Reader, visit};
pub use result::{GameResult, Nag};
pub use tags::Tags;
pub use visitor::{RawText, RawValue, Visitor};
pub use write::WriteError;
