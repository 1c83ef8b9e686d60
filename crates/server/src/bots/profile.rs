//! Who the bots are: a name and a nominal strength for each level.

use engine::builtin::Level;
use store::NewBot;

/// How strong each level is said to be until its games tell. A guess in round numbers, for pairing and for the page.
const RATINGS: [i64; 8] = [500, 800, 1_100, 1_400, 1_600, 1_900, 2_200, 2_600];

/// How strong a level is said to be.
pub fn nominal_rating(level: Level) -> i64 {
    RATINGS[usize::from(level.number() - 1)]
}

/// All bots, weakest first.
pub(super) fn all() -> Vec<NewBot> {
    let bot = |level: Level| NewBot {
        level: level.number(),
        name: format!("Rook-{}", level.number()),
        rating: nominal_rating(level),
    };
    Level::all().map(bot).collect()
}

/// The same bot under another name, for a club in which somebody has taken the first one.
pub(super) fn renamed(bot: &NewBot) -> NewBot {
    NewBot { name: format!("Rook-bot-{}", bot.level), ..bot.clone() }
}
