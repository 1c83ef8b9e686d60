use proptest::prelude::*;
use rules::{Outcome, UnixMillis};
use store::{Store, StoreError, StoredGame, Summary};

use crate::on_both;
use crate::place::{FOOLS_MATE, NOW, TestPlace, begun_game, events};

fn finished(events: &[rules::Event]) -> Summary {
    let game = rules::Game::rebuild(crate::place::setup(), NOW, events).unwrap();
    Summary {
        outcome: game.outcome().copied(),
        position: game.position().fen(),
        ply: game.ply(),
        ended_at: Some(UnixMillis(NOW.0 + 9)),
        opening: None,
        rated: None,
        decision: None,
    }
}

/// The running games, all of which can be read.
async fn running(store: &Store) -> Vec<StoredGame> {
    let running = store.load_running_games().await.unwrap();
    running.into_iter().collect::<Result<_, _>>().unwrap()
}

on_both! {
    async fn what_was_appended_is_there_after_a_reopening(place: TestPlace) {
        let events = events(&["e2e4", "e7e5", "g1f3"]);
        let game = {
            let store = place.open().await;
            let game = begun_game(&store, 1).await;
            store.append_events(game, 1, &events[..2], None).await.unwrap();
            store.append_events(game, 3, &events[2..], None).await.unwrap();
            game
        };
        let store = place.open().await;
        assert_eq!(store.load_game(game).await.unwrap().events, events);
        let running = running(&store).await;
        assert_eq!(running.iter().map(|g| (g.id, g.events.len())).collect::<Vec<_>>(), [(game, 3)]);
    }

    async fn an_append_that_does_not_continue_the_log_is_refused(place: TestPlace) {
        let store = place.open().await;
        let game = begun_game(&store, 1).await;
        let events = events(&["e2e4", "e7e5", "g1f3"]);
        store.append_events(game, 1, &events[..1], None).await.unwrap();
        for wrong in [1, 3, 9] {
            let refused = store.append_events(game, wrong, &events[1..2], None).await;
            assert!(matches!(refused, Err(StoreError::Conflict)), "version {wrong}: {refused:?}");
        }
        store.append_events(game, 2, &events[1..2], None).await.unwrap();
        assert_eq!(store.load_game(game).await.unwrap().events, events[..2]);
    }

    async fn a_finished_game_is_folded_and_still_whole(place: TestPlace) {
        let store = place.open().await;
        let game = begun_game(&store, 1).await;
        let events = events(&FOOLS_MATE);
        store.append_events(game, 1, &events, Some(finished(&events))).await.unwrap();
        assert_eq!(store.folded_version_for_test(game).await.unwrap(), 0);
        store.fold_game(game).await.unwrap();
        assert_eq!(store.folded_version_for_test(game).await.unwrap(), events.len());
        assert!(running(&store).await.is_empty());
        let stored = store.load_game(game).await.unwrap();
        assert_eq!(stored.events, events);
        let rebuilt = rules::Game::rebuild(stored.setup, stored.created_at, &stored.events).unwrap();
        assert!(matches!(rebuilt.outcome(), Some(Outcome::Win { .. })));
    }

    async fn a_finished_game_that_was_not_folded_before_a_stop_is_folded_after_the_start(place: TestPlace) {
        let (game, events) = {
            let store = place.open().await;
            let game = begun_game(&store, 1).await;
            let events = events(&FOOLS_MATE);
            store.append_events(game, 1, &events, Some(finished(&events))).await.unwrap();
            (game, events)
        };
        let store = place.open().await;
        let folding = async {
            while store.folded_version_for_test(game).await.unwrap() < events.len() {
                tokio::task::yield_now().await;
            }
        };
        tokio::time::timeout(std::time::Duration::from_secs(30), folding).await.unwrap();
        assert_eq!(store.load_game(game).await.unwrap().events, events);
    }

    async fn a_running_game_that_cannot_be_read_hides_no_other(place: TestPlace) {
        let store = place.open().await;
        let (good, torn) = (begun_game(&store, 1).await, begun_game(&store, 2).await);
        let events = events(&["e2e4", "e7e5"]);
        for game in [good, torn] {
            store.append_events(game, 1, &events, None).await.unwrap();
        }
        let cut = format!("UPDATE journal SET body = '{{\"t\":' WHERE game_id = '{torn}' AND version = 2");
        store.run_for_test(cut).await.unwrap();
        let (read, unreadable): (Vec<_>, Vec<_>) =
            store.load_running_games().await.unwrap().into_iter().partition(Result::is_ok);
        let read: Vec<_> = read.into_iter().map(Result::unwrap).map(|g| (g.id, g.events)).collect();
        assert_eq!(read, [(good, events.clone())]);
        let words = unreadable[0].as_ref().unwrap_err().to_string();
        assert!(words.contains(torn.as_str()), "whoever reads the log learns which one: {words}");
        // Nor does it keep others from being folded.
        let (folded, _) = tokio::join!(store.fold_game(good), store.fold_game(torn));
        folded.unwrap();
        assert_eq!(store.folded_version_for_test(good).await.unwrap(), events.len());
    }

    async fn a_fold_that_came_too_late_loses_nothing(place: TestPlace) {
        let store = place.open().await;
        let game = begun_game(&store, 1).await;
        let events = events(&["e2e4", "e7e5", "g1f3"]);
        store.append_events(game, 1, &events[..2], None).await.unwrap();
        // Another process that knows less: it has read the journal before the last event.
        let beside = place.open().await;
        store.append_events(game, 3, &events[2..], None).await.unwrap();
        let beaten = async { beside.fold_game(game).await.unwrap() };
        assert!(!store.fold_game_for_test(game, beaten).await.unwrap(), "the row is another one");
        assert_eq!(store.folded_version_for_test(game).await.unwrap(), 2);
        assert_eq!(store.load_game(game).await.unwrap().events, events);
        store.fold_game(game).await.unwrap();
        assert_eq!(store.folded_version_for_test(game).await.unwrap(), 3);
        drop(store);
        assert_eq!(place.open().await.load_game(game).await.unwrap().events, events);
    }

    async fn a_crowd_of_writers_is_served_and_every_event_kept(place: TestPlace) {
        let store = place.open().await;
        let mut games = Vec::new();
        for n in 1..=60 {
            games.push(begun_game(&store, n).await);
        }
        let moves: Vec<&str> = ["g1f3", "g8f6", "f3g1", "f6g8"].into_iter().cycle().take(7).collect();
        let events = events(&moves);
        let writers = games.iter().map(|game| {
            let (store, events, game) = (store.clone(), events.clone(), *game);
            tokio::spawn(async move {
                for (event, version) in events.iter().zip(1..) {
                    store.append_events(game, version, std::slice::from_ref(event), None).await.unwrap();
                }
            })
        });
        for writer in writers.collect::<Vec<_>>() {
            writer.await.unwrap();
        }
        let running = running(&store).await;
        assert_eq!(running.len(), 60);
        assert!(running.iter().all(|game| game.events == events));
    }

    async fn a_unit_that_fails_takes_nothing_else_with_it(place: TestPlace) {
        let store = place.open().await;
        let game = begun_game(&store, 1).await;
        let events = events(&["e2e4"]);
        let white = store.load_game(game).await.unwrap().players.white;
        // The same id again breaks the key, in one group with two that are good.
        let (bad, good, appended) = tokio::join!(
            store.create_challenge(crate::place::challenge(1, white.clone())),
            store.create_challenge(crate::place::challenge(2, white.clone())),
            store.append_events(game, 1, &events, None),
        );
        assert!(matches!(bad, Err(StoreError::Conflict)));
        good.unwrap();
        appended.unwrap();
        assert_eq!(store.load_game(game).await.unwrap().events, events);
        store.load_challenge(store::GameId::from_bits(2)).await.unwrap();
    }
}

#[derive(Debug, Clone)]
enum Step {
    Append(u8),
    Fold,
    Reopen,
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn appending_folding_and_reopening_in_any_order_keep_the_log(
        steps in prop::collection::vec(
            prop_oneof![(1u8..4).prop_map(Step::Append), Just(Step::Fold), Just(Step::Reopen)], 1..24)
    ) {
        tokio::runtime::Runtime::new().unwrap().block_on(async {
            let place = TestPlace::sqlite();
            let moves: Vec<&str> = ["g1f3", "g8f6", "f3g1", "f6g8"].into_iter().cycle().take(7).collect();
            let events = events(&moves);
            let mut store = place.open().await;
            let game = begun_game(&store, 1).await;
            let mut written = 0;
            for step in steps {
                match step {
                    Step::Append(count) => {
                        let until = (written + usize::from(count)).min(events.len());
                        if until > written {
                            let first = u32::try_from(written + 1).unwrap();
                            store.append_events(game, first, &events[written..until], None).await.unwrap();
                            written = until;
                        }
                    }
                    Step::Fold => store.fold_game(game).await.unwrap(),
                    Step::Reopen => {
                        drop(store);
                        store = place.open().await;
                    }
                }
                let stored = store.load_game(game).await.unwrap();
                assert_eq!(stored.events, events[..written]);
            }
        });
    }
}
