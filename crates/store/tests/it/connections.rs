use rules::UnixMillis;
use store::{
    AccountId, Batch, ConnectionState, FORMER_MEMBER, LibraryNumber, NewConnection, Place,
    ServiceBatch, ServiceGame, ServicePlayer, Store, StoreError, Taken, Visit,
};

use crate::library::tidy;
use crate::on_both;
use crate::place::{NOW, TestPlace, account, new_player};

async fn begin(store: &Store, account: AccountId, name: &str) -> Result<i64, StoreError> {
    let (service, code) = ("lichess".to_owned(), "rookery-abc".to_owned());
    let name = name.to_owned();
    store.begin_connection(NewConnection { account, service, name, code, created_at: NOW }).await
}

async fn proven(store: &Store, account: AccountId, name: &str) -> i64 {
    let id = begin(store, account, name).await.unwrap();
    store.prove_connection(id, name.to_owned(), 10, NOW).await.unwrap();
    id
}

fn game(id: &str, white: &str, black: &str) -> ServiceGame {
    let player = |name: &str| Some(ServicePlayer { name: name.to_owned() });
    ServiceGame {
        external_id: id.to_owned(),
        players: [player(white), player(black)],
        digest: 7,
        body: vec![1, 2, 3],
    }
}

fn batch(games: Vec<ServiceGame>, reached: &str) -> ServiceBatch {
    ServiceBatch { games, reached: Some(reached.to_owned()), ..ServiceBatch::default() }
}

async fn seen_by(store: &Store, account: AccountId) -> usize {
    let accounts = store.service_accounts_of(account).await.unwrap();
    let games = store.library_games_after(LibraryNumber(0), 100).await.unwrap();
    let seats = |game: &store::LibraryGame| {
        game.seats.iter().flatten().any(|seat| accounts.contains(&seat.account))
    };
    games.iter().filter(|game| seats(game)).count()
}

on_both! {
    async fn a_game_of_a_service_comes_in_once_whoever_brings_it(place: TestPlace) {
        let store = place.open().await;
        let (anna, ben) = (account(&store, 1).await.id, account(&store, 2).await.id);
        let first = proven(&store, anna, "AnnaL").await;
        let games = vec![game("g1", "AnnaL", "BenL"), game("g2", "carla", "annal"), game("g1", "AnnaL", "BenL")];
        let taken = store.take_service_games(first, batch(games, "5")).await.unwrap();
        assert_eq!(taken.numbers.iter().map(Option::is_some).collect::<Vec<_>>(), [true, true, false]);
        assert_eq!((seen_by(&store, anna).await, seen_by(&store, ben).await), (2, 0));
        // Ben has been there as a player; now the account becomes his, and there is no second one.
        let second = proven(&store, ben, "BENL").await;
        assert_eq!(seen_by(&store, ben).await, 1);
        let taken = store.take_service_games(second, batch(vec![game("g1", "AnnaL", "BenL")], "9")).await.unwrap();
        assert_eq!(taken, Taken { numbers: vec![None], gone: vec![] });
        let told = store.load_connection(first).await.unwrap();
        assert_eq!((told.games, told.reached.as_str(), told.total), (2, "5", 10));
        assert_eq!(store.load_connection(second).await.unwrap().games, 0);
    }

    async fn an_account_at_a_service_is_one_members_only(place: TestPlace) {
        let store = place.open().await;
        let (anna, ben) = (account(&store, 1).await.id, account(&store, 2).await.id);
        let claim = begin(&store, ben, "AnnaL").await.unwrap();
        let refused = store.take_service_games(claim, batch(vec![game("g1", "a", "b")], "")).await;
        assert!(matches!(refused, Err(StoreError::Conflict)), "a claim gives nothing");
        proven(&store, anna, "AnnaL").await;
        let late = store.prove_connection(claim, "AnnaL".to_owned(), 0, NOW).await;
        assert!(matches!(late, Err(StoreError::Conflict)));
        assert_eq!(store.load_connection(claim).await.unwrap().state, ConnectionState::Unproven);
        assert!(matches!(begin(&store, anna, "ANNAL").await, Err(StoreError::Conflict)), "twice");
        assert!(store.service_accounts_of(ben).await.unwrap().is_empty());
    }

    async fn games_go_with_the_connection_unless_somebody_else_who_is_connected_played(place: TestPlace) {
        let store = place.open().await;
        let (anna, ben) = (account(&store, 1).await.id, account(&store, 2).await.id);
        let id = proven(&store, anna, "AnnaL").await;
        proven(&store, ben, "BenL").await;
        let games = vec![game("g1", "AnnaL", "BenL"), game("g2", "Carla", "AnnaL")];
        let taken = store.take_service_games(id, batch(games, "5")).await.unwrap();
        store.stop_connection(id).await.unwrap();
        let told = store.load_connection(id).await.unwrap();
        assert_eq!((told.state, told.next_at), (ConnectionState::Stopped, None));
        assert_eq!(seen_by(&store, anna).await, 2, "who stops keeps the games");
        let more = store.take_service_games(id, batch(vec![game("g3", "AnnaL", "x")], "6")).await;
        assert!(matches!(more, Err(StoreError::Conflict)));
        store.wake_connection(id, None, NOW).await.unwrap();
        assert_eq!(store.load_connection(id).await.unwrap().state, ConnectionState::Active);
        assert!(store.remove_games_of_connection(id).await.unwrap().is_empty(), "while more may come");
        store.stop_connection(id).await.unwrap();
        let gone = store.remove_games_of_connection(id).await.unwrap();
        assert_eq!(gone, [taken.numbers[1].unwrap()]);
        assert!(store.remove_games_of_connection(id).await.unwrap().is_empty());
        store.remove_connection(id).await.unwrap();
        assert_eq!((seen_by(&store, anna).await, seen_by(&store, ben).await), (0, 1));
        assert!(matches!(store.load_connection(id).await, Err(StoreError::NotFound)));
    }

    async fn turns_are_taken_by_who_waits_longest_and_proofs_go_first(place: TestPlace) {
        let store = place.open().await;
        let (anna, ben) = (account(&store, 1).await.id, account(&store, 2).await.id);
        let first = proven(&store, anna, "AnnaL").await;
        let claim = begin(&store, ben, "BenL").await.unwrap();
        let later = |by: i64| UnixMillis(NOW.0 + by);
        let due = |at: UnixMillis| {
            let store = store.clone();
            async move { store.due_connection("lichess", at).await.unwrap().map(|one| one.id) }
        };
        assert_eq!(due(NOW).await, Some(first));
        assert_eq!(store.due_connection("chesscom", NOW).await.unwrap().map(|one| one.id), None);
        store.wake_connection(claim, Some(vec![1; 40]), later(5)).await.unwrap();
        assert_eq!((due(later(4)).await, due(later(5)).await), (Some(first), Some(claim)));
        let then = store.load_connection(first).await.unwrap();
        let visit = Visit { has_failed: true, problem: "away".to_owned(), next_at: Some(later(60)), ..Visit::default() };
        store.note_visit(&then, visit.clone(), NOW).await.unwrap();
        let told = store.load_connection(first).await.unwrap();
        assert_eq!((told.failures, told.problem.as_str(), told.next_at), (1, "away", Some(later(60))));
        assert_eq!(store.next_connection_at("lichess").await.unwrap(), Some(later(5)));
        // Its owner has wished for something while the site was asked: that counts.
        store.wake_connection(first, Some(vec![2; 40]), later(7)).await.unwrap();
        store.note_visit(&told, visit, NOW).await.unwrap();
        assert_eq!(store.load_connection(first).await.unwrap().next_at, Some(later(7)));
        let then = store.load_connection(first).await.unwrap();
        let whole = Visit { is_whole: true, forget_token: true, next_at: Some(later(90)), ..Visit::default() };
        store.note_visit(&then, whole, later(8)).await.unwrap();
        let told = store.load_connection(first).await.unwrap();
        assert_eq!((told.failures, told.synced_at, told.token), (0, Some(later(8)), None));
    }

    async fn games_that_are_still_played_are_remembered_until_they_have_ended(place: TestPlace) {
        let store = place.open().await;
        let anna = account(&store, 1).await.id;
        let id = proven(&store, anna, "AnnaL").await;
        let names = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect::<Vec<_>>();
        let running = ServiceBatch { unfinished: names(&["r1", "r2", "r1"]), ..ServiceBatch::default() };
        store.take_service_games(id, running).await.unwrap();
        assert_eq!(store.unfinished_games(id).await.unwrap(), ["r1", "r2"]);
        let ended = ServiceBatch { ended: names(&["r1"]), ..ServiceBatch::default() };
        store.take_service_games(id, ended).await.unwrap();
        assert_eq!(store.unfinished_games(id).await.unwrap(), ["r2"]);
    }

    async fn who_leaves_is_detached_and_the_games_stay_under_a_neutral_name(place: TestPlace) {
        let store = place.open().await;
        let anna = account(&store, 1).await.id;
        store.create_player(anna, new_player("Anna"), None, NOW).await.unwrap();
        let id = proven(&store, anna, "AnnaL").await;
        store.take_service_games(id, batch(vec![game("g1", "AnnaL", "BenL")], "5")).await.unwrap();
        let before = store.library_games_after(LibraryNumber(0), 10).await.unwrap();
        store.remove_player(anna, None, NOW).await.unwrap();
        tidy(&store).await;
        let after = store.library_games_after(LibraryNumber(0), 10).await.unwrap();
        let names: Vec<&str> = after[0].seats.iter().flatten().map(|seat| seat.name.as_str()).collect();
        assert_eq!(names, [FORMER_MEMBER, "BenL"]);
        assert!(after[0].number > before[0].number, "an index takes it in again");
        assert!(store.connections_of(anna).await.unwrap().is_empty());
        assert!(store.service_accounts_of(anna).await.unwrap().is_empty());
        // Whoever shows that the account at the site is theirs has its games again when the site tells them.
        let again = account(&store, 2).await.id;
        let id = proven(&store, again, "AnnaL").await;
        assert_eq!(seen_by(&store, again).await, 0);
        let taken = store.take_service_games(id, batch(vec![game("g1", "AnnaL", "BenL")], "5")).await.unwrap();
        assert_eq!(taken.gone, [after[0].number]);
        assert!(taken.numbers[0].unwrap() > after[0].number, "an index takes it in again");
        assert_eq!((seen_by(&store, again).await, store.load_connection(id).await.unwrap().games), (1, 1));
        let back = store.library_games_after(LibraryNumber(0), 10).await.unwrap();
        let names: Vec<&str> = back[0].seats.iter().flatten().map(|seat| seat.name.as_str()).collect();
        assert_eq!((back.len(), names), (1, vec!["AnnaL", "BenL"]));
        let twice = store.take_service_games(id, batch(vec![game("g1", "AnnaL", "BenL")], "5")).await.unwrap();
        assert_eq!(twice, Taken { numbers: vec![None], gone: vec![] });
    }

    async fn who_has_left_stays_unnamed_in_what_an_opponent_brings(place: TestPlace) {
        let store = place.open().await;
        let (anna, ben) = (account(&store, 1).await.id, account(&store, 2).await.id);
        store.create_player(anna, new_player("Anna"), None, NOW).await.unwrap();
        let id = proven(&store, anna, "AnnaL").await;
        store.take_service_games(id, batch(vec![game("g1", "AnnaL", "BenL")], "5")).await.unwrap();
        store.remove_player(anna, None, NOW).await.unwrap();
        tidy(&store).await;
        let id = proven(&store, ben, "BenL").await;
        let taken = store.take_service_games(id, batch(vec![game("g1", "AnnaL", "BenL")], "5")).await.unwrap();
        assert_eq!(taken, Taken { numbers: vec![None], gone: vec![] });
        let games = store.library_games_after(LibraryNumber(0), 10).await.unwrap();
        assert_eq!(games[0].seats[0].as_ref().unwrap().name, FORMER_MEMBER);
    }

    async fn a_game_that_came_over_from_a_site_does_not_come_again_out_of_a_file(place: TestPlace) {
        let store = place.open().await;
        let (anna, ben) = (account(&store, 1).await.id, account(&store, 2).await.id);
        let id = proven(&store, anna, "AnnaL").await;
        store.take_service_games(id, batch(vec![game("g1", "AnnaL", "BenL")], "5")).await.unwrap();
        for (who, is_new) in [(anna, false), (ben, true)] {
            let job = store.begin_import(who, "games.pgn".to_owned(), 100, NOW).await.unwrap();
            store.start_import(job).await.unwrap();
            let games = Batch { games: vec![(7, vec![1, 2, 3])], items: 1, ..Batch::default() };
            let numbers = store.import_batch(job, who, games).await.unwrap();
            assert_eq!(numbers[0].is_some(), is_new, "{who}");
        }
    }

    async fn who_leaves_with_many_games_leaves_them_in_their_order_under_new_numbers(place: TestPlace) {
        let store = place.open().await;
        let anna = account(&store, 1).await.id;
        store.create_player(anna, new_player("Anna"), None, NOW).await.unwrap();
        let id = proven(&store, anna, "AnnaL").await;
        let name = |n: i64| format!("g{n}");
        for n in 0..40 {
            let white = if n % 4 == 0 { "Carla" } else { "AnnaL" };
            store.take_service_games(id, batch(vec![game(&name(n), white, "BenL")], "5")).await.unwrap();
        }
        let before = store.library_games_after(LibraryNumber(0), 100).await.unwrap();
        // A report stands by the number: it must not keep its owner from leaving.
        let report = store::ReportJob {
            of: before[1].number.into(),
            asked_by: anna,
            bulk: false,
            nodes: 1_000,
            asked_at: NOW,
        };
        store.ask_report(report).await.unwrap();
        store.remove_player(anna, None, NOW).await.unwrap();
        tidy(&store).await;
        let after = store.library_games_after(LibraryNumber(0), 100).await.unwrap();
        let names = |games: &[store::LibraryGame]| -> Vec<String> {
            games.iter().filter_map(|game| game.external_id.clone()).collect()
        };
        let (stay, go): (Vec<i64>, Vec<i64>) = (0..40).partition(|n| n % 4 == 0);
        assert_eq!(names(&after), stay.into_iter().chain(go).map(name).collect::<Vec<_>>());
        let last = before[39].number;
        assert!(after[10..].iter().all(|game| game.number > last), "an index takes them in again");
        let numbers: Vec<LibraryNumber> = after.iter().rev().map(|game| game.number).collect();
        let loaded = store.load_library_games(&numbers).await.unwrap();
        assert_eq!(loaded.iter().map(|game| game.number).collect::<Vec<_>>(), numbers);
    }

    async fn the_schema_itself_refuses_a_claim_that_gives_games(place: TestPlace) {
        let store = place.open().await;
        let anna = account(&store, 1).await.id;
        begin(&store, anna, "AnnaL").await.unwrap();
        for (change, is_good) in [
            ("state = 'active'", false),
            ("state = 'stopped'", false),
            ("proved_at = 5", false),
            ("service_id = 'here'", false),
            ("service_id = 'nowhere'", false),
            ("service_id = 'chesscom'", true),
        ] {
            let changed = store.run_for_test(format!("UPDATE connection SET {change}")).await;
            assert_eq!(changed.is_ok(), is_good, "{change}");
        }
    }

    async fn a_backup_holds_the_connections(place: TestPlace) {
        let store = place.open().await;
        let anna = account(&store, 1).await.id;
        let id = proven(&store, anna, "AnnaL").await;
        let running = ServiceBatch { unfinished: vec!["r1".to_owned()], ..batch(vec![game("g1", "AnnaL", "x")], "5") };
        store.take_service_games(id, running).await.unwrap();
        store.wake_connection(id, Some(vec![9; 40]), NOW).await.unwrap();
        let file = place.folder().join("copy.db");
        let report = store::backup(&place.place, &file).await.unwrap();
        assert_eq!(report.problems, Vec::<String>::new());
        let copy = Store::open(Place::Sqlite(file), &place.backups()).await.unwrap();
        let (told, kept) = (copy.load_connection(id).await.unwrap(), store.load_connection(id).await.unwrap());
        assert!(told == kept);
        assert_eq!(copy.unfinished_games(id).await.unwrap(), ["r1"]);
    }
}
