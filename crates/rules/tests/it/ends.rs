//! Every way a game of chess ends.

use rules::{Act, Color, DrawReason, Outcome, Refusal, RuleSet, TimeControl, WinReason};

use crate::table::Table;

#[expect(clippy::unnecessary_wraps, reason = "compared with an optional end")]
fn win(winner: Color, by: WinReason) -> Option<Outcome> {
    Some(Outcome::Win { winner, by })
}

#[expect(clippy::unnecessary_wraps, reason = "compared with an optional end")]
fn draw(by: DrawReason) -> Option<Outcome> {
    Some(Outcome::Draw { by })
}

#[test]
fn the_position_ends_the_game() {
    let check = |fen: &str, actions: &str, expected: Option<Outcome>| {
        let mut table = Table::from_fen(fen, RuleSet::fide());
        table.play(actions);
        assert_eq!(table.outcome(), expected, "{fen} {actions}");
    };
    let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    check(start, "f2f3 e7e5 g2g4 d8h4", win(Color::Black, WinReason::Mate));
    check("k7/8/1K6/8/8/8/8/2Q5 w - - 0 1", "c1c7", draw(DrawReason::Stalemate));
    check("k7/8/8/8/8/8/1p6/K7 w - - 0 1", "a1b2", draw(DrawReason::DeadPosition));
    check("k7/8/8/8/8/8/7P/K7 w - - 149 90", "a1a2", draw(DrawReason::SeventyFive));
    check("k7/8/8/8/8/8/7P/K7 w - - 149 90", "h2h3", None);
    // Mate on the very move goes before the count.
    check("7k/8/6K1/8/8/8/8/R7 w - - 149 90", "a1a8", win(Color::White, WinReason::Mate));
}

const SHUFFLE: &str = "g1f3 g8f6 f3g1 f6g8";

#[test]
fn threefold_comes_by_itself_online_and_by_claim_under_fide() {
    let mut online = Table::online(TimeControl::Unlimited);
    online.play(SHUFFLE).play(SHUFFLE);
    assert_eq!(online.outcome(), draw(DrawReason::Threefold));

    let mut fide = Table::fide(TimeControl::Unlimited);
    let claim = || Act::ClaimDraw { intending: None };
    assert_eq!(fide.player(Color::White, claim()), Err(Refusal::NothingToClaim));
    fide.play(SHUFFLE).play(SHUFFLE);
    assert_eq!(fide.outcome(), None);
    assert_eq!(fide.player(Color::Black, claim()), Err(Refusal::NotYourTurn));
    fide.player(Color::White, claim()).unwrap();
    assert_eq!(fide.outcome(), draw(DrawReason::Threefold));
}

#[test]
fn a_draw_can_be_claimed_with_the_move_that_brings_it() {
    let mut table = Table::fide(TimeControl::Unlimited);
    table.play(SHUFFLE).play("g1f3 g8f6 f3g1");
    let claim = |action: &str| Act::ClaimDraw { intending: Some(action.into()) };
    assert_eq!(table.player(Color::Black, claim("a7a6")), Err(Refusal::NothingToClaim));
    table.player(Color::Black, claim("f6g8")).unwrap();
    assert_eq!(table.outcome(), draw(DrawReason::Threefold));
}

#[test]
fn fivefold_needs_no_claim() {
    let mut table = Table::fide(TimeControl::Unlimited);
    table.play(SHUFFLE).play(SHUFFLE).play(SHUFFLE);
    assert_eq!(table.outcome(), None);
    table.play(SHUFFLE);
    assert_eq!(table.outcome(), draw(DrawReason::Fivefold));
}

#[test]
fn en_passant_makes_a_difference_only_if_it_is_legal() {
    // After e2e4 no black pawn can take on e3, so the position after it counts at once.
    let mut table = Table::fide(TimeControl::Unlimited);
    table.play("e2e4 g8f6 g1f3 f6g8 f3g1");
    assert_eq!(table.game.occurrences(), 2);
    // Here d4xe3 is legal the first time and not later: another position.
    let mut table = Table::from_fen("4k1n1/8/8/8/3p4/8/4P3/4K1N1 w - - 0 1", RuleSet::fide());
    table.play("e2e4 g8f6 g1f3 f6g8 f3g1");
    assert_eq!(table.game.occurrences(), 1);
}

#[test]
fn fifty_moves_are_claimed_or_count_by_themselves() {
    let fen = "k7/8/8/8/8/8/7P/K7 w - - 99 90";
    let mut online = Table::from_fen(fen, RuleSet::online());
    online.play("a1a2");
    assert_eq!(online.outcome(), draw(DrawReason::Fifty));
    let mut fide = Table::from_fen(fen, RuleSet::fide());
    fide.play("a1a2");
    assert_eq!(fide.outcome(), None);
    fide.player(Color::Black, Act::ClaimDraw { intending: None }).unwrap();
    assert_eq!(fide.outcome(), draw(DrawReason::Fifty));
}

#[test]
fn resigning_and_agreeing_end_the_game() {
    let mut table = Table::online(TimeControl::Unlimited);
    table.player(Color::Black, Act::Resign).unwrap();
    assert_eq!(table.outcome(), win(Color::White, WinReason::Resign));

    let mut table = Table::online(TimeControl::Unlimited);
    table.play("e2e4 e7e5");
    table.player(Color::White, Act::OfferDraw).unwrap();
    assert_eq!(table.player(Color::White, Act::AcceptDraw), Err(Refusal::NoOffer));
    table.player(Color::Black, Act::AcceptDraw).unwrap();
    assert_eq!(table.outcome(), draw(DrawReason::Agreement));
}
