//! Offers, aborts, gifts of time, claims, and what an arbiter can do.

use rules::clock::Halt;
use rules::game::AbandonmentClaim;
use rules::{
    AbortReason, Act, ByColor, Color, DrawReason, Millis, Outcome, Ply, Refusal, RuleSet, Setup,
    TimeControl, WinReason,
};

use crate::table::{Table, live};

#[test]
fn a_draw_offer_stands_until_the_other_side_moves() {
    let mut table = Table::online(TimeControl::Unlimited);
    assert_eq!(table.player(Color::White, Act::OfferDraw), Err(Refusal::TooEarly { from: Ply(2) }));
    table.play("e2e4 e7e5");
    table.player(Color::White, Act::OfferDraw).unwrap();
    assert_eq!(table.game.offers().draw, Some(Color::White));
    table.play("g1f3");
    assert_eq!(table.game.offers().draw, Some(Color::White), "an own move keeps the offer");
    table.play("b8c6");
    assert_eq!(table.game.offers().draw, None);
    assert_eq!(table.player(Color::Black, Act::AcceptDraw), Err(Refusal::NoOffer));
}

#[test]
fn an_offer_can_be_declined_and_made_again_after_a_move() {
    let mut table = Table::online(TimeControl::Unlimited);
    table.play("e2e4 e7e5");
    assert_eq!(table.player(Color::Black, Act::DeclineDraw), Err(Refusal::NoOffer));
    table.player(Color::White, Act::OfferDraw).unwrap();
    assert_eq!(table.player(Color::White, Act::OfferDraw), Err(Refusal::AlreadyOffered));
    table.player(Color::Black, Act::DeclineDraw).unwrap();
    assert_eq!(table.player(Color::White, Act::OfferDraw), Err(Refusal::AlreadyOffered));
    table.play("g1f3 b8c6");
    table.player(Color::White, Act::OfferDraw).unwrap();
    table.player(Color::Black, Act::OfferDraw).unwrap();
    assert_eq!(
        table.outcome(),
        Some(Outcome::Draw { by: DrawReason::Agreement }),
        "two offers agree"
    );
}

#[test]
fn a_takeback_restores_position_and_clocks() {
    let mut table = Table::fide(live(60, 2));
    let rules = RuleSet { takeback: true, ..RuleSet::fide() };
    table.game =
        rules::Game::new(Setup { rules, ..table.game.setup().clone() }, table.now).unwrap();
    table.wait(1_000).play("e2e4").wait(2_000).play("e7e5");
    let (fen, white, black) = (table.fen(), table.left(Color::White), table.left(Color::Black));
    table.wait(5_000).play("g1f3").wait(7_000).play("b8c6").wait(1_000);
    // White is to move: the own last move lies two plies back.
    table.player(Color::White, Act::OfferTakeback).unwrap();
    assert_eq!(table.player(Color::White, Act::AcceptTakeback), Err(Refusal::NoOffer));
    assert_eq!(table.player(Color::White, Act::OfferTakeback), Err(Refusal::AlreadyOffered));
    table.player(Color::Black, Act::AcceptTakeback).unwrap();
    assert_eq!(table.fen(), fen);
    assert_eq!((table.left(Color::White), table.left(Color::Black)), (white, black));
    assert_eq!(table.game.ply(), Ply(2));
    table.wait(3_000);
    assert_eq!(table.left(Color::White), white - 3_000);
}

#[test]
fn a_takeback_does_not_undo_what_was_given_or_set_besides_the_moves() {
    let mut table = Table::online(live(60, 0));
    table.play("e2e4 e7e5").wait(10_000).play("g1f3").wait(5_000);
    // White has 50 s, Black 55 s: the arbiter gives White 20 s and takes 15 s from Black, White gives Black 15 s.
    let left = ByColor { white: Some(Millis(70_000)), black: Some(Millis(40_000)) };
    table.arbiter(Act::SetClocks(left)).unwrap();
    let gift = Act::AddTime { to: Color::Black, time: Millis(15_000) };
    table.player(Color::White, gift).unwrap();
    table.wait(5_000).play("b8c6").wait(2_000);
    table.player(Color::White, Act::OfferTakeback).unwrap();
    table.player(Color::Black, Act::AcceptTakeback).unwrap();
    assert_eq!((table.left(Color::White), table.left(Color::Black)), (80_000, 60_000));
    table.wait(1_000).play("d2d4");
    table.player(Color::White, Act::OfferTakeback).unwrap();
    table.player(Color::Black, Act::AcceptTakeback).unwrap();
    assert_eq!((table.left(Color::White), table.left(Color::Black)), (80_000, 60_000), "once");
    table.play("d2d4").wait(1_000).play("d7d5");
    table.player(Color::Black, Act::OfferTakeback).unwrap();
    table.player(Color::White, Act::AcceptTakeback).unwrap();
    assert_eq!((table.left(Color::White), table.left(Color::Black)), (80_000, 60_000));
}

#[test]
fn nobody_loses_by_a_takeback_whatever_was_taken_away() {
    let mut table = Table::online(live(60, 60));
    table.play("e2e4 e7e5 g1f3 b8c6 f1b5 a7a6");
    let left = ByColor { white: Some(Millis(1_000)), black: Some(Millis(1_000)) };
    table.arbiter(Act::SetClocks(left)).unwrap();
    table.play("b5a4");
    table.player(Color::White, Act::OfferTakeback).unwrap();
    table.player(Color::Black, Act::AcceptTakeback).unwrap();
    assert!(table.left(Color::White) >= 1_000 && table.left(Color::Black) >= 1_000);
    assert_eq!(table.outcome(), None);
}

#[test]
fn the_side_that_has_just_moved_takes_back_one_ply() {
    let mut table = Table::online(live(60, 0));
    assert_eq!(table.player(Color::White, Act::OfferTakeback), Err(Refusal::NothingToTakeBack));
    table.play("e2e4");
    table.player(Color::White, Act::OfferTakeback).unwrap();
    assert_eq!(table.game.offers().takeback, Some((Color::White, Ply(0))));
    table.player(Color::Black, Act::DeclineTakeback).unwrap();
    assert_eq!(table.game.offers().takeback, None);
    table.play("e7e5");
    table.player(Color::Black, Act::OfferTakeback).unwrap();
    table.player(Color::White, Act::AcceptTakeback).unwrap();
    assert_eq!(table.game.ply(), Ply(1));
    table.wait(20_000);
    assert_eq!(table.left(Color::Black), 60_000, "first moves are free again");
    let mut fide = Table::fide(live(60, 0));
    fide.play("e2e4");
    assert_eq!(fide.player(Color::White, Act::OfferTakeback), Err(Refusal::AgainstRules));
}

#[test]
fn a_game_can_be_aborted_until_both_have_moved() {
    let mut table = Table::online(live(60, 0));
    table.play("e2e4");
    table.player(Color::Black, Act::Abort).unwrap();
    assert_eq!(table.outcome(), Some(Outcome::Aborted { by: AbortReason::Player }));
    let mut table = Table::online(live(60, 0));
    table.play("e2e4 e7e5");
    assert_eq!(table.player(Color::Black, Act::Abort), Err(Refusal::TooLateToAbort));
    table.server(Act::Abort).unwrap();
    assert_eq!(table.outcome(), Some(Outcome::Aborted { by: AbortReason::Server }));
    let mut fide = Table::fide(live(60, 0));
    assert_eq!(fide.player(Color::White, Act::Abort), Err(Refusal::AgainstRules));
}

#[test]
fn time_is_given_to_the_other_side_only() {
    let mut table = Table::online(live(60, 0));
    let give = |to, ms| Act::AddTime { to, time: Millis(ms) };
    table.player(Color::White, give(Color::Black, 15_000)).unwrap();
    assert_eq!(table.left(Color::Black), 75_000);
    assert_eq!(table.player(Color::White, give(Color::White, 15_000)), Err(Refusal::AgainstRules));
    assert_eq!(table.player(Color::White, give(Color::Black, -15_000)), Err(Refusal::AgainstRules));
    table.arbiter(give(Color::Black, -30_000)).unwrap();
    assert_eq!(table.left(Color::Black), 45_000);
    let mut fide = Table::fide(live(60, 0));
    assert_eq!(fide.player(Color::White, give(Color::Black, 1)), Err(Refusal::AgainstRules));
    let mut free = Table::online(TimeControl::Unlimited);
    assert_eq!(free.player(Color::White, give(Color::Black, 1)), Err(Refusal::NoClock));
    assert_eq!(free.arbiter(give(Color::Black, 1)), Err(Refusal::NoClock));
}

#[test]
fn an_abandoned_game_can_be_claimed() {
    let claim = |gone, claim| Act::ClaimAbandonment { gone: Millis::seconds(gone), claim };
    let check = |claimed, expected| {
        let mut table = Table::online(live(600, 0));
        table.play("e2e4 e7e5");
        let early = table.player(Color::Black, claim(59, claimed));
        assert_eq!(early, Err(Refusal::NotAbandoned { after: Millis::seconds(60) }));
        let own_turn = table.player(Color::White, claim(60, claimed));
        assert_eq!(own_turn, Err(Refusal::NotAbandoned { after: Millis::seconds(60) }));
        table.player(Color::Black, claim(60, claimed)).unwrap();
        assert_eq!(table.outcome(), Some(expected));
    };
    check(AbandonmentClaim::Win, Outcome::Win { winner: Color::Black, by: WinReason::Abandonment });
    check(AbandonmentClaim::Draw, Outcome::Draw { by: DrawReason::Abandonment });
    let mut fide = Table::fide(live(600, 0));
    assert_eq!(
        fide.player(Color::Black, claim(99, AbandonmentClaim::Win)),
        Err(Refusal::AgainstRules)
    );
}

#[test]
fn an_arbiter_sets_corrects_annuls_and_reopens() {
    let mut table = Table::fide(live(10, 0));
    table.play("e2e4").wait(10_000).server(Act::CheckFlag).unwrap();
    let white_wins = Outcome::Win { winner: Color::White, by: WinReason::Time };
    assert_eq!(table.outcome(), Some(white_wins));
    table.arbiter(Act::SetResult(Outcome::Draw { by: DrawReason::Arbiter })).unwrap();
    assert_eq!(table.outcome(), Some(Outcome::Draw { by: DrawReason::Arbiter }));
    assert_eq!(table.player(Color::White, Act::Reopen(None)), Err(Refusal::GameOver));
    table.arbiter(Act::Reopen(None)).unwrap();
    assert_eq!(table.game.paused(), Some(Halt::Arbiter));
    assert_eq!(table.try_play("e7e5"), Err(Refusal::Paused));
    let both = |ms| ByColor::same(Some(Millis(ms)));
    table.arbiter(Act::SetClocks(both(7_000))).unwrap();
    table.wait(5_000).arbiter(Act::Resume).unwrap();
    table.wait(1_000).play("e7e5");
    assert_eq!((table.left(Color::White), table.left(Color::Black)), (7_000, 6_000));
    assert_eq!(table.arbiter(Act::SetClocks(ByColor::same(None))), Err(Refusal::NoClock));
    assert_eq!(table.arbiter(Act::SetClocks(both(-1))), Err(Refusal::NoClock));
    assert_eq!(table.arbiter(Act::Reopen(None)), Err(Refusal::NotOver));
    table.arbiter(Act::Abort).unwrap();
    assert_eq!(table.outcome(), Some(Outcome::Aborted { by: AbortReason::Arbiter }));
}

#[test]
fn an_arbiter_resumes_only_what_is_stopped() {
    let mut table = Table::fide(live(60, 0));
    table.play("e2e4");
    table.wait(20_000);
    assert_eq!(table.arbiter(Act::Resume), Err(Refusal::NotPaused));
    table.play("e7e5");
    assert_eq!(table.left(Color::Black), 40_000, "what was thought is thought");
    table.arbiter(Act::Pause(Halt::Arbiter)).unwrap();
    table.wait(5_000).arbiter(Act::Resume).unwrap();
    assert_eq!(table.arbiter(Act::Resume), Err(Refusal::NotPaused));
}

#[test]
fn mate_cannot_be_reopened() {
    let mut table = Table::fide(TimeControl::Unlimited);
    table.play("f2f3 e7e5 g2g4 d8h4");
    assert_eq!(table.arbiter(Act::Reopen(None)), Err(Refusal::PositionIsOver));
}

#[test]
fn players_arbiters_and_the_server_have_their_own_commands() {
    let mut table = Table::online(live(60, 0));
    let result = Outcome::Draw { by: DrawReason::Arbiter };
    for act in [Act::Pause(Halt::Server), Act::Resume, Act::SetResult(result), Act::Reopen(None)] {
        assert_eq!(table.player(Color::White, act), Err(Refusal::NotAllowed));
    }
    assert_eq!(table.server(Act::Resign), Err(Refusal::NotAllowed));
    assert_eq!(table.server(Act::SetResult(result)), Err(Refusal::NotAllowed));
    assert_eq!(table.arbiter(Act::OfferDraw), Err(Refusal::NotAllowed));
    assert_eq!(table.arbiter(Act::CheckFlag), Err(Refusal::FlagNotFallen));
    assert_eq!(table.server(Act::EndLeave), Err(Refusal::NotOnLeave));
}

#[test]
fn every_refusal_has_a_code_and_a_sentence() {
    let refusals = [
        Refusal::GameOver,
        Refusal::NotOver,
        Refusal::NotYourTurn,
        Refusal::StalePly { sent: Ply(1), now: Ply(2) },
        Refusal::FuturePly { sent: Ply(2), now: Ply(1) },
        Refusal::NotAllowed,
        Refusal::AgainstRules,
        Refusal::TooEarly { from: Ply(2) },
        Refusal::TooLateToAbort,
        Refusal::AlreadyOffered,
        Refusal::NoOffer,
        Refusal::NothingToClaim,
        Refusal::NothingToTakeBack,
        Refusal::NoClock,
        Refusal::FlagNotFallen,
        Refusal::NotAbandoned { after: Millis(1) },
        Refusal::Paused,
        Refusal::NoLeave,
        Refusal::NotPaused,
        Refusal::NoSeed,
        Refusal::NotOnLeave,
        Refusal::PositionIsOver,
    ];
    let mut codes: Vec<&str> = refusals.iter().map(Refusal::code).collect();
    assert!(refusals.iter().all(|refusal| !refusal.to_string().is_empty()));
    codes.sort_unstable();
    codes.dedup();
    assert_eq!(codes.len(), refusals.len());
}
