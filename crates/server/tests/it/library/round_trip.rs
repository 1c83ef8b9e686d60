//! What goes out is what came in: compared as games, not as text.

use std::fs::File;
use std::io::Write as _;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use ::library::intake::{Progress, read_file};
use rules::pgn::{Game, Item, Limits, read_games};
use serde_json::{Value, json};

use super::import;
use crate::club::Club;

/// Clocks, evaluations, glyphs, arrows, variations in variations, other beginnings, other rules for castling.
const RICH: &str = r#"[Event "With everything"]
[Site "Here"]
[Date "2024.02.29"]
[Round "1.2"]
[White "Müller, Karsten"]
[Black "O'Neil \"Jim\""]
[Result "1-0"]
[WhiteElo "2500"]
[TimeControl "5400+30"]
[Annotator "Somebody"]
[MadeUp "a tag nobody knows"]

{Before the first move.} 1. e4 {[%clk 1:30:00] [%eval 0.3] [%cal Ge2e4,Rd8h4] [%csl Yf7] the best} e5 $1
{[%clk 1:29:58.5] [%emt 0:00:03]} 2. Nf3 $14 (2. f4 {a gambit} exf4 (2... d5 $5 3. exd5 (3. Nf3) e4) 3. Nf3)
(2. Nc3 Nf6) 2... Nc6 {[%eval #-3]} 3. Bb5 a6 {one} {two} 4. Ba4 $6 $40 1-0

[Event "Chess960"]
[Date "2023.01.01"]
[White "A"]
[Black "B"]
[Result "1/2-1/2"]
[Variant "Chess960"]
[SetUp "1"]
[FEN "nrbbqkrn/pppppppp/8/8/8/8/PPPPPPPP/NRBBQKRN w KQkq - 0 1"]

1. O-O {at once} O-O (1... e5 2. Nb3) 2. Nb3 Nb6 1/2-1/2

[Event "From a position, Black to move"]
[Date "????.??.??"]
[White "C"]
[Black "D"]
[Result "0-1"]
[SetUp "1"]
[FEN "4k3/8/8/8/8/8/4p3/K7 b - - 3 40"]

40... e1=Q+ {[%eval -9.0]} 41. Ka2 Qe2+ 0-1

[Event "Without moves"]
[White "E"]
[Black "F"]
[Result "*"]

*

"#;

fn games(text: &str) -> Vec<Game> {
    let items = read_games(text.as_bytes(), Limits::default()).into_iter();
    items
        .filter_map(|item| match item {
            Item::Game(read) => Some(read.game),
            Item::Stray(_) => None,
        })
        .collect()
}

fn sorted(mut games: Vec<Game>) -> Vec<Game> {
    games.sort_by_key(|game| game.to_pgn().unwrap());
    games
}

/// Brings a file, takes it out, gives it to somebody else, and takes it out again.
async fn check(text: &str) {
    let club = Club::open().await;
    let expected = sorted(games(text));
    let mut text = text.to_owned();
    for name in ["Anna", "Bert"] {
        let mut player = club.player(name).await;
        let told = import(&mut player, "games.pgn", &text).await;
        let counts = [&told["games"], &told["duplicates"], &told["bad"]];
        assert_eq!(counts, [&json!(expected.len()), &json!(0), &json!(0)], "{told}");
        text = player.get("/api/v1/library/export").await.text;
        let out = sorted(games(&text));
        for (out, expected) in out.iter().zip(&expected) {
            assert_eq!(out, expected);
        }
        assert_eq!(out.len(), expected.len());
        let lines = player.get("/api/v1/library/export?format=ndjson").await.text;
        let lines = lines.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
        let told: String = lines.map(|line| line["pgn"].as_str().unwrap().to_owned()).collect();
        assert_eq!(told, text);
    }
}

#[tokio::test]
async fn games_with_everything_in_them_come_back_as_they_went_in() {
    assert_eq!(games(RICH).len(), 4);
    check(RICH).await;
}

#[tokio::test]
async fn real_games_with_clocks_evaluations_and_chess960_come_back_as_they_went_in() {
    let Some(folder) = corpus() else { return };
    for name in ["lichess-2025-05.pgn.zst", "tcec-sample.pgn.zst"] {
        let mut text = String::new();
        let file = File::open(folder.join(name)).unwrap();
        read_file(file, u64::MAX, &Progress::default(), &mut |item| {
            if let Item::Game(read) = item {
                text.push_str(&read.game.to_pgn().unwrap());
            }
            ControlFlow::Continue(())
        })
        .unwrap();
        check(&text).await;
    }
}

/// The folder with the big files, if it is there. Says so if not: a test that did little should not look like more.
fn corpus() -> Option<PathBuf> {
    let folder = std::env::var_os("ROOKERY_PGN_CORPUS").map_or_else(
        || Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/pgn"),
        PathBuf::from,
    );
    if folder.join("tcec-sample.pgn.zst").is_file() {
        return Some(folder);
    }
    let note = format!(
        "NOT CHECKED: real games out and in again, for there are none in {}\n",
        folder.display()
    );
    std::io::stdout().write_all(note.as_bytes()).unwrap();
    None
}
