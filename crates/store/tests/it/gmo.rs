//! Genomes and presets: one text, one code, and as many keepers as store it.

use rules::UnixMillis;
use rules::gmo::{Code, Genome, Sha, known_genomes};
use store::{AccountId, GmoChange, GmoKind, GmoStored, NewGmoText, Store, StoreError};

use crate::on_both;
use crate::place::{NOW, TestPlace, account};

const HOPPER: &str = "AHHHAAHACHHHCHACHAHHACACSAC";

async fn put(
    store: &Store,
    keeper: AccountId,
    sha: Sha,
    text: &str,
) -> Result<GmoStored, StoreError> {
    let (kind, name, text) = (GmoKind::Genome, "hopper".to_owned(), text.to_owned());
    store.store_gmo_text(NewGmoText { kind, sha, text, name, keeper, most: 3 }, NOW).await
}

/// Whether this account may read and use what a code names; nothing if there is no such code.
async fn rights(store: &Store, code: &str, account: Option<AccountId>) -> Option<(bool, bool)> {
    let code = Code::parse(code).unwrap();
    let found = store.find_gmo_text(GmoKind::Genome, &code, account).await.unwrap();
    found.map(|text| (text.is_readable, text.is_usable))
}

/// Two hashes that begin with the same `digits` digits, and differ in the next.
fn twin(sha: Sha, digits: usize) -> Sha {
    let mut bytes = sha.0;
    bytes[digits / 2] ^= if digits.is_multiple_of(2) { 0x10 } else { 0x01 };
    Sha(bytes)
}

on_both! {
    async fn a_text_is_stored_once_and_private_until_its_keeper_says_otherwise(place: TestPlace) {
        let store = place.open().await;
        let (mine, other) = (account(&store, 1).await.id, account(&store, 2).await.id);
        let sha = Genome::parse(HOPPER).unwrap().sha();
        let stored = put(&store, mine, sha, HOPPER).await.unwrap();
        assert_eq!((stored.code.len(), stored.created), (6, true));
        assert_eq!(put(&store, mine, sha, HOPPER).await.unwrap(), GmoStored { created: false, ..stored.clone() });
        let check = async |who, expected| assert_eq!(rights(&store, &stored.code, who).await, Some(expected));
        check(Some(mine), (true, true)).await;
        check(Some(other), (false, false)).await;
        check(None, (false, false)).await;
        let by_code = GmoChange { by_code: Some(true), ..GmoChange::default() };
        store.change_gmo_text(GmoKind::Genome, stored.sha.clone(), mine, by_code).await.unwrap();
        check(Some(other), (false, true)).await;
        let withheld = async |who| store.is_genome_withheld(&stored.sha, who).await.unwrap();
        assert!(withheld(Some(other)).await && withheld(None).await && !withheld(Some(mine)).await);
        let publish = GmoChange { published: Some(true), name: Some("Frog".to_owned()), ..GmoChange::default() };
        store.change_gmo_text(GmoKind::Genome, stored.sha.clone(), mine, publish).await.unwrap();
        check(None, (true, true)).await;
        let published = store.published_gmo_texts(GmoKind::Genome, None, 9).await.unwrap();
        assert_eq!((published.len(), published[0].name.as_str(), published[0].keeper.as_str()), (1, "Frog", "Guest 1"));
        assert!(store.is_genome_published(&stored.sha).await.unwrap());
        assert!(!withheld(Some(other)).await && !withheld(None).await);
        store.forget_gmo_text(GmoKind::Genome, stored.sha.clone(), mine).await.unwrap();
        assert!(!withheld(Some(other)).await, "nobody keeps it any more");
        check(Some(mine), (false, false)).await;
    }

    async fn what_two_publish_is_shown_once_and_no_page_skips_what_was_kept_at_the_same_moment(place: TestPlace) {
        let store = place.open().await;
        let (first, second) = (account(&store, 1).await.id, account(&store, 2).await.id);
        let publish = GmoChange { published: Some(true), ..GmoChange::default() };
        for (keeper, now) in [(second, UnixMillis(NOW.0 + 1)), (first, NOW)] {
            for n in 1..=3 {
                let (kind, sha) = (GmoKind::Genome, Sha([n; 32]));
                let (text, name) = ("x".to_owned(), String::new());
                let new = NewGmoText { kind, sha, text, name, keeper, most: 3 };
                store.store_gmo_text(new, now).await.unwrap();
                store.change_gmo_text(kind, sha.to_string(), keeper, publish.clone()).await.unwrap();
            }
        }
        let mut shown = Vec::new();
        let mut after = None;
        for _ in 0..4 {
            let page = store.published_gmo_texts(GmoKind::Genome, after.clone(), 1).await.unwrap();
            after = page.last().map(|last| (last.kept_at, last.sha.clone())).or(after);
            shown.extend(page.into_iter().map(|kept| (kept.sha, kept.keeper)));
        }
        let shown_as = |n, keeper: &str| (Sha([n; 32]).to_string(), keeper.to_owned());
        assert_eq!(shown, [shown_as(1, "Guest 1"), shown_as(2, "Guest 1"), shown_as(3, "Guest 1")]);
        let hide = GmoChange { published: Some(false), ..GmoChange::default() };
        store.change_gmo_text(GmoKind::Genome, Sha([2; 32]).to_string(), first, hide).await.unwrap();
        let left = store.published_gmo_texts(GmoKind::Genome, None, 9).await.unwrap();
        let left: Vec<_> = left.into_iter().map(|kept| (kept.sha, kept.keeper)).collect();
        assert_eq!(left, [shown_as(2, "Guest 2"), shown_as(1, "Guest 1"), shown_as(3, "Guest 1")]);
    }

    async fn nobody_changes_what_another_keeps(place: TestPlace) {
        let store = place.open().await;
        let (mine, other) = (account(&store, 1).await.id, account(&store, 2).await.id);
        let stored = put(&store, mine, Genome::parse(HOPPER).unwrap().sha(), HOPPER).await.unwrap();
        let publish = GmoChange { published: Some(true), ..GmoChange::default() };
        let changed = store.change_gmo_text(GmoKind::Genome, stored.sha.clone(), other, publish).await;
        assert!(matches!(changed, Err(StoreError::NotFound)), "{changed:?}");
        let forgotten = store.forget_gmo_text(GmoKind::Genome, stored.sha, other).await;
        assert!(matches!(forgotten, Err(StoreError::NotFound)), "{forgotten:?}");
    }

    async fn a_later_text_with_the_same_beginning_gets_a_longer_code(place: TestPlace) {
        let store = place.open().await;
        let mine = account(&store, 1).await.id;
        let first = Genome::parse(HOPPER).unwrap().sha();
        let second = twin(first, 7);
        assert_eq!(put(&store, mine, first, HOPPER).await.unwrap().code, first.prefix(6));
        assert_eq!(put(&store, mine, second, "another").await.unwrap().code, second.prefix(8));
        assert_eq!(rights(&store, &first.prefix(6), Some(mine)).await, Some((true, true)));
        assert_eq!(rights(&store, &first.prefix(7), Some(mine)).await, None, "two begin like this");
        assert_eq!(rights(&store, &second.prefix(9), Some(mine)).await, Some((true, true)));
    }

    async fn built_in_pieces_need_no_storing_and_own_their_codes(place: TestPlace) {
        let store = place.open().await;
        let mine = account(&store, 1).await.id;
        for known in known_genomes() {
            let stored = put(&store, mine, known.genome.sha(), known.genome.dna()).await.unwrap();
            assert_eq!((stored.code.as_str(), stored.created), (known.code, false));
            assert_eq!(rights(&store, known.code, None).await, Some((true, true)));
        }
        assert!(store.gmo_library(GmoKind::Genome, mine).await.unwrap().is_empty());
        let twin = twin(known_genomes()[0].genome.sha(), 6);
        assert_eq!(put(&store, mine, twin, "like a rook").await.unwrap().code, twin.prefix(7));
    }

    async fn a_library_has_its_limit(place: TestPlace) {
        let store = place.open().await;
        let mine = account(&store, 1).await.id;
        let sha = |n| Sha([n; 32]);
        for n in 1..=3 {
            put(&store, mine, sha(n), "x").await.unwrap();
        }
        assert!(matches!(put(&store, mine, sha(4), "x").await, Err(StoreError::Conflict)));
        put(&store, mine, sha(3), "x").await.expect("what is there already may be stored again");
        assert_eq!(rights(&store, &sha(4).to_string(), Some(mine)).await, None, "nothing of it was kept");
    }
}
