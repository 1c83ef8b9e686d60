//! People who sign up and log in, for the tests.

use serde_json::{Value, json};

use crate::client::{Answer, Browser};
use crate::club::Club;

pub(crate) const PASSWORD: &str = "lucky rook lift";

impl Club {
    /// A browser in which somebody has just signed up.
    pub(crate) async fn player(&self, name: &str) -> Browser {
        let mut browser = self.browser();
        let answer = browser.sign_up(name, json!({})).await;
        assert_eq!(answer.expect(201), json!({"state": "active"}));
        browser
    }
}

impl Browser {
    /// Signs up with the usual password; `more` adds to the form or replaces parts of it.
    pub(crate) async fn sign_up(&mut self, name: &str, more: Value) -> Answer {
        let mut form = json!({"name": name, "password": PASSWORD});
        let (form_fields, more) = (form.as_object_mut().unwrap(), more.as_object().unwrap());
        form_fields.extend(more.clone());
        self.post("/api/v1/sign-up", form).await
    }

    pub(crate) async fn log_in(&mut self, name: &str, password: &str) -> Answer {
        let form = json!({"name_or_email": name, "password": password});
        self.post("/api/v1/log-in", form).await
    }

    /// The name of the account this browser is logged in with, or of its guest.
    pub(crate) async fn name(&mut self) -> Value {
        self.get("/api/v1/me").await.expect(200)["account"]["name"].clone()
    }
}

impl Answer {
    /// The problems of a form as pairs of field and code.
    pub(crate) fn expect_fields(self, expected: &[(&str, &str)]) {
        let problem = self.expect(422);
        assert_eq!(problem["code"], "invalid_fields", "{problem}");
        let fields: Vec<(&str, &str)> = problem["fields"]
            .as_array()
            .unwrap()
            .iter()
            .map(|field| (field["field"].as_str().unwrap(), field["code"].as_str().unwrap()))
            .collect();
        assert_eq!(fields, expected, "{problem}");
    }
}
