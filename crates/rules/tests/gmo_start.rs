//! Facts about the built-in genomes, presets and the starting array.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::sync::Arc;

use rules::gmo::{
    CLASSIC_PRESET, CodeBook, DEFAULT_PRESET, Genome, GmoPosition, KNOWN_PRESETS, KnownPreset,
    Preset, PresetText, known_genomes, perft, start_position,
};
use shakmaty::{Bitboard, ByColor, Square};

fn resolve(known: KnownPreset) -> Preset {
    let text = PresetText::parse(known.name).unwrap();
    let find = |code: &str| known_genomes().iter().find(|known| known.code == code);
    text.resolve(|code| find(code.as_str()).map(|known| Arc::clone(&known.genome))).unwrap()
}

fn start(known: KnownPreset, white_king: Square) -> GmoPosition {
    let preset = resolve(known);
    let kings = ByColor {
        white: Bitboard::from(white_king),
        black: Bitboard::from(white_king.flip_vertical()),
    };
    start_position(&ByColor { white: preset.clone(), black: preset }, kings).unwrap()
}

#[test]
fn both_presets_have_the_published_numbers_of_move_sequences() {
    for position in [start(DEFAULT_PRESET, Square::D1), start(CLASSIC_PRESET, Square::E1)] {
        let counts: Vec<u64> = (1..=4).map(|depth| perft(&position, depth)).collect();
        assert_eq!(counts, [19, 342, 7_069, 147_414]);
    }
}

#[test]
fn the_built_in_genomes_and_presets_have_the_published_codes() {
    let mut book = CodeBook::new();
    for known in known_genomes() {
        assert_eq!(known.genome.code(), known.code, "{}", known.name);
        assert_eq!(book.assign(known.genome.sha()).as_str(), known.code);
        assert_eq!(Genome::parse(known.genome.dna()).unwrap(), *known.genome);
    }
    for known in KNOWN_PRESETS {
        let text = PresetText::parse(known.text).unwrap();
        assert_eq!((text.code().as_str(), text.to_string().as_str()), (known.code, known.text));
    }
}
