use serde_json::{Value, json};
use store::PlayerState;

use super::people::PASSWORD;
use crate::client::Browser;
use crate::club::Club;

const DAY: i64 = 24 * 3_600_000;

async fn list(browser: &mut Browser) -> Vec<Value> {
    let answer = browser.get("/api/v1/account/sessions").await.expect(200);
    answer["sessions"].as_array().unwrap().clone()
}

#[tokio::test]
async fn the_list_tells_device_and_address_and_one_session_or_all_others_can_be_ended() {
    let club = Club::open().await;
    let mut home = club.player("Anna").await;
    let mut phone = club.browser();
    phone.extra_headers = vec![("User-Agent".to_owned(), "Phone/1.0".to_owned())];
    phone.log_in("Anna", PASSWORD).await.expect(200);
    let mut school = club.browser();
    school.log_in("Anna", PASSWORD).await.expect(200);

    let sessions = list(&mut home).await;
    assert_eq!(sessions.len(), 3);
    assert_eq!(sessions.iter().filter(|session| session["current"] == true).count(), 1);
    assert!(sessions.iter().all(|session| session["address"] == "127.0.0.1"));
    let of_phone = sessions.iter().find(|session| session["device"] == "Phone/1.0").unwrap();
    let id = of_phone["id"].as_str().unwrap();
    home.delete(&format!("/api/v1/account/sessions/{id}")).await.expect(204);
    assert_eq!(phone.name().await, json!(null));
    assert_eq!(school.name().await, "Anna");
    home.delete("/api/v1/account/sessions").await.expect(204);
    assert_eq!(school.name().await, json!(null));
    assert_eq!(list(&mut home).await.len(), 1);
}

#[tokio::test]
async fn nobody_can_end_somebody_else_s_session() {
    let club = Club::open().await;
    let mut anna = club.player("Anna").await;
    let mut eve = club.player("Eve1").await;
    let id = list(&mut anna).await[0]["id"].as_str().unwrap().to_owned();
    for name in [id.as_str(), "0000000000000000", "..", "%00", "x' OR '1'='1"] {
        let url = format!("/api/v1/account/sessions/{}", name.replace(' ', "%20"));
        eve.delete(&url).await.expect_problem(404, "unknown_session");
    }
    assert_eq!(anna.name().await, "Anna");
    assert!(list(&mut eve).await.iter().all(|session| session["id"] != id.as_str()));
}

#[tokio::test]
async fn a_session_slides_while_it_is_used_and_ends_when_it_is_not() {
    let club = Club::open().await;
    let mut anna = club.player("Anna").await;
    for _ in 0..3 {
        club.time.advance(29 * DAY);
        assert_eq!(anna.name().await, "Anna");
    }
    club.time.advance(30 * DAY);
    assert_eq!(anna.name().await, json!(null));
}

#[tokio::test]
async fn no_session_lives_longer_than_a_year() {
    let club = Club::open().await;
    let mut anna = club.player("Anna").await;
    for _ in 0..18 {
        club.time.advance(20 * DAY);
        assert_eq!(anna.name().await, "Anna");
    }
    club.time.advance(5 * DAY);
    assert_eq!(anna.name().await, json!(null));
}

/// Does something to Anna's account and says whether her other browser's socket is closed by it.
async fn check_closes(act: impl AsyncFnOnce(&Club, &mut Browser, &mut Browser)) {
    let club = Club::open().await;
    let mut anna = club.player("Anna").await;
    let mut other = club.browser();
    other.log_in("Anna", PASSWORD).await.expect(200);
    let mut socket = other.socket().await;
    let mut bystander = club.player("Berta").await.socket().await;
    act(&club, &mut anna, &mut other).await;
    assert_eq!(socket.next_or_close().await, None, "no message, but the end");
    bystander.send(json!({"t": "join", "room": "lobby"})).await;
    assert_eq!(bystander.next().await["t"], "state", "others hear nothing of it");
}

#[tokio::test]
async fn sockets_close_when_their_session_ends() {
    check_closes(async |_, _, other| {
        other.post("/api/v1/log-out", json!({})).await.expect(204);
    })
    .await;
    check_closes(async |_, anna, _| {
        anna.delete("/api/v1/account/sessions").await.expect(204);
    })
    .await;
    check_closes(async |_, anna, _| {
        let form = json!({"old_password": PASSWORD, "new_password": "another rook lift"});
        anna.post("/api/v1/account/password", form).await.expect(204);
    })
    .await;
    check_closes(async |_, anna, _| {
        let form = json!({"password": PASSWORD}).to_string();
        anna.request("DELETE", "/api/v1/account", Some(form)).await.expect(204);
    })
    .await;
    check_closes(async |club, _, _| {
        let id = club.store().find_player("anna").await.unwrap().unwrap().id;
        let now = club.time.now();
        let deactivated = PlayerState::Deactivated;
        club.store().set_player_state(id, deactivated, None, now).await.unwrap();
        club.accounts().sign_out_everywhere(id).await.unwrap();
    })
    .await;
}

#[tokio::test]
async fn the_socket_of_the_browser_that_changes_the_password_stays() {
    let club = Club::open().await;
    let mut anna = club.player("Anna").await;
    let mut socket = anna.socket().await;
    let form = json!({"old_password": PASSWORD, "new_password": "another rook lift"});
    anna.post("/api/v1/account/password", form).await.expect(204);
    socket.send(json!({"t": "join", "room": "lobby"})).await;
    assert_eq!(socket.next().await["t"], "state");
}
