use ratings::{Pool, Score, System};
use rules::{AbortReason, ByColor, Color, DrawReason, Event, Outcome, UnixMillis, WinReason};
use store::{
    Account, AccountId, AccountKind, GameId, NewDecision, NewGame, RatedGame, RemarkKind, Store,
    StoreError, Summary,
};

use crate::on_both;
use crate::place::{FOOLS_MATE, NOW, TestPlace, challenge, events, new_game, new_player};

fn pool() -> Pool {
    "standard/correspondence".parse().unwrap()
}

async fn members(store: &Store) -> Vec<Account> {
    let mut members = Vec::new();
    for (n, name) in [(1, "Anna"), (2, "Bela"), (3, "Cyril"), (4, "Dora")] {
        let id = AccountId::from_bits(n);
        store.create_player(id, new_player(name), None, NOW).await.unwrap();
        members.push(Account { id, kind: AccountKind::Player, name: name.to_owned() });
    }
    members
}

const WHITE: Outcome = Outcome::Win { winner: Color::White, by: WinReason::Resign };
const BLACK: Outcome = Outcome::Win { winner: Color::Black, by: WinReason::Time };
const DRAW: Outcome = Outcome::Draw { by: DrawReason::Agreement };
const ANNULLED: Outcome = Outcome::Aborted { by: AbortReason::Arbiter };

fn score(outcome: Outcome) -> Option<Score> {
    Some(match outcome {
        Outcome::Win { winner: Color::White, .. } => Score::WhiteWins,
        Outcome::Win { winner: Color::Black, .. } => Score::BlackWins,
        Outcome::Draw { .. } => Score::Draw,
        Outcome::Aborted { .. } => return None,
    })
}

/// Number of the game, White, Black, minute of its end, outcome.
type Played = (u64, usize, usize, i64, Outcome);

/// A history in which several games end in the same minute, not in the order of their names.
fn history() -> Vec<Played> {
    (0..40_u64)
        .map(|n| {
            let seed = usize::try_from(n * 7 + n / 3).unwrap();
            let (white, step) = (seed % 4, 1 + seed / 4 % 3);
            let outcome = [WHITE, DRAW, BLACK, ANNULLED, WHITE][seed % 5];
            (50 - n, white, (white + step) % 4, i64::try_from(n / 4).unwrap() * 1_440, outcome)
        })
        .collect()
}

async fn play(store: &Store, members: &[Account], history: &[Played]) {
    for &(n, white, black, minute, outcome) in history {
        let players = ByColor { white: members[white].id, black: members[black].id };
        store.create_challenge(challenge(n, members[white].clone())).await.unwrap();
        let new = NewGame {
            rated: true,
            pool: Some(pool().to_string()),
            ..new_game(n, players.white, players.black)
        };
        store.accept_challenge(new).await.unwrap();
        let at = UnixMillis(NOW.0 + minute * 60_000);
        let system = System::default();
        let rated =
            score(outcome).map(|score| RatedGame { pool: pool(), system, players, score, at });
        let mut log = events(&FOOLS_MATE);
        log.truncate(3);
        log.push(Event::Ended { outcome, at });
        let summary = summary(outcome, at, rated, None);
        store.append_events(GameId::from_bits(n), 1, &log, Some(summary)).await.unwrap();
    }
}

fn summary(
    outcome: Outcome,
    at: UnixMillis,
    rated: Option<RatedGame>,
    decision: Option<NewDecision>,
) -> Summary {
    let mut log = events(&FOOLS_MATE);
    log.truncate(3);
    let game = rules::Game::rebuild(crate::place::setup(), NOW, &log).unwrap();
    Summary {
        outcome: Some(outcome),
        position: game.position().fen(),
        ply: game.ply(),
        ended_at: Some(at),
        opening: None,
        rated: rated.map(Box::new),
        decision: decision.map(Box::new),
    }
}

/// Lets the arbiter set a result two days after everything.
async fn correct(store: &Store, arbiter: &Account, n: u64, outcome: Outcome) {
    let game = GameId::from_bits(n);
    let stored = store.load_game(game).await.unwrap();
    let at = UnixMillis(NOW.0 + 100 * 86_400_000);
    let Some(Event::Ended { outcome: before, .. }) = stored.events.last() else {
        panic!("the game is over")
    };
    let decision = NewDecision {
        arbiter: arbiter.id,
        act: "result".to_owned(),
        reason: "both players told me so".to_owned(),
        at,
        before: Some(*before),
        after: Some(outcome),
        recount: Some((pool(), System::default())),
    };
    let ended = [Event::Ended { outcome, at }];
    let version = u32::try_from(stored.events.len()).unwrap() + 1;
    let summary = summary(outcome, at, None, Some(decision));
    store.append_events(game, version, &ended, Some(summary)).await.unwrap();
}

/// Lets the arbiter have a game that is over go on.
async fn reopen(store: &Store, arbiter: &Account, n: u64) {
    let game = GameId::from_bits(n);
    let stored = store.load_game(game).await.unwrap();
    let at = UnixMillis(NOW.0 + 100 * 86_400_000);
    let decision = NewDecision {
        arbiter: arbiter.id,
        act: "reopen".to_owned(),
        reason: "nobody had resigned".to_owned(),
        at,
        before: None,
        after: None,
        recount: Some((pool(), System::default())),
    };
    let version = u32::try_from(stored.events.len()).unwrap() + 1;
    let summary =
        Summary { outcome: None, ended_at: None, ..summary(DRAW, at, None, Some(decision)) };
    let reopened = [Event::Reopened { seed: None, at }];
    store.append_events(game, version, &reopened, Some(summary)).await.unwrap();
}

/// Everything about ratings that is kept, to the last bit.
async fn numbers(store: &Store, members: &[Account]) -> Vec<String> {
    let mut all = Vec::new();
    for member in members {
        all.push(format!("{:?}", store.standing(member.id, &pool()).await.unwrap()));
        all.push(format!("{:?}", store.standings_of(member.id).await.unwrap()));
    }
    for (n, ..) in history() {
        all.push(format!("{:?}", store.rating_changes(GameId::from_bits(n)).await.unwrap()));
    }
    all
}

on_both! {
    async fn a_corrected_result_counts_as_if_it_had_always_been_so(place: TestPlace) {
        let store = place.open().await;
        let people = members(&store).await;
        play(&store, &people, &history()).await;
        for (n, outcome) in [(38, BLACK), (47, WHITE), (20, ANNULLED)] {
            correct(&store, &people[0], n, outcome).await;
        }
        let mut right = history();
        for (n, outcome) in [(38, BLACK), (47, WHITE), (20, ANNULLED)] {
            right.iter_mut().find(|game| game.0 == n).unwrap().4 = outcome;
        }
        let other_place = TestPlace::sqlite();
        let other = other_place.open().await;
        let same_people = members(&other).await;
        play(&other, &same_people, &right).await;
        assert_eq!(numbers(&store, &people).await, numbers(&other, &same_people).await);
    }

    async fn counting_the_whole_history_again_changes_no_bit(place: TestPlace) {
        let store = place.open().await;
        let people = members(&store).await;
        play(&store, &people, &history()).await;
        let before = numbers(&store, &people).await;
        let same = history().into_iter().find(|game| game.0 == 30).unwrap().4;
        correct(&store, &people[1], 30, same).await;
        assert_eq!(numbers(&store, &people).await, before);
        correct(&store, &people[1], 50, ANNULLED).await;
        assert_ne!(numbers(&store, &people).await, before, "a real correction changes some");
    }

    async fn counting_from_the_corrected_game_on_finds_what_counting_everything_finds(place: TestPlace) {
        let store = place.open().await;
        let people = members(&store).await;
        play(&store, &people, &history()).await;
        let check = async |what: &str| {
            let kept = numbers(&store, &people).await;
            store.recount_for_test(pool(), System::default(), None).await.unwrap();
            assert_eq!(numbers(&store, &people).await, kept, "{what}");
        };
        check("what was counted game by game").await;
        for (n, place) in history().iter().map(|game| game.0).zip(0_usize..) {
            let outcome = [BLACK, ANNULLED, WHITE, DRAW][place * 5 / 3 % 4];
            correct(&store, &people[0], n, outcome).await;
            check(&format!("game {n} corrected to {outcome:?}")).await;
        }
        for n in [50, 31, 11] {
            reopen(&store, &people[0], n).await;
            check(&format!("game {n} goes on")).await;
        }
    }

    async fn decisions_are_kept_with_their_reasons(place: TestPlace) {
        let store = place.open().await;
        let people = members(&store).await;
        play(&store, &people, &history()[..4]).await;
        correct(&store, &people[3], 50, DRAW).await;
        correct(&store, &people[3], 50, ANNULLED).await;
        let kept = store.decisions_about(GameId::from_bits(50)).await.unwrap();
        assert_eq!(kept.iter().map(|it| (it.number, it.after)).collect::<Vec<_>>(),
            [(1, Some(DRAW)), (2, Some(ANNULLED))]);
        assert_eq!((kept[1].before, kept[1].reason.as_str()), (Some(DRAW), "both players told me so"));
        let (_, white, black, ..) = history()[0];
        for (member, seen) in [(white, 2), (black, 2)] {
            let told = store.decisions_for(people[member].id, NOW).await.unwrap();
            assert_eq!(told.len(), seen);
        }
        store.put_away(people[white].id, "decision:2".to_owned(), NOW).await.unwrap();
        assert_eq!(store.decisions_for(people[white].id, NOW).await.unwrap().len(), 1);
        let ended = store.load_game(GameId::from_bits(50)).await.unwrap();
        assert_eq!(ended.events.len(), 6, "the log keeps the old results too");
    }

    async fn a_player_has_one_open_call_about_a_game_until_it_is_seen_to(place: TestPlace) {
        let store = place.open().await;
        let people = members(&store).await;
        play(&store, &people, &history()[..4]).await;
        let (game, anna) = (GameId::from_bits(50), people[0].id);
        let call = |text: &str| store.add_remark(game, anna, RemarkKind::Call, text.to_owned(), NOW);
        call("He took his move back.").await.unwrap();
        assert!(matches!(call("Again!").await, Err(StoreError::Conflict)));
        store.add_remark(game, people[3].id, RemarkKind::Note, "Asked both.".to_owned(), NOW).await.unwrap();
        store.add_remark(game, people[3].id, RemarkKind::Note, "No answer.".to_owned(), NOW).await.unwrap();
        let open = store.open_calls().await.unwrap();
        assert_eq!(open.iter().map(|it| (it.number, it.by.id)).collect::<Vec<_>>(), [(1, anna)]);
        store.settle_calls(game, UnixMillis(NOW.0 + 5)).await.unwrap();
        assert_eq!(store.open_calls().await.unwrap(), []);
        call("Now he did it again.").await.unwrap();
        let kept = store.remarks_about(game).await.unwrap();
        let settled: Vec<_> = kept.iter().map(|it| (it.kind, it.settled_at)).collect();
        let seen = Some(UnixMillis(NOW.0 + 5));
        let note = (RemarkKind::Note, None);
        assert_eq!(settled, [(RemarkKind::Call, seen), note, note, (RemarkKind::Call, None)]);
    }
}

/// How long the writer is held by a ruling in a pool with a long history:
/// `cargo test -p store --test it rulings_in_a_long_history -- --ignored --nocapture`, `ROOKERY_POOL_GAMES` of them.
#[tokio::test]
#[ignore = "it takes a while, and prints how long"]
#[allow(
    clippy::print_stdout,
    clippy::disallowed_methods,
    reason = "it measures, by the real clock"
)]
async fn rulings_in_a_long_history() {
    let games = std::env::var("ROOKERY_POOL_GAMES").ok().and_then(|text| text.parse().ok());
    let games: u64 = games.unwrap_or(100_000);
    let place = TestPlace::sqlite();
    let store = place.open().await;
    let mut players = Vec::new();
    for n in 1..=500 {
        let id = AccountId::from_bits(n);
        store.create_player(id, new_player(&format!("player{n}")), None, NOW).await.unwrap();
        players.push(id);
    }
    store.fill_pool_for_test(pool(), players, games).await.unwrap();
    let time = async |what: &str, from: Option<u64>| {
        if let Some(n) = from {
            store.set_outcome_for_test(GameId::from_bits(n), DRAW).await.unwrap();
        }
        let began = std::time::Instant::now();
        let from = from.map(GameId::from_bits);
        store.recount_for_test(pool(), System::default(), from).await.unwrap();
        println!("{games} games, {what}: {:.0?}", began.elapsed());
    };
    time("counted from nothing", None).await;
    time("a ruling on the last", Some(games - 1)).await;
    time("a ruling on the hundredth from the end", Some(games - 101)).await;
    time("a ruling in the middle", Some(games / 2)).await;
    time("a ruling on the first", Some(0)).await;
    time("the whole again", None).await;
}
