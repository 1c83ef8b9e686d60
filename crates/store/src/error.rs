//! What can go wrong when something is to be remembered or recalled.

/// Why the store did not do what was asked. Nothing of it was kept, except where [`StoreError::Unknown`] says otherwise.
#[derive(Debug, Clone, thiserror::Error)]
pub enum StoreError {
    /// Two wanted the same thing; the other was first.
    #[error("somebody else was faster")]
    Conflict,
    /// There is no such thing.
    #[error("not found")]
    NotFound,
    /// The disk is full or the database cannot be reached. Nothing was written; trying again later helps.
    #[error("storage cannot be written at the moment: {0}")]
    Away(String),
    /// The connection broke while a commit was on its way: it may have been kept or not. Read again before going on.
    #[error("it is not known whether the last write was kept: {0}")]
    Unknown(String),
    /// A sync failed. What the disk holds is uncertain, so nothing is accepted any more until a restart.
    #[error("the disk failed to keep a write, so nothing more is accepted: {0}")]
    Stopped(String),
    /// The data was written by a newer version of this program.
    #[error(
        "the data has schema {found}, this program knows schemas up to {known}: use the newer program"
    )]
    NewerSchema {
        /// The schema of the data.
        found: i64,
        /// The newest schema this program knows.
        known: i64,
    },
    /// What is stored does not make sense. `rookery doctor` tells more.
    #[error("stored data is damaged: {0}")]
    Damaged(String),
    /// Any other fault of the database.
    #[error("database: {0}")]
    Database(String),
}

impl StoreError {
    /// Whether the database itself is in trouble, rather than the one write.
    pub(crate) fn is_trouble(&self) -> bool {
        matches!(self, StoreError::Away(_) | StoreError::Unknown(_) | StoreError::Stopped(_))
    }
}

impl From<sqlx::Error> for StoreError {
    fn from(error: sqlx::Error) -> Self {
        match &error {
            sqlx::Error::RowNotFound => StoreError::NotFound,
            sqlx::Error::Io(_)
            | sqlx::Error::PoolTimedOut
            | sqlx::Error::PoolClosed
            | sqlx::Error::WorkerCrashed => StoreError::Away(error.to_string()),
            sqlx::Error::Database(inner) if inner.is_unique_violation() => StoreError::Conflict,
            sqlx::Error::Database(inner) => from_code(inner.code().as_deref(), inner.message()),
            _ => StoreError::Database(error.to_string()),
        }
    }
}

/// Sorts a database's own error code: SQLite's are numbers, PostgreSQL's five characters.
pub(crate) fn from_code(code: Option<&str>, message: &str) -> StoreError {
    match code {
        // SQLITE_FULL; SQLITE_BUSY and SQLITE_LOCKED (somebody else writes: an open shell, a backup tool);
        // SQLITE_READONLY; SQLITE_CANTOPEN; SQLITE_IOERR_SHMSIZE (no room for the index of the log, which a new start
        // makes anew: nothing that was kept is in doubt).
        Some("13" | "5" | "517" | "6" | "8" | "14" | "4874") => {
            StoreError::Away(message.to_owned())
        }
        // PostgreSQL classes 08 (connection), 53 (resources, disk full), 57 (shutdown, cancel) and 25006 (read only).
        Some(code)
            if code.len() == 5 && (["08", "53", "57"].contains(&&code[..2]) || code == "25006") =>
        {
            StoreError::Away(message.to_owned())
        }
        // SQLITE_IOERR and its extended codes (10 | n << 8): a failed sync (1034) is among them, and after any of them
        // the state of the file is in doubt.
        Some(code) if code.len() < 5 && code.parse::<u32>().is_ok_and(|code| code & 0xff == 10) => {
            StoreError::Stopped(message.to_owned())
        }
        _ => StoreError::Database(message.to_owned()),
    }
}

impl From<serde_json::Error> for StoreError {
    fn from(error: serde_json::Error) -> Self {
        StoreError::Damaged(error.to_string())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(code: &str, expected: fn(&StoreError) -> bool) {
        let error = from_code(Some(code), "x");
        assert!(expected(&error), "{code} became {error:?}");
    }

    #[test]
    fn a_full_disk_is_a_matter_of_waiting() {
        check("13", |e| matches!(e, StoreError::Away(_)));
        check("4874", |e| matches!(e, StoreError::Away(_)));
        check("53100", |e| matches!(e, StoreError::Away(_)));
    }

    #[test]
    fn a_failed_sync_stops_everything() {
        check("1034", |e| matches!(e, StoreError::Stopped(_)));
        check("10", |e| matches!(e, StoreError::Stopped(_)));
    }

    #[test]
    fn a_broken_rule_of_the_schema_is_a_fault_of_ours() {
        check("275", |e| matches!(e, StoreError::Database(_)));
        check("23514", |e| matches!(e, StoreError::Database(_)));
    }
}
