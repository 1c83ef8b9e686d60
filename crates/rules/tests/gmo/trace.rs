//! What a learner is shown of a genome is what the genome does.

use std::collections::BTreeSet;
use std::sync::Arc;

use rules::gmo::{Genome, Lab, Seed, Specimen, known_genomes};
use shakmaty::{Color, Square};

/// The squares at which the walks of all blocks may stop, the origin left out: there the piece itself stands.
fn traced(genome: &Genome, origin: Square) -> BTreeSet<Square> {
    let walks = (0..genome.blocks().len()).flat_map(|block| genome.trace(block, origin));
    let stops = walks.flatten().filter(|stop| stop.colouring && stop.square != origin);
    stops.map(|stop| stop.square).collect()
}

/// The squares the rules name, on a board with nothing else.
fn reached(genome: &Genome, origin: Square) -> BTreeSet<Square> {
    let mut lab = Lab::new(Seed([0; 32]));
    let genome = Arc::new(genome.clone());
    lab.place(origin, Specimen { genome, owner: Color::White, pawn: false, king: false }).unwrap();
    lab.targets(origin).iter().map(|target| target.square).filter(|to| *to != origin).collect()
}

#[test]
fn the_walks_of_the_pieces_that_are_not_filtered_stop_where_they_can_go() {
    for name in ["rook", "knight", "king"] {
        let known = known_genomes().iter().find(|known| known.name == name).unwrap();
        for origin in Square::ALL {
            assert_eq!(
                traced(&known.genome, origin),
                reached(&known.genome, origin),
                "{name} {origin}"
            );
        }
    }
}

#[test]
fn a_joined_edge_is_walked_around() {
    let rook = Genome::parse("AHH HSH HAC CHA CHA CHA HHA SAS AAA AAA AAA").unwrap();
    assert!(traced(&rook, Square::A1).contains(&Square::H1));
    assert!(rook.trace(7, Square::A1).is_empty(), "there is no eighth block");
}

#[test]
fn a_mutation_changes_one_letter_and_follows_from_its_seed() {
    for known in known_genomes() {
        for n in 0..20 {
            let mutated = known.genome.mutated(&Seed([n; 32]));
            assert_eq!(mutated, known.genome.mutated(&Seed([n; 32])));
            let Some(mutated) = mutated else { continue };
            let letters = known.genome.dna().bytes().zip(mutated.dna().bytes());
            assert_eq!(letters.filter(|(a, b)| a != b).count(), 1, "{}", known.name);
        }
    }
}
