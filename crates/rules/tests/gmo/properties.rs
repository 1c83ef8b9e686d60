//! What holds for all genomes, positions and texts, tried on many.

use proptest::collection::vec;
use proptest::prelude::*;
use rules::gmo::verify::verify_line;
use rules::gmo::{
    Board, Debuff, EventToken, Genome, GenomeIndex, GmoPosition, MAX_GENOMES, Move, MoveToken,
    Piece, PlacedPiece, PromotionToken, Promotions, Seed, Setup, check, explain,
};
use shakmaty::{Color, Square};

const EFFECTS: [&str; 10] = ["HHH", "AHA", "AHS", "AHC", "SHA", "SHS", "SHC", "CHA", "CHS", "CHC"];

/// Owner codons by number; numbers from 9 on mean `HSH`.
type BlockPlan = ([usize; 2], [usize; 3], Vec<[usize; 3]>);

fn block() -> impl Strategy<Value = BlockPlan> {
    ([0..18_usize, 0..18], [0..10_usize, 0..10, 0..10], vec([0..3_usize, 0..3, 0..3], 1..=4))
}

fn dna(plan: &[BlockPlan]) -> String {
    let mut used = Vec::new();
    let mut text = String::new();
    for (owners, effects, steps) in plan {
        text.push_str("AHH");
        for owner in owners {
            let debuff = Debuff::ALL.get(*owner).filter(|debuff| !used.contains(*debuff));
            used.extend(debuff);
            text.push_str(debuff.map_or("HSH", |debuff| debuff.codon()));
        }
        for effect in effects {
            text.push_str(EFFECTS[*effect]);
        }
        text.push_str("HHA");
        for letter in steps.iter().flatten() {
            text.push(['S', 'A', 'C'][*letter]);
        }
    }
    text
}

fn genome_text() -> impl Strategy<Value = String> {
    vec(block(), 1..4).prop_map(|plan| dna(&plan))
}

fn square() -> impl Strategy<Value = Square> {
    (0..64_u32).prop_map(Square::new)
}

fn color() -> impl Strategy<Value = Color> {
    any::<bool>().prop_map(Color::from_white)
}

fn index() -> impl Strategy<Value = GenomeIndex> {
    any::<u16>().prop_map(GenomeIndex)
}

fn piece(genome: impl Strategy<Value = GenomeIndex>) -> impl Strategy<Value = Piece> {
    (genome, color(), any::<bool>(), any::<bool>()).prop_map(|(genome, owner, pawn, king)| Piece {
        genome,
        owner,
        pawn,
        king,
    })
}

fn position() -> impl Strategy<Value = GmoPosition> {
    let genomes = vec(genome_text(), 4);
    let pieces = vec((square(), piece((0..4_u16).prop_map(GenomeIndex))), 2..40);
    (genomes, pieces, color(), 0..1_200_u32).prop_map(|(genomes, pieces, turn, ply)| {
        let mut table = rules::gmo::GenomeTable::new();
        for dna in genomes {
            table.push(Genome::parse(&dna).unwrap().into()).unwrap();
        }
        let mut board = Board::empty();
        for (square, piece) in pieces {
            board.put(square, piece);
        }
        GmoPosition::new(Setup { board, genomes: table, turn, ply, promotions: Promotions::NONE })
            .unwrap()
    })
}

/// The sets a board keeps agree with its squares.
fn assert_consistent(board: &Board) {
    for color in Color::ALL {
        let owned = |square: &Square| board.get(*square).is_some_and(|piece| piece.owner == color);
        assert_eq!(board.owned(color), Square::ALL.into_iter().filter(owned).collect());
        let kings =
            Square::ALL.into_iter().filter(owned).filter(|square| board.get(*square).unwrap().king);
        assert_eq!(board.kings(color), kings.count());
    }
}

/// One move or promotion, chosen by a number; false if the game is over.
fn go_on(game: &mut GmoPosition, choice: usize, seed: &Seed) -> bool {
    if let Some(square) = game.promotions().next() {
        let index = GenomeIndex(u16::try_from(choice % game.genomes().len()).unwrap());
        game.promote_listed(square, index).unwrap();
        return true;
    }
    let moves: Vec<Move> = game
        .legal_moves()
        .flat_map(|(origin, targets)| {
            targets.iter().map(|target| Move { origin, target: target.square }).collect::<Vec<_>>()
        })
        .collect();
    assert_eq!(moves.is_empty(), game.end().is_some());
    if moves.is_empty() {
        return false;
    }
    assert_eq!(moves.len(), game.count_moves(game.turn()));
    let chosen = moves[choice % moves.len()];
    let before = game.clone();
    let luck = game.roll(chosen, seed).unwrap();
    let played = game.play(chosen, &luck).unwrap();
    for square in
        Square::ALL.into_iter().filter(|square| ![chosen.origin, played.landing].contains(square))
    {
        assert_eq!(
            game.board().get(square),
            before.board().get(square),
            "{chosen} touched {square}"
        );
    }
    assert_eq!((game.turn(), game.ply()), (before.turn().other(), before.ply() + 1));
    assert!(game.genomes().len() <= before.genomes().len() + 1);
    let token = MoveToken::from(played);
    assert_eq!(token.to_string().parse(), Ok(token));
    true
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    #[test]
    fn games_keep_their_invariants_and_positions_survive_being_written(
        start in position(),
        choices in vec(any::<usize>(), 1..30),
        seed in any::<[u8; 32]>(),
    ) {
        let mut game = start;
        for choice in choices {
            assert_consistent(game.board());
            let read: GmoPosition = game.to_string().parse().unwrap();
            prop_assert_eq!(&read, &game);
            prop_assert_eq!(read.hash(), game.hash());
            prop_assert!(read.is_repetition_of(&game));
            if !go_on(&mut game, choice, &Seed(seed)) {
                break;
            }
        }
    }

    #[test]
    fn tokens_survive_being_written(
        square in square(), piece in piece(index()), landing in proptest::option::of(square()),
        target in square(), mutation in proptest::option::of(index()), genome in index(),
    ) {
        let placed = PlacedPiece { square, piece };
        prop_assert_eq!(placed.to_string().parse(), Ok(placed));
        let token = EventToken::Move(MoveToken { chosen: Move { origin: square, target }, landing, mutation });
        prop_assert_eq!(token.to_string().parse(), Ok(token));
        let token = EventToken::Promotion(PromotionToken { square, genome });
        prop_assert_eq!(token.to_string().parse(), Ok(token));
    }

    #[test]
    fn written_genomes_are_read_and_explained_in_full(dna in genome_text()) {
        let genome = Genome::parse(&dna).unwrap();
        prop_assert_eq!(genome.dna(), dna.as_str());
        prop_assert_eq!(genome.explain().len(), dna.len() / 3);
        prop_assert!(check(&dna).is_valid());
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4_000))]

    #[test]
    fn no_text_makes_a_reader_panic(bytes in vec(any::<u8>(), 0..200), letters in "[SACHsx \u{2003}é]{0,80}") {
        let _ = Genome::from_bytes(&bytes);
        let text = String::from_utf8_lossy(&bytes);
        for text in [&*text, &letters] {
            let report = check(text);
            prop_assert!(!report.to_string().is_empty());
            prop_assert_eq!(explain(text).error.is_none(), report.is_valid());
            let _ = text.parse::<GmoPosition>();
            let _ = format!("gmo1 {text}").parse::<GmoPosition>();
            let _ = text.parse::<EventToken>();
            let _ = text.parse::<PlacedPiece>();
            let _ = verify_line(None, text);
        }
    }

    #[test]
    fn a_changed_genome_or_position_never_makes_a_reader_panic(
        game in position(), at in any::<prop::sample::Index>(), with in any::<char>(),
    ) {
        let text = game.to_string();
        let mut letters: Vec<char> = text.chars().collect();
        letters[at.index(text.len())] = with;
        let changed: String = letters.into_iter().collect();
        if let Ok(read) = changed.parse::<GmoPosition>() {
            prop_assert_eq!(read.to_string().parse::<GmoPosition>(), Ok(read));
        }
        let _ = check(changed.split(' ').nth(5).unwrap_or_default()).to_string();
    }
}

#[test]
fn a_position_has_no_more_genomes_than_a_game_can() {
    let dna = "AHHHSHHSHCHACHACHAHHASAS";
    let check = |genomes: usize, expected: bool| {
        let form = format!("gmo1 a1w0k w 0 - {}", vec![dna; genomes].join(","));
        assert_eq!(form.parse::<GmoPosition>().is_ok(), expected);
    };
    check(MAX_GENOMES, true);
    check(MAX_GENOMES + 1, false);
}
