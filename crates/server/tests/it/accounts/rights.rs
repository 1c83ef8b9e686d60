//! Walks every route and message as everybody there is and compares what happens with the table of rights.

use std::collections::BTreeSet;

use serde_json::{Value, json};
use server::config::{Limits, Settings};
use server::http::access::{MESSAGES, Scope, Scopes, TABLE, Who};
use store::{PlayerState, Role};

use super::people::PASSWORD;
use crate::client::{Answer, Browser};
use crate::club::{Club, settings, unlimited};

/// Codes by which the table refuses. Any other answer, also an error, came from behind it.
const REFUSALS: &[&str] = &[
    "no_account",
    "not_logged_in",
    "forbidden",
    "browser_only",
    "scope_missing",
    "must_change_password",
];

fn is_refused(answer: &Answer) -> bool {
    let problem: Value = serde_json::from_str(&answer.text).unwrap_or_default();
    matches!(answer.status, 401 | 403) && REFUSALS.iter().any(|code| problem["code"] == *code)
}

/// Whether somebody may use what is for these.
type May = fn(Who) -> bool;

/// Everybody there is, and how much they may.
struct Person {
    name: &'static str,
    browser: Browser,
    may: May,
}

async fn everybody(club: &Club) -> Vec<Person> {
    let mut guest = club.browser();
    let new = json!({"time": unlimited(), "color": "white"});
    guest.post("/api/v1/challenges", new).await.expect(201);
    let mut deactivated = club.player("Dormant").await;
    let id = deactivated.get("/api/v1/me").await.expect(200)["account"]["id"].clone();
    let id = id.as_str().unwrap().parse().unwrap();
    let now = club.time.now();
    club.store().set_player_state(id, PlayerState::Deactivated, None, now).await.unwrap();
    vec![
        Person { name: "nobody", browser: club.browser(), may: |who| who == Who::Anybody },
        Person {
            name: "guest",
            browser: guest,
            may: |who| matches!(who, Who::Anybody | Who::Account),
        },
        Person { name: "deactivated", browser: deactivated, may: |who| who == Who::Anybody },
        Person {
            name: "player",
            browser: club.player("Player1").await,
            may: |who| matches!(who, Who::Anybody | Who::Account | Who::Player),
        },
        Person {
            name: "arbiter",
            browser: club.with_role("Arbiter1", Role::Arbiter).await,
            may: |who| !matches!(who, Who::Director | Who::Administrator),
        },
        Person {
            name: "director",
            browser: club.with_role("Director1", Role::Director).await,
            may: |who| who != Who::Administrator,
        },
        Person {
            name: "administrator",
            browser: club.with_role("Administrator1", Role::Administrator).await,
            may: |_| true,
        },
    ]
}

impl Club {
    async fn with_role(&self, name: &str, role: Role) -> Browser {
        let browser = self.player(name).await;
        let id = self.store().find_player(name).await.unwrap().unwrap().id;
        self.store().grant_role(id, role, None, self.time.now()).await.unwrap();
        browser
    }

    /// A program with a key of this scope alone; its owner is the one in the browser.
    async fn program(&self, owner: &mut Browser, scope: &str) -> Browser {
        let form = json!({"name": scope, "scopes": [scope], "days": 1});
        let made = owner.post("/api/v1/account/tokens", form).await.expect(201);
        owner.with_key(made["token"].as_str().unwrap())
    }
}

async fn club() -> Club {
    let limits = Limits { requests_per_minute: 0, ..Limits::default() };
    Club::open_as(Settings { limits, ..settings() }).await
}

/// The routes as the outside sees them: those of the document and the few beside it.
fn routes() -> BTreeSet<(String, String)> {
    let document = serde_json::to_value(server::http::openapi()).unwrap();
    let mut routes = BTreeSet::new();
    for (path, methods) in document["paths"].as_object().unwrap() {
        for method in methods.as_object().unwrap().keys() {
            routes.insert((method.to_uppercase(), path.clone()));
        }
    }
    for path in ["/healthz", "/readyz", "/metrics", "/ws", "/api/v1/openapi.json"] {
        routes.insert(("GET".to_owned(), path.to_owned()));
    }
    routes
}

#[test]
fn every_route_has_its_line_in_the_table_and_every_line_its_route() {
    let table: BTreeSet<_> =
        TABLE.iter().map(|(method, path, ..)| (method.to_string(), (*path).to_owned())).collect();
    assert_eq!(routes(), table);
    assert_eq!(table.len(), TABLE.len(), "no route has two rules");
}

#[tokio::test]
async fn every_route_lets_in_whom_the_table_says_and_nobody_else() {
    let club = club().await;
    let mut people = everybody(&club).await;
    // What everybody may do comes last: it may make a guest of somebody who was nobody.
    let (for_all, for_some): (Vec<_>, Vec<_>) =
        TABLE.iter().partition(|(_, _, who, _)| *who == Who::Anybody);
    for (method, path, who, _) in for_some.into_iter().chain(for_all) {
        // An id that exists nowhere, and a body that makes no sense: who is let in gets no further.
        let url = path.replace("{id}", "AAAAAAAA").replace("{role}", "arbiter");
        for person in &mut people {
            // Which events have named a player their arbiter is not in the table; tests of events walk that way.
            if *who == Who::EventArbiter && person.name == "player" {
                continue;
            }
            let body = (method != "GET").then(|| "[]".to_owned());
            // A copy, so that logging out ends nobody's walk.
            let mut browser = person.browser.clone();
            let answer = match (*path, who) {
                ("/api/v1/log-out", _) => continue,
                _ => browser.request(method.as_str(), &url, body).await,
            };
            let is_allowed = !is_refused(&answer);
            assert_eq!(
                is_allowed,
                (person.may)(*who),
                "{} {method} {path}: {}",
                person.name,
                answer.text
            );
        }
    }
    for person in &mut people {
        person.browser.post("/api/v1/log-out", json!({})).await.expect(204);
    }
}

#[tokio::test]
async fn every_key_opens_what_its_scope_and_its_owner_s_rights_say() {
    let club = club().await;
    let mut administrator = club.with_role("Administrator1", Role::Administrator).await;
    let mut player = club.player("Player1").await;
    let owners: [(&mut Browser, May); 2] = [
        (&mut administrator, |_| true),
        (&mut player, |who| matches!(who, Who::Anybody | Who::Account | Who::Player)),
    ];
    for (owner, may) in owners {
        for word in ["read", "play", "tournament", "admin"] {
            let mut program = club.program(owner, word).await;
            let scopes = Scopes::from_words([word]).unwrap();
            for (method, path, who, scope) in TABLE {
                if *who == Who::EventArbiter && !may(Who::Arbiter) && scopes.allow(*scope) {
                    continue;
                }
                let url = path.replace("{id}", "AAAAAAAA").replace("{role}", "arbiter");
                let body = (method != "GET").then(|| "[]".to_owned());
                let answer = program.request(method.as_str(), &url, body).await;
                let expected = may(*who) && scopes.allow(*scope) && *scope != Scope::Cookie;
                assert_eq!(
                    !is_refused(&answer),
                    expected,
                    "{word} {method} {path}: {}",
                    answer.text
                );
            }
        }
    }
}

#[tokio::test]
async fn every_message_of_the_socket_is_heard_from_whom_the_table_says() {
    let document = serde_json::to_value(server::http::openapi()).unwrap();
    let variants = document["components"]["schemas"]["ClientMsg"]["oneOf"].as_array().unwrap();
    let tags: BTreeSet<String> = variants.iter().map(|variant| tag_of(variant).unwrap()).collect();
    let table: BTreeSet<String> = MESSAGES.iter().map(|(tag, _)| (*tag).to_owned()).collect();
    assert_eq!(tags, table, "every message has its line in the table of rights");

    let club = club().await;
    for mut person in everybody(&club).await {
        for (tag, who) in MESSAGES {
            let may = (person.may)(*who);
            let answer = say(&club, &mut person.browser, tag, may && *who != Who::Anybody).await;
            let is_refused = answer["t"] == "rejected" && answer["code"] == "not_your_game";
            assert_eq!(is_refused, !may, "{} {tag}: {answer}", person.name);
        }
    }
}

/// Says something about a game, one's own or somebody else's; gives what comes back.
async fn say(club: &Club, browser: &mut Browser, tag: &str, in_own_game: bool) -> Value {
    let mut challenger = if in_own_game { browser.clone() } else { club.browser() };
    let new = json!({"time": unlimited(), "color": "white"});
    let made = challenger.post("/api/v1/challenges", new).await.expect(201);
    let game = made["id"].as_str().unwrap();
    let url = format!("/api/v1/challenges/{game}/acceptance");
    club.browser().post(&url, json!({})).await.expect(200);
    let mut socket = browser.socket().await;
    if !matches!(tag, "join" | "resume") {
        socket.join_game(game).await;
    }
    let room = if tag == "chat" { "players".to_owned() } else { format!("game:{game}") };
    let message = json!({"t": tag, "room": room, "version": 0, "game": game, "ply": 0, "uci": "e2e4",
        "claim": "win", "text": "hello", "event": "AAAAAAAA", "variant": "standard", "time": {"kind": "unlimited"}, "rated": false});
    socket.send(message).await;
    if matches!(tag, "leave" | "queue_leave" | "stop_analysis") {
        // Leaving says nothing: that the socket goes on shows that it was heard.
        socket.send(json!({"t": "join", "room": "lobby"})).await;
    }
    loop {
        let answer = socket.next().await;
        if answer["t"] != "around" || tag == "resume" {
            return answer;
        }
    }
}

fn tag_of(variant: &Value) -> Option<String> {
    let text = variant.pointer("/properties/t/const").or(variant.pointer("/properties/t/enum/0"));
    if let Some(text) = text.and_then(Value::as_str) {
        return Some(text.to_owned());
    }
    variant["allOf"].as_array()?.iter().find_map(tag_of)
}

#[tokio::test]
async fn who_has_to_choose_a_password_first_may_do_that_and_little_else() {
    let club = club().await;
    let mut child = club.player("child01").await;
    let id = club.store().find_player("child01").await.unwrap().unwrap().id;
    let password = club.accounts().hash_password("printed one-time").await.unwrap();
    let change = store::PasswordChange {
        password,
        must_change: true,
        keep: None,
        by_token: None,
        actor: None,
    };
    club.store().set_password(id, change, club.time.now()).await.unwrap();
    child.log_in("child01", "printed one-time").await.expect(200);
    let open = ["/api/v1/account", "/api/v1/account/password", "/api/v1/account/sessions"];
    for (method, path, who, _) in TABLE {
        if path.starts_with("/api/v1/log-") || *who != Who::Player {
            continue;
        }
        let url = path.replace("{id}", "AAAAAAAA");
        let body = (method != "GET").then(|| "[]".to_owned());
        let answer = child.clone().request(method.as_str(), &url, body).await;
        assert_eq!(is_refused(&answer), !open.contains(path), "{method} {path}: {}", answer.text);
    }
    let new = json!({"old_password": "printed one-time", "new_password": PASSWORD});
    child.post("/api/v1/account/password", new).await.expect(204);
    child.get("/api/v1/account/export").await.expect(200);
}
