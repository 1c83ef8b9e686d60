//! People in the lobby, for the tests: players with a rating, and waiting until somebody has really gone.

use base64::Engine as _;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};
use store::{Account, AccountId, AccountKind, TokenHash};

use crate::client::{Browser, Socket};
use crate::club::Club;

impl Club {
    /// A signed-up player's browser.
    pub(crate) async fn player(&self, name: &str) -> Browser {
        let secret: [u8; 32] = Sha256::digest(name).into();
        let token = TokenHash(Sha256::digest(secret).into());
        let id = account_id(name);
        let account = Account { id, kind: AccountKind::Player, name: name.to_owned() };
        let (now, later) = (self.time.now(), rules::UnixMillis(i64::MAX));
        self.store().create_account(account, token, now, later).await.unwrap();
        let text = BASE64_URL_SAFE_NO_PAD.encode(secret);
        self.browser().with_cookie(format!("rookery_session={text}"))
    }

    /// The same with a rating at blitz.
    pub(crate) async fn rated_player(&self, name: &str, rating: f64) -> Browser {
        let browser = self.player(name).await;
        let id = account_id(name);
        self.store().set_rating_for_test(id, "standard/blitz", rating).await.unwrap();
        browser
    }

    /// A guest's browser, with an account already.
    pub(crate) async fn guest(&self) -> Browser {
        let mut browser = self.browser();
        browser.post("/api/v1/guest", json!({})).await.expect(204);
        browser
    }

    /// Waits until the server has noticed how many are there.
    pub(crate) async fn until_online(&self, count: u64) {
        for _ in 0..5_000 {
            let online = self.browser().get("/api/v1/online").await.expect(200);
            if online["count"] == count {
                return;
            }
            tokio::task::yield_now().await;
        }
        panic!("never were {count} online");
    }
}

/// The account of a player by name.
pub(crate) fn account_id(name: &str) -> AccountId {
    let bytes: [u8; 32] = Sha256::digest(name).into();
    AccountId::from_bits(u64::from_le_bytes(std::array::from_fn(|i| bytes[i])))
}

impl Browser {
    /// Makes a challenge and gives its id.
    pub(crate) async fn challenge(&mut self, challenge: Value) -> String {
        let made = self.post("/api/v1/challenges", challenge).await.expect(201);
        made["id"].as_str().unwrap().to_owned()
    }

    pub(crate) async fn accept(&mut self, id: &str) -> crate::client::Answer {
        self.post(&format!("/api/v1/challenges/{id}/acceptance"), json!({})).await
    }

    pub(crate) async fn refuse(&mut self, id: &str, reason: &str) -> crate::client::Answer {
        self.post(&format!("/api/v1/challenges/{id}/refusal"), json!({"reason": reason})).await
    }
}

impl Socket {
    pub(crate) async fn join_queue(&mut self, time: &Value, rated: bool) -> Value {
        self.send(json!({"t": "queue_join", "time": time, "rated": rated})).await;
        self.next_of("queue").await["waiting"].clone()
    }

    /// The next state of a room that fits; others before it are passed over.
    pub(crate) async fn state_where(&mut self, kind: &str, fits: impl Fn(&Value) -> bool) -> Value {
        loop {
            let state = self.next_of("state").await["state"].clone();
            if state["kind"] == kind && fits(&state) {
                return state;
            }
        }
    }

    /// Joins a room and gives its state.
    pub(crate) async fn enter(&mut self, room: &str) -> Value {
        self.send(json!({"t": "join", "room": room})).await;
        self.next_of("state").await["state"].clone()
    }
}

/// The ids in a list.
pub(crate) fn ids(list: &Value) -> Vec<&str> {
    list.as_array().unwrap().iter().map(|one| one["id"].as_str().unwrap()).collect()
}
