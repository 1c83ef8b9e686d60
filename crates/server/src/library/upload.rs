//! A file arrives in pieces, so that a line that breaks costs one piece and not the file.

use std::fs::File;
use std::io::ErrorKind;
use std::os::unix::fs::FileExt as _;
use std::path::Path;

use bytes::Bytes;
use rules::UnixMillis;
use store::{AccountId, Import, ImportState, StoreError};

use super::task::Order;
use super::{Library, LibraryError};
use crate::config::LibraryConfig;

/// Imports one person may have open at once.
const MOST_OPEN: usize = 5;
const DAY: i64 = 24 * 3_600_000;

/// The name of a file as it is kept and shown.
pub(super) fn shown_name(file_name: &str) -> String {
    let name: String = file_name.chars().filter(|letter| !letter.is_control()).take(200).collect();
    if name.trim().is_empty() { "games.pgn".to_owned() } else { name }
}

/// Writes a piece where it belongs, and says how far the file is now.
///
/// At its place and not at the end: a page that hears nothing for a while sends a piece again, and both may come in at
/// once. Then the same bytes are written to the same place twice.
fn write_piece(path: &Path, offset: u64, length: u64, piece: &[u8]) -> Result<u64, LibraryError> {
    let file = File::options().write(true).open(path)?;
    let there = file.metadata()?.len();
    if offset != there {
        return Err(LibraryError::WrongOffset(there));
    }
    let end = there + piece.len() as u64;
    if end > length {
        return Err(LibraryError::TooBig(length));
    }
    file.write_all_at(piece, offset)?;
    if end == length {
        // The import's row will say that the file is whole: it must be so after a power cut too.
        file.sync_all()?;
    }
    Ok(end)
}

impl Library {
    /// Begins an import of a file of this name and length.
    pub(crate) async fn begin_import(
        &self,
        account: AccountId,
        file_name: &str,
        bytes: u64,
    ) -> Result<Import, LibraryError> {
        let most = self.0.config.upload_bytes;
        let length = i64::try_from(bytes).ok().filter(|_| bytes <= most);
        let length = length.ok_or(LibraryError::TooBig(most))?;
        self.give_up_old_uploads().await?;
        let open = self.0.store.open_imports().await?;
        if open.iter().filter(|import| import.account == account).count() >= MOST_OPEN {
            return Err(LibraryError::TooManyImports);
        }
        self.check_quota(account).await?;
        let name = shown_name(file_name);
        let id = self.0.store.begin_import(account, name, length, self.now()).await?;
        tokio::fs::write(self.spooled(id), b"").await?;
        if bytes == 0 {
            self.set_off(id, length).await?;
        }
        self.import_of(account, id).await
    }

    /// Refuses a file of somebody who has brought enough for today, or enough for good.
    async fn check_quota(&self, account: AccountId) -> Result<(), LibraryError> {
        let LibraryConfig { imports_per_day, games_per_person, .. } = self.0.config;
        let yesterday = UnixMillis(self.now().0 - DAY);
        let today = self.0.store.count_imports_since(account, yesterday).await?;
        if today >= i64::from(imports_per_day) {
            return Err(LibraryError::TooManyToday(imports_per_day));
        }
        let games = self.0.store.count_imported_games(account).await?;
        if u64::try_from(games).is_ok_and(|games| games >= games_per_person) {
            return Err(LibraryError::Full(games_per_person));
        }
        Ok(())
    }

    /// Takes the next piece of the file. The last one sets the import off.
    pub(crate) async fn take_piece(
        &self,
        account: AccountId,
        id: i64,
        offset: u64,
        piece: Bytes,
    ) -> Result<Import, LibraryError> {
        let import = self.import_of(account, id).await?;
        if import.state != ImportState::Uploading {
            return Err(LibraryError::NotUploading);
        }
        let (path, length) = (self.spooled(id), u64::try_from(import.bytes).unwrap_or(0));
        let write = move || write_piece(&path, offset, length, &piece);
        let written = tokio::task::spawn_blocking(write).await;
        let end = written.map_err(|error| LibraryError::Fault(error.to_string()))??;
        if end == length {
            self.set_off(id, import.bytes).await?;
        }
        self.import_of(account, id).await
    }

    async fn set_off(&self, id: i64, bytes: i64) -> Result<(), LibraryError> {
        match self.0.store.start_import(id).await {
            // The last piece has come twice at once.
            Err(StoreError::Conflict) => return Ok(()),
            done => done?,
        }
        // The task lives as long as the library.
        let _ = self.0.orders.send(Order::Import(id, bytes));
        Ok(())
    }

    /// Whether the file of an import is there and others are read first.
    pub(crate) fn waits(&self, import: &Import) -> bool {
        import.state == ImportState::Running && !self.going().contains(&import.id)
    }

    /// How much of the file has arrived.
    pub(crate) async fn arrived(&self, import: &Import) -> Result<u64, LibraryError> {
        if import.state != ImportState::Uploading {
            return Ok(u64::try_from(import.bytes).unwrap_or(0));
        }
        match tokio::fs::metadata(self.spooled(import.id)).await {
            Ok(data) => Ok(data.len()),
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(0),
            Err(error) => Err(error.into()),
        }
    }

    /// Somebody's import.
    pub(crate) async fn import_of(
        &self,
        account: AccountId,
        id: i64,
    ) -> Result<Import, LibraryError> {
        match self.0.store.load_import(id).await {
            Ok(import) if import.account == account => Ok(import),
            Ok(_) | Err(StoreError::NotFound) => Err(LibraryError::UnknownImport),
            Err(error) => Err(error.into()),
        }
    }

    /// Stops an import; what came in before stays, unless it is to be taken out again.
    pub(crate) async fn cancel_import(
        &self,
        account: AccountId,
        id: i64,
        undo: bool,
    ) -> Result<Import, LibraryError> {
        let import = self.import_of(account, id).await?;
        if undo {
            let library = self.clone();
            // Goes on when whoever asked does not wait for it.
            let undone = tokio::spawn(async move { library.undo_import(account, id).await }).await;
            undone.map_err(|error| LibraryError::Fault(error.to_string()))??;
        } else {
            let state = ImportState::Cancelled;
            self.0.store.end_import(id, state, String::new(), self.now()).await?;
        }
        if import.state == ImportState::Uploading {
            let _ = tokio::fs::remove_file(self.spooled(id)).await;
        }
        self.import_of(account, id).await
    }

    /// Takes everything out that an import brought, some at a time.
    async fn undo_import(&self, account: AccountId, id: i64) -> Result<(), LibraryError> {
        loop {
            let _filing = self.filing().await;
            let gone = self.watch(self.0.store.undo_import(id, account, self.now()).await)?;
            if gone.is_empty() {
                return Ok(());
            }
            self.forget(gone).await?;
        }
    }
}
