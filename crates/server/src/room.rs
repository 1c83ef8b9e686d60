//! How much room the disk has: one that is full refuses every move, and whoever looks after it wants to know before.

use std::path::{Path, PathBuf};

/// Less than this is too little: the database's write-ahead log alone may take as much in a busy evening.
pub const LEAST: u64 = 100 << 20;

/// The bytes that are free where a folder lies.
pub fn free(folder: &Path) -> std::io::Result<u64> {
    let disk = rustix::fs::statvfs(folder)?;
    Ok(disk.f_bavail.saturating_mul(disk.f_frsize))
}

/// The disk with the data.
#[derive(Debug, Clone)]
pub(crate) struct Disk {
    /// None for a server whose data is nowhere.
    folder: Option<PathBuf>,
    least: u64,
}

impl Disk {
    pub(crate) fn of(folder: Option<PathBuf>) -> Disk {
        Disk { folder, least: LEAST }
    }

    /// What is wrong with its room. A disk that does not say how much it has is not blamed for it.
    pub(crate) fn trouble(&self) -> Option<String> {
        let free = free(self.folder.as_deref()?).ok()?;
        (free < self.least).then(|| format!("the disk has only {} MB left", free >> 20))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_disk_with_too_little_room_is_trouble() {
        let folder = tempfile::tempdir().unwrap();
        let disk = Disk { folder: Some(folder.path().to_owned()), least: 1 };
        assert_eq!(disk.trouble(), None);
        let full = Disk { least: u64::MAX, ..disk };
        assert!(full.trouble().is_some_and(|words| words.contains("MB left")));
        assert_eq!(Disk::of(None).trouble(), None);
    }
}
