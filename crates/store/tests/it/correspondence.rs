use rules::{Ply, UnixMillis};
use store::{ChatLine, ChatRoom, Conditional, DeclineReason, GameId, Presence};

use crate::on_both;
use crate::place::{NOW, TestPlace, account, begun_game, challenge};

on_both! {
    async fn conditional_moves_and_notes_belong_to_one_player(place: TestPlace) {
        let game = {
            let store = place.open().await;
            let game = begun_game(&store, 1).await;
            let players = store.load_game(game).await.unwrap().players;
            let lines = vec![vec!["e7e5".to_owned(), "g1f3".to_owned()], vec!["c7c5".to_owned(), "c2c3".to_owned()]];
            let tree = Conditional { ply: Ply(1), lines };
            store.set_conditional(game, players.white.id, &tree, NOW).await.unwrap();
            store.set_note(game, players.black.id, "watch h7\nand g7".to_owned(), NOW).await.unwrap();
            assert_eq!(store.conditional(game, players.white.id).await.unwrap(), Some(tree));
            assert_eq!(store.conditional(game, players.black.id).await.unwrap(), None);
            assert_eq!(store.note(game, players.white.id).await.unwrap(), "");
            game
        };
        let store = place.open().await;
        let players = store.load_game(game).await.unwrap().players;
        assert_eq!(store.note(game, players.black.id).await.unwrap(), "watch h7\nand g7");
        let none = Conditional { ply: Ply(1), lines: vec![] };
        store.set_conditional(game, players.white.id, &none, NOW).await.unwrap();
        assert_eq!(store.conditional(game, players.white.id).await.unwrap(), None);
        store.set_note(game, players.black.id, String::new(), NOW).await.unwrap();
        assert_eq!(store.note(game, players.black.id).await.unwrap(), "");
    }

    async fn only_what_the_other_said_and_was_not_read_is_unread(place: TestPlace) {
        let store = place.open().await;
        let game = begun_game(&store, 1).await;
        let players = store.load_game(game).await.unwrap().players;
        for (number, by, room) in [
            (1, &players.white, ChatRoom::Players),
            (2, &players.black, ChatRoom::Players),
            (3, &players.black, ChatRoom::Watchers),
            (4, &players.black, ChatRoom::Players),
        ] {
            let line = ChatLine { number, room, by: by.clone(), text: "well".to_owned(), at: NOW };
            store.add_chat_line(game, line).await.unwrap();
        }
        let unread = |account| store.unread_chat(account);
        assert_eq!(unread(players.white.id).await.unwrap().get(&game), Some(&2));
        assert_eq!(unread(players.black.id).await.unwrap().get(&game), Some(&1));
        store.mute(players.white.id, players.black.id, NOW).await.unwrap();
        assert_eq!(unread(players.white.id).await.unwrap().get(&game), None, "nobody hears them");
        store.unmute(players.white.id, players.black.id).await.unwrap();
        assert_eq!(unread(players.white.id).await.unwrap().get(&game), Some(&2));
        store.set_chat_seen(game, players.white.id, 4).await.unwrap();
        store.set_chat_seen(game, players.white.id, 1).await.unwrap();
        assert_eq!(unread(players.white.id).await.unwrap().get(&game), None);
    }

    async fn a_declined_invitation_is_shown_until_it_is_put_away(place: TestPlace) {
        let store = place.open().await;
        let (white, black) = (account(&store, 1).await, account(&store, 2).await);
        let asked = store::ChallengeKind::Direct { asked: black.clone() };
        let asking = store::Challenge { kind: asked, ..challenge(7, white.clone()) };
        store.create_invitation(asking, "a slow one?".to_owned()).await.unwrap();
        let id = GameId::from_bits(7);
        assert_eq!(store.invitation(id).await.unwrap().as_deref(), Some("a slow one?"));
        assert!(store.unanswered_invitations(white.id, NOW).await.unwrap().is_empty());
        store.decline_challenge(id, black.id, DeclineReason::TooSlow).await.unwrap();
        let shown = store.unanswered_invitations(white.id, NOW).await.unwrap();
        assert_eq!(shown.iter().map(|it| it.id).collect::<Vec<_>>(), [id]);
        assert!(store.unanswered_invitations(black.id, NOW).await.unwrap().is_empty());
        store.put_away(white.id, format!("challenge:{id}"), NOW).await.unwrap();
        assert!(store.unanswered_invitations(white.id, NOW).await.unwrap().is_empty());
    }

    async fn the_board_remembers_who_came_and_left(place: TestPlace) {
        let store = place.open().await;
        let game = begun_game(&store, 1).await;
        let white = store.load_game(game).await.unwrap().players.white.id;
        let log = [(1, true), (5, false), (9, true)]
            .map(|(at, is_here)| Presence { account: white, at: UnixMillis(NOW.0 + at), is_here });
        for presence in log {
            store.note_presence(game, presence).await.unwrap();
        }
        assert_eq!(store.presences(game).await.unwrap(), log);
    }

    async fn the_last_who_came_and_left_are_kept(place: TestPlace) {
        let store = place.open().await;
        let (game, other) = (begun_game(&store, 1).await, begun_game(&store, 2).await);
        let white = store.load_game(game).await.unwrap().players.white.id;
        let come = |at| Presence { account: white, at: UnixMillis(NOW.0 + at), is_here: at % 2 == 0 };
        store.note_presence(other, come(0)).await.unwrap();
        for at in 0..2_010 {
            store.note_presence(game, come(at)).await.unwrap();
        }
        let kept = store.presences(game).await.unwrap();
        assert_eq!((kept.len(), kept[0], kept[1_999]), (2_000, come(10), come(2_009)));
        assert_eq!(store.presences(other).await.unwrap(), [come(0)], "another game keeps its own");
    }
}
