use rules::UnixMillis;
use store::{
    AccountId, ApiToken, Invite, InviteId, MadeAccount, MemberQuery, PlayerState, Role, Store,
    StoreError, TokenId,
};

use crate::on_both;
use crate::place::{NOW, TestPlace, new_player, token};

fn id(n: u64) -> AccountId {
    AccountId::from_bits(n)
}

/// Players 1, 2, … with these names; the first is administrator.
async fn club(store: &Store, names: &[&str]) {
    let made = names.iter().zip(1..).map(|(name, n)| MadeAccount {
        id: id(n),
        player: new_player(name),
        role: (n == 1).then_some(Role::Administrator),
        card: None,
    });
    store.make_accounts(made.collect(), None, NOW).await.unwrap();
}

async fn names(store: &Store, query: MemberQuery) -> Vec<String> {
    let (members, _) = store.list_members(&query).await.unwrap();
    members.into_iter().map(|member| member.name).collect()
}

fn is_conflict(result: &Result<(), StoreError>) -> bool {
    matches!(result, Err(StoreError::Conflict))
}

on_both! {
    async fn the_last_administrator_cannot_be_lost_in_any_way(place: TestPlace) {
        let store = place.open().await;
        club(&store, &["anna", "bert"]).await;
        let by = Some(id(1));
        assert!(is_conflict(&store.revoke_role(id(1), Role::Administrator, by, NOW).await));
        assert!(is_conflict(&store.set_player_state(id(1), PlayerState::Deactivated, by, NOW).await));
        assert!(is_conflict(&store.remove_player(id(1), by, NOW).await));
        store.grant_role(id(2), Role::Administrator, by, NOW).await.unwrap();
        store.set_player_state(id(2), PlayerState::Deactivated, by, NOW).await.unwrap();
        // One who cannot log in is none.
        assert!(is_conflict(&store.revoke_role(id(1), Role::Administrator, by, NOW).await));
        store.set_player_state(id(2), PlayerState::Active, by, NOW).await.unwrap();
        // Of two that go at the same time, one stays.
        let (one, other) = tokio::join!(
            store.revoke_role(id(1), Role::Administrator, by, NOW),
            store.revoke_role(id(2), Role::Administrator, by, NOW),
        );
        assert!(one.is_ok() != other.is_ok(), "{one:?} {other:?}");
    }

    async fn a_role_needs_a_player_and_is_taken_once(place: TestPlace) {
        let store = place.open().await;
        club(&store, &["anna", "bert"]).await;
        let nobody = store.grant_role(id(9), Role::Arbiter, None, NOW).await;
        assert!(matches!(nobody, Err(StoreError::NotFound)));
        store.grant_role(id(2), Role::Arbiter, None, NOW).await.unwrap();
        store.grant_role(id(2), Role::Arbiter, None, NOW).await.unwrap();
        assert!(store.roles_of(id(2)).await.unwrap().arbiter);
        store.revoke_role(id(2), Role::Arbiter, None, NOW).await.unwrap();
        let again = store.revoke_role(id(2), Role::Arbiter, None, NOW).await;
        assert!(matches!(again, Err(StoreError::NotFound)));
    }

    async fn members_are_found_by_part_of_a_text_by_role_and_by_state(place: TestPlace) {
        let store = place.open().await;
        club(&store, &["anna", "bert", "Carl_1", "carl21"]).await;
        store.set_group(id(2), Some("Class 4b".to_owned()), None, NOW).await.unwrap();
        store.set_player_state(id(4), PlayerState::Deactivated, None, NOW).await.unwrap();
        let text = |text: &str| MemberQuery { text: text.to_owned(), ..MemberQuery::default() };
        assert_eq!(names(&store, MemberQuery::default()).await, ["anna", "bert", "carl21", "Carl_1"]);
        assert_eq!(names(&store, text("CARL")).await, ["carl21", "Carl_1"]);
        assert_eq!(names(&store, text("l_1")).await, ["Carl_1"], "an underscore is itself");
        assert_eq!(names(&store, text("%")).await, Vec::<String>::new());
        assert_eq!(names(&store, text("class 4")).await, ["bert"]);
        assert_eq!(names(&store, text("anna@club")).await, ["anna"]);
        let role = MemberQuery { role: Some(Role::Administrator), ..MemberQuery::default() };
        assert_eq!(names(&store, role).await, ["anna"]);
        let state = MemberQuery { state: Some(PlayerState::Deactivated), ..MemberQuery::default() };
        assert_eq!(names(&store, state).await, ["carl21"]);
        let after = MemberQuery { after: "Bert".to_owned(), ..MemberQuery::default() };
        assert_eq!(names(&store, after).await, ["carl21", "Carl_1"]);
    }

    async fn accounts_are_made_all_or_none(place: TestPlace) {
        let store = place.open().await;
        club(&store, &["anna"]).await;
        let made = |n, name| MadeAccount { id: id(n), player: new_player(name), role: None, card: None };
        let refused = store.make_accounts(vec![made(2, "bert"), made(3, "ANNA")], None, NOW).await;
        assert!(is_conflict(&refused));
        assert_eq!(names(&store, MemberQuery::default()).await, ["anna"]);
    }

    async fn a_one_time_password_that_nobody_used_ends_after_a_month(place: TestPlace) {
        let store = place.open().await;
        club(&store, &["anna"]).await;
        let player = store::NewPlayer { must_change_password: true, ..new_player("bert") };
        let made = MadeAccount { id: id(2), player, role: None, card: None };
        store.make_accounts(vec![made], None, NOW).await.unwrap();
        let month = 30 * 24 * 3_600_000;
        for (later, is_there) in [(month - 1, true), (month, false)] {
            store.remove_expired(UnixMillis(NOW.0 + later)).await.unwrap();
            let bert = store.load_player(id(2)).await.unwrap();
            assert_eq!(bert.password.is_some(), is_there, "{later}");
            assert!(store.load_player(id(1)).await.unwrap().password.is_some());
        }
    }

    async fn a_new_name_must_be_free(place: TestPlace) {
        let store = place.open().await;
        club(&store, &["anna", "bert"]).await;
        assert!(is_conflict(&store.rename_player(id(2), "Anna".to_owned(), None, NOW).await));
        store.rename_player(id(2), "Berta".to_owned(), None, NOW).await.unwrap();
        assert_eq!(store.find_player("berta").await.unwrap().unwrap().id, id(2));
        assert!(store.find_player("bert").await.unwrap().is_none());
    }

    async fn only_those_nobody_has_seen_are_inactive(place: TestPlace) {
        let store = place.open().await;
        club(&store, &["admin", "sleepy", "player", "fresh"]).await;
        let later = UnixMillis(NOW.0 + 1_000_000);
        let new = MadeAccount { id: id(5), player: new_player("newcomer"), role: None, card: None };
        store.make_accounts(vec![new], None, later).await.unwrap();
        let game = crate::place::new_game(1, id(3), id(1));
        let host = store.load_player(id(3)).await.unwrap();
        let host = store::Account { id: host.id, kind: store::AccountKind::Player, name: host.name };
        store.create_challenge(crate::place::challenge(1, host)).await.unwrap();
        store.accept_challenge(game).await.unwrap();
        let key = api_token(1, later);
        store.create_api_token(id(4), key.clone(), token(4)).await.unwrap();
        store.note_api_token_use(key.id, later).await.unwrap();
        assert_eq!(store.list_inactive(later).await.unwrap(), ["sleepy"]);
        assert_eq!(store.list_inactive(NOW).await.unwrap(), Vec::<String>::new());
        let gone = store.remove_inactive(later, Some(id(1)), later).await.unwrap();
        assert_eq!(gone, [(id(2), "sleepy".to_owned())]);
        assert!(store.find_player("sleepy").await.unwrap().is_none());
    }

    async fn a_key_opens_until_it_expires_or_is_revoked(place: TestPlace) {
        let store = place.open().await;
        club(&store, &["anna", "bert"]).await;
        let key = api_token(1, NOW);
        store.create_api_token(id(2), key.clone(), token(7)).await.unwrap();
        let bearer = store.find_bearer(token(7), NOW).await.unwrap().unwrap();
        assert_eq!((bearer.account.id, bearer.scopes.as_str()), (id(2), "play read"));
        assert!(store.find_bearer(token(8), NOW).await.unwrap().is_none());
        assert!(store.find_bearer(token(7), key.expires_at).await.unwrap().is_none());
        let foreign = store.revoke_api_token(id(1), key.id, NOW).await;
        assert!(matches!(foreign, Err(StoreError::NotFound)), "somebody else's key");
        store.set_player_state(id(2), PlayerState::Deactivated, None, NOW).await.unwrap();
        assert!(store.find_bearer(token(7), NOW).await.unwrap().is_none());
        store.set_player_state(id(2), PlayerState::Active, None, NOW).await.unwrap();
        store.revoke_api_token(id(2), key.id, NOW).await.unwrap();
        assert!(store.find_bearer(token(7), NOW).await.unwrap().is_none());
    }

    async fn an_invitation_is_used_up(place: TestPlace) {
        let store = place.open().await;
        club(&store, &["anna"]).await;
        let expires_at = UnixMillis(NOW.0 + 1_000);
        let invite = Invite { id: InviteId::from_bits(1), uses_left: 2, created_at: NOW, expires_at };
        store.create_invite(invite.clone(), token(9), id(1)).await.unwrap();
        assert_eq!(store.load_invites(NOW).await.unwrap(), std::slice::from_ref(&invite));
        for n in 2..4 {
            let name = format!("guest{n}");
            store.create_player(id(n), new_player(&name), Some(token(9)), NOW).await.unwrap();
        }
        assert!(!store.is_invited(token(9), NOW).await.unwrap());
        let third = store.create_player(id(4), new_player("guest4"), Some(token(9)), NOW).await;
        assert!(matches!(third, Err(StoreError::NotFound)));
        store.delete_invite(invite.id, id(1), NOW).await.unwrap();
    }

    async fn the_audit_log_is_read_backwards_by_page_actor_and_subject(place: TestPlace) {
        let store = place.open().await;
        club(&store, &["anna", "bert"]).await;
        let begun = store.newest_audit().await.unwrap();
        for n in 0..120 {
            let subject = (n % 2 == 0).then_some(id(2));
            store.audit(Some(id(1)), "tested", subject, &n.to_string(), NOW).await.unwrap();
        }
        let first = store.load_audit(None, None, None).await.unwrap();
        assert_eq!((first.len(), first[0].detail.as_str()), (50, "119"));
        assert_eq!(first[0].actor, Some((id(1), "anna".to_owned())));
        let second = store.load_audit(Some(first[49].seq), None, None).await.unwrap();
        assert_eq!(second[0].detail, "69");
        let of_bert = store.load_audit(None, None, Some(id(2))).await.unwrap();
        assert!(of_bert.iter().all(|line| line.subject.as_ref().unwrap().0 == id(2)));
        store.revoke_sessions(id(2), Some(id(1)), NOW).await.unwrap();
        let now = store.newest_audit().await.unwrap();
        assert_eq!(store.who_was_signed_out(begun, now).await.unwrap(), [id(2)]);
        assert_eq!(store.who_was_signed_out(now, now).await.unwrap(), []);
    }
}

fn api_token(n: u64, now: UnixMillis) -> ApiToken {
    ApiToken {
        id: TokenId::from_bits(n),
        name: "bot".to_owned(),
        scopes: "play read".to_owned(),
        created_at: now,
        expires_at: UnixMillis(now.0 + 1_000),
        used_at: None,
    }
}
