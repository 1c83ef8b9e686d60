//! Facts about the built-in genomes, presets and the starting array.

use rules::gmo::{
    CLASSIC_PRESET, CodeBook, DEFAULT_PRESET, Genome, KNOWN_PRESETS, PresetText, divide,
    known_genomes, known_start, perft,
};

#[test]
fn both_presets_have_the_published_numbers_of_move_sequences() {
    for known in [DEFAULT_PRESET, CLASSIC_PRESET] {
        let start = known_start(known);
        let counts: Vec<u64> = (1..=4).map(|depth| perft(&start, depth)).collect();
        assert_eq!(counts, [19, 342, 7_069, 147_414], "{}", known.name);
        assert_eq!(divide(&start, 3).map(|(_, count)| count).sum::<u64>(), 7_069);
    }
}

#[test]
fn the_first_moves_are_those_of_pawns_knights_and_own_captures() {
    let start = known_start(DEFAULT_PRESET);
    let moves: Vec<String> = divide(&start, 1).map(|(chosen, _)| chosen.to_string()).collect();
    let count =
        |origins: &str| moves.iter().filter(|chosen| origins.contains(&chosen[..2])).count();
    assert_eq!(count("b1 g1"), 4, "knights");
    assert_eq!(count("a1 h1"), 4, "rooks take own pieces");
    assert_eq!(count("e1"), 3, "the queen takes own pieces");
    assert_eq!(count("a2 b2 c2 d2 e2 f2 g2 h2"), 8, "pawns");
    assert_eq!(moves.len(), 19);
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
