//! The library while no server runs, for the commands of an owner: the same games by the same rules, without tasks.
//!
//! Not here: the index beside the database. What comes in meanwhile has greater numbers than everything it holds, so
//! the next start takes it in.

use std::io;
use std::path::Path;
use std::sync::Arc;

use library::Index;
use rules::UnixMillis;
use store::{AccountId, Import, ImportState, LibraryGame, LibraryNumber, Store};
use tokio::sync::Mutex;

use super::export::{Format, Writer};
use super::importing::{Bounds, import_file};
use super::upload::shown_name;
use super::{LibraryError, sheets};
use crate::config::LibraryConfig;

/// Games that are read at once.
const PAGE: i64 = 512;

/// Brings a file into somebody's library. The import that is given back says how it ended.
pub async fn import_offline(
    store: &Store,
    config: &LibraryConfig,
    account: AccountId,
    file: &Path,
    now: impl Fn() -> UnixMillis,
) -> Result<Import, LibraryError> {
    let length = std::fs::metadata(file)?.len();
    let name = file.file_name().unwrap_or_default().to_string_lossy();
    let there = store.count_imported_games(account).await?;
    let there = u64::try_from(there).unwrap_or(0);
    let bounds = Bounds {
        bytes: config.unpacked_bytes,
        games: config.games_per_person.saturating_sub(there),
        games_in_all: config.games_per_person,
    };
    let length = i64::try_from(length).unwrap_or(i64::MAX);
    let id = store.begin_import(account, shown_name(&name), length, now()).await?;
    store.start_import(id).await?;
    let import = store.load_import(id).await?;
    // Whoever reads a file puts its games into an index. This one is nobody's, and goes again.
    let folder = match &config.folder {
        Some(folder) => {
            std::fs::create_dir_all(folder)?;
            tempfile::tempdir_in(folder)?
        }
        None => tempfile::tempdir()?,
    };
    let index = Arc::new(Index::open(folder.path())?);
    let filing = Mutex::new(());
    let read = import_file(store, &index, &import, file, bounds, &filing, || Ok(())).await;
    let (state, problem) = match read {
        Ok(_) => (ImportState::Done, String::new()),
        Err(error) => (ImportState::Failed, error.to_string()),
    };
    store.end_import(id, state, problem, now()).await?;
    Ok(store.load_import(id).await?)
}

/// Hands over somebody's games as text, oldest number first: of linked accounts and out of own files. Says how many.
pub async fn export_offline(
    store: &Store,
    site: &str,
    account: AccountId,
    format: Format,
    mut take: impl FnMut(&str) -> io::Result<()>,
) -> Result<u64, LibraryError> {
    let accounts = store.service_accounts_of(account).await?;
    let is_own = |game: &LibraryGame| {
        let mut seats = game.seats.iter().flatten();
        game.importer == Some(account)
            || game.importer.is_none() && seats.any(|seat| accounts.contains(&seat.account))
    };
    let writer = Writer::whole(format, account);
    let mut after = LibraryNumber(0);
    let mut count = 0;
    loop {
        let mut page = store.library_games_after(after, PAGE).await?;
        let Some(last) = page.last() else { return Ok(count) };
        after = last.number;
        page.retain(is_own);
        for shown in sheets::show_all(store, site, page).await? {
            if let Some(text) = writer.write(shown) {
                take(&text)?;
                count += 1;
            }
        }
    }
}
