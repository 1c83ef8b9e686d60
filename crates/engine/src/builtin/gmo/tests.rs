//! The engine's own idea of GMO chess agrees with the rules.

use std::sync::Arc;

use rules::gmo::{Debuff, Genome, GmoPosition, Move, Preset, Seed, known_genomes, start_position};
use rules::shakmaty::{Bitboard, ByColor, Rank};

use super::super::random::Random;
use super::super::world::{Wanted, World};
use super::{Board, Workshop};

/// A DNA by chance, of up to three blocks.
fn random_genome(random: &mut Random) -> Arc<Genome> {
    const LETTERS: [char; 3] = ['S', 'A', 'C'];
    let mut debuffs = Debuff::ALL.to_vec();
    let mut dna = String::new();
    for _ in 0..=random.below(3) {
        dna.push_str("AHH");
        for _ in 0..2 {
            if random.happens(45) && !debuffs.is_empty() {
                let taken = random.below(debuffs.len());
                dna.push_str(debuffs.swap_remove(taken).codon());
            } else {
                dna.push_str("HSH");
            }
        }
        for _ in 0..3 {
            let mut letter = || LETTERS[random.below(3)];
            let (x, y) = (letter(), letter());
            let effect = if random.happens(30) { "HHH".to_owned() } else { format!("{x}H{y}") };
            dna.push_str(&effect);
        }
        dna.push_str("HHA");
        for _ in 0..=random.below(4) {
            dna.extend((0..3).map(|_| LETTERS[random.below(3)]));
        }
    }
    Arc::new(Genome::parse(&dna).unwrap())
}

fn random_start(random: &mut Random) -> GmoPosition {
    let mut preset = || {
        Preset(std::array::from_fn(|_| {
            if random.happens(40) {
                Arc::clone(&known_genomes()[random.below(5)].genome)
            } else {
                random_genome(random)
            }
        }))
    };
    let presets = ByColor { white: preset(), black: preset() };
    let files = Bitboard((1 << random.below(8)) | (1 << random.below(8)));
    let kings = ByColor { white: files & Rank::First, black: files.flip_vertical() };
    start_position(&presets, kings).unwrap()
}

/// The moves of both, and the key.
fn check(position: &GmoPosition, board: &Board<'_>) {
    let mut list = Vec::new();
    board.moves(Wanted::All, &mut list);
    let mut ours: Vec<(_, _, _)> =
        list.iter().map(|ranked| (ranked.m.from, ranked.m.to, ranked.m.block)).collect();
    let mut theirs: Vec<(_, _, _)> = position
        .legal_moves()
        .flat_map(|(from, targets)| {
            targets.iter().map(|target| (from, target.square, target.block)).collect::<Vec<_>>()
        })
        .collect();
    ours.sort_unstable();
    theirs.sort_unstable();
    if position.end().is_none() {
        assert_eq!(ours, theirs, "{position}");
        assert_eq!(board.key(), position.hash(), "{position}");
    }
}

#[test]
fn moves_and_keys_are_those_of_the_rules_for_any_genomes() {
    let mut random = Random::new(7, 7);
    let mut workshop = Workshop::default();
    let mut compared = 0;
    for game in 0..120 {
        let mut position = random_start(&mut random);
        let seed = Seed([game; 32]);
        while position.end().is_none() && position.ply() < 60 {
            let army = workshop.equip(&position);
            let board = Board::new(&position, &army);
            check(&position, &board);
            let moves: Vec<(_, _)> = position
                .legal_moves()
                .flat_map(|(from, targets)| {
                    targets.iter().map(|target| (from, *target)).collect::<Vec<_>>()
                })
                .collect();
            let (from, target) = moves[random.below(moves.len())];
            let chosen = Move { origin: from, target: target.square };
            let luck = position.roll(chosen, &seed).unwrap();
            let m = super::GmoMove { from, to: target.square, block: target.block };
            let landing = luck.landing.unwrap_or(target.square);
            let mutated = luck.mutation.is_some();
            let played = board.play(m, landing).unwrap();
            position.play(chosen, &luck).unwrap();
            let promotes = !position.promotions().is_empty();
            while let Some(at) = position.promotions().next() {
                position.promote_listed(at, army.best_number()).unwrap();
            }
            match position.end() {
                Some(_) if promotes || mutated => {}
                Some(end) => {
                    let mut list = Vec::new();
                    played.moves(Wanted::All, &mut list);
                    let ended = played.end().or(list.is_empty().then(|| played.without_moves()));
                    let winner = end.winner().map(|winner| winner == played.turn);
                    let expected = match winner {
                        Some(true) => super::End::Win,
                        Some(false) => super::End::Loss,
                        None => super::End::Draw,
                    };
                    assert_eq!(ended, Some(expected), "{position}");
                }
                None if !mutated => assert_eq!(played.key(), position.hash(), "{position}"),
                None => {}
            }
            compared += 1;
        }
    }
    assert!(compared > 1_500, "only {compared} positions were compared");
}

#[test]
fn values_of_the_known_genomes_are_those_of_chess_by_and_large() {
    let mut workshop = Workshop::default();
    let position = rules::Position::gmo_default();
    let position = position.as_gmo().unwrap();
    let army = workshop.equip(position);
    let worth = |name: &str| {
        let genome = &known_genomes().iter().find(|known| known.name == name).unwrap().genome;
        let index = position.genomes().find(genome).unwrap();
        army.worth(army.place(position, index).unwrap())
    };
    let values = ["pawn", "knight", "bishop", "rook", "queen", "king"].map(worth);
    let [pawn, knight, bishop, rook, queen, king] = values;
    assert!(pawn < knight && knight < rook && bishop < rook && rook < queen, "{values:?}");
    assert!((40..90).contains(&pawn) && (250..360).contains(&knight), "{values:?}");
    assert!((270..420).contains(&bishop) && (400..560).contains(&rook), "{values:?}");
    assert!((650..950).contains(&queen) && (280..420).contains(&king), "{values:?}");
}
