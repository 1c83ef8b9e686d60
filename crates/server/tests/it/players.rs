use base64::Engine as _;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use rules::UnixMillis;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use store::{AccountId, NewPlayer, NewSession, PlayerState, PoolStanding, TokenHash};

use crate::client::Browser;
use crate::club::{Club, blitz, unlimited};

const FOOLS_MATE: [&str; 4] = ["f2f3", "e7e5", "g2g4", "d8h4"];
const BLITZ: &str = "standard/blitz";

/// Somebody who signed up, at a browser of their own.
async fn player(club: &Club, n: u8, name: &str) -> (AccountId, Browser) {
    let (token, id) = ([n; 32], AccountId::from_bits(n.into()));
    let (now, hash) = (club.time.now(), TokenHash(Sha256::digest(token).into()));
    let expires = UnixMillis(now.0 + 86_400_000);
    // Not by the form: some of these names it would not take.
    let player = NewPlayer {
        name: name.to_owned(),
        email: None,
        password: None,
        must_change_password: false,
        state: PlayerState::Active,
        is_bot: false,
        group_name: None,
        initial_rating: 1_500,
        preferences: "{}".to_owned(),
    };
    club.store().create_player(id, player, None, now).await.unwrap();
    let (device, address) = (String::new(), String::new());
    let session = NewSession { token: hash, device, address, expires_at: expires, replaces: None };
    club.store().start_session(id, session, now).await.unwrap();
    let mut browser = club.browser();
    let cookie = format!("rookery_session={}", BASE64_URL_SAFE_NO_PAD.encode(token));
    browser.extra_headers.push(("Cookie".to_owned(), cookie));
    (id, browser)
}

/// A game that Black wins.
async fn play(white: &mut Browser, black: &mut Browser, time: Value) -> String {
    let asked = json!({"time": time, "color": "white"});
    let made = white.post("/api/v1/challenges", asked).await.expect(201);
    let id = made["id"].as_str().unwrap().to_owned();
    black.post(&format!("/api/v1/challenges/{id}/acceptance"), json!({})).await.expect(200);
    for (uci, ply) in FOOLS_MATE.iter().zip(0..) {
        let mover = if ply % 2 == 0 { &mut *white } else { &mut *black };
        let body = json!({"ply": ply, "uci": uci});
        mover.post(&format!("/api/v1/games/{id}/moves"), body).await.expect(200);
    }
    id
}

async fn give_standing(club: &Club, who: AccountId, pool: &str, rating: f64, deviation: f64) {
    let standing = PoolStanding {
        pool: pool.to_owned(),
        rating,
        deviation,
        volatility: 0.06,
        peak: rating + 20.4,
        games: 30,
        wins: 15,
        draws: 5,
        losses: 10,
        last_game: Some(club.time.now().0),
    };
    club.store().set_standing_for_test(who, standing).await.unwrap();
}

fn names(list: &Value) -> Vec<&str> {
    let players = list["players"].as_array().unwrap();
    players.iter().map(|p| p["player"]["name"].as_str().or(p["name"].as_str()).unwrap()).collect()
}

#[tokio::test]
async fn a_profile_tells_strength_and_results_and_nothing_private() {
    let club = Club::open().await;
    let (anna, mut white) = player(&club, 1, "Anna").await;
    let (_, mut black) = player(&club, 2, "Berta").await;
    give_standing(&club, anna, BLITZ, 1612.5, 60.0).await;
    give_standing(&club, anna, "chess960/rapid", 1500.0, 300.0).await;
    play(&mut white, &mut black, blitz()).await;
    let profile = club.browser().get("/api/v1/players/anna").await.expect(200);
    assert_eq!(
        profile["pools"][1],
        json!({"pool": BLITZ, "variant": "standard", "speed": "blitz", "rating": 1613, "deviation": 60,
            "provisional": false, "games": 30, "wins": 15, "draws": 5, "losses": 10, "peak": 1633, "rank": 1, "class": "Class B"})
    );
    assert_eq!(
        (&profile["pools"][0]["provisional"], &profile["pools"][0]["rank"]),
        (&json!(true), &json!(null))
    );
    assert_eq!(profile["totals"], json!({"wins": 0, "draws": 0, "losses": 1}));
    assert_eq!((&profile["player"]["name"], &profile["playing"]), (&json!("Anna"), &json!(null)));
    let mut told: Vec<_> = profile.as_object().unwrap().keys().map(String::as_str).collect();
    told.sort_unstable();
    assert_eq!(
        told,
        ["created_at", "muted", "online", "player", "playing", "pools", "totals"],
        "a new field is a decision: is it for everybody's eyes?"
    );
}

#[tokio::test]
async fn who_plays_is_shown_with_the_game() {
    let club = Club::open().await;
    let (_, mut anna) = player(&club, 1, "Anna").await;
    let mut guest = club.browser();
    let asked = json!({"time": unlimited(), "color": "white"});
    let made = anna.post("/api/v1/challenges", asked).await.expect(201);
    let accept = format!("/api/v1/challenges/{}/acceptance", made["id"].as_str().unwrap());
    guest.post(&accept, json!({})).await.expect(200);
    let profile = guest.get("/api/v1/players/Anna").await.expect(200);
    assert_eq!(profile["playing"], made["id"]);
}

#[tokio::test]
async fn guests_and_unknown_names_have_no_page() {
    let club = Club::open().await;
    let (_, mut guest, _) = club.game(blitz()).await;
    let me = guest.get("/api/v1/me").await.expect(200);
    let guest_name = me["account"]["name"].as_str().unwrap().replace(' ', "%20");
    for name in ["Nobody", "Former%20member", &guest_name, "%25", "a%2Fb"] {
        for path in ["", "/games", "/ratings?pool=standard/blitz", "/versus/Nobody"] {
            let answer = guest.get(&format!("/api/v1/players/{name}{path}")).await;
            answer.expect_problem(404, "unknown_player");
        }
    }
}

#[tokio::test]
async fn a_history_is_paged_filtered_and_ends() {
    let club = Club::open().await;
    let (_, mut anna) = player(&club, 1, "Anna").await;
    let (_, mut berta) = player(&club, 2, "Berta").await;
    let mut ids = Vec::new();
    for n in 0..12 {
        club.time.advance(1_000);
        let id = if n % 4 == 0 {
            play(&mut berta, &mut anna, unlimited()).await
        } else {
            play(&mut anna, &mut berta, blitz()).await
        };
        ids.insert(0, id);
    }
    let mut visitor = club.browser();
    let first = visitor.get("/api/v1/players/Anna/games").await.expect(200);
    let listed = |page: &Value| -> Vec<String> {
        let games = page["games"].as_array().unwrap();
        games.iter().map(|game| game["id"].as_str().unwrap().to_owned()).collect()
    };
    assert_eq!(listed(&first), ids[..10]);
    let next = first["next"].as_str().unwrap();
    let second =
        visitor.get(&format!("/api/v1/players/Anna/games?before={next}")).await.expect(200);
    assert_eq!((listed(&second), &second["next"]), (ids[10..].to_vec(), &json!(null)));
    for (filter, count) in [
        ("result=won", 3),
        ("result=lost", 9),
        ("result=drawn", 0),
        ("color=black", 3),
        ("color=black&result=lost", 0),
        ("opponent=berta&color=black", 3),
        ("opponent=Nobody", 0),
        ("rated=true", 0),
        ("variant=chess960", 0),
        ("variant=standard&color=black", 3),
    ] {
        let page = visitor.get(&format!("/api/v1/players/Anna/games?{filter}")).await.expect(200);
        assert_eq!(listed(&page).len(), count, "{filter}");
    }
    for (bad, code) in
        [("before=x", "bad_cursor"), ("result=x", "bad_query"), ("speed=x", "bad_query")]
    {
        let answer = visitor.get(&format!("/api/v1/players/Anna/games?{bad}")).await;
        answer.expect_problem(400, code);
    }
}

#[tokio::test]
async fn a_game_in_a_history_tells_how_it_ended_and_what_it_changed() {
    let club = Club::open().await;
    let (anna, mut white) = player(&club, 1, "Anna").await;
    let mut guest = club.browser();
    let id = play(&mut white, &mut guest, blitz()).await;
    let game = id.parse().unwrap();
    club.store().fold_game(game).await.unwrap();
    let at = club.time.now();
    let change = (1500.4, 1489.6);
    club.store().note_rating_change_for_test(game, anna, BLITZ, at, change).await.unwrap();
    let page = club.browser().get("/api/v1/players/Anna/games").await.expect(200);
    let game = &page["games"][0];
    assert_eq!(game["outcome"], json!({"kind": "win", "winner": "black", "by": "mate"}));
    assert_eq!(game["changes"], json!({"white": -10, "black": null}));
    assert_eq!(game["last"], json!(["d8", "h4"]));
    assert_eq!((&game["plies"], &game["players"]["black"]["guest"]), (&json!(4), &json!(true)));
    assert_eq!(game["opening"], "A00 Barnes Opening: Fool's Mate");
    let chart = format!("/api/v1/players/Anna/ratings?pool={BLITZ}");
    let chart = club.browser().get(&chart).await.expect(200);
    assert_eq!(chart["points"], json!([{"at": at.0, "rating": 1490}]));
}

#[tokio::test]
async fn two_players_can_be_compared_from_either_side() {
    let club = Club::open().await;
    let (_, mut anna) = player(&club, 1, "Anna").await;
    let (_, mut berta) = player(&club, 2, "Berta").await;
    play(&mut anna, &mut berta, blitz()).await;
    play(&mut anna, &mut berta, blitz()).await;
    play(&mut berta, &mut anna, blitz()).await;
    let seen = club.browser().get("/api/v1/players/berta/versus/anna").await.expect(200);
    assert_eq!((&seen["wins"], &seen["draws"], &seen["losses"]), (&json!(2), &json!(0), &json!(1)));
    assert_eq!(seen["games"].as_array().map(Vec::len), Some(3));
    let seen = club.browser().get("/api/v1/players/Anna/versus/Berta").await.expect(200);
    assert_eq!((&seen["wins"], &seen["losses"]), (&json!(1), &json!(2)));
}

#[tokio::test]
async fn a_search_finds_players_by_the_beginning_of_their_name() {
    let club = Club::open().await;
    for (n, name) in [(1, "Anna"), (2, "annabel"), (3, "Berta")] {
        player(&club, n, name).await;
    }
    let mut visitor = club.browser();
    let found = visitor.get("/api/v1/players?query=ANN").await.expect(200);
    assert_eq!(names(&found), ["Anna", "annabel"]);
    let found = visitor.get("/api/v1/players?query=a&limit=1").await.expect(200);
    assert_eq!(names(&found), ["Anna"]);
    let found = visitor.get("/api/v1/players?query=%20").await.expect(200);
    assert_eq!(names(&found), [""; 0]);
    visitor.get("/api/v1/players").await.expect_problem(400, "bad_query");
}

#[tokio::test]
async fn only_certain_ratings_are_ranked_and_rest_makes_them_uncertain() {
    let club = Club::open().await;
    for (n, name, rating, deviation) in
        [(1, "Anna", 1600.0, 50.0), (2, "Berta", 1700.0, 74.0), (3, "Clara", 1900.0, 90.0)]
    {
        let (id, _) = player(&club, n, name).await;
        give_standing(&club, id, BLITZ, rating, deviation).await;
    }
    let mut visitor = club.browser();
    let all = visitor.get("/api/v1/leaderboards").await.expect(200);
    assert_eq!(
        (&all["pools"][0]["pool"], all["pools"].as_array().map(Vec::len)),
        (&json!(BLITZ), Some(1))
    );
    assert_eq!(names(&all["pools"][0]), ["Berta", "Anna"]);
    assert_eq!(all["pools"][0]["players"][1]["rank"], 2);
    let profile = visitor.get("/api/v1/players/Clara").await.expect(200);
    assert_eq!(profile["pools"][0]["rank"], json!(null));

    club.time.advance(60 * 86_400_000);
    let later = visitor.get("/api/v1/leaderboards/standard/blitz").await.expect(200);
    assert_eq!(names(&later), ["Anna"], "who rests becomes less certain");
}

#[tokio::test]
async fn chess_comes_before_its_variants_and_the_fast_before_the_slow() {
    let club = Club::open().await;
    let (anna, _) = player(&club, 1, "Anna").await;
    for pool in ["chess960/blitz", "standard/rapid", BLITZ, "standard/bullet"] {
        give_standing(&club, anna, pool, 1600.0, 50.0).await;
    }
    let all = club.browser().get("/api/v1/leaderboards").await.expect(200);
    let pools: Vec<_> = all["pools"]
        .as_array()
        .unwrap()
        .iter()
        .map(|board| board["pool"].as_str().unwrap())
        .collect();
    assert_eq!(pools, ["standard/bullet", BLITZ, "standard/rapid", "chess960/blitz"]);
}

#[tokio::test]
async fn a_long_leaderboard_has_pages() {
    let club = Club::open().await;
    for n in 1..=60 {
        let (id, _) = player(&club, n, &format!("p{n:02}")).await;
        // Every rating twice: the order among equals must hold across pages too.
        give_standing(&club, id, BLITZ, 1500.25 + f64::from(n / 2), 50.0).await;
    }
    let mut visitor = club.browser();
    let (mut seen, mut after) = (Vec::new(), String::new());
    loop {
        let page =
            visitor.get(&format!("/api/v1/leaderboards/standard/blitz{after}")).await.expect(200);
        for line in page["players"].as_array().unwrap() {
            seen.push((line["rank"].as_u64().unwrap(), line["player"]["name"].to_string()));
        }
        let Some(next) = page["next"].as_str() else { break };
        after = format!("?after={next}");
    }
    assert!(seen.iter().map(|(rank, _)| *rank).eq(1..=60), "{seen:?}");
    seen.sort_by(|a, b| a.1.cmp(&b.1));
    seen.dedup_by(|a, b| a.1 == b.1);
    assert_eq!(seen.len(), 60);
    visitor.get("/api/v1/leaderboards/standard/slow").await.expect_problem(404, "unknown_pool");
    let empty = visitor.get("/api/v1/leaderboards/chess960/rapid").await.expect(200);
    assert_eq!((names(&empty), &empty["next"]), (vec![], &json!(null)));
}

#[tokio::test]
async fn a_player_can_be_muted_and_heard_again() {
    let club = Club::open().await;
    let (_, mut anna) = player(&club, 1, "Anna").await;
    let (_, mut berta) = player(&club, 2, "Berta").await;
    let mute = "/api/v1/players/Berta/mute";
    club.browser().request("PUT", mute, None).await.expect_problem(401, "no_account");
    berta.request("PUT", mute, None).await.expect_problem(409, "own_account");
    anna.request("PUT", mute, None).await.expect(204);
    let seen = anna.get("/api/v1/players/Berta").await.expect(200);
    assert_eq!(seen["muted"], true);
    let seen = berta.get("/api/v1/players/Anna").await.expect(200);
    assert_eq!(seen["muted"], false, "nobody learns by whom they are muted");
    anna.delete(mute).await.expect(204);
    let seen = anna.get("/api/v1/players/Berta").await.expect(200);
    assert_eq!(seen["muted"], false);
}

#[tokio::test]
async fn a_game_can_be_taken_along_as_pgn() {
    let club = Club::open().await;
    let (_, mut white) = player(&club, 1, "Anna").await;
    let (_, mut black) = player(&club, 2, "Ber\"ta").await;
    let id = play(&mut white, &mut black, blitz()).await;
    let answer = club.browser().get(&format!("/api/v1/games/{id}/pgn")).await;
    assert_eq!(answer.status, 200);
    assert!(answer.header("content-type").unwrap().starts_with("application/x-chess-pgn"));
    for line in [
        "[White \"Anna\"]",
        "[Black \"Ber\\\"ta\"]",
        "[Result \"0-1\"]",
        "[TimeControl \"180+2\"]",
        "[ECO \"A00\"]",
        "[Opening \"Barnes Opening: Fool's Mate\"]",
        "[Termination \"Normal\"]",
    ] {
        assert!(answer.text.contains(line), "{line} is missing in {}", answer.text);
    }
    let limits = rules::pgn::Limits::default();
    let items = rules::pgn::read_games(answer.text.as_bytes(), limits);
    let [rules::pgn::Item::Game(read)] = items.as_slice() else { panic!("one game: {items:?}") };
    assert!(read.error().is_none());
    let clocks: Vec<_> = read.game.line.nodes.iter().map(|node| node.notes().clock).collect();
    assert_eq!(clocks.len(), 4);
    assert!(clocks.iter().all(Option::is_some), "{clocks:?}");
    club.browser().get("/api/v1/games/abcdefgh/pgn").await.expect_problem(404, "unknown_game");
}

#[tokio::test]
async fn visitors_read_filter_and_search_the_rating_list() {
    let club = Club::open().await;
    let now = club.time.now().0;
    // Sixty members, ten points apart, the strongest first; whoever has an even number plays no more.
    for n in 1..=60_u8 {
        let (id, _) = player(&club, n, &format!("member{n:02}")).await;
        let rating = 2_205.0 - 10.0 * f64::from(n);
        let last_game = Some(now - if n % 2 == 0 { 100 * 86_400_000 } else { 0 });
        let standing = PoolStanding {
            pool: "standard/correspondence".to_owned(),
            rating,
            deviation: 60.0,
            volatility: 0.06,
            peak: rating,
            games: 12,
            wins: 6,
            draws: 4,
            losses: 2,
            last_game,
        };
        club.store().set_standing_for_test(id, standing).await.unwrap();
    }
    let mut visitor = club.browser();
    let mut ask = async |query: &str| visitor.get(&format!("/api/v1/ratings{query}")).await;
    let list = ask("").await.expect(200);
    assert_eq!(
        (&list["pool"], &list["pools"], &list["next"]),
        (&json!("standard/correspondence"), &json!(["standard/correspondence"]), &json!(50))
    );
    assert_eq!(list["classes"][0], "Senior Master");
    let first = &list["players"][0];
    assert_eq!(
        (&first["place"], &first["player"]["name"], &first["player"]["rating"], &first["class"]),
        (&json!(1), &json!("member01"), &json!(2195), &json!("Expert"))
    );
    assert_eq!(
        (&first["games"], &first["wins"], &first["draws"], &first["losses"], &first["last_game"]),
        (&json!(12), &json!(6), &json!(4), &json!(2), &json!(now))
    );
    let rest = ask("?after=50").await.expect(200);
    assert_eq!((rest["players"].as_array().map(Vec::len), &rest["next"]), (Some(10), &Value::Null));
    assert_eq!(rest["players"][0]["place"], 51);
    let last = ask("?after=10").await.expect(200);
    assert_eq!((last["players"].as_array().map(Vec::len), &last["next"]), (Some(50), &Value::Null));

    let places = |list: &Value| -> Vec<i64> {
        let players = list["players"].as_array().unwrap();
        players.iter().map(|line| line["place"].as_i64().unwrap()).collect()
    };
    let found = ask("?name=EMBER4").await.expect(200);
    assert_eq!(places(&found), (40..=49).collect::<Vec<_>>(), "the place is that among all");
    let class = ask("?class=Class%20A&active=true").await.expect(200);
    assert_eq!(places(&class), (21..=40).step_by(2).collect::<Vec<_>>());
    assert!(class["players"].as_array().unwrap().iter().all(|line| line["class"] == "Class A"));
    assert_eq!(places(&ask("?pool=gmo/rapid").await.expect(200)), [0_i64; 0]);
    assert_eq!(ask("?class=Wizard").await.status, 404);

    let profile = club.browser().get("/api/v1/players/member30").await.expect(200);
    let pool = &profile["pools"][0];
    assert_eq!((&pool["rating"], &pool["class"]), (&json!(1905), &json!("Class A")));
}
