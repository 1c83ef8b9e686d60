use rules::UnixMillis;
use store::{
    Account, AccountId, Challenge, ChallengeKind, ChallengeState, DeclineReason, GameId, NewPlayer,
    PlayerState, StoreError,
};

use crate::on_both;
use crate::place::{NOW, TestPlace, account, challenge, new_game, new_player, player};

/// A challenge of this kind that ends a second from now.
fn open(n: u64, challenger: &Account, kind: ChallengeKind) -> Challenge {
    let expires_at = Some(UnixMillis(NOW.0 + 1_000));
    Challenge { kind, expires_at, ..challenge(n, challenger.clone()) }
}

fn seek() -> ChallengeKind {
    ChallengeKind::Seek { lowest: Some(1400), highest: None }
}

fn ids(challenges: &[Challenge]) -> Vec<GameId> {
    challenges.iter().map(|challenge| challenge.id).collect()
}

on_both! {
    async fn every_kind_of_challenge_is_read_as_it_was_written(place: TestPlace) {
        let store = place.open().await;
        let (anna, bert) = (account(&store, 1).await, account(&store, 2).await);
        let kinds = [
            ChallengeKind::Link,
            ChallengeKind::Direct { asked: bert.clone() },
            seek(),
            ChallengeKind::Seek { lowest: None, highest: Some(2000) },
            ChallengeKind::Rematch { of: GameId::from_bits(99) },
        ];
        for (kind, n) in kinds.into_iter().zip(1..) {
            let made = open(n, &anna, kind);
            store.create_challenge(made.clone()).await.unwrap();
            let read = store.load_challenge(made.id).await.unwrap();
            assert_eq!((read.kind, read.state, read.expires_at), (made.kind, made.state, made.expires_at));
        }
        assert_eq!(ids(&store.load_open_seeks().await.unwrap()), [3, 4].map(GameId::from_bits));
        assert_eq!(store.load_open_challenges_of(anna.id).await.unwrap().len(), 4, "the rematch is its game's");
        assert_eq!(ids(&store.load_open_challenges_of(bert.id).await.unwrap()), [GameId::from_bits(2)]);
    }

    async fn only_the_asked_declines_and_the_reason_is_kept(place: TestPlace) {
        let store = place.open().await;
        let (anna, bert, carl) = (account(&store, 1).await, account(&store, 2).await, account(&store, 3).await);
        let made = open(9, &anna, ChallengeKind::Direct { asked: bert.clone() });
        store.create_challenge(made.clone()).await.unwrap();
        let by_other = store.decline_challenge(made.id, carl.id, DeclineReason::Later).await;
        assert!(matches!(by_other, Err(StoreError::Conflict)));
        store.decline_challenge(made.id, bert.id, DeclineReason::TooFast).await.unwrap();
        let again = store.decline_challenge(made.id, bert.id, DeclineReason::Later).await;
        assert!(matches!(again, Err(StoreError::Conflict)));
        let read = store.load_challenge(made.id).await.unwrap();
        assert_eq!(read.state, ChallengeState::Declined(DeclineReason::TooFast));
        let late = store.accept_challenge(new_game(9, anna.id, bert.id)).await;
        assert!(matches!(late, Err(StoreError::Conflict)));
    }

    async fn what_is_too_old_ends_once_and_cannot_be_accepted(place: TestPlace) {
        let store = place.open().await;
        let (anna, bert) = (account(&store, 1).await, account(&store, 2).await);
        for (n, kind) in [(1, ChallengeKind::Link), (2, seek()), (3, seek())] {
            let made = open(n, &anna, kind);
            let expires_at = made.expires_at.map(|at| UnixMillis(at.0 * if n == 3 { 2 } else { 1 }));
            store.create_challenge(Challenge { expires_at, ..made }).await.unwrap();
        }
        let end = UnixMillis(NOW.0 + 1_000);
        assert_eq!(store.next_challenge_expiry().await.unwrap(), Some(end));
        let mut late = new_game(1, anna.id, bert.id);
        late.created_at = end;
        assert!(matches!(store.accept_challenge(late).await, Err(StoreError::Conflict)));
        assert_eq!(store.expire_challenges(NOW, vec![]).await.unwrap(), []);
        let mut ended = store.expire_challenges(end, vec![GameId::from_bits(3)]).await.unwrap();
        ended.sort_unstable();
        assert_eq!(ended, [1, 2, 3].map(GameId::from_bits));
        assert_eq!(store.expire_challenges(end, vec![GameId::from_bits(3)]).await.unwrap(), []);
        assert_eq!(store.next_challenge_expiry().await.unwrap(), None);
        assert_eq!(store.load_challenge(GameId::from_bits(3)).await.unwrap().state, ChallengeState::Expired);
    }

    async fn who_has_found_a_game_withdraws_seeks_and_nothing_else(place: TestPlace) {
        let store = place.open().await;
        let (anna, bert) = (account(&store, 1).await, account(&store, 2).await);
        store.create_challenge(open(1, &anna, seek())).await.unwrap();
        store.create_challenge(open(2, &anna, ChallengeKind::Link)).await.unwrap();
        store.create_challenge(open(3, &bert, seek())).await.unwrap();
        store.create_challenge(open(4, &anna, seek())).await.unwrap();
        let named = [1, 2, 3].map(GameId::from_bits).to_vec();
        assert_eq!(store.withdraw_seeks(anna.id, named).await.unwrap(), [GameId::from_bits(1)]);
        let mut left = ids(&store.load_open_seeks().await.unwrap());
        left.sort_unstable();
        assert_eq!(left, [3, 4].map(GameId::from_bits));
        let mut hers = ids(&store.load_open_challenges_of(anna.id).await.unwrap());
        hers.sort_unstable();
        assert_eq!(hers, [2, 4].map(GameId::from_bits));
    }

    async fn colours_are_counted_over_the_last_twenty_games(place: TestPlace) {
        let store = place.open().await;
        let (anna, bert) = (account(&store, 1).await, account(&store, 2).await);
        assert_eq!(store.color_balance(anna.id).await.unwrap(), 0);
        for n in 0..25 {
            // The first five with Black, then three with White and one with Black in turn.
            let has_white = n >= 5 && n % 4 != 0;
            let (white, black) = if has_white { (anna.id, bert.id) } else { (bert.id, anna.id) };
            let mut game = new_game(n, white, black);
            game.created_at = UnixMillis(NOW.0 + i64::try_from(n).unwrap());
            store.begin_game(game).await.unwrap();
        }
        assert_eq!(store.color_balance(anna.id).await.unwrap(), 10);
        assert_eq!(store.color_balance(bert.id).await.unwrap(), -10);
    }

    async fn strength_is_known_by_pool_and_players_by_name(place: TestPlace) {
        let store = place.open().await;
        let (anna, guest) = (player(&store, 1, "Anna").await, account(&store, 2).await);
        store.set_rating_for_test(anna.id, "standard/blitz", 1612.5).await.unwrap();
        let blitz = "standard/blitz".parse().unwrap();
        let strength = store.standing(anna.id, &blitz).await.unwrap().unwrap();
        assert_eq!((strength.shown(), strength.deviation), (1613, 60.0));
        let rapid = "standard/rapid".parse().unwrap();
        assert!(store.standing(anna.id, &rapid).await.unwrap().is_none());
        assert_eq!(store.find_player_named("aNNA").await.unwrap(), Some(anna.clone()));
        let away = NewPlayer { state: PlayerState::Deactivated, ..new_player("Away") };
        store.create_player(AccountId::from_bits(7), away, None, NOW).await.unwrap();
        assert_eq!(store.find_player_named("away").await.unwrap(), None, "who is not there cannot be asked");
        assert_eq!(store.find_player_named(&guest.name).await.unwrap(), None, "guests have no name to ask by");
        store.mute_for_test(anna.id, guest.id).await.unwrap();
        assert_eq!(store.avoided_by(anna.id).await.unwrap(), [guest.id]);
        assert_eq!(store.avoided_by(guest.id).await.unwrap(), []);
    }
}
