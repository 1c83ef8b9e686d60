//! Reading and writing games: encodings, line ends, limits, variants, and that writing loses nothing.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use proptest::prelude::*;
use rules::pgn::{
    Board, Brush, Eval, Game, GameReader, GameResult, Item, Keep, Limits, Line, Nag, Node, Notes,
    ProblemKind, ReadGame, Score, StartError, Step, Tags, TooMuch, WriteError, read_games,
};
use rules::{Action, Millis};
use shakmaty::{CastlingMode, Chess, Position, Square};

fn read_with(text: &[u8], limits: Limits) -> Vec<ReadGame> {
    let only_games = |item| match item {
        Item::Game(read) => Some(*read),
        Item::Stray(_) => None,
    };
    read_games(text, limits).into_iter().filter_map(only_games).collect()
}

fn one(text: impl AsRef<[u8]>) -> ReadGame {
    let mut games = read_with(text.as_ref(), Limits::default());
    assert_eq!(games.len(), 1, "{games:#?}");
    games.remove(0)
}

fn plies(read: &ReadGame) -> usize {
    read.game.line.nodes.len()
}

/// The move text of a game after it was read and written.
fn rewritten(text: &str) -> String {
    let pgn = one(text).game.to_pgn().unwrap();
    pgn.split_once("\n\n").unwrap().1.trim_end().to_owned()
}

#[test]
fn every_encoding_gives_the_same_text() {
    let text = "[White \"Žižka – Łoś\"]\n\n1. e4 {Schön} ♞f6 *\n";
    let utf16 = |unit: fn(u16) -> [u8; 2]| text.encode_utf16().flat_map(unit).collect::<Vec<u8>>();
    let (little, big) = (utf16(u16::to_le_bytes), utf16(u16::to_be_bytes));
    let marked = |mark: &[u8], bytes: &[u8]| [mark, bytes].concat();
    let expected = one(text).game;
    assert_eq!(expected.tags.get("White"), Some("Žižka – Łoś"));
    for bytes in [
        marked(b"\xef\xbb\xbf", text.as_bytes()),
        marked(b"\xff\xfe", &little),
        marked(b"\xfe\xff", &big),
        little,
        big,
    ] {
        assert_eq!(one(&bytes).game, expected);
    }
}

#[test]
fn bytes_that_are_no_utf8_are_windows_1252() {
    let read = one(b"[White \"Fran\xe7ois \x80 \x8eak\"]\n\n1. e4 {na\xefve\x85} *");
    assert_eq!(read.game.tags.get("White"), Some("François € Žak"));
    assert_eq!(read.game.line.nodes[0].notes().comments, ["naïve…"]);
}

#[test]
fn every_line_end_counts_once() {
    for end in ["\n", "\r\n", "\r"] {
        let text =
            ["[White \"A\"]", "", "% no line for people", "1. e4 {a", "b} e5", "2. Ke3 *", ""];
        let read = one(text.join(end));
        assert_eq!((plies(&read), read.problems[0].place.line), (2, 6), "{end:?}");
        assert_eq!(read.problems[0].place.column, 4);
    }
}

#[test]
fn columns_count_characters() {
    let read = one("{žluťoučký} 1. Ke5 *");
    assert_eq!(read.problems[0].place.column, 16);
}

#[test]
fn results_may_be_written_with_other_signs() {
    use GameResult::{BlackWins, Draw, Unknown, WhiteWins};
    let ends =
        [("1-0", WhiteWins), ("0–1", BlackWins), ("½-½", Draw), ("1/2", Draw), ("*", Unknown)];
    for (text, result) in ends {
        assert_eq!(one(format!("1. e4 {text}")).game.result, result, "{text}");
    }
    assert_eq!(one("[Result \"1-0\"]\n\n1. e4 *").game.result, WhiteWins);
    assert_eq!(one("[Result \"*\"]\n\n1. e4 0-1").game.result, BlackWins);
    assert_eq!(one("[Result \"0-1\"]\n\n1. e4").game.result, BlackWins);
}

#[test]
fn what_follows_the_result_on_its_line_belongs_to_the_game() {
    let text = "1. e4 1-0 {resigns} ; at once\n1. d4 0-1";
    let games = read_with(text.as_bytes(), Limits::default());
    assert_eq!(games.len(), 2);
    assert_eq!(games[0].game.line.nodes[0].notes().comments, ["resigns", "at once"]);
}

#[test]
fn two_games_without_moves_are_two_games() {
    let text = "[Event \"a\"]\n[Result \"1-0\"]\n\n[Event \"b\"]\n[Result \"0-1\"]\n";
    let games = read_with(text.as_bytes(), Limits::default());
    let results: Vec<_> = games.iter().map(|read| read.game.result).collect();
    assert_eq!(results, [GameResult::WhiteWins, GameResult::BlackWins]);
}

#[test]
fn a_bad_tag_costs_only_itself() {
    let read = one("[White \"A\n[Black B]\n[Event \"The \"Tiger\" cup\"]\n[Site \"X\"\n\n1. e4 *");
    let kinds: Vec<_> = read.problems.iter().map(|problem| &problem.kind).collect();
    let (lost, odd) = (&ProblemKind::Tag, &ProblemKind::TagForm);
    assert_eq!(kinds, [lost, lost, odd, odd]);
    assert_eq!(read.game.tags.get("Event"), Some("The \"Tiger\" cup"));
    assert_eq!((read.game.tags.get("Site"), plies(&read)), (Some("X"), 1));
}

#[test]
fn an_illegal_move_in_a_variation_costs_only_the_variation() {
    let read = one("1. e4 e5 (1... c5 2. Ke3 d6) 2. Nf3 *");
    assert_eq!(plies(&read), 3);
    assert_eq!(read.game.line.nodes[1].variations()[0].nodes.len(), 1);
    assert!(read.error().is_some());
}

#[test]
fn too_much_is_cut_and_told() {
    let limits = Limits {
        word: 10,
        tag_value: 10,
        tags: 2,
        comment: 20,
        comments: 120,
        moves: 4,
        depth: 1,
        problems: 2,
    };
    let check = |text: &str, expected: TooMuch| {
        let games = read_with(text.as_bytes(), limits);
        let told = games[0].error().map(|problem| problem.kind.clone());
        assert_eq!(told, Some(ProblemKind::TooMuch(expected)), "{text}");
        assert!(games[0].problems.len() <= 3);
        let last = games.last().unwrap();
        assert_eq!(last.game.tags.get("White"), Some("next"), "{text}");
        assert_eq!((plies(last), last.error()), (1, None));
    };
    let next = "\n\n[Event \"b\"]\n[White \"next\"]\n\n1. e4 *\n";
    check(&format!("1. e4 abcdefghijklmno *{next}"), TooMuch::Word);
    check(&format!("[White \"abcdefghijk\"]\n\n1. e4 *{next}"), TooMuch::TagValue);
    check(&format!("[A \"1\"]\n[B \"1\"]\n[C \"1\"]\n\n1. e4 *{next}"), TooMuch::Tags);
    check(&format!("1. e4 {{abcdefghij abcdefghij}} *{next}"), TooMuch::Comment);
    check(&format!("1. e4 {{abcdefghij abcdefghij never closed{next}"), TooMuch::Comment);
    check(&format!("1. e4 {{abcdefghij abcde}} {{abcdefghij abcde}} *{next}"), TooMuch::Comments);
    check(&format!("1. e4 e5 2. Nf3 Nc6 3. Bb5 *{next}"), TooMuch::Moves);
    check(&format!("1. e4 (1. d4 (1. c4)) *{next}"), TooMuch::Depth);
    check(&format!("1. e4 ) ) ) ) ) *{next}"), TooMuch::Problems);
}

#[test]
fn an_endless_comment_is_cut_and_does_not_hide_the_next_game() {
    // 40 MB in pieces, of which at most about twice the limit of a comment is held at any time.
    let mut items = Vec::new();
    let mut sink = |item| items.push(item);
    let mut reader = GameReader::new(Limits::default(), Keep::Everything);
    reader.feed(b"1. e4 {", &mut sink);
    let piece = vec![b'x'; 64 << 10];
    for _ in 0..640 {
        reader.feed(&piece, &mut sink);
    }
    reader.feed(b"\n[Event \"b\"]\n\n1. d4 *", &mut sink);
    reader.finish(&mut sink);
    let [Item::Game(cut), Item::Game(next)] = &items[..] else { panic!("{}", items.len()) };
    let kept: usize = cut.game.line.nodes[0].notes().comments.iter().map(String::len).sum();
    assert_eq!((kept, plies(next)), (Limits::default().comment, 1));
}

#[test]
fn only_the_main_line_is_kept_if_no_more_is_wanted() {
    let mut games = Vec::new();
    let mut reader = GameReader::new(Limits::default(), Keep::MainLine);
    let text = b"{intro} 1. e4 $1 {good} (1. d4 nonsense) e5 *";
    let mut sink = |item| games.push(item);
    reader.feed(text, &mut sink);
    reader.finish(&mut sink);
    let [Item::Game(read)] = &games[..] else { panic!("{games:?}") };
    assert_eq!((&read.problems[..], plies(read)), (&[][..], 2));
    let is_bare = |node: &Node| node.notes().is_empty() && node.variations().is_empty();
    assert!(read.game.line.nodes.iter().all(is_bare) && read.game.line.notes.is_empty());
}

#[test]
fn the_export_format_is_that_of_the_standard() {
    let text = "[Zeta \"z\"][Black \"B \\\\ \\\"b\\\"\"][Annotator \"x\"][White \"A\"]\n1. e4! e5 {why} 2. Nf3 (2. f4 exf4) 2... Nc6 1/2";
    let expected = r#"[Event "?"]
[Site "?"]
[Date "????.??.??"]
[Round "?"]
[White "A"]
[Black "B \\ \"b\""]
[Result "1/2-1/2"]
[Annotator "x"]
[Zeta "z"]

1. e4 $1 e5 {why} 2. Nf3 (2. f4 exf4) 2... Nc6 1/2-1/2

"#;
    assert_eq!(one(text).game.to_pgn().unwrap(), expected);
}

#[test]
fn lines_are_shorter_than_80_characters() {
    let moves = "1. Nf3 Nf6 2. Ng1 Ng8 ".repeat(40);
    let words = "žába ".repeat(100);
    let pgn = one(format!("{moves} {{{words}}} *")).game.to_pgn().unwrap();
    let longest = pgn.lines().map(|line| line.chars().count()).max();
    assert!((70..80).contains(&longest.unwrap()), "{pgn}");
    assert!(pgn.lines().all(|line| !line.ends_with(' ')));
}

#[test]
fn a_comment_never_looks_like_a_tag_or_an_escape() {
    let filler = "x".repeat(70);
    for word in ["[Event \"a\"]", "%escape", "[%clk"] {
        let text = format!("1. e4 {{{filler} {word} y}} e5 *");
        let game = one(&text).game;
        let again = one(game.to_pgn().unwrap());
        assert_eq!((again.game, again.problems.len()), (game, 0));
    }
}

#[test]
fn a_comment_with_a_brace_is_written_to_the_end_of_its_line() {
    assert_eq!(rewritten("1. e4 ; a } b\ne5 *"), "1. e4 ; a } b\n1... e5 *");
}

#[test]
fn values_in_comments_are_read_and_written() {
    let text = "1. e4 {a [%clk 1:02:03.45] b [%emt 0:00:02] [%eval -1.5,20] [%csl Gd4,Re5] [%cal Bg1f3]} *";
    let read = one(text);
    let notes = read.game.line.nodes[0].notes();
    assert_eq!((notes.clock, notes.elapsed), (Some(Millis(3_723_450)), Some(Millis(2000))));
    assert_eq!(notes.eval, Some(Eval { score: Score::Centipawns(-150), depth: Some(20) }));
    assert_eq!(notes.squares, [(Brush::Green, Square::D4), (Brush::Red, Square::E5)]);
    assert_eq!(notes.arrows, [(Brush::Blue, Square::G1, Square::F3)]);
    assert_eq!(notes.comments, ["a b"]);
    let values = "[%eval -1.50,20] [%clk 1:02:03.45] [%emt 0:00:02] [%csl Gd4,Re5] [%cal Bg1f3]";
    let written = read.game.to_pgn().unwrap();
    assert!(written.contains(&format!("{{{values}\na b}}")), "{written}");
    for strange in ["[%clk 5:00]", "[%clk x]", "[%eval 1.234]", "[%cal Xa1a2]", "[%foo 1]", "[%clk"]
    {
        let read = one(format!("1. e4 {{{strange}}} *"));
        assert_eq!(read.game.line.nodes[0].notes().comments, [strange]);
    }
}

/// The example of section 8.4 of the rules of `ChessDefender`, and two moves of chess.
const DEFENDER: &str = r#"[Variant "ChessDefender"]
[SetUp "1"]
[FEN "8/8/8/8/8/8/8/8 w - - 0 1 5/5"]

1. N@f3 R@d8 2. P@e2 -- 3. P@c3 -- 4. K@g1 K@g8 5. Nd4 Rxd4 *
"#;

#[test]
fn a_game_of_chess_defender_is_read_and_written() {
    let read = one(DEFENDER);
    assert_eq!((plies(&read), &read.problems[..]), (10, &[][..]));
    let mut board = read.game.start().unwrap();
    for step in read.game.steps() {
        assert_eq!(board.play(step.action(CastlingMode::Standard)), Some(step));
    }
    assert_eq!(board.fen(), "6k1/8/8/8/3r4/2P5/4P3/6K1 w - - 0 6 K/K");
    let pgn = read.game.to_pgn().unwrap();
    assert!(pgn.contains("4. K@g1 K@g8 5. Nd4 Rxd4 *"), "{pgn}");
    assert_eq!(one(&pgn).game, read.game);
}

#[test]
fn phase_two_of_chess_defender_is_a_game_any_program_can_read() {
    let battle = one(DEFENDER).game.battle().unwrap();
    assert_eq!(battle.tags.get("FEN"), Some("3r2k1/8/8/8/8/2P2N2/4P3/6K1 w - - 0 5"));
    assert_eq!(battle.tags.get("Variant"), None);
    assert!(battle.to_pgn().unwrap().ends_with("\n\n5. Nd4 Rxd4 *\n\n"));
    assert_eq!(one(DEFENDER.replace(" K@g8 5. Nd4 Rxd4", "")).game.battle(), None);
    assert_eq!(one("1. e4 *").game.battle(), None);
}

#[test]
fn a_game_of_chess_defender_keeps_to_its_rules() {
    for (from, to) in
        [("N@f3", "N@f4"), ("2. P@e2 --", "2. P@e2 P@e7"), ("K@g8", "K@d6"), ("Nd4", "e4 --")]
    {
        let read = one(DEFENDER.replace(from, to));
        assert!(matches!(read.error().unwrap().kind, ProblemKind::Move { .. }), "{to}");
    }
}

#[test]
fn variants_are_known_by_many_names() {
    let start = |variant: &str| Board::from_tags(&[("Variant", variant)].into_iter().collect());
    for variant in ["Standard", "From Position", "Chess960", "fischerandom", "Fischer Random"] {
        assert_eq!(start(variant), Ok(Board::default()), "{variant}");
    }
    assert!(matches!(start("ChessDefender"), Ok(Board::Defender(_))));
    assert_eq!(start("Atomic"), Err(StartError::Variant("Atomic".to_owned())));
}

#[test]
fn a_record_becomes_a_game() {
    let mut board = Board::default();
    let mut game = Game { result: GameResult::WhiteWins, ..Game::default() };
    for text in ["e2e4", "e7e5", "g1f3", "b8c6", "f1c4", "f8c5", "e1g1"] {
        let action: Action = text.parse().unwrap();
        game.line.nodes.push(Node::from(board.play(action).unwrap()));
    }
    assert_eq!(board.play("e1e2".parse().unwrap()), None);
    assert!(game.to_pgn().unwrap().ends_with("4. O-O 1-0\n\n"));
    game.line.nodes.remove(0);
    assert_eq!(game.to_pgn(), Err(WriteError::Illegal { ply: 0 }));
}

#[test]
fn tags_are_sorted_and_know_what_is_unknown() {
    let mut tags: Tags =
        [("WhiteElo", "2800"), ("Round", "3"), ("Event", "x"), ("Site", "?")].into_iter().collect();
    let names = |tags: &Tags| tags.iter().map(|(name, _)| name.to_owned()).collect::<Vec<_>>();
    assert_eq!(names(&tags), ["Event", "Round", "WhiteElo"]);
    tags.set("Round", "?");
    tags.set("Bad name", "x");
    tags.set("Result", "1-0");
    tags.set("Event", "a\nb");
    assert_eq!(
        (names(&tags), tags.get("Event")),
        (vec!["Event".to_owned(), "WhiteElo".to_owned()], Some("a b"))
    );
    assert!(!tags.is_empty());
}

/// Some words for a comment, as a person or a program might leave them.
fn words() -> impl Strategy<Value = String> {
    let word = prop_oneof![
        "[a-z]{1,12}",
        "[!-~]{1,6}",
        "[žáł♘€„]{1,5}",
        Just("[Event".to_owned()),
        Just("%".to_owned()),
        Just("}".to_owned()),
        Just("[%clk".to_owned()),
        Just("\"]".to_owned()),
    ];
    prop::collection::vec(word, 1..12).prop_map(|words| words.join(" "))
}

prop_compose! {
    fn notes()(
        nags in prop::collection::btree_set(any::<u8>(), 0..3),
        comments in prop::collection::vec(words(), 0..3),
        clock in prop::option::of(0i64..400_000_000),
        elapsed in prop::option::of(0i64..100_000),
        eval in prop::option::of((any::<bool>(), -20_000i32..20_000, prop::option::of(0u32..99))),
        arrows in prop::collection::vec((0u32..64, 0u32..64), 0..3),
    ) -> Notes {
        let eval = eval.map(|(mate, size, depth)| Eval {
            score: if mate { Score::Mate(size) } else { Score::Centipawns(size) },
            depth,
        });
        let brush = Brush::Yellow;
        Notes {
            nags: nags.into_iter().map(Nag).collect(),
            comments,
            clock: clock.map(Millis),
            elapsed: elapsed.map(Millis),
            eval,
            squares: arrows.iter().map(|&(from, _)| (brush, Square::new(from))).collect(),
            arrows: arrows
                .iter()
                .map(|&(from, to)| (brush, Square::new(from), Square::new(to)))
                .collect(),
        }
    }
}

/// What one node of a random game is made from.
type Seed = (prop::sample::Index, Option<Notes>, Vec<Vec<prop::sample::Index>>);

fn seeds() -> impl Strategy<Value = Vec<Seed>> {
    let variation = prop::collection::vec(any::<prop::sample::Index>(), 1..6);
    let variations = prop::collection::vec(variation, 0..2);
    prop::collection::vec(
        (any::<prop::sample::Index>(), prop::option::weighted(0.3, notes()), variations),
        0..40,
    )
}

fn random_step(position: &mut Chess, choice: prop::sample::Index) -> Option<Step> {
    let moves = position.legal_moves();
    let played = *moves.get(choice.index(moves.len().max(1)))?;
    position.play_unchecked(played);
    Some(Step::Move(played))
}

fn random_game(seeds: Vec<Seed>) -> Game {
    let mut position = Chess::default();
    let mut game = Game::default();
    for (choice, notes, variations) in seeds {
        let before = position.clone();
        let Some(step) = random_step(&mut position, choice) else { break };
        let mut node = Node::from(step);
        if let Some(notes) = notes {
            *node.notes_mut() = notes;
        }
        for choices in variations {
            let mut position = before.clone();
            let steps = choices.into_iter().map_while(|choice| random_step(&mut position, choice));
            let nodes = steps.map(Node::from).collect();
            node.variations_mut().push(Line { nodes, ..Line::default() });
        }
        game.line.nodes.push(node);
    }
    game
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 128, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_game_written_and_read_again_is_equal(
        seeds in seeds(),
        white in "[ -~žáł]{0,40}",
        intro in prop::option::of(words()),
    ) {
        let mut game = random_game(seeds);
        game.tags.set("White", white);
        game.line.notes.comments.extend(intro);
        let text = game.to_pgn().unwrap();
        let read = one(&text);
        prop_assert_eq!(&read.problems, &vec![], "{}", text);
        prop_assert_eq!(read.game, game, "{}", text);
    }
}
