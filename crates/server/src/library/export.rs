//! Games out: a page at a time, so that any number of them takes little memory.

use std::mem;
use std::vec::IntoIter;

use axum::body::Body;
use bytes::Bytes;
use futures_util::{StreamExt as _, stream};
use library::Found;
use library::Record;
use rules::opening;
use rules::pgn::{Game as Sheet, Line, Notes};
use serde::Serialize;
use store::{AccountId, LibraryNumber, StoreError};

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

/// What stands in a game in the place of notes that its reader may not see yet.
const NOTES_LEFT_OUT: &str =
    "Notes are left out as long as you play a rated game with a position of this one.";

/// The form of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// For every chess program.
    Pgn,
    /// A line of JSON for each game.
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

fn leave_notes_out(sheet: &mut Sheet) {
    let no = Some(false);
    let moves_alone =
        ExportQuery { evals: no, comments: no, variations: no, ..ExportQuery::default() };
    moves_alone.trim(&mut sheet.line);
    sheet.line.notes.comments.push(NOTES_LEFT_OUT.to_owned());
}

/// How the games of an export are written, and for whom.
pub(super) struct Writer {
    form: ExportQuery,
    format: Format,
    asker: Option<AccountId>,
}

impl Writer {
    /// All of each game, in this format.
    pub(super) fn whole(format: Format, asker: AccountId) -> Writer {
        Writer { form: ExportQuery::default(), format, asker: Some(asker) }
    }

    /// A game as text; none if PGN cannot tell it.
    pub(super) fn write(&self, mut shown: Shown) -> Option<String> {
        if shown.untold.is_some() {
            return None;
        }
        self.form.shape(&mut shown.sheet);
        let pgn = match shown.sheet.to_pgn() {
            Ok(pgn) => pgn,
            Err(error) => {
                let number = shown.stored.number.0;
                tracing::error!(number, %error, "a game cannot be written as PGN");
                return None;
            }
        };
        match self.format {
            Format::Pgn => Some(pgn),
            Format::Ndjson => {
                let game = ExportedGame { summary: summary(&shown, self.asker), pgn };
                serde_json::to_string(&game).ok().map(|line| line + "\n")
            }
        }
    }
}

/// How far an export is.
struct Going {
    library: Library,
    writer: Writer,
    rest: Rest,
}

/// What is still to be written.
enum Rest {
    /// Nothing was looked for yet: the games that a question finds.
    Question {
        asked: Box<LibraryQuery>,
        is_member: bool,
    },
    /// The games that were found. Two words for each is all that a whole library takes in memory.
    Found(IntoIter<Found>),
    /// Games that were chosen one by one.
    Chosen(Vec<LibraryNumber>),
    Nothing,
}

impl Library {
    /// The games that are wanted, as the body of an answer. If the storage fails on the way, the body breaks off: an
    /// answer that came to its end is whole.
    pub(super) async fn export(
        &self,
        asked: LibraryQuery,
        form: ExportQuery,
        asker: Option<AccountId>,
        is_member: bool,
    ) -> Result<(Format, Body), LibraryError> {
        let format = form.format()?;
        form.wants_few_tags()?;
        // A question that makes no sense is refused before the first byte.
        self.find(&asked, None, 1, asker, is_member).await?;
        let rest = match form.chosen()? {
            Some(chosen) => Rest::Chosen(chosen),
            None => Rest::Question { asked: Box::new(asked), is_member },
        };
        let library = self.clone();
        let going = Going { library, writer: Writer { form, format, asker }, rest };
        let pages = stream::try_unfold(going, |mut going| async move {
            let page = going.page().await.inspect_err(|error| {
                tracing::error!(%error, "an export broke off");
            })?;
            Ok::<_, LibraryError>(page.map(|page| (Bytes::from(page), going)))
        });
        // Whoever compresses the body asks once more after its end.
        Ok((format, Body::from_stream(pages.fuse())))
    }

    /// All games that a question finds, newest first, as soon as every game can be found.
    async fn find_all(
        &self,
        asked: &LibraryQuery,
        asker: Option<AccountId>,
        is_member: bool,
    ) -> Result<Vec<Found>, LibraryError> {
        self.ready().await;
        let mut limit = 0;
        loop {
            let (found, total) = self.find(asked, None, limit, asker, is_member).await?;
            let total = usize::try_from(total).unwrap_or(usize::MAX);
            if total <= limit {
                return Ok(found);
            }
            limit = total;
        }
    }
}

impl Going {
    /// The next page; none at the end.
    async fn page(&mut self) -> Result<Option<String>, LibraryError> {
        let asker = self.writer.asker;
        loop {
            match mem::replace(&mut self.rest, Rest::Nothing) {
                Rest::Nothing => return Ok(None),
                Rest::Chosen(chosen) => return Ok(Some(self.read_chosen(chosen).await?)),
                Rest::Question { asked, is_member } => {
                    let found = self.library.find_all(&asked, asker, is_member).await?;
                    self.rest = Rest::Found(found.into_iter());
                }
                Rest::Found(mut found) => {
                    let page: Vec<Found> = found.by_ref().take(PAGE).collect();
                    if page.is_empty() {
                        return Ok(None);
                    }
                    self.rest = Rest::Found(found);
                    let mut text = String::new();
                    for shown in self.library.load(&page).await? {
                        text.extend(self.write(shown).await?);
                    }
                    return Ok(Some(text));
                }
            }
        }
    }

    /// A game as text. Notes that would help the asker in a rated game are left out, and it says so.
    async fn write(&self, mut shown: Shown) -> Result<Option<String>, LibraryError> {
        match self.library.may_read_notes(&shown.sheet, self.writer.asker).await {
            Ok(()) => {}
            Err(LibraryError::FairPlay) => leave_notes_out(&mut shown.sheet),
            Err(error) => return Err(error),
        }
        Ok(self.writer.write(shown))
    }

    /// Chosen games are few: one page has them all. Those that the asker may not see are left out.
    async fn read_chosen(&self, chosen: Vec<LibraryNumber>) -> Result<String, LibraryError> {
        let mut text = String::new();
        for number in chosen {
            match self.library.visible(number, self.writer.asker).await {
                Ok(shown) => text.extend(self.write(shown).await?),
                Err(LibraryError::UnknownGame | LibraryError::NoPgn) => {}
                Err(LibraryError::Store(StoreError::Damaged(what))) => {
                    tracing::error!(
                        number = number.0,
                        what,
                        "a game of the library cannot be read"
                    );
                }
                Err(error) => return Err(error),
            }
        }
        Ok(text)
    }
}
