use rules::{Color, Outcome, UnixMillis, WinReason};
use store::{
    Account, AccountId, Batch, FORMER_MEMBER, GameId, ImportProblem, ImportState, LibraryNumber,
    NewGame, Place, Store, StoreError, Summary,
};

use crate::on_both;
use crate::place::{FOOLS_MATE, NOW, TestPlace, account, challenge, events, new_game, new_player};

fn batch(digests: &[u64]) -> Batch {
    Batch {
        games: digests.iter().map(|digest| (*digest, vec![1, 2, 3])).collect(),
        items: i64::try_from(digests.len()).unwrap(),
        bytes_done: 10,
        ..Batch::default()
    }
}

async fn import(store: &Store, of: AccountId) -> i64 {
    let job = store.begin_import(of, "games.pgn".to_owned(), 100, NOW).await.unwrap();
    let early = store.import_batch(job, of, batch(&[1])).await;
    assert!(matches!(early, Err(StoreError::Conflict)), "the file is not there whole yet");
    store.start_import(job).await.unwrap();
    assert!(matches!(store.start_import(job).await, Err(StoreError::Conflict)));
    job
}

async fn finished(store: &Store, n: u64, white: &Account, black: &Account) -> GameId {
    let new = NewGame { created_at: NOW, ..new_game(n, white.id, black.id) };
    let id = new.id;
    store.create_challenge(challenge(n, white.clone())).await.unwrap();
    store.accept_challenge(new).await.unwrap();
    let events = events(&FOOLS_MATE);
    let game = rules::Game::rebuild(crate::place::setup(), NOW, &events).unwrap();
    let summary = Summary {
        outcome: Some(Outcome::Win { winner: Color::Black, by: WinReason::Mate }),
        position: game.position().fen(),
        ply: game.ply(),
        ended_at: Some(UnixMillis(NOW.0 + 9)),
        opening: None,
        rated: None,
        decision: None,
    };
    store.append_events(id, 1, &events, Some(summary)).await.unwrap();
    id
}

/// While a file comes in and nobody plays, the write-ahead log has to be copied into the file all the same.
#[tokio::test]
async fn an_import_alone_makes_checkpoints() {
    let place = TestPlace::sqlite();
    let store = place.open().await;
    let anna = account(&store, 1).await;
    let job = import(&store, anna.id).await;
    let length = || std::fs::metadata(place.folder().join("rookery.db")).unwrap().len();
    let before = length();
    for batch in 0..8_u64 {
        let game = |n: u64| ((batch * 1_000 + n).wrapping_mul(0x9e37_79b9_7f4a_7c15), vec![7; 400]);
        let games = (0..1_000).map(game).collect();
        let next = Batch { games, items: 1_000, bytes_done: 1, ..Batch::default() };
        store.import_batch(job, anna.id, next).await.unwrap();
    }
    // The checkpoint runs beside the writer: asking for something else gives it time.
    for _ in 0..10_000 {
        if length() > before + (1 << 20) {
            return;
        }
        store.count_imported_games(anna.id).await.unwrap();
    }
    panic!("eight thousand games are still in the log alone");
}

on_both! {
    async fn the_same_game_comes_in_once_for_each_importer(place: TestPlace) {
        let store = place.open().await;
        let (anna, ben) = (account(&store, 1).await, account(&store, 2).await);
        let job = import(&store, anna.id).await;
        let first = store.import_batch(job, anna.id, batch(&[7, 8, 7, u64::MAX])).await.unwrap();
        assert_eq!(first.iter().map(Option::is_some).collect::<Vec<_>>(), [true, true, false, true]);
        let again = store.import_batch(job, anna.id, batch(&[8, 9])).await.unwrap();
        assert_eq!(again.iter().map(Option::is_some).collect::<Vec<_>>(), [false, true]);
        let other = import(&store, ben.id).await;
        assert_eq!(store.import_batch(other, ben.id, batch(&[7])).await.unwrap().iter().flatten().count(), 1);
        let told = store.load_import(job).await.unwrap();
        assert_eq!((told.items, told.games, told.duplicates), (6, 4, 2));
        let games = store.library_games_after(LibraryNumber(0), 100).await.unwrap();
        assert_eq!(games.len(), 5);
        assert!(games.is_sorted_by_key(|game| game.number));
        assert_eq!(games[0].body.as_deref(), Some(&[1, 2, 3][..]));
        assert_eq!(store.count_library_games(games[1].number).await.unwrap(), (2, games[4].number));
    }

    async fn a_whole_history_has_the_games_of_the_library_and_they_take_their_reports_along(place: TestPlace) {
        let store = place.open().await;
        let (anna, ben) = (account(&store, 1).await, account(&store, 2).await);
        let job = import(&store, anna.id).await;
        store.import_batch(job, anna.id, batch(&[7, 8])).await.unwrap();
        assert_eq!(store.ask_reports_of(anna.id, 1_000, NOW).await.unwrap(), 2);
        assert_eq!(store.ask_reports_of(ben.id, 1_000, NOW).await.unwrap(), 0, "they are not his");
        let next = store.next_report().await.unwrap().unwrap();
        let store::ReportOf::Library(number) = next.of else { panic!("{next:?}") };
        store.finish_report(number, "{}".to_owned(), NOW).await.unwrap();
        assert_eq!(store.load_report(number).await.unwrap().unwrap().result.as_deref(), Some("{}"));
        store.remove_library_games(anna.id, vec![number]).await.unwrap();
        assert_eq!(store.load_report(number).await.unwrap(), None);
        let progress = store.bulk_progress(anna.id).await.unwrap();
        assert_eq!((progress.waiting, progress.done), (1, 0));
    }

    async fn an_import_that_ended_takes_nothing_more(place: TestPlace) {
        let store = place.open().await;
        let anna = account(&store, 1).await;
        let job = import(&store, anna.id).await;
        assert_eq!(store.open_imports().await.unwrap().len(), 1);
        let problems = vec![ImportProblem { line: 12, reason: "not a move".to_owned() }];
        let bad = Batch { problems: problems.clone(), items: 1, ..Batch::default() };
        store.import_batch(job, anna.id, bad).await.unwrap();
        store.end_import(job, ImportState::Cancelled, String::new(), NOW).await.unwrap();
        store.end_import(job, ImportState::Done, String::new(), NOW).await.unwrap();
        let refused = store.import_batch(job, anna.id, batch(&[1])).await;
        assert!(matches!(refused, Err(StoreError::Conflict)));
        let told = store.load_import(job).await.unwrap();
        assert_eq!((told.state, told.bad, told.games), (ImportState::Cancelled, 1, 0));
        assert_eq!(store.import_problems(job).await.unwrap(), problems);
        assert!(store.open_imports().await.unwrap().is_empty());
    }

    async fn what_an_import_brought_can_be_taken_out_again(place: TestPlace) {
        let store = place.open().await;
        let (anna, ben) = (account(&store, 1).await, account(&store, 2).await);
        let job = import(&store, anna.id).await;
        let kept = store.import_batch(job, anna.id, batch(&[1, 2, 3])).await.unwrap();
        assert!(store.undo_import(job, ben.id, NOW).await.unwrap().is_empty());
        let mut gone = store.undo_import(job, anna.id, NOW).await.unwrap();
        gone.sort_unstable();
        assert_eq!(gone, kept.into_iter().flatten().collect::<Vec<_>>());
        assert_eq!(store.load_import(job).await.unwrap().state, ImportState::Cancelled);
        let next = import(&store, anna.id).await;
        let again = store.import_batch(next, anna.id, batch(&[1])).await.unwrap();
        assert!(again[0].unwrap() > gone[2], "numbers are never given again");
        let one = again.into_iter().flatten().collect::<Vec<_>>();
        assert!(store.remove_library_games(ben.id, one.clone()).await.unwrap().is_empty());
        assert_eq!(store.remove_library_games(anna.id, one.clone()).await.unwrap(), one);
    }

    async fn finished_games_of_the_club_flow_in_once(place: TestPlace) {
        let store = place.open().await;
        let (anna, ben) = (account(&store, 1).await, account(&store, 2).await);
        let game = finished(&store, 5, &anna, &ben).await;
        let missing = store.games_missing_in_library(10).await.unwrap();
        assert_eq!(missing, [game]);
        assert_eq!(store.add_played_games(missing.clone()).await.unwrap().len(), 1);
        assert!(store.add_played_games(missing).await.unwrap().is_empty());
        assert!(store.games_missing_in_library(10).await.unwrap().is_empty());
        let games = store.library_games_after(LibraryNumber(0), 10).await.unwrap();
        assert_eq!(games.len(), 1);
        assert_eq!(games[0].game, Some(game));
        let of_anna = store.service_accounts_of(anna.id).await.unwrap();
        assert_eq!(of_anna, [games[0].seats[0].as_ref().unwrap().account]);
        let loaded = store.load_library_games(&[LibraryNumber(999), games[0].number]).await.unwrap();
        assert_eq!(loaded, games);
    }

    async fn who_leaves_takes_the_files_along_and_leaves_the_games_under_a_neutral_name(place: TestPlace) {
        let store = place.open().await;
        let anna = account(&store, 1).await;
        store.create_player(anna.id, new_player("Anna"), None, NOW).await.unwrap();
        let ben = account(&store, 2).await;
        let game = finished(&store, 5, &anna, &ben).await;
        store.add_played_games(vec![game]).await.unwrap();
        let before = store.library_games_after(LibraryNumber(0), 10).await.unwrap();
        let job = import(&store, anna.id).await;
        store.import_batch(job, anna.id, batch(&[1, 2])).await.unwrap();
        store.remove_player(anna.id, None, NOW).await.unwrap();
        let after = store.library_games_after(LibraryNumber(0), 10).await.unwrap();
        assert_eq!(after.len(), 1);
        assert_eq!(after[0].seats[0].as_ref().unwrap().name, FORMER_MEMBER);
        assert!(after[0].number > before[0].number, "an index takes it in again");
        assert!(store.service_accounts_of(anna.id).await.unwrap().is_empty());
        assert!(store.imports_of(anna.id).await.unwrap().is_empty());
    }

    async fn a_backup_holds_the_library(place: TestPlace) {
        let store = place.open().await;
        let anna = account(&store, 1).await;
        let job = import(&store, anna.id).await;
        store.import_batch(job, anna.id, batch(&[1, 2])).await.unwrap();
        let file = place.folder().join("copy.db");
        let report = store::backup(&place.place, &file).await.unwrap();
        assert_eq!(report.problems, Vec::<String>::new());
        let copy = Store::open(Place::Sqlite(file), &place.backups()).await.unwrap();
        assert_eq!(copy.library_games_after(LibraryNumber(0), 9).await.unwrap().len(), 2);
        let next = import(&copy, anna.id).await;
        assert_eq!(copy.import_batch(next, anna.id, batch(&[2, 3])).await.unwrap().iter().flatten().count(), 1);
    }
}
