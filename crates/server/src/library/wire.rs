//! What the outside sees of the library.

use library::Tally;
use serde::{Deserialize, Serialize};
use store::{Import, ImportState};
use utoipa::{IntoParams, ToSchema};

/// A file that somebody wants to bring.
#[derive(Debug, Deserialize, ToSchema)]
pub(crate) struct NewImport {
    /// The name of the file, to be shown.
    pub(crate) file_name: String,
    /// Its length in bytes.
    pub(crate) bytes: u64,
}

/// Where a piece of a file belongs.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct PieceQuery {
    /// How many bytes came before it.
    pub(crate) offset: u64,
}

/// How to end an import.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct EndQuery {
    /// Whether the games it brought are to be taken out again.
    #[serde(default)]
    pub(crate) remove_games: bool,
}

/// How an import is.
#[derive(Debug, Clone, Copy, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum ImportStateView {
    /// The file is not there whole yet.
    Uploading,
    /// The file is there; others are read first.
    Waiting,
    /// Its games come in.
    Running,
    /// All of it was read.
    Done,
    /// Its owner has stopped it.
    Cancelled,
    /// It could not be read to its end.
    Failed,
}

/// An import.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct ImportView {
    /// Its number.
    pub(crate) id: i64,
    /// The name of the file.
    file_name: String,
    /// How it is.
    state: ImportStateView,
    /// How long the file is.
    bytes: i64,
    /// How much of it has arrived.
    bytes_arrived: u64,
    /// How much of it is dealt with.
    bytes_done: i64,
    /// Games that are in the library now.
    games: i64,
    /// Games that were there before.
    duplicates: i64,
    /// Games and passages that could not be read.
    bad: i64,
    /// Why it failed, in words.
    problem: String,
    /// When it began.
    created_at: i64,
    /// When it ended.
    ended_at: Option<i64>,
}

impl ImportView {
    pub(super) fn new(import: Import, bytes_arrived: u64, waits: bool) -> ImportView {
        ImportView {
            id: import.id,
            file_name: import.file_name,
            state: match import.state {
                ImportState::Uploading => ImportStateView::Uploading,
                ImportState::Running if waits => ImportStateView::Waiting,
                ImportState::Running => ImportStateView::Running,
                ImportState::Done => ImportStateView::Done,
                ImportState::Cancelled => ImportStateView::Cancelled,
                ImportState::Failed => ImportStateView::Failed,
            },
            bytes: import.bytes,
            bytes_arrived,
            bytes_done: import.bytes_done,
            games: import.games,
            duplicates: import.duplicates,
            bad: import.bad,
            problem: import.problem,
            created_at: import.created_at.0,
            ended_at: import.ended_at.map(|at| at.0),
        }
    }
}

/// Somebody's imports.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct ImportList {
    /// The newest first.
    pub(crate) imports: Vec<ImportView>,
}

/// Something wrong in a file.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct ImportProblemView {
    /// The line, counted from 1.
    pub(crate) line: i64,
    /// What is wrong, in words.
    pub(crate) reason: String,
}

/// What was wrong in a file.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct ImportProblems {
    /// The first thousand, in the order of the file.
    pub(crate) problems: Vec<ImportProblemView>,
}

/// A player of a game of the library.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct LibraryPlayer {
    /// The name; empty if not known.
    pub(crate) name: String,
    /// The rating.
    pub(crate) rating: Option<u16>,
}

/// A game of the library in a list.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct LibraryGameSummary {
    /// Its number.
    pub(crate) number: i64,
    /// White.
    pub(crate) white: LibraryPlayer,
    /// Black.
    pub(crate) black: LibraryPlayer,
    /// `1-0`, `0-1`, `1/2-1/2` or `*`.
    pub(crate) result: String,
    /// The day as its file tells it, `1999.12.31`, with `??` for what is not known.
    pub(crate) date: Option<String>,
    /// The event.
    pub(crate) event: Option<String>,
    /// The code of its opening.
    pub(crate) eco: Option<String>,
    /// The name of its opening.
    pub(crate) opening: Option<String>,
    /// The plies after which it was in the last position with a name; none if it was in no such position.
    pub(crate) opening_ply: Option<u8>,
    /// `bullet` to `correspondence`.
    pub(crate) speed: Option<String>,
    /// `file`, `here`, `lichess` or `chesscom`.
    pub(crate) source: String,
    /// The number of plies.
    pub(crate) plies: u16,
    /// What is played, if it is not standard chess.
    pub(crate) variant: Option<String>,
    /// Whether its moves can be shown in the library; otherwise the game's own page shows them.
    pub(crate) has_moves: bool,
    /// The game's own page, if it was played here.
    pub(crate) game_id: Option<String>,
    /// The position at its end, for a small board; none if it is no position of chess.
    pub(crate) fen: Option<String>,
    /// Whether the asker brought it and may remove it.
    pub(crate) own: bool,
    /// Whether everybody may see it: it was played here, and not in private.
    pub(crate) public: bool,
}

/// A page of games.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct LibraryPage {
    /// The newest first.
    pub(crate) games: Vec<LibraryGameSummary>,
    /// How many there are on all pages.
    pub(crate) total: u64,
    /// What to ask for the next page with, as `before`.
    pub(crate) next: Option<String>,
    /// Whether all games were looked at. For some time after a start there may be games that cannot be found yet.
    pub(crate) is_ready: bool,
}

/// Which page of which games.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct PageQuery {
    /// The `next` of the page before.
    pub(crate) before: Option<String>,
    /// How many, at most 100.
    pub(crate) limit: Option<usize>,
}

/// What to look at with the explorer.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct ExplorerQuery {
    /// A move to play first, as engines write it or as people do.
    pub(crate) play: Option<String>,
}

/// How an export looks.
#[derive(Debug, Clone, Default, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct ExportQuery {
    /// `pgn` (the default) or `ndjson`: a line of JSON for each game.
    pub(crate) format: Option<String>,
    /// Whether clock times are in it; yes without a word.
    pub(crate) clocks: Option<bool>,
    /// Whether evaluations are in it; yes without a word.
    pub(crate) evals: Option<bool>,
    /// Whether comments and glyphs are in it; yes without a word.
    pub(crate) comments: Option<bool>,
    /// Whether variations are in it; yes without a word.
    pub(crate) variations: Option<bool>,
    /// `all` (the default), or `few`: who, when and where, and what the moves need to be understood.
    pub(crate) tags: Option<String>,
    /// Whether the opening is told by the tags `ECO` and `Opening`: `true` as it is recognised here, `false` for not at
    /// all; without a word as the game came.
    pub(crate) openings: Option<bool>,
    /// Only these games, by their numbers, with commas between them; at most 500. Other conditions do not count then.
    pub(crate) numbers: Option<String>,
}

/// Results of some games.
#[derive(Debug, Clone, Copy, Default, Serialize, ToSchema)]
pub(crate) struct Results {
    /// How many games.
    pub(crate) games: u32,
    /// Won by White.
    pub(crate) white: u32,
    /// Drawn.
    pub(crate) draws: u32,
    /// Won by Black.
    pub(crate) black: u32,
    /// The mean rating of both sides, where both are known.
    pub(crate) average_rating: Option<u32>,
    /// When the last of them was played.
    pub(crate) last_played: Option<i64>,
}

impl From<&Tally> for Results {
    fn from(tally: &Tally) -> Results {
        let last = Some(tally.last.0).filter(|last| *last != i32::MIN);
        Results {
            games: tally.games,
            white: tally.white,
            draws: tally.draws,
            black: tally.black,
            average_rating: tally.average_rating(),
            last_played: last.map(|minutes| i64::from(minutes) * 60_000),
        }
    }
}

/// A move in the explorer.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct ExplorerMove {
    /// As engines write it.
    pub(crate) uci: String,
    /// As people write it.
    pub(crate) san: String,
    /// How the games went.
    #[serde(flatten)]
    pub(crate) results: Results,
    /// How strong those played who made it, by their results.
    pub(crate) performance: Option<i32>,
}

/// What the games did in a position.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct ExplorerView {
    /// The position.
    pub(crate) fen: String,
    /// Where pieces may go: origin and targets, `e2e3e4 g1f3h3`.
    pub(crate) dests: String,
    /// The square of a king in check.
    pub(crate) check: Option<String>,
    /// The move that led here, if one was asked for.
    pub(crate) played: Option<ExplorerStep>,
    /// The code of the opening, if the position has a name.
    pub(crate) eco: Option<String>,
    /// The name of the opening.
    pub(crate) opening: Option<String>,
    /// All games.
    pub(crate) total: Results,
    /// By move, the most frequent first.
    pub(crate) moves: Vec<ExplorerMove>,
    /// Games that ended here.
    pub(crate) ended: u32,
    /// Whether all games were looked at. For some time after a start there may be games that cannot be found yet.
    pub(crate) is_ready: bool,
}

/// A move that was played in the explorer.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct ExplorerStep {
    /// As engines write it.
    pub(crate) uci: String,
    /// As people write it.
    pub(crate) san: String,
}
