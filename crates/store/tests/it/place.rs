//! A place for a test's data, and things to put there.

use std::path::{Path, PathBuf};

use rules::{
    Act, Actor, ByColor, Color, Command, Event, Game, Ply, RuleSet, Setup, TimeControl, UnixMillis,
};
use store::{
    Account, AccountId, AccountKind, Challenge, ChallengeKind, ChallengeState, GameId, NewGame,
    NewPlayer, Place, PlayerState, Store, TokenHash,
};
use tempfile::TempDir;

use crate::postgres;

pub(crate) const NOW: UnixMillis = UnixMillis(1_767_225_600_000);

/// An empty database of either kind that goes away with the test.
pub(crate) struct TestPlace {
    pub(crate) place: Place,
    folder: TempDir,
}

impl TestPlace {
    pub(crate) fn sqlite() -> TestPlace {
        let folder = tempfile::tempdir().unwrap();
        TestPlace { place: Place::Sqlite(folder.path().join("rookery.db")), folder }
    }

    pub(crate) fn postgres() -> TestPlace {
        TestPlace::at(postgres::fresh_database())
    }

    /// A database of a PostgreSQL of the test's own.
    pub(crate) fn at(address: String) -> TestPlace {
        TestPlace { place: Place::Postgres(address), folder: tempfile::tempdir().unwrap() }
    }

    pub(crate) fn folder(&self) -> &Path {
        self.folder.path()
    }

    pub(crate) fn backups(&self) -> PathBuf {
        self.folder().join("backups")
    }

    pub(crate) async fn open(&self) -> Store {
        Store::open(self.place.clone(), &self.backups()).await.unwrap()
    }
}

pub(crate) fn token(n: u8) -> TokenHash {
    TokenHash([n; 32])
}

pub(crate) async fn account(store: &Store, n: u8) -> Account {
    let account = Account {
        id: AccountId::from_bits(n.into()),
        kind: AccountKind::Guest,
        name: format!("Guest {n}"),
    };
    store.create_account(account.clone(), token(n), NOW, UnixMillis(NOW.0 + 1_000)).await.unwrap();
    account
}

/// Somebody who signs up with this name.
pub(crate) fn new_player(name: &str) -> NewPlayer {
    NewPlayer {
        name: name.to_owned(),
        email: Some(format!("{name}@Club.Example")),
        password: Some("$argon2id$one".to_owned()),
        must_change_password: false,
        state: PlayerState::Active,
        is_bot: false,
        group_name: None,
        initial_rating: 1_500,
        preferences: "{}".to_owned(),
    }
}

/// Somebody who has signed up with this name.
pub(crate) async fn player(store: &Store, n: u8, name: &str) -> Account {
    let id = AccountId::from_bits(n.into());
    let new = NewPlayer { email: None, ..new_player(name) };
    store.create_player(id, new, None, NOW).await.unwrap();
    Account { id, kind: AccountKind::Player, name: name.to_owned() }
}

pub(crate) fn setup() -> Setup {
    Setup::standard(TimeControl::Unlimited, RuleSet::online())
}

pub(crate) fn challenge(n: u64, challenger: Account) -> Challenge {
    Challenge {
        id: GameId::from_bits(n),
        kind: ChallengeKind::Link,
        challenger,
        color: Some(Color::White),
        setup: setup(),
        rated: false,
        private: false,
        state: ChallengeState::Open,
        created_at: NOW,
        expires_at: None,
    }
}

/// Two players and a game between them that has begun.
pub(crate) async fn begun_game(store: &Store, n: u64) -> GameId {
    let (white, black) = match store.find_session(token(1), NOW).await.unwrap() {
        Some(white) => {
            (white.account, store.find_session(token(2), NOW).await.unwrap().unwrap().account)
        }
        None => (account(store, 1).await, account(store, 2).await),
    };
    store.create_challenge(challenge(n, white.clone())).await.unwrap();
    let new = new_game(n, white.id, black.id);
    store.accept_challenge(new.clone()).await.unwrap();
    new.id
}

pub(crate) fn new_game(n: u64, white: AccountId, black: AccountId) -> NewGame {
    let position = setup().position().unwrap().0.fen();
    NewGame {
        id: GameId::from_bits(n),
        setup: setup(),
        players: ByColor { white, black },
        rated: false,
        pool: None,
        ratings: rules::ByColor::same(None),
        provisional: rules::ByColor::same(false),
        private: false,
        position,
        created_at: NOW,
    }
}

/// The events of these moves from the first position on.
pub(crate) fn events(moves: &[&str]) -> Vec<Event> {
    let mut game = Game::new(setup(), NOW).unwrap();
    let mut all = Vec::new();
    for (text, ply) in moves.iter().zip(0..) {
        let side = game.to_act().expect("the game goes on");
        let act = Act::Play { ply: Ply(ply), action: (*text).to_owned() };
        let at = UnixMillis(NOW.0 + i64::from(ply) * 1_000);
        for event in game.decide(&Command::new(Actor::Player(side), at, act)).unwrap() {
            game.apply(&event).unwrap();
            all.push(event);
        }
    }
    all
}

pub(crate) const FOOLS_MATE: [&str; 4] = ["f2f3", "e7e5", "g2g4", "d8h4"];

impl TestPlace {
    /// As if a program of the future had been here.
    pub(crate) async fn pretend_newer_schema(&self) {
        let store = self.open().await;
        store.note_schema_for_test(999).await.unwrap();
    }
}
