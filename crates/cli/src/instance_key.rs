//! The instance's key: 32 secret bytes in a file of their own beside the data, made at the first start.

use std::io::Write as _;
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::Path;

use anyhow::Context as _;
use server::accounts::InstanceKey;
use server::world::Chance;

/// The file in the data directory.
const FILE: &str = "instance.key";

/// Reads the key from the settings or its file; makes the file if there is none yet.
pub(crate) fn load(given: &str, data: &Path) -> anyhow::Result<InstanceKey> {
    match find(given, data)? {
        Some(key) => Ok(key),
        None => make(&data.join(FILE)),
    }
}

/// Reads the key from the settings or its file, if there is one.
pub(crate) fn find(given: &str, data: &Path) -> anyhow::Result<Option<InstanceKey>> {
    if !given.is_empty() {
        return InstanceKey::from_base64(given).map(Some).context("ROOKERY_INSTANCE_KEY");
    }
    let file = data.join(FILE);
    match std::fs::read_to_string(&file) {
        Ok(text) => InstanceKey::from_base64(&text)
            .map(Some)
            .with_context(|| format!("{} is damaged; take it from a backup", file.display())),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error).with_context(|| format!("{} cannot be read", file.display())),
    }
}

/// Written beside its name, synced and renamed: a crash leaves a whole key or none.
fn make(file: &Path) -> anyhow::Result<InstanceKey> {
    let key = InstanceKey::draw(&Chance::from_system());
    let half = file.with_extension("part");
    let write = || -> std::io::Result<()> {
        let mut options = std::fs::OpenOptions::new();
        let mut out = options.write(true).create(true).truncate(true).mode(0o600).open(&half)?;
        writeln!(out, "{}", key.to_base64())?;
        out.sync_all()?;
        std::fs::rename(&half, file)
    };
    write().with_context(|| format!("{} cannot be written", file.display()))?;
    Ok(key)
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt as _;

    use super::*;

    #[test]
    fn the_key_is_made_once_and_nobody_else_may_read_it() {
        let folder = tempfile::tempdir().unwrap();
        let first = load("", folder.path()).unwrap();
        assert_eq!(load("", folder.path()).unwrap(), first);
        let mode = std::fs::metadata(folder.path().join(FILE)).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o600);
        let other = InstanceKey::draw(&Chance::from_seed(1));
        assert_eq!(load(&other.to_base64(), folder.path()).unwrap(), other, "settings win");
    }

    #[test]
    fn a_damaged_key_stops_the_start() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join(FILE), "rubbish").unwrap();
        assert!(load("", folder.path()).is_err());
        assert!(load("rubbish", folder.path()).is_err());
    }
}
