//! Ugly and broken files: what must be read, what must be reported, and that neighbours are unharmed.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use rules::Millis;
use rules::notation::{Language, san_and_play};
use rules::pgn::{
    Game, GameReader, Item, Keep, Limits, ProblemKind, ReadGame, Score, Severity, Step, read_games,
};
use shakmaty::Chess;
use std::path::PathBuf;

fn data(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/data/pgn").join(name)
}

fn read(name: &str) -> Vec<ReadGame> {
    let text = std::fs::read(data("hostile").join(name)).unwrap();
    games(read_games(&text, Limits::default()))
}

fn games(items: Vec<Item>) -> Vec<ReadGame> {
    let only_games = |item| match item {
        Item::Game(read) => Some(*read),
        Item::Stray(_) => None,
    };
    items.into_iter().filter_map(only_games).collect()
}

fn one(name: &str) -> ReadGame {
    let mut games = read(name);
    assert_eq!(games.len(), 1, "{name}");
    games.remove(0)
}

fn plies(read: &ReadGame) -> usize {
    read.game.line.nodes.len()
}

fn has_error(read: &ReadGame) -> bool {
    read.error().is_some()
}

fn sans(game: &Game) -> Vec<String> {
    let mut position = Chess::default();
    let san = |step| match step {
        Step::Move(played) => san_and_play(&mut position, played, Language::English),
        Step::Null => "--".to_owned(),
    };
    game.steps().map(san).collect()
}

/// One line of the table of expectations.
fn check(file: &str, games: &str, plies_per_game: &str, status_per_game: &str) {
    let found = read(file);
    match games.strip_prefix(">=") {
        Some(least) => assert!(found.len() >= least.parse().unwrap(), "{file}: {}", found.len()),
        None => assert_eq!(found.len(), games.parse::<usize>().unwrap(), "{file}"),
    }
    let numbers = plies_per_game.split(',').filter(|text| !text.is_empty());
    let statuses = status_per_game.split(',');
    for (at, (number, status)) in numbers.zip(statuses).enumerate() {
        let (read, expected) = (&found[at], number.parse::<usize>().unwrap());
        let complete = plies(read) == expected;
        let holds = match status {
            "ok" => complete && !has_error(read),
            "error" => complete && has_error(read),
            "loud" => complete || has_error(read),
            // Anything but a crash would do; we promise the plies all the same.
            "any" => complete,
            other => panic!("{file}: unknown status {other}"),
        };
        assert!(holds, "{file}, game {}: {status}, {expected} plies; {read:#?}", at + 1);
    }
}

#[test]
fn all_hostile_files_give_what_the_table_expects() {
    let table = std::fs::read_to_string(data("hostile.expected.tsv")).unwrap();
    let mut cases = 0;
    for row in table.lines().skip(1) {
        let fields: Vec<&str> = row.split('\t').collect();
        check(fields[0], fields[1], fields[2], fields[3]);
        cases += 1;
    }
    assert_eq!(cases, 57);
}

#[test]
fn tag_values_survive_whatever_their_encoding() {
    assert_eq!(one("04-latin1-tag.pgn").game.tags.get("White"), Some("Jörg Müller"));
    assert_eq!(one("05-utf8-tag.pgn").game.tags.get("White"), Some("Žák Łódź 王"));
    assert_eq!(one("06-escaped-quote.pgn").game.tags.get("White"), Some(r#"A "Tiger" \ B"#));
}

#[test]
fn variations_comments_and_glyphs_are_kept() {
    let nested = one("07-nested-variations.pgn").game.line;
    let deep = &nested.nodes[0].variations()[0].nodes[1].variations()[0].nodes[1].variations()[0];
    assert_eq!((nested.nodes[0].variations().len(), deep.nodes.len()), (1, 2));
    let glyphs: Vec<_> = one("08-nags-and-suffix.pgn").game.line.nodes;
    let numbers = |at: usize| glyphs[at].notes().nags.iter().map(|nag| nag.0).collect::<Vec<_>>();
    assert_eq!([numbers(0), numbers(1), numbers(2)], [vec![1], vec![4], vec![5]]);
    assert_eq!([numbers(3), numbers(4), numbers(5)], [vec![6], vec![10, 142], vec![0]]);
    let comments = one("09-comments.pgn").game.line;
    assert_eq!(comments.notes.comments, ["start"]);
    let said: Vec<_> = comments.nodes.iter().flat_map(|node| &node.notes().comments).collect();
    assert_eq!(said, ["best by test", "rest of line comment", "multi line"]);
    assert_eq!(one("10-brace-in-comment.pgn").game.line.nodes[0].notes().comments, ["a { b"]);
    assert_eq!(one("36-huge-comment.pgn").game.line.nodes[0].notes().comments[0].len(), 300_000);
}

#[test]
fn clocks_evals_and_arrows_are_values() {
    let nodes = one("12-clk-eval.pgn").game.line.nodes;
    let clocks: Vec<_> = nodes.iter().map(|node| node.notes().clock.unwrap()).collect();
    assert_eq!(clocks, [30_000, 30_000, 3_723_400].map(Millis));
    let scores: Vec<_> = nodes.iter().map(|node| node.notes().eval.unwrap().score).collect();
    assert_eq!(scores, [Score::Centipawns(17), Score::Centipawns(19), Score::Mate(5)]);
    let arrows = one("13-arrows.pgn").game.line.nodes;
    let notes = arrows[0].notes();
    assert_eq!((notes.squares.len(), notes.arrows.len()), (2, 1));
    assert_eq!(notes.comments, ["good"]);
}

#[test]
fn odd_notations_become_plain_ones() {
    let written = |name| sans(&one(name).game).join(" ");
    assert_eq!(written("15-long-algebraic.pgn"), "e4 e5 Nf3 Nc6 Bb5");
    assert_eq!(written("16-uci-moves.pgn"), "e4 e5 Nf3 Nc6");
    assert_eq!(written("19-ep-suffix.pgn"), "e4 Nf6 e5 d5 exd6 exd6");
    assert_eq!(written("20-overdisambiguated.pgn"), "Nf3 Nf6 Nc3 d5");
    assert_eq!(written("22-wrong-check-sign.pgn"), "e4 e5 Nf3");
    assert_eq!(written("55-figurine.pgn"), "e4 e5 Nf3 Nc6");
    assert_eq!(written("56-german-letters.pgn"), "e4 e5 Nf3 Nc6 Bb5");
    assert_eq!(plies(&one("57-promotion-parens.pgn")), 2);
}

#[test]
fn an_error_names_its_line_and_column_and_the_reason() {
    let told = |name: &str| read(name)[0].error().unwrap().to_string();
    assert_eq!(
        told("23-illegal-move.pgn"),
        "line 9, column 13: “Ke3”: this move is not legal here"
    );
    let ambiguous = "line 9, column 24: “Nd2”: more than one legal move fits";
    assert_eq!(told("24-ambiguous-move.pgn"), ambiguous);
    assert!(told("27-bad-fen.pgn").starts_with("line 9, column 1: the set-up position"));
    assert_eq!(
        told("46-fool-mate-then-move.pgn"),
        "line 9, column 24: “a3”: this move is not legal here"
    );
}

#[test]
fn what_is_odd_but_harmless_is_a_remark() {
    let remark = |name: &str| {
        let read = one(name);
        assert!(read.problems.iter().all(|problem| problem.severity() == Severity::Remark));
        read.problems.into_iter().map(|problem| problem.kind).collect::<Vec<_>>()
    };
    assert!(matches!(remark("29-result-mismatch.pgn")[..], [ProblemKind::ResultMismatch { .. }]));
    assert_eq!(remark("35-stray-close-paren.pgn"), [ProblemKind::StrayBracket(')')]);
    assert_eq!(remark("42-dollar-out-of-range.pgn"), [ProblemKind::Nag, ProblemKind::Nag]);
    assert_eq!(remark("51-duplicate-tag.pgn"), [ProblemKind::DuplicateTag("Event".to_owned())]);
    assert_eq!(one("51-duplicate-tag.pgn").game.tags.get("Event"), Some("x"));
}

#[test]
fn an_unclosed_comment_or_variation_does_not_swallow_the_next_game() {
    for name in ["33-unclosed-comment.pgn", "34-unclosed-variation.pgn"] {
        let games = read(name);
        assert_eq!(games.iter().map(plies).collect::<Vec<_>>(), [1, 3], "{name}");
        assert!(has_error(&games[0]) && !has_error(&games[1]), "{name}");
    }
}

#[test]
fn garbage_between_games_is_told_and_no_game() {
    let text = std::fs::read(data("hostile/54-game-after-garbage.pgn")).unwrap();
    let items = read_games(&text, Limits::default());
    let Item::Stray(problem) = &items[0] else { panic!("{items:?}") };
    assert_eq!(problem.to_string(), "line 1, column 1: this text belongs to no game");
    assert_eq!(items.len(), 2);
}

#[test]
fn it_does_not_matter_where_a_file_is_cut_into_pieces() {
    for entry in std::fs::read_dir(data("hostile")).unwrap() {
        let path = entry.unwrap().path();
        let text = std::fs::read(&path).unwrap();
        let whole = read_games(&text, Limits::default());
        for size in [1, 2, 3, 7, 100, 4096] {
            let mut items = Vec::new();
            let mut sink = |item| items.push(item);
            let mut reader = GameReader::new(Limits::default(), Keep::Everything);
            text.chunks(size).for_each(|piece| reader.feed(piece, &mut sink));
            reader.finish(&mut sink);
            assert_eq!(items, whole, "{} in pieces of {size}", path.display());
        }
    }
}

#[test]
fn every_game_written_and_read_again_is_equal() {
    for entry in std::fs::read_dir(data("hostile")).unwrap() {
        let path = entry.unwrap().path();
        for read in games(read_games(&std::fs::read(&path).unwrap(), Limits::default())) {
            let Ok(text) = read.game.to_pgn() else {
                panic!("{} cannot be written", path.display());
            };
            let again = games(read_games(text.as_bytes(), Limits::default()));
            assert_eq!(again.len(), 1, "{}", path.display());
            assert_eq!(again[0].game, read.game, "{}\n{text}", path.display());
            let width = |line: &str| line.starts_with('[') || line.chars().count() < 80;
            assert!(text.lines().all(|line| width(line) || !line.contains(' ')), "{text}");
        }
    }
}
