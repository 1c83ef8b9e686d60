use ratings::{Pool, Score, System};
use rules::{ByColor, UnixMillis};
use store::{AccountId, GameId, RatedGame, Store, Summary};

use crate::on_both;
use crate::place::{FOOLS_MATE, NOW, TestPlace, begun_game, events};

fn pool() -> Pool {
    "standard/blitz".parse().unwrap()
}

/// Plays a game to mate by Black and lets it count.
async fn finish(
    store: &Store,
    game: GameId,
    first_version: u32,
) -> Option<ByColor<store::RatingChange>> {
    let played = events(&FOOLS_MATE);
    let rebuilt = rules::Game::rebuild(crate::place::setup(), NOW, &played).unwrap();
    let stored = store.load_game(game).await.unwrap();
    let players = ByColor { white: stored.players.white.id, black: stored.players.black.id };
    let summary = Summary {
        outcome: rebuilt.outcome().copied(),
        position: rebuilt.position().fen(),
        ply: rebuilt.ply(),
        ended_at: Some(UnixMillis(NOW.0 + 9)),
        opening: None,
        rated: Some(Box::new(RatedGame {
            pool: pool(),
            system: System::default(),
            players,
            score: Score::BlackWins,
            at: UnixMillis(NOW.0 + 9),
        })),
        decision: None,
    };
    let appended = store.append_events(game, first_version, &played, Some(summary)).await.unwrap();
    appended.ratings.map(|changes| *changes)
}

async fn shown(store: &Store, account: AccountId) -> (i32, u32) {
    let standing = store.standing(account, &pool()).await.unwrap().unwrap();
    (standing.shown(), standing.games)
}

on_both! {
    async fn a_rated_game_changes_both_ratings_with_its_result(place: TestPlace) {
        let store = place.open().await;
        let game = begun_game(&store, 1).await;
        let players = store.load_game(game).await.unwrap().players;
        assert!(store.standing(players.white.id, &pool()).await.unwrap().is_none());
        let changes = finish(&store, game, 1).await.unwrap();
        assert_eq!((changes.white.before.shown(), changes.black.before.shown()), (1500, 1500));
        // The numbers of the rating specification: an equal beaten at the defaults.
        assert_eq!((changes.black.after.shown(), changes.white.after.shown()), (1741, 1259));
        assert_eq!(shown(&store, players.black.id).await, (1741, 1));
        assert_eq!(shown(&store, players.white.id).await, (1259, 1));
        let kept = store.rating_changes(game).await.unwrap().unwrap();
        assert_eq!(kept.black.after.rating.to_bits(), changes.black.after.rating.to_bits());
    }

    async fn everybody_stands_where_they_have_played_most(place: TestPlace) {
        let store = place.open().await;
        let game = begun_game(&store, 1).await;
        let players = store.load_game(game).await.unwrap().players;
        finish(&store, game, 1).await.unwrap();
        let more = format!(
            "INSERT INTO rating (account_id, pool, rating, deviation, volatility, peak, games, wins, draws, losses)
             VALUES ('{}', 'standard/rapid', 1800, 60, 0.06, 1800, 2, 1, 1, 0)",
            players.white.id
        );
        store.run_for_test(more).await.unwrap();
        let ids = [players.white.id, players.black.id, AccountId::from_bits(99)];
        let most = store.most_played(&ids).await.unwrap();
        let of = |id| most.get(&id).map(|(pool, standing)| (pool.to_string(), standing.shown()));
        assert_eq!(of(ids[0]), Some(("standard/rapid".to_owned(), 1800)));
        assert_eq!(of(ids[1]), Some(("standard/blitz".to_owned(), 1741)));
        assert_eq!(of(ids[2]), None);
    }

    async fn a_game_counts_once_however_often_its_end_is_written(place: TestPlace) {
        let store = place.open().await;
        let game = begun_game(&store, 1).await;
        let players = store.load_game(game).await.unwrap().players;
        assert!(finish(&store, game, 1).await.is_some());
        let before = shown(&store, players.black.id).await;
        assert!(finish(&store, game, 6).await.is_none());
        assert_eq!(shown(&store, players.black.id).await, before);
    }

    async fn what_was_said_is_there_after_a_reopening(place: TestPlace) {
        let game = {
            let store = place.open().await;
            let game = begun_game(&store, 1).await;
            let by = store.load_game(game).await.unwrap().players.white;
            for (number, text) in [(1, "hello"), (2, "<b>good luck</b>")] {
                let line = store::ChatLine {
                    number,
                    room: store::ChatRoom::Players,
                    by: by.clone(),
                    text: text.to_owned(),
                    at: NOW,
                };
                store.add_chat_line(game, line).await.unwrap();
            }
            game
        };
        let store = place.open().await;
        let lines = store.load_chat(game, 10).await.unwrap();
        assert_eq!(lines.iter().map(|line| line.text.as_str()).collect::<Vec<_>>(), ["hello", "<b>good luck</b>"]);
        assert_eq!(store.load_chat(game, 1).await.unwrap()[0].number, 2);
        let by = store.load_game(game).await.unwrap().players.white;
        for number in 3..=5 {
            let (room, text) = (store::ChatRoom::Watchers, "hi".to_owned());
            let line = store::ChatLine { number, room, by: by.clone(), text, at: NOW };
            store.add_chat_line(game, line).await.unwrap();
        }
        let last = store.load_chat(game, 1).await.unwrap();
        assert_eq!(last.iter().map(|line| line.number).collect::<Vec<_>>(), [2, 5], "the last of each room");
    }
}
