//! Running the club: members, roles, the audit log, invitations, the policy.

use serde_json::{Value, json};
use server::config::{MailTls, Settings};

use crate::accounts::people::PASSWORD;
use crate::club::{Club, settings};
use crate::smtp::MailServer;
use crate::staff::Person;

fn user(id: &str, rest: &str) -> String {
    format!("/api/v1/admin/users/{id}{rest}")
}

/// The acts in the log about somebody, newest first.
async fn acts(boss: &mut Person, subject: &str) -> Vec<String> {
    let path = format!("/api/v1/admin/audit?subject={subject}");
    let page = boss.browser.get(&path).await.expect(200);
    let lines = page["lines"].as_array().unwrap();
    lines.iter().map(|line| line["act"].as_str().unwrap().to_owned()).collect()
}

#[tokio::test]
async fn every_act_of_an_administrator_is_in_the_audit_log() {
    let server = MailServer::start(MailTls::None).await;
    let club = Club::open_as(Settings { mail: server.config(), ..settings() }).await;
    let mut boss = club.administrator().await;
    let ann = club.member("annette").await;
    let about_ann: &[(&str, &str, Value, &str)] = &[
        ("PATCH", "", json!({"name": "anneke"}), "renamed"),
        ("PATCH", "", json!({"email": "anneke@example.org"}), "email_changed"),
        ("PATCH", "", json!({"email": "anneke@example.com"}), "email_changed"),
        ("PATCH", "", json!({"group": "Class 4b"}), "group_changed"),
        ("PATCH", "", json!({"state": "deactivated"}), "state_changed"),
        ("PATCH", "", json!({"state": "active"}), "state_changed"),
        ("PUT", "/roles/arbiter", json!({}), "role_granted"),
        ("DELETE", "/roles/arbiter", json!({}), "role_revoked"),
        ("POST", "/reset-link", json!({}), "reset_link_made"),
        ("POST", "/one-time-password", json!({}), "password_changed"),
        ("DELETE", "/totp", json!({}), "second_factor_off"),
        ("DELETE", "/sessions", json!({}), "sessions_ended"),
        ("DELETE", "", json!({}), "account_deleted"),
    ];
    for (method, rest, body, act) in about_ann {
        if *act == "account_deleted" {
            // A deletion takes mails along that were not sent yet.
            server.wait_for(4).await;
        }
        let before = acts(&mut boss, &ann.id).await;
        let answer =
            boss.browser.request(method, &user(&ann.id, rest), Some(body.to_string())).await;
        assert!(answer.status < 300, "{method} {rest}: {}", answer.text);
        let after = acts(&mut boss, &ann.id).await;
        assert_eq!(after.len(), before.len() + 1, "{method} {rest}: {after:?}");
        assert_eq!(after[0], *act, "{method} {rest}");
    }
    // She was told of what touched her security: address (at the old one), password, second factor, deletion.
    let mails = server.wait_for(5).await;
    for subject in ["another address", "password was changed", "password alone", "are gone"] {
        assert!(mails.iter().any(|mail| mail.contains(subject)), "{subject}");
    }
    let policy = boss.browser.get("/api/v1/admin/policy").await.expect(200);
    let position = json!({"board": "rk6/pp6/8/8/8/8/8/8", "side": "white", "par": 9});
    let about_the_club: &[(&str, &str, Value, &str)] = &[
        ("POST", "/api/v1/admin/users/bulk", json!({"names": "Bo Li"}), "account_made"),
        ("POST", "/api/v1/admin/invites", json!({"days": 7, "uses": 1}), "invite_made"),
        ("PUT", "/api/v1/admin/policy", policy, "policy_changed"),
        ("POST", "/api/v1/admin/mail/test", json!({"to": "boss@example.org"}), "mail_tested"),
        ("POST", "/api/v1/defender/positions", position.clone(), "position_made"),
        ("PUT", "/api/v1/defender/positions/9", position, "position_changed"),
    ];
    for (method, path, body, act) in about_the_club {
        let answer = boss.browser.request(method, path, Some(body.to_string())).await;
        assert!(answer.status < 300, "{method} {path}: {}", answer.text);
        let line = newest(&mut boss).await;
        assert_eq!(
            (line["act"].as_str(), line["actor"]["id"].as_str()),
            (Some(*act), Some(boss.id.as_str()))
        );
    }
    let invites = boss.browser.get("/api/v1/admin/invites").await.expect(200);
    let path = format!("/api/v1/admin/invites/{}", invites["invites"][0]["id"].as_str().unwrap());
    boss.browser.delete(&path).await.expect(204);
    assert_eq!(newest(&mut boss).await["act"], "invite_withdrawn");
    club.time.advance(40 * 24 * 3_600_000);
    let body = json!({"days": 30, "confirm": true});
    let mut browser = club.log_in("boss", PASSWORD).await;
    browser.post("/api/v1/admin/users/remove-inactive", body).await.expect(200);
    boss.browser = browser;
    assert_eq!(newest(&mut boss).await["act"], "account_deleted");
}

async fn newest(boss: &mut Person) -> Value {
    boss.browser.get("/api/v1/admin/audit").await.expect(200)["lines"][0].clone()
}

#[tokio::test]
async fn the_last_administrator_cannot_be_lost() {
    let club = Club::open_as(settings()).await;
    let mut boss = club.administrator().await;
    let own = boss.id.clone();
    let browser = &mut boss.browser;
    let last = "last_administrator";
    browser.delete(&user(&own, "/roles/administrator")).await.expect_problem(409, last);
    browser.patch(&user(&own, ""), json!({"state": "deactivated"})).await.expect_problem(409, last);
    browser.delete(&user(&own, "")).await.expect_problem(409, last);
    let second = club.staff(&mut boss, "deputy", "administrator").await;
    boss.browser.delete(&user(&own, "/roles/administrator")).await.expect(204);
    boss.browser.get("/api/v1/admin/users").await.expect_problem(403, "forbidden");
    let mut second = second.browser;
    assert_eq!(second.get(&user(&own, "")).await.expect(200)["roles"], json!([]));
}

#[tokio::test]
async fn a_teacher_resets_pupils_and_nobody_above_and_sees_no_addresses() {
    let club = Club::open_as(settings()).await;
    let mut boss = club.administrator().await;
    let pupil = club.member("pupil").await;
    let arbiter = club.staff(&mut boss, "arbie", "arbiter").await;
    let mut teacher = club.staff(&mut boss, "teacher", "director").await;
    for (id, status) in [(&pupil.id, 200), (&arbiter.id, 403), (&boss.id, 403)] {
        for act in ["/reset-link", "/one-time-password"] {
            let answer = teacher.browser.post(&user(id, act), json!({})).await;
            assert_eq!(answer.status, status, "{act} of {id}: {}", answer.text);
        }
    }
    let page = teacher.browser.get("/api/v1/admin/users?query=pupil").await.expect(200);
    assert_eq!(
        (page["users"][0]["name"].clone(), page["users"][0]["email"].clone()),
        (json!("pupil"), Value::Null)
    );
    let page = boss.browser.get("/api/v1/admin/users?query=pupil").await.expect(200);
    assert_eq!(page["users"][0]["email"], "pupil@example.org");
    teacher
        .browser
        .patch(&user(&pupil.id, ""), json!({"name": "other"}))
        .await
        .expect_problem(403, "forbidden");
    teacher
        .browser
        .put(&user(&teacher.id.clone(), "/roles/administrator"), json!({}))
        .await
        .expect_problem(403, "forbidden");
}

#[tokio::test]
async fn a_reset_link_works_once_and_a_one_time_password_must_be_changed() {
    let club = Club::open_as(settings()).await;
    let mut boss = club.administrator().await;
    let pupil = club.member("pupil").await;
    let link = boss.browser.post(&user(&pupil.id, "/reset-link"), json!({})).await.expect(200);
    let url = link["url"].as_str().unwrap();
    assert!(url.starts_with(&format!("http://{}/reset#", club.address)), "{url}");
    let token = url.split_once('#').unwrap().1;
    let finish = json!({"token": token, "password": "another fine password"});
    club.browser().post("/api/v1/password-reset/finish", finish.clone()).await.expect(204);
    assert_ne!(club.browser().post("/api/v1/password-reset/finish", finish).await.status, 204);
    club.log_in("pupil", "another fine password").await;
    let given =
        boss.browser.post(&user(&pupil.id, "/one-time-password"), json!({})).await.expect(200);
    let password = given["password"].as_str().unwrap();
    let mut browser = club.log_in("pupil", password).await;
    let me = browser.get("/api/v1/me").await.expect(200);
    assert_eq!(me["player"]["must_change_password"], true);
    browser.get("/api/v1/account/tokens").await.expect_problem(403, "must_change_password");
}

#[tokio::test]
async fn nobody_sets_what_a_form_does_not_offer_or_reaches_what_is_not_there() {
    let club = Club::open_as(settings()).await;
    let mut boss = club.administrator().await;
    let ann = club.member("annette").await;
    let browser = &mut boss.browser;
    for extra in ["roles", "id", "password", "is_bot", "totp"] {
        let body = json!({"group": "x", extra: "administrator"});
        browser.patch(&user(&ann.id, ""), body).await.expect_problem(422, "bad_body");
    }
    browser
        .patch(&user(&ann.id, ""), json!({"name": "boss"}))
        .await
        .expect_problem(422, "invalid_fields");
    browser
        .patch(&user(&ann.id, ""), json!({"name": "a b"}))
        .await
        .expect_problem(422, "invalid_fields");
    browser
        .patch(&user(&ann.id, ""), json!({"email": "x\r\ny"}))
        .await
        .expect_problem(422, "invalid_fields");
    browser
        .patch(&user(&ann.id, ""), json!({"group": "x\ny"}))
        .await
        .expect_problem(422, "invalid_fields");
    assert_eq!(browser.get(&user(&ann.id, "")).await.expect(200)["name"], "annette");
    for rest in ["", "/roles/arbiter", "/reset-link", "/one-time-password", "/totp", "/sessions"] {
        let method = match rest {
            "" => "PATCH",
            "/roles/arbiter" => "PUT",
            "/totp" | "/sessions" => "DELETE",
            _ => "POST",
        };
        let answer = browser.request(method, &user("AAAAAAAA", rest), Some("{}".to_owned())).await;
        answer.expect_problem(404, "unknown_user");
    }
    browser.put(&user(&ann.id, "/roles/king"), json!({})).await.expect_problem(400, "unknown_role");
    browser.delete("/api/v1/admin/invites/AAAAAAAA").await.expect_problem(404, "unknown");
    browser.get("/api/v1/admin/users?state=asleep").await.expect_problem(400, "bad_state");
    browser.get("/api/v1/admin/audit?actor=me").await.expect_problem(400, "unknown_id");
}

#[tokio::test]
async fn who_is_deactivated_is_out_at_once() {
    let club = Club::open_as(settings()).await;
    let mut boss = club.administrator().await;
    let mut ann = club.member("annette").await;
    let mut socket = ann.browser.socket().await;
    boss.browser.patch(&user(&ann.id, ""), json!({"state": "deactivated"})).await.expect(200);
    assert!(socket.next_or_close().await.is_none(), "the socket closes");
    ann.browser.get("/api/v1/account").await.expect_problem(401, "not_logged_in");
    let body = json!({"name_or_email": "annette", "password": PASSWORD});
    club.browser().post("/api/v1/log-in", body).await.expect_problem(403, "deactivated");
}

#[tokio::test]
async fn a_sign_out_by_another_process_closes_sockets_within_five_seconds() {
    let club = Club::open_as(settings()).await;
    club.administrator().await;
    let mut ann = club.member("annette").await;
    let mut socket = ann.browser.socket().await;
    // The store alone, as the command line does it: the server is not told.
    let id = ann.id.parse().unwrap();
    club.store().revoke_sessions(id, None, club.time.now()).await.unwrap();
    ann.browser.get("/api/v1/account").await.expect_problem(401, "not_logged_in");
    for _ in 0..5 {
        club.time.advance(1_000);
        tokio::task::yield_now().await;
    }
    assert!(socket.next_or_close().await.is_none(), "the socket closes");
}

#[tokio::test]
async fn an_invitation_lets_as_many_in_as_it_says() {
    let club = Club::open_as(settings()).await;
    let mut boss = club.administrator().await;
    let policy = json!({"club_name": "Rook End", "sign_up": "invite", "email": "optional", "activation": "off", "chat": "presets"});
    boss.browser.put("/api/v1/admin/policy", policy).await.expect(200);
    let me = club.browser().get("/api/v1/me").await.expect(200);
    assert_eq!(
        (me["club"]["sign_up"].clone(), me["club"]["chat"].clone()),
        (json!("invite"), json!("presets"))
    );
    let made =
        boss.browser.post("/api/v1/admin/invites", json!({"days": 7, "uses": 2})).await.expect(201);
    let token = made["url"].as_str().unwrap().split_once("/sign-up#").unwrap().1.to_owned();
    let sign_up =
        |name: &str, invite: &str| json!({"name": name, "password": PASSWORD, "invite": invite});
    club.browser()
        .post("/api/v1/sign-up", sign_up("nobody1", ""))
        .await
        .expect_problem(403, "invite_required");
    for name in ["first", "second"] {
        club.browser().post("/api/v1/sign-up", sign_up(name, &token)).await.expect(201);
    }
    club.browser()
        .post("/api/v1/sign-up", sign_up("third", &token))
        .await
        .expect_problem(403, "invite_required");
    let made =
        boss.browser.post("/api/v1/admin/invites", json!({"days": 1, "uses": 2})).await.expect(201);
    let token = made["url"].as_str().unwrap().split_once('#').unwrap().1.to_owned();
    club.time.advance(24 * 3_600_000);
    club.browser()
        .post("/api/v1/sign-up", sign_up("late", &token))
        .await
        .expect_problem(403, "invite_required");
    for bad in [
        json!({"days": 0, "uses": 1}),
        json!({"days": 1, "uses": 0}),
        json!({"days": 366, "uses": 1}),
    ] {
        boss.browser.post("/api/v1/admin/invites", bad).await.expect_problem(422, "invalid_fields");
    }
}

#[tokio::test]
async fn texts_that_would_be_scripts_stay_texts() {
    let club = Club::open_as(settings()).await;
    let mut boss = club.administrator().await;
    let ann = club.member("annette").await;
    for text in [
        "<script>alert(1)</script>",
        "\"><img src=x onerror=alert(1)>",
        "javascript:alert(1)",
        "{{7*7}} ${7*7} <%= 7*7 %>",
        "'; DROP TABLE player; --",
        "\u{202e}evil",
    ] {
        let changed = boss.browser.patch(&user(&ann.id, ""), json!({"group": text})).await;
        assert_eq!(changed.header("content-type"), Some("application/json"));
        assert_eq!(changed.expect(200)["group"], text);
        let page = boss.browser.get("/api/v1/admin/users?query=annette").await.expect(200);
        assert_eq!(page["users"][0]["group"], text);
        let policy = json!({"club_name": text, "sign_up": "open", "email": "optional", "activation": "off", "chat": "all"});
        boss.browser.put("/api/v1/admin/policy", policy).await.expect(200);
        assert_eq!(club.browser().get("/api/v1/me").await.expect(200)["club"]["name"], text);
    }
}

#[tokio::test]
async fn inactive_accounts_are_first_named_and_only_then_removed() {
    let club = Club::open_as(settings()).await;
    club.administrator().await;
    club.member("sleepy").await;
    club.time.advance(100 * 24 * 3_600_000);
    club.member("fresh").await;
    let mut boss = club.log_in("boss", PASSWORD).await;
    let path = "/api/v1/admin/users/remove-inactive";
    boss.post(path, json!({"days": 29})).await.expect_problem(422, "invalid_fields");
    let found = boss.post(path, json!({"days": 90})).await.expect(200);
    assert_eq!(found, json!({"count": 1, "names": ["sleepy"]}));
    assert_eq!(
        boss.get("/api/v1/admin/users?query=sleepy").await.expect(200)["users"]
            .as_array()
            .unwrap()
            .len(),
        1
    );
    boss.post(path, json!({"days": 90, "confirm": true})).await.expect(200);
    let left = boss.get("/api/v1/admin/users").await.expect(200);
    let names: Vec<_> =
        left["users"].as_array().unwrap().iter().map(|user| user["name"].clone()).collect();
    assert_eq!(names, [json!("boss"), json!("fresh")]);
}

#[tokio::test]
async fn administrators_see_how_the_mails_are() {
    let club = Club::open_as(settings()).await;
    let mut boss = club.administrator().await;
    let state = boss.browser.get("/api/v1/admin/mail").await.expect(200);
    assert_eq!((state["configured"].clone(), state["waiting"].clone()), (json!(false), json!(0)));
    let to = json!({"to": "boss@example.org"});
    boss.browser
        .post("/api/v1/admin/mail/test", to.clone())
        .await
        .expect_problem(409, "no_mail_server");
    let mut server = MailServer::start(MailTls::None).await;
    let club = Club::open_as(Settings { mail: server.config(), ..settings() }).await;
    let mut boss = club.administrator().await;
    boss.browser.post("/api/v1/admin/mail/test", to.clone()).await.expect(204);
    assert!(server.wait_for(1).await[0].contains("To: boss@example.org"));
    let bad = json!({"to": "boss@example.org\r\nBcc: eve@example.org"});
    boss.browser.post("/api/v1/admin/mail/test", bad).await.expect_problem(422, "bad_address");
    server.stop();
    boss.browser.post("/api/v1/admin/mail/test", to).await.expect_problem(502, "mail_not_taken");
}
