//! Games out: a page at a time, so that any number of them takes little memory.

use std::convert::Infallible;

use axum::body::Body;
use bytes::Bytes;
use futures_util::{StreamExt as _, stream};
use library::Found;
use library::Record;
use rules::opening;
use rules::pgn::{Game as Sheet, Line, Notes};
use serde::Serialize;
use store::{AccountId, LibraryNumber};

use super::listing::summary;
use super::query::LibraryQuery;
use super::sheets::Shown;
use super::wire::{ExportQuery, LibraryGameSummary};
use super::{Library, LibraryError};

/// Games that are read at once.
const PAGE: usize = 200;
/// The most games that can be chosen one by one.
const MOST_CHOSEN: usize = 500;
/// What is left of the tags of a game if few are wanted. Without the last ones its moves make no sense.
const FEW_TAGS: [&str; 10] = [
    "Event",
    "Site",
    "Date",
    "Round",
    "White",
    "Black",
    "SetUp",
    "FEN",
    "Variant",
    "DefenderPoints",
];

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

    /// The games that are chosen one by one, if they are.
    fn chosen(&self) -> Result<Option<Vec<LibraryNumber>>, LibraryError> {
        let Some(text) = self.numbers.as_deref() else { return Ok(None) };
        let numbers = text.split(',').map(|number| number.trim().parse().map(LibraryNumber));
        let numbers: Option<Vec<LibraryNumber>> =
            numbers.take(MOST_CHOSEN + 1).collect::<Result<_, _>>().ok();
        let numbers = numbers.filter(|numbers| numbers.len() <= MOST_CHOSEN);
        let bad = "at most 500 numbers of games, with commas between them";
        numbers.map(Some).ok_or(LibraryError::BadQuestion(bad))
    }

    fn wants_few_tags(&self) -> Result<bool, LibraryError> {
        match self.tags.as_deref() {
            None | Some("all") => Ok(false),
            Some("few") => Ok(true),
            Some(_) => Err(LibraryError::BadQuestion("tags are all or few")),
        }
    }

    /// Leaves out what is not wanted, and tells the opening if that is.
    fn shape(&self, sheet: &mut Sheet) {
        let named = match self.openings {
            Some(true) => Record::of(sheet).facts.opening.and_then(opening::by_number),
            _ => None,
        };
        if self.openings == Some(false) || self.wants_few_tags().unwrap_or(false) {
            let is_unwanted = |name: &str| match name {
                "ECO" | "Opening" | "Variation" | "SubVariation" => true,
                name => self.wants_few_tags().unwrap_or(false) && !FEW_TAGS.contains(&name),
            };
            let names = sheet.tags.iter().map(|(name, _)| name.to_owned());
            let unwanted: Vec<String> = names.filter(|name| is_unwanted(name)).collect();
            for name in &unwanted {
                sheet.tags.remove(name);
            }
        }
        if let Some((eco, name)) = named {
            sheet.tags.set("ECO", eco);
            sheet.tags.set("Opening", name);
        }
        self.trim(&mut sheet.line);
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
    /// The games that are still to come, if they were chosen one by one.
    chosen: Option<Vec<LibraryNumber>>,
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
        form.wants_few_tags()?;
        let chosen = form.chosen()?;
        // A question that makes no sense is refused before the first byte.
        self.find(&asked, None, 1, asker, is_member).await?;
        let library = self.clone();
        let (before, is_over) = (None, false);
        let going =
            Going { library, asked, form, format, asker, is_member, before, chosen, is_over };
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
        if let Some(chosen) = self.chosen.take() {
            return self.read_chosen(chosen).await;
        }
        let Going { library, asked, before, asker, is_member, .. } = self;
        let (found, _) = library.find(asked, *before, PAGE, *asker, *is_member).await?;
        self.is_over = found.len() < PAGE;
        self.before = found.last().copied();
        let shown = self.library.load(&found).await?;
        Ok(shown.into_iter().filter_map(|shown| self.written(shown)).collect())
    }

    /// Chosen games are few: one page has them all. Those that the asker may not see are left out.
    async fn read_chosen(&mut self, chosen: Vec<LibraryNumber>) -> Result<String, LibraryError> {
        self.is_over = true;
        let mut text = String::new();
        for number in chosen {
            match self.library.visible(number, self.asker).await {
                Ok(shown) => text.extend(self.written(shown)),
                Err(LibraryError::UnknownGame | LibraryError::NoPgn) => {}
                Err(error) => return Err(error),
            }
        }
        Ok(text)
    }

    fn written(&self, mut shown: Shown) -> Option<String> {
        if shown.untold.is_some() {
            return None;
        }
        self.form.shape(&mut shown.sheet);
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
