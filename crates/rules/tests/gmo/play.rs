//! Promotions, refusals, chance, clocks and the lab.

use std::sync::Arc;

use rules::gmo::{
    End, EventToken, FreezeClock, Genome, GenomeIndex, GmoPosition, Knowledge, Lab, Luck, Move,
    MoveToken, Seed, Specimen, Untimely, board_tokens, known_genomes,
};
use shakmaty::{Color, Square};

fn genome(name: &str) -> Arc<Genome> {
    Arc::clone(&known_genomes().iter().find(|known| known.name == name).unwrap().genome)
}

fn position(pieces: &str, turn: &str, genomes: &[&str]) -> GmoPosition {
    let genomes: Vec<String> = genomes.iter().map(|dna| dna.replace(' ', "")).collect();
    format!("gmo1 {pieces} {turn} 0 - {}", genomes.join(",")).parse().unwrap()
}

fn chosen(text: &str) -> Move {
    text.parse().unwrap()
}

const PAWN: &str = "AHHHACHASHHHHHHCHAHHASASAHHHSHHAAHHHCHAHHHHHACASSAS";
const KING: &str = "AHHHACHAAHHHCHACHAHHASASSASACSAAC";
/// Swaps places with a neighbour, each keeping its owner's enemy on the origin.
const SWAP: &str = "AHH HAA HAC SHA SHA CHA HHA SAS";

#[test]
fn a_pawn_on_its_last_rank_blocks_the_game_until_it_is_promoted() {
    let mut game = position("a1w1k,e7w0p,a8b1k", "w", &[PAWN, KING]);
    game.play(chosen("e7e8"), &Luck::NONE).unwrap();
    assert_eq!((game.turn(), game.actor()), (Color::Black, Color::White));
    assert_eq!(game.legal_moves().count(), 0);
    let refused = game.play(chosen("a8a7"), &Luck::NONE).unwrap_err();
    assert_eq!(refused.code(), "M_PROMOTION_PENDING");
    assert_eq!(game.check_promotion(Color::White, Square::A1).unwrap_err().code(), "R_SQUARE");
    assert_eq!(game.check_promotion(Color::Black, Square::E8).unwrap_err().code(), "R_NOT_YOURS");
    game.promote(Square::E8, genome("rook")).unwrap();
    assert_eq!(board_tokens(game.board()), ["a1w1k", "a8b1k", "e8w2"]);
    assert_eq!(game.actor(), Color::Black);
    assert_eq!(game.check_promotion(Color::White, Square::E8).unwrap_err().code(), "R_NONE");
    game.play(chosen("a8a7"), &Luck::NONE).unwrap();
}

#[test]
fn of_two_promotions_the_origin_comes_first_and_the_king_flag_stays() {
    let gift = "AHH HAA HAC SHA SHA AHA HHA SAS";
    let mut game = position("a1w1k,d8w0pk,a8b1k", "w", &[gift, KING]);
    game.play(chosen("d8e8"), &Luck::NONE).unwrap();
    assert_eq!(game.promotions().iter().collect::<Vec<_>>(), [Square::D8, Square::E8]);
    game.promote(Square::D8, genome("king")).unwrap();
    game.promote(Square::E8, genome("rook")).unwrap();
    assert_eq!(board_tokens(game.board()), ["a1w1k", "a8b1k", "d8w1k", "e8w2k"]);
}

#[test]
fn a_promotion_belongs_to_the_pawns_owner_even_if_the_other_side_moved() {
    let mut game = position("d1w0,h1w1k,d2b1p,a8b1k", "w", &[SWAP, KING]);
    game.play(chosen("d1d2"), &Luck::NONE).unwrap();
    // The pawn went to White with the swap, so it stands on White's first rank and goes on.
    assert!(game.promotions().is_empty());
    let give = "AHH HSH HAC SHA SHA CHA HHA SAS";
    let mut game = position("d1w0,h1w1k,d2b1p,a8b1k", "w", &[give, KING]);
    game.play(chosen("d1d2"), &Luck::NONE).unwrap();
    assert_eq!((game.promotions().next(), game.actor()), (Some(Square::D1), Color::Black));
}

#[test]
fn after_the_last_promotion_a_side_without_moves_has_lost() {
    let mut game = position("a1w1k,e7w0p,h8b0", "w", &[PAWN, KING]);
    game.play(chosen("e7e8"), &Luck::NONE).unwrap();
    assert_eq!(game.end(), None);
    game.promote(Square::E8, genome("rook")).unwrap();
    assert_eq!(game.end(), None, "the pawn on h8 steps to h7");
    let mut game = position("a1w1k,e7w0p,h7w1,h8b0", "w", &[PAWN, KING]);
    game.play(chosen("e7e8"), &Luck::NONE).unwrap();
    assert_eq!(game.end(), None);
    game.promote(Square::E8, genome("rook")).unwrap();
    assert_eq!(game.end().map(End::reason), Some("no_moves"));
    assert_eq!(game.promote(Square::E8, genome("rook")).unwrap_err().code(), "G_OVER");
}

#[test]
fn moves_are_refused_for_their_reason() {
    let game = position("a1w1k,e2w0p,a8b1k", "w", &[PAWN, KING]);
    let check = |actor, text: &str, code: &str| {
        assert_eq!(game.check_move(actor, chosen(text)).unwrap_err().code(), code, "{text}");
    };
    check(Color::Black, "a8a7", "M_NOT_YOUR_TURN");
    check(Color::White, "a8a7", "M_NOT_YOURS");
    check(Color::White, "e4e5", "M_NO_PIECE");
    check(Color::White, "e2e4", "M_TARGET");
    assert!(game.check_move(Color::White, chosen("e2e3")).is_ok());
}

/// Walks one square and lands beside its target, changing a letter.
const WILD: &str = "AHH HSA HCC CHA CHA CHA HHA SAS";

#[test]
fn the_same_seed_and_ply_give_the_same_luck_and_a_log_replays_it() {
    let game = position("a1w1k,d4w0,a8b1k", "w", &[WILD, KING]);
    let seed = Seed([7; 32]);
    let luck = game.roll(chosen("d4d5"), &seed).unwrap();
    assert_eq!(luck, game.roll(chosen("d4d5"), &seed).unwrap());
    assert_ne!(luck, game.roll(chosen("d4d5"), &Seed([8; 32])).unwrap());
    let landing = luck.landing.unwrap();
    assert_eq!(landing.distance(Square::D5), 1);

    let mut first = game.clone();
    let played = first.play(chosen("d4d5"), &luck).unwrap();
    let token = MoveToken::from(played);
    let read: EventToken = token.to_string().parse().unwrap();
    assert_eq!(read, EventToken::Move(token));

    let mut again: GmoPosition =
        position("a1w1k,d4w0,a8b1k", "w", &[WILD, KING, luck.mutation.as_ref().unwrap().dna()]);
    let recorded = again.recorded_luck(token).unwrap();
    again.play(chosen("d4d5"), &recorded).unwrap();
    assert_eq!(again, first);
}

#[test]
fn luck_that_cannot_have_happened_is_refused() {
    let game = position("a1w1k,d4w0,a8b1k", "w", &[WILD, KING]);
    let mutated = game.roll(chosen("d4d5"), &Seed([7; 32])).unwrap().mutation;
    let check = |text: &str, luck: Luck| {
        assert_eq!(game.clone().play(chosen(text), &luck).unwrap_err().code(), "M_LUCK");
    };
    check("d4d5", Luck::NONE);
    check("d4d5", Luck { landing: Some(Square::D5), mutation: None });
    check("d4d5", Luck { landing: Some(Square::H8), mutation: None });
    check("d4d5", Luck { landing: Some(Square::D6), mutation: Some(genome("rook")) });
    check("a1a2", Luck { landing: Some(Square::A3), mutation: None });
    check("a1a2", Luck { landing: None, mutation: mutated });
}

#[test]
fn a_commitment_is_the_hash_of_the_seed() {
    let zero = Seed([0; 32]).commitment().to_string();
    assert_eq!(zero, "66687aadf862bd776c8fc18b8e9f8e20089714856ee233b3902a591d0d5f2925");
}

#[test]
fn a_position_is_repeated_when_pieces_look_alike_by_dna_and_the_same_side_moves() {
    let mut game = position("a1w0k,a8b1k", "w", &[KING, KING]);
    let start = game.clone();
    for text in ["a1a2", "a8a7", "a2a1", "a7a8"] {
        assert!(!game.is_repetition_of(&start) || text == "a1a2");
        game.play(chosen(text), &Luck::NONE).unwrap();
    }
    assert!(game.is_repetition_of(&start));
    assert_eq!(game.hash(), start.hash());
    let unified = position("a1w1k,a8b0k", "w", &[KING, KING]);
    assert!(unified.is_repetition_of(&start));
    assert_eq!(unified.hash(), start.hash());
    for other in ["a1w0k,a8b1", "a1w0k,a8b1pk", "a1w0k,b8b1k", "a1w0k,a8w1k"] {
        let other = position(other, "w", &[KING, KING]);
        assert!(!other.is_repetition_of(&start));
        assert_ne!(other.hash(), start.hash());
    }
    assert_ne!(position("a1w0k,a8b1k", "b", &[KING, KING]).hash(), start.hash());
}

/// Walks one square; every move freezes the game.
const FREEZER: &str = "AHH HSC HAC CHA CHA CHA HHA SAS";

#[test]
fn a_freezing_move_costs_its_mover_five_seconds_and_nobody_may_act_meanwhile() {
    let mut game = position("a1w0k,d4w0,a8b1k", "w", &[FREEZER, KING]);
    let mut clock = FreezeClock::new(20_000);
    clock.arrive(Color::White, 1_000).unwrap();
    let played = game.play(chosen("d4d5"), &Luck::NONE).unwrap();
    assert_eq!(clock.settle_move(Color::White, &played), None);
    assert_eq!(clock.left_ms(Color::White), 14_000);
    assert_eq!(clock.arrive(Color::Black, 4_400), Err(Untimely::Frozen { remaining_ms: 600 }));
    assert_eq!(clock.arrive(Color::Black, 6_500), Ok(()));
    assert_eq!(clock.left_ms(Color::Black), 18_500);
}

#[test]
fn a_freeze_that_cannot_be_paid_loses_unless_the_kings_decide() {
    let check = |text: &str, left: u64, reason: Option<&str>| {
        let mut game = position("a1w0k,d4w0,d5b1k", "w", &[FREEZER, KING]);
        let played = game.play(chosen(text), &Luck::NONE).unwrap();
        let mut clock = FreezeClock::new(left);
        assert_eq!(
            clock.settle_move(Color::White, &played).map(End::reason),
            reason,
            "{text} {left}"
        );
    };
    check("d4e4", 5_001, None);
    check("d4e4", 5_000, Some("time"));
    check("d4e4", 100, Some("time"));
    check("d4d5", 100, Some("king"));
}

#[test]
fn a_flag_falls_when_nothing_is_left() {
    let check = |spent, expected| {
        let mut clock = FreezeClock::new(1_000);
        assert_eq!(clock.arrive(Color::White, spent), expected);
    };
    check(999, Ok(()));
    check(1_000, Err(Untimely::FlagFallen));
    check(2_000, Err(Untimely::FlagFallen));
}

fn specimen(name: &str, owner: Color) -> Specimen {
    Specimen { genome: genome(name), owner, pawn: name == "pawn", king: false }
}

#[test]
fn in_the_lab_either_side_moves_at_any_time_and_promotions_block_nothing() {
    let mut lab = Lab::new(Seed([1; 32]));
    lab.place(Square::E7, specimen("pawn", Color::White)).unwrap();
    lab.place(Square::A1, specimen("rook", Color::White)).unwrap();
    lab.toggle_king(Square::A1).unwrap();
    lab.play(chosen("e7e8")).unwrap();
    lab.play(chosen("a1a5")).unwrap();
    lab.play(chosen("a5a1")).unwrap();
    assert_eq!(lab.offered_promotions(), Square::E8.into());
    lab.promote(Square::E8, genome("queen")).unwrap();
    assert!(lab.offered_promotions().is_empty());
    assert_eq!(board_tokens(lab.board()), ["a1w1k", "e8w2"]);
    assert_eq!(lab.ply(), 3);
    assert_eq!(lab.play(chosen("b1b2")).unwrap_err().code(), "M_NO_PIECE");
    assert_eq!(lab.promote(Square::A1, genome("queen")).unwrap_err().code(), "R_NONE");
}

#[test]
fn the_loss_of_a_king_ends_nothing_in_the_lab() {
    let mut lab = Lab::new(Seed([1; 32]));
    lab.place(Square::D7, specimen("pawn", Color::White)).unwrap();
    lab.place(Square::E8, Specimen { king: true, ..specimen("king", Color::Black) }).unwrap();
    let played = lab.play(chosen("d7e8")).unwrap();
    assert_eq!(played.end.map(End::reason), Some("king"));
    assert_eq!(lab.offered_promotions(), Square::E8.into());
    lab.erase(Square::E8).unwrap();
    assert!(lab.offered_promotions().is_empty());
    assert_eq!(lab.erase(Square::E8).unwrap_err().code(), "L_EMPTY");
    assert_eq!(lab.toggle_king(Square::E8).unwrap_err().code(), "L_EMPTY");
    assert_eq!(Lab::read_square("i9").unwrap_err().code(), "L_SQUARE");
    assert_eq!(Lab::read_square("c2").unwrap(), Square::C2);
}

#[test]
fn a_full_back_rank_is_saved_as_the_preset_that_was_laid_out() {
    let mut lab = Lab::new(Seed([1; 32]));
    lab.place(Square::A8, specimen("rook", Color::White)).unwrap();
    assert_eq!(lab.save_back_rank(Color::Black).unwrap_err().code(), "P_COUNT");
    for file in shakmaty::File::ALL {
        let owner = if file.to_u32() % 2 == 0 { Color::White } else { Color::Black };
        lab.place(Square::from_coords(file, shakmaty::Rank::Eighth), specimen("knight", owner))
            .unwrap();
    }
    let preset = lab.save_back_rank(Color::Black).unwrap();
    let mut other = Lab::new(Seed([2; 32]));
    other.lay_out(Color::White, &preset).unwrap();
    assert_eq!(other.save_back_rank(Color::White).unwrap(), preset);
    assert_eq!(other.board().owned(Color::White).count(), 16);
    assert_eq!(other.targets(Square::B1).len(), 2);
}

#[test]
fn players_know_their_own_genomes_and_what_these_become() {
    let game = position("a1w0k,b1w1,a8b2k,b8b3", "w", &[WILD, KING, SWAP, PAWN]);
    let mut knowledge = Knowledge::at_start(&game);
    let check = |knowledge: &Knowledge, genome: u16, expected: [bool; 3]| {
        let viewers = [Some(Color::White), Some(Color::Black), None];
        let genome = GenomeIndex(genome);
        assert_eq!(
            viewers.map(|viewer| knowledge.knows(viewer, game.genomes(), genome)),
            expected,
            "{genome}"
        );
    };
    check(&knowledge, 0, [true, false, false]);
    check(&knowledge, 1, [true, true, true]);
    check(&knowledge, 2, [false, true, false]);
    check(&knowledge, 3, [true, true, true]);
    knowledge.mutate(GenomeIndex(0), GenomeIndex(4));
    check(&knowledge, 4, [true, false, false]);
    knowledge.promote(Color::Black, GenomeIndex(4));
    check(&knowledge, 4, [true, true, true]);
    knowledge.publish(GenomeIndex(2));
    check(&knowledge, 2, [true, true, true]);
}
