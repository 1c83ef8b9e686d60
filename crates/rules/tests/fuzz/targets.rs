//! What must hold for any bytes whatever: no panic, no hang, and what was read can be written and read again.
//!
//! One function per parser of foreign text, used by the test beside this file for seconds and by cargo-fuzz (folder
//! `fuzz/` of the repository) for hours.

#![allow(unreachable_pub, reason = "public for the targets of cargo-fuzz, which include this file")]

use rules::gmo::{self, Genome, GmoPosition};
use rules::notation::{Language, read_move, read_uci, san, uci};
use rules::pgn::{Game, GameReader, Item, Keep, Limits, Problem, Visitor, read_games, visit};
use rules::{Action, Position};
use shakmaty::{CastlingMode, Chess, Position as _};

/// The name of a target, which is also the folder of its corpus, and the target: did it read anything good?
pub type Target = (&'static str, fn(&[u8]) -> bool);

/// All targets.
pub const TARGETS: [Target; 6] = [
    ("fen", fen),
    ("san", san_text),
    ("uci", uci_text),
    ("pgn", pgn),
    ("dna", dna),
    ("defender_fen", defender_fen),
];

/// FEN of standard chess and Chess960.
pub fn fen(data: &[u8]) -> bool {
    let text = String::from_utf8_lossy(data);
    let mut is_good = false;
    for read in [Position::from_fen, Position::from_fen_chess960] {
        let Ok(position) = read(&text) else { continue };
        let written = position.fen();
        let again = read(&written).expect("what we write, we read");
        assert_eq!(again.fen(), written);
        assert_eq!(again.hash(), position.hash(), "{written}");
        check_actions(&position);
        is_good = true;
    }
    is_good
}

/// FEN of `ChessDefender`.
pub fn defender_fen(data: &[u8]) -> bool {
    let text = String::from_utf8_lossy(data);
    let Ok(position) = Position::from_fen_defender(&text) else { return false };
    let written = position.fen();
    let again = Position::from_fen_defender(&written).expect("what we write, we read");
    assert_eq!(again.fen(), written);
    check_actions(&position);
    true
}

/// Every legal action can be written, read and played.
fn check_actions(position: &Position) {
    for action in position.actions() {
        let text = action.to_string();
        assert_eq!(text.parse::<Action>().as_ref(), Ok(&action));
        assert_eq!(position.resolve(action), Ok(action));
        let mut after = position.clone();
        after.play(action).expect("a legal action can be played");
    }
    let _ = (position.outcome(), position.check_square(), position.dests(), position.shelf());
}

/// A FEN, a line end, and the text of a move; the usual start if the FEN is none.
fn position_and_text(data: &[u8]) -> (Chess, String) {
    let (fen, text) = match data.iter().position(|&byte| byte == b'\n') {
        Some(end) => (&data[..end], &data[end + 1..]),
        None => (&[][..], data),
    };
    let fen = String::from_utf8_lossy(fen);
    let read = Position::from_fen(&fen).or_else(|_| Position::from_fen_chess960(&fen)).ok();
    let position = read.and_then(|position| position.as_chess().cloned()).unwrap_or_default();
    (position, String::from_utf8_lossy(text).into_owned())
}

/// The text of a move in any language.
pub fn san_text(data: &[u8]) -> bool {
    let (position, text) = position_and_text(data);
    let languages = Language::ALL.map(Some);
    let mut is_good = false;
    for language in [None].into_iter().chain(languages) {
        let Ok(found) = read_move(&position, &text, language) else { continue };
        assert!(position.is_legal(found), "{text}: {found:?}");
        let written = san(&position, found, language.unwrap_or(Language::English));
        assert_eq!(read_move(&position, &written, language), Ok(found), "{written}");
        is_good = true;
    }
    is_good
}

/// A move as engines write it, and an action of a record.
pub fn uci_text(data: &[u8]) -> bool {
    let (position, text) = position_and_text(data);
    let found = read_uci(&position, &text);
    if let Ok(found) = found {
        assert!(position.is_legal(found), "{text}: {found:?}");
        for castling in [position.castles().mode(), CastlingMode::Chess960] {
            assert_eq!(read_uci(&position, &uci(found, castling)), Ok(found), "{text}");
        }
        let by_lenient_reader = read_move(&position, &text, None);
        assert!(by_lenient_reader.is_err() || by_lenient_reader == Ok(found), "{text}");
    }
    if let Ok(action) = text.parse::<Action>() {
        assert_eq!(action.to_string().parse(), Ok(action));
        let _ = Position::Chess(position).play(action);
    }
    found.is_ok()
}

/// DNA of GMO chess, or one of its positions.
pub fn dna(data: &[u8]) -> bool {
    let text = String::from_utf8_lossy(data);
    let _ = (gmo::explain(&text), gmo::check(&text));
    let genome = Genome::from_bytes(data);
    if let Ok(genome) = &genome {
        assert_eq!(Genome::parse(genome.dna()).as_ref(), Ok(genome));
        gmo_position(&format!("gmo1 d4w0k,e5b0,h8b0k w 0 - {}", genome.dna()));
    }
    gmo_position(&text) || genome.is_ok()
}

fn gmo_position(text: &str) -> bool {
    let Ok(position) = text.parse::<GmoPosition>() else { return false };
    let written = position.to_string();
    assert_eq!(written.parse().as_ref(), Ok(&position), "{written}");
    gmo::perft(&position, 1);
    true
}

/// A PGN file. The first byte says in which pieces it arrives and how small the limits are.
pub fn pgn(data: &[u8]) -> bool {
    let Some((&choice, text)) = data.split_first() else { return false };
    let limits = if choice & 1 == 0 { Limits::default() } else { small_limits() };
    let items = read_games(text, limits);
    let size = usize::from(choice >> 1) + 1;
    assert_eq!(in_pieces(text, size, limits), items, "in pieces of {size}");
    check_order(text, limits);
    let mut is_good = false;
    for item in items {
        if let Item::Game(read) = item
            && limits == Limits::default()
        {
            check_rewritten(&read.game);
            is_good |= !read.game.line.nodes.is_empty();
        }
    }
    is_good
}

fn small_limits() -> Limits {
    Limits {
        word: 8,
        tag_value: 20,
        tags: 4,
        comment: 24,
        comments: 200,
        moves: 12,
        depth: 2,
        problems: 3,
    }
}

fn in_pieces(text: &[u8], size: usize, limits: Limits) -> Vec<Item> {
    let mut items = Vec::new();
    let mut sink = |item| items.push(item);
    let mut reader = GameReader::new(limits, Keep::Everything);
    text.chunks(size).for_each(|piece| reader.feed(piece, &mut sink));
    reader.finish(&mut sink);
    items
}

fn check_rewritten(game: &Game) {
    let text = game.to_pgn().expect("a game that was read can be written");
    let again = read_games(text.as_bytes(), Limits::default());
    match &again[..] {
        [Item::Game(again)] => assert_eq!(&again.game, game, "{text}"),
        other => panic!("{other:?}\n{text}"),
    }
}

/// The reader without a board keeps the order that [`Visitor`] promises.
fn check_order(text: &[u8], limits: Limits) {
    #[derive(Default)]
    struct Order {
        is_open: bool,
        in_moves: bool,
        depth: usize,
    }
    impl Visitor for Order {
        fn begin_game(&mut self, _at: rules::pgn::At<'_>) {
            assert!(!std::mem::replace(&mut self.is_open, true));
        }
        fn tag(&mut self, _: &[u8], value: rules::pgn::RawValue<'_>, _: rules::pgn::At<'_>) {
            assert!(self.is_open && !self.in_moves);
            let _ = value.decode();
        }
        fn begin_moves(&mut self) {
            assert!(self.is_open && !std::mem::replace(&mut self.in_moves, true));
        }
        fn ply(&mut self, _text: &[u8], _at: rules::pgn::At<'_>) {
            assert!(self.in_moves);
        }
        fn begin_variation(&mut self, _at: rules::pgn::At<'_>) {
            assert!(self.in_moves);
            self.depth += 1;
        }
        fn end_variation(&mut self) {
            self.depth = self.depth.checked_sub(1).expect("a variation is open");
        }
        fn problem(&mut self, problem: Problem) {
            assert!(problem.place.line > 0 && problem.place.column > 0);
        }
        fn end_game(&mut self) {
            assert!(self.is_open && self.in_moves && self.depth == 0);
            *self = Order::default();
        }
    }
    let mut order = Order::default();
    visit(text, limits, &mut order);
    assert!(!order.is_open);
}
