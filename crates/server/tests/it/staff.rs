//! People of a club: its administrator, members with and without a role.

use serde_json::{Value, json};

use crate::accounts::people::PASSWORD;
use crate::client::{Answer, Browser};
use crate::club::Club;

/// Somebody who is logged in.
pub(crate) struct Person {
    pub(crate) browser: Browser,
    pub(crate) id: String,
}

impl Club {
    /// Sets the club up; gives its first administrator.
    pub(crate) async fn administrator(&self) -> Person {
        let mut browser = self.browser();
        let token = self.setup_token.clone().expect("a new club has a set-up link");
        let setup =
            json!({"token": token, "club_name": "Rook End", "name": "boss", "password": PASSWORD});
        let answer = browser.post("/api/v1/setup", setup).await;
        assert!(answer.status < 300, "{}", answer.text);
        person(browser).await
    }

    /// Somebody who signs up.
    pub(crate) async fn member(&self, name: &str) -> Person {
        let mut browser = self.browser();
        let email = format!("{name}@example.org");
        browser.sign_up(name, json!({"email": email})).await.expect(201);
        person(browser).await
    }

    /// Somebody who signs up and gets a role.
    pub(crate) async fn staff(&self, boss: &mut Person, name: &str, role: &str) -> Person {
        let person = self.member(name).await;
        let path = format!("/api/v1/admin/users/{}/roles/{role}", person.id);
        boss.browser.put(&path, json!({})).await.expect(204);
        person
    }

    /// A log-in by name and password in a new browser.
    pub(crate) async fn log_in(&self, name: &str, password: &str) -> Browser {
        let mut browser = self.browser();
        browser.log_in(name, password).await.expect(200);
        browser
    }
}

async fn person(mut browser: Browser) -> Person {
    let me = browser.get("/api/v1/me").await.expect(200);
    let id = me["account"]["id"].as_str().expect("an account").to_owned();
    Person { browser, id }
}

impl Browser {
    pub(crate) async fn put(&mut self, path: &str, body: Value) -> Answer {
        self.request("PUT", path, Some(body.to_string())).await
    }

    pub(crate) async fn patch(&mut self, path: &str, body: Value) -> Answer {
        self.request("PATCH", path, Some(body.to_string())).await
    }

    /// A program with this key: no cookie.
    pub(crate) fn with_key(&self, key: &str) -> Browser {
        let mut program = self.without_cookie();
        program.extra_headers = vec![("Authorization".to_owned(), format!("Bearer {key}"))];
        program
    }
}
