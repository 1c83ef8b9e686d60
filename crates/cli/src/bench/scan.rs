//! What was played in positions, counted by going through every game: what the index must say too.

use std::collections::{HashMap, HashSet};
use std::fs::File;
use std::ops::ControlFlow;
use std::path::Path;

use library::body::digest;
use library::intake::{Progress, read_file};
use library::moves::Packed;
use library::position::hash_of;
use library::{Explored, Filter, Index, Record, Tally, View};
use rules::pgn::Item;
use rules::shakmaty::Chess;

/// The games of a position by the move they went on with; none for those that ended there.
type ByMove = HashMap<Option<Packed>, Tally>;

/// How many of the positions have other counts than a look through the file finds.
pub(super) fn different(
    index: &Index,
    view: &View,
    positions: &[Chess],
    path: &Path,
) -> anyhow::Result<usize> {
    let mut found: HashMap<u64, ByMove> =
        positions.iter().map(|position| (hash_of(position), ByMove::new())).collect();
    let mut known = HashSet::new();
    read_file(File::open(path)?, u64::MAX, &Progress::default(), &mut |item| {
        // What an import takes: good games, each once.
        if let Item::Game(read) = item
            && read.error().is_none()
            && !(read.game.line.nodes.is_empty() && read.game.tags.is_empty())
            && known.insert(digest(&read.game))
        {
            count(&Record::of(&read.game), &mut found);
        }
        ControlFlow::Continue(())
    })?;
    let mut different = 0;
    for position in positions {
        let explored = index.explore(position, view, &Filter::default())?;
        different += usize::from(found.get(&hash_of(position)) != Some(&by_move(&explored)));
    }
    Ok(different)
}

/// A game counts once for a position, with the move it played at its first visit.
fn count(record: &Record, found: &mut HashMap<u64, ByMove>) {
    let mut tally = Tally::default();
    tally.add(record.facts.result, record.facts.elos, record.facts.played);
    let mut visited: Vec<u64> = Vec::new();
    for (at, hash) in record.hashes.iter().enumerate() {
        if let Some(moves) = found.get_mut(hash)
            && !visited.contains(hash)
        {
            visited.push(*hash);
            moves.entry(record.moves.get(at).copied()).or_default().join(&tally);
        }
    }
}

fn by_move(explored: &Explored) -> ByMove {
    let moves = explored.moves.iter().map(|found| (Some(found.played), found.tally));
    let ended = (explored.ended.games > 0).then_some((None, explored.ended));
    moves.chain(ended).collect()
}
