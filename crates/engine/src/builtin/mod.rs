//! An engine for every variant, so that there is an opponent with nothing installed.

mod chess;
mod gmo;
mod limits;
mod order;
mod random;
mod root;
mod score;
mod search;
mod searcher;
mod table;
mod world;

pub use limits::{Control, Limits, Stop};
pub use score::Score;
pub use searcher::{Best, Line, MOST_LINES, Question, Searcher};
