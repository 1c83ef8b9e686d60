//! Stored games of every kind as sheets of PGN, and as records of the index.

use library::{Record, Source, body};
use rules::Game;
use rules::pgn::Game as Sheet;
use store::{LibraryGame, LibraryNumber, Store, StoreError};

use super::{LibraryError, owner_number};
use crate::games::pgn;

/// A game of the library with its sheet.
pub(super) struct Shown {
    pub(super) stored: LibraryGame,
    pub(super) sheet: Sheet,
    /// The length of a game whose moves PGN cannot tell: its sheet has tags and a result alone.
    pub(super) untold: Option<u16>,
}

/// The sheet of a game: unpacked, or told by the log if it was played here.
pub(super) async fn show(
    store: &Store,
    site: &str,
    stored: LibraryGame,
) -> Result<Option<Shown>, LibraryError> {
    let mut untold = None;
    let sheet = match (&stored.body, stored.game) {
        (Some(bytes), _) => {
            let damaged = |_| StoreError::Damaged(format!("library game {}", stored.number.0));
            Some(body::unpack(bytes).map_err(damaged)?)
        }
        (None, Some(id)) => {
            let game = store.load_game(id).await?;
            let rebuilt = Game::rebuild(game.setup.clone(), game.created_at, &game.events)
                .map_err(|error| StoreError::Damaged(format!("game {id}: {error}")))?;
            let told = pgn::sheet_of(&game, &rebuilt, site);
            Some(told.unwrap_or_else(|| {
                untold = Some(u16::try_from(rebuilt.ply().0).unwrap_or(u16::MAX));
                let mut head = pgn::head_of(&game, &rebuilt, site);
                head.tags.set("Variant", "GMO");
                head
            }))
        }
        (None, None) => None,
    };
    Ok(sheet.map(|mut sheet| {
        for (seat, tag) in stored.seats.iter().zip(["White", "Black"]) {
            if let Some(seat) = seat {
                rename(&mut sheet, tag, &seat.name);
            }
        }
        Shown { stored, sheet, untold }
    }))
}

/// The sheets of many games. One that is damaged is left out and told in the log: it must not hide the others.
pub(super) async fn show_all(
    store: &Store,
    site: &str,
    stored: Vec<LibraryGame>,
) -> Result<Vec<Shown>, LibraryError> {
    let mut all = Vec::with_capacity(stored.len());
    for stored in stored {
        let number = stored.number.0;
        match show(store, site, stored).await {
            Ok(shown) => all.extend(shown),
            Err(LibraryError::Store(StoreError::Damaged(what))) => {
                tracing::error!(number, what, "a game of the library cannot be read");
            }
            Err(error) => return Err(error),
        }
    }
    Ok(all)
}

/// Gives a player the name they have now. Sites write it into the tag that tells how the game ended too.
fn rename(sheet: &mut Sheet, tag: &str, name: &str) {
    let before = sheet.tags.get(tag).unwrap_or_default().to_owned();
    let ending = sheet.tags.get("Termination").unwrap_or_default();
    if before.len() > 1 && before != name && ending.contains(&before) {
        let ending = ending.replace(&before, name);
        sheet.tags.set("Termination", ending);
    }
    sheet.tags.set(tag, name);
}

impl Shown {
    /// The game as the index takes it in.
    pub(super) fn record(&self) -> Record {
        let mut record = Record::of(&self.sheet);
        let facts = &mut record.facts;
        facts.plies = self.untold.unwrap_or(facts.plies);
        facts.seq = number(self.stored.number);
        facts.owner = self.stored.importer.map_or(0, owner_number);
        let seat = |side: usize| {
            let seat = self.stored.seats[side].as_ref();
            seat.and_then(|seat| u32::try_from(seat.account).ok()).unwrap_or(0)
        };
        facts.accounts = [seat(0), seat(1)];
        facts.source = source_of(&self.stored);
        // Games of other sites are for those who played them: only what was played here is the club's to show.
        facts.is_private = self.stored.is_private || self.stored.external_id.is_some();
        record
    }
}

pub(super) fn source_of(stored: &LibraryGame) -> Source {
    let service = stored.service.as_deref().unwrap_or("file");
    let known = Source::ALL.into_iter().find(|source| source.name() == service);
    known.unwrap_or(Source::File)
}

/// The number of a game as the index knows it.
pub(super) fn number(number: LibraryNumber) -> u64 {
    u64::try_from(number.0).unwrap_or(0)
}
