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

/// Takes out all that an import brought, and gives it.
async fn undone(store: &Store, job: i64, of: AccountId) -> Vec<LibraryNumber> {
    let mut all = Vec::new();
    loop {
        let gone = store.undo_import(job, of, NOW).await.unwrap();
        if gone.is_empty() {
            all.sort_unstable();
            all.dedup();
            return all;
        }
        all.extend(gone);
    }
}

/// Does all that is left to do when somebody has left or is called otherwise.
pub(crate) async fn tidy(store: &Store) {
    while store.tidy_library().await.unwrap().is_more {}
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

    async fn games_that_lie_together_are_found_and_removed_one_by_one(place: TestPlace) {
        let store = place.open().await;
        let anna = account(&store, 1).await;
        let job = import(&store, anna.id).await;
        // Short ones share a row; one that is longer than a page has a row for itself.
        let body = |n: u8| vec![n + 1; if n == 70 { 9_000 } else { 100 }];
        let games = (0..200).map(|n| (u64::from(n), body(n))).collect();
        let all = Batch { games, items: 200, bytes_done: 1, ..Batch::default() };
        let numbers = store.import_batch(job, anna.id, all).await.unwrap();
        let numbers: Vec<LibraryNumber> = numbers.into_iter().flatten().collect();
        let loaded = store.load_library_games(&[numbers[199], numbers[0], numbers[70]]).await.unwrap();
        let bodies: Vec<Vec<u8>> = loaded.into_iter().map(|game| game.body.unwrap()).collect();
        assert_eq!(bodies, [body(199), body(0), body(70)]);

        let gone = vec![numbers[5], numbers[70], numbers[71]];
        assert_eq!(store.remove_library_games(anna.id, gone.clone()).await.unwrap(), gone);
        assert!(store.remove_library_games(anna.id, gone.clone()).await.unwrap().is_empty());
        assert!(store.load_library_games(&gone).await.unwrap().is_empty());
        assert_eq!(store.count_imported_games(anna.id).await.unwrap(), 197);
        assert_eq!(store.count_library_games(numbers[72]).await.unwrap(), (70, numbers[199]));
        let left: Vec<_> = numbers.iter().filter(|number| !gone.contains(number)).copied().collect();
        assert_eq!(store.library_numbers().await.unwrap(), left);
        let mut seen: Vec<LibraryNumber> = Vec::new();
        loop {
            let after = seen.last().copied().unwrap_or(LibraryNumber(0));
            let page = store.library_games_after(after, 7).await.unwrap();
            if page.is_empty() {
                break;
            }
            seen.extend(page.iter().map(|game| game.number));
        }
        assert_eq!(seen, left);
        let again = store.import_batch(job, anna.id, batch(&[5, 6])).await.unwrap();
        assert_eq!(again.iter().map(Option::is_some).collect::<Vec<_>>(), [true, false]);
    }

    async fn a_game_with_a_report_stays_known_and_goes_with_its_import(place: TestPlace) {
        let store = place.open().await;
        let anna = account(&store, 1).await;
        let job = import(&store, anna.id).await;
        let numbers = store.import_batch(job, anna.id, batch(&[1, 2, 3])).await.unwrap();
        let second = numbers[1].unwrap();
        let before = store.library_games_after(LibraryNumber(0), 9).await.unwrap();
        let wish = store::ReportJob {
            of: second.into(),
            asked_by: anna.id,
            bulk: false,
            nodes: 1_000,
            asked_at: NOW,
        };
        store.ask_report(wish).await.unwrap();
        store.ask_report(wish).await.unwrap();
        assert_eq!(store.library_games_after(LibraryNumber(0), 9).await.unwrap(), before);
        assert_eq!(store.count_imported_games(anna.id).await.unwrap(), 3);
        let again = store.import_batch(job, anna.id, batch(&[3, 2, 1])).await.unwrap();
        assert_eq!(again, [None; 3]);
        assert_eq!(undone(&store, job, anna.id).await, numbers.into_iter().flatten().collect::<Vec<_>>());
        assert_eq!(store.load_report(second).await.unwrap(), None);
    }

    async fn a_whole_history_has_the_games_of_the_library_and_they_take_their_reports_along(place: TestPlace) {
        let store = place.open().await;
        let (anna, ben) = (account(&store, 1).await, account(&store, 2).await);
        let job = import(&store, anna.id).await;
        store.import_batch(job, anna.id, batch(&[7, 8])).await.unwrap();
        assert_eq!(store.ask_reports_of(anna.id, 1_000, 100, NOW).await.unwrap(), 2);
        assert_eq!(store.ask_reports_of(ben.id, 1_000, 100, NOW).await.unwrap(), 0, "they are not his");
        let next = store.next_report(&store::ReportTurns::default()).await.unwrap().unwrap();
        let store::ReportOf::Library(number) = next.of else { panic!("{next:?}") };
        store.finish_report(number, "{}".to_owned(), NOW).await.unwrap();
        assert_eq!(store.load_report(number).await.unwrap().unwrap().result.as_deref(), Some("{}"));
        store.remove_library_games(anna.id, vec![number]).await.unwrap();
        assert_eq!(store.load_report(number).await.unwrap(), None);
        let progress = store.bulk_progress(anna.id).await.unwrap();
        assert_eq!((progress.waiting, progress.done), (1, 0));
    }

    async fn asking_for_a_long_history_lets_others_write_meanwhile_and_ends_at_what_may_wait(place: TestPlace) {
        let store = place.open().await;
        let anna = account(&store, 1).await.id;
        let job = import(&store, anna).await;
        let all: Vec<u64> = (1..=600).collect();
        let numbers = store.import_batch(job, anna, batch(&all)).await.unwrap();
        let is_asked = std::sync::atomic::AtomicBool::new(false);
        let ask = async {
            let asked = store.ask_reports_of(anna, 1_000, 500, NOW).await.unwrap();
            is_asked.store(true, std::sync::atomic::Ordering::Relaxed);
            asked
        };
        let write = async {
            let mut writes = 0;
            while !is_asked.load(std::sync::atomic::Ordering::Relaxed) {
                store.resume_reports_of(anna).await.unwrap();
                writes += 1;
            }
            writes
        };
        let (asked, writes) = tokio::join!(ask, write);
        assert_eq!(asked, 500);
        assert!(writes >= 10, "only {writes} others could write while 500 games were asked for");
        assert_eq!(store.ask_reports_of(anna, 1_000, 500, NOW).await.unwrap(), 0, "so many wait already");
        let newest = numbers.last().copied().flatten().unwrap();
        assert!(store.load_report(newest).await.unwrap().is_some(), "the newest come first");
        assert_eq!(store.load_report(numbers[0].unwrap()).await.unwrap(), None);
        store.finish_report(newest, "{}".to_owned(), NOW).await.unwrap();
        assert_eq!(store.ask_reports_of(anna, 1_000, 500, NOW).await.unwrap(), 1, "one is done, one more fits");
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

    async fn the_first_thousand_problems_of_a_file_are_kept_in_their_order(place: TestPlace) {
        let store = place.open().await;
        let anna = account(&store, 1).await;
        let job = import(&store, anna.id).await;
        let problem = |line| ImportProblem { line, reason: format!("not a move in line {line}") };
        for begin in [0, 1, 600, 900, 1_300] {
            let problems: Vec<ImportProblem> = (begin..begin + 300).map(problem).collect();
            let bad = Batch { problems, items: 300, ..Batch::default() };
            store.import_batch(job, anna.id, bad).await.unwrap();
        }
        let expected = (0..300).chain(1..301).chain(600..900).chain(900..1_000);
        let kept = store.import_problems(job).await.unwrap();
        assert_eq!(kept, expected.map(problem).collect::<Vec<_>>());
        assert_eq!(store.load_import(job).await.unwrap().bad, 1_500);
    }

    async fn what_an_import_brought_can_be_taken_out_again(place: TestPlace) {
        let store = place.open().await;
        let (anna, ben) = (account(&store, 1).await, account(&store, 2).await);
        let job = import(&store, anna.id).await;
        let kept = store.import_batch(job, anna.id, batch(&[1, 2, 3])).await.unwrap();
        assert!(store.undo_import(job, ben.id, NOW).await.unwrap().is_empty());
        let gone = undone(&store, job, anna.id).await;
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
        let late = store.import_batch(job, anna.id, batch(&[3])).await;
        assert!(matches!(late, Err(StoreError::Conflict)), "no more of the file comes in");
        tidy(&store).await;
        let after = store.library_games_after(LibraryNumber(0), 10).await.unwrap();
        assert_eq!(after.len(), 1);
        assert_eq!(after[0].seats[0].as_ref().unwrap().name, FORMER_MEMBER);
        assert!(after[0].number > before[0].number, "an index takes it in again");
        assert!(store.service_accounts_of(anna.id).await.unwrap().is_empty());
        assert!(store.imports_of(anna.id).await.unwrap().is_empty());
    }

    async fn however_many_games_are_asked_for_each_comes_once(place: TestPlace) {
        let store = place.open().await;
        let anna = account(&store, 1).await;
        let job = import(&store, anna.id).await;
        let games = (0..700).map(|n| (n, vec![7; 100])).collect();
        let all = Batch { games, items: 700, ..Batch::default() };
        let numbers = store.import_batch(job, anna.id, all).await.unwrap();
        let numbers: Vec<LibraryNumber> = numbers.into_iter().flatten().collect();
        let loaded = store.load_library_games(&numbers).await.unwrap();
        assert_eq!(loaded.iter().map(|game| game.number).collect::<Vec<_>>(), numbers);
    }

    async fn who_leaves_with_many_games_of_files_takes_them_along_part_by_part(place: TestPlace) {
        let store = place.open().await;
        let anna = account(&store, 1).await;
        store.create_player(anna.id, new_player("Anna"), None, NOW).await.unwrap();
        let job = import(&store, anna.id).await;
        let games: Vec<(u64, Vec<u8>)> = (0..400).map(|n| (n, vec![7; 3_900])).collect();
        let all = Batch { games, items: 400, bytes_done: 1, ..Batch::default() };
        let numbers = store.import_batch(job, anna.id, all).await.unwrap();
        store.remove_player(anna.id, None, NOW).await.unwrap();
        let first = store.tidy_library().await.unwrap();
        assert!((1..400).contains(&first.gone.len()) && first.is_more, "{} at once", first.gone.len());
        let mut gone = first.gone;
        loop {
            let part = store.tidy_library().await.unwrap();
            gone.extend(part.gone);
            if !part.is_more {
                break;
            }
        }
        assert_eq!(gone, numbers.into_iter().flatten().collect::<Vec<_>>());
        assert!(store.imports_of(anna.id).await.unwrap().is_empty());
        assert!(store.library_numbers().await.unwrap().is_empty());
    }

    async fn who_is_renamed_is_called_so_in_the_games_played_here(place: TestPlace) {
        let store = place.open().await;
        let (anna, ben) = (account(&store, 1).await, account(&store, 2).await);
        store.create_player(anna.id, new_player("Anna"), None, NOW).await.unwrap();
        let game = finished(&store, 5, &anna, &ben).await;
        let before = store.add_played_games(vec![game]).await.unwrap();
        store.rename_player(anna.id, "Annette".to_owned(), None, NOW).await.unwrap();
        let first = store.tidy_library().await.unwrap();
        assert_eq!((&first.gone, first.fresh.len()), (&before, 1), "an index takes it in again");
        tidy(&store).await;
        let games = store.library_games_after(LibraryNumber(0), 10).await.unwrap();
        assert_eq!(games.iter().map(|game| game.number).collect::<Vec<_>>(), first.fresh);
        assert_eq!(games[0].seats[0].as_ref().unwrap().name, "Annette");
        assert_eq!(store.service_accounts_of(anna.id).await.unwrap().len(), 1);
        assert!(!store.tidy_library().await.unwrap().is_more);
    }

    async fn the_number_of_an_import_is_never_given_again(place: TestPlace) {
        let store = place.open().await;
        let (anna, ben) = (account(&store, 1).await, account(&store, 2).await);
        store.create_player(anna.id, new_player("Anna"), None, NOW).await.unwrap();
        let job = import(&store, anna.id).await;
        store.remove_player(anna.id, None, NOW).await.unwrap();
        tidy(&store).await;
        assert!(store.imports_of(anna.id).await.unwrap().is_empty());
        assert!(import(&store, ben.id).await > job);
    }

    async fn a_bundle_that_cannot_be_read_hides_no_other_one(place: TestPlace) {
        let store = place.open().await;
        let anna = account(&store, 1).await;
        for digest in 1..=3 {
            let job = import(&store, anna.id).await;
            store.import_batch(job, anna.id, batch(&[digest])).await.unwrap();
        }
        let numbers = store.library_numbers().await.unwrap();
        let damage = "UPDATE library_bundle SET body = '\\x01' WHERE seq = (SELECT MIN(seq) FROM library_bundle)";
        store.run_for_test(damage.to_owned()).await.unwrap();
        let left = store.library_games_after(LibraryNumber(0), 10).await.unwrap();
        assert_eq!(left.iter().map(|game| game.number).collect::<Vec<_>>(), numbers[1..]);
        store.count_library_games(numbers[0]).await.unwrap();
        let job = import(&store, anna.id).await;
        let again = store.import_batch(job, anna.id, batch(&[2, 4])).await.unwrap();
        assert_eq!(again.iter().map(Option::is_some).collect::<Vec<_>>(), [false, true]);
    }

    async fn the_schema_itself_refuses_a_game_that_is_nobodys_or_of_two_places(place: TestPlace) {
        let store = place.open().await;
        let (anna, ben) = (account(&store, 1).await, account(&store, 2).await);
        let other = finished(&store, 4, &anna, &ben).await;
        store.add_played_games(vec![other]).await.unwrap();
        let seat = store.service_accounts_of(anna.id).await.unwrap()[0];
        let (game, a) = (finished(&store, 5, &anna, &ben).await, anna.id);
        let there = "INSERT INTO service_account (id, service_id, name_key, name) VALUES (98, 'lichess', 'x', 'X')";
        store.run_for_test(there.to_owned()).await.unwrap();
        let body = "'\\x01'";
        // Number, digest, service, name there, game of ours, importer, seat of White, packed game.
        let cases = [
            (format!("90, 9, NULL, NULL, NULL, NULL, NULL, {body}"), false, "nobody's"),
            (format!("90, 9, 'lichess', 'x', NULL, '{a}', 98, {body}"), false, "a site's and somebody's"),
            (format!("90, 9, 'lichess', NULL, NULL, NULL, 98, {body}"), false, "of a site without its name"),
            (format!("90, 9, 'nowhere', 'x', NULL, NULL, NULL, {body}"), false, "of a site that is none"),
            (format!("90, 9, 'here', 'x', '{game}', NULL, {seat}, NULL"), false, "ours with a name elsewhere"),
            (format!("90, 9, 'here', NULL, NULL, NULL, {seat}, {body}"), false, "ours without a game"),
            (format!("90, 9, 'here', NULL, '{game}', NULL, {seat}, {body}"), false, "ours, and packed"),
            (format!("90, 9, 'lichess', 'x', '{game}', NULL, 98, {body}"), false, "ours, and a site's"),
            ("90, 9, 'lichess', 'x', NULL, NULL, 98, NULL".to_owned(), false, "without moves"),
            (format!("90, 9, NULL, 'x', NULL, '{a}', NULL, {body}"), false, "out of a file with a name at a site"),
            (format!("90, 9, NULL, NULL, NULL, '{a}', {seat}, {body}"), false, "out of a file with a seat"),
            (format!("90, 9, NULL, NULL, NULL, '{a}', NULL, {body}"), true, "out of a file"),
            (format!("91, 9, 'lichess', 'x', NULL, NULL, {seat}, {body}"), false, "of a site with somebody of another"),
            (format!("91, 9, 'lichess', 'x', NULL, NULL, NULL, {body}"), false, "of a site without anybody"),
            (format!("91, 9, 'lichess', 'x', NULL, NULL, 98, {body}"), true, "of a site"),
            (format!("92, 9, 'here', NULL, '{game}', NULL, {seat}, NULL"), true, "ours"),
            (format!("93, 9, NULL, NULL, NULL, '{a}', NULL, {body}"), false, "twice out of files"),
            (format!("93, 8, 'lichess', 'x', NULL, NULL, 98, {body}"), false, "twice of a site"),
            (format!("93, 8, 'here', NULL, '{game}', NULL, {seat}, NULL"), false, "twice ours"),
        ];
        for (values, is_good, what) in cases {
            let sql = format!(
                "INSERT INTO library_game (seq, digest, service_id, external_id, game_id, importer_id,
                                           white_account_id, body) VALUES ({values})"
            );
            assert_eq!(store.run_for_test(sql).await.is_ok(), is_good, "{what}");
        }
        for (values, is_good) in [("80, 79, 1", false), ("80, 81, 0", false), ("80, 81, 3", false), ("80, 81, 2", true)] {
            let sql = format!(
                "INSERT INTO library_bundle (seq, last_seq, games, importer_id, body) VALUES ({values}, '{a}', {body})"
            );
            assert_eq!(store.run_for_test(sql).await.is_ok(), is_good, "{values}");
        }
        let account = format!("INSERT INTO service_account (id, service_id, name_key, name) VALUES (99, 'here', '{a}', 'x')");
        assert!(store.run_for_test(account).await.is_err(), "one account at a service for each name");
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
