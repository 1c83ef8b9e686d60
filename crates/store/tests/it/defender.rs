use rules::{Color, UnixMillis};
use store::{Account, AccountId, AttemptResult, DefenderPosition, NewAttempt, Store, StoreError};

use crate::on_both;
use crate::place::{NOW, TestPlace, account, new_game, player};

/// An attempt by somebody at position 2 that ends like this, at some moment after the start.
async fn attempt(store: &Store, n: u64, by: &Account, result: (bool, u32, u32)) {
    attempt_at(store, n, by, 3, result).await;
}

async fn attempt_at(store: &Store, n: u64, by: &Account, level: u8, result: (bool, u32, u32)) {
    attempt_against(store, n, by, (level, "builtin"), result).await;
}

async fn attempt_against(
    store: &Store,
    n: u64,
    by: &Account,
    (level, engine): (u8, &str),
    result: (bool, u32, u32),
) {
    let game = new_game(n, by.id, bot());
    let (position, engine) = ("2".to_owned(), engine.to_owned());
    let new = NewAttempt { position, account: by.id, level, engine };
    store.begin_attempt(game.clone(), new).await.unwrap();
    let (is_won, points, moves) = result;
    let at = UnixMillis(NOW.0 + i64::try_from(n).unwrap());
    let result = AttemptResult { is_won, points, moves, at };
    for _ in 0..2 {
        store.settle_attempt(game.id, result).await.unwrap();
    }
}

fn bot() -> AccountId {
    AccountId::of_bot(3)
}

async fn bots(store: &Store) {
    let bot = store::NewBot { level: 3, name: "Rook-3".to_owned(), rating: 1_000 };
    store.make_bots(vec![bot], NOW).await.unwrap();
}

fn position(id: &str, board: &str) -> DefenderPosition {
    let (id, board) = (id.to_owned(), board.to_owned());
    DefenderPosition { id, board, player: Color::White, par: 9, is_hidden: false }
}

on_both! {
    async fn the_best_attempt_of_every_member_counts_fewest_points_first(place: TestPlace) {
        let store = place.open().await;
        bots(&store).await;
        let (anna, bela) = (player(&store, 1, "Anna").await, player(&store, 2, "Bela").await);
        let guest = account(&store, 3).await;
        attempt(&store, 11, &anna, (true, 12, 30)).await;
        attempt(&store, 12, &anna, (true, 9, 40)).await;
        attempt(&store, 13, &anna, (false, 3, 5)).await;
        attempt(&store, 14, &bela, (true, 9, 25)).await;
        attempt(&store, 15, &bela, (true, 0, 2)).await;
        attempt(&store, 16, &guest, (true, 1, 2)).await;
        let list = async |level| {
            let best = store.best_attempts("2", level, "builtin", 10).await.unwrap();
            best.into_iter().map(|best| (best.player.name, best.points)).collect::<Vec<_>>()
        };
        assert_eq!(list(3).await, [("Bela".to_owned(), 9), ("Anna".to_owned(), 9)]);
        assert_eq!(list(4).await, []);
        assert!(store.best_attempts("1", 3, "builtin", 10).await.unwrap().is_empty());
    }

    async fn a_cheap_win_against_a_beginner_is_no_record_of_the_strong(place: TestPlace) {
        let store = place.open().await;
        bots(&store).await;
        let (anna, bela) = (player(&store, 1, "Anna").await, player(&store, 2, "Bela").await);
        attempt_at(&store, 11, &anna, 1, (true, 4, 9)).await;
        attempt_at(&store, 12, &anna, 8, (true, 30, 50)).await;
        attempt_at(&store, 13, &bela, 8, (true, 22, 40)).await;
        let best = store.best_attempts("2", 8, "builtin", 10).await.unwrap();
        let found = best.iter().map(|best| (best.rank, best.player.name.as_str(), best.points));
        assert_eq!(found.collect::<Vec<_>>(), [(1, "Bela", 22), (2, "Anna", 30)]);
        let own = async |level| {
            let best = store.best_attempt_of("2", level, "builtin", anna.id).await.unwrap();
            best.map(|best| (best.rank, best.points))
        };
        assert_eq!(own(8).await, Some((2, 30)));
        assert_eq!(own(1).await, Some((1, 4)));
        assert_eq!(own(5).await, None);
    }

    async fn a_win_against_one_engine_is_no_record_against_another(place: TestPlace) {
        let store = place.open().await;
        bots(&store).await;
        let anna = player(&store, 1, "Anna").await;
        attempt_against(&store, 11, &anna, (8, "Old 1"), (true, 9, 20)).await;
        attempt_against(&store, 12, &anna, (8, "New 2"), (true, 14, 20)).await;
        attempt_against(&store, 13, &anna, (8, "Lost to 3"), (false, 14, 20)).await;
        for (engine, points) in [("Old 1", 9), ("New 2", 14)] {
            let best = store.best_attempts("2", 8, engine, 10).await.unwrap();
            assert_eq!(best.iter().map(|best| (best.rank, best.points)).collect::<Vec<_>>(), [(1, points)]);
        }
        assert_eq!(store.beaten_engines("2", 8).await.unwrap(), ["New 2", "Old 1"]);
        assert_eq!(store.beaten_engines("2", 7).await.unwrap(), [""; 0]);
    }

    async fn an_arbiters_correction_changes_the_result_that_was_entered(place: TestPlace) {
        let store = place.open().await;
        bots(&store).await;
        let anna = player(&store, 1, "Anna").await;
        attempt(&store, 11, &anna, (true, 9, 20)).await;
        let game = new_game(11, anna.id, bot()).id;
        let result = AttemptResult { is_won: false, points: 9, moves: 20, at: NOW };
        store.settle_attempt(game, result).await.unwrap();
        assert_eq!(store.load_attempt(game).await.unwrap().result, Some(result));
        assert!(store.best_attempts("2", 3, "builtin", 10).await.unwrap().is_empty());
    }

    async fn a_place_is_right_however_long_the_list_is(place: TestPlace) {
        let store = place.open().await;
        bots(&store).await;
        for n in 1..=4_u8 {
            let by = player(&store, n, &format!("Player{n}")).await;
            attempt(&store, 10 + u64::from(n), &by, (true, 5 + u32::from(n), 9)).await;
        }
        let last = player(&store, 5, "Last").await;
        attempt(&store, 20, &last, (true, 40, 9)).await;
        assert_eq!(store.best_attempts("2", 3, "builtin", 2).await.unwrap().len(), 2);
        let own = store.best_attempt_of("2", 3, "builtin", last.id).await.unwrap().unwrap();
        assert_eq!((own.rank, own.points), (5, 40));
    }

    async fn an_attempt_runs_until_its_result_is_entered(place: TestPlace) {
        let store = place.open().await;
        bots(&store).await;
        let anna = player(&store, 1, "Anna").await;
        attempt(&store, 21, &anna, (true, 7, 9)).await;
        let game = new_game(21, anna.id, bot()).id;
        let found = store.load_attempt(game).await.unwrap();
        assert_eq!((found.level, found.account), (3, anna.id));
        assert_eq!(found.result.map(|result| (result.is_won, result.points)), Some((true, 7)));
        let other = new_game(22, anna.id, bot()).id;
        assert!(matches!(store.load_attempt(other).await, Err(StoreError::NotFound)));
        assert!(store.unsettled_attempts().await.unwrap().is_empty());
    }

    async fn a_prepared_position_keeps_its_pieces_once_somebody_has_tried_it(place: TestPlace) {
        let store = place.open().await;
        bots(&store).await;
        let anna = player(&store, 1, "Anna").await;
        let first = position("2", "k7/8/8/8/8/8/8/8");
        store.add_defender_position(first.clone(), anna.id, NOW).await.unwrap();
        let twice = store.add_defender_position(first, anna.id, NOW).await;
        assert!(matches!(twice, Err(StoreError::Conflict)));
        let other = position("2", "1k6/8/8/8/8/8/8/8");
        store.change_defender_position(other.clone(), anna.id, NOW).await.unwrap();
        attempt(&store, 31, &anna, (true, 3, 2)).await;
        let third = position("2", "2k5/8/8/8/8/8/8/8");
        let moved = store.change_defender_position(third, anna.id, NOW).await;
        assert!(matches!(moved, Err(StoreError::Conflict)));
        let hidden = DefenderPosition { par: 12, is_hidden: true, ..other };
        store.change_defender_position(hidden.clone(), anna.id, NOW).await.unwrap();
        assert_eq!(store.defender_positions().await.unwrap(), [hidden]);
    }
}
