//! Counts by position equal those of a scan of every game.

use std::collections::{HashMap, HashSet};

use library::moves::Packed;
use library::position::{Walk, hash_of};
use library::{Explored, Filter, Index, Record, Tally, View};
use rules::pgn::{Board, Game, Step};
use rules::shakmaty::{CastlingMode, Chess, Move, fen::Fen, uci::UciMove};

use crate::corpus;

/// What was played in every position, by looking through every game.
struct Scan {
    found: HashMap<u64, HashMap<Option<Packed>, Tally>>,
    positions: HashMap<u64, Chess>,
}

impl Scan {
    fn of<'g>(games: impl IntoIterator<Item = &'g Game>) -> Scan {
        let mut scan = Scan { found: HashMap::new(), positions: HashMap::new() };
        for game in games {
            scan.take(game);
        }
        scan
    }

    fn take(&mut self, game: &Game) {
        let Ok(Board::Chess(start)) = game.start() else { return };
        let mut tally = Tally::default();
        let facts = Record::of(game).facts;
        tally.add(facts.result, facts.elos, facts.played);
        let mut first: HashMap<u64, Option<Packed>> = HashMap::new();
        let mut walk = Walk::new(start);
        let moves = game.steps().map_while(|step| match step {
            Step::Move(played) => Some(Some(played)),
            Step::Null => None,
        });
        for played in moves.chain([None::<Move>]) {
            first.entry(walk.hash()).or_insert(played.and_then(Packed::of));
            assert_eq!(walk.hash(), hash_of(walk.position()), "hashes along the way are right");
            self.positions.entry(walk.hash()).or_insert_with(|| walk.position().clone());
            match played {
                Some(played) => walk.play(played),
                None => break,
            }
        }
        for (hash, played) in first {
            self.found.entry(hash).or_default().entry(played).or_default().join(&tally);
        }
    }

    /// Asks the index for every `step`th position of all games.
    fn check(&self, index: &Index, step: usize) {
        self.check_view(index, &View::Everything, step);
    }

    fn check_view(&self, index: &Index, view: &View, step: usize) {
        for (hash, position) in self.positions.iter().step_by(step) {
            let explored = index.explore(position, view, &Filter::default()).unwrap();
            assert_eq!(by_move(&explored), self.found[hash], "{position:?}");
            let listed = index.list(Some(position), view, &Filter::default(), None, 1).unwrap();
            assert_eq!(listed.total, u64::from(explored.total.games), "{position:?}");
        }
    }
}

fn by_move(explored: &Explored) -> HashMap<Option<Packed>, Tally> {
    let moves = explored.moves.iter().map(|found| (Some(found.played), found.tally));
    let ended = (explored.ended.games > 0).then_some((None, explored.ended));
    moves.chain(ended).collect()
}

fn sample() -> Vec<Game> {
    let mut games = corpus::games(&corpus::sample_text());
    games.extend(corpus::games(corpus::ODD.as_bytes()));
    games
}

#[test]
fn games_in_memory_are_counted_like_a_scan() {
    let games = corpus::games(corpus::ODD.as_bytes());
    let folder = tempfile::tempdir().unwrap();
    let index = Index::open(folder.path()).unwrap();
    index.add(corpus::records(&games));
    Scan::of(&games).check(&index, 1);
}

#[test]
fn a_segment_counts_like_a_scan() {
    let games = sample();
    let folder = tempfile::tempdir().unwrap();
    let index = Index::open(folder.path()).unwrap();
    index.add(corpus::records(&games));
    index.flush().unwrap();
    assert_eq!((index.counts().games, index.counts().segments), (games.len() as u64, 1));
    Scan::of(&games).check(&index, 1);
}

#[test]
fn merged_segments_count_like_a_scan_and_so_do_those_opened_again() {
    let games = sample();
    let folder = tempfile::tempdir().unwrap();
    let index = Index::open(folder.path()).unwrap();
    for part in corpus::records(&games).chunks(30) {
        index.add(part.to_vec());
        index.flush().unwrap();
    }
    assert!(index.counts().segments < games.len() / 30, "some were merged");
    let scan = Scan::of(&games);
    scan.check(&index, 3);
    drop(index);
    scan.check(&Index::open(folder.path()).unwrap(), 7);
}

fn of_owner(owner: u64) -> View {
    View::Of { owner, accounts: Vec::new(), looker: Vec::new() }
}

#[test]
fn whoever_sees_a_part_of_the_games_has_the_counts_of_that_part() {
    let games = sample();
    let mut records = corpus::records(&games);
    for record in &mut records {
        record.facts.owner = record.facts.seq % 3 + 1;
    }
    let part = |of: u64, without: &HashSet<u64>| {
        let is_part = |seq: &u64| seq % 3 + 1 == of && !without.contains(seq);
        let games = games.iter().zip(1_u64..).filter(|(_, seq)| is_part(seq));
        Scan::of(games.map(|(game, _)| game))
    };
    let folder = tempfile::tempdir().unwrap();
    let index = Index::open(folder.path()).unwrap();
    let mut parts = records.chunks(50).map(<[Record]>::to_vec);
    for records in parts.by_ref().take(4) {
        index.add(records);
        index.flush().unwrap();
    }
    // The rest waits in memory.
    parts.for_each(|records| index.add(records));
    assert_eq!(index.counts().segments, 4);
    let check = |index: &Index, gone: &HashSet<u64>| {
        for owner in 1..=3 {
            part(owner, gone).check_view(index, &of_owner(owner), 5);
        }
    };
    let mut gone = HashSet::new();
    check(&index, &gone);
    // One game of a segment, and one of those in memory.
    for seq in [100, 290] {
        gone.insert(seq);
        index.remove(&HashSet::from([seq])).unwrap();
        check(&index, &gone);
    }
    index.flush().unwrap();
    check(&index, &gone);
    drop(index);
    let index = Index::open(folder.path()).unwrap();
    check(&index, &gone);
    for seq in 1_000..1_008 {
        let mut record = records[0].clone();
        (record.facts.owner, record.facts.seq) = (9, seq);
        index.add([record]);
        index.flush().unwrap();
    }
    check(&index, &gone);
}

#[test]
fn the_known_positions_of_the_big_file_have_their_known_counts() {
    let Some(folder) = corpus::folder("the explorer's expected counts") else { return };
    let home = tempfile::tempdir().unwrap();
    let index = Index::open(home.path()).unwrap();
    let games = corpus::games(&corpus::unpacked(&folder.join("masters.pgn.zst")));
    let mut records = corpus::records(&games);
    for record in &mut records {
        record.facts.owner = 7;
    }
    let expected = std::fs::read_to_string(folder.join("explorer.expected.tsv")).unwrap();
    for part in records.chunks(records.len().div_ceil(7)) {
        index.add(part.to_vec());
        index.flush().unwrap();
    }
    assert_eq!(index.counts().segments, 7);
    check_known(&index, &View::Everything, &expected);
    check_known(&index, &of_owner(7), &expected);
    // The eighth of like size brings all of them together. Its games are somebody else's, and one of them goes.
    let strange = records.iter().take(records.len() / 7).cloned().map(|mut record| {
        record.facts.owner = 8;
        record.facts.seq += 1_000_000;
        record
    });
    index.add(strange);
    check_known(&index, &of_owner(7), &expected);
    index.flush().unwrap();
    assert_eq!(index.counts().segments, 1);
    check_known(&index, &of_owner(7), &expected);
    index.remove(&HashSet::from([1_000_001])).unwrap();
    check_known(&index, &of_owner(7), &expected);
    drop(index);
    check_known(&Index::open(home.path()).unwrap(), &of_owner(7), &expected);
}

fn check_known(index: &Index, view: &View, expected: &str) {
    let mut checked = 0;
    for line in expected.lines().skip(1) {
        let row: Vec<&str> = line.split('\t').collect();
        let position: Chess =
            row[0].parse::<Fen>().unwrap().into_position(CastlingMode::Standard).unwrap();
        let explored = index.explore(&position, view, &Filter::default()).unwrap();
        let told: Vec<u32> = row[1..6].iter().map(|number| number.parse().unwrap()).collect();
        assert_eq!(numbers(&explored.total).to_vec(), told, "{line}");
        let mut moves = moves_text(&explored, &position);
        moves.sort();
        let mut told: Vec<&str> = row[6].split_whitespace().collect();
        told.sort_unstable();
        assert_eq!(moves, told, "{line}");
        checked += 1;
    }
    assert_eq!(checked, 398);
}

fn numbers(tally: &Tally) -> [u32; 5] {
    let unknown = tally.games - tally.white - tally.draws - tally.black;
    [tally.games, tally.white, tally.draws, tally.black, unknown]
}

fn moves_text(explored: &Explored, position: &Chess) -> Vec<String> {
    let text = |tally: &Tally| {
        numbers(tally)[1..].iter().map(u32::to_string).collect::<Vec<_>>().join("/")
    };
    let mut moves: Vec<String> = explored
        .moves
        .iter()
        .map(|found| {
            let played = found.played.on(position).unwrap();
            let uci: UciMove = played.to_uci(CastlingMode::Standard);
            format!("{uci}={}", text(&found.tally))
        })
        .collect();
    if explored.ended.games > 0 {
        moves.push(format!("-={}", text(&explored.ended)));
    }
    moves
}
