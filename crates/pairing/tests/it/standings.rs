//! Standings: order, shared ranks, direct encounter, round robins, and what the tables of other
//! programs do not show.
#![allow(clippy::unwrap_used, reason = "helpers of tests may")]

use pairing::classic::{Weights, pair_round};
use pairing::model::{
    Bye, Colour, Entry, GameResult, PairingNumber, Player, Points, Scoring, Tournament,
};
use pairing::round_robin::without_annulled;
use pairing::simulate::{Random, Settings, simulate};
use pairing::standings::{Edition, Format, Rules, Standings, parse_list, standings};

const ROUND_ROBIN: Rules =
    Rules { format: Format::RoundRobin, edition: Edition::March2026, unrated_as: None };

/// A tournament from the games of each round: `1>2` White wins, `1=2` a draw, `1<2` Black wins,
/// `1+2` and `1-2` the same by forfeit; `3U`, `3H`, `3F` a bye. Who is not named is absent.
/// Ratings are 2000, 1990, 1980, …
fn tournament(players: u16, rounds: &[&str]) -> Tournament {
    let player = |number: u16| {
        Player::new(PairingNumber(number), format!("P{number:04}, Test"), Some(2010 - 10 * number))
    };
    let mut tournament =
        Tournament { players: (1..=players).map(player).collect(), ..Tournament::default() };
    for round in rounds {
        for player in &mut tournament.players {
            player.rounds.push(Entry::Bye(Bye::Zero));
        }
        for game in round.split_whitespace() {
            let at = game.find(|letter: char| !letter.is_ascii_digit()).unwrap();
            let white: u16 = game[..at].parse().unwrap();
            let mut put = |player: u16, entry| {
                *tournament.players[usize::from(player) - 1].rounds.last_mut().unwrap() = entry;
            };
            let bye = match &game[at..] {
                "U" => Some(Bye::PairingAllocated),
                "H" => Some(Bye::Half),
                "F" => Some(Bye::Full),
                _ => None,
            };
            if let Some(bye) = bye {
                put(white, Entry::Bye(bye));
                continue;
            }
            let black: u16 = game[at + 1..].parse().unwrap();
            let sign = &game[at..=at];
            let entry = |opponent: u16, colour: Colour| {
                let opponent = PairingNumber(opponent);
                let played = |result| Entry::Game { opponent, colour, result, rated: true };
                let forfeited = |won| Entry::Forfeit { opponent, colour: Some(colour), won };
                let is_white = colour == Colour::White;
                match sign {
                    "=" => played(GameResult::Draw),
                    ">" | "<" if is_white == (sign == ">") => played(GameResult::Win),
                    ">" | "<" => played(GameResult::Loss),
                    _ => forfeited(is_white == (sign == "+")),
                }
            };
            put(white, entry(black, Colour::White));
            put(black, entry(white, Colour::Black));
        }
    }
    tournament.check().unwrap();
    tournament
}

fn rank(tournament: &Tournament, tie_breaks: &str, rules: Rules) -> Standings {
    standings(tournament, &parse_list(tie_breaks).unwrap(), &rules).unwrap()
}

/// The values of one tie-break, by number of the player.
fn values(tournament: &Tournament, tie_break: &str, rules: Rules) -> Vec<String> {
    let mut rows = rank(tournament, tie_break, rules).rows;
    rows.sort_by_key(|row| row.player);
    rows.iter()
        .map(|row| row.values[0].map_or_else(|| "-".to_owned(), |value| value.to_string()))
        .collect()
}

#[track_caller]
fn check(tournament: &Tournament, tie_break: &str, rules: Rules, expected: &[&str]) {
    assert_eq!(values(tournament, tie_break, rules), expected, "{tie_break}");
}

/// Everybody meets everybody: 1 has 1½ points, 2 has 1, 3 has ½.
fn three() -> Tournament {
    tournament(3, &["1>2", "3=1", "2>3"])
}

#[test]
fn those_whom_nothing_tells_apart_share_the_rank() {
    let rows = rank(&tournament(4, &["1=2 3>4"]), "BH", Rules::default()).rows;
    let ranks: Vec<(u16, u16)> = rows.iter().map(|row| (row.rank, row.player.0)).collect();
    assert_eq!(ranks, [(1, 3), (2, 1), (2, 2), (4, 4)]);
}

#[test]
fn the_number_can_decide_in_either_direction() {
    let drawn = tournament(2, &["1=2"]);
    let first = |tie_break| rank(&drawn, tie_break, Rules::default()).rows[0].player.0;
    assert_eq!((first("TPN"), first("TPN/R")), (1, 2));
    assert_eq!((first("RTNG"), first("RTNG/R")), (1, 2));
}

#[test]
fn direct_encounter_counts_the_games_of_the_tied() {
    // 1, 2 and 3 have two points, of which 1½, 1 and ½ against each other.
    let tied = tournament(5, &["1>2 3>4", "2>3 1=4", "1=3 2>4", "3=5"]);
    check(&tied, "DE", Rules::default(), &["1", "2", "3", "1", "1"]);
}

#[test]
fn direct_encounter_is_applied_again_to_those_still_tied() {
    // Of the four with two points, 1 and 2 made two against the others, and 1 beat 2.
    let tied = tournament(6, &["1>2 3=4", "2>3 1>4", "3>1 2>4", "3=5 4=6", "4>5"]);
    check(&tied, "DE", Rules::default(), &["1", "2", "3", "4", "1", "1"]);
}

#[test]
fn direct_encounter_takes_the_average_of_several_games() {
    let tied = tournament(3, &["1>2", "2>3", "3>1", "2>1", "3>2", "1>3"]);
    check(&tied, "DE", Rules::default(), &["1", "1", "1"]);
}

#[test]
fn direct_encounter_needs_all_games_or_a_clear_first() {
    check(&tournament(4, &["1>3 2>4"]), "DE", Rules::default(), &["1", "1", "1", "1"]);
    // 1 beat both others; 2 and 3 have not met, but whoever would win could not pass.
    let tied = tournament(5, &["1>2 3>4", "1>3 2>4", "2>5", "3>5"]);
    check(&tied, "DE", Rules::default(), &["1", "2", "2", "1", "1"]);
}

#[test]
fn a_forfeit_is_no_direct_encounter_unless_the_rules_say_so() {
    let tied = tournament(2, &["1+2", "2F"]);
    check(&tied, "DE", Rules::default(), &["1", "1"]);
    check(&tied, "DE/P", Rules::default(), &["1", "2"]);
    check(&tied, "DE", ROUND_ROBIN, &["1", "2"]);
}

#[test]
fn in_a_round_robin_forfeits_are_games() {
    let forfeited = tournament(3, &["1+2", "3<1", "2=3"]);
    check(&forfeited, "SB", ROUND_ROBIN, &["1.00", "0.25", "0.25"]);
    check(&forfeited, "WON", ROUND_ROBIN, &["2", "0", "0"]);
    check(&forfeited, "BPG", ROUND_ROBIN, &["1", "0", "1"]);
    check(&forfeited, "KS", ROUND_ROBIN, &["0.0", "0.0", "0.0"]);
    check(&forfeited, "ARO", ROUND_ROBIN, &["1980", "1980", "1995"]);
    check(&forfeited, "WON", Rules::default(), &["1", "0", "0"]);
}

#[test]
fn koya_counts_points_against_the_upper_half() {
    let four = tournament(4, &["1>2 3<4", "3=1 2>4", "1>4 3=2"]);
    check(&four, "KS", ROUND_ROBIN, &["1.0", "0.0", "1.0", "0.0"]);
    check(&four, "KS/L+2", ROUND_ROBIN, &["0.0", "0.0", "0.5", "0.0"]);
    check(&four, "KS/L-1", ROUND_ROBIN, &["2.5", "1.5", "1.0", "1.0"]);
}

#[test]
fn standard_points_undo_the_scoring() {
    let mut tournament = tournament(3, &["1>2 3U", "2=3 1U"]);
    tournament.scoring =
        Scoring::new(Points::from_tenths(30), Points::from_tenths(10), Points::ZERO);
    check(&tournament, "STD", Rules::default(), &["2.0", "0.5", "1.5"]);
    check(&tournament, "WIN", Rules::default(), &["2", "0", "1"]);
    let points: Vec<i32> =
        tournament.players.iter().map(|player| tournament.score(player).tenths()).collect();
    assert_eq!(points, [60, 10, 40]);
}

#[test]
fn averages_of_buchholz_look_at_games_over_the_board() {
    let four = tournament(4, &["1>2 3>4", "3<1 2=4"]);
    check(&four, "BH", Rules::default(), &["1.5", "2.5", "2.5", "1.5"]);
    check(&four, "AOB", Rules::default(), &["2.50", "1.50", "1.50", "2.50"]);
    check(&four, "FB", Rules::default(), &["2.0", "2.0", "2.0", "2.0"]);
    check(&four, "AOB/F", Rules::default(), &["2.00", "2.00", "2.00", "2.00"]);
}

#[test]
fn the_dummy_is_capped_since_2026() {
    // 1 made three points of four: the dummy of round 1 has 3, or 2 by the cap. The rounds that
    // 2 and 3 missed after their game count as draws.
    let tournament = tournament(4, &["1H", "1>2", "1>3", "4=1"]);
    let old = Rules { edition: Edition::August2024, ..Rules::default() };
    assert_eq!(values(&tournament, "BH", Rules::default())[0], "4.0");
    assert_eq!(values(&tournament, "BH", old)[0], "5.0");
}

#[test]
fn performances_of_the_opponents_are_averaged() {
    check(&three(), "ARO", Rules::default(), &["1985", "1990", "1995"]);
    check(&three(), "TPR", Rules::default(), &["2178", "1990", "1802"]);
    check(&three(), "APRO", Rules::default(), &["1896", "1990", "2084"]);
    check(&three(), "PTP", Rules::default(), &["2178", "1990", "1802"]);
    check(&three(), "APPO", Rules::default(), &["1896", "1990", "2084"]);
    check(&three(), "ARO/C1", Rules::default(), &["1990", "2000", "2000"]);
}

#[test]
fn one_unrated_player_drops_the_tie_breaks_by_rating() {
    let mut tournament = tournament(2, &["1>2"]);
    tournament.players[1].rating = None;
    assert_eq!(values(&tournament, "ARO", Rules::default()), ["-", "-"]);
    let defined = Rules { unrated_as: Some(1400), ..Rules::default() };
    assert_eq!(values(&tournament, "ARO", defined), ["1400", "2000"]);
}

#[test]
fn annulled_results_leave_no_trace() {
    let left = without_annulled(&three(), &[PairingNumber(3)]);
    left.check().unwrap();
    let points: Vec<i32> =
        rank(&left, "", ROUND_ROBIN).rows.iter().map(|row| row.points.tenths()).collect();
    assert_eq!(points, [10, 0]);
}

#[test]
fn the_order_of_input_makes_no_difference() {
    let tie_breaks =
        "DE,BH/C1,BH,FB/M1,AOB,SB/C1,PS,KS,WIN,WON,BPG,BWG,REP,STD,ARO,TPR,PTP,APRO,APPO";
    let mut random = Random::new(4);
    for seed in 0..40 {
        let settings = Settings { unrated: 0, ..Settings::lively(24, 7) };
        let pair = |tournament: &Tournament| pair_round(tournament, &Weights::default());
        let mut tournament = simulate(&settings, seed, pair).unwrap();
        let expected = rank(&tournament, tie_breaks, Rules::default());
        for place in 1..tournament.players.len() {
            let other = usize::try_from(random.below(u64::try_from(place + 1).unwrap())).unwrap();
            tournament.players.swap(place, other);
        }
        assert_eq!(rank(&tournament, tie_breaks, Rules::default()), expected);
    }
}

#[test]
fn nobody_ranks_above_a_better_score() {
    for seed in 0..40 {
        let pair = |tournament: &Tournament| pair_round(tournament, &Weights::default());
        let tournament = simulate(&Settings::lively(40, 7), seed, pair).unwrap();
        let rows = rank(&tournament, "DE,BH/C1,SB", Rules::default()).rows;
        assert!(rows.is_sorted_by_key(|row| -row.points) && rows.is_sorted_by_key(|row| row.rank));
    }
}

#[test]
fn standings_are_shown_as_an_aligned_table() {
    let expected = "\
Rank  No  Name          Rtg  Pts    SB  WIN  DE
   1   1  P0001, Test  2000  1.5  1.25    1   -
   2   2  P0002, Test  1990  1.0  0.50    1   -
   3   3  P0003, Test  1980  0.5  0.75    0   -
";
    assert_eq!(rank(&three(), "SB,WIN,DE", ROUND_ROBIN).to_string(), expected);
}

#[test]
fn standings_are_data_for_programs() {
    let json = serde_json::to_value(rank(&three(), "SB/C1,WIN", ROUND_ROBIN)).unwrap();
    assert_eq!(json["tie_breaks"], serde_json::json!(["SB/C1", "WIN"]));
    assert_eq!(json["rows"][0]["points"], serde_json::json!(1.5));
    assert_eq!(json["rows"][0]["values"], serde_json::json!([1.0, 1]));
}
