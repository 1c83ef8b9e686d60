//! An engine for every variant, so that there is an opponent with nothing installed.

mod bot;
mod chess;
mod gmo;
mod level;
mod limits;
mod lines;
mod order;
mod pace;
mod placing;
mod promotion;
mod question;
mod random;
mod root;
mod score;
mod search;
mod searcher;
mod settle;
mod table;
mod world;

pub use level::{Handicap, Level, UciStrength};
pub use limits::{Control, Limits, Stop};
pub use pace::{Moment, think_time};
pub use question::{Best, Line, MOST_LINES, Question};
pub use score::Score;
pub use searcher::Searcher;
