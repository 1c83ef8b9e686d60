use rules::UnixMillis;
use store::{Roles, Store, StoreError};

use crate::on_both;
use crate::place::{NOW, TestPlace, account, new_player, token};

on_both! {
    async fn a_session_leads_to_its_account_until_it_expires(place: TestPlace) {
        let store = place.open().await;
        let account = account(&store, 7).await;
        let found = store.find_session(token(7), NOW).await.unwrap();
        assert_eq!(found.map(|session| session.account), Some(account));
        assert_eq!(store.find_session(token(8), NOW).await.unwrap(), None);
        assert_eq!(store.find_session(token(7), UnixMillis(NOW.0 + 1_000)).await.unwrap(), None);
    }

    async fn a_club_is_set_up_once(place: TestPlace) {
        let store = place.open().await;
        let owner = account(&store, 1).await;
        let other = account(&store, 2).await;
        store.set_up_club("Rook End".to_owned(), owner.id, new_player("Owner"), NOW).await.unwrap();
        let again = store.set_up_club("Mine".to_owned(), other.id, new_player("Other"), NOW).await;
        assert!(matches!(again, Err(StoreError::Conflict)));
        assert!(store.roles_of(owner.id).await.unwrap().administrator);
        assert_eq!(store.roles_of(other.id).await.unwrap(), Roles::default());
        assert!(store.is_free("other").await.unwrap(), "what failed left nothing behind");
        assert_eq!(store.setting("club_name").await.unwrap().as_deref(), Some("Rook End"));
    }

    async fn a_setting_can_be_set_again(place: TestPlace) {
        let store = place.open().await;
        store.set_setting("colour", "blue".to_owned()).await.unwrap();
        store.set_setting("colour", "green".to_owned()).await.unwrap();
        assert_eq!(store.setting("colour").await.unwrap().as_deref(), Some("green"));
        assert_eq!(store.setting("size").await.unwrap(), None);
    }

    async fn data_of_a_newer_program_is_refused(place: TestPlace) {
        drop(place.open().await);
        place.pretend_newer_schema().await;
        let error = Store::open(place.place.clone(), &place.backups()).await.map(drop).unwrap_err();
        assert!(matches!(error, StoreError::NewerSchema { found: 999, .. }), "{error}");
    }
}
