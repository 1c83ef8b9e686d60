//! Events as directors, players and watchers meet them.

mod bots;
mod corrections;
mod crash;
mod directing;
mod files;
mod moods;
mod numbers;
mod online;
mod pace;
mod slow;
mod tables;
mod talk;
mod way_back;

use serde_json::{Value, json};
use server::config::Settings;

use crate::client::Browser;
use crate::club::{Club, settings};
use crate::staff::Person;

/// An event that somebody runs, with shorthand for what is asked of it.
pub(crate) struct Desk {
    pub(crate) browser: Browser,
    pub(crate) id: String,
}

impl Desk {
    /// A club whose administrator makes an event with these regulations.
    pub(crate) async fn open(regulations: Value) -> (Club, Desk) {
        Desk::open_as(settings(), regulations).await
    }

    /// The same in a club with other settings.
    pub(crate) async fn open_as(settings: Settings, regulations: Value) -> (Club, Desk) {
        let club = Club::open_as(settings).await;
        let Person { mut browser, .. } = club.administrator().await;
        let form = json!({"name": "Autumn Cup", "regulations": regulations});
        let made = browser.post("/api/v1/events", form).await.expect(201);
        let id = made["id"].as_str().unwrap().to_owned();
        (club, Desk { browser, id })
    }

    pub(crate) fn path(&self, rest: &str) -> String {
        format!("/api/v1/events/{}{rest}", self.id)
    }

    pub(crate) async fn show(&mut self) -> Value {
        self.browser.get(&self.path("")).await.expect(200)
    }

    pub(crate) async fn standings(&mut self) -> Value {
        self.browser.get(&self.path("/standings")).await.expect(200)
    }

    /// Enters so many people, the strongest first.
    pub(crate) async fn enter(&mut self, count: usize) {
        let person = |n: usize| json!({"name": format!("P{n:02}, Test"), "rating": 2_000 - 10 * n});
        let people: Vec<Value> = (1..=count).map(person).collect();
        let path = self.path("/players");
        self.browser.post(&path, json!({"people": people})).await.expect(201);
    }

    pub(crate) async fn go_to(&mut self, state: &str) -> Value {
        let path = self.path("/state");
        self.browser.put(&path, json!({"state": state})).await.expect(200)
    }

    pub(crate) async fn publish(&mut self) -> Value {
        let path = self.path("/rounds");
        self.browser.post(&path, json!({})).await.expect(201)
    }

    pub(crate) async fn round(&mut self, round: u64) -> Value {
        let path = self.path(&format!("/rounds/{round}"));
        self.browser.get(&path).await.expect(200)
    }

    pub(crate) async fn result(&mut self, round: u64, board: u64, result: &str) -> Value {
        let path = self.path(&format!("/rounds/{round}/boards/{board}/result"));
        self.browser.put(&path, json!({"result": result})).await.expect(200)
    }

    /// Gives every open board of a round the same result.
    pub(crate) async fn finish(&mut self, round: u64, result: &str) {
        for board in self.round(round).await["boards"].as_array().unwrap().clone() {
            if board["result"].is_null() {
                self.result(round, board["number"].as_u64().unwrap(), result).await;
            }
        }
    }
}

/// One field of every entry of a list.
pub(crate) fn list(entries: &Value, name: &str) -> Vec<Value> {
    entries.as_array().unwrap().iter().map(|entry| entry[name].clone()).collect()
}

/// Column of the standings, from the top.
pub(crate) fn column<'a>(standings: &'a Value, name: &str) -> Vec<&'a Value> {
    standings["rows"].as_array().unwrap().iter().map(|row| &row[name]).collect()
}
