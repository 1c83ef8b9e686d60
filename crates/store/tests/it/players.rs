use rules::UnixMillis;
use store::{
    NewOneTimeToken, NewSession, PasswordChange, PlayerState, Purpose, Store, StoreError, TokenHash,
};

use crate::on_both;
use crate::place::{NOW, TestPlace, account, begun_game, new_player, token};

fn later(millis: i64) -> UnixMillis {
    UnixMillis(NOW.0 + millis)
}

fn session(n: u8, replaces: Option<TokenHash>) -> NewSession {
    NewSession {
        token: token(n),
        device: format!("Browser {n}"),
        address: "10.0.0.1".to_owned(),
        expires_at: later(1_000),
        replaces,
    }
}

fn password(text: &str, keep: Option<TokenHash>, by_token: Option<TokenHash>) -> PasswordChange {
    PasswordChange { password: text.to_owned(), must_change: false, keep, by_token, actor: None }
}

/// Somebody who signed up and is logged in with token 1.
async fn player(store: &Store, name: &str) -> store::AccountId {
    let id = account(store, 1).await.id;
    store.create_player(id, new_player(name), None, NOW).await.unwrap();
    store.start_session(id, session(2, Some(token(1))), NOW).await.unwrap();
    id
}

async fn link(store: &Store, id: store::AccountId, n: u8, purpose: Purpose) {
    let expires_at = later(1_000);
    let new = NewOneTimeToken { token: token(n), purpose, account: id, email: None, expires_at };
    store.new_one_time_token(new, NOW).await.unwrap();
}

on_both! {
    async fn a_guest_becomes_a_player_with_the_same_account_and_another_session(place: TestPlace) {
        let store = place.open().await;
        let id = player(&store, "Anna").await;
        assert_eq!(store.find_session(token(1), NOW).await.unwrap(), None);
        let session = store.find_session(token(2), NOW).await.unwrap().unwrap();
        assert_eq!((session.account.id, session.account.name.as_str()), (id, "Anna"));
        assert_eq!(session.proved_at, Some(NOW));
        let again = store.create_player(id, new_player("Berta"), None, NOW).await;
        assert!(matches!(again, Err(StoreError::Conflict)), "one account, one player");
    }

    async fn names_and_addresses_are_unique_without_regard_to_case(place: TestPlace) {
        let store = place.open().await;
        player(&store, "Anna").await;
        let other = account(&store, 7).await.id;
        let mut same_name = new_player("ANNA");
        same_name.email = None;
        let mut same_address = new_player("Berta");
        same_address.email = Some("ANNA@club.example".to_owned());
        for taken in [same_name, same_address] {
            let result = store.create_player(other, taken, None, NOW).await;
            assert!(matches!(result, Err(StoreError::Conflict)));
        }
        assert!(!store.is_free("aNNa").await.unwrap() && !store.is_free("anna@CLUB.example").await.unwrap());
        for text in ["anna", "Anna@Club.Example"] {
            assert_eq!(store.find_player(text).await.unwrap().unwrap().name, "Anna");
        }
        assert_eq!(store.find_player("berta").await.unwrap(), None);
        let guest = store.find_session(token(7), NOW).await.unwrap().unwrap();
        assert_eq!(guest.account.name, "Guest 7", "who failed to sign up is a guest still");
    }

    async fn a_session_is_known_by_how_it_began_and_what_became_of_the_player(place: TestPlace) {
        let store = place.open().await;
        let id = account(&store, 1).await.id;
        let waiting = store::NewPlayer { state: PlayerState::Pending, ..new_player("Anna") };
        store.create_player(id, waiting, None, NOW).await.unwrap();
        assert!(store.find_session(token(1), NOW).await.unwrap().is_some(), "the guest plays on");
        let early = store.start_session(id, session(2, None), NOW).await;
        assert!(matches!(early, Err(StoreError::NotFound)), "nobody logs in before the activation");
        link(&store, id, 9, Purpose::Activation).await;
        store.activate_player(id, token(9), NOW).await.unwrap();
        assert!(matches!(store.activate_player(id, token(9), NOW).await, Err(StoreError::NotFound)));
        assert_eq!(store.find_session(token(1), NOW).await.unwrap(), None, "now there is a password");
        store.start_session(id, session(2, None), NOW).await.unwrap();
        store.set_player_state(id, PlayerState::Deactivated, None, NOW).await.unwrap();
        assert_eq!(store.find_session(token(2), NOW).await.unwrap(), None);
    }

    async fn sessions_are_listed_put_off_and_ended(place: TestPlace) {
        let store = place.open().await;
        let id = player(&store, "Anna").await;
        store.start_session(id, session(3, None), later(5)).await.unwrap();
        store.start_session(id, session(4, None), later(6)).await.unwrap();
        let listed = store.list_sessions(id, NOW).await.unwrap();
        assert_eq!(listed.iter().map(|s| s.token).collect::<Vec<_>>(), [token(4), token(3), token(2)]);
        assert_eq!((listed[0].device.as_str(), listed[0].address.as_str()), ("Browser 4", "10.0.0.1"));
        store.touch_session(token(2), "10.0.0.9".to_owned(), later(900), later(5_000)).await.unwrap();
        let left = store.list_sessions(id, later(2_000)).await.unwrap();
        assert_eq!((left.len(), left[0].address.as_str()), (1, "10.0.0.9"));
        store.end_sessions(id, Some(token(4))).await.unwrap();
        assert_eq!(store.list_sessions(id, NOW).await.unwrap().len(), 1);
        store.end_session(token(4)).await.unwrap();
        assert_eq!(store.find_session(token(4), NOW).await.unwrap(), None);
        let times = store.load_player(id).await.unwrap();
        assert_eq!((times.last_login_at, times.current_login_at), (Some(later(5)), Some(later(6))));
    }

    async fn a_one_time_token_works_once_for_one_thing_until_it_expires(place: TestPlace) {
        let store = place.open().await;
        let id = player(&store, "Anna").await;
        link(&store, id, 8, Purpose::PasswordReset).await;
        link(&store, id, 9, Purpose::PasswordReset).await;
        let find = async |n, purpose, now| {
            store.find_one_time_token(token(n), purpose, now).await.unwrap().map(|(id, _)| id)
        };
        assert_eq!(find(8, Purpose::PasswordReset, NOW).await, None, "only the newest link works");
        assert_eq!(find(9, Purpose::PasswordReset, NOW).await, Some(id));
        assert_eq!(find(9, Purpose::Activation, NOW).await, None);
        assert_eq!(find(9, Purpose::PasswordReset, later(1_000)).await, None);
        let both = tokio::join!(
            store.set_password(id, password("$two", None, Some(token(9))), NOW),
            store.set_password(id, password("$three", None, Some(token(9))), NOW),
        );
        assert!(matches!(both, (Ok(()), Err(StoreError::NotFound))), "{both:?}");
        assert_eq!(store.load_player(id).await.unwrap().password.as_deref(), Some("$two"));
    }

    async fn a_new_password_ends_the_other_sessions_and_every_link_that_could_set_another(place: TestPlace) {
        let store = place.open().await;
        let id = player(&store, "Anna").await;
        store.start_session(id, session(3, None), NOW).await.unwrap();
        link(&store, id, 7, Purpose::SecondStep).await;
        link(&store, id, 8, Purpose::Card).await;
        link(&store, id, 9, Purpose::PasswordReset).await;
        store.set_password(id, password("$two", Some(token(2)), None), NOW).await.unwrap();
        assert!(store.find_session(token(2), NOW).await.unwrap().is_some());
        assert_eq!(store.find_session(token(3), NOW).await.unwrap(), None);
        for (n, purpose) in [(7, Purpose::SecondStep), (8, Purpose::Card), (9, Purpose::PasswordReset)] {
            assert_eq!(store.find_one_time_token(token(n), purpose, NOW).await.unwrap(), None);
        }
        store.rehash_password(id, "$old".to_owned(), "$lost".to_owned()).await.unwrap();
        assert_eq!(store.load_player(id).await.unwrap().password.as_deref(), Some("$two"));
    }

    async fn a_code_of_a_step_or_before_it_is_a_replay(place: TestPlace) {
        let store = place.open().await;
        let id = player(&store, "Anna").await;
        assert!(matches!(store.confirm_totp(id, 5, Vec::new(), NOW).await, Err(StoreError::Conflict)));
        store.propose_totp(id, vec![1, 2, 3]).await.unwrap();
        assert!(store.load_player(id).await.unwrap().second_factor().is_none());
        store.confirm_totp(id, 5, vec![token(1), token(2)], NOW).await.unwrap();
        assert!(matches!(store.propose_totp(id, vec![4]).await, Err(StoreError::Conflict)));
        for (step, is_fresh) in [(4, false), (5, false), (7, true), (7, false), (6, false), (8, true)] {
            assert_eq!(store.use_totp_step(id, step).await.is_ok(), is_fresh, "step {step}");
        }
        store.use_recovery_code(id, token(1)).await.unwrap();
        assert!(matches!(store.use_recovery_code(id, token(1)).await, Err(StoreError::NotFound)));
        assert_eq!(store.recovery_codes_left(id).await.unwrap(), 1);
        store.remove_totp(id, None, NOW).await.unwrap();
        assert_eq!(store.recovery_codes_left(id).await.unwrap(), 0);
        assert_eq!(store.load_player(id).await.unwrap().totp, None);
    }

    async fn a_removed_player_leaves_the_games_and_a_neutral_name(place: TestPlace) {
        let store = place.open().await;
        let game = begun_game(&store, 9).await;
        let id = store.load_game(game).await.unwrap().players.white.id;
        store.create_player(id, new_player("Anna"), None, NOW).await.unwrap();
        store.start_session(id, session(5, Some(token(1))), NOW).await.unwrap();
        link(&store, id, 9, Purpose::PasswordReset).await;
        store.propose_totp(id, vec![1]).await.unwrap();
        store.confirm_totp(id, 5, vec![token(1)], NOW).await.unwrap();
        store.remove_player(id, Some(id), NOW).await.unwrap();
        assert!(matches!(store.remove_player(id, None, NOW).await, Err(StoreError::NotFound)));
        assert_eq!(store.load_game(game).await.unwrap().players.white.name, store::FORMER_MEMBER);
        assert_eq!(store.find_session(token(5), NOW).await.unwrap(), None);
        assert_eq!(store.find_one_time_token(token(9), Purpose::PasswordReset, NOW).await.unwrap(), None);
        assert_eq!(store.recovery_codes_left(id).await.unwrap(), 0);
        assert!(store.is_free("Anna").await.unwrap() && store.is_free("Anna@Club.Example").await.unwrap());
        assert_eq!(store.games_of(id).await.unwrap(), [game]);
        assert_eq!(store.last_game_of(id).await.unwrap(), None, "it still runs");
    }

    async fn the_last_administrator_stays(place: TestPlace) {
        let store = place.open().await;
        let owner = account(&store, 1).await.id;
        store.set_up_club("Rook End".to_owned(), owner, new_player("Olga"), NOW).await.unwrap();
        assert!(matches!(store.remove_player(owner, None, NOW).await, Err(StoreError::Conflict)));
        let second = account(&store, 2).await.id;
        store.create_player(second, new_player("Petra"), None, NOW).await.unwrap();
        store.grant_role(second, store::Role::Administrator, None, NOW).await.unwrap();
        store.remove_player(owner, None, NOW).await.unwrap();
        assert!(matches!(store.remove_player(second, None, NOW).await, Err(StoreError::Conflict)));
    }

    async fn what_has_expired_and_who_never_came_back_is_removed(place: TestPlace) {
        let store = place.open().await;
        let id = player(&store, "Anna").await;
        link(&store, id, 9, Purpose::PasswordReset).await;
        let waiting = store::NewPlayer { state: PlayerState::Pending, ..new_player("Berta") };
        let other = account(&store, 5).await.id;
        store.create_player(other, waiting, None, NOW).await.unwrap();
        store.remove_pending_players(NOW).await.unwrap();
        assert!(!store.is_free("Berta").await.unwrap(), "not yet");
        store.remove_pending_players(later(1)).await.unwrap();
        assert!(store.is_free("Berta").await.unwrap() && !store.is_free("Anna").await.unwrap());
        store.remove_expired(later(1_000)).await.unwrap();
        assert_eq!(store.find_one_time_token(token(9), Purpose::PasswordReset, NOW).await.unwrap(), None);
        assert_eq!(store.find_session(token(2), NOW).await.unwrap(), None);
    }

    async fn a_first_start_that_was_cut_off_at_once_goes_on(place: TestPlace) {
        Store::make_older_for_test(&place.place, 0).await.unwrap();
        player(&place.open().await, "Anna").await;
    }

    async fn data_of_the_first_schema_is_copied_and_brought_up_to_date(place: TestPlace) {
        Store::make_older_for_test(&place.place, 1).await.unwrap();
        let store = place.open().await;
        let copy = place.backups().join(format!("before-schema-{}-1.db", store::known_schema()));
        let report = store::verify(&copy).await.unwrap();
        assert_eq!((report.schema, report.problems), (1, Vec::new()));
        player(&store, "Anna").await;

        // A backup of an older program goes into either database and is brought up to date there.
        for target in [TestPlace::sqlite(), TestPlace::postgres()] {
            store::restore(&copy, &target.place).await.unwrap();
            player(&target.open().await, "Anna").await;
        }
    }
}
