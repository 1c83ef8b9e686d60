//! Real games: plies, moves and final positions as two other programs found them.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use rules::pgn::{Board, Game, GameReader, Item, Keep, Limits, ReadGame, Step, read_games};
use shakmaty::{Chess, Move, Position, Role, Square, fen::Fen};
use std::fs;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};

/// What the files say about one game.
#[derive(Debug, PartialEq, Eq)]
struct Expected {
    plies: usize,
    result: String,
    moves: u64,
    final_fen: String,
}

impl Expected {
    fn parse(row: &str) -> Expected {
        let fields: Vec<&str> = row.split('\t').collect();
        Expected {
            plies: fields[1].parse().unwrap(),
            result: fields[2].to_owned(),
            moves: u64::from_str_radix(fields[3], 16).unwrap(),
            final_fen: fields[4].to_owned(),
        }
    }

    fn of(game: &Game) -> Expected {
        let mut position = Chess::default();
        let mut moves = 0xcbf2_9ce4_8422_2325;
        for step in game.steps() {
            let Step::Move(played) = step else { panic!("no null moves in real games") };
            for byte in two_bytes(played) {
                moves = (moves ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
            }
            position = position.play(played).expect("the reader gives legal moves");
        }
        let fen = Fen::from_position(&position, shakmaty::EnPassantMode::Legal);
        Expected {
            plies: game.line.nodes.len(),
            result: game.result.to_string(),
            moves,
            final_fen: fen.to_string(),
        }
    }
}

fn two_bytes(played: Move) -> [u8; 2] {
    let (from, to): (Square, Square) = match played {
        Move::Castle { king, rook } => (king, rook),
        _ => (played.from().expect("no placements"), played.to()),
    };
    let role = played.promotion().map_or(0, |role: Role| role as u16);
    (from as u16 | (to as u16) << 6 | role << 12).to_le_bytes()
}

/// Reads a file in pieces, as an importer does, and hands over each game.
fn for_each_game(mut file: impl Read, mut take: impl FnMut(ReadGame)) {
    let mut sink = |item| match item {
        Item::Game(read) => take(*read),
        Item::Stray(problem) => panic!("{problem}"),
    };
    let mut reader = GameReader::new(Limits::default(), Keep::Everything);
    let mut piece = vec![0; 64 << 10];
    loop {
        match file.read(&mut piece).unwrap() {
            0 => break,
            read => reader.feed(&piece[..read], &mut sink),
        }
    }
    reader.finish(&mut sink);
}

/// Reads all games and compares them with their rows; gives their number.
fn check(file: impl Read, expected: &str) -> usize {
    let mut rows = expected.lines().skip(1);
    let mut games = 0;
    for_each_game(file, |read| {
        let row = rows.next().expect("a row for every game");
        assert_eq!(read.problems, [], "{row}");
        assert_eq!(Expected::of(&read.game), Expected::parse(row), "{row}");
        games += 1;
    });
    assert_eq!(rows.next(), None);
    games
}

fn check_rewritten(game: &Game) {
    let text = game.to_pgn().unwrap();
    match &read_games(text.as_bytes(), Limits::default())[..] {
        [Item::Game(again)] => assert_eq!((&again.game, &again.problems[..]), (game, &[][..])),
        other => panic!("{other:?}\n{text}"),
    }
}

fn sample(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/data/pgn").join(name)
}

/// The folder with the big files, if it is there. Says so if not: a test that did little should not look like more.
fn corpus(test: &str) -> Option<PathBuf> {
    let folder = std::env::var_os("ROOKERY_PGN_CORPUS").map_or_else(
        || Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/pgn"),
        PathBuf::from,
    );
    if folder.join("masters.pgn.zst").is_file() {
        return Some(folder);
    }
    // Written past the capture of the test harness, which hides what a passing test prints.
    let folder = folder.display();
    let note = format!(
        "NOT CHECKED: {test}, for there are no big PGN files in {folder} (ROOKERY_PGN_CORPUS names another folder); \
         the sample in the repository is checked always\n"
    );
    std::io::stdout().write_all(note.as_bytes()).unwrap();
    None
}

fn open(path: &Path) -> impl Read {
    zstd::Decoder::new(fs::File::open(path).unwrap()).unwrap()
}

#[test]
fn the_sample_of_master_games_is_read_exactly() {
    let expected = fs::read_to_string(sample("masters.sample.expected.tsv")).unwrap();
    let file = fs::File::open(sample("masters.sample.pgn")).unwrap();
    assert_eq!(check(file, &expected), 301);
}

#[test]
fn the_sample_of_master_games_is_written_as_it_was() {
    let text = fs::read_to_string(sample("masters.sample.pgn")).unwrap();
    let mut moves = String::new();
    for_each_game(text.as_bytes(), |read| {
        check_rewritten(&read.game);
        let pgn = read.game.to_pgn().unwrap();
        moves.push_str(pgn.split_once("\n\n").unwrap().1);
    });
    // Other writers break their lines elsewhere, but word by word it is the same text.
    let original = text.split("\n\n").filter(|part| !part.starts_with('['));
    let original: Vec<&str> = original.flat_map(str::split_whitespace).collect();
    assert_eq!(moves.split_whitespace().collect::<Vec<_>>(), original);
}

#[test]
fn all_master_games_are_read_exactly() {
    let Some(folder) = corpus("masters") else { return };
    let mut expected = String::new();
    open(&folder.join("masters.expected.tsv.zst")).read_to_string(&mut expected).unwrap();
    assert_eq!(check(open(&folder.join("masters.pgn.zst")), &expected), 62_257);
}

#[test]
fn games_with_clocks_and_engine_comments_are_read_and_written_again() {
    let Some(folder) = corpus("lichess and tcec") else { return };
    for (name, games) in [("lichess-2025-05.pgn.zst", 438), ("tcec-sample.pgn.zst", 67)] {
        let mut read_games = 0;
        for_each_game(open(&folder.join(name)), |read| {
            assert_eq!(read.error(), None, "{name}");
            assert!(Board::from_tags(&read.game.tags).is_ok());
            check_rewritten(&read.game);
            read_games += 1;
        });
        assert_eq!(read_games, games, "{name}");
    }
}
