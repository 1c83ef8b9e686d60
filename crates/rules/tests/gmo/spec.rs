//! The examples and consequences that the rules of GMO chess spell out.

use rules::gmo::{End, Genome, GmoPosition, Luck, Move, Played, WinBy, known_genomes};
use shakmaty::{Bitboard, Board, Color, Piece, Role, Square, attacks};

fn dna(name: &str) -> &'static str {
    known_genomes().iter().find(|known| known.name == name).unwrap().genome.dna()
}

/// A position with genome 0 to n as given, White to move.
fn position(pieces: &str, genomes: &[&str]) -> GmoPosition {
    let genomes: Vec<String> = genomes.iter().map(|dna| dna.replace(' ', "")).collect();
    format!("gmo1 {pieces} w 0 - {}", genomes.join(",")).parse().unwrap()
}

fn targets(position: &GmoPosition, origin: &str) -> Vec<String> {
    let targets = position.targets(origin.parse().unwrap());
    targets.iter().map(|target| target.square.to_string()).collect()
}

fn check_targets(pieces: &str, genomes: &[&str], origin: &str, expected: &str) {
    let mut listed = targets(&position(pieces, genomes), origin);
    listed.sort();
    let mut expected: Vec<&str> = expected.split_whitespace().collect();
    expected.sort_unstable();
    assert_eq!(listed, expected, "{pieces} {origin}");
}

fn play(position: &mut GmoPosition, chosen: &str) -> Played {
    let chosen: Move = chosen.parse().unwrap();
    position.play(chosen, &Luck::NONE).unwrap()
}

fn check_board(position: &GmoPosition, pieces: &str) {
    assert_eq!(rules::gmo::board_tokens(position.board()).join(","), pieces);
}

#[test]
fn on_an_empty_board_the_officers_reach_the_squares_of_chess() {
    let officers = [
        ("rook", Role::Rook),
        ("knight", Role::Knight),
        ("bishop", Role::Bishop),
        ("king", Role::King),
        ("queen", Role::Queen),
    ];
    for (name, role) in officers {
        for square in Square::ALL {
            let position = position(&format!("{square}w0"), &[dna(name)]);
            let reached: Bitboard =
                position.targets(square).iter().map(|target| target.square).collect();
            let piece = Piece { color: Color::White, role };
            assert_eq!(
                reached,
                attacks::attacks(square, piece, Board::empty().occupied()),
                "{name} {square}"
            );
        }
    }
}

#[test]
fn a_rook_takes_own_pieces() {
    let genomes = [dna("rook"), dna("pawn")];
    check_targets("a1w0,c1b1p,a3w1p", &genomes, "a1", "a2 a3 b1 c1");
}

#[test]
fn a_king_reaches_a_diagonal_only_past_an_empty_neighbour() {
    let genomes = [dna("king"), dna("pawn")];
    check_targets("d4w0,e4b1,d5b1", &genomes, "d4", "c3 c4 c5 d3 d5 e3 e4");
    check_targets("d4w0,d5b1", &genomes, "d4", "c3 c4 c5 d3 d5 e3 e4 e5");
}

#[test]
fn a_bishop_jumps_over_the_squares_between_diagonals() {
    let genomes = [dna("bishop"), dna("pawn")];
    check_targets("a1w0,b1b1,a2b1,c3b1", &genomes, "a1", "b2 c3");
}

#[test]
fn a_pawn_steps_forward_and_takes_diagonally() {
    let genomes = [dna("pawn")];
    check_targets("e2w0p", &genomes, "e2", "e3");
    check_targets("e2w0p,e3b0p", &genomes, "e2", "");
    check_targets("e2w0p,d3b0p,f3w0p", &genomes, "e2", "e3 d3");
    check_targets("e7b0p,d6w0p", &genomes, "e7", "e6 d6");
    check_targets("a2w0p,h3b0p", &genomes, "a2", "a3");
}

#[test]
fn without_nowrap_rooks_and_bishops_go_around_the_board() {
    let rook = "AHH HSH HCC CHA CHA CHA HHA SAS AAA AAA AAA";
    let listed = targets(&position("a1w0", &[rook]), "a1");
    assert_eq!((listed.len(), listed.contains(&"a1".to_owned())), (15, true));
    let bishop = "AHH HCS HSH HHH CHA CHA HHA CAS SAS ASS ACS";
    let listed = targets(&position("h1w0", &[bishop]), "h1");
    for square in ["a2", "b3", "c4", "d5", "e6", "f7", "g8"] {
        assert!(listed.contains(&square.to_owned()), "{square} in {listed:?}");
    }
}

#[test]
fn a_queen_move_freezes_the_game_and_a_king_move_does_not() {
    let mut game = position("a1w0k,h1w1,h8b0k", &[dna("king"), dna("queen")]);
    assert!(play(&mut game, "h1h2").freezes);
    assert!(!play(&mut game, "h8g8").freezes);
}

#[test]
fn near_capture_restricts_occupied_targets_only() {
    let near = "AHH HSH HSS CHA CHA CHA HHA SAS AAA AAA AAA";
    let genomes = [near, dna("rook")];
    check_targets("d4w0,d6b1,e4b1", &genomes, "d4", "d5 e4 d3 d2 d1 c4 b4 a4 h4 g4 f4");
}

#[test]
fn both_colour_debuffs_together_leave_no_target() {
    let stuck = "AHH HCA HCS CHA CHA CHA HHA SAS";
    check_targets("d4w0", &[stuck], "d4", "");
    assert!(
        Genome::parse(stuck)
            .unwrap()
            .warnings()
            .iter()
            .any(|warning| warning.code() == "W_IMMOBILE")
    );
}

#[test]
fn the_first_block_that_allows_a_square_decides() {
    let genome = "AHH HSH HAA HHH HHH CHA HHA SAS AHH HSH HAC CHA AHC AHA HHA SAS";
    let mut game = position("d4w0,d5b1,a1w1k,a8b1k", &[genome, dna("king")]);
    let listed = targets(&game, "d4");
    assert_eq!(listed, ["e4", "d3", "c4", "d5"]);
    play(&mut game, "d4d5");
    check_board(&game, "a1w1k,d4b0,a8b1k");
}

#[test]
fn the_effects_do_what_their_table_says() {
    let check = |effect: &str, after: &str| {
        let genome = format!("AHH HAA HAC {effect} {effect} {effect} HHA SAS");
        let mut game = position("a1w1k,d4w0,d5b1p,a8b1k", &[&genome, dna("king")]);
        play(&mut game, "d4d5");
        check_board(&game, &format!("a1w1k,{after}a8b1k"));
    };
    check("CHA", "d5w0,");
    check("SHA", "d4w1p,d5w0,");
    check("AHA", "d4w0,d5w0,");
    check("AHS", "d4w0,d5w1p,");
    check("AHC", "d4w0,");
    check("CHC", "");
    check("SHC", "d4w1p,");
    check("SHS", "d4w1p,d5w1p,");
    check("CHS", "d5w1p,");
}

#[test]
fn a_copy_of_an_empty_square_is_empty() {
    let check = |effect: &str, after: &str| {
        let genome = format!("AHH HAA HAC {effect} {effect} {effect} HHA SAS");
        let mut game = position("a1w1k,d4w0,a8b1k", &[&genome, dna("king")]);
        play(&mut game, "d4d5");
        check_board(&game, &format!("a1w1k,{after}a8b1k"));
    };
    check("SHA", "d5w0,");
    check("AHS", "d4w0,");
    check("SHS", "");
}

#[test]
fn a_move_onto_itself_keeps_the_second_write_unless_it_is_empty() {
    let check = |effect: &str, after: &str| {
        let genome = format!("AHH HSH HAC {effect} CHA CHA HHA SAA");
        let mut game = position("a1w1k,d4w0,a8b1k", &[&genome, dna("king")]);
        assert_eq!(targets(&game, "d4"), ["d4"]);
        play(&mut game, "d4d4");
        check_board(&game, &format!("a1w1k,{after}a8b1k"));
    };
    // T1 gives to the enemy, T2 keeps.
    check("CHA", "d4w0,");
    check("AHA", "d4w0,");
    check("SHS", "d4w0,");
    check("AHC", "d4b0,");
    check("SHC", "d4b0,");
    check("CHC", "");
}

#[test]
fn the_loss_of_one_of_several_kings_loses() {
    let mut game = position("a1w0k,b1w0k,h8b1k,a8b1", &[dna("king"), dna("rook")]);
    play(&mut game, "b1c1");
    let played = play(&mut game, "a8a1");
    assert_eq!(played.end, Some(End::Win { winner: Color::Black, by: WinBy::King }));
    assert_eq!(game.end(), played.end);
    assert_eq!(game.legal_moves().count(), 0);
}

#[test]
fn taking_an_own_king_loses_and_losing_both_kings_draws() {
    let mut own = position("a1w0,a3w0k,h8b0k", &[dna("rook")]);
    assert_eq!(
        play(&mut own, "a1a3").end,
        Some(End::Win { winner: Color::Black, by: WinBy::King })
    );
    let both = "AHH HAA HAC CHC CHC CHC HHA SAS";
    let mut both = position("d4w0k,d5b0k", &[both]);
    assert_eq!(play(&mut both, "d4d5").end.map(End::reason), Some("both_kings"));
}

#[test]
fn converting_the_enemy_king_wins_and_copying_an_own_king_is_no_event() {
    let convert = "AHH HAA HAC HHH AHS AHA HHA SAS";
    let mut game = position("d4w0k,d5b0k", &[convert]);
    assert_eq!(
        play(&mut game.clone(), "d4d5").end,
        Some(End::Win { winner: Color::White, by: WinBy::King })
    );
    assert_eq!(play(&mut game, "d4e4").end, None);
    assert_eq!(game.board().kings(Color::White), 2);
}

#[test]
fn a_side_that_cannot_move_has_lost() {
    let game = position("a1w0p,a2b0p,h8b1k", &[dna("pawn"), dna("king")]);
    assert_eq!(game.end(), Some(End::Win { winner: Color::Black, by: WinBy::NoMoves }));
    let mut game = position("a1w1k,h2w1,h8b0p,h7w0", &[dna("pawn"), dna("king")]);
    play(&mut game, "a1a2");
    assert_eq!(game.end(), Some(End::Win { winner: Color::White, by: WinBy::NoMoves }));
}

#[test]
fn after_a_thousand_plies_the_game_is_drawn() {
    let mut game: GmoPosition =
        format!("gmo1 a1w0k,h8b0k b 999 - {}", dna("king")).parse().unwrap();
    assert_eq!(game.end(), None);
    play(&mut game, "h8h7");
    assert_eq!(game.end().map(End::reason), Some("ply_limit"));
}
