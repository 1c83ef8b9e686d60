//! A game's log in its folded form: one event as JSON a line, compressed.

use crate::StoreError;

/// The library's own default.
const LEVEL: i32 = 3;
/// What a single game may unpack to; far above the longest game with the longest GMO genomes.
const MOST: usize = 64 << 20;

pub(crate) fn pack(events: &[String]) -> Result<Vec<u8>, StoreError> {
    zstd::bulk::compress(events.join("\n").as_bytes(), LEVEL)
        .map_err(|e| StoreError::Database(e.to_string()))
}

pub(crate) fn unpack(packed: Option<&[u8]>) -> Result<Vec<String>, StoreError> {
    let Some(packed) = packed else { return Ok(Vec::new()) };
    let damaged =
        |what: &dyn std::fmt::Display| StoreError::Damaged(format!("a folded log: {what}"));
    let room = zstd::zstd_safe::get_frame_content_size(packed)
        .ok()
        .flatten()
        .and_then(|size| usize::try_from(size).ok())
        .filter(|size| *size <= MOST)
        .ok_or_else(|| damaged(&"its size makes no sense"))?;
    let text = zstd::bulk::decompress(packed, room).map_err(|e| damaged(&e))?;
    let text = String::from_utf8(text).map_err(|e| damaged(&e))?;
    Ok(text.lines().map(str::to_owned).collect())
}

/// A log has no gap and no double: the first version after `before` and each one more than the last.
pub(crate) fn check_continues(
    before: i64,
    versions: impl Iterator<Item = u32>,
) -> Result<(), StoreError> {
    for (expected, found) in (before + 1..).zip(versions) {
        if expected != i64::from(found) {
            return Err(StoreError::Damaged(format!(
                "there is event {found} where {expected} belongs"
            )));
        }
    }
    Ok(())
}

pub(crate) fn version(number: i64) -> Result<u32, StoreError> {
    u32::try_from(number)
        .map_err(|_| StoreError::Damaged(format!("{number} is no version of a game")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_packed_log_comes_back_as_it_was() {
        let events: Vec<String> =
            (0..200).map(|n| format!(r#"{{"t":"played","n":{n}}}"#)).collect();
        let packed = pack(&events).unwrap();
        assert_eq!(unpack(Some(&packed)).unwrap(), events);
        assert!(packed.len() < 2_000, "{} bytes", packed.len());
    }

    #[test]
    fn damage_is_reported_and_not_replayed() {
        let packed = pack(&["a".to_owned(), "b".to_owned()]).unwrap();
        assert!(unpack(Some(&packed[..packed.len() - 1])).is_err());
        assert!(unpack(Some(b"nonsense")).is_err());
    }

    #[test]
    fn a_gap_or_a_double_in_a_log_is_damage() {
        assert!(check_continues(3, [4, 5, 6].into_iter()).is_ok());
        assert!(check_continues(3, [5].into_iter()).is_err());
        assert!(check_continues(3, [4, 4].into_iter()).is_err());
    }
}
