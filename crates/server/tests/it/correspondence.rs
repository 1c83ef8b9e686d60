//! Games of days: invitations, inboxes, conditional moves, notes, leave, absences of the server and a calendar that jumps.

use serde_json::{Value, json};
use server::config::Settings;

use crate::client::Browser;
use crate::club::{Club, settings};

const DAY: i64 = 86_400_000;

pub(crate) fn days(days: i64) -> Value {
    json!({"kind": "days", "per_move_ms": days * DAY, "leave_days": 10})
}

/// An invitation to a game of three days a move, with White for the one who asks.
fn invitation(asked: &str) -> Value {
    json!({"kind": "direct", "asked": asked, "time": days(3), "color": "white", "rated": true,
        "message": "A slow one?"})
}

/// Two members with a rated game of days between them.
pub(crate) async fn slow_game(club: &Club) -> (Browser, Browser, String) {
    let (mut anna, mut bert) = (club.player("anna").await, club.player("bert").await);
    let id = anna.challenge(invitation("bert")).await;
    bert.accept(&id).await.expect(200);
    (anna, bert, id)
}

impl Browser {
    pub(crate) async fn make_move(&mut self, id: &str, ply: u32, uci: &str) -> Value {
        let new = json!({"ply": ply, "uci": uci});
        self.post(&format!("/api/v1/games/{id}/moves"), new).await.expect(200)
    }

    async fn inbox(&mut self) -> Value {
        self.get("/api/v1/me/inbox").await.expect(200)
    }

    async fn desk(&mut self, id: &str) -> Value {
        self.get(&format!("/api/v1/games/{id}/desk")).await.expect(200)
    }

    async fn plan(&mut self, id: &str, lines: Value) -> crate::client::Answer {
        self.put(&format!("/api/v1/games/{id}/conditional"), json!({ "lines": lines })).await
    }
}

/// Waits until a game is over: a flag falls a moment after its time.
pub(crate) async fn outcome_of(club: &Club, id: &str) -> Value {
    for _ in 0..5_000 {
        let view = club.browser().get(&format!("/api/v1/games/{id}")).await.expect(200);
        if view["outcome"] != Value::Null {
            return view["outcome"].clone();
        }
        tokio::task::yield_now().await;
    }
    panic!("the game goes on and on");
}

#[tokio::test]
async fn an_invitation_waits_in_the_inbox_and_becomes_a_game() {
    let club = Club::open().await;
    let (mut anna, mut bert) = (club.player("anna").await, club.player("bert").await);
    let id = anna.challenge(invitation("bert")).await;
    let inbox = bert.inbox().await;
    let invited = &inbox["invitations"][0];
    assert_eq!(
        (invited["message"].as_str(), inbox["waiting"].as_u64()),
        (Some("A slow one?"), Some(1))
    );
    assert_eq!(
        invited["time"],
        json!({"kind": "days", "per_move_ms": 3 * DAY, "bank_ms": null,
        "cap_ms": null, "leave_days": 10, "weekends_free": false})
    );
    assert_eq!(anna.inbox().await["sent"][0]["id"], *id);
    let game = bert.accept(&id).await.expect(200);
    assert_eq!((&game["speed"], &game["rated"]), (&json!("correspondence"), &json!(true)));
    let mine = anna.get("/api/v1/me/games").await.expect(200);
    assert_eq!((&mine["your_move"], &mine["games"][0]["id"]), (&json!(1), &json!(id)));
    assert_eq!(mine["games"][0]["clocks"]["white_ms"], 3 * DAY);
    let his = bert.get("/api/v1/me/games").await.expect(200);
    assert_eq!(his["your_move"], 0);
}

#[tokio::test]
async fn a_declined_invitation_is_shown_to_its_sender_until_it_is_put_away() {
    let club = Club::open().await;
    let (mut anna, mut bert) = (club.player("anna").await, club.player("bert").await);
    let id = anna.challenge(invitation("bert")).await;
    bert.refuse(&id, "too_slow").await.expect(200);
    let answers = anna.inbox().await["answers"].clone();
    assert_eq!((&answers[0]["id"], &answers[0]["reason"]), (&json!(id), &json!("too_slow")));
    anna.delete(&format!("/api/v1/me/inbox/challenge:{id}")).await.expect(204);
    assert_eq!(anna.inbox().await["waiting"], 0);
    anna.delete("/api/v1/me/inbox/nonsense").await.expect_problem(404, "unknown_item");
    let long = json!({"kind": "direct", "asked": "bert", "time": days(3), "color": "white",
        "message": "x".repeat(501)});
    anna.post("/api/v1/challenges", long).await.expect_problem(422, "bad_message");
}

#[tokio::test]
async fn conditional_moves_are_made_by_the_server_and_seen_by_their_author_alone() {
    let club = Club::open().await;
    let (mut anna, mut bert, id) = slow_game(&club).await;
    anna.plan(&id, json!([["e5", "Nf3"]])).await.expect_problem(422, "your_turn");
    anna.make_move(&id, 0, "e2e4").await;
    let plan = anna.plan(&id, json!([["e7e5", "g1f3", "b8c6", "f1b5"], ["c5", "c3"]])).await;
    assert_eq!(plan.expect(200)["lines"][0][3]["san"], "Bb5");
    anna.plan(&id, json!([["e5", "Ke7"]])).await.expect_problem(422, "illegal_line");
    assert_eq!(bert.desk(&id).await["plan"]["lines"], json!([]));
    let line = bert.get(&format!("/api/v1/games/{id}/line?moves=e7e5,g1f3")).await.expect(200);
    assert_eq!((&line["to_act"], &line["moves"][1]["san"]), (&json!("black"), &json!("Nf3")));

    club.time.advance(DAY);
    let view = bert.make_move(&id, 1, "e7e5").await;
    assert_eq!((view["ply"].as_u64(), &view["moves"][2]["san"]), (Some(3), &json!("Nf3")));
    assert_eq!(view["clocks"]["white_ms"], 3 * DAY, "the answer took no time");
    let rest = anna.desk(&id).await["plan"].clone();
    assert_eq!(
        (rest["lines"].as_array().map(Vec::len), &rest["lines"][0][0]["san"]),
        (Some(1), &json!("Nc6"))
    );
    let view = bert.make_move(&id, 3, "d7d6").await;
    assert_eq!(view["ply"], 4, "he left the line");
}

#[tokio::test]
async fn a_conditional_answer_declines_no_draw() {
    let club = Club::open().await;
    let (mut anna, mut bert, id) = slow_game(&club).await;
    let draw = format!("/api/v1/games/{id}/draw");
    anna.make_move(&id, 0, "e2e4").await;
    bert.make_move(&id, 1, "e7e5").await;
    anna.make_move(&id, 2, "g1f3").await;
    anna.plan(&id, json!([["b8c6", "f1b5", "a7a6", "b5a4"]])).await.expect(200);
    bert.post(&draw, json!({})).await.expect(200);
    let view = bert.make_move(&id, 3, "b8c6").await;
    assert_eq!((&view["ply"], &view["draw_offer"]), (&json!(4), &json!("black")));
    assert_eq!(anna.desk(&id).await["plan"]["waits"], "Bb5");
    assert_eq!(anna.inbox().await["requests"][0]["ask"], "draw");
    assert_eq!(bert.desk(&id).await["plan"]["waits"], Value::Null, "nobody else knows of it");
    // It waits after a restart too, and is made when the draw is declined.
    let club = club.crash_and_start_after(60_000).await;
    anna.move_to(club.address);
    bert.move_to(club.address);
    assert_eq!(anna.desk(&id).await["plan"]["waits"], "Bb5");
    let view = anna.delete(&draw).await.expect(200);
    assert_eq!((&view["ply"], &view["moves"][4]["san"]), (&json!(5), &json!("Bb5")));
    assert_eq!(bert.make_move(&id, 5, "a7a6").await["ply"], 7, "and the line goes on");
}

#[tokio::test]
async fn a_conditional_answer_that_is_taken_back_is_not_made_again_at_once() {
    let club = Club::open().await;
    let (mut anna, mut bert, id) = slow_game(&club).await;
    anna.make_move(&id, 0, "e2e4").await;
    anna.plan(&id, json!([["e7e5", "g1f3"]])).await.expect(200);
    assert_eq!(bert.make_move(&id, 1, "e7e5").await["ply"], 3);
    let takeback = format!("/api/v1/games/{id}/takeback");
    anna.post(&takeback, json!({})).await.expect(200);
    let view = bert.post(&takeback, json!({})).await.expect(200);
    assert_eq!((&view["ply"], &view["to_act"]), (&json!(2), &json!("white")));
    anna.make_move(&id, 2, "f1c4").await;
}

#[tokio::test]
async fn a_conditional_answer_is_made_after_a_crash_too() {
    let club = Club::open().await;
    let (mut anna, mut bert, id) = slow_game(&club).await;
    anna.make_move(&id, 0, "e2e4").await;
    let (game, white) = (id.parse().unwrap(), club.account_id("anna").await);
    bert.make_move(&id, 1, "e7e5").await;
    // As if the server had stopped between the move and its answer.
    let plan = store::Conditional {
        ply: rules::Ply(1),
        lines: vec![vec!["e7e5".to_owned(), "g1f3".to_owned()]],
    };
    let now = club.time.now();
    club.store().set_conditional(game, white, &plan, now).await.unwrap();
    let club = club.crash_and_start_after(1_000).await;
    let view = club.browser().get(&format!("/api/v1/games/{id}")).await.expect(200);
    assert_eq!((view["ply"].as_u64(), &view["moves"][2]["uci"]), (Some(3), &json!("g1f3")));
}

#[tokio::test]
async fn a_conditional_answer_that_could_not_be_written_is_made_when_it_can_be() {
    let club = Club::open().await;
    let (mut anna, mut bert, id) = slow_game(&club).await;
    anna.make_move(&id, 0, "e2e4").await;
    anna.plan(&id, json!([["e7e5", "g1f3"]])).await.expect(200);
    // The storage takes the move, but not its answer.
    let refuse = "CREATE TRIGGER no_answer BEFORE INSERT ON journal WHEN NEW.body LIKE '%g1f3%'
        BEGIN SELECT RAISE(ABORT, 'no'); END";
    club.store().run_for_test(refuse.to_owned()).await.unwrap();
    assert_eq!(bert.make_move(&id, 1, "e7e5").await["ply"], 2);
    club.store().run_for_test("DROP TRIGGER no_answer".to_owned()).await.unwrap();
    club.time.advance(1_000);
    for _ in 0..5_000 {
        let view = bert.get(&format!("/api/v1/games/{id}")).await.expect(200);
        if view["ply"] == 3 {
            return;
        }
    }
    panic!("nobody made the move that was planned");
}

#[tokio::test]
async fn conditional_moves_are_forgotten_when_the_game_goes_back() {
    let club = Club::open().await;
    let (mut anna, mut bert, id) = slow_game(&club).await;
    let takeback = format!("/api/v1/games/{id}/takeback");
    anna.make_move(&id, 0, "e2e4").await;
    anna.plan(&id, json!([["e5", "Nf3"]])).await.expect(200);
    bert.make_move(&id, 1, "e7e5").await;
    anna.post(&takeback, json!({})).await.expect(200);
    let view = bert.post(&takeback, json!({})).await.expect(200);
    assert_eq!(view["ply"], 2, "the answer that was taken back is not made again");
    let club = club.crash_and_start_after(1_000).await;
    anna.move_to(club.address);
    bert.move_to(club.address);
    assert_eq!(anna.desk(&id).await["plan"]["lines"], json!([]));
    anna.make_move(&id, 2, "b1c3").await;
    anna.plan(&id, json!([["Nc6", "Nf3"]])).await.expect(200);
    anna.post(&takeback, json!({})).await.expect(200);
    bert.post(&takeback, json!({})).await.expect(200);
    anna.make_move(&id, 2, "f1c4").await;
    let view = bert.make_move(&id, 3, "b8c6").await;
    assert_eq!(view["ply"], 4, "the plan was made for another position");
}

#[tokio::test]
async fn notes_are_private_and_what_was_said_is_unread_until_the_board_is_seen() {
    let club = Club::open().await;
    let (mut anna, mut bert, id) = slow_game(&club).await;
    let note = format!("/api/v1/games/{id}/note");
    anna.put(&note, json!({"text": "The h-file!"})).await.expect(204);
    anna.put(&note, json!({"text": "x".repeat(20_001)})).await.expect_problem(422, "long_note");
    club.guest()
        .await
        .put(&note, json!({"text": "me too"}))
        .await
        .expect_problem(403, "not_your_game");
    assert_eq!(anna.desk(&id).await["note"], "The h-file!");
    assert_eq!(bert.desk(&id).await["note"], "");
    let line = json!({"room": "players", "text": "Hello"});
    bert.post(&format!("/api/v1/games/{id}/chat"), line).await.expect(200);
    let mine = anna.get("/api/v1/me/games").await.expect(200);
    assert_eq!(mine["games"][0]["unread"], 1);
    anna.desk(&id).await;
    let mine = anna.get("/api/v1/me/games").await.expect(200);
    assert_eq!(mine["games"][0]["unread"], 0);
}

#[tokio::test]
async fn leave_stops_the_own_clock_in_every_game_that_has_some() {
    let club = Club::open().await;
    let (mut anna, _bert, id) = slow_game(&club).await;
    club.time.advance(DAY);
    let taken = anna.post("/api/v1/me/leave", json!({})).await.expect(200);
    assert_eq!(taken["games"], 1);
    club.time.advance(4 * DAY);
    let mine = anna.get("/api/v1/me/games").await.expect(200);
    let game = &mine["games"][0];
    assert_eq!(
        (&game["clocks"]["white_ms"], &game["leave"]["left_ms"]),
        (&json!(2 * DAY), &json!(6 * DAY))
    );
    anna.delete(&format!("/api/v1/games/{id}/leave")).await.expect(200);
    anna.delete(&format!("/api/v1/games/{id}/leave")).await.expect_problem(409, "not_on_leave");
    club.time.advance(2 * DAY);
    assert_eq!(outcome_of(&club, &id).await["winner"], "black");
}

#[tokio::test]
async fn a_draw_that_is_offered_waits_in_the_inbox() {
    let club = Club::open().await;
    let (mut anna, mut bert, id) = slow_game(&club).await;
    anna.make_move(&id, 0, "e2e4").await;
    bert.make_move(&id, 1, "e7e5").await;
    anna.post(&format!("/api/v1/games/{id}/draw"), json!({})).await.expect(200);
    let asked = bert.inbox().await["requests"].clone();
    assert_eq!((&asked[0]["ask"], &asked[0]["by"]["name"]), (&json!("draw"), &json!("anna")));
    assert_eq!(anna.inbox().await["requests"], json!([]));
    bert.delete(&format!("/api/v1/games/{id}/draw")).await.expect(200);
    assert_eq!(bert.inbox().await["waiting"], 0);
    bert.post(&format!("/api/v1/games/{id}/takeback"), json!({})).await.expect(200);
    let asked = anna.inbox().await;
    assert_eq!((&asked["requests"][0]["ask"], &asked["waiting"]), (&json!("takeback"), &json!(1)));
}

#[tokio::test]
async fn an_invitation_that_is_withdrawn_waits_for_nobody() {
    let club = Club::open().await;
    let (mut anna, mut bert) = (club.player("anna").await, club.player("bert").await);
    let id = anna.challenge(invitation("bert")).await;
    bert.delete(&format!("/api/v1/challenges/{id}"))
        .await
        .expect_problem(409, "challenge_not_open");
    anna.delete(&format!("/api/v1/challenges/{id}")).await.expect(204);
    assert_eq!(
        (&bert.inbox().await["waiting"], &anna.inbox().await["sent"]),
        (&json!(0), &json!([]))
    );
    assert_eq!(anna.inbox().await["answers"], json!([]), "who withdraws needs no answer");
    assert_ne!(bert.accept(&id).await.status, 200);
}

#[tokio::test]
async fn engines_are_asked_about_a_game_of_days_only_where_both_have_allowed_them() {
    let club = Club::open().await;
    let (mut anna, mut bert) = (club.player("anna").await, club.player("bert").await);
    for (engines, moved, status) in [(false, "e2e4", 403), (true, "d2d4", 200)] {
        let id = anna
            .challenge(json!({"kind": "direct", "asked": "bert", "time": days(3), "color": "white",
                "engines": engines}))
            .await;
        assert_eq!(bert.accept(&id).await.expect(200)["engines"], engines, "both see it");
        let fen = anna.make_move(&id, 0, moved).await["fen"].clone();
        for player in [&mut anna, &mut bert] {
            let answer = player.post("/api/v1/analysis/position", json!({ "start": fen })).await;
            assert_eq!(answer.status, status, "{}", answer.text);
        }
    }
}

#[tokio::test]
async fn the_list_of_own_games_shows_faces_and_no_dna() {
    let club = Club::open().await;
    let (mut anna, mut bert) = (club.player("anna").await, club.player("bert").await);
    let terms = json!({"kind": "direct", "asked": "bert", "time": days(3), "color": "white",
        "variant": "gmo"});
    let id = anna.challenge(terms).await;
    bert.accept(&id).await.expect(200);
    let army = format!("/api/v1/games/{id}/army");
    anna.post(&army, json!({"preset": "classic", "kings": ["e1"]})).await.expect(200);
    bert.post(&army, json!({"preset": "classic", "kings": ["e8"]})).await.expect(200);
    let mine = anna.get("/api/v1/me/games").await.expect(200);
    let fen = mine["games"][0]["fen"].as_str().unwrap();
    assert!(fen.starts_with("faces "), "{fen}");
}

#[tokio::test]
async fn players_adjourn_and_go_on_by_agreement_and_the_clocks_stand_between() {
    let club = Club::open().await;
    let (mut anna, mut bert, id) = slow_game(&club).await;
    let path = format!("/api/v1/games/{id}/adjournment");
    club.time.advance(DAY);
    bert.post(&path, json!({})).await.expect(200);
    let asked = anna.inbox().await["requests"].clone();
    assert_eq!(
        (&asked[0]["ask"], &asked[0]["by"]["name"]),
        (&json!("adjournment"), &json!("bert"))
    );
    anna.delete(&path).await.expect(200);
    assert_eq!(anna.inbox().await["requests"], json!([]));
    bert.post(&path, json!({})).await.expect_problem(409, "already_offered");
    anna.post(&path, json!({})).await.expect(200);
    let view = bert.post(&path, json!({})).await.expect(200);
    assert_eq!((&view["paused"], &view["adjourned"]), (&json!(true), &json!(true)));

    club.time.advance(7 * DAY);
    let club = club.crash_and_start_after(DAY).await;
    anna.move_to(club.address);
    bert.move_to(club.address);
    let moves = format!("/api/v1/games/{id}/moves");
    let answer = anna.post(&moves, json!({"ply": 0, "uci": "e2e4"})).await;
    answer.expect_problem(409, "paused");
    anna.post(&path, json!({})).await.expect(200);
    assert_eq!(bert.inbox().await["requests"][0]["ask"], "resumption");
    let view = bert.post(&path, json!({})).await.expect(200);
    assert_eq!((&view["adjourned"], &view["clocks"]["white_ms"]), (&json!(false), &json!(2 * DAY)));
    anna.make_move(&id, 0, "e2e4").await;
}

#[tokio::test]
async fn an_absence_of_the_server_is_credited_and_thinking_before_it_is_not() {
    let club = Club::open().await;
    let (_, _, id) = slow_game(&club).await;
    let mut thought = DAY;
    club.time.advance(DAY);
    while !has_sign_of_life(&club).await {
        club.time.advance(60_000);
        thought += 60_000;
    }
    let club = club.crash_and_start_after(10 * DAY).await;
    let view = club.browser().get(&format!("/api/v1/games/{id}")).await.expect(200);
    assert_eq!(view["clocks"]["white_ms"], 3 * DAY - thought);
    club.time.advance(3 * DAY - thought - 1);
    let view = club.browser().get(&format!("/api/v1/games/{id}")).await.expect(200);
    assert_eq!(view["outcome"], Value::Null);
    club.time.advance(1);
    assert_eq!(outcome_of(&club, &id).await["by"], "time");
}

#[tokio::test]
async fn a_start_that_fails_leaves_the_absence_before_it_to_be_credited() {
    let club = Club::open().await;
    let (_, _, id) = slow_game(&club).await;
    let mut thought = DAY;
    club.time.advance(DAY);
    while !has_sign_of_life(&club).await {
        club.time.advance(60_000);
        thought += 60_000;
    }
    let club = club.crash_and_fail_to_start_after(10 * DAY).await.start_after(3_600_000).await;
    let view = club.browser().get(&format!("/api/v1/games/{id}")).await.expect(200);
    assert_eq!(view["clocks"]["white_ms"], 3 * DAY - thought);
    assert_eq!(view["outcome"], Value::Null);
}

/// A calendar that is set back by a hundred days between two runs, and what an administrator makes of it.
async fn check_set_back(is_crash: bool) {
    let club = Club::open().await;
    let mut boss = club.administrator().await.browser;
    let (_, _, id) = slow_game(&club).await;
    club.time.advance(DAY);
    while !has_sign_of_life(&club).await {
        club.time.advance(60_000);
    }
    let club = if is_crash {
        club.crash_and_start_after(-100 * DAY).await
    } else {
        club.drain_and_start_after(-100 * DAY).await
    };
    // Another start does not make it right.
    let club = club.crash_and_start_after(60_000).await;
    boss.move_to(club.address);
    let clock = boss.get("/api/v1/admin/clock").await.expect(200);
    assert_eq!(clock["is_frozen"], true);
    boss.post("/api/v1/admin/clock", json!({})).await.expect(200);
    let club = club.crash_and_start_after(60_000).await;
    boss.move_to(club.address);
    let clock = boss.get("/api/v1/admin/clock").await.expect(200);
    assert_eq!(clock["is_frozen"], false, "it was found right");
    club.time.advance(3 * DAY);
    assert_eq!(outcome_of(&club, &id).await["by"], "time");
}

#[tokio::test]
async fn a_calendar_that_was_set_back_between_two_starts_is_in_doubt_until_somebody_has_looked() {
    check_set_back(true).await;
    check_set_back(false).await;
}

#[tokio::test]
async fn an_absence_of_the_storage_is_credited_though_nobody_ran_into_it() {
    let club = Club::open().await;
    let (mut anna, _bert, id) = slow_game(&club).await;
    let mut thought = DAY;
    club.time.advance(DAY);
    while !has_sign_of_life(&club).await {
        club.time.advance(60_000);
        thought += 60_000;
    }
    crate::recovery::fill_the_disk(&club).await;
    until_told(&club, 503).await;
    // Longer than the clock of the side to move has, in one step and in many.
    club.time.advance(10 * DAY);
    for _ in 0..5 {
        club.time.advance(60_000);
        let view = club.browser().get(&format!("/api/v1/games/{id}")).await.expect(200);
        assert_eq!(view["outcome"], Value::Null);
    }
    crate::recovery::make_room(&club).await;
    until_told(&club, 200).await;
    let view = anna.make_move(&id, 0, "e2e4").await;
    assert_eq!(
        (&view["outcome"], &view["clocks"]["white_ms"]),
        (&Value::Null, &json!(3 * DAY)),
        "a new move has new time"
    );
    let before = club.store().load_game(id.parse().unwrap()).await.unwrap();
    let used = before.events.iter().find_map(|event| match event {
        rules::Event::DowntimeCredited { since, .. } => Some(since.0 - before.created_at.0),
        _ => None,
    });
    assert_eq!(used, Some(thought), "what was thought before stays thought");
}

/// Waits until the server has noticed how its storage is.
async fn until_told(club: &Club, status: u16) {
    for _ in 0..5_000 {
        if club.browser().get("/readyz").await.status == status {
            return;
        }
        tokio::task::yield_now().await;
    }
    panic!("the server never noticed");
}

/// Whether the server has written at this very moment that it is there; it does so every minute, in its own time.
pub(crate) async fn has_sign_of_life(club: &Club) -> bool {
    let now = Some(club.time.now().0.to_string());
    for _ in 0..50 {
        club.browser().get("/healthz").await;
        if club.store().setting("sign_of_life").await.unwrap() == now {
            return true;
        }
    }
    false
}

#[tokio::test]
async fn no_flag_falls_while_the_calendar_is_in_doubt() {
    let club = Club::open().await;
    let mut boss = club.administrator().await;
    let (_, _, id) = slow_game(&club).await;
    club.time.set_calendar_ahead(11 * 60_000);
    let clock = boss.browser.get("/api/v1/admin/clock").await.expect(200);
    assert_eq!((&clock["is_frozen"], &clock["ahead_ms"]), (&json!(true), &json!(660_000)));
    club.time.advance(30_000);
    until_frozen(&club).await;
    club.time.advance(4 * DAY);
    for _ in 0..20 {
        let view = club.browser().get(&format!("/api/v1/games/{id}")).await.expect(200);
        assert_eq!(view["outcome"], Value::Null);
    }
    let clock = boss.browser.post("/api/v1/admin/clock", json!({})).await.expect(200);
    assert_eq!(clock["is_frozen"], false);
    club.time.advance(60_000);
    assert_eq!(outcome_of(&club, &id).await["by"], "time");
}

#[tokio::test]
async fn who_acts_while_no_flag_falls_is_not_too_late() {
    let club = Club::open().await;
    let mut boss = club.administrator().await;
    let (mut anna, mut bert, id) = slow_game(&club).await;
    club.time.set_calendar_ahead(11 * 60_000);
    club.time.advance(30_000);
    until_frozen(&club).await;
    club.time.advance(4 * DAY);
    let view = anna.make_move(&id, 0, "e2e4").await;
    assert_eq!((&view["outcome"], &view["ply"]), (&Value::Null, &json!(1)));
    assert_eq!(view["clocks"]["white_ms"], 3 * DAY, "a new move has new time");
    club.time.advance(4 * DAY);
    // What is not a move is not too late either.
    let offer = format!("/api/v1/games/{id}/draw");
    bert.post(&offer, json!({})).await.expect_problem(409, "too_early");
    let view = bert.make_move(&id, 1, "e7e5").await;
    assert_eq!((&view["outcome"], &view["ply"]), (&Value::Null, &json!(2)));
    boss.browser.post("/api/v1/admin/clock", json!({})).await.expect(200);
    club.time.advance(3 * DAY + 60_000);
    assert_eq!(outcome_of(&club, &id).await["by"], "time");
}

#[tokio::test]
async fn one_mail_tells_every_administrator_that_the_calendar_has_jumped() {
    let club = Club::open().await;
    let mut boss = club.administrator().await;
    club.staff(&mut boss, "chief", "administrator").await;
    club.staff(&mut boss, "judge", "arbiter").await;
    let mail = crate::smtp::MailServer::new(server::config::MailTls::None).config();
    let club = club.restart_as(Settings { mail, ..settings() }).await;
    club.time.set_calendar_ahead(-90 * 60_000);
    club.time.advance(30_000);
    until_frozen(&club).await;
    club.time.advance(DAY);
    until_frozen(&club).await;
    let written = club.store().count_mails().await.unwrap();
    assert_eq!(written.waiting + i64::try_from(written.failed.len()).unwrap(), 1);
    // Nobody takes mail here; a day later it may have been given up already.
    let later = rules::UnixMillis(club.time.now().0 + DAY);
    let recipient = match club.store().next_due_mail(later).await.unwrap() {
        Some(waiting) => {
            assert!(waiting.mail.plain.contains("90 minutes behind"), "{}", waiting.mail.plain);
            waiting.mail.recipient
        }
        None => written.failed[0].recipient.clone(),
    };
    assert_eq!(recipient, "chief@example.org");
}

#[tokio::test]
async fn an_army_that_is_awaited_is_the_move_of_whoever_has_not_handed_it_in() {
    let club = Club::open().await;
    let (mut anna, mut bert) = (club.player("anna").await, club.player("bert").await);
    let ask = json!({"kind": "direct", "asked": "bert", "variant": "gmo", "time": days(3),
        "color": "white"});
    let id = anna.challenge(ask).await;
    bert.accept(&id).await.expect(200);
    let check = async |browser: &mut Browser, is_mine: bool| {
        let mine = browser.get("/api/v1/me/games").await.expect(200);
        assert_eq!(mine["games"][0]["is_your_move"], is_mine);
        assert_eq!(mine["your_move"], i32::from(is_mine));
    };
    check(&mut anna, true).await;
    check(&mut bert, true).await;
    let army = format!("/api/v1/games/{id}/army");
    anna.post(&army, json!({"preset": "classic", "kings": ["e1"]})).await.expect(200);
    check(&mut anna, false).await;
    check(&mut bert, true).await;
    let mut socket = bert.socket().await;
    socket.send(json!({"t": "join", "room": "me"})).await;
    let told = socket.next_of("state").await;
    assert_eq!(told["state"]["games"][0]["is_your_move"], true);
    bert.post(&army, json!({"preset": "classic", "kings": ["e8"]})).await.expect(200);
    check(&mut anna, true).await;
    check(&mut bert, false).await;
}

#[tokio::test]
async fn nobody_has_to_move_in_a_game_that_is_adjourned() {
    let club = Club::open().await;
    let (mut anna, mut bert, id) = slow_game(&club).await;
    let adjourn = format!("/api/v1/games/{id}/adjournment");
    anna.post(&adjourn, json!({})).await.expect(200);
    bert.post(&adjourn, json!({})).await.expect(200);
    let mine = anna.get("/api/v1/me/games").await.expect(200);
    assert_eq!((&mine["your_move"], &mine["games"][0]["is_adjourned"]), (&json!(0), &json!(true)));
    let mut socket = anna.socket().await;
    socket.send(json!({"t": "join", "room": "me"})).await;
    let is_told = |state: &Value| state["state"]["games"][0]["is_your_move"] == true;
    assert!(!is_told(&socket.next_of("state").await));
    anna.post(&adjourn, json!({})).await.expect(200);
    bert.post(&adjourn, json!({})).await.expect(200);
    // What was asked for is told before it.
    while !is_told(&socket.next_of("state").await) {}
}

#[tokio::test]
async fn a_repetition_is_claimed_on_the_board_or_with_the_move_one_intends() {
    let club = Club::open().await;
    let (mut anna, mut bert, id) = slow_game(&club).await;
    let dance = ["g1f3", "g8f6", "f3g1", "f6g8"];
    for (uci, ply) in dance.iter().cycle().take(7).zip(0..) {
        let mover = if ply % 2 == 0 { &mut anna } else { &mut bert };
        mover.make_move(&id, ply, uci).await;
    }
    let claim = format!("/api/v1/games/{id}/claim");
    let plain = json!({"by": "position"});
    bert.post(&claim, plain.clone()).await.expect_problem(409, "nothing_to_claim");
    let other = json!({"by": "position", "uci": "b8c6"});
    bert.post(&claim, other).await.expect_problem(409, "nothing_to_claim");
    let mut socket = bert.socket().await;
    socket.join_game(&id).await;
    socket.send(json!({"t": "claim_draw", "game": id, "uci": "f6g8"})).await;
    let ended = socket.next_change("ended").await;
    assert_eq!(ended["change"]["outcome"], json!({"kind": "draw", "by": "threefold"}));

    let again = anna.challenge(invitation("bert")).await;
    bert.accept(&again).await.expect(200);
    let mut view = Value::Null;
    for (uci, ply) in dance.iter().cycle().take(8).zip(0..) {
        let mover = if ply % 2 == 0 { &mut anna } else { &mut bert };
        view = mover.make_move(&again, ply, uci).await;
    }
    assert_eq!((&view["outcome"], &view["can_claim_draw"]), (&Value::Null, &json!(true)));
    let claim = format!("/api/v1/games/{again}/claim");
    let view = anna.post(&claim, plain).await.expect(200);
    assert_eq!(view["outcome"], json!({"kind": "draw", "by": "threefold"}));
}

/// The guard looks every half minute, in its own time.
async fn until_frozen(club: &Club) {
    for _ in 0..50 {
        club.browser().get("/healthz").await;
    }
}
