//! A disk that is full, and one that has room again; a PostgreSQL that falls silent, and one that answers again; a disk
//! that fails, and a fault of ours.

use rules::{Event, UnixMillis};
use store::{Health, StoreError};

use crate::on_both;
use crate::place::{TestPlace, begun_game, events};

on_both! {
    async fn a_write_that_panics_fails_alone(place: TestPlace) {
        let store = place.open().await;
        let game = begun_game(&store, 1).await;
        let events = events(&["e2e4", "e7e5", "g1f3", "b8c6"]);
        for round in 1..=2_u32 {
            let at = 2 * round as usize;
            // Most likely all of them are one group.
            let (before, failed, played, after) = tokio::join!(
                store.set_setting("before", round.to_string()),
                store.panic_for_test(),
                store.append_events(game, 2 * round - 1, &events[at - 2..at], None),
                store.set_setting("after", round.to_string()),
            );
            assert!(matches!(failed, Err(StoreError::Database(_))), "{failed:?}");
            before.and(played.map(drop)).and(after).expect("the others have done nothing wrong");
            assert_eq!(*store.health().borrow(), Health::Ready);
        }
        assert_eq!(store.load_game(game).await.unwrap().events, events);
        for (key, value) in [("before", Some("2")), ("after", Some("2")), ("half", None)] {
            assert_eq!(store.setting(key).await.unwrap().as_deref(), value, "{key}");
        }
    }

    async fn after_a_failed_sync_nothing_is_accepted(place: TestPlace) {
        let store = place.open().await;
        let game = begun_game(&store, 1).await;
        let events = events(&["e2e4"]);
        assert!(matches!(store.fail_to_sync_for_test().await, Err(StoreError::Stopped(_))));
        assert!(matches!(*store.health().borrow(), Health::Stopped(_)));
        let refused = store.append_events(game, 1, &events, None).await;
        assert!(matches!(refused, Err(StoreError::Stopped(_))), "{refused:?}");
        assert!(matches!(store.probe().await, Err(StoreError::Stopped(_))));
        drop(store);
        let restarted = place.open().await;
        assert_eq!(restarted.load_game(game).await.unwrap().events, [], "nothing was kept");
        restarted.append_events(game, 1, &events, None).await.unwrap();
    }
}

#[tokio::test]
async fn a_writer_that_ends_says_so() {
    let store = TestPlace::sqlite().open().await;
    let mut health = store.health();
    drop(store);
    health.changed().await.unwrap();
    assert!(matches!(*health.borrow_and_update(), Health::Stopped(_)));
    assert!(health.changed().await.is_err(), "and says no more");
}

#[tokio::test]
async fn a_full_disk_refuses_with_a_reason_and_play_resumes_by_itself() {
    let place = TestPlace::sqlite();
    let store = place.open().await;
    let game = begun_game(&store, 1).await;
    let moves: Vec<&str> = ["g1f3", "g8f6", "f3g1", "f6g8"].into_iter().cycle().take(3).collect();
    let events = events(&moves);
    store.append_events(game, 1, &events[..1], None).await.unwrap();

    store.limit_pages_for_test(1).await.unwrap();
    let refused = fill_until_refused(&store).await;
    assert!(matches!(refused, StoreError::Away(_)), "{refused:?}");
    assert!(matches!(*store.health().borrow(), Health::Away(_)));

    store.limit_pages_for_test(1_000_000).await.unwrap();
    store.probe().await.unwrap();
    assert_eq!(*store.health().borrow(), Health::Ready);
    store.append_events(game, 2, &events[1..2], None).await.unwrap();
    assert_eq!(
        store.load_game(game).await.unwrap().events,
        events[..2],
        "nothing refused was kept, nothing kept lost"
    );
}

/// So many events are more than one statement takes. Whichever of them finds the disk full, none of them stays.
#[tokio::test]
async fn a_disk_that_fills_up_within_a_group_keeps_nothing_of_it() {
    let events = vec![Event::Resumed { at: UnixMillis(1_768_176_300_000) }; 255];
    let mut refused = 0;
    for free in (0..20).map(|step| step * 1_000) {
        let place = TestPlace::sqlite();
        let store = place.open().await;
        let game = begun_game(&store, 1).await;
        store.limit_pages_for_test(1).await.unwrap();
        let mut filled = 0;
        while store.set_setting("filler", "x".repeat(filled + 1_000)).await.is_ok() {
            filled += 1_000;
        }
        let smaller = filled.saturating_sub(free);
        store.set_setting("filler", "x".repeat(smaller)).await.unwrap();

        let first_try = store.append_events(game, 1, &events, None).await;
        store.limit_pages_for_test(1_000_000).await.unwrap();
        store.probe().await.unwrap();
        if first_try.is_err() {
            refused += 1;
            store.append_events(game, 1, &events, None).await.expect("nothing of it is there yet");
        }
        assert_eq!(store.load_game(game).await.unwrap().events, events, "{free} bytes free");
    }
    assert!(refused >= 2, "the disk filled up at different places: {refused}");
}

/// The write that is on its way when the database falls silent may be kept or not; both are good. What comes after it
/// must fit what was kept.
#[tokio::test]
async fn a_database_that_falls_silent_refuses_in_time_and_play_resumes_by_itself() {
    let server = crate::postgres::Server::start();
    let place = TestPlace::at(server.fresh_database());
    let store = place.open().await;
    let game = begun_game(&store, 1).await;
    let events = events(&["e2e4", "e7e5", "g1f3", "g8f6"]);
    store.append_events(game, 1, &events[..1], None).await.unwrap();

    let silence = server.silence();
    let refused = store.append_events(game, 2, &events[1..2], None).await;
    assert!(matches!(refused, Err(StoreError::Unknown(_))), "{refused:?}");
    assert!(matches!(*store.health().borrow(), Health::Away(_)));
    let refused = store.set_setting("word", "nobody hears it".to_owned()).await;
    assert!(matches!(refused, Err(StoreError::Away(_))), "{refused:?}");

    drop(silence);
    while store.probe().await.is_err() {}
    assert_eq!(*store.health().borrow(), Health::Ready);
    let kept = store.load_game(game).await.unwrap().events;
    assert!(kept == events[..1] || kept == events[..2], "{kept:?}");
    let next = u32::try_from(kept.len() + 1).unwrap();
    store.append_events(game, next, &events[kept.len()..], None).await.unwrap();
    assert_eq!(store.load_game(game).await.unwrap().events, events);
    drop(store);
    assert_eq!(place.open().await.load_game(game).await.unwrap().events, events);
}

async fn fill_until_refused(store: &store::Store) -> StoreError {
    for n in 0..10_000 {
        if let Err(error) = store.set_setting("filler", "x".repeat(n * 10)).await {
            return error;
        }
    }
    panic!("the disk never filled up");
}
