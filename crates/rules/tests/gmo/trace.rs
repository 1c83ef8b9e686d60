//! What a learner is shown of a genome is what the genome does.

use std::collections::BTreeSet;
use std::sync::Arc;

use rules::gmo::{Genome, Lab, Occupant, Seed, Specimen, Target, known_genomes};
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

/// Whether the rules name this target of a white piece when nothing else is on the board than this on the target.
fn is_target(genome: &Genome, origin: Square, wanted: Target, occupant: Occupant) -> bool {
    let mut lab = Lab::new(Seed([0; 32]));
    let piece = |owner| {
        let genome = Arc::new(genome.clone());
        Specimen { genome, owner, pawn: false, king: false }
    };
    match occupant {
        Occupant::Own => lab.place(wanted.square, piece(Color::White)).unwrap(),
        Occupant::Enemy => lab.place(wanted.square, piece(Color::Black)).unwrap(),
        Occupant::Empty => {}
    }
    lab.place(origin, piece(Color::White)).unwrap();
    lab.targets(origin).contains(&wanted)
}

#[test]
fn what_is_reached_by_a_move_a_capture_and_onto_an_own_piece_is_what_the_rules_allow_there() {
    let pawn_like = "AHHHSHHAAHHHHHHCHAHHASASAHHHSHHACHHHCHAHHHHHACASSAS";
    let near_and_forward = "AHHHASHSSCHACHACHAHHASASAAAAAAAAA";
    let made = [pawn_like, near_and_forward].map(|dna| Genome::parse(dna).unwrap());
    let known = known_genomes().iter().map(|known| known.genome.as_ref());
    for genome in known.chain(made.iter()) {
        for (origin, occupant) in
            [Square::A1, Square::D4, Square::H7].into_iter().flat_map(|origin| {
                [Occupant::Own, Occupant::Enemy, Occupant::Empty].map(|o| (origin, o))
            })
        {
            let reach = genome.reach(origin, occupant);
            for (square, block) in
                Square::ALL.into_iter().flat_map(|square| (0..2).map(move |block| (square, block)))
            {
                // What stands on the origin is the piece itself, whatever is asked.
                if square == origin && occupant != Occupant::Own {
                    continue;
                }
                let target = Target { square, block };
                let expected = is_target(genome, origin, target, occupant);
                assert_eq!(
                    reach.contains(&target),
                    expected,
                    "{} {origin} {target:?}",
                    genome.dna()
                );
            }
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
