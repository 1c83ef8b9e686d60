//! One game with everything in it: moves with their positions, variations, comments, clocks, evaluations.

use rules::pgn::{Board, Game as Sheet, Line, Node, Notes, Score};
use serde::Serialize;
use store::{AccountId, LibraryNumber};
use utoipa::ToSchema;

use super::listing::summary;
use super::sheets::{self, Shown};
use super::wire::LibraryGameSummary;
use super::{Library, LibraryError};
use crate::analysis::positions_of;
use crate::connections::game_url;

/// A tag of a game.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct TagView {
    /// Its name.
    name: String,
    /// Its value.
    value: String,
}

/// A move with what is said about it.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct MoveNode {
    /// The number of plies from the beginning of the game, this move included.
    ply: u32,
    /// As engines write it.
    uci: String,
    /// As people write it.
    san: String,
    /// The position after it.
    fen: String,
    /// Whether it gives check.
    check: bool,
    /// Numeric annotation glyphs.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    nags: Vec<u8>,
    /// Comments.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    comments: Vec<String>,
    /// Time left on the clock of whoever moved.
    #[serde(skip_serializing_if = "Option::is_none")]
    clock_ms: Option<i64>,
    /// What an engine thought, in hundredths of a pawn, seen from White.
    #[serde(skip_serializing_if = "Option::is_none")]
    eval_cp: Option<i32>,
    /// Mate in so many moves; negative if Black mates.
    #[serde(skip_serializing_if = "Option::is_none")]
    eval_mate: Option<i32>,
    /// What could have been played in its place.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    variations: Vec<VariationView>,
}

/// Another way the game could have gone.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct VariationView {
    /// What is said before its first move.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    comments: Vec<String>,
    /// Its moves.
    #[schema(no_recursion)]
    moves: Vec<MoveNode>,
}

/// A game of the library.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct LibraryGameView {
    /// What lists show of it.
    summary: LibraryGameSummary,
    /// Its tags, the usual ones first.
    tags: Vec<TagView>,
    /// Its page at the site where it was played, if that is another one.
    source_url: Option<String>,
    /// The position it begins with.
    start_fen: String,
    /// What is said before the first move.
    comments: Vec<String>,
    /// Its moves.
    moves: Vec<MoveNode>,
}

impl Library {
    /// A game that the asker may see: an own one, one of a linked account, or one played here.
    pub(super) async fn visible(
        &self,
        number: LibraryNumber,
        asker: Option<AccountId>,
    ) -> Result<Shown, LibraryError> {
        let stored = self.0.store.load_library_games(&[number]).await?;
        let stored = stored.into_iter().next().ok_or(LibraryError::UnknownGame)?;
        let is_public = stored.game.is_some() && !stored.is_private;
        let is_own = asker.is_some() && stored.importer == asker;
        if !is_public && !is_own {
            let accounts = match asker {
                Some(asker) => self.accounts_of(asker).await?,
                None => Vec::new(),
            };
            let seats =
                stored.seats.iter().flatten().filter_map(|seat| u32::try_from(seat.account).ok());
            if stored.importer.is_some() || !seats.into_iter().any(|seat| accounts.contains(&seat))
            {
                return Err(LibraryError::UnknownGame);
            }
        }
        sheets::show(&self.0.store, &self.0.site, stored).await?.ok_or(LibraryError::NoPgn)
    }

    /// Whether the asker may read what is said about a game: not if it went through a position of a rated game that they
    /// are playing.
    pub(super) async fn may_read_notes(
        &self,
        sheet: &Sheet,
        asker: Option<AccountId>,
    ) -> Result<(), LibraryError> {
        if !has_notes(&sheet.line) || !self.0.fair_play.is_at_stake(asker).await {
            return Ok(());
        }
        // What cannot be told as a tree of chess stands on no board that could be compared.
        let Ok((variant, positions)) = positions_of(sheet) else { return Ok(()) };
        let read = self.0.fair_play.may_read(asker, variant, &positions).await;
        read.map_err(|_| LibraryError::FairPlay)
    }

    /// A game with everything in it.
    pub(crate) async fn show(
        &self,
        number: LibraryNumber,
        asker: Option<AccountId>,
    ) -> Result<LibraryGameView, LibraryError> {
        let shown = self.visible(number, asker).await?;
        if shown.untold.is_some() {
            return Err(LibraryError::NoPgn);
        }
        self.may_read_notes(&shown.sheet, asker).await?;
        let start = shown.sheet.start().map_err(|_| LibraryError::NoPgn)?;
        let tags = shown.sheet.tags.iter();
        Ok(LibraryGameView {
            tags: tags
                .map(|(name, value)| TagView { name: name.to_owned(), value: value.to_owned() })
                .collect(),
            source_url: source_url(&shown),
            start_fen: start.fen(),
            comments: shown.sheet.line.notes.comments.clone(),
            moves: line_view(&shown.sheet.line, start, 0),
            summary: summary(&shown, asker),
        })
    }

    /// A game as PGN.
    pub(crate) async fn pgn(
        &self,
        number: LibraryNumber,
        asker: Option<AccountId>,
    ) -> Result<String, LibraryError> {
        let shown = self.visible(number, asker).await?;
        if shown.untold.is_some() {
            return Err(LibraryError::NoPgn);
        }
        self.may_read_notes(&shown.sheet, asker).await?;
        shown.sheet.to_pgn().map_err(|_| LibraryError::NoPgn)
    }
}

/// Whether anything is said about the moves: by an engine, by somebody, or by other moves.
fn has_notes(line: &Line) -> bool {
    let says = |notes: &Notes| {
        let Notes { nags, comments, squares, arrows, eval, .. } = notes;
        let is_plain = nags.is_empty() && comments.is_empty();
        !is_plain || !squares.is_empty() || !arrows.is_empty() || eval.is_some()
    };
    says(&line.notes)
        || line.nodes.iter().any(|node| says(node.notes()) || !node.variations().is_empty())
}

fn source_url(shown: &Shown) -> Option<String> {
    let stored = &shown.stored;
    game_url(stored.service.as_deref()?, stored.external_id.as_deref()?)
}

fn line_view(line: &Line, mut board: Board, plies: u32) -> Vec<MoveNode> {
    let mut moves = Vec::with_capacity(line.nodes.len());
    for (node, ply) in line.nodes.iter().zip(plies + 1..) {
        let before = board.clone();
        let Some(written) = board.write_step(node.step) else { break };
        let variations = node.variations().iter().map(|variation| VariationView {
            comments: variation.notes.comments.clone(),
            moves: line_view(variation, before.clone(), ply - 1),
        });
        let variations = variations.collect();
        moves.push(node_view(node, ply, written, &board, variations));
    }
    moves
}

fn node_view(
    node: &Node,
    ply: u32,
    san: String,
    board: &Board,
    variations: Vec<VariationView>,
) -> MoveNode {
    let Notes { nags, comments, clock, eval, .. } = node.notes();
    let (eval_cp, eval_mate) = match eval.map(|eval| eval.score) {
        Some(Score::Centipawns(score)) => (Some(score), None),
        Some(Score::Mate(moves)) => (None, Some(moves)),
        None => (None, None),
    };
    MoveNode {
        ply,
        uci: node.step.action(board.castling_mode()).to_string(),
        check: san.ends_with(['+', '#']),
        san,
        fen: board.fen(),
        nags: nags.iter().map(|nag| nag.0).collect(),
        comments: comments.clone(),
        clock_ms: clock.map(|clock| clock.0),
        eval_cp,
        eval_mate,
        variations,
    }
}

/// The position at the end of a game of chess.
pub(super) fn final_fen(sheet: &Sheet) -> Option<String> {
    let mut board = sheet.start().ok()?;
    for step in sheet.steps() {
        board.play_step(step).then_some(())?;
    }
    matches!(board, Board::Chess(_)).then(|| board.fen())
}
