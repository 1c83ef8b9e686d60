//! Games out of files that have come over from the site too where they were played.
//!
//! The other way round nothing is to be done here: an import passes over what is there already.

use library::body;
use rules::pgn::{Line, Notes};
use store::{AccountId, LibraryGame, LibraryNumber};

use super::{Library, LibraryError};

/// Games that go in one commit: each of them changes a page of the database.
const AT_ONCE: usize = 64;

impl Library {
    /// Takes games of somebody's files out that are there a second time, with the account that played them. Those into
    /// which somebody has written something stay: the site does not have that.
    pub(crate) async fn drop_doubled(&self, of: AccountId) -> Result<(), LibraryError> {
        let doubled = self.0.store.doubled_games(of).await?;
        for numbers in doubled.chunks(AT_ONCE) {
            let stored = self.0.store.load_library_games(numbers).await?;
            let plain = stored.iter().filter(|game| is_plain(game)).map(|game| game.number);
            let plain: Vec<LibraryNumber> = plain.collect();
            if !plain.is_empty() {
                self.remove_games(of, plain).await?;
            }
        }
        Ok(())
    }
}

/// Whether a game has nothing but its tags, moves, clocks and evaluations.
fn is_plain(stored: &LibraryGame) -> bool {
    let sheet = stored.body.as_deref().and_then(|bytes| body::unpack(bytes).ok());
    sheet.is_some_and(|sheet| !is_annotated(&sheet.line))
}

fn is_annotated(line: &Line) -> bool {
    let says = |notes: &Notes| {
        let Notes { nags, comments, squares, arrows, .. } = notes;
        !nags.is_empty() || !comments.is_empty() || !squares.is_empty() || !arrows.is_empty()
    };
    says(&line.notes)
        || line.nodes.iter().any(|node| says(node.notes()) || !node.variations().is_empty())
}
