use rules::{UnixMillis, Variant};
use store::{
    AccountId, BulkProgress, Evaluation, EvaluationKey, GameId, ReportJob, ReportOf, ReportState,
    ReportTurns, Store, StoreError, Study, StudyEntry, StudyId, Summary,
};

use crate::on_both;
use crate::place::{FOOLS_MATE, NOW, TestPlace, account, begun_game, events};

fn study(n: u64, owner: AccountId, changed_at: i64) -> Study {
    let entry = StudyEntry {
        id: StudyId::from_bits(n),
        name: format!("Study {n}"),
        variant: Variant::Standard,
        version: 1,
        created_at: NOW,
        changed_at: UnixMillis(NOW.0 + changed_at),
    };
    Study { entry, owner, pgn: "1. e4 *".to_owned() }
}

fn evaluation(n: u8, lines: u8, nodes: u64) -> Evaluation {
    Evaluation {
        position: EvaluationKey([n; 16]),
        engine: "built-in".to_owned(),
        lines,
        nodes,
        depth: 9,
        found: format!("[{n}, {nodes}]"),
    }
}

fn job(n: u64, by: AccountId, bulk: bool, at: i64) -> ReportJob {
    let asked_at = UnixMillis(NOW.0 + at);
    ReportJob { of: GameId::from_bits(n).into(), asked_by: by, bulk, nodes: 1_000, asked_at }
}

async fn finished_game(store: &Store, n: u64) -> GameId {
    let game = begun_game(store, n).await;
    let events = events(&FOOLS_MATE);
    let end = rules::Game::rebuild(crate::place::setup(), NOW, &events).unwrap();
    let summary = Summary {
        outcome: end.outcome().copied(),
        position: end.position().fen(),
        ply: end.ply(),
        ended_at: Some(NOW),
        opening: None,
        rated: None,
        decision: None,
    };
    store.append_events(game, 1, &events, Some(summary)).await.unwrap();
    game
}

async fn next(store: &Store) -> Option<ReportOf> {
    store.next_report(&ReportTurns::default()).await.unwrap().map(|job| job.of)
}

on_both! {
    async fn a_study_is_its_owners_alone_and_two_tabs_cannot_undo_each_other(place: TestPlace) {
        let store = place.open().await;
        let (anna, bert) = (account(&store, 1).await.id, account(&store, 2).await.id);
        store.create_study(study(1, anna, 0), 2).await.unwrap();
        store.create_study(study(2, anna, 5), 2).await.unwrap();
        let too_many = store.create_study(study(3, anna, 9), 2).await;
        assert!(matches!(too_many, Err(StoreError::Conflict)));
        store.create_study(study(3, bert, 9), 2).await.unwrap();
        let id = StudyId::from_bits(1);
        assert_eq!(store.load_study(id, anna).await.unwrap(), study(1, anna, 0));
        assert!(matches!(store.load_study(id, bert).await, Err(StoreError::NotFound)));

        let later = UnixMillis(NOW.0 + 60);
        let save = |owner, version| store.save_study(id, owner, version, "New".into(), "1. d4 *".into(), later);
        assert!(matches!(save(bert, 1).await, Err(StoreError::NotFound)));
        assert_eq!(save(anna, 1).await.unwrap(), 2);
        assert!(matches!(save(anna, 1).await, Err(StoreError::Conflict)), "read before the change");
        let list = store.studies_of(anna).await.unwrap();
        let names: Vec<&str> = list.iter().map(|entry| entry.name.as_str()).collect();
        assert_eq!(names, ["New", "Study 2"], "the last change first");
        assert!(matches!(store.delete_study(id, bert).await, Err(StoreError::NotFound)));
        store.delete_study(id, anna).await.unwrap();
        assert_eq!(store.studies_of(anna).await.unwrap().len(), 1);
    }

    async fn a_search_that_went_further_replaces_and_never_the_other_way(place: TestPlace) {
        let store = place.open().await;
        let find = |lines, nodes| store.find_evaluation(EvaluationKey([1; 16]), "built-in", lines, nodes);
        assert_eq!(find(1, 1).await.unwrap(), None);
        store.keep_evaluation(evaluation(1, 2, 1_000), NOW).await.unwrap();
        assert_eq!(find(2, 1_000).await.unwrap(), Some(evaluation(1, 2, 1_000)));
        assert_eq!(find(3, 1_000).await.unwrap(), None, "too few lines");
        assert_eq!(find(1, 1_001).await.unwrap(), None, "not far enough");
        store.keep_evaluation(evaluation(1, 2, 500), NOW).await.unwrap();
        store.keep_evaluation(evaluation(1, 1, 9_000), NOW).await.unwrap();
        assert_eq!(find(1, 1).await.unwrap(), Some(evaluation(1, 2, 1_000)));
        store.keep_evaluation(evaluation(1, 3, 2_000), NOW).await.unwrap();
        assert_eq!(find(3, 2_000).await.unwrap(), Some(evaluation(1, 3, 2_000)));
        let other = store.find_evaluation(EvaluationKey([1; 16]), "another", 1, 1).await.unwrap();
        assert_eq!(other, None, "engines do not agree");
    }

    async fn what_was_not_used_for_the_longest_time_is_forgotten_first(place: TestPlace) {
        let store = place.open().await;
        for n in 1..=5 {
            store.keep_evaluation(evaluation(n, 1, 10), UnixMillis(NOW.0 + i64::from(n))).await.unwrap();
        }
        let used = vec![EvaluationKey([1; 16])];
        store.touch_evaluations("built-in".to_owned(), used, UnixMillis(NOW.0 + 99)).await.unwrap();
        assert_eq!(store.trim_evaluations(2).await.unwrap(), 3);
        assert_eq!(store.trim_evaluations(2).await.unwrap(), 0);
        for (n, is_there) in [(1, true), (2, false), (3, false), (4, false), (5, true)] {
            let found = store.find_evaluation(EvaluationKey([n; 16]), "built-in", 1, 1).await.unwrap();
            assert_eq!(found.is_some(), is_there, "{n}");
        }
    }

    async fn a_report_waits_is_made_once_and_stays(place: TestPlace) {
        let store = place.open().await;
        let game = finished_game(&store, 1).await;
        let anna = store.load_game(game).await.unwrap().players.white.id;
        assert_eq!(store.load_report(game).await.unwrap(), None);
        store.ask_report(job(1, anna, false, 0)).await.unwrap();
        assert_eq!(next(&store).await, Some(game.into()));
        assert_eq!(store.waiting_reports_of(anna).await.unwrap(), 1);
        store.fail_report(game, "no engine".to_owned(), NOW).await.unwrap();
        assert_eq!(store.load_report(game).await.unwrap().unwrap().problem.as_deref(), Some("no engine"));
        assert_eq!(next(&store).await, None);
        store.ask_report(job(1, anna, false, 5)).await.unwrap();
        store.finish_report(game, "{}".to_owned(), NOW).await.unwrap();
        store.ask_report(job(1, anna, false, 9)).await.unwrap();
        let report = store.load_report(game).await.unwrap().unwrap();
        assert_eq!((report.state, report.result.as_deref()), (ReportState::Done, Some("{}")));
        let refused = store.cancel_report(game, anna).await;
        assert!(matches!(refused, Err(StoreError::NotFound)), "what is there stays");
    }

    async fn what_somebody_waits_for_comes_before_whole_histories(place: TestPlace) {
        let store = place.open().await;
        for n in 1..=4 {
            finished_game(&store, n).await;
        }
        let running = begun_game(&store, 5).await;
        let anna = store.load_game(running).await.unwrap().players.white.id;
        assert_eq!(store.ask_reports_of(anna, 1_000, 100, NOW).await.unwrap(), 4, "not the running one");
        assert_eq!(store.ask_reports_of(anna, 1_000, 100, NOW).await.unwrap(), 0);
        store.fail_report(GameId::from_bits(2), "no engine".to_owned(), NOW).await.unwrap();
        assert_eq!(store.ask_reports_of(anna, 1_000, 100, NOW).await.unwrap(), 1, "what failed is tried anew");
        let retried = store.load_report(GameId::from_bits(2)).await.unwrap().unwrap();
        assert_eq!((retried.state, retried.problem), (ReportState::Waiting, None));
        store.ask_report(job(3, anna, false, 90)).await.unwrap();
        let turns = ReportTurns::default();
        let job = store.next_report(&turns).await.unwrap().unwrap();
        assert_eq!((job.of, job.bulk), (GameId::from_bits(3).into(), false));
        assert_eq!(store.reports_before(GameId::from_bits(4).into(), &turns).await.unwrap(), 3);
        store.finish_report(GameId::from_bits(3), "{}".to_owned(), NOW).await.unwrap();
        store.finish_report(GameId::from_bits(1), "{}".to_owned(), NOW).await.unwrap();

        store.pause_reports_of(anna).await.unwrap();
        assert_eq!(next(&store).await, None);
        let paused = BulkProgress { paused: 2, done: 1, ..BulkProgress::default() };
        assert_eq!(store.bulk_progress(anna).await.unwrap(), paused);
        store.resume_reports_of(anna).await.unwrap();
        assert_eq!(next(&store).await, Some(GameId::from_bits(2).into()));
        store.cancel_reports_of(anna).await.unwrap();
        assert_eq!(store.bulk_progress(anna).await.unwrap().waiting, 0);
        assert!(store.load_report(GameId::from_bits(1)).await.unwrap().is_some());
    }

    async fn two_who_want_the_same_report_do_not_undo_each_others_wish(place: TestPlace) {
        let store = place.open().await;
        let game = finished_game(&store, 1).await;
        let players = store.load_game(game).await.unwrap().players;
        let (anna, bert) = (players.white.id, players.black.id);
        for account in [anna, bert] {
            assert_eq!(store.ask_reports_of(account, 1_000, 100, NOW).await.unwrap(), 1);
        }
        store.pause_reports_of(anna).await.unwrap();
        assert_eq!(next(&store).await, Some(game.into()), "only one of them puts it off");
        assert_eq!(store.bulk_progress(anna).await.unwrap().paused, 1);
        assert_eq!(store.bulk_progress(bert).await.unwrap().waiting, 1);
        store.cancel_reports_of(anna).await.unwrap();
        assert_eq!(next(&store).await, Some(game.into()));
        // Now alone, and sooner than his history.
        store.ask_report(job(1, anna, false, 7)).await.unwrap();
        let next_job = store.next_report(&ReportTurns::default()).await.unwrap().unwrap();
        assert_eq!((next_job.asked_by, next_job.bulk), (anna, false));
        assert_eq!(store.waiting_reports_of(bert).await.unwrap(), 0, "hers does not count as his");
        store.cancel_report(game, anna).await.unwrap();
        assert_eq!(store.bulk_progress(bert).await.unwrap().waiting, 1);
        store.cancel_reports_of(bert).await.unwrap();
        assert_eq!(store.load_report(game).await.unwrap(), None, "nobody wants it any more");
    }

    async fn those_who_wait_for_whole_histories_take_turns(place: TestPlace) {
        let store = place.open().await;
        for n in 1..=4 {
            finished_game(&store, n).await;
        }
        let players = store.load_game(GameId::from_bits(1)).await.unwrap().players;
        let (anna, bert) = (players.white.id, players.black.id);
        for n in 1..=3 {
            store.ask_report(job(n, anna, true, 0)).await.unwrap();
        }
        store.ask_report(job(4, bert, true, 9)).await.unwrap();
        let mut turns = ReportTurns::default();
        let his: ReportOf = GameId::from_bits(4).into();
        let before = store.reports_before(his, &turns).await.unwrap();
        let mut order = Vec::new();
        while let Some(job) = store.next_report(&turns).await.unwrap() {
            store.finish_report(job.of, "{}".to_owned(), NOW).await.unwrap();
            turns.note(&job);
            order.push(job);
        }
        assert_eq!(order.len(), 4);
        let place = order.iter().position(|job| job.of == his).unwrap();
        assert!(place < 2, "he asked last and has one game: {order:?}");
        assert_eq!(u32::try_from(place).unwrap(), before);
        let hers: Vec<ReportOf> = order.iter().filter(|job| job.asked_by == anna).map(|job| job.of).collect();
        assert_eq!(hers, [1, 2, 3].map(|n| GameId::from_bits(n).into()));
    }

    async fn a_count_of_all_evaluations_does_not_wait_for_the_writer_nor_hold_it_up(place: TestPlace) {
        // Long enough for a count of a handful of rows.
        const SLOW: &str = "
            UPDATE evaluation SET depth = (WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1000000)
                                           SELECT MAX(i) FROM n)";
        let store = place.open().await;
        store.keep_evaluation(evaluation(1, 1, 10), NOW).await.unwrap();
        let order = std::sync::Mutex::new(Vec::new());
        let write = async {
            store.run_for_test(SLOW.to_owned()).await.unwrap();
            order.lock().unwrap().push("the write");
        };
        let trim = async {
            assert_eq!(store.trim_evaluations(5).await.unwrap(), 0);
            order.lock().unwrap().push("the count");
        };
        tokio::join!(write, trim);
        assert_eq!(order.into_inner().unwrap(), ["the count", "the write"]);
    }
}
