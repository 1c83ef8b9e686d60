//! Taking back what was done, without taking back what somebody else has done since.

use serde_json::{Value, json};

use super::Desk;

impl Desk {
    async fn actions(&mut self) -> Vec<Value> {
        let path = self.path("/actions");
        self.browser.get(&path).await.expect(200)["actions"].as_array().unwrap().clone()
    }

    /// The newest action of a kind.
    async fn newest(&mut self, act: &str) -> Value {
        self.actions().await.into_iter().find(|action| action["act"] == act).unwrap()
    }

    async fn undo(&mut self, action: &Value) -> crate::client::Answer {
        let path = self.path(&format!("/actions/{}/undo", action["version"]));
        self.browser.post(&path, json!({})).await
    }

    /// Refuses to take an action back, and does not offer it.
    async fn check_stays(&mut self, action: &Value, code: &str) {
        self.undo(action)
            .await
            .expect_problem(if code == "unknown_entry" { 404 } else { 409 }, code);
        let listed = self.actions().await;
        let listed = listed.iter().find(|other| other["version"] == action["version"]).unwrap();
        assert_eq!(listed["can_undo"], false, "{listed}");
    }

    async fn enter_one(&mut self, name: &str) -> Value {
        let path = self.path("/players");
        let event = self.browser.post(&path, json!({"people": [{"name": name}]})).await.expect(201);
        event["players"].as_array().unwrap().last().unwrap()["number"].clone()
    }

    async fn describe(&mut self, change: impl FnOnce(&mut Value)) {
        let event = self.show().await;
        let mut form = json!({"name": event["name"], "regulations": event["regulations"]});
        change(&mut form);
        let path = self.path("");
        self.browser.put(&path, form).await.expect(200);
    }
}

#[tokio::test]
async fn a_number_is_given_once_so_that_nobody_is_taken_for_somebody_who_is_gone() {
    let (_club, mut desk) = Desk::open(json!({})).await;
    desk.enter(4).await;
    let gone = desk.enter_one("Gone, Test").await;
    let entered = desk.newest("entered").await;
    desk.describe(|form| form["regulations"]["forbidden"] = json!([[1, gone], [1, 2, gone]])).await;
    desk.browser.delete(&desk.path(&format!("/players/{gone}"))).await.expect(200);
    let event = desk.show().await;
    assert_eq!(event["regulations"]["forbidden"], json!([[1, 2]]), "who is gone may meet anybody");
    let newcomer = desk.enter_one("New, Test").await;
    assert_eq!((&gone, &newcomer), (&json!(5), &json!(6)));
    desk.check_stays(&entered, "unknown_entry").await;
    assert_eq!(desk.show().await["players"].as_array().unwrap().len(), 5);
    let entered = desk.newest("entered").await;
    assert_eq!(entered["can_undo"], true);
    desk.undo(&entered).await.expect(200);
    assert_eq!(desk.show().await["players"].as_array().unwrap().len(), 4);
}

#[tokio::test]
async fn what_somebody_has_changed_since_is_not_put_back() {
    let (_club, mut desk) = Desk::open(json!({"rounds": 5})).await;
    desk.enter(4).await;
    desk.describe(|form| form["name"] = json!("Winter Cup")).await;
    let renamed = desk.newest("described").await;
    desk.describe(|form| form["regulations"]["rounds"] = json!(7)).await;
    desk.check_stays(&renamed, "changed_since").await;
    let event = desk.show().await;
    assert_eq!(
        (&event["name"], &event["regulations"]["rounds"]),
        (&json!("Winter Cup"), &json!(7))
    );
    // In their order both can be taken back.
    let newest = desk.newest("described").await;
    desk.undo(&newest).await.expect(200);
    desk.undo(&renamed).await.expect(200);
    let event = desk.show().await;
    assert_eq!(
        (&event["name"], &event["regulations"]["rounds"]),
        (&json!("Autumn Cup"), &json!(5))
    );

    let path = desk.path("/players/1");
    let person =
        |club: &str, rating: u16| json!({"name": "One, Test", "club": club, "rating": rating});
    desk.browser.put(&path, person("North", 1_900)).await.expect(200);
    let edited = desk.newest("edited").await;
    desk.browser.put(&path, person("North", 1_950)).await.expect(200);
    desk.check_stays(&edited, "changed_since").await;
    assert_eq!(desk.show().await["players"][0]["rating"], 1_950);

    let path = desk.path("/players/1/byes/2");
    desk.browser.put(&path, json!({"bye": "half"})).await.expect(200);
    let bye = desk.newest("bye_set").await;
    desk.browser.put(&path, json!({"bye": "zero"})).await.expect(200);
    desk.check_stays(&bye, "changed_since").await;

    desk.go_to("registration").await;
    let opened = desk.newest("moved").await;
    desk.go_to("running").await;
    desk.check_stays(&opened, "changed_since").await;
    desk.publish().await;
    desk.browser.get(&desk.path("/rounds/1")).await.expect(200);
}
