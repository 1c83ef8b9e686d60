//! How much of a file one game may take, so that no file can take all memory.

/// The most that is kept of each part. What is beyond is reported and left out; the rest of the file is unharmed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Bytes of one word of the move text.
    pub word: usize,
    /// Bytes of one tag value.
    pub tag_value: usize,
    /// Tags of one game.
    pub tags: usize,
    /// Bytes of one comment.
    pub comment: usize,
    /// Bytes of all comments of one game, and 48 for each of them.
    pub comments: usize,
    /// Moves of one game, all variations together; each variation counts as one more.
    pub moves: usize,
    /// Variations within variations.
    pub depth: usize,
    /// Problems reported for one game.
    pub problems: usize,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            word: 255,
            tag_value: 16 << 10,
            tags: 200,
            comment: 1 << 20,
            comments: 8 << 20,
            moves: 40_000,
            depth: 64,
            problems: 50,
        }
    }
}
