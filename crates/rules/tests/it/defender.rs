//! Facts about `ChessDefender`, most of them from its specification.

use rules::defender::{Defender, PREPARED, Prepared, single_player_start};
use rules::{
    Act, ByColor, Color, DrawReason, Illegal, Millis, Outcome, Ply, Position, Refusal, Setup,
    TimeControl, Variant, WinReason, perft,
};

use crate::table::{Table, live, play};

fn defender(start: &str, time: TimeControl) -> Setup {
    Setup { variant: Variant::Defender, start: Some(start.into()), time, ..Setup::default() }
}

fn table(start: &str) -> Table {
    Table::new(defender(start, TimeControl::Unlimited))
}

fn position(fen: &str) -> Position {
    Position::from_fen_defender(fen).expect("a Defender FEN")
}

#[test]
fn the_example_of_the_specification_holds() {
    let mut table = table("8/8/8/8/8/8/8/8 w - - 0 1 5/5");
    let steps = [
        ("N@f3", "8/8/8/8/8/5N2/8/8 b - - 0 1 2/5"),
        ("R@d8", "3r4/8/8/8/8/5N2/8/8 w - - 0 2 2/0"),
        ("P@e2", "3r4/8/8/8/8/5N2/4P3/8 w - - 0 3 1/0"),
        ("P@c3", "3r4/8/8/8/8/2P2N2/4P3/8 w - - 0 4 0/0"),
        ("K@g1", "3r4/8/8/8/8/2P2N2/4P3/6K1 b - - 0 4 K/0"),
        ("K@g8", "3r2k1/8/8/8/8/2P2N2/4P3/6K1 w - - 0 5 K/K"),
    ];
    for (action, fen) in steps {
        if action.starts_with('K') {
            let squares = if action == "K@g1" { 18 } else { 23 };
            assert_eq!(table.game.position().actions().len(), squares);
        }
        table.play(action);
        assert_eq!(table.fen(), fen);
        assert_eq!(position(fen).fen(), fen);
    }
    let record: Vec<String> = table.game.actions().iter().map(ToString::to_string).collect();
    assert_eq!(record.join(" "), "N@f3 R@d8 P@e2 -- P@c3 -- K@g1 K@g8");
    assert_eq!(table.game.battle_began(), Some(Ply(8)));
    assert_eq!(table.game.position_at(Ply(7)).unwrap().fen(), steps[4].1);
    assert_eq!(table.game.position_at(Ply(3)), None, "inside an automatic pass");
    let spent = |side| table.game.points_spent(side);
    assert_eq!((spent(Color::White), spent(Color::Black)), (5, 5));
    let six_fields = "3r2k1/8/8/8/8/2P2N2/4P3/6K1 w - - 0 5";
    assert_eq!(table.game.position().chess_fen().as_deref(), Some(six_fields));
}

#[test]
fn the_first_slot_has_113_actions_and_two_slots_12769() {
    let start = position(rules::defender::CASUAL_START);
    assert_eq!(perft(&start, 1), 113);
    assert_eq!(perft(&start, 2), 12_769);
    let json = serde_json::to_string(&start.shelf().unwrap()).unwrap();
    assert!(json.starts_with(r#"{"P":"a2b2c2d2e2f2g2h2a3b3"#), "{json}");
    assert!(json.ends_with(r#""K":"","--":true}"#), "{json}");
}

/// Set-ups up to phase two, and how many ended before it.
fn complete(position: &Position) -> (u64, u64) {
    if position.as_chess().is_some() {
        return (1, 0);
    }
    if position.outcome().is_some() {
        return (0, 1);
    }
    let children = position.actions().into_iter().map(|action| {
        let mut child = position.clone();
        child.play(action).expect("listed actions are legal");
        complete(&child)
    });
    children.fold((0, 0), |sum, more| (sum.0 + more.0, sum.1 + more.1))
}

#[test]
fn complete_set_ups_have_the_numbers_of_the_specification() {
    let check = |white, black, expected| {
        let (start, _) = Defender::with_points(ByColor { white, black }).unwrap();
        assert_eq!(complete(&Position::Defender(start)), (expected, 0), "{white}/{black}");
    };
    check(0, 0, 576);
    check(0, 1, 9_408);
    check(1, 1, 153_664);
}

#[test]
fn refusals_come_in_the_order_of_the_specification() {
    let check = |fen: &str, action: &str, code: &str| {
        let refusal = table(fen).try_play(action).expect_err(action);
        assert_eq!(refusal.code(), code, "{action} on {fen}");
        assert!(!refusal.to_string().is_empty());
    };
    let start = "8/8/8/8/8/8/8/8 w - - 0 1 4/20";
    check(start, "e2e4", "D_WRONG_PHASE");
    check(start, "X@c2", "D_UNKNOWN_PIECE");
    check(start, "Q@c8", "D_NO_POINTS");
    check(start, "N@c4", "D_OUT_OF_ZONE");
    check(start, "P@c1", "D_PAWN_FIRST_RANK");
    check(start, "K@c1", "D_KING_TOO_EARLY");
    check(start, "something", "bad_move_text");
    check("8/8/8/8/8/2N5/8/8 w - - 0 1 4/20", "P@c3", "D_OCCUPIED");
    let kings = "8/8/8/8/8/8/8/3r4 w - - 0 1 0/0";
    check(kings, "P@c2", "D_NO_POINTS");
    check(kings, "--", "D_KING_REQUIRED");
    check(kings, "K@c1", "D_KING_ATTACKED");
    check("8/8/8/8/8/8/8/2K5 b - - 0 1 K/20", "R@c8", "D_CHECKS_KING");
    let battle = "k7/8/8/8/8/8/7P/K7 w - - 0 9 K/K";
    check(battle, "N@c2", "D_WRONG_PHASE");
    check(battle, "X@c2", "D_WRONG_PHASE");
    check(battle, "--", "D_WRONG_PHASE");
    check(battle, "h2h5", "illegal_move");
}

#[test]
fn turn_and_end_have_defenders_own_codes() {
    let mut table = table("8/8/8/8/8/8/8/8 w - - 0 1 4/20");
    let code = |verdict: Result<_, Refusal>| verdict.map(|_: Vec<_>| ()).unwrap_err().code();
    assert_eq!(code(table.player(Color::Black, play(0, "N@c8"))), "D_NOT_YOUR_TURN");
    table.player(Color::White, Act::Resign).unwrap();
    assert_eq!(code(table.player(Color::White, play(0, "N@c2"))), "D_GAME_OVER");
    assert_eq!(code(table.player(Color::White, play(0, "Q@c2"))), "D_NO_POINTS");
    assert_eq!(code(table.player(Color::Black, play(0, "N@c8"))), "D_NOT_YOUR_TURN");
    assert_eq!(code(table.player(Color::Black, Act::Resign)), "game_over");
}

#[test]
fn the_last_free_square_is_kept_for_the_king() {
    // Foreign men fill the zone, so that room runs out before men do.
    let full = "8/8/8/8/8/nnnnnnnn/nnnnnnNN/NNNNNN2 w - - 0 1 9/0";
    let mut table = table(full);
    table.play("N@g1");
    assert_eq!(table.fen(), "8/8/8/8/8/nnnnnnnn/nnnnnnNN/NNNNNNN1 w - - 0 2 0/0");
    // The points that are left cannot be spent; the square that is left is attacked.
    assert_eq!(table.outcome().map(|end| end.reason()), Some("no_king_square"));
}

#[test]
fn points_that_cannot_be_spent_are_forfeited() {
    let fifteen = "8/8/8/8/8/PPPPPPPP/PPPPPP2/N7 w - - 0 1 9/9";
    let table = table(fifteen);
    assert_eq!(table.fen(), "8/8/8/8/8/PPPPPPPP/PPPPPP2/N7 b - - 0 1 0/9");
    assert_eq!(table.game.ply(), Ply(1), "White's slot passed by itself");
}

#[test]
fn no_square_for_the_king_loses() {
    // Three rooks on the files' ends sweep White's whole zone.
    let mut table = table("8/8/8/8/8/r7/r7/r7 b - - 0 1 0/1");
    assert_eq!(table.outcome(), None);
    table.play("--");
    assert_eq!(
        table.outcome(),
        Some(Outcome::Win { winner: Color::Black, by: WinReason::NoKingSquare })
    );
}

#[test]
fn a_finished_placing_is_a_chess_game_with_its_own_counters() {
    let mut table = table("8/8/8/8/8/8/8/8 w - - 0 1 6/6");
    table.play("R@a1 R@a8 P@h2 P@h7 K@e1 K@e8");
    assert_eq!(table.fen(), "r3k3/7p/8/8/8/8/7P/R3K3 w - - 0 4 K/K");
    assert_eq!(table.game.position().dests().of(rules::shakmaty::Square::H2).count(), 2);
    let shuffle = "a1b1 a8b8 b1a1 b8a8";
    table.play(shuffle).play(shuffle);
    assert_eq!(table.outcome(), None, "draws are claimed in Defender");
    table.player(Color::White, Act::ClaimDraw { intending: None }).unwrap();
    assert_eq!(table.outcome(), Some(Outcome::Draw { by: DrawReason::Threefold }));
}

#[test]
fn bare_kings_are_a_draw_at_once() {
    let mut table = table("8/8/8/8/8/8/8/8 w - - 0 1 1/1");
    table.play("-- -- K@e1 K@e8");
    assert_eq!(table.outcome(), Some(Outcome::Draw { by: DrawReason::DeadPosition }));
}

#[test]
fn the_clock_runs_from_the_first_slot_and_passes_are_free() {
    let mut table = Table::new(defender("8/8/8/8/8/8/8/8 w - - 0 1 2/1", live(60, 1)));
    table.wait(5_000).play("P@a2").wait(7_000).play("P@a7");
    assert_eq!((table.left(Color::White), table.left(Color::Black)), (56_000, 54_000));
    table.wait(3_000).play("P@b2");
    assert_eq!((table.left(Color::White), table.left(Color::Black)), (54_000, 54_000));
    assert_eq!(table.game.to_act(), Some(Color::White), "Black had nothing to do");
    assert_eq!(table.game.clock_history(), [56_000, 54_000, 54_000, 54_000].map(Millis));
    table.wait(54_000).server(Act::CheckFlag).unwrap();
    assert_eq!(table.outcome(), Some(Outcome::Win { winner: Color::Black, by: WinReason::Time }));
}

#[test]
fn placed_pieces_are_not_taken_back_but_moves_are() {
    let mut table = table("8/8/8/8/8/8/8/8 w - - 0 1 5/5");
    table.play("R@a1 R@a8 K@e1");
    assert_eq!(table.player(Color::White, Act::OfferTakeback), Err(Refusal::NothingToTakeBack));
    table.play("K@e8");
    let battle = table.fen();
    table.play("a1b1");
    table.player(Color::White, Act::OfferTakeback).unwrap();
    table.player(Color::Black, Act::AcceptTakeback).unwrap();
    assert_eq!(table.fen(), battle);
    assert_eq!(table.player(Color::White, Act::OfferTakeback), Err(Refusal::NothingToTakeBack));
}

#[test]
fn a_single_player_may_crown_himself_in_any_slot() {
    let mut table = table(&single_player_start(PREPARED[1].board, PREPARED[1].player, 30));
    table.play("B@f3 B@h1");
    assert_eq!(table.fen(), "1bkb4/1rbr4/8/8/8/5B2/8/7B w - - 0 3 24/K");
    table.play("K@e2");
    assert_eq!(table.fen(), "1bkb4/1rbr4/8/8/8/5B2/4K3/7B w - - 0 4 K/K");
    assert_eq!(table.game.points_spent(Color::White), 6);
    table.play("f3b7");
    assert_eq!(table.outcome(), Some(Outcome::Win { winner: Color::White, by: WinReason::Mate }));
}

#[test]
fn the_prepared_positions_leave_the_king_the_squares_of_the_specification() {
    let expected = [21, 16, 20, 24, 21, 17, 16];
    for (Prepared { board, player, .. }, squares) in PREPARED.into_iter().zip(expected) {
        let start = position(&single_player_start(board, player, 30));
        assert_eq!(start.side_to_act(), player);
        let king =
            start.shelf().unwrap().iter().find(|(role, _)| *role == rules::shakmaty::Role::King);
        assert_eq!(king.unwrap().1.count(), squares, "{board}");
    }
}

#[test]
fn texts_that_are_no_position_are_refused() {
    let bad = [
        "",
        "8/8/8/8/8/8/8/8 w - - 0 1",
        "8/8/8/8/8/8/8/8 w - - 0 1 20",
        "8/8/8/8/8/8/8/8 w - - 0 1 20/20 x",
        "8/8/8/8/8/8/8/8 x - - 0 1 20/20",
        "8/8/8/8/8/8/8/8 w KQ - 0 1 20/20",
        "8/8/8/8/8/8/8/8 w - e3 0 1 20/20",
        "8/8/8/8/8/8/8/8 w - - 3 1 20/20",
        "8/8/8/8/8/8/8/8 w - - 0 0 20/20",
        "8/8/8/8/8/8/8/8 w - - 0 1 100/20",
        "8/8/8/8/8/8/8/8 w - - 0 1 020/20",
        "8/8/8/8/8/8/8/8 w - - 0 1 K/20",
        "8/8/8/8/8/8/8/K7 w - - 0 1 20/20",
        "8/8/8/8/8/8/8/P7 w - - 0 1 20/20",
        "8/8/8/8/8/r7/8/K7 b - - 0 1 K/20",
        "8/8/8/8/PPPPPPPP/PPPPPPPP/8/8 w - - 0 1 20/20",
        "kqqqqqqq/qqqqqqqq/qqqqqqqq/qqqqqqqq/8/8/8/K7 w - - 0 1 K/K",
    ];
    for text in bad {
        assert!(Position::from_fen_defender(text).is_err(), "{text}");
    }
    assert!(
        position("k7/8/8/8/8/8/8/KQQQQQQ1 w - - 0 1").as_chess().is_some(),
        "six fields are phase two"
    );
    let rich = "k7/8/8/8/8/QQQQQQQQ/PPPPPPP1/K7 b - - 0 1 K/K";
    assert_eq!(position(rich).fen(), rich);
    assert_eq!(Illegal::Move.code(), "illegal_move");
}
