//! Moves, plies and what the board shows.

use rules::shakmaty::Square;
use rules::{
    Act, Action, Color, Game, Illegal, Ply, Refusal, RuleSet, Setup, SetupError, TimeControl,
    Variant,
};

use crate::table::{START, Table, play};

#[test]
fn a_move_for_an_older_ply_is_stale_and_recognisable() {
    let mut table = Table::online(TimeControl::Unlimited);
    table.play("e2e4");
    let again = table.player(Color::White, play(0, "e2e4"));
    assert_eq!(again, Err(Refusal::StalePly { sent: Ply(0), now: Ply(1) }));
    assert_eq!(table.game.played_at(Ply(0)), Some(&"e2e4".parse::<Action>().unwrap()));
    assert_eq!(table.game.played_at(Ply(1)), None);
    let early = table.player(Color::White, play(2, "g1f3"));
    assert_eq!(early, Err(Refusal::FuturePly { sent: Ply(2), now: Ply(1) }));
}

#[test]
fn only_the_side_to_move_moves_and_only_legally() {
    let mut table = Table::online(TimeControl::Unlimited);
    assert_eq!(table.player(Color::Black, play(0, "e7e5")), Err(Refusal::NotYourTurn));
    for bad in ["e2e5", "e7e5", "e2e4q", "a3a4", "N@c3", "--"] {
        assert_eq!(table.try_play(bad), Err(Refusal::Illegal(Illegal::Move)), "{bad}");
    }
    assert_eq!(table.try_play("hello"), Err(Refusal::Illegal(Illegal::Text)));
    assert_eq!(table.game.ply(), Ply(0));
}

#[test]
fn castling_is_recorded_to_the_target_in_chess_and_onto_the_rook_in_chess960() {
    let fen = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";
    let check = |variant, sent: &str, recorded: &str| {
        let setup = Setup { variant, start: Some(fen.into()), ..Setup::default() };
        let mut table = Table::new(setup);
        table.play(sent);
        assert_eq!(table.game.last_action().unwrap().to_string(), recorded);
        assert!(table.game.has_played(Ply(0), "e1g1") && table.game.has_played(Ply(0), "e1h1"));
        assert!(!table.game.has_played(Ply(0), "e1f1") && !table.game.has_played(Ply(1), "e1g1"));
        assert_eq!(table.fen().split(' ').next().unwrap(), "r3k2r/8/8/8/8/8/8/R4RK1");
    };
    check(Variant::Standard, "e1g1", "e1g1");
    check(Variant::Standard, "e1h1", "e1g1");
    check(Variant::Chess960, "e1h1", "e1h1");
    check(Variant::Chess960, "e1g1", "e1h1");
}

#[test]
fn a_step_of_the_king_goes_before_a_castling_to_the_same_square() {
    let setup = Setup {
        variant: Variant::Chess960,
        start: Some("4k3/8/8/8/8/8/8/5K1R w H - 0 1".into()),
        ..Setup::default()
    };
    let mut table = Table::new(setup.clone());
    table.play("f1g1");
    assert_eq!(table.fen(), "4k3/8/8/8/8/8/8/6KR b - - 1 1");
    let mut table = Table::new(setup);
    table.play("f1h1");
    assert_eq!(table.fen(), "4k3/8/8/8/8/8/8/5RK1 b - - 1 1");
}

#[test]
fn targets_are_grouped_by_origin() {
    let game = Game::new(Setup::default(), START).unwrap();
    let json = serde_json::to_string(&game.position().dests()).unwrap();
    assert!(json.starts_with(r#"{"b1":"a3c3","g1":"f3h3","a2":"a3a4","#), "{json}");
    let fen = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";
    let castling = Game::new(Setup { start: Some(fen.into()), ..Setup::default() }, START).unwrap();
    let king = castling.position().dests().of(Square::E1);
    assert!(king.contains(Square::G1) && king.contains(Square::C1) && !king.contains(Square::H1));
}

#[test]
fn san_and_check_are_shown() {
    let mut table = Table::online(TimeControl::Unlimited);
    table.play("e2e4 f7f6");
    let action = "d1h5".parse().unwrap();
    assert_eq!(table.game.position().san(action).as_deref(), Some("Qh5+"));
    table.play("d1h5");
    assert_eq!(table.game.position().check_square(), Some(Square::E8));
    assert_eq!(table.game.position().san("e8e7".parse().unwrap()), None);
}

#[test]
fn a_game_that_is_over_cannot_begin() {
    let check = |start: &str, expected: SetupError| {
        let setup = Setup { start: Some(start.into()), ..Setup::default() };
        assert_eq!(Game::new(setup, START), Err(expected));
    };
    check(
        "k7/8/1K6/8/8/8/8/7R b - - 0 1".replace('R', "2").as_str(),
        SetupError::Position(rules::PositionTextError::Form),
    );
    check("R5k1/5ppp/8/8/8/8/8/K7 b - - 0 1", SetupError::AlreadyOver);
    check("k7/8/8/8/8/8/8/K7 w - - 0 1", SetupError::AlreadyOver);
}

#[test]
fn nothing_happens_after_the_end() {
    let mut table = Table::online(TimeControl::Unlimited);
    table.player(Color::White, Act::Resign).unwrap();
    assert_eq!(table.player(Color::Black, Act::Resign), Err(Refusal::GameOver));
    assert_eq!(table.player(Color::White, play(0, "e2e4")), Err(Refusal::GameOver));
    assert_eq!(table.game.to_act(), None);
    assert_eq!(table.game.next_deadline(), None);
}

#[test]
fn the_rule_sets_are_data() {
    let json = serde_json::to_string(&RuleSet::fide()).unwrap();
    assert_eq!(serde_json::from_str::<RuleSet>(&json).unwrap(), RuleSet::fide());
    assert_eq!(serde_json::from_str::<RuleSet>("{}").unwrap(), RuleSet::online());
}

#[test]
fn a_game_is_small_in_memory() {
    assert!(size_of::<Game>() <= 704, "{} bytes", size_of::<Game>());
    assert!(size_of::<rules::Event>() <= 64, "{} bytes", size_of::<rules::Event>());
}
