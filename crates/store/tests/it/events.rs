use rules::UnixMillis;
use store::{
    AccountId, EntryState, EventAction, EventChange, EventId, EventLine, EventQuery, EventState,
    EventVisibility, GameId, Store, StoreError, StoredBoard, StoredEntry, StoredEvent, StoredRound,
};

use crate::on_both;
use crate::place::{TestPlace, account, new_game};

fn change(owner: AccountId, version: i64) -> EventChange {
    EventChange {
        event: StoredEvent {
            id: EventId::from_bits(7),
            name: "Club Cup 100%".to_owned(),
            state: EventState::Running,
            visibility: EventVisibility::Public,
            owner,
            starts_at: Some(UnixMillis(50)),
            settings: "{}".to_owned(),
            version,
            due_at: None,
            table_key: "secret".to_owned(),
            created_at: UnixMillis(1),
            changed_at: UnixMillis(version),
        },
        players: Vec::new(),
        removed_players: Vec::new(),
        rounds: Vec::new(),
        boards: Vec::new(),
        removed_rounds: Vec::new(),
        games: Vec::new(),
        action: EventAction {
            version,
            at: UnixMillis(version),
            actor: Some(owner),
            act: "tested".to_owned(),
            detail: String::new(),
            undo: None,
        },
    }
}

fn entry(number: i64, account: Option<AccountId>) -> StoredEntry {
    StoredEntry {
        number,
        account,
        name: format!("Player {number}"),
        seed: Some(number),
        state: EntryState::Entered,
        details: "{}".to_owned(),
        entered_at: UnixMillis(1),
    }
}

fn board(number: i64, white: i64, black: i64) -> StoredBoard {
    let (game, result, white_report, black_report) = (None, None, None, None);
    StoredBoard { board: number, white, black, game, result, white_report, black_report }
}

fn round(number: i64, boards: Vec<StoredBoard>, byes: Vec<(i64, String)>) -> StoredRound {
    StoredRound { round: number, published_at: UnixMillis(number), boards, byes }
}

/// An event with four players and a first round.
async fn begun(store: &Store) -> AccountId {
    let owner = account(store, 1).await.id;
    let mut first = change(owner, 1);
    first.players = (1..=4).map(|number| entry(number, (number == 1).then_some(owner))).collect();
    store.create_event(first).await.unwrap();
    let mut second = change(owner, 2);
    second.rounds =
        vec![round(1, vec![board(1, 1, 2)], vec![(3, "half".to_owned()), (4, "zero".to_owned())])];
    store.change_event(second).await.unwrap();
    owner
}

on_both! {
    async fn an_event_is_read_as_it_was_written(place: TestPlace) {
        let store = place.open().await;
        let owner = begun(&store).await;
        let mut third = change(owner, 3);
        let mut ended = board(1, 1, 2);
        (ended.result, ended.white_report) = (Some("1-0".to_owned()), Some("1-0".to_owned()));
        third.boards = vec![(1, ended.clone())];
        third.players = vec![StoredEntry { state: EntryState::Withdrawn, ..entry(4, None) }];
        store.change_event(third).await.unwrap();
        let whole = store.load_event(EventId::from_bits(7)).await.unwrap();
        assert_eq!(whole.rounds, [round(1, vec![ended], vec![(3, "half".to_owned()), (4, "zero".to_owned())])]);
        assert_eq!(whole.players[0].name, "Guest 1", "an account is called what it is called");
        assert_eq!(whole.players[1].name, "Player 2");
        assert_eq!(whole.players[3].state, EntryState::Withdrawn);
        let acts = store.event_actions(whole.event.id, i64::MAX, 9).await.unwrap();
        assert_eq!(acts.iter().map(|act| act.version).collect::<Vec<_>>(), [3, 2, 1]);
    }

    async fn of_two_actions_on_the_same_version_one_is_refused(place: TestPlace) {
        let store = place.open().await;
        let owner = begun(&store).await;
        let both = tokio::join!(store.change_event(change(owner, 3)), store.change_event(change(owner, 3)));
        assert!(matches!(both, (Ok(()), Err(StoreError::Conflict))), "{both:?}");
    }

    async fn nobody_has_two_places_in_a_round_and_a_round_is_kept_whole_or_not_at_all(place: TestPlace) {
        let store = place.open().await;
        let owner = begun(&store).await;
        for (boards, byes) in [
            (vec![board(1, 1, 2), board(2, 2, 3)], vec![]),
            (vec![board(1, 1, 2)], vec![(1, "zero".to_owned())]),
            (vec![board(1, 1, 9)], vec![]),
        ] {
            let mut twice = change(owner, 3);
            twice.games = vec![new_game(77, owner, owner)];
            twice.rounds = vec![round(2, boards, byes)];
            assert!(store.change_event(twice).await.is_err());
        }
        let whole = store.load_event(EventId::from_bits(7)).await.unwrap();
        assert_eq!((whole.event.version, whole.rounds.len()), (2, 1));
        let game = store.load_game(GameId::from_bits(77)).await;
        assert!(matches!(game, Err(StoreError::NotFound)), "nor do its games begin");
    }

    async fn events_are_found_by_name_state_date_and_player(place: TestPlace) {
        let store = place.open().await;
        let owner = begun(&store).await;
        let other = account(&store, 2).await.id;
        let found = async |query: EventQuery| {
            store.list_events(EventQuery { limit: 9, ..query }).await.unwrap().len()
        };
        let name = |name: &str| EventQuery { name: Some(name.to_owned()), ..EventQuery::default() };
        assert_eq!(found(name("cup 100%")).await, 1);
        assert_eq!(found(name("cup_100")).await, 0, "a wildcard stands for itself");
        assert_eq!(found(EventQuery { state: Some(EventState::Running), ..EventQuery::default() }).await, 1);
        assert_eq!(found(EventQuery { state: Some(EventState::Draft), ..EventQuery::default() }).await, 0);
        assert_eq!(found(EventQuery { from: Some(UnixMillis(50)), ..EventQuery::default() }).await, 1);
        assert_eq!(found(EventQuery { until: Some(UnixMillis(50)), ..EventQuery::default() }).await, 0);
        assert_eq!(found(EventQuery { mine: Some(owner), ..EventQuery::default() }).await, 1);
        assert_eq!(found(EventQuery { mine: Some(other), ..EventQuery::default() }).await, 0);
        let after = (UnixMillis(1), EventId::from_bits(7));
        assert_eq!(found(EventQuery { before: Some(after), ..EventQuery::default() }).await, 0);
    }

    async fn a_private_event_is_in_no_list_of_others(place: TestPlace) {
        let store = place.open().await;
        let owner = begun(&store).await;
        let mut hidden = change(owner, 3);
        hidden.event.visibility = EventVisibility::Private;
        store.change_event(hidden).await.unwrap();
        let query = EventQuery { limit: 9, ..EventQuery::default() };
        assert_eq!(store.list_events(query.clone()).await.unwrap().len(), 0);
        assert_eq!(store.list_events(EventQuery { all: true, ..query }).await.unwrap().len(), 1);
    }

    async fn a_deleted_event_is_gone_with_everything_in_it(place: TestPlace) {
        let store = place.open().await;
        let owner = begun(&store).await;
        let id = EventId::from_bits(7);
        let by = account(&store, 3).await;
        let line = EventLine { number: 1, by, text: "hello".to_owned(), at: UnixMillis(5) };
        store.add_event_line(id, line.clone()).await.unwrap();
        assert_eq!(store.load_event_lines(id, 9).await.unwrap(), [line]);
        let at = UnixMillis(9);
        assert!(matches!(store.delete_event(id, 1, owner, at).await, Err(StoreError::Conflict)));
        assert_eq!(store.load_audit(None, None, None).await.unwrap(), [], "nothing has happened");
        store.delete_event(id, 2, owner, at).await.unwrap();
        let noted = store.load_audit(None, None, None).await.unwrap();
        let what = (noted[0].act.as_str(), noted[0].detail.as_str(), noted[0].at);
        assert_eq!(what, ("event_deleted", "Club Cup 100%", at));
        assert_eq!(noted[0].actor.as_ref().map(|(id, _)| *id), Some(owner));
        assert!(matches!(store.load_event(id).await, Err(StoreError::NotFound)));
        store.create_event(change(owner, 1)).await.unwrap();
        let again = store.load_event(id).await.unwrap();
        assert_eq!((again.players.len(), again.rounds.len()), (0, 0));
    }

    async fn the_games_of_a_round_begin_with_it(place: TestPlace) {
        let store = place.open().await;
        let owner = begun(&store).await;
        let (id, game) = (EventId::from_bits(7), GameId::from_bits(77));
        let mut second = change(owner, 3);
        second.games = vec![new_game(77, owner, owner)];
        second.rounds = vec![round(2, vec![StoredBoard { game: Some(game), ..board(1, 1, 2) }], vec![])];
        store.change_event(second).await.unwrap();
        assert_eq!(store.event_of_game(game).await.unwrap(), Some(id));
        assert_eq!(store.load_game(game).await.unwrap().id, game);
        assert_eq!(store.finished_event_games(id).await.unwrap(), []);
        assert_eq!(store.running_events().await.unwrap(), [id]);
    }

    async fn pairing_numbers_change_places_in_one_action(place: TestPlace) {
        let store = place.open().await;
        let owner = begun(&store).await;
        let mut third = change(owner, 3);
        let seeds = [(1, 2), (2, 3), (3, 4), (4, 1)];
        let moved = |(number, seed): (i64, i64)| StoredEntry { seed: Some(seed), ..entry(number, None) };
        third.players = seeds.map(moved).to_vec();
        third.players[0].account = Some(owner);
        store.change_event(third).await.unwrap();
        let players = store.load_event(EventId::from_bits(7)).await.unwrap().players;
        let now: Vec<_> = players.iter().map(|player| (player.number, player.seed.unwrap())).collect();
        assert_eq!(now, seeds);
    }

    async fn who_plays_in_an_event_is_known_by_its_games(place: TestPlace) {
        let store = place.open().await;
        let owner = begun(&store).await;
        let stranger = account(&store, 2).await.id;
        let (id, game) = (EventId::from_bits(7), GameId::from_bits(77));
        let mut third = change(owner, 3);
        third.games = vec![new_game(77, owner, owner)];
        third.rounds = vec![round(2, vec![StoredBoard { game: Some(game), ..board(1, 1, 2) }], vec![])];
        store.change_event(third).await.unwrap();
        assert_eq!(store.event_game_outcomes(id).await.unwrap(), [(game, None)]);
        assert!(store.is_in_event_of(game, owner).await.unwrap());
        assert!(!store.is_in_event_of(game, stranger).await.unwrap());
        assert!(!store.is_in_event_of(GameId::from_bits(78), owner).await.unwrap());
    }
}
