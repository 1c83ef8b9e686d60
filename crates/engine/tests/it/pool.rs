//! The door to the engines: the real Stockfish and the built-in one, seats, ranks and the queue.

use std::time::Duration;

use engine::builtin::{Level, Limits, Score};
use engine::pool::{
    Answer, Choice, EngineError, EngineSettings, Line, Pool, PoolSettings, Priority, Situation,
    Strength, Task, Ticket, Update, find_program,
};
use rules::{Action, Position};

/// Settings with the real Stockfish.
fn with_stockfish() -> PoolSettings {
    let program = find_program("stockfish");
    let program =
        program.expect("Stockfish is needed: apt-get install stockfish (or scripts/setup test)");
    let engines = vec![EngineSettings::new("stockfish", program)];
    PoolSettings { engines, workers: 1, hash_mb: 16, ..PoolSettings::default() }
}

fn task(fen: &str, moves: &str, limits: Limits) -> Task {
    let actions = moves.split_whitespace().map(|text| text.parse::<Action>().unwrap());
    let situation = Situation::after(Position::from_fen(fen).unwrap(), actions).unwrap();
    Task::new(situation, limits)
}

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
const MATE_IN_ONE: &str = "6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1";

/// A question that takes as long as it is let.
fn endless() -> Task {
    task(START, "", Limits::default())
}

async fn first_line(ticket: &mut Ticket) {
    loop {
        match ticket.next().await {
            Some(Update::Line(_)) => return,
            Some(Update::Waiting { .. }) => {}
            other => panic!("{other:?}"),
        }
    }
}

#[tokio::test]
async fn who_cannot_wait_has_an_answer_in_every_game_though_no_seat_is_free() {
    let pool = Pool::start(PoolSettings { workers: 1, hash_mb: 1, ..PoolSettings::default() });
    let mut first = pool.ask(endless(), Priority::Play);
    first_line(&mut first).await;
    let placing = Position::from_fen_defender("8/8/8/8/8/8/8/8 w - - 0 1 20/22").unwrap();
    for position in [Position::standard(), Position::gmo_default(), placing] {
        for strength in [Strength::Full, Strength::Level(Level::WEAKEST)] {
            let task =
                Task { strength, ..Task::new(Situation::new(position.clone()), Limits::default()) };
            let answer = pool.answer_at_once(task).await.unwrap();
            let best = answer.best.unwrap();
            assert!(position.actions().contains(&best), "{best}");
        }
    }
    assert_eq!(pool.load().running, 1, "the first one still has the only seat");
}

#[tokio::test]
async fn the_real_stockfish_answers_with_legal_lines() {
    let pool = Pool::start(with_stockfish());
    let question = task(START, "e2e4 e7e5", Limits::depth(8)).with_lines(3);
    let mut ticket = pool.ask(question, Priority::Analysis);
    let mut told = 0;
    let answer = loop {
        match ticket.next().await.unwrap() {
            Update::Line(line) => {
                told += 1;
                assert!((1..=3).contains(&line.rank) && !line.moves.is_empty(), "{line:?}");
            }
            Update::Done(answer) => break answer,
            other => panic!("{other:?}"),
        }
    };
    assert!(told >= 3);
    assert_eq!(answer.engine, "stockfish");
    assert_eq!(answer.lines.iter().map(|line| line.rank).collect::<Vec<_>>(), [1, 2, 3]);
    assert_eq!(answer.best, answer.lines[0].moves.first().copied());
    assert_eq!(ticket.next().await, None);
    assert!(pool.engines()[0].name.starts_with("Stockfish"), "{:?}", pool.engines());
}

#[tokio::test]
async fn everybody_finds_the_mate() {
    let pool = Pool::start(with_stockfish());
    for engine in [Choice::Any, Choice::Builtin, Choice::Named("stockfish".to_owned())] {
        let question = task(MATE_IN_ONE, "", Limits::depth(4)).by(engine);
        let answer = pool.answer(question, Priority::Play).await.unwrap();
        assert_eq!(answer.best, Some("a1a8".parse().unwrap()));
        assert_eq!(answer.lines[0].score, Score::Mate(1));
    }
}

#[tokio::test]
async fn chess960_castles_with_the_real_stockfish() {
    let fen = "1k6/8/8/8/8/8/5PPP/4RK1R w H - 0 1";
    let pool = Pool::start(with_stockfish());
    let start = Position::from_fen_chess960(fen).unwrap();
    let castled = Situation::after(start, ["f1h1".parse().unwrap()]).unwrap();
    let answer = pool.answer(Task::new(castled, Limits::depth(5)), Priority::Play).await.unwrap();
    assert!(answer.best.is_some());
    assert_eq!(answer.engine, "stockfish");
}

#[tokio::test]
async fn weak_levels_and_other_games_are_the_built_in_engines() {
    let pool = Pool::start(with_stockfish());
    let check = async |position: Position, level: u8, expected: &str| {
        let strength = Strength::Level(Level::new(level).unwrap());
        let limits = Limits::nodes(3_000);
        let task = Task { strength, ..Task::new(Situation::new(position), limits) };
        let Answer { engine, best, .. } = pool.answer(task, Priority::Play).await.unwrap();
        assert!(best.is_some());
        assert_eq!(engine, expected, "level {level}");
    };
    check(Position::standard(), 1, "builtin").await;
    check(Position::standard(), 3, "builtin").await;
    check(Position::standard(), 4, "stockfish").await;
    check(Position::gmo_default(), 8, "builtin").await;
    let defender = |fen| Position::from_fen_defender(fen).unwrap();
    check(defender("8/8/8/8/8/8/8/8 w - - 0 1 5/5"), 8, "builtin").await;
    check(defender("3r2k1/8/8/8/8/2P2N2/4P3/6K1 w - - 0 5 K/K"), 8, "stockfish").await;
}

#[tokio::test]
async fn a_level_knows_nothing_of_what_was_searched_before() {
    let fen = "r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R b KQkq - 3 3";
    let strong = || task(fen, "", Limits::nodes(30_000)).by(Choice::Builtin);
    let ask = async |pool: &Pool, level: u8, seed: u64| {
        let strength = Strength::Level(Level::new(level).unwrap());
        let task = Task { strength, seed, ..strong() };
        pool.answer(task, Priority::Play).await.unwrap().lines.swap_remove(0)
    };
    let used = Pool::start(with_stockfish());
    for seed in 0..6 {
        for level in [1, 3, 5] {
            used.answer(strong(), Priority::Play).await.unwrap();
            let fresh = Pool::start(with_stockfish());
            let (here, there) = (ask(&used, level, seed).await, ask(&fresh, level, seed).await);
            let of = |line: Line| (line.moves, line.score, line.nodes);
            assert_eq!(of(here), of(there), "level {level}, seed {seed}");
        }
    }
}

#[tokio::test]
async fn an_installed_engine_forgets_when_it_plays_for_another_strength() {
    let program = env!("CARGO_BIN_EXE_trial-engine");
    let arguments = vec!["counts_games".into(), "x".into()];
    let engine = EngineSettings { arguments, ..EngineSettings::new("counts_games", program) };
    let pool = Pool::start(PoolSettings { engines: vec![engine], ..with_stockfish() });
    let check = async |level: Option<u8>, expected: &str| {
        let level = level.map(|level| Level::new(level).unwrap());
        let strength = level.map_or(Strength::Full, Strength::Level);
        let task = Task { strength, ..task(START, "", Limits::depth(1)) };
        let answer = pool.answer(task, Priority::Play).await.unwrap();
        assert_eq!(answer.best, Some(expected.parse().unwrap()), "{level:?}");
    };
    check(None, "a2a3").await;
    check(None, "a2a3").await;
    check(Some(4), "b2b3").await;
    check(Some(4), "b2b3").await;
    check(Some(5), "c2c3").await;
    check(None, "d2d3").await;
}

#[tokio::test]
async fn an_engine_that_cannot_be_made_weaker_plays_for_the_highest_level_only() {
    let program = env!("CARGO_BIN_EXE_trial-engine");
    let arguments = vec!["no_skill".into(), "x".into()];
    let engine = EngineSettings { arguments, ..EngineSettings::new("no_skill", program) };
    let pool = Pool::start(PoolSettings { engines: vec![engine], ..with_stockfish() });
    let check = async |level: u8, expected: &str| {
        let strength = Strength::Level(Level::new(level).unwrap());
        let task = Task { strength, ..task(START, "", Limits::nodes(100)) };
        let answer = pool.answer(task, Priority::Play).await.unwrap();
        assert_eq!(answer.engine, expected, "level {level}");
    };
    // Often enough that it would be left alone if it had failed.
    for level in [4, 5, 6, 7, 4] {
        check(level, "builtin").await;
    }
    check(8, "no_skill").await;
}

#[tokio::test]
async fn a_question_that_cannot_be_answered_is_refused_with_a_reason() {
    let pool = Pool::start(with_stockfish());
    let check = async |task: Task, expected: EngineError| {
        assert_eq!(pool.answer(task, Priority::Analysis).await, Err(expected));
    };
    let named = |key: &str| Choice::Named(key.to_owned());
    check(endless().by(named("nobody")), EngineError::Unknown("nobody".to_owned())).await;
    let gmo = Task::new(Situation::new(Position::gmo_default()), Limits::depth(1));
    check(gmo.by(named("stockfish")), EngineError::Unsuitable("stockfish".to_owned())).await;
    let mated = task("R5k1/5ppp/8/8/8/8/8/6K1 b - - 0 1", "", Limits::depth(1));
    check(mated, EngineError::NothingToDo).await;
}

#[tokio::test]
async fn who_plays_goes_first_and_who_waited_goes_on() {
    for engine in [Choice::Any, Choice::Builtin] {
        let pool = Pool::start(with_stockfish());
        let limits = Limits::time(Duration::from_millis(400));
        let background = task(START, "", limits).by(engine.clone());
        let mut background = pool.ask(background, Priority::Background);
        first_line(&mut background).await;
        let mut analysis = pool.ask(endless().by(engine.clone()), Priority::Analysis);
        assert_eq!(analysis.next().await, Some(Update::Waiting { ahead: 0 }));
        let play = task(MATE_IN_ONE, "", Limits::depth(3)).by(engine.clone());
        let played = pool.answer(play, Priority::Play).await.unwrap();
        assert_eq!(played.best, Some("a1a8".parse().unwrap()));
        // The search that gave way stands behind the analysis now, and comes to its end after it.
        first_line(&mut analysis).await;
        assert_eq!(pool.load().waiting, 1);
        drop(analysis);
        assert!(background.answer().await.unwrap().best.is_some());
        assert_eq!(pool.load().running, 0);
    }
}

#[tokio::test]
async fn a_dropped_ticket_takes_its_question_back() {
    let pool = Pool::start(with_stockfish());
    for engine in [Choice::Any, Choice::Builtin] {
        let mut running = pool.ask(endless().by(engine.clone()), Priority::Analysis);
        first_line(&mut running).await;
        let waiting = pool.ask(endless().by(engine.clone()), Priority::Analysis);
        assert_eq!(pool.load().waiting, 1);
        drop(waiting);
        assert_eq!(pool.load().waiting, 0);
        drop(running);
        let quick = task(MATE_IN_ONE, "", Limits::depth(2)).by(engine);
        assert!(pool.answer(quick, Priority::Analysis).await.is_ok());
    }
}

#[tokio::test]
async fn the_queue_is_bounded_for_all_but_players() {
    let pool = Pool::start(PoolSettings { queue: 1, ..with_stockfish() });
    let mut running = pool.ask(endless(), Priority::Analysis);
    first_line(&mut running).await;
    let _waiting = pool.ask(endless(), Priority::Analysis);
    let mut refused = pool.ask(endless(), Priority::Analysis);
    assert_eq!(refused.next().await, Some(Update::Failed(EngineError::QueueFull)));
    let play = task(MATE_IN_ONE, "", Limits::depth(2));
    assert!(pool.answer(play, Priority::Play).await.is_ok());
}

#[tokio::test]
async fn a_search_without_a_limit_ends_with_the_pools_own() {
    let longest = Duration::from_millis(300);
    let pool = Pool::start(PoolSettings { longest, ..with_stockfish() });
    for engine in [Choice::Any, Choice::Builtin] {
        let answer = pool.answer(endless().by(engine), Priority::Analysis).await.unwrap();
        assert!(answer.best.is_some());
    }
}

#[tokio::test]
async fn the_real_stockfish_works_in_the_jail() {
    let jail = vec![env!("CARGO_BIN_EXE_trial-engine").into(), "jail".into()];
    let pool = Pool::start(PoolSettings { jail, hash_mb: 64, ..with_stockfish() });
    let question = task(START, "e2e4", Limits::depth(8)).by(Choice::Named("stockfish".to_owned()));
    assert!(pool.answer(question, Priority::Play).await.unwrap().best.is_some());
}
