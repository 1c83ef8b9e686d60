//! What an answer looks like, that it is always the same, and that it comes when it is asked for.

use std::cell::Cell;
use std::time::Duration;

use engine::builtin::{Control, Limits, Line, Question, Score, Searcher, Stop};
use rules::Position;

use super::ask;

/// A position of each variant and phase.
fn every_variant() -> Vec<Position> {
    vec![
        Position::standard(),
        Position::from_fen("r1bq1rk1/pp2bppp/2n1pn2/2pp4/3P1B2/2PBPN2/PP1N1PPP/R2QK2R w KQ - 0 8")
            .unwrap(),
        Position::from_fen_chess960(
            "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9",
        )
        .unwrap(),
        Position::from_fen_defender("8/8/8/8/8/8/8/8 w - - 0 1 20/22").unwrap(),
        Position::from_fen_defender("3r2k1/8/8/8/8/2P2N2/4P3/6K1 w - - 0 5 K/K").unwrap(),
        Position::gmo_default(),
    ]
}

#[test]
fn the_same_question_gets_the_same_answer() {
    for position in every_variant() {
        let answer = || ask(&position, Limits::nodes(20_000)).unwrap();
        assert_eq!(answer(), answer(), "{}", position.fen());
    }
}

#[test]
fn every_answer_is_a_line_of_legal_moves() {
    for position in every_variant() {
        let best = ask(&position, Limits::nodes(20_000)).unwrap();
        assert_eq!(best.pv.first(), Some(&best.action));
        let mut played = position.clone();
        for action in &best.pv {
            assert_eq!(played.resolve(*action), Ok(*action), "{}", position.fen());
            played.play(*action).unwrap();
        }
    }
}

#[test]
fn a_search_ends_at_the_next_position_after_it_is_stopped() {
    for position in every_variant() {
        let stop = Stop::new();
        let at_stop = Cell::new(0);
        let question = Question::new(&position, Limits::default());
        let tell = &mut |line: &Line| {
            if line.depth >= 3 || line.pv.len() == 1 {
                stop.stop();
                at_stop.set(line.nodes);
            }
        };
        let best = Searcher::new(4).search(&question, Control::untimed(&stop), tell).unwrap();
        assert!(best.nodes <= at_stop.get() + 1, "{}", position.fen());
    }
}

#[test]
fn a_search_stopped_before_it_begins_still_names_a_move() {
    for position in every_variant() {
        let stop = Stop::new();
        stop.stop();
        let question = Question::new(&position, Limits::default());
        let best =
            Searcher::new(1).search(&question, Control::untimed(&stop), &mut |_| ()).unwrap();
        assert!(position.resolve(best.action).is_ok());
        assert_eq!((best.depth, best.nodes), (0, 1), "{}", position.fen());
    }
}

#[test]
fn time_comes_from_outside_and_ends_the_search() {
    for position in every_variant() {
        let stop = Stop::new();
        let asked = Cell::new(0_u32);
        let elapsed = || {
            asked.set(asked.get() + 1);
            Duration::from_millis(u64::from(asked.get()))
        };
        let limits = Limits::time(Duration::from_millis(20));
        let question = Question::new(&position, limits);
        let control = Control { stop: &stop, elapsed: &elapsed };
        let best = Searcher::new(4).search(&question, control, &mut |_| ()).unwrap();
        assert!(best.nodes <= 21 * 1_024, "{} nodes in {}", best.nodes, position.fen());
        assert!(asked.get() <= 80, "the clock was asked {} times", asked.get());
    }
}

#[test]
fn limits_of_nodes_and_depth_hold() {
    for position in every_variant() {
        for nodes in [1, 10, 1_000] {
            let best = ask(&position, Limits::nodes(nodes)).unwrap();
            assert!(best.nodes <= nodes + 1, "{} of {nodes} in {}", best.nodes, position.fen());
        }
        assert!(ask(&position, Limits::depth(2)).unwrap().depth <= 2);
    }
}

#[test]
fn several_lines_begin_differently_and_come_best_first() {
    for position in every_variant() {
        let mut last = Vec::new();
        let stop = Stop::new();
        let question = Question { lines: 4, ..Question::new(&position, Limits::depth(4)) };
        let tell = &mut |line: &Line| {
            if line.rank == 1 {
                last.clear();
            }
            last.push(line.clone());
        };
        Searcher::new(4).search(&question, Control::untimed(&stop), tell).unwrap();
        assert_eq!(last.len(), 4);
        let firsts: std::collections::HashSet<_> = last.iter().map(|line| line.pv[0]).collect();
        assert_eq!(firsts.len(), 4, "{last:?}");
        let value = |line: &Line| match line.score {
            Score::Centipawns(value) => value,
            Score::Mate(moves) => 100_000 * moves.signum() - moves,
        };
        assert!(last.is_sorted_by(|a, b| value(a) >= value(b)), "{last:?}");
    }
}

#[test]
fn the_losing_side_repeats_a_position_that_stood_twice_before() {
    // A bare king against a rook: the position after the step to d5 has stood twice.
    let position = Position::from_fen("8/8/8/4k3/8/8/R7/K7 b - - 10 40").unwrap();
    let mut repeated = position.clone();
    repeated.play("e5d5".parse().unwrap()).unwrap();
    let repeated = repeated.hash();
    let ask = |history: &[u64]| {
        let stop = Stop::new();
        let question = Question { history, ..Question::new(&position, Limits::depth(6)) };
        Searcher::new(1).search(&question, Control::untimed(&stop), &mut |_| ()).unwrap()
    };
    assert!(matches!(ask(&[]).score, Score::Centipawns(..-300)));
    let known = ask(&[repeated, 1, repeated, 2]);
    assert_eq!((known.action.to_string(), known.score), ("e5d5".to_owned(), Score::Centipawns(0)));
}
