//! Games out: a page at a time, so that any number of them takes little memory.

use std::convert::Infallible;

use axum::body::Body;
use bytes::Bytes;
use futures_util::{StreamExt as _, stream};
use library::Found;
use rules::pgn::{Line, Notes};
use serde::Serialize;
use store::AccountId;

use super::listing::summary;
use super::query::LibraryQuery;
use super::sheets::Shown;
use super::wire::{ExportQuery, LibraryGameSummary};
use super::{Library, LibraryError};

/// Games that are read at once.
const PAGE: usize = 200;

/// The form of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Format {
    Pgn,
    Ndjson,
}

/// A game as a line of JSON: what lists show, and all of it as PGN.
#[derive(Serialize)]
struct ExportedGame {
    #[serde(flatten)]
    summary: LibraryGameSummary,
    pgn: String,
}

impl ExportQuery {
    pub(super) fn format(&self) -> Result<Format, LibraryError> {
        match self.format.as_deref() {
            None | Some("pgn") => Ok(Format::Pgn),
            Some("ndjson") => Ok(Format::Ndjson),
            Some(_) => Err(LibraryError::BadQuestion("a format is pgn or ndjson")),
        }
    }

    /// Leaves out of a line what is not wanted.
    fn trim(&self, line: &mut Line) {
        self.trim_notes(&mut line.notes);
        for node in &mut line.nodes {
            if !node.notes().is_empty() {
                self.trim_notes(node.notes_mut());
            }
            if node.variations().is_empty() {
                continue;
            }
            if self.variations == Some(false) {
                node.variations_mut().clear();
            }
            node.variations_mut().iter_mut().for_each(|variation| self.trim(variation));
        }
    }

    fn trim_notes(&self, notes: &mut Notes) {
        if self.clocks == Some(false) {
            notes.clock = None;
            notes.elapsed = None;
        }
        if self.evals == Some(false) {
            notes.eval = None;
        }
        if self.comments == Some(false) {
            notes.comments.clear();
            notes.nags.clear();
            notes.squares.clear();
            notes.arrows.clear();
        }
    }
}

/// How far an export is.
struct Going {
    library: Library,
    asked: LibraryQuery,
    form: ExportQuery,
    format: Format,
    asker: Option<AccountId>,
    is_member: bool,
    before: Option<Found>,
    is_over: bool,
}

impl Library {
    /// The games that are wanted, as the body of an answer.
    pub(super) async fn export(
        &self,
        asked: LibraryQuery,
        form: ExportQuery,
        asker: Option<AccountId>,
        is_member: bool,
    ) -> Result<(Format, Body), LibraryError> {
        let format = form.format()?;
        // A question that makes no sense is refused before the first byte.
        self.find(&asked, None, 1, asker, is_member).await?;
        let library = self.clone();
        let going =
            Going { library, asked, form, format, asker, is_member, before: None, is_over: false };
        let pages = stream::unfold(going, |mut going| async move {
            let page = going.page().await?;
            Some((Ok::<Bytes, Infallible>(page), going))
        });
        // Whoever compresses the body asks once more after its end.
        Ok((format, Body::from_stream(pages.fuse())))
    }
}

impl Going {
    /// The next page; none at the end, or when the storage fails: then the file ends early and the log says why.
    async fn page(&mut self) -> Option<Bytes> {
        if self.is_over {
            return None;
        }
        match self.read().await {
            Ok(text) => Some(text.into()),
            Err(error) => {
                tracing::error!(%error, "an export broke off");
                None
            }
        }
    }

    async fn read(&mut self) -> Result<String, LibraryError> {
        let Going { library, asked, before, asker, is_member, .. } = self;
        let (found, _) = library.find(asked, *before, PAGE, *asker, *is_member).await?;
        self.is_over = found.len() < PAGE;
        self.before = found.last().copied();
        let shown = self.library.load(&found).await?;
        Ok(shown.into_iter().filter_map(|shown| self.written(shown)).collect())
    }

    fn written(&self, mut shown: Shown) -> Option<String> {
        self.form.trim(&mut shown.sheet.line);
        let pgn = shown.sheet.to_pgn().ok()?;
        match self.format {
            Format::Pgn => Some(pgn),
            Format::Ndjson => {
                let game = ExportedGame { summary: summary(&shown, self.asker), pgn };
                serde_json::to_string(&game).ok().map(|line| line + "\n")
            }
        }
    }
}
