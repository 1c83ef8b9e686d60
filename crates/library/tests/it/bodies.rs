//! A packed game comes out as it went in.

use library::Record;
use library::body::{Packer, digest, unpack};
use proptest::prelude::*;
use rules::pgn::Game;

use crate::corpus;

fn check(games: &[Game]) -> usize {
    let mut packer = Packer::default();
    games
        .iter()
        .map(|game| {
            let bytes = packer.pack(game).unwrap();
            assert_eq!(&unpack(&bytes).unwrap(), game);
            assert_eq!(packer.pack_with(game, &Record::of(game)).unwrap(), bytes);
            bytes.len()
        })
        .sum()
}

#[test]
fn every_game_of_the_sample_comes_back_in_less_than_half_the_room() {
    let text = corpus::sample_text();
    let packed = check(&corpus::games(&text));
    assert!(packed * 2 < text.len(), "{packed} of {}", text.len());
}

#[test]
fn comments_variations_clocks_and_variants_come_back() {
    let mut text = corpus::ODD.to_owned();
    text.push_str("[Variant \"ChessDefender\"]\n\n1. K@e1 K@e8 *\n\n");
    check(&corpus::games(text.as_bytes()));
}

#[test]
fn big_files_with_clocks_and_engine_lines_come_back() {
    let Some(folder) = corpus::folder("bodies of the big files") else { return };
    for name in ["lichess-2025-05.pgn.zst", "tcec-sample.pgn.zst"] {
        check(&corpus::games(&corpus::unpacked(&folder.join(name))));
    }
}

#[test]
fn games_that_differ_have_different_digests() {
    let mut games = corpus::games(&corpus::sample_text());
    games.extend(corpus::games(corpus::ODD.as_bytes()));
    let mut digests: Vec<u64> = games.iter().map(digest).collect();
    digests.sort_unstable();
    digests.dedup();
    assert_eq!(digests.len(), games.len());
}

#[test]
fn comments_do_not_make_another_game() {
    let with = corpus::games(b"[White \"A\"]\n\n1. e4 {best} e5 (1... c5) *");
    let without = corpus::games(b"[White \"A\"]\n[Annotator \"B\"]\n\n1. e4 e5 *");
    assert_eq!(digest(&with[0]), digest(&without[0]));
}

proptest! {
    #[test]
    fn bytes_from_anywhere_are_refused_or_read(bytes in proptest::collection::vec(any::<u8>(), 0..400), form in 0_u8..5) {
        let mut bytes = bytes;
        bytes.insert(0, form);
        let _ = unpack(&bytes);
    }

    #[test]
    fn damaged_games_are_refused_or_read(at in 0_usize..300, byte: u8, game in 0_usize..15) {
        let games = corpus::games(corpus::ODD.as_bytes());
        let mut bytes = Packer::default().pack(&games[game]).unwrap();
        let at = at % bytes.len();
        bytes[at] = byte;
        let _ = unpack(&bytes);
    }
}
