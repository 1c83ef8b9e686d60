//! What the outside sees of analysis: questions, positions, trees, studies.

use rules::{Color, Outcome, Variant};
use serde::{Deserialize, Serialize};
use store::{GameId, StudyEntry};
use utoipa::ToSchema;

pub use super::lines::{EngineLineView, EvalView};
use crate::games::wire::MoveView;

/// Which position: where a line begins, and its moves.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(default)]
pub struct PositionQuestion {
    /// Which game it is; that of `game`, if one is named.
    pub variant: Variant,
    /// The first position; none for the variant's own start.
    pub start: Option<String>,
    /// A game to begin from, instead of a position.
    #[schema(value_type = Option<String>)]
    pub game: Option<GameId>,
    /// How many plies of that game are played first; none for all of them.
    pub ply: Option<u32>,
    /// Moves from there on, as UCI or SAN.
    pub moves: Vec<String>,
}

/// A position with what a board needs to show it and to go on from it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct PositionView {
    /// Which game it is.
    pub variant: Variant,
    /// Where the line begins.
    pub start_fen: String,
    /// What one may do there, as `dests`.
    pub start_dests: String,
    /// The moves of the line.
    pub moves: Vec<MoveView>,
    /// The position.
    pub fen: String,
    /// Who is to act.
    pub to_act: Color,
    /// Legal moves in groups by origin: `e2e3e4 g1f3h3`, the first square of a group is the origin.
    pub dests: String,
    /// The square of a king in check.
    pub check: Option<String>,
    /// How the position ends the game, if it does.
    pub outcome: Option<Outcome>,
    /// The opening, as far as it has a name.
    pub opening: Option<OpeningView>,
}

/// What an opening is called.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct OpeningView {
    /// The code of the Encyclopaedia of Chess Openings.
    pub eco: String,
    /// The name.
    pub name: String,
    /// The number of plies after which the line was there.
    pub ply: u32,
}

/// A tree of variations.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(default)]
pub struct TreeView {
    /// Which game it is: standard chess or Chess960.
    pub variant: Variant,
    /// The first position; none for the usual one.
    pub start: Option<String>,
    /// The tags of the PGN, in its order.
    pub tags: Vec<(String, String)>,
    /// The main line.
    pub line: LineView,
    /// `1-0`, `0-1`, `1/2-1/2` or `*`.
    pub result: String,
    /// What one may do in the first position, as `dests` elsewhere. Not read.
    pub dests: String,
    /// What could not be understood in a PGN. Not read.
    pub problems: Vec<String>,
}

/// A sequence of moves: the game itself, or a variation.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(default)]
pub struct LineView {
    /// What is said before the first move.
    pub notes: NotesView,
    /// The moves.
    pub moves: Vec<TreeMove>,
}

/// A move of a tree. Only `uci`, `notes` and `variations` are read; the rest is told.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(default)]
pub struct TreeMove {
    /// As engines write it; `--` for a pass.
    pub uci: String,
    /// As people write it.
    pub san: String,
    /// The position after it.
    pub fen: String,
    /// The square of a king in check.
    pub check: Option<String>,
    /// Legal moves after it, in groups by origin.
    pub dests: String,
    /// What is said after it.
    pub notes: NotesView,
    /// What could have been played in its place.
    #[schema(no_recursion)]
    pub variations: Vec<LineView>,
}

/// What is said about a move.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(default)]
pub struct NotesView {
    /// Comments.
    pub comments: Vec<String>,
    /// Glyphs by their number: 1 is `!`, 2 is `?`.
    pub nags: Vec<u8>,
    /// Time left on the mover's clock.
    pub clock_ms: Option<i64>,
    /// Coloured squares and arrows as PGN writes them: `Ge4`, `Rg1f3`.
    pub shapes: Vec<String>,
}

/// A text to be read as PGN.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct PgnText {
    /// The text; its first game counts.
    pub pgn: String,
}

/// A study to be kept.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct NewStudy {
    /// What its owner calls it.
    pub name: String,
    /// The tree.
    pub tree: TreeView,
}

/// A study to be written anew.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct StudyChange {
    /// The version that was read.
    pub version: i64,
    /// What its owner calls it.
    pub name: String,
    /// The tree.
    pub tree: TreeView,
}

/// A study in a list.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct StudyCard {
    /// Its id.
    pub id: String,
    /// What its owner calls it.
    pub name: String,
    /// Which game it is about.
    pub variant: Variant,
    /// Grows with every change.
    pub version: i64,
    /// When it was made.
    pub created_at: i64,
    /// When it was last changed.
    pub changed_at: i64,
}

impl From<StudyEntry> for StudyCard {
    fn from(entry: StudyEntry) -> StudyCard {
        StudyCard {
            id: entry.id.to_string(),
            name: entry.name,
            variant: entry.variant,
            version: entry.version,
            created_at: entry.created_at.0,
            changed_at: entry.changed_at.0,
        }
    }
}

/// A study, whole.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct StudyView {
    /// What a list shows of it.
    #[serde(flatten)]
    pub card: StudyCard,
    /// The tree.
    pub tree: TreeView,
}

/// The studies of the one who asks, the last changed first.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct StudyList {
    /// The studies.
    pub studies: Vec<StudyCard>,
}

/// Somebody who can be asked.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct EngineView {
    /// What to say in `engine` to ask this one.
    pub key: String,
    /// What it calls itself.
    pub name: String,
    /// The games it knows.
    pub variants: Vec<Variant>,
}

impl From<engine::pool::EngineInfo> for EngineView {
    fn from(info: engine::pool::EngineInfo) -> EngineView {
        EngineView { key: info.key, name: info.name, variants: info.variants }
    }
}

/// Everybody who can be asked.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct EngineList {
    /// The engines, the usual one first.
    pub engines: Vec<EngineView>,
}

/// What is wanted of an engine.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum AnalysisAim {
    /// The best lines.
    #[default]
    Lines,
    /// A good move, soon.
    Hint,
    /// What the other side would do if it were its turn.
    Threat,
}

/// How an analysis over the socket is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum AnalysisState {
    /// All engines are busy.
    Waiting {
        /// How many come first.
        ahead: u32,
    },
    /// An engine is at it.
    Running,
    /// It has said what it will say.
    Done {
        /// Who answered.
        engine: String,
        /// What it would do.
        best: Option<String>,
    },
    /// There will be no answer.
    Refused {
        /// Why, for programs.
        code: String,
        /// Why, for people.
        reason: String,
    },
}
