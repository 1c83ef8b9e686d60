//! Codes and their collisions, aliases, presets and house rules.

use std::sync::Arc;

use rules::gmo::{
    Code, CodeBook, Genome, HouseRules, KingError, Preset, PresetError, PresetText, Sha,
    check_kings, find_alias, find_code, find_original_code, known_genomes,
};
use shakmaty::{Bitboard, Color, File, Square};

/// A hash that begins with these digits.
fn sha(digits: &str) -> Sha {
    let padded = format!("{digits:0<64}");
    let byte = |at: usize| u8::from_str_radix(&padded[2 * at..2 * at + 2], 16).unwrap();
    Sha(std::array::from_fn(byte))
}

fn code(text: &str) -> Code {
    Code::parse(text).unwrap()
}

#[test]
fn the_first_hash_keeps_the_short_code_and_later_ones_get_longer_ones() {
    let mut book = CodeBook::new();
    assert_eq!(book.assign(sha("abcdef11")).as_str(), "abcdef");
    assert_eq!(book.assign(sha("abcdef12")).as_str(), "abcdef12");
    assert_eq!(book.assign(sha("abcdef2")).as_str(), "abcdef2");
    assert_eq!(book.assign(sha("abcdef113")).as_str(), "abcdef113");
    assert_eq!(book.assign(sha("abcdef12")).as_str(), "abcdef12", "a code is for ever");
    assert_eq!(book.len(), 4);
}

#[test]
fn a_text_finds_its_exact_code_or_a_unique_longer_beginning() {
    let mut book = CodeBook::new();
    let hashes = ["abcdef11", "abcdef12", "123456aa"].map(sha);
    for sha in hashes {
        book.assign(sha);
    }
    let check =
        |text: &str, expected: Option<Sha>| assert_eq!(book.find(&code(text)), expected, "{text}");
    check("abcdef", Some(hashes[0]));
    check("ABCDEF", Some(hashes[0]));
    check("abcdef1", None);
    check("abcdef11", Some(hashes[0]));
    check("abcdef12", Some(hashes[1]));
    check("123456a", Some(hashes[2]));
    check("123456ab", None);
    check(&hashes[2].to_string(), Some(hashes[2]));
    check("fedcba", None);
}

#[test]
fn codes_read_from_a_store_stay_as_they_are() {
    let mut book = CodeBook::new();
    assert!(book.restore(sha("abcdef12"), code("abcdef12")));
    assert!(!book.restore(sha("abcdef12"), code("abcdef")), "it has a code");
    assert!(!book.restore(sha("123456"), code("654321")), "the code is not its beginning");
    assert_eq!(book.assign(sha("abcdef13")).as_str(), "abcdef");
}

#[test]
fn a_code_is_6_to_64_digits_or_a_name() {
    for wrong in ["", "abcde", "abcdeg", "sniaf1", &"a".repeat(65), "ábcdef", " 1c1736"] {
        assert!(Code::parse(wrong).is_err(), "{wrong}");
    }
    assert_eq!(code("queen").as_str(), "0c5567");
    assert_eq!(code("Kralovna").as_str(), "0c5567");
    assert_eq!(code("1C1736").as_str(), "1c1736");
}

#[test]
fn known_genomes_are_found_by_both_names_and_by_the_original_code() {
    for known in known_genomes() {
        assert_eq!(find_alias(known.name).unwrap().code, known.code);
        assert_eq!(find_alias(known.slovak_name).unwrap().code, known.code);
        assert_eq!(find_original_code(known.original_code).unwrap().code, known.code);
    }
    assert!(find_alias("dama").is_none());
    assert!(find_original_code("1c1736").is_none());
}

fn resolve(text: &str) -> Result<Preset, PresetError> {
    PresetText::parse(text)?
        .resolve(|code| find_code(code.as_str()).map(|known| Arc::clone(&known.genome)))
}

#[test]
fn a_preset_is_eight_codes_that_are_stored() {
    let check =
        |text: &str, code: &str| assert_eq!(resolve(text).unwrap_err().code(), code, "{text}");
    check("", "P_COUNT");
    check("rook-rook", "P_COUNT");
    check(&["rook"; 9].join("-"), "P_COUNT");
    check("rook-rook-rook-rook-rook-rook-rook-x", "P_CODE_FORMAT");
    check("rook-rook-rook-rook-rook-rook-rook-", "P_CODE_FORMAT");
    check("rook-rook-rook-rook-rook-rook-rook-abcdef", "P_UNKNOWN_GENOME");
    let named = "veza-kon-strelec-kral-queen-bishop-knight-rook";
    assert_eq!(resolve(named).unwrap(), resolve("default").unwrap());
    assert_eq!(PresetText::parse(named).unwrap().code(), "946bda");
}

#[test]
fn one_preset_has_one_text_however_its_codes_are_written() {
    let mut book = CodeBook::new();
    for known in known_genomes() {
        book.assign(known.genome.sha());
    }
    let rook = known_genomes()[0].genome.sha();
    let written = format!("{}-knight-17DCF1-king-queen-bishop-knight-{}", rook, rook.prefix(9));
    let canonical = PresetText::parse(&written).unwrap().canonical(&book).unwrap();
    assert_eq!(canonical, PresetText::parse("default").unwrap());
    let unknown = PresetText::parse(&["abcdef"; 8].join("-")).unwrap().canonical(&book);
    assert_eq!(unknown, Err(PresetError::UnknownGenome { file: File::A }));
}

/// The default preset with another genome on one file.
fn preset_with(file: File, dna: &str) -> Preset {
    let mut preset = resolve("default").unwrap();
    preset.0[file.to_usize()] = Arc::new(Genome::parse(dna).unwrap());
    preset
}

#[test]
fn rated_games_refuse_a_preset_that_can_strike_first() {
    let striker = "AHHHSHHSHHHHCHACHAHHAAAACSASACCAS";
    let preset = preset_with(File::A, striker);
    let hits = Bitboard::from_iter([Square::B7, Square::C8, Square::G8, Square::H7]);
    assert_eq!(
        HouseRules::RATED.check(&preset),
        Err(PresetError::FirstStrike { file: File::A, hits })
    );
    assert_eq!(HouseRules::CASUAL.check(&preset), Ok(()));
    for name in ["default", "classic"] {
        assert_eq!(HouseRules::RATED.check(&resolve(name).unwrap()), Ok(()));
    }
}

#[test]
fn rated_games_refuse_genomes_with_more_than_three_blocks() {
    let block = "AHHHSHHSHHHHCHACHAHHASAS";
    let check = |blocks: usize, expected| {
        let preset = preset_with(File::C, &block.repeat(blocks));
        assert_eq!(HouseRules::RATED.check(&preset), expected);
    };
    check(3, Ok(()));
    check(4, Err(PresetError::MaxBlocks { file: File::C, blocks: 4, limit: 3 }));
}

#[test]
fn kings_are_marked_on_own_pieces() {
    let check = |squares: &[Square], expected: Option<&str>| {
        let marks = squares.iter().copied().collect();
        assert_eq!(check_kings(Color::Black, marks).err().map(KingError::code), expected);
    };
    check(&[Square::E8], None);
    check(&[Square::A7, Square::H8], None);
    check(&[], Some("K_NONE"));
    check(&[Square::E1], Some("K_NOT_OWN"));
    check(&[Square::E4], Some("K_EMPTY_SQUARE"));
}
