//! Reading DNA: errors with their place, warnings, explanations, the report.

use rules::gmo::{CodonKind, Debuff, Genome, Look, check, explain, known_genomes};

const SEPARATOR: &str = "AHHHSHHAACHACHACHAHHA";

fn check_error(text: &str, code: &str, at: usize) {
    let error = Genome::parse(text).unwrap_err();
    assert_eq!((error.fault.code(), error.at), (code, at), "{text}");
    assert_eq!(Genome::from_bytes(text.as_bytes()).unwrap_err(), error);
}

#[test]
fn the_first_error_is_told_with_its_codon() {
    check_error(&" ".repeat(4_097), "E_INPUT_TOO_LONG", 0);
    check_error("", "E_EMPTY", 0);
    check_error(" \n\t\u{2003}\u{85}", "E_EMPTY", 0);
    check_error("AHHHSx", "E_ALPHABET", 1);
    check_error("ahh", "E_ALPHABET", 0);
    check_error("AHH\u{1c}", "E_ALPHABET", 1);
    check_error("AHHé", "E_ALPHABET", 1);
    check_error(&"AHH".repeat(167), "E_TOO_LONG", 166);
    check_error(&format!("{}x", "AHH".repeat(167)), "E_ALPHABET", 167);
    check_error("SSSSA", "E_LENGTH", 1);
    check_error("SSS", "E_START", 0);
    check_error("AHH AHH", "E_OWNER", 1);
    check_error("AHH HSH HHH", "E_OWNER", 2);
    check_error("AHH HAA HAA", "E_DEBUFF_REPEAT", 2);
    check_error(&format!("{SEPARATOR}SAS AHH HAA"), "E_DEBUFF_REPEAT", 9);
    check_error("AHH HSH HSH AHH", "E_EFFECT", 3);
    check_error("AHH HSH HSH HHH HHA", "E_EFFECT", 4);
    check_error("AHH HSH HSH HHH HHH HHH AHH", "E_END", 6);
    check_error("AHH", "E_TRUNCATED", 1);
    check_error("AHH HSH HSH HHH HHH HHH", "E_TRUNCATED", 6);
    check_error(&format!("{SEPARATOR}SAS HHA"), "E_MOVE", 8);
    check_error(&format!("{SEPARATOR}SAS SAS SAS SAS SAS"), "E_BODY_LONG", 11);
    check_error(&format!("{SEPARATOR}SAS SAS SAS SAS SHS"), "E_MOVE", 11);
    check_error(SEPARATOR, "E_BODY_EMPTY", 7);
    check_error(&format!("{SEPARATOR}{SEPARATOR}SAS"), "E_BODY_EMPTY", 7);
}

#[test]
fn the_longest_dna_is_read() {
    let block = "AHHHSHHSHCHACHACHAHHASAS";
    let long = format!("{}{}", block.repeat(20), "SASSASSAS");
    assert_eq!(Genome::parse(&long).unwrap().blocks().len(), 20);
    assert_eq!(Genome::parse(&block.repeat(20)).unwrap().dna().len(), 480);
    let padded = format!("{block}{}", " ".repeat(4_096 - block.len()));
    assert_eq!(Genome::parse(&padded).unwrap().dna(), block);
}

#[test]
fn bytes_that_are_no_text_are_no_dna() {
    let error = Genome::from_bytes(b"AHH\xff\xfe").unwrap_err();
    assert_eq!((error.fault.code(), error.at), ("E_ALPHABET", 1));
    assert_eq!(Genome::from_bytes(&[0xff; 4_096]).unwrap_err().fault.code(), "E_ALPHABET");
    assert_eq!(Genome::from_bytes(&[0xff; 4_097]).unwrap_err().fault.code(), "E_INPUT_TOO_LONG");
}

#[test]
fn white_space_does_not_change_the_genome() {
    let spaced = Genome::parse("AHH HSH\tHAA\nCHA CHA CHA\u{a0}HHA SAS AAA AAA AAA").unwrap();
    assert_eq!(spaced.code(), "1c1736");
    assert_eq!(spaced, *known_genomes()[0].genome);
}

#[test]
fn every_debuff_is_known_by_its_codon() {
    for debuff in Debuff::ALL {
        let genome = Genome::parse(&format!("AHH{}HSHHHHHHHCHAHHASAS", debuff.codon())).unwrap();
        assert_eq!(genome.debuffs().iter().collect::<Vec<_>>(), [debuff]);
    }
}

#[test]
fn odd_genomes_have_warnings() {
    let check = |dna: &str, expected: &[&str]| {
        let codes: Vec<&str> =
            Genome::parse(dna).unwrap().warnings().iter().map(|w| w.code()).collect();
        assert_eq!(codes, expected, "{dna}");
    };
    for known in known_genomes() {
        check(known.genome.dna(), &[]);
    }
    check("AHH HSH HAA CHA CHA CHA HHA CAS", &["W_IMMOBILE", "W_DEAD_BLOCK"]);
    check("AHH HSH HAA HHH HHH HHH HHA SAS", &["W_IMMOBILE"]);
    check("AHH HCS HCA CHA CHA CHA HHA SAS", &["W_IMMOBILE"]);
    check("AHH HSH HAA CHA CHA SHA HHA SAS", &["W_S_ON_EMPTY"]);
    check("AHH HSH HSH CHC CHA CHA HHA SAS", &["W_GIVES_AWAY"]);
    check("AHH HSH HSH CHC CHC AHC HHA SAS", &[]);
    check("AHH HSH HAA CHA CHA CHA HHA SAS AHH HSH HAC CHA CHA CHA HHA AAA", &["W_DEAD_BLOCK"]);
}

#[test]
fn every_codon_of_a_genome_is_explained() {
    for known in known_genomes() {
        let notes = known.genome.explain();
        let codons: String = notes.iter().map(|note| note.codon.as_str()).collect();
        assert_eq!(codons, known.genome.dna());
        assert!(notes.iter().all(|note| known.genome.dna()[note.letters.clone()] == note.codon));
        let blocks = notes.iter().filter(|note| note.kind == CodonKind::Start).count();
        assert_eq!(blocks, known.genome.blocks().len());
    }
}

#[test]
fn a_wrong_text_is_explained_up_to_its_error() {
    let check = |text: &str, notes: usize| {
        let explanation = explain(text);
        assert_eq!(explanation.notes.len(), notes, "{text}");
        assert!(explanation.error.is_some());
    };
    check("AHH HSH HAA CHA xxx", 4);
    check("AHH HSH HAA CHA SSS HHA", 4);
    check(&format!("{SEPARATOR}SASSASSASSASSAS"), 11);
    check("AHH HSH HS", 2);
    check("", 0);
    assert_eq!(explain("AHH HSH HAA CHA CHA CHA HHA SAS").error, None);
}

#[test]
fn the_report_shows_code_blocks_and_warnings() {
    let report = check(&format!("{SEPARATOR}SAS CAS"));
    assert!(report.is_valid());
    let expected = "\
code      45df44
sha       45df4421f662960eb77561a24ff7a9a125dbcb1d9d642e9ba9f96914bdd70060
dna       AHHHSHHAACHACHACHAHHASASCAS
letters   27 (9 codons)
debuffs   NOWRAP       the side edges of the board are not joined
block 1
  owners  origin the enemy's, landing square the mover's
  own     CHA  moves there, taking what stands there
  enemy   CHA  moves there, taking what stands there
  empty   CHA  moves there, taking what stands there
  steps   1* 1  (* may stop there)
warnings  none
";
    assert_eq!(report.to_string(), expected);
}

#[test]
fn the_report_points_at_the_wrong_codon() {
    let report = check("AHHHSHHAACHASSSCHAHHASAS");
    assert!(!report.is_valid());
    let expected = "\
E_EFFECT at codon 4: an effect is HHH, or H between two of A, S, C
  AHH HSH HAA CHA SSS CHA HHA SAS
                  ^^^
";
    assert_eq!(report.to_string(), expected);
    let late = check(&format!("{SEPARATOR}SASSASSASSASSAS")).to_string();
    assert!(late.lines().nth(1).unwrap().contains("… "), "{late}");
    let (codons, mark) = (late.lines().nth(1).unwrap(), late.lines().nth(2).unwrap());
    assert_eq!(mark.trim_end().chars().count(), codons.chars().count());
}

#[test]
fn the_report_does_not_command_the_terminal() {
    let report = check("AHH\u{1b}[31m\u{7}").to_string();
    assert!(report.chars().all(|letter| letter == '\n' || !letter.is_control()), "{report:?}");
}

#[test]
fn a_look_depends_on_the_genome_and_on_the_servers_key() {
    let [rook, knight, ..] = known_genomes() else { panic!("there are six known genomes") };
    let look = Look::of(&rook.genome, b"key");
    assert_eq!(look, Look::of(&Genome::parse(rook.genome.dna()).unwrap(), b"key"));
    assert_ne!(look, Look::of(&knight.genome, b"key"));
    assert_ne!(look, Look::of(&rook.genome, b"other key"));
}
