//! How many files this process may have open: every connection is one.

use anyhow::bail;
use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

/// Files that a server has open besides its connections: the database, the library, engines, a backup. What cannot be
/// opened for want of them fails in the middle of something.
const BESIDES: u64 = 256;

/// Raises the limit to what the system lets this process have. Gives it; none if there is none.
pub(crate) fn raise_limit() -> Option<u64> {
    let limit = getrlimit(Resource::Nofile);
    match setrlimit(Resource::Nofile, Rlimit { current: limit.maximum, ..limit }) {
        Ok(()) => limit.maximum,
        Err(_) => limit.current,
    }
}

/// Makes sure that so many files may be open, here and in the processes that are started from here.
pub(crate) fn need(files: u64) -> anyhow::Result<()> {
    match raise_limit() {
        Some(allowed) if allowed < files => bail!(
            "{files} open files are needed and the system allows {allowed}: ask for less, or raise `ulimit -Hn`"
        ),
        _ => Ok(()),
    }
}

/// How many connections there may be: as many as are wanted, if the files last.
pub(crate) fn connections(wanted: usize, files: Option<u64>) -> usize {
    let room = files.map_or(u64::MAX, |files| files - BESIDES.min(files / 2));
    wanted.min(usize::try_from(room).unwrap_or(usize::MAX))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn connections_leave_files_for_everything_else() {
        assert_eq!(connections(20_000, None), 20_000);
        assert_eq!(connections(20_000, Some(32_768)), 20_000);
        assert_eq!(connections(20_000, Some(4_096)), 3_840);
        assert_eq!(connections(20_000, Some(100)), 50);
    }
}
