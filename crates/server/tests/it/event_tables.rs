//! Round robins as values: what counts as half of the games, and what a change by hand does to later rounds.

use rules::Color;
use server::tournaments::event::{
    Command, Event, FirstColor, Regulations, RoundPlan, Score, System,
};

use crate::event_properties::{attempt, event, finish_round};

/// Seven players, six games each in seven rounds.
#[test]
fn half_of_the_games_is_half_of_the_own_games_not_of_the_rounds() {
    let regulations = Regulations {
        system: System::RoundRobin,
        first_color: FirstColor::White,
        ..Regulations::default()
    };
    for (games, counts) in [(2, false), (3, true)] {
        let mut event = event(regulations.clone(), 7);
        let first = event.seeded()[0].number;
        while event.played_by(first).count() < games {
            let plan = event.next_plan().unwrap();
            let round = plan.round;
            attempt(&mut event, Command::Publish { plan }).unwrap();
            for board in 1..=3 {
                let (result, reason) = (Some(Score::Draw), String::new());
                attempt(&mut event, Command::SetResult { round, board, result, reason }).unwrap();
            }
        }
        let withdrawal = Command::Withdraw { player: first, by_staff: true, absent: false };
        attempt(&mut event, withdrawal).unwrap();
        let row = event.ranking().rows.into_iter().find(|row| row.player == first);
        assert_eq!(row.is_some(), counts, "{games} of six games");
    }
}

#[test]
fn who_changes_a_later_round_of_a_table_is_told_who_meets_again_and_who_never() {
    for (system, again, seldom) in [
        (System::RoundRobin, "would meet in rounds 2 and ", "would not meet at all"),
        (System::DoubleRoundRobin, "would meet in rounds 2 and ", "would meet only in round "),
    ] {
        let regulations =
            Regulations { system, first_color: FirstColor::White, ..Regulations::default() };
        let mut event = event(regulations, 8);
        let draws = [Score::Draw];
        let mut scores = draws.iter().cycle();
        let mut play = |event: &mut Event, plan: RoundPlan| {
            attempt(event, Command::Publish { plan }).unwrap();
            finish_round(event, &mut scores, 0, &mut Vec::new());
        };
        let plan = event.next_plan().unwrap();
        play(&mut event, plan);
        let mut plan = event.propose().unwrap().plan();
        assert_eq!(event.warnings(&plan), [""; 0]);
        let [one, other, ..] = plan.boards.as_mut_slice() else { unreachable!() };
        std::mem::swap(&mut one.white, &mut other.white);
        let warnings = event.warnings(&plan);
        assert_eq!(warnings.iter().filter(|it| it.contains(again)).count(), 2, "{warnings:?}");
        assert_eq!(warnings.iter().filter(|it| it.contains(seldom)).count(), 2, "{warnings:?}");
        play(&mut event, plan);
        // The rows that bring two of them together again say so when they come.
        let mut told = 0;
        while let Ok(proposal) = event.propose() {
            told += proposal.warnings.iter().filter(|it| it.contains(again)).count();
            play(&mut event, proposal.plan());
        }
        assert!(told >= 2, "{system:?}: {told}");
    }
}

/// What somebody loses by leaving was not played before.
#[test]
fn games_that_are_lost_by_leaving_do_not_make_it_half_of_them() {
    let regulations = Regulations {
        system: System::RoundRobin,
        online: true,
        at_once: true,
        first_color: FirstColor::White,
        ..Regulations::default()
    };
    for (before, counts) in [(1, false), (2, true)] {
        let mut event = event(regulations.clone(), 5);
        let plans = event.all_plans().unwrap();
        attempt(&mut event, Command::PublishAll { plans }).unwrap();
        let first = event.seeded()[0].number;
        let own: Vec<(u16, u16, Color)> = event
            .rounds
            .iter()
            .filter_map(|round| round.board_of(first).map(|board| (round.number, board)))
            .map(|(round, board)| (round, board.number, board.side_of(first).unwrap()))
            .collect();
        for (place, (round, board, side)) in own.into_iter().enumerate() {
            if place == before {
                let player = first;
                let withdrawal = Command::Withdraw { player, by_staff: false, absent: false };
                attempt(&mut event, withdrawal).unwrap();
            }
            let lost = if side == Color::White { Score::BlackWins } else { Score::WhiteWins };
            let (result, reason) = (Some(lost), String::new());
            attempt(&mut event, Command::SetResult { round, board, result, reason }).unwrap();
        }
        let row = event.ranking().rows.into_iter().find(|row| row.player == first);
        assert_eq!(row.is_some(), counts, "{before} of four games before");
    }
}
