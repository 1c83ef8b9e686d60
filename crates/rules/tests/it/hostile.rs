//! No bytes can make a reader of positions or actions panic, and what is read is written back.

use rules::{Action, Event, Position, perft};

use crate::chance::Chance;

/// Good texts to mutate.
const CORPUS: [&str; 9] = [
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w HAha - 0 1",
    "rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6 0 3",
    "8/8/8/8/8/8/8/8 w - - 0 1 20/20",
    "3r4/8/8/8/8/2P2N2/4P3/6K1 b - - 0 4 K/0",
    "1bkb4/1rbr4/8/8/8/8/8/8 w - - 0 1 30/K",
    "k7/8/8/8/8/QQQQQQQQ/PPPPPPP1/K7 b - - 99 4294967295 K/K",
    "gmo1 a1w0k,h8b0k w 0 - AHHHSHHAACHACHACHAHHASASAAAAAAAAA",
    "{\"t\":\"m\",\"a\":\"e2e4\",\"at\":1700000000000,\"l\":299000}",
];

const LETTERS: &[u8] = b"rnbqkpRNBQKP12345678/ w-KQkq0:@=~>,\"{}\xc3\xa9\xff\0";

fn mutate(chance: &mut Chance) -> Vec<u8> {
    let mut bytes = chance.pick(&CORPUS).as_bytes().to_vec();
    for _ in 0..=chance.below(6) {
        let at = chance.below(bytes.len().max(1));
        let letter = *chance.pick(LETTERS);
        match chance.below(4) {
            0 if at < bytes.len() => bytes[at] = letter,
            1 if at < bytes.len() => {
                bytes.remove(at);
            }
            2 => bytes.truncate(at),
            _ => bytes.insert(at.min(bytes.len()), letter),
        }
    }
    bytes
}

fn arbitrary(chance: &mut Chance) -> Vec<u8> {
    (0..chance.below(90)).map(|_| u8::try_from(chance.below(256)).expect("a byte")).collect()
}

/// Reads a text as everything it could be; gives how many positions it was.
fn read_all(text: &str) -> usize {
    let _ = text.parse::<Action>();
    let _ = serde_json::from_str::<Event>(text);
    let readers: [fn(&str) -> Result<Position, _>; 4] = [
        Position::from_fen,
        Position::from_fen_chess960,
        Position::from_fen_defender,
        Position::from_gmo_form,
    ];
    let mut positions = 0;
    for read in readers {
        let Ok(mut position) = read(text) else { continue };
        positions += 1;
        let written = position.fen();
        let again =
            read(&written).unwrap_or_else(|error| panic!("{text:?} became {written:?}: {error}"));
        assert_eq!(again.fen(), written, "{text:?}");
        let actions = position.actions();
        assert!(position.outcome().is_some() || !actions.is_empty(), "{text:?}");
        assert!(actions.len() as u64 == perft(&position, 1) || position.as_gmo().is_some());
        let _ = (position.dests(), position.shelf(), position.hash(), position.check_square());
        if let Some(&action) = actions.first() {
            assert_eq!(position.resolve(action), Ok(action), "{text:?}");
            assert!(position.san(action).is_some() || position.as_gmo().is_some());
            // A wild GMO piece may refuse to move without its chance.
            let played = position.play(action).is_ok();
            assert!(played || position.as_gmo().is_some(), "{text:?} {action}");
        }
    }
    positions
}

#[test]
fn mutated_positions_are_read_or_refused() {
    let mut positions = 0;
    for case in 0..60_000 {
        let bytes = mutate(&mut Chance::new(case));
        positions += read_all(&String::from_utf8_lossy(&bytes));
    }
    assert!(positions > 1_000, "some mutants are still positions: {positions}");
}

#[test]
fn arbitrary_bytes_are_refused() {
    for case in 0..60_000 {
        let bytes = arbitrary(&mut Chance::new(case));
        assert_eq!(read_all(&String::from_utf8_lossy(&bytes)), 0);
    }
}
