//! The genomes and presets every server knows, with their names in English and in the original's Slovak.

use std::sync::{Arc, LazyLock};

use super::genome::Genome;

/// A built-in genome.
#[derive(Debug, Clone)]
pub struct KnownGenome {
    /// The English name, accepted wherever a code is.
    pub name: &'static str,
    /// The original program's name, accepted as well.
    pub slovak_name: &'static str,
    /// The code by the rules: the first six digits of the DNA's SHA-256.
    pub code: &'static str,
    /// The code the original program gave it, for imports only.
    pub original_code: &'static str,
    /// The compiled genome.
    pub genome: Arc<Genome>,
}

/// A built-in preset.
#[derive(Debug, Clone, Copy)]
pub struct KnownPreset {
    /// The name, accepted wherever a code is.
    pub name: &'static str,
    /// The code by the rules.
    pub code: &'static str,
    /// The text form.
    pub text: &'static str,
}

/// The preset of the original program: king on file d, queen on file e.
pub const DEFAULT_PRESET: KnownPreset = KnownPreset {
    name: "default",
    code: "946bda",
    text: "1c1736-fd6171-17dcf1-117a63-0c5567-17dcf1-fd6171-1c1736",
};

/// The preset in the order of chess.
pub const CLASSIC_PRESET: KnownPreset = KnownPreset {
    name: "classic",
    code: "7d8241",
    text: "1c1736-fd6171-17dcf1-0c5567-117a63-17dcf1-fd6171-1c1736",
};

/// All built-in presets.
pub const KNOWN_PRESETS: [KnownPreset; 2] = [DEFAULT_PRESET, CLASSIC_PRESET];

/// Name, Slovak name, code, the original's code, DNA.
const TABLE: [[&str; 5]; 6] = [
    ["rook", "veza", "1c1736", "sniaf1", "AHH HSH HAA CHA CHA CHA HHA SAS AAA AAA AAA"],
    ["knight", "kon", "fd6171", "1p5njh", "AHH HAA HAC HHH CHA CHA HHA CAC SAS AAC ACA"],
    ["bishop", "strelec", "17dcf1", "n4pc0t", "AHH HCS HAA HHH CHA CHA HHA CAS SAS ASS ACS"],
    ["king", "kral", "117a63", "heroq6", "AHH HAC HAA HHH CHA CHA HHA SAS SAS ACS AAC"],
    [
        "queen",
        "kralovna",
        "0c5567",
        "cdvw5z",
        "AHH HSH HAA HHH CHA CHA HHA CAS SAS ASS ACS AHH HSH HSC CHA CHA CHA HHA SAS AAA AAA AAA",
    ],
    [
        "pawn",
        "pesiak",
        "f3c854",
        "rkct3t",
        "AHH HAC HAS HHH HHH CHA HHA SAS AHH HSH HAA HHH CHA HHH HHA CAS SAS",
    ],
];

static KNOWN: LazyLock<Vec<KnownGenome>> = LazyLock::new(|| {
    TABLE
        .iter()
        .map(|&[name, slovak_name, code, original_code, dna]| {
            let genome = Arc::new(Genome::parse(dna).expect("the built-in DNA is valid"));
            KnownGenome { name, slovak_name, code, original_code, genome }
        })
        .collect()
});

/// All built-in genomes: rook, knight, bishop, king, queen, pawn.
pub fn known_genomes() -> &'static [KnownGenome] {
    &KNOWN
}

/// The built-in genome with this name, in either language, in any case.
pub fn find_alias(name: &str) -> Option<&'static KnownGenome> {
    let is_named = |known: &&KnownGenome| {
        known.name.eq_ignore_ascii_case(name) || known.slovak_name.eq_ignore_ascii_case(name)
    };
    KNOWN.iter().find(is_named)
}

/// The built-in genome with this code.
pub fn find_code(code: &str) -> Option<&'static KnownGenome> {
    KNOWN.iter().find(|known| known.code == code)
}

/// The built-in genome that had this code in the original program.
pub fn find_original_code(code: &str) -> Option<&'static KnownGenome> {
    KNOWN.iter().find(|known| known.original_code == code)
}

/// The genome that fills the second rank.
pub fn pawn_genome() -> &'static Arc<Genome> {
    &KNOWN.last().expect("the table ends with the pawn").genome
}

/// The built-in preset with this name.
pub fn find_preset_alias(name: &str) -> Option<KnownPreset> {
    KNOWN_PRESETS.into_iter().find(|preset| preset.name.eq_ignore_ascii_case(name))
}
