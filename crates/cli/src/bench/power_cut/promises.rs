//! What a server had acknowledged before its power was cut, and whether it is there when the disk is read again.

use std::collections::BTreeMap;
use std::path::Path;

use rules::{ByColor, Color, Event, Outcome};
use server::games::wire::{GameChange, RatingChangeView, Sides};
use server::live::wire::ServerMsg;
use store::{GameId, Place, Store, StoreError};

use super::trace::Op;

/// What somebody was told of a game.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Told {
    /// The moves by the ply after them.
    moves: BTreeMap<u32, String>,
    lines: BTreeMap<i64, String>,
    /// Offers of a draw by their version in the game's log.
    offers: BTreeMap<u32, Color>,
    ended: Option<Outcome>,
    /// What the game did to both ratings, before and after.
    ratings: Option<ByColor<(i64, i64)>>,
}

impl Told {
    /// How many things that are.
    pub(super) fn count(&self) -> usize {
        let singles = usize::from(self.is_ended()) + usize::from(self.ratings.is_some());
        self.moves.len() + self.lines.len() + self.offers.len() + singles
    }

    /// Whether somebody was told a result.
    pub(super) fn is_ended(&self) -> bool {
        self.ended.is_some()
    }
}

/// What somebody was told of each game.
pub(super) type Promises = BTreeMap<GameId, Told>;

/// Everything that was sent by these ops.
pub(super) fn of(ops: &[Op]) -> Promises {
    let mut promises = Promises::new();
    for op in ops {
        if let Op::Sent(bytes) = op {
            for message in messages(bytes) {
                note(&mut promises, message);
            }
        }
    }
    promises
}

/// The messages in what was sent; a frame's head before each of them is skipped.
fn messages(bytes: &[u8]) -> impl Iterator<Item = ServerMsg> {
    const BEGINNING: &[u8] = br#"{"t":""#;
    let starts = (0..bytes.len()).filter(|start| bytes[*start..].starts_with(BEGINNING));
    starts.filter_map(|start| {
        serde_json::Deserializer::from_slice(&bytes[start..]).into_iter().next()?.ok()
    })
}

fn note(promises: &mut Promises, message: ServerMsg) {
    match message {
        ServerMsg::Played { game, ply, uci, .. } => {
            promises.entry(game).or_default().moves.insert(ply, uci);
        }
        ServerMsg::Chat { game, line } => {
            promises.entry(game).or_default().lines.insert(line.number, line.text);
        }
        ServerMsg::Changed { game, version, change: GameChange::DrawOffered { by }, .. } => {
            promises.entry(game).or_default().offers.insert(version, by);
        }
        ServerMsg::Changed { game, change: GameChange::Ended { outcome, .. }, .. } => {
            promises.entry(game).or_default().ended = Some(outcome);
        }
        ServerMsg::Rated { game, ratings: Sides { white, black } } => {
            let step = |view: RatingChangeView| (view.before, view.after);
            let ratings = ByColor { white: step(white), black: step(black) };
            promises.entry(game).or_default().ratings = Some(ratings);
        }
        _ => {}
    }
}

/// Opens the database of an image and compares. Gives what is wrong, in words.
pub(super) async fn broken(folder: &Path, promises: &Promises) -> Result<Vec<String>, StoreError> {
    let file = folder.join("rookery.db");
    let store = Store::open(Place::Sqlite(file.clone()), &folder.join("backups")).await?;
    let mut faults = Vec::new();
    for (game, told) in promises {
        compare(&store, *game, told, &mut faults).await?;
    }
    let mut health = store.health();
    drop(store);
    while health.changed().await.is_ok() {}
    faults.extend(store::verify(&file).await?.problems);
    Ok(faults)
}

async fn compare(
    store: &Store,
    id: GameId,
    told: &Told,
    faults: &mut Vec<String>,
) -> Result<(), StoreError> {
    let game = match store.load_game(id).await {
        Ok(game) => game,
        Err(StoreError::NotFound) => {
            faults.push(format!("game {id} is gone"));
            return Ok(());
        }
        Err(error) => return Err(error),
    };
    let actions = game.events.iter().filter_map(|event| match event {
        Event::Played { action, .. } => Some(action.to_string()),
        _ => None,
    });
    let actions: Vec<String> = actions.collect();
    for (ply, uci) in &told.moves {
        if actions.get(*ply as usize - 1) != Some(uci) {
            faults.push(format!("game {id}: {uci} of ply {ply} is lost"));
        }
    }
    let most = told.moves.keys().last().map_or(1, |ply| *ply as usize + 1);
    if actions.len() > most {
        faults.push(format!("game {id}: {} moves that nobody was told", actions.len() - most + 1));
    }
    for (version, by) in &told.offers {
        let event = game.events.get(*version as usize - 1);
        if !matches!(event, Some(Event::DrawOffered { by: author, .. }) if author == by) {
            faults.push(format!("game {id}: the offer of {by} under version {version} is lost"));
        }
    }
    let ended = game.events.iter().find_map(|event| match event {
        Event::Ended { outcome, .. } => Some(*outcome),
        _ => None,
    });
    if told.ended.is_some() && ended != told.ended {
        faults.push(format!("game {id}: {:?} was told, {ended:?} is kept", told.ended));
    }
    let ratings = store.rating_changes(id).await?.map(|changes| {
        changes.map(|change| (i64::from(change.before.shown()), i64::from(change.after.shown())))
    });
    // Whoever was told or not: a result and what it does to ratings are one.
    if ratings.is_some() != (ended.is_some() && game.rated) {
        faults.push(format!("game {id}: ended {ended:?}, and its ratings are {ratings:?}"));
    }
    if told.ratings.is_some() && ratings != told.ratings {
        faults.push(format!("game {id}: {:?} was told, {ratings:?} is kept", told.ratings));
    }
    let lines = store.load_chat(id, usize::MAX).await?;
    for (number, text) in &told.lines {
        if !lines.iter().any(|line| line.number == *number && line.text == *text) {
            faults.push(format!("game {id}: line {number} {text:?} is lost"));
        }
    }
    Ok(())
}
