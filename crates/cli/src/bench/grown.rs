//! More games than a file has: what a library of a million is measured with.

use std::fs::File;
use std::io::{BufWriter, Write as _};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, bail};
use library::intake::{Progress, read_file};
use rules::pgn::{Board, Game, Item, Node, Step};
use rules::shakmaty::Position as _;

/// The plies that a grown game shares with the one it comes from, drawn between these: as far as openings go.
const SHARED: std::ops::RangeInclusive<usize> = 8..=30;

/// Writes so many games into the folder: those of the file first, then each of them again and again, left somewhere in
/// its opening and gone on with by chance to its length.
pub(super) fn grow(path: &Path, games: u32, folder: &Path) -> anyhow::Result<PathBuf> {
    let mut known = Vec::new();
    let file = File::open(path).with_context(|| format!("{} cannot be opened", path.display()))?;
    read_file(file, u64::MAX, &Progress::default(), &mut |item| {
        if let Item::Game(read) = item
            && read.error().is_none()
        {
            known.push(read.game);
        }
        if known.len() < games as usize {
            ControlFlow::Continue(())
        } else {
            ControlFlow::Break(())
        }
    })?;
    if known.is_empty() {
        bail!("{} has no game to begin with", path.display());
    }
    let grown = folder.join("grown.pgn");
    let mut out = BufWriter::new(File::create(&grown)?);
    let mut chance = Chance(0x9e37_79b9_7f4a_7c15);
    for (number, game) in (0..games as usize).zip(known.iter().cycle()) {
        let text = if number < known.len() {
            game.to_pgn()?
        } else {
            left(game, number, &mut chance).to_pgn()?
        };
        out.write_all(text.as_bytes())?;
        out.write_all(b"\n")?;
    }
    out.into_inner()?;
    Ok(grown)
}

/// Another game with the same beginning.
fn left(game: &Game, number: usize, chance: &mut Chance) -> Game {
    let mut other = Game { tags: game.tags.clone(), result: game.result, ..Game::default() };
    other.tags.set("Round", format!("{number}"));
    let Ok(Board::Chess(mut position)) = game.start() else { return other };
    let shared = SHARED.start() + chance.below(SHARED.end() - SHARED.start() + 1);
    for (ply, step) in game.steps().enumerate() {
        let known = match step {
            Step::Move(played) if ply < shared => Some(played),
            _ => None,
        };
        let legal = position.legal_moves();
        let Some(played) = known.or_else(|| legal.get(chance.below(legal.len())).copied()) else {
            break;
        };
        other.line.nodes.push(Node::from(Step::Move(played)));
        position.play_unchecked(played);
    }
    other
}

/// Numbers that look drawn and are the same in every run.
struct Chance(u64);

impl Chance {
    fn below(&mut self, most: usize) -> usize {
        let next = self.0.wrapping_mul(6_364_136_223_846_793_005);
        self.0 = next.wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).unwrap_or(0) % most.max(1)
    }
}
