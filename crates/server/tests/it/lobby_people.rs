//! People in the lobby, for the tests: players with a rating, and waiting until somebody has really gone.

use serde_json::{Value, json};
use store::AccountId;

use crate::client::{Browser, Socket};
use crate::club::Club;

impl Club {
    /// Somebody who has just signed up, with a rating at blitz.
    pub(crate) async fn rated_player(&self, name: &str, rating: f64) -> Browser {
        let browser = self.player(name).await;
        let id = self.account_id(name).await;
        self.store().set_rating_for_test(id, "standard/blitz", rating).await.unwrap();
        browser
    }

    /// The account of a player by name.
    pub(crate) async fn account_id(&self, name: &str) -> AccountId {
        self.store().find_player(name).await.unwrap().expect("somebody of this name").id
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
