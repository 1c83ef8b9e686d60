//! Lists of games: newest first, page by page.

use library::{Facts, Found, Record};
use rules::opening;
use store::{AccountId, LibraryNumber};

use super::explorer::position_of;
use super::query::LibraryQuery;
use super::sheets::{self, Shown};
use super::wire::{LibraryGameSummary, LibraryPage, LibraryPlayer};
use super::{Library, LibraryError};

/// Games on a page without a word, and at most.
const PAGE: usize = 25;
const MOST: usize = 100;

impl Library {
    /// A page of the games that are wanted.
    pub(crate) async fn list(
        &self,
        asked: &LibraryQuery,
        before: Option<&str>,
        limit: Option<usize>,
        asker: Option<AccountId>,
        is_member: bool,
    ) -> Result<LibraryPage, LibraryError> {
        let before = before.map(parse_mark).transpose()?;
        let limit = limit.unwrap_or(PAGE).clamp(1, MOST);
        let is_ready = self.is_ready();
        let (found, total) = self.find(asked, before, limit, asker, is_member).await?;
        let next = found.last().filter(|_| found.len() == limit).map(mark);
        let shown = self.load(&found).await?;
        let games = shown.iter().map(|shown| summary(shown, asker)).collect();
        Ok(LibraryPage { games, total, next, is_ready })
    }

    /// Which games are wanted, and how many there are in all.
    pub(super) async fn find(
        &self,
        asked: &LibraryQuery,
        before: Option<Found>,
        limit: usize,
        asker: Option<AccountId>,
        is_member: bool,
    ) -> Result<(Vec<Found>, u64), LibraryError> {
        let position = match asked.fen.as_deref() {
            Some(fen) => {
                let position = position_of(Some(fen))?;
                self.check_fair(asker, std::slice::from_ref(&position)).await?;
                Some(position.as_chess().cloned().ok_or(LibraryError::BadMove)?)
            }
            None => None,
        };
        let (view, filter, _) = self.question(asked, asker, is_member).await?;
        let page = self
            .ask(move |index| index.list(position.as_ref(), &view, &filter, before, limit))
            .await?;
        Ok((page.games, page.total))
    }

    /// The games behind what the index found.
    pub(super) async fn load(&self, found: &[Found]) -> Result<Vec<Shown>, LibraryError> {
        let numbers: Vec<LibraryNumber> = found
            .iter()
            .filter_map(|found| i64::try_from(found.seq).ok())
            .map(LibraryNumber)
            .collect();
        let stored = self.0.store.load_library_games(&numbers).await?;
        sheets::show_all(&self.0.store, &self.0.site, stored).await
    }
}

/// A place in a list as the outside hands it back.
pub(super) fn mark(found: &Found) -> String {
    format!("{}_{}", found.played, found.seq)
}

fn parse_mark(text: &str) -> Result<Found, LibraryError> {
    let parsed = text.split_once('_').and_then(|(played, seq)| {
        Some(Found { played: played.parse().ok()?, seq: seq.parse().ok()? })
    });
    parsed.ok_or(LibraryError::BadQuestion("ask with the `next` of the page before"))
}

/// A game as a list shows it.
pub(super) fn summary(shown: &Shown, asker: Option<AccountId>) -> LibraryGameSummary {
    let Shown { stored, sheet, untold } = shown;
    let facts = Record::of(sheet).facts;
    let tag = |name: &str| sheet.tags.get(name).map(str::to_owned);
    let named = facts.opening.and_then(opening::by_number);
    LibraryGameSummary {
        number: stored.number.0,
        white: player(&facts, 0),
        black: player(&facts, 1),
        result: sheet.result.to_string(),
        date: tag("UTCDate").or_else(|| tag("Date")),
        event: tag("Event"),
        eco: named.map(|(eco, _)| eco.to_owned()).or_else(|| tag("ECO")),
        opening: named.map(|(_, name)| name.to_owned()).or_else(|| tag("Opening")),
        opening_ply: named.map(|_| facts.opening_ply),
        speed: facts.speed.map(|speed| speed.name().to_owned()),
        source: sheets::source_of(stored).name().to_owned(),
        plies: untold.unwrap_or(facts.plies),
        variant: tag("Variant"),
        has_moves: untold.is_none(),
        game_id: stored.game.map(String::from),
        fen: super::game_view::final_fen(sheet),
        own: asker.is_some() && stored.importer == asker,
        public: stored.game.is_some() && !stored.is_private,
    }
}

fn player(facts: &Facts, side: usize) -> LibraryPlayer {
    let rating = Some(facts.elos[side]).filter(|rating| *rating > 0);
    LibraryPlayer { name: facts.names[side].clone(), rating }
}
