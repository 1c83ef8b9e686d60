use store::{Place, StoreError};

use crate::on_both;
use crate::place::{FOOLS_MATE, TestPlace, begun_game, events};

on_both! {
    async fn a_backup_taken_during_play_holds_everything_acknowledged_before_it(place: TestPlace) {
        let store = place.open().await;
        let game = begun_game(&store, 1).await;
        let events = events(&["e2e4", "e7e5", "g1f3", "b8c6", "f1b5"]);
        store.append_events(game, 1, &events[..3], None).await.unwrap();
        let file = place.folder().join("club.backup");
        let (report, later) = tokio::join!(
            store::backup(&place.place, &file),
            store.append_events(game, 4, &events[3..], None),
        );
        let report = report.unwrap();
        later.unwrap();
        assert_eq!(report.problems, Vec::<String>::new());
        assert_eq!((report.games, report.running), (1, 1));
        assert!(report.events >= 3);

        // A backup goes into either database, whichever it was taken from.
        for target in [TestPlace::sqlite(), TestPlace::postgres()] {
            let report = store::restore(&file, &target.place).await.unwrap();
            assert!(report.problems.is_empty());
            let restored = target.open().await.load_game(game).await.unwrap();
            assert_eq!(restored.events[..3], events[..3]);
            assert_eq!(restored.players.white.name, "Guest 1");
        }
    }

    async fn nothing_is_ever_overwritten(place: TestPlace) {
        let store = place.open().await;
        begun_game(&store, 1).await;
        let file = place.folder().join("club.backup");
        store::backup(&place.place, &file).await.unwrap();
        assert!(matches!(store::backup(&place.place, &file).await, Err(StoreError::Conflict)));
        assert!(matches!(store::restore(&file, &place.place).await, Err(StoreError::Conflict)));
    }

    async fn a_look_through_healthy_data_finds_no_problem(place: TestPlace) {
        let store = place.open().await;
        let (running, folded) = (begun_game(&store, 1).await, begun_game(&store, 2).await);
        store.append_events(running, 1, &events(&["e2e4"]), None).await.unwrap();
        store.append_events(folded, 1, &events(&["d2d4", "d7d5"]), None).await.unwrap();
        store.fold_game(folded).await.unwrap();
        let report = store::Store::check(&place.place).await.unwrap();
        assert_eq!((report.games, report.running, report.events), (2, 2, 3));
        assert_eq!(report.problems, Vec::<String>::new());
    }
}

#[tokio::test]
async fn a_result_that_contradicts_its_log_is_found() {
    let place = TestPlace::sqlite();
    let store = place.open().await;
    let game = begun_game(&store, 1).await;
    // The log says mate, but no summary was written with it.
    store.append_events(game, 1, &events(&FOOLS_MATE), None).await.unwrap();
    let report = store::Store::check(&place.place).await.unwrap();
    assert_eq!(report.problems.len(), 1, "{:?}", report.problems);
    assert!(report.problems[0].contains("another result"));
}

#[tokio::test]
async fn a_damaged_file_is_not_called_whole() {
    let place = TestPlace::sqlite();
    let store = place.open().await;
    for n in 1..40 {
        begun_game(&store, n).await;
    }
    let file = place.folder().join("club.backup");
    store::backup(&place.place, &file).await.unwrap();
    let mut bytes = std::fs::read(&file).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle..middle + 3_000].fill(0x5a);
    let damaged = place.folder().join("damaged.backup");
    std::fs::write(&damaged, bytes).unwrap();
    let found = store::verify(&damaged).await;
    assert!(found.is_err() || found.is_ok_and(|report| !report.problems.is_empty()));
}

#[tokio::test]
async fn something_else_is_no_backup() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("letter.txt");
    std::fs::write(&file, "Dear club,\n".repeat(100)).unwrap();
    assert!(store::verify(&file).await.is_err());
    assert!(matches!(store::verify(&folder.path().join("none")).await, Err(StoreError::NotFound)));
}

#[tokio::test]
async fn what_is_left_of_another_database_does_not_get_into_a_restored_one() {
    let (place, target) = (TestPlace::sqlite(), TestPlace::sqlite());
    let store = place.open().await;
    begun_game(&store, 1).await;
    let file = place.folder().join("club.backup");
    store::backup(&place.place, &file).await.unwrap();
    let Place::Sqlite(database) = &target.place else { unreachable!("it is SQLite") };
    for ending in ["-wal", "-shm", "-journal"] {
        let left = target.folder().join(format!("rookery.db{ending}"));
        std::fs::write(&left, "moves of another evening").unwrap();
        assert_eq!(store::in_the_way(database), std::slice::from_ref(&left));
        let refused = store::restore(&file, &target.place).await;
        assert!(matches!(refused, Err(StoreError::Conflict)), "{ending}: {refused:?}");
        assert!(!database.exists());
        std::fs::remove_file(left).unwrap();
    }
    store::restore(&file, &target.place).await.unwrap();
}

#[tokio::test]
async fn what_lies_beside_a_backup_is_left_alone() {
    let place = TestPlace::sqlite();
    let store = place.open().await;
    begun_game(&store, 1).await;
    let strangers = ["club.part", "club.db.part", "club.sqlite.part"].map(|name| {
        let file = place.folder().join(name);
        std::fs::write(&file, "a letter to the club").unwrap();
        file
    });
    let (one, other) = (place.folder().join("club.db"), place.folder().join("club.sqlite"));
    let (first, second) =
        tokio::join!(store::backup(&place.place, &one), store::backup(&place.place, &other));
    assert_eq!((first.unwrap().games, second.unwrap().games), (1, 1));
    for file in strangers {
        assert_eq!(std::fs::read_to_string(file).unwrap(), "a letter to the club");
    }
    let left = std::fs::read_dir(place.folder()).unwrap().filter(|entry| {
        let name = entry.as_ref().unwrap().file_name();
        name.to_string_lossy().contains(".part")
    });
    assert_eq!(left.count(), 3, "its own halves are gone");
}

/// What was cut off has some tables and no rows, and can be begun again.
#[tokio::test]
async fn a_restoring_into_postgresql_that_was_cut_off_is_done_again() {
    let (place, target) = (TestPlace::sqlite(), TestPlace::postgres());
    let store = place.open().await;
    let game = begun_game(&store, 1).await;
    let file = place.folder().join("club.backup");
    store::backup(&place.place, &file).await.unwrap();
    for schema in [1, 9, store::known_schema()] {
        let half = TestPlace::postgres();
        store::Store::make_older_for_test(&half.place, schema).await.unwrap();
        store::restore(&file, &half.place).await.unwrap();
        assert_eq!(half.open().await.load_game(game).await.unwrap().id, game);
    }
    let other = target.open().await;
    begun_game(&other, 2).await;
    let refused = store::restore(&file, &target.place).await;
    assert!(matches!(refused, Err(StoreError::Conflict)), "{refused:?}");
    assert_eq!(other.load_running_games().await.unwrap().len(), 1);
}
