use store::{AccountId, NewBot};

use crate::on_both;
use crate::place::{NOW, TestPlace, account, new_player};

fn bot(level: u8) -> NewBot {
    NewBot { level, name: format!("Rook-{level}"), rating: 1_000 }
}

on_both! {
    async fn bots_are_made_once_and_known_by_their_account(place: TestPlace) {
        let store = place.open().await;
        for _ in 0..2 {
            assert!(store.make_bots(vec![bot(1), bot(2)], NOW).await.unwrap().is_empty());
        }
        let bots = store.load_bots().await.unwrap();
        let levels: Vec<_> = bots.iter().map(|bot| bot.id.bot_level()).collect();
        assert_eq!(levels, [Some(1), Some(2)]);
        assert!(bots.iter().all(store::Account::is_bot));
        assert!(store.load_player(AccountId::of_bot(1)).await.unwrap().is_bot);
        assert!(!account(&store, 7).await.is_bot());
    }

    async fn a_bot_does_not_take_the_name_of_a_member(place: TestPlace) {
        let store = place.open().await;
        let member = account(&store, 1).await;
        store.create_player(member.id, new_player("rook-1"), None, NOW).await.unwrap();
        let unnamed = store.make_bots(vec![bot(1), bot(2)], NOW).await.unwrap();
        assert_eq!(unnamed.iter().map(|bot| bot.level).collect::<Vec<_>>(), [1]);
        let other = NewBot { name: "Rook-bot-1".to_owned(), ..bot(1) };
        assert!(store.make_bots(vec![other], NOW).await.unwrap().is_empty());
        let names: Vec<_> = store.load_bots().await.unwrap().into_iter().map(|bot| bot.name).collect();
        assert_eq!(names, ["Rook-bot-1", "Rook-2"]);
    }
}
