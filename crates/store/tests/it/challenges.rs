use store::{ChallengeKind, ChallengeState, GameId, StoreError};

use crate::on_both;
use crate::place::{TestPlace, account, challenge, new_game};

on_both! {
    async fn a_challenge_is_accepted_once(place: TestPlace) {
        let store = place.open().await;
        let (white, black, third) = (account(&store, 1).await, account(&store, 2).await, account(&store, 3).await);
        store.create_challenge(challenge(9, white.clone())).await.unwrap();
        let both = tokio::join!(
            store.accept_challenge(new_game(9, white.id, black.id)),
            store.accept_challenge(new_game(9, white.id, third.id)),
        );
        assert!(matches!(both, (Ok(()), Err(StoreError::Conflict))), "{both:?}");
        let stored = store.load_game(GameId::from_bits(9)).await.unwrap();
        assert_eq!(stored.players.black, black);
        assert_eq!(store.load_challenge(stored.id).await.unwrap().state, ChallengeState::Accepted);
    }

    async fn only_its_maker_takes_a_challenge_back_and_only_while_it_is_open(place: TestPlace) {
        let store = place.open().await;
        let (white, black) = (account(&store, 1).await, account(&store, 2).await);
        let made = challenge(9, white.clone());
        store.create_challenge(made.clone()).await.unwrap();
        assert!(matches!(store.cancel_challenge(made.id, black.id).await, Err(StoreError::Conflict)));
        store.cancel_challenge(made.id, white.id).await.unwrap();
        assert!(matches!(store.cancel_challenge(made.id, white.id).await, Err(StoreError::Conflict)));
        let late = store.accept_challenge(new_game(9, white.id, black.id)).await;
        assert!(matches!(late, Err(StoreError::Conflict)));
        assert!(matches!(store.load_game(made.id).await, Err(StoreError::NotFound)));
    }

    async fn a_rematch_is_offered_once_per_game(place: TestPlace) {
        let store = place.open().await;
        let (white, black) = (account(&store, 1).await, account(&store, 2).await);
        let game = GameId::from_bits(1);
        let mut first = challenge(10, white.clone());
        first.kind = ChallengeKind::Rematch { of: game };
        let mut second = challenge(11, black);
        second.kind = ChallengeKind::Rematch { of: game };
        store.create_challenge(first.clone()).await.unwrap();
        assert!(matches!(store.create_challenge(second).await, Err(StoreError::Conflict)));
        assert_eq!(store.load_rematch_of(game).await.unwrap().map(|c| c.id), Some(first.id));
        assert!(store.load_rematch_of(first.id).await.unwrap().is_none());
    }
}
