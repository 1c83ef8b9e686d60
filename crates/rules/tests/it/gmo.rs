//! GMO chess as a game: armies, chance, promotions, freezes and ends.

use rules::clock::{DayTime, Halt};
use rules::gmo::{Seed, find_alias};
use rules::shakmaty::{Bitboard, Square};
use rules::{
    AbortReason, Act, Army, Color, DrawReason, Event, Game, GmoOptions, Millis, Outcome, Ply,
    Position, Refusal, RuleSet, Setup, SquareSet, TimeControl, Variant, WinReason, divide, perft,
};

use crate::table::{START, Table, live, play};

pub(crate) fn dna(name: &str) -> Box<str> {
    find_alias(name).expect("a built-in genome").genome.dna().into()
}

/// The preset `default` with the king marked on the king.
pub(crate) fn army(side: Color) -> Box<Army> {
    let files = ["rook", "knight", "bishop", "king", "queen", "bishop", "knight", "rook"];
    let king = if side == Color::White { Square::D1 } else { Square::D8 };
    Box::new(Army { dna: files.map(dna), kings: SquareSet(Bitboard::from_square(king)) })
}

pub(crate) fn setup(time: TimeControl) -> Setup {
    Setup {
        variant: Variant::Gmo,
        time,
        rules: RuleSet::online(),
        seed: Some(Seed([7; 32])),
        ..Setup::default()
    }
}

/// A game with the default armies, started.
fn started(time: TimeControl) -> Table {
    let mut table = Table::new(setup(time));
    for side in Color::ALL {
        table.player(side, Act::HandIn(army(side))).expect("a good army");
    }
    table
}

/// A game from a position form; genomes are named, in the order of their numbers.
fn from_board(board: &str, genomes: &[&str], time: TimeControl) -> Table {
    let genomes: Vec<Box<str>> = genomes
        .iter()
        .map(|name| find_alias(name).map_or((*name).into(), |k| k.genome.dna().into()))
        .collect();
    let form = format!("gmo1 {board} w 0 - {}", genomes.join(","));
    Table::new(Setup { start: Some(form), ..setup(time) })
}

fn code<T: std::fmt::Debug>(verdict: Result<T, Refusal>) -> &'static str {
    verdict.expect_err("a refusal").code()
}

#[test]
fn the_start_array_has_the_numbers_of_the_specification() {
    let table = started(TimeControl::Unlimited);
    let position = table.game.position();
    assert_eq!(*position, Position::gmo_default());
    let counts = [1, 2, 3, 4].map(|depth| perft(position, depth));
    assert_eq!(counts, [19, 342, 7_069, 147_414]);
    assert_eq!(position.actions().len(), 19);
    assert_eq!(divide(position, 3).iter().map(|(_, nodes)| nodes).sum::<u64>(), 7_069);
    let targets: usize = position.dests().iter().map(|(_, targets)| targets.count()).sum();
    assert_eq!(targets, 19);
}

#[test]
fn the_game_starts_when_both_armies_are_there() {
    let mut table = Table::new(setup(live(300, 0)));
    assert_eq!(table.game.to_act(), None);
    assert_eq!(table.game.next_deadline(), None);
    assert_eq!(code(table.player(Color::White, play(0, "e2e3"))), "G_NOT_STARTED");
    let events = table.player(Color::Black, Act::HandIn(army(Color::Black))).unwrap();
    assert!(matches!(events[..], [Event::HandedIn { by: Color::Black, .. }]));
    table.wait(60_000).player(Color::Black, Act::HandIn(army(Color::Black))).unwrap();
    let events = table.player(Color::White, Act::HandIn(army(Color::White))).unwrap();
    assert!(matches!(events[..], [Event::HandedIn { .. }, Event::Started { .. }]));
    assert_eq!(code(table.player(Color::White, Act::HandIn(army(Color::White)))), "K_TOO_LATE");
    assert_eq!(table.game.to_act(), Some(Color::White));
    table.wait(1_000);
    assert_eq!(table.left(Color::White), 299_000, "White's clock runs at once");
}

/// A game that waits so many seconds for its armies.
fn awaited(time: TimeControl, seconds: i64) -> Table {
    let rules = RuleSet { muster: Some(Millis::seconds(seconds)), ..RuleSet::online() };
    Table::new(Setup { rules, ..setup(time) })
}

const NO_ARMY: Option<Outcome> = Some(Outcome::Aborted { by: AbortReason::NoFirstMove });

#[test]
fn armies_are_waited_for_as_long_as_the_rules_say() {
    let check = |ready: &[Color]| {
        let mut table = awaited(live(300, 0), 600);
        for &side in ready {
            table.wait(100_000).player(side, Act::HandIn(army(side))).unwrap();
        }
        assert_eq!(table.game.next_deadline(), Some(START.plus(Millis(600_000))));
        table.now = START.plus(Millis(599_999));
        assert_eq!(table.server(Act::CheckFlag), Err(Refusal::FlagNotFallen));
        table.wait(1).server(Act::CheckFlag).unwrap();
        assert_eq!(table.outcome(), NO_ARMY, "{ready:?} had handed in");
    };
    check(&[]);
    check(&[Color::White]);
    check(&[Color::Black]);
    check(&[Color::Black, Color::Black]);
    let mut in_time = awaited(live(300, 0), 600);
    for side in Color::ALL {
        in_time.wait(299_000).player(side, Act::HandIn(army(side))).unwrap();
    }
    assert_eq!(in_time.game.next_deadline().unwrap().since(in_time.now), Millis(30_000));
}

#[test]
fn what_holds_a_clock_holds_the_wait_for_armies_too() {
    let left = |table: &Table| table.game.next_deadline().map(|at| at.since(table.now).0);
    let mut table = awaited(live(300, 0), 600);
    table.wait(100_000).arbiter(Act::Pause(Halt::Arbiter)).unwrap();
    assert_eq!(left(table.wait(5_000_000)), None);
    table.arbiter(Act::Resume).unwrap();
    assert_eq!(left(&table), Some(500_000));
    // A restart: nothing is charged since the last event.
    table.wait(300_000).server(Act::Resume).unwrap();
    assert_eq!(left(&table), Some(500_000));

    let (per_move, leave) = (Millis::days(3), Millis::days(10));
    let days = DayTime { per_move, bank: None, leave, weekends_free: false };
    let mut slow = awaited(TimeControl::Days(days), 3 * 86_400);
    slow.player(Color::Black, Act::TakeLeave).unwrap();
    assert_eq!(left(&slow), Some(3 * 86_400_000), "White is waited for first");
    slow.player(Color::White, Act::HandIn(army(Color::White))).unwrap();
    assert_eq!(left(&slow), Some(13 * 86_400_000), "and now Black, who is on leave");
}

#[test]
fn a_game_agreed_before_armies_had_a_time_waits_for_ever() {
    let text = serde_json::to_string(&setup(live(300, 0))).unwrap();
    assert!(!text.contains("muster"), "{text}");
    let old = Game::new(serde_json::from_str(&text).unwrap(), START).unwrap();
    assert_eq!(old.next_deadline(), None);
}

#[test]
fn a_bad_army_is_refused_with_its_code() {
    let check = |change: fn(&mut Army), options: GmoOptions, expected: &str| {
        let mut table = Table::new(Setup { gmo: options, ..setup(TimeControl::Unlimited) });
        let mut army = army(Color::White);
        change(&mut army);
        assert_eq!(code(table.player(Color::White, Act::HandIn(army))), expected);
    };
    let free = GmoOptions::default();
    check(|army| army.dna[0] = "SACK".into(), free, "E_ALPHABET");
    check(|army| army.dna[7] = "".into(), free, "E_EMPTY");
    check(|army| army.kings = SquareSet::default(), free, "K_NONE");
    check(|army| army.kings = SquareSet(Bitboard::from_square(Square::D8)), free, "K_NOT_OWN");
    check(|army| army.kings = SquareSet(Bitboard::from_square(Square::D4)), free, "K_EMPTY_SQUARE");
    check(
        |_| (),
        GmoOptions { max_blocks: 1, no_first_strike: false, ..GmoOptions::default() },
        "P_MAX_BLOCKS",
    );
    let striker: fn(&mut Army) = |army| army.dna[0] = "AHHHSHHSHHHHCHACHAHHAAAACSASACCAS".into();
    check(
        striker,
        GmoOptions { max_blocks: 0, no_first_strike: true, ..GmoOptions::default() },
        "P_FIRST_STRIKE",
    );
}

#[test]
fn moves_are_refused_with_the_codes_of_the_specification() {
    let mut table = started(TimeControl::Unlimited);
    assert_eq!(code(table.player(Color::Black, play(0, "e7e6"))), "M_NOT_YOUR_TURN");
    assert_eq!(code(table.try_play("e4e5")), "M_NO_PIECE");
    assert_eq!(code(table.try_play("e7e6")), "M_NOT_YOURS");
    assert_eq!(code(table.try_play("e2e4")), "M_TARGET");
    assert_eq!(code(table.try_play("=e8:1")), "R_UNKNOWN_GENOME");
    assert_eq!(code(table.try_play("N@c2")), "illegal_move");
    let promote = Act::Promote { ply: Ply(0), at: Square::E8, dna: dna("queen").into() };
    assert_eq!(code(table.player(Color::White, promote)), "R_NONE");
    table.player(Color::White, Act::Resign).unwrap();
    assert_eq!(code(table.player(Color::White, play(0, "e2e3"))), "G_OVER");
}

#[test]
fn taking_a_king_wins_even_the_own_one_loses() {
    let mut table = started(TimeControl::Unlimited);
    table.play("e1d1");
    assert_eq!(table.outcome(), Some(Outcome::Win { winner: Color::Black, by: WinReason::King }));
    let mut table = from_board("a1w0k,a8b0k", &["rook"], TimeControl::Unlimited);
    table.play("a1a8");
    assert_eq!(table.outcome(), Some(Outcome::Win { winner: Color::White, by: WinReason::King }));
}

#[test]
fn a_side_without_moves_loses() {
    // Black has only a pawn that stands before a piece.
    let mut table = from_board("a1w0k,h2w0,h3b1pk", &["rook", "pawn"], TimeControl::Unlimited);
    table.play("a1a2");
    assert_eq!(
        table.outcome(),
        Some(Outcome::Win { winner: Color::White, by: WinReason::NoMoves })
    );
}

#[test]
fn a_promotion_is_asked_of_the_owner_and_does_not_pass_the_turn() {
    let mut table = from_board("a7w1p,h1w0k,h8b0k", &["rook", "pawn"], live(300, 0));
    table.wait(1_000).play("a7a8");
    assert_eq!(table.game.to_act(), Some(Color::White), "the pawn's owner");
    assert_eq!(table.game.position().actions().len(), 2, "genomes of the table");
    let promote = |square, dna: &str| Act::Promote { ply: Ply(1), at: square, dna: dna.into() };
    let queen = dna("queen");
    assert_eq!(code(table.player(Color::White, play(1, "h1h2"))), "M_PROMOTION_PENDING");
    assert_eq!(code(table.player(Color::White, promote(Square::B8, &queen))), "R_SQUARE");
    assert_eq!(code(table.player(Color::Black, promote(Square::A8, &queen))), "R_NOT_YOURS");
    assert_eq!(code(table.player(Color::White, promote(Square::A8, "x"))), "R_UNKNOWN_GENOME");
    table.wait(2_000).player(Color::White, promote(Square::A8, &queen)).unwrap();
    assert_eq!(table.left(Color::White), 297_000, "both waits were White's");
    assert_eq!(table.game.to_act(), Some(Color::Black));
    assert_eq!(table.game.last_action().unwrap().to_string(), "=a8:2");
    assert_eq!(table.game.clocks().moves_made(Color::White), 1, "a promotion is no move");
    assert_eq!(table.game.position_at(Ply(2)).as_ref(), Some(table.game.position()));
    table.play("h8h1");
    assert_eq!(table.outcome().map(|end| end.reason()), Some("king"));
}

#[test]
fn the_house_limits_the_genome_of_a_promotion() {
    let mut table = from_board("a7w1p,h1w0k,h8b0k", &["rook", "pawn"], TimeControl::Unlimited);
    let options = GmoOptions { max_blocks: 1, no_first_strike: false, ..GmoOptions::default() };
    table.game = Game::new(Setup { gmo: options, ..table.game.setup().clone() }, START).unwrap();
    table.play("a7a8");
    let promote = Act::Promote { ply: Ply(1), at: Square::A8, dna: dna("queen").into() };
    assert_eq!(code(table.player(Color::White, promote)), "P_MAX_BLOCKS");
}

#[test]
fn a_freezing_move_costs_five_seconds_and_holds_everybody() {
    let board = "a1w0k,d1w1,h8b0k";
    let mut table = from_board(board, &["rook", "queen"], live(300, 0));
    table.wait(1_000).play("d1d2");
    assert_eq!(table.left(Color::White), 294_000);
    table.wait(2_000);
    assert_eq!(table.left(Color::Black), 300_000);
    assert_eq!(table.game.next_deadline().unwrap().since(table.now), Millis(30_000 + 3_000));
    let frozen = table.player(Color::Black, play(1, "h8h7")).unwrap_err();
    assert_eq!(
        (frozen.code(), frozen.to_string()),
        ("M_FROZEN", "the game is frozen for another 3000 ms".into())
    );
    table.wait(4_000).play("h8h7");
    assert_eq!(table.left(Color::Black), 299_000);
    // Without a live clock nobody is charged and nobody is held.
    let mut free = from_board(board, &["rook", "queen"], TimeControl::Unlimited);
    free.play("d1d2 h8h7");
}

#[test]
fn a_flag_that_falls_by_the_freeze_loses_unless_a_king_was_taken() {
    let time = Outcome::Win { winner: Color::Black, by: WinReason::Time };
    let mut table = from_board("a1w0k,d1w1,h8b0k", &["rook", "queen"], live(5, 0));
    table.play("d1d2");
    assert_eq!(table.outcome(), Some(time));
    assert_eq!(table.game.ply(), Ply(1), "the move itself was made");
    assert_eq!(table.left(Color::White), 0);
    let mut table = from_board("a1w0k,d1w1,d8b0k", &["rook", "queen"], live(5, 0));
    table.play("d1d8");
    assert_eq!(table.outcome(), Some(Outcome::Win { winner: Color::White, by: WinReason::King }));
}

#[test]
fn chance_is_logged_and_a_log_replays_without_the_seed() {
    // A rook that lands beside its target and mutates.
    let wild = "AHHHSAHCCCHACHACHAHHASASAAAAAAAAA";
    let mut table = from_board("d4w0,a1w1k,h8b1k", &[wild, "rook"], TimeControl::Unlimited);
    let events = table.try_play("d4d6").unwrap();
    let Event::Played { fate: Some(fate), .. } = &events[0] else { panic!("{events:?}") };
    assert!(fate.landing.is_some());
    assert_eq!(fate.dna.as_ref().map(|dna| dna.len()), Some(33));
    let blind = Setup { seed: None, ..table.game.setup().clone() };
    let replayed = Game::rebuild(blind, START, &table.log).unwrap();
    assert_eq!(replayed.position(), table.game.position());
    assert_eq!(replayed.fate_at(Ply(0)), Some(&**fate));
    assert_eq!(replayed.position_at(Ply(1)).as_ref(), Some(table.game.position()));
    let command =
        rules::Command::new(rules::Actor::Player(Color::Black), table.now, play(1, "h8h7"));
    assert_eq!(replayed.decide(&command), Err(Refusal::NoSeed));
}

#[test]
fn repetition_is_claimed_at_the_third_and_a_draw_at_the_fifth_time() {
    let shuffle = "a1a2 h8h7 a2a1 h7h8";
    let claim = || Act::ClaimDraw { intending: None };
    let mut table = from_board("a1w0k,h8b0k", &["rook"], TimeControl::Unlimited);
    table.play(shuffle);
    assert_eq!(table.player(Color::White, claim()), Err(Refusal::NothingToClaim));
    table.play(shuffle);
    let intending = Act::ClaimDraw { intending: Some("a1a2".into()) };
    assert_eq!(table.player(Color::White, intending), Err(Refusal::NothingToClaim));
    assert_eq!(table.player(Color::Black, claim()), Err(Refusal::NotYourTurn));
    assert_eq!(table.outcome(), None, "whatever the rule set says");
    table.play(shuffle).play(shuffle);
    assert_eq!(table.outcome(), Some(Outcome::Draw { by: DrawReason::Repetition }));
    let mut table = from_board("a1w0k,h8b0k", &["rook"], TimeControl::Unlimited);
    table.play(shuffle).play(shuffle).player(Color::White, claim()).unwrap();
    assert_eq!(table.outcome(), Some(Outcome::Draw { by: DrawReason::Repetition }));
}

#[test]
fn nothing_is_taken_back_in_gmo() {
    let mut table = started(TimeControl::Unlimited);
    table.play("e2e3");
    assert_eq!(table.player(Color::White, Act::OfferTakeback), Err(Refusal::AgainstRules));
}

#[test]
fn position_forms_are_read_and_refused() {
    let text = format!("gmo1 a1w0k,h8b0k w 0 - {}", dna("rook"));
    assert_eq!(Position::from_gmo_form(&text).unwrap().fen(), text);
    assert!(Position::from_gmo_form("gmo2").is_err());
    let json = serde_json::to_string(&*army(Color::White)).unwrap();
    assert!(json.ends_with(r#""kings":"d1"}"#), "{json}");
    assert_eq!(serde_json::from_str::<Army>(&json).unwrap(), *army(Color::White));
    assert!(serde_json::from_str::<SquareSet>(r#""d1e""#).is_err());
}

#[test]
fn before_the_armies_are_there_nothing_is_shown() {
    let table = Table::new(setup(live(300, 0)));
    let position = table.game.position();
    assert_eq!(position.fen(), "gmo1 - w 0 - -");
    assert_eq!((position.actions().len(), perft(position, 1), position.hash()), (0, 0, 0));
    assert_eq!(position.dests().iter().count(), 0);
    assert!(
        position.board().is_none() && position.shelf().is_none() && position.outcome().is_none()
    );
    assert_eq!(
        code(position.resolve("e2e3".parse().unwrap()).map_err(Refusal::from)),
        "G_NOT_STARTED"
    );
    assert_eq!(
        code(position.clone().play("e2e3".parse().unwrap()).map_err(Refusal::from)),
        "G_NOT_STARTED"
    );
}

#[test]
fn other_games_know_no_armies_and_no_promotions_by_dna() {
    let mut table = Table::online(TimeControl::Unlimited);
    let promote = Act::Promote { ply: Ply(0), at: Square::E8, dna: dna("queen").into() };
    assert_eq!(code(table.player(Color::White, promote)), "R_NONE");
    assert_eq!(code(table.player(Color::White, Act::HandIn(army(Color::White)))), "K_TOO_LATE");
}
