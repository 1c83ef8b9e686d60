//! Moves as people and programs write them.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use proptest::prelude::*;
use rules::notation::NotationError::{
    Ambiguous, Illegal, MissingPromotion, Unreadable, WrongVariant,
};
use rules::notation::{
    Language, NotationError, Reading, Written, find_move, read_move, read_uci, san, uci,
};
use shakmaty::san::San;
use shakmaty::{CastlingMode, Chess, FromSetup, Move, Position, Role, fen::Fen};

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
/// White can castle both ways, promote on b8 by capture and on d8 by a push; knights on b3 and f3 reach d2.
const RICH: &str = "r6k/1P1P4/8/4Pp2/8/1N3N2/6PP/R3K2R w KQ f6 0 1";

fn position(fen: &str) -> Chess {
    let setup = fen.parse::<Fen>().unwrap().into_setup();
    let mode = CastlingMode::detect(&setup);
    Chess::from_setup(setup, mode).unwrap()
}

/// In `fen`, `text` is the move that UCI writes as `expected`, or fails so.
fn check(fen: &str, text: &str, language: Option<Language>, expected: Result<&str, NotationError>) {
    let position = position(fen);
    let found =
        read_move(&position, text, language).map(|found| uci(found, CastlingMode::Standard));
    assert_eq!(found.as_deref().map_err(|why| *why), expected, "{text} in {fen}");
}

fn check_all(fen: &str, expected: &str, texts: &[&str]) {
    for text in texts {
        check(fen, text, None, Ok(expected));
    }
}

#[test]
fn a_move_may_be_written_in_many_ways() {
    check_all(
        START,
        "e2e4",
        &["e4", "e2e4", "e2-e4", "e4!", "e4?!", "e4+", "Pe4", "P2e4", "♙e4", "e4."],
    );
    check_all(
        START,
        "g1f3",
        &["Nf3", "Ngf3", "N1f3", "Ng1f3", "Ng1-f3", "g1f3", "Nxf3", "♘f3", "♞f3"],
    );
    check_all(RICH, "e1g1", &["O-O", "0-0", "o-o", "OO", "O-O+", "0–0", "e1g1", "Ke1-g1", "e1h1"]);
    check_all(RICH, "e1c1", &["O-O-O", "0-0-0", "OOO", "0-0-0#", "e1c1", "Ke1c1"]);
    check_all(
        RICH,
        "e5f6",
        &["exf6", "exf6e.p.", "exf6ep", "ef6", "e5xf6", "e5f6", "e:f6", "e×f6"],
    );
    check_all(
        RICH,
        "d7d8q",
        &["d8=Q", "d8Q", "d8(Q)", "d8/Q", "d7-d8=Q+", "d7d8q", "d8=♕", "d8=♛", "d8=Q#"],
    );
    check_all(RICH, "b7a8n", &["bxa8=N", "bxa8N", "ba8=N", "b7xa8(N)", "b7a8n"]);
    check_all(RICH, "b3d2", &["Nbd2", "Nb3d2", "Nb3-d2", "b3d2"]);
}

#[test]
fn what_is_wrong_with_a_move_is_told() {
    let fails = |fen, text, why| check(fen, text, None, Err(why));
    for text in [
        "", "e", "4", "Hello", "e9", "i4", "e2-", "Ne", "O-", "O-O-O-O", "e4=", "N@", "♘", "-", "Z",
    ] {
        fails(START, text, Unreadable);
    }
    for text in ["e5", "Nd2", "O-O", "Ke2", "exd3", "e4=Q", "e7e5", "e1g1", "Qxd8", "a3b4", "Bb5"] {
        fails(START, text, Illegal);
    }
    fails(RICH, "Nd2", Ambiguous);
    for text in ["d8", "d7d8", "bxa8"] {
        fails(RICH, text, MissingPromotion);
    }
    for text in ["d8=K", "d8=P", "bxc8=Q"] {
        fails(RICH, text, Illegal);
    }
    for text in ["N@c3", "@e3", "--", "Z0", "0000"] {
        fails(START, text, WrongVariant);
    }
}

#[test]
fn a_pawn_push_is_never_a_capture() {
    let fen = "4k3/8/8/3p4/3PP3/8/8/4K3 w - - 0 1";
    check(fen, "d5", None, Err(Illegal));
    check(fen, "exd5", None, Ok("e4d5"));
    check(fen, "e5", None, Ok("e4e5"));
}

#[test]
fn a_pin_decides_between_two_knights() {
    let fen = "4k3/8/8/8/1b6/2N5/8/4K1N1 w - - 0 1";
    check(fen, "Ne2", None, Ok("g1e2"));
    check(fen, "Nce2", None, Err(Illegal));
}

#[test]
fn every_language_has_its_letters() {
    let letters = |language: Language| {
        [Role::King, Role::Queen, Role::Rook, Role::Bishop, Role::Knight]
            .map(|role| language.letter(role))
            .iter()
            .collect::<String>()
    };
    let expected = ["KQRBN", "KDVSJ", "KDVSJ", "KHWGS", "KDTLS", "RDTAC", "RDTFC", "♔♕♖♗♘"];
    assert_eq!(Language::ALL.map(letters), expected);
}

#[test]
fn every_legal_move_is_written_and_read_in_every_language() {
    for fen in [START, RICH, "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"]
    {
        let position = position(fen);
        for played in &position.legal_moves() {
            for language in Language::ALL {
                let text = san(&position, *played, language);
                assert_eq!(read_move(&position, &text, Some(language)), Ok(*played), "{text}");
            }
            let text = san(&position, *played, Language::English);
            assert_eq!(read_move(&position, &text, None), Ok(*played), "{text}");
            assert_eq!(
                text,
                shakmaty::san::SanPlus::from_move(position.clone(), *played).to_string()
            );
        }
    }
}

#[test]
fn an_unknown_language_is_understood_when_one_move_fits() {
    check(START, "Sf3", None, Ok("g1f3")); // German and Polish knight; no Czech bishop gets there
    check(START, "Jf3", None, Ok("g1f3"));
    check(START, "Cf3", None, Ok("g1f3"));
    // S is a knight in German and a bishop in Czech: here both can go to c4.
    let fen = "4k3/8/8/8/8/4N3/8/4KB2 w - - 0 1";
    check(fen, "Sc4", None, Err(Ambiguous));
    check(fen, "Sc4", Some(Language::German), Ok("e3c4"));
    check(fen, "Sc4", Some(Language::Czech), Ok("f1c4"));
    // R is read as English first, as a rook, although a French king could go there too.
    let fen = "4k3/8/8/8/8/8/8/R3K3 w - - 0 1";
    check(fen, "Rd1", None, Ok("a1d1"));
    check(fen, "Rd1", Some(Language::French), Ok("e1d1"));
    check(fen, "Rf2", None, Ok("e1f2"));
}

#[test]
fn a_game_that_is_english_stays_english() {
    let mut position = position("4k3/8/8/8/8/8/8/R2NK3 w - - 0 1");
    let mut reading = Reading::default();
    let knight = reading.read(&position, b"Nc3").unwrap();
    position.play_unchecked(knight);
    let king = reading.read(&position, b"Ke7").unwrap();
    position.play_unchecked(king);
    // A French king could go there, but a knight has been written with N.
    assert_eq!(reading.read(&position, b"Re2"), Err(Illegal));
}

#[test]
fn a_game_in_spanish_is_not_read_as_english_again() {
    let mut position = position("4k3/8/8/8/8/8/8/R2NK3 w - - 0 1");
    let mut reading = Reading::default();
    for text in ["Cc3", "Re7"] {
        let played = reading.read(&position, text.as_bytes()).unwrap();
        position.play_unchecked(played);
    }
    let king = reading.read(&position, b"Rd1").unwrap();
    assert_eq!(uci(king, CastlingMode::Standard), "e1d1");
}

#[test]
fn uci_castles_in_both_forms() {
    let standard = position(RICH);
    let short = read_uci(&standard, "e1g1").unwrap();
    assert_eq!(read_uci(&standard, "e1h1"), Ok(short));
    assert_eq!(uci(short, CastlingMode::Chess960), "e1h1");
    let shuffled = position("1r2k3/8/8/8/8/8/8/1R2K3 w Qq - 0 1");
    let long = read_uci(&shuffled, "e1b1").unwrap();
    assert!(matches!(long, Move::Castle { .. }));
    for (text, why) in
        [("", Unreadable), ("e2e9", Unreadable), ("e2e5", Illegal), ("0000", WrongVariant)]
    {
        assert_eq!(read_uci(&position(START), text), Err(why), "{text}");
    }
}

#[test]
fn placements_and_passes_are_read_without_a_board() {
    let written = |text: &str| Written::parse(text.as_bytes(), Language::English);
    let put = |role, to: &str| Some(Written::Put { role, to: to.parse().unwrap() });
    assert_eq!(written("N@c2"), put(Role::Knight, "c2"));
    assert_eq!(written("@e3"), put(Role::Pawn, "e3"));
    assert_eq!(written("K@g1"), put(Role::King, "g1"));
    for null in ["--", "Z0", "0000"] {
        assert_eq!(written(null), Some(Written::Null));
    }
    assert_eq!(written("X@c2"), None);
}

/// A position some random moves away from one of a few starts.
fn some_position() -> impl Strategy<Value = Chess> {
    let starts = [START, RICH, "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9"];
    (0..starts.len(), prop::collection::vec(any::<prop::sample::Index>(), 0..80)).prop_map(
        move |(start, choices)| {
            let mut position = position(starts[start]);
            for choice in choices {
                let moves = position.legal_moves();
                if moves.is_empty() {
                    break;
                }
                position.play_unchecked(moves[choice.index(moves.len())]);
            }
            position
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, failure_persistence: None, ..ProptestConfig::default() })]

    /// Whatever a text says, we find a move exactly when shakmaty's list of legal moves has one that fits.
    #[test]
    fn moves_are_found_as_in_the_list_of_legal_moves(
        position in some_position(),
        role in prop::sample::select(&Role::ALL[..]),
        file in prop::option::weighted(0.3, 0u32..8),
        rank in prop::option::weighted(0.2, 0u32..8),
        promotion in prop::option::weighted(0.2, prop::sample::select(&Role::ALL[..])),
    ) {
        for to in shakmaty::Square::ALL {
            let file = file.map(shakmaty::File::new);
            let rank = rank.map(shakmaty::Rank::new);
            let written = Written::Normal { role: Some(role), file, rank, to, promotion };
            let found = find_move(&position, written).ok();
            let fits = |capture: bool| {
                let file = if role == Role::Pawn && !capture { Some(to.file()) } else { file };
                San::Normal { role, file, rank, capture, to, promotion }.to_move(&position).ok()
            };
            // Castling may be written by the king's two squares, which is no SAN.
            let castling = |(file, rank)| {
                let from = shakmaty::Square::from_coords(file, rank);
                let uci = shakmaty::uci::UciMove::Normal { from, to, promotion: None };
                uci.to_move(&position).ok().filter(|found| matches!(found, shakmaty::Move::Castle { .. }))
            };
            // Pawns capture only when another file is named, pieces whether or not a capture sign is there.
            let expected = match (role, file) {
                (Role::King, _) => fits(true)
                    .or_else(|| fits(false))
                    .or_else(|| file.zip(rank).filter(|_| promotion.is_none()).and_then(castling)),
                (Role::Pawn, Some(file)) if file != to.file() => fits(true),
                (Role::Pawn, _) => fits(false),
                _ => fits(true).or_else(|| fits(false)),
            };
            prop_assert_eq!(found, expected, "{:?} {:?}{:?}{}", role, file, rank, to);
        }
    }

    #[test]
    fn every_move_is_read_as_it_was_written(position in some_position()) {
        for played in &position.legal_moves() {
            let text = san(&position, *played, Language::English);
            prop_assert_eq!(read_move(&position, &text, None), Ok(*played));
            let mode = position.castles().mode();
            prop_assert_eq!(read_uci(&position, &uci(*played, mode)), Ok(*played));
            let lenient = read_move(&position, &uci(*played, mode), None);
            prop_assert_eq!(lenient, Ok(*played));
        }
    }
}
