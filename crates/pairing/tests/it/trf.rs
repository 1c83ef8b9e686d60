//! Reading and writing tournament files.
#![allow(clippy::unwrap_used, reason = "helpers of tests may")]

use pairing::classic::{Weights, pair_round};
use pairing::model::{
    AbnormalPoints, Acceleration, AnnouncedBye, Bye, Colour, Entry, GameResult, PairingNumber,
    Player, Points, RoundNumber, Title,
};
use pairing::simulate::{Random, Settings, SimulationError, simulate};
use pairing::standings::{Rules, parse_list, standings};
use pairing::trf::{self, Flavour, Problem};
use pairing::{ForbiddenGroup, Scoring, Tournament};

/// Two players, one round, as a well-made file has them.
const TWO: &str = "\
012 Two players
142 3
001    1 m GM P0001, Test                       2450 CZE      300001 1987/05/12  1.0    1     2 w 1
001    2 w    P0002, Test                       2310 POL      300002             0.0    2     1 b 0
";

fn read(text: &str) -> Tournament {
    trf::read(text.as_bytes()).unwrap()
}

#[test]
fn every_file_is_read_and_adds_up() {
    for (name, bytes) in crate::cases::trf_files() {
        let (tournament, warnings) =
            trf::read_with_warnings(&bytes).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert_eq!(warnings, [], "{name}");
        assert!(tournament.total_rounds.is_some() && tournament.initial_colour.is_some(), "{name}");
        trf::fuzz_target(&bytes);
    }
}

#[test]
fn both_flavours_give_the_tournament_back() {
    for (name, bytes) in crate::cases::trf_files() {
        let tournament = trf::read(&bytes).unwrap();
        for flavour in [Flavour::Trf16, Flavour::Trf26] {
            let again = trf::read(trf::write(&tournament, flavour).as_bytes()).unwrap();
            let mut expected = tournament.clone();
            if flavour == Flavour::Trf16 {
                expected.system.clear();
                expected.forbidden.iter_mut().for_each(|group| group.rounds = None);
            }
            assert_eq!(again, expected, "{name}, {flavour:?}");
        }
    }
}

#[test]
fn the_fields_of_a_player_are_read() {
    let tournament = read(TWO);
    let first = &tournament.players[0];
    assert_eq!(
        (first.name.as_str(), first.title, first.rating),
        ("P0001, Test", Some(Title::Gm), Some(2450))
    );
    assert_eq!((first.federation.as_str(), first.fide_id.as_str()), ("CZE", "300001"));
    assert_eq!((first.birth.as_str(), first.rank), ("1987/05/12", Some(1)));
    let game = Entry::Game {
        opponent: PairingNumber(2),
        colour: Colour::White,
        result: GameResult::Win,
        rated: true,
    };
    assert_eq!(first.rounds, [game]);
    assert_eq!(tournament.score(first), Points::ONE);
}

#[test]
fn line_ends_and_encodings_make_no_difference() {
    let expected = read(&TWO.replace("Test", "Tést"));
    for end in ["\n", "\r", "\r\n"] {
        let text = TWO.replace("Test", "Tést").replace('\n', end);
        assert_eq!(read(&text), expected);
        let latin1: Vec<u8> =
            text.chars().map(|letter| u8::try_from(u32::from(letter)).unwrap()).collect();
        assert_eq!(trf::read(&latin1).unwrap(), expected);
        assert_eq!(
            trf::read(&[b"\xEF\xBB\xBF".as_slice(), text.as_bytes()].concat()).unwrap(),
            expected
        );
    }
}

#[test]
fn a_missing_rank_is_no_problem() {
    let text = TWO.replace("    1     2 w 1", "          2 w 1");
    assert_eq!(read(&text).players[0].rank, None);
}

#[test]
fn a_fifth_digit_stands_left_of_its_column() {
    let text = TWO.replace("001    2", "00110000").replace("    2 w 1", "10000 w 1");
    let tournament = read(&text);
    assert_eq!(tournament.players[1].number, PairingNumber(10_000));
    assert_eq!(trf::read(trf::write(&tournament, Flavour::Trf26).as_bytes()).unwrap(), tournament);
}

#[test]
fn errors_say_where_they_are() {
    check_error("  2 w 1", "  2 w ?", (3, 99), "`?` is no result");
    check_error("  2 w 1", "  2 x 1", (3, 97), "`x` is no colour");
    check_error("  2 w 1", "  2   1", (3, 97), "a game that was played needs a colour, w or b");
    check_error("  2 w 1", "  2 w  ", (3, 99), "the game has no result");
    check_error("  2 w 1", " 2z w 1", (3, 91), "the pairing number must be a number, not `2z`");
    check_error(
        "  2 w 1",
        "  7 w 1",
        (3, 92),
        "player 1 meets 7 in round 1, but there is no player 7",
    );
    check_error(
        "  1 b 0",
        "  1 w 0",
        (3, 92),
        "player 1 meets 2 in round 1, but the entry of 2 does not agree",
    );
    check_error("001    2", "001    1", (4, 5), "two players have the number 1");
    check_error("001    2", "001     ", (4, 5), "the pairing number is missing");
    check_error("142 3", "142 three", (2, 5), "the number of rounds must be a number, not `three`");
    check_error("142 3", "142 1000", (2, 5), "more than 999 rounds");
    check_error("142 3", "162  W 3,x", (2, 8), "the value of the letter must be points, not `3,x`");
    check_error("142 3", "240 Q   2    1", (2, 5), "`Q` is no bye, F, H or Z");
    check_error("142 3", "240 H   2    9", (2, 1), "there is no player 9");
    check_error("142 3", "XXP 1 99999", (2, 7), "more than 10000 players");
}

#[track_caller]
fn check_error(part: &str, replacement: &str, place: (usize, usize), problem: &str) {
    let text = TWO.replacen(part, replacement, 1);
    let error = trf::read(text.as_bytes()).unwrap_err();
    assert_eq!(((error.line, error.column), error.problem.to_string().as_str()), (place, problem));
}

#[test]
fn a_file_without_players_is_refused() {
    assert_eq!(trf::read(b"012 Nobody").unwrap_err().problem, Problem::NoPlayers);
    assert_eq!(trf::read(b"").unwrap_err().problem, Problem::NoPlayers);
}

#[test]
fn ten_thousand_players_are_read_and_one_more_is_refused() {
    let line = |number: usize| format!("001{number:>5}      P{number}\n");
    let mut text: String = (1..=10_000).map(line).collect();
    assert_eq!(read(&text).players.len(), 10_000);
    text.push_str(&line(9_999));
    let error = trf::read(text.as_bytes()).unwrap_err();
    assert_eq!((error.line, error.problem), (10_001, Problem::TooManyPlayers));
}

#[test]
fn what_was_odd_is_told() {
    check_warning(
        "  2 w 1",
        "  2 w 1  0000 - +",
        "`+` without an opponent is taken as a full-point bye",
    );
    check_warning(" GM ", " NM ", "`NM` is no title; ignored");
    check_warning("2450", "24x0", "the rating must be a number, not `24x0`; ignored");
    check_warning(
        " 1.0    1",
        " 2.0    1",
        "player 1 has 1.0 points by the rounds, 2.0 by the line",
    );
    check_warning("142 3", "XXC gray1", "`gray1` is no setting known here; ignored");
}

#[track_caller]
fn check_warning(part: &str, replacement: &str, warning: &str) {
    let (_, warnings) =
        trf::read_with_warnings(TWO.replacen(part, replacement, 1).as_bytes()).unwrap();
    assert_eq!(warnings.iter().map(|warning| warning.text.as_str()).collect::<Vec<_>>(), [warning]);
}

#[test]
fn byes_after_the_last_paired_round_are_announced() {
    let text = TWO.replace("  2 w 1", "  2 w 1  0000 - H");
    let announced =
        AnnouncedBye { round: RoundNumber(2), player: PairingNumber(1), bye: Bye::Half };
    assert_eq!(read(&text).byes, [announced]);
    assert_eq!(read(&format!("{TWO}240 H   2    1\n")).byes, [announced]);
    let absent = AnnouncedBye { bye: Bye::Zero, ..announced };
    assert_eq!(read(&format!("{TWO}XXZ 1\n")).byes, [absent]);
}

#[test]
fn a_round_after_the_last_is_ignored() {
    let text = TWO.replace("142 3", "142 1").replace("  2 w 1", "  2 w 1  0000 - Z");
    assert_eq!(read(&text).byes, []);
}

#[test]
fn absurd_values_break_nothing() {
    let many = "299        9999.9    0\n".repeat(40);
    let tournament = read(&format!("{TWO}162  W9999.9    D9999.9\n{many}"));
    let tie_breaks = parse_list("DE,BH,SB/C1,PS,KS/L+9,STD").unwrap();
    let rows = standings(&tournament, &tie_breaks, &Rules::default()).unwrap().rows;
    assert_eq!(rows[0].player, PairingNumber(1));
}

#[test]
fn special_values_change_the_score() {
    let scores = |line: &str| {
        let tournament = read(&format!("{TWO}{line}\n"));
        tournament
            .players
            .iter()
            .map(|player| tournament.score(player).tenths())
            .collect::<Vec<_>>()
    };
    assert_eq!(scores("162  W 3.0    L 1.0"), [30, 10]);
    assert_eq!(scores("XXS W=3"), [30, 0]);
    assert_eq!(scores("BBL  0.5"), [10, 5]);
    assert_eq!(scores("299          -0.5    1    1"), [5, 0]);
    assert_eq!(scores("299 L         0.7  000"), [10, 7]);
}

#[test]
fn everything_the_model_holds_survives_trf_2026() {
    let mut tournament = read(TWO);
    tournament.scoring = Scoring {
        forfeit_win: Points::from_tenths(8),
        forfeit_loss: Points::from_tenths(-10),
        zero_bye: Points::from_tenths(1),
        full_bye: Points::from_tenths(9),
        half_bye: Points::from_tenths(4),
        pairing_bye: Points::from_tenths(7),
        ..Scoring::new(Points::from_tenths(30), Points::from_tenths(10), Points::from_tenths(5))
    };
    tournament.initial_colour = Some(Colour::Black);
    tournament.system = "FIDE_DUTCH_2026_BAKU".to_owned();
    tournament.acceleration = Acceleration::baku(2);
    tournament.tie_breaks = "BH/C1,BH,SB".to_owned();
    let both = vec![PairingNumber(1), PairingNumber(2)];
    let some =
        ForbiddenGroup { rounds: Some((RoundNumber(2), RoundNumber(3))), players: both.clone() };
    tournament.forbidden = vec![some, ForbiddenGroup { rounds: None, players: both.clone() }];
    tournament.byes =
        vec![AnnouncedBye { round: RoundNumber(3), player: PairingNumber(2), bye: Bye::Full }];
    tournament.abnormal = vec![
        AbnormalPoints {
            replaces: Some('W'),
            points: Points::from_tenths(-105),
            round: None,
            players: vec![],
        },
        AbnormalPoints {
            replaces: None,
            points: Points::HALF,
            round: Some(RoundNumber(1)),
            players: both,
        },
    ];
    tournament.header.deputies = vec!["First".to_owned(), "Second".to_owned()];
    tournament.header.round_dates = vec!["26/03/01".to_owned(), "26/03/02".to_owned()];
    tournament.header.other_lines = vec!["### a comment".to_owned(), "082 0".to_owned()];
    let text = trf::write(&tournament, Flavour::Trf26);
    assert_eq!(read(&text), tournament, "{text}");
}

/// A tournament with everything in it, and texts that are hard to write.
fn random_tournament(seed: u64) -> Tournament {
    let mut random = Random::new(seed);
    let settings = Settings {
        stop_after: Some(random.between(0, 7)),
        forbidden_groups: random.between(0, 3),
        baku: random.chance(300),
        ..Settings::lively(random.between(2, 40), 7)
    };
    let pair = |tournament: &Tournament| pair_round(tournament, &Weights::default());
    let mut tournament = match simulate(&settings, seed, pair) {
        Ok(tournament) => tournament,
        Err(SimulationError::NotPaired { tournament, .. }) => *tournament,
        Err(other) => panic!("{other}"),
    };
    let letters: Vec<char> = "aZ ,.-'éßŁ中\u{1F600}".chars().collect();
    let mut text = |length| {
        let length = random.between(0, length);
        let picked =
            (0..length).map(|_| letters[usize::from(random.between(0, 11))]).collect::<String>();
        picked.trim().to_owned()
    };
    for player in &mut tournament.players {
        (player.name, player.federation, player.fide_id, player.birth) =
            (text(33), text(3), text(11), text(10));
        player.rank = Some(player.number.0);
    }
    (tournament.header.name, tournament.header.city, tournament.header.kind) =
        (text(50), text(20), text(20));
    tournament
}

#[test]
fn any_tournament_comes_back_from_its_text() {
    for seed in 0..200 {
        let tournament = random_tournament(seed);
        let text = trf::write(&tournament, Flavour::Trf26);
        assert_eq!(read(&text), tournament, "seed {seed}:\n{text}");
        let mut expected = tournament.clone();
        expected.system.clear();
        let again = read(&trf::write(&tournament, Flavour::Trf16));
        for player in &tournament.players {
            for round in (1..=7).map(RoundNumber) {
                let points = |of: &Tournament| of.fictitious_points(player.number, round);
                assert_eq!(points(&again), points(&tournament), "seed {seed}");
            }
        }
        // TRF16 has no word for Baku: its points are written out.
        expected.acceleration = again.acceleration.clone();
        assert_eq!(again, expected, "seed {seed}");
    }
}

#[test]
fn a_tournament_comes_back_from_json() {
    for seed in 0..20 {
        let tournament = random_tournament(seed);
        let json = serde_json::to_string(&tournament).unwrap();
        assert_eq!(serde_json::from_str::<Tournament>(&json).unwrap(), tournament);
    }
}

#[test]
fn a_line_break_in_a_name_does_not_break_the_file() {
    let mut tournament = read(TWO);
    tournament.players[0].name = "P0001,\r\nTest".to_owned();
    assert_eq!(read(&trf::write(&tournament, Flavour::Trf16)).players[0].name, "P0001,  Test");
}

#[test]
fn a_new_player_has_no_rounds() {
    let player = Player::new(PairingNumber(3), "P0003, Test", None);
    let mut tournament = read(TWO);
    tournament.players.push(player);
    assert!(tournament.check().is_err());
    tournament.players[2].rounds.push(Entry::Bye(Bye::Zero));
    assert_eq!(tournament.check(), Ok(()));
}
