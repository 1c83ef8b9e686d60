use rules::{AbortReason, ByColor, Color, Outcome, UnixMillis, Variant, WinReason};
use store::{
    Account, AccountId, GameFilter, GameId, NewGame, PlayerResult, PoolStanding, RatingQuery,
    Score, Sight, Store, Summary,
};

use crate::on_both;
use crate::place::{FOOLS_MATE, NOW, TestPlace, account, challenge, events, new_game, player};

const BLITZ: &str = "standard/blitz";

/// A game with this result, begun so many minutes after the first.
async fn finished(
    store: &Store,
    n: u64,
    white: &Account,
    black: &Account,
    outcome: Outcome,
) -> GameId {
    finished_as(store, new_game(n, white.id, black.id), white, outcome).await
}

async fn finished_as(store: &Store, new: NewGame, white: &Account, outcome: Outcome) -> GameId {
    let n = new.id;
    let minutes = (0..1_000).find(|minute| GameId::from_bits(*minute) == n).unwrap();
    let created_at = UnixMillis(NOW.0 + i64::try_from(minutes).unwrap() * 60_000);
    store.create_challenge(challenge(minutes, white.clone())).await.unwrap();
    store.accept_challenge(NewGame { created_at, ..new }).await.unwrap();
    let events = events(&FOOLS_MATE);
    let game = rules::Game::rebuild(crate::place::setup(), NOW, &events).unwrap();
    let summary = Summary {
        outcome: Some(outcome),
        position: game.position().fen(),
        ply: game.ply(),
        ended_at: Some(UnixMillis(created_at.0 + 9)),
        opening: None,
        rated: None,
        decision: None,
    };
    store.append_events(n, 1, &events, Some(summary)).await.unwrap();
    store.fold_game(n).await.unwrap();
    n
}

fn won_by(winner: Color) -> Outcome {
    Outcome::Win { winner, by: WinReason::Mate }
}

const DRAW: Outcome = Outcome::Draw { by: rules::DrawReason::Agreement };

fn standing(pool: &str, rating: f64, deviation: f64) -> PoolStanding {
    PoolStanding {
        pool: pool.to_owned(),
        rating,
        deviation,
        volatility: 0.06,
        peak: rating + 10.0,
        games: 30,
        wins: 15,
        draws: 5,
        losses: 10,
        last_game: Some(NOW.0),
    }
}

/// Which games a filter lets through, newest first.
async fn listed(store: &Store, of: &Account, filter: GameFilter) -> Vec<GameId> {
    let games = store.finished_games_of(of.id, &filter, None, 10, Sight::Stranger).await.unwrap();
    games.into_iter().map(|game| game.id).collect()
}

on_both! {
    async fn a_profile_is_found_whatever_the_case_but_not_a_guests(place: TestPlace) {
        let store = place.open().await;
        let anna = player(&store, 1, "Anna_W").await;
        player(&store, 2, "Former member").await;
        account(&store, 3).await;
        let found = store.find_profile("aNNA_w").await.unwrap().unwrap();
        assert_eq!((found.account, found.created_at), (anna.clone(), NOW));
        for nobody in ["Anna", "Guest 3", "Former member", "%", ""] {
            assert_eq!(store.find_profile(nobody).await.unwrap(), None, "{nobody}");
        }
        assert!(anna.is_member());
    }

    async fn a_search_finds_beginnings_of_names_as_they_are(place: TestPlace) {
        let store = place.open().await;
        for (n, name) in [(1, "berta"), (2, "Anna_W"), (3, "annaxw"), (4, "Anna")] {
            player(&store, n, name).await;
        }
        account(&store, 9).await;
        for (beginning, expected) in [
            ("ANNA", &["Anna", "Anna_W", "annaxw"][..]),
            ("anna_", &["Anna_W"]),
            ("%", &[]),
            ("nna", &[]),
            ("guest", &[]),
        ] {
            let found = store.search_players(beginning, 10).await.unwrap();
            let names: Vec<_> = found.iter().map(|account| account.name.as_str()).collect();
            assert_eq!(names, expected, "{beginning}");
        }
        assert_eq!(store.search_players("", 2).await.unwrap().len(), 2);
    }

    async fn pages_of_a_history_follow_each_other_without_gap_or_double(place: TestPlace) {
        let store = place.open().await;
        let (anna, berta) = (player(&store, 1, "Anna").await, player(&store, 2, "Berta").await);
        let mut expected = Vec::new();
        for n in 1..=7 {
            let (white, black) = if n % 3 == 0 { (&berta, &anna) } else { (&anna, &berta) };
            expected.insert(0, finished(&store, n, white, black, DRAW).await);
        }
        let (mut seen, mut before) = (Vec::new(), None);
        loop {
            let page = store.finished_games_of(anna.id, &GameFilter::default(), before, 3, Sight::Stranger).await.unwrap();
            let Some(last) = page.last() else { break };
            before = Some((last.created_at, last.id));
            seen.extend(page.iter().map(|game| game.id));
        }
        assert_eq!(seen, expected);
    }

    async fn a_history_can_be_filtered(place: TestPlace) {
        let store = place.open().await;
        let (anna, berta) = (player(&store, 1, "Anna").await, player(&store, 2, "Berta").await);
        let clara = player(&store, 3, "Clara").await;
        let won = finished(&store, 1, &anna, &berta, won_by(Color::White)).await;
        let lost = finished(&store, 2, &anna, &clara, won_by(Color::Black)).await;
        let as_black = finished(&store, 3, &clara, &anna, won_by(Color::Black)).await;
        let rated = NewGame {
            rated: true,
            pool: Some(BLITZ.to_owned()),
            ratings: ByColor { white: Some(1500), black: Some(1480) },
            ..new_game(4, anna.id, berta.id)
        };
        let rated = finished_as(&store, rated, &anna, DRAW).await;
        finished(&store, 5, &anna, &berta, Outcome::Aborted { by: AbortReason::Player }).await;
        finished(&store, 6, &clara, &berta, DRAW).await;
        let filter = GameFilter::default();
        let cases = [
            (filter.clone(), vec![rated, as_black, lost, won]),
            (GameFilter { result: Some(PlayerResult::Won), ..filter.clone() }, vec![as_black, won]),
            (GameFilter { result: Some(PlayerResult::Lost), ..filter.clone() }, vec![lost]),
            (GameFilter { result: Some(PlayerResult::Drawn), ..filter.clone() }, vec![rated]),
            (GameFilter { color: Some(Color::Black), ..filter.clone() }, vec![as_black]),
            (GameFilter { opponent: Some(berta.id), ..filter.clone() }, vec![rated, won]),
            (GameFilter { rated: Some(true), ..filter.clone() }, vec![rated]),
            (GameFilter { rated: Some(false), ..filter.clone() }, vec![as_black, lost, won]),
            (GameFilter { speed: Some("blitz".to_owned()), ..filter.clone() }, vec![rated]),
            (GameFilter { speed: Some("rapid".to_owned()), ..filter.clone() }, vec![]),
            (GameFilter { variant: Some(Variant::Chess960), ..filter.clone() }, vec![]),
            (
                GameFilter { variant: Some(Variant::Standard), color: Some(Color::White), ..filter },
                vec![rated, lost, won],
            ),
        ];
        for (filter, expected) in cases {
            assert_eq!(listed(&store, &anna, filter.clone()).await, expected, "{filter:?}");
        }
        assert_eq!(store.score_of(anna.id, None, Sight::Stranger).await.unwrap(), Score { wins: 2, draws: 1, losses: 1 });
        assert_eq!(
            store.score_of(clara.id, Some(anna.id), Sight::Stranger).await.unwrap(),
            Score { wins: 1, draws: 0, losses: 1 }
        );
    }

    async fn a_finished_game_tells_how_it_went(place: TestPlace) {
        let store = place.open().await;
        let (anna, berta) = (player(&store, 1, "Anna").await, player(&store, 2, "Berta").await);
        let new = NewGame {
            rated: true,
            pool: Some(BLITZ.to_owned()),
            ratings: ByColor { white: Some(1500), black: Some(1480) },
            ..new_game(1, anna.id, berta.id)
        };
        let id = finished_as(&store, new, &anna, won_by(Color::Black)).await;
        store.note_rating_change_for_test(id, berta.id, BLITZ, NOW, (1480.4, 1490.6)).await.unwrap();
        let games = store.finished_games_of(berta.id, &GameFilter::default(), None, 10, Sight::Stranger).await.unwrap();
        let [game] = games.as_slice() else { panic!("one game, not {}", games.len()) };
        assert_eq!((&game.players.white, &game.players.black), (&anna, &berta));
        assert_eq!((game.outcome, game.ply.0), (won_by(Color::Black), 4));
        assert_eq!(game.last.map(|action| action.to_string()).as_deref(), Some("d8h4"));
        assert_eq!(game.ratings, ByColor { white: Some(1500), black: Some(1480) });
        assert_eq!(game.changes, ByColor { white: None, black: Some((1480.4, 1490.6)) });
        assert_eq!(game.opening.as_deref(), Some("A00 Barnes Opening: Fool's Mate"));
        assert!(game.position.starts_with("rnb1kbnr/pppp1ppp"), "{}", game.position);
    }

    async fn the_game_somebody_plays_is_found_until_it_ends(place: TestPlace) {
        let store = place.open().await;
        let game = crate::place::begun_game(&store, 1).await;
        let black = store.load_game(game).await.unwrap().players.black;
        assert_eq!(store.running_game_of(black.id, Sight::Stranger).await.unwrap(), Some(game));
        let anna = player(&store, 5, "Anna").await;
        finished(&store, 9, &black, &anna, DRAW).await;
        assert_eq!(store.running_game_of(anna.id, Sight::Stranger).await.unwrap(), None);
    }

    async fn private_games_are_in_no_list_of_others(place: TestPlace) {
        let store = place.open().await;
        let (anna, berta) = (player(&store, 1, "Anna").await, player(&store, 2, "Berta").await);
        let other = AccountId::from_bits(9);
        let private = |n| NewGame { private: true, ..new_game(n, anna.id, berta.id) };
        let game = finished_as(&store, private(3), &anna, won_by(Color::White)).await;
        store.begin_game(private(4)).await.unwrap();
        for (sight, sees) in [
            (Sight::Stranger, false),
            (Sight::Account(other), false),
            (Sight::Account(anna.id), true),
            (Sight::Account(berta.id), true),
            (Sight::Arbiter(other), true),
        ] {
            let filter = GameFilter::default();
            let games = store.finished_games_of(berta.id, &filter, None, 10, sight).await.unwrap();
            let listed: Vec<GameId> = games.iter().map(|game| game.id).collect();
            assert_eq!(listed, if sees { vec![game] } else { vec![] }, "{sight:?}");
            let score = store.score_of(anna.id, Some(berta.id), sight).await.unwrap();
            assert_eq!(score.wins, i64::from(sees), "{sight:?}");
            let running = store.running_game_of(anna.id, sight).await.unwrap();
            assert_eq!(running, sees.then(|| GameId::from_bits(4)), "{sight:?}");
        }
        assert!(store.load_game(game).await.unwrap().private);
    }

    async fn a_long_chart_is_thinned_and_keeps_its_ends(place: TestPlace) {
        let store = place.open().await;
        let (anna, berta) = (player(&store, 1, "Anna").await, player(&store, 2, "Berta").await);
        for n in 1..=3 {
            let game = finished(&store, n, &anna, &berta, DRAW).await;
            let at = UnixMillis(NOW.0 + i64::try_from(n).unwrap());
            let rating = 1500.0 + f64::from(u32::try_from(n).unwrap());
            store.note_rating_change_for_test(game, anna.id, BLITZ, at, (1500.0, rating)).await.unwrap();
        }
        let points = store.rating_points(anna.id, BLITZ).await.unwrap();
        assert_eq!(points.iter().map(|(_, rating)| *rating).collect::<Vec<_>>(), [1501.0, 1502.0, 1503.0]);
        assert_eq!(store.rating_points(anna.id, "standard/rapid").await.unwrap(), []);
        assert_eq!(store.rating_points(berta.id, BLITZ).await.unwrap(), []);

        store.fill_chart_for_test(anna.id, berta.id, "standard/bullet", 1_234).await.unwrap();
        let points = store.rating_points(anna.id, "standard/bullet").await.unwrap();
        assert!((400..=500).contains(&points.len()), "{} points", points.len());
        assert_eq!(points.first().map(|(at, _)| at.0), Some(1));
        assert_eq!(points.last().map(|(at, _)| at.0), Some(1_234));
        assert!(points.is_sorted_by_key(|(at, _)| *at));
    }

    async fn leaders_are_members_with_a_certain_rating_strongest_first(place: TestPlace) {
        let store = place.open().await;
        let (anna, berta) = (player(&store, 1, "Anna").await, player(&store, 2, "Berta").await);
        let (unsure, gone) = (player(&store, 3, "Clara").await, player(&store, 4, "Former member").await);
        for (who, pool, rating, deviation) in [
            (&anna, BLITZ, 1600.0, 60.0),
            (&berta, BLITZ, 1700.0, 75.0),
            (&unsure, BLITZ, 1900.0, 75.5),
            (&gone, BLITZ, 1950.0, 50.0),
            (&anna, "chess960/rapid", 1400.0, 60.0),
        ] {
            store.set_standing_for_test(who.id, standing(pool, rating, deviation)).await.unwrap();
        }
        let leaders = store.leaders(75.0).await.unwrap();
        let told: Vec<_> = leaders
            .iter()
            .map(|leader| (leader.standing.pool.as_str(), leader.account.name.as_str()))
            .collect();
        assert_eq!(told, [("chess960/rapid", "Anna"), (BLITZ, "Berta"), (BLITZ, "Anna")]);
        let standings = store.standings_of(anna.id).await.unwrap();
        assert_eq!(standings, [standing("chess960/rapid", 1400.0, 60.0), standing(BLITZ, 1600.0, 60.0)]);
    }

    async fn somebody_is_muted_until_heard_again(place: TestPlace) {
        let store = place.open().await;
        let (anna, berta) = (player(&store, 1, "Anna").await, player(&store, 2, "Berta").await);
        store.mute(anna.id, berta.id, NOW).await.unwrap();
        store.mute(anna.id, berta.id, NOW).await.unwrap();
        assert_eq!(store.muted_by(anna.id).await.unwrap(), [berta.id]);
        assert_eq!(store.muted_by(berta.id).await.unwrap(), []);
        store.unmute(anna.id, berta.id).await.unwrap();
        store.unmute(anna.id, berta.id).await.unwrap();
        assert_eq!(store.muted_by(anna.id).await.unwrap(), []);
    }

    async fn the_rating_list_is_filtered_and_searched_and_keeps_everybody_s_place(place: TestPlace) {
        let store = place.open().await;
        let people = [("Anna_W", 2410.0), ("Berta", 1999.4), ("berthold", 1850.0), ("Cyril", 1799.6), ("Dora", 1200.0)];
        for ((name, rating), n) in people.into_iter().zip(1..) {
            let who = player(&store, n, name).await;
            // Every second one has not played for long.
            let last_game = Some(NOW.0 - if n % 2 == 0 { 1_000 } else { 0 });
            let standing = PoolStanding { last_game, ..standing(BLITZ, rating, 50.0) };
            store.set_standing_for_test(who.id, standing).await.unwrap();
        }
        let dora = AccountId::from_bits(5);
        store.set_standing_for_test(dora, standing("gmo/rapid", 1300.0, 50.0)).await.unwrap();
        let former = player(&store, 9, "Former member").await;
        store.set_standing_for_test(former.id, standing(BLITZ, 2800.0, 50.0)).await.unwrap();

        let all = RatingQuery { pool: BLITZ.to_owned(), limit: 10, ..RatingQuery::default() };
        let check = async |ask: RatingQuery, expected: &[(i64, &str)]| {
            let found = store.rating_list(&ask).await.unwrap();
            let found: Vec<_> = found.iter().map(|it| (it.place, it.account.name.as_str())).collect();
            assert_eq!(found, expected, "{ask:?}");
        };
        let everybody = [(1, "Anna_W"), (2, "Berta"), (3, "berthold"), (4, "Cyril"), (5, "Dora")];
        check(all.clone(), &everybody).await;
        check(RatingQuery { name: "BERT".to_owned(), ..all.clone() }, &everybody[1..3]).await;
        check(RatingQuery { name: "_".to_owned(), ..all.clone() }, &everybody[..1]).await;
        check(RatingQuery { name: "%".to_owned(), ..all.clone() }, &[]).await;
        let (from, below) = (Some(1799.5), Some(1999.5));
        check(RatingQuery { from, below, ..all.clone() }, &everybody[1..4]).await;
        let active = RatingQuery { active_since: Some(NOW), ..all.clone() };
        check(active, &[(1, "Anna_W"), (3, "berthold"), (5, "Dora")]).await;
        check(RatingQuery { after: 1, limit: 2, ..all.clone() }, &everybody[1..3]).await;
        check(RatingQuery { pool: "gmo/rapid".to_owned(), ..all.clone() }, &[(1, "Dora")]).await;
        let first = store.rating_list(&all).await.unwrap().remove(0).standing;
        assert_eq!((first.games, first.wins, first.draws, first.losses), (30, 15, 5, 10));
        assert_eq!(store.rated_pools().await.unwrap(), [BLITZ, "gmo/rapid"]);
    }
}
