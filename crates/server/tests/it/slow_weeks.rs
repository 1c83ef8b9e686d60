//! Weeks of a whole club under simulated time: games of days with leave, banks, free weekends, conditional moves,
//! takebacks, adjournments, clocks set by an arbiter, a calendar that jumps, stops in good order and crashes at any
//! moment. Beside it an arbiter keeps a ledger, minute by minute and without any formula.
//!
//! How many games: `ROOKERY_SLOW_GAMES`, a few hundred by default, thousands in `scripts/chaos`. How the dice fall:
//! `ROOKERY_SLOW_SEED`.

use std::collections::HashMap;

use rules::{ByColor, Color, Event, Outcome, WinReason};
use serde_json::{Value, json};
use server::config::{Limits, Settings};
use server::world::Chance;

use crate::client::Browser;
use crate::club::{Club, settings};
use crate::correspondence::has_sign_of_life;

const MINUTE: i64 = 60_000;
const HOUR: i64 = 60;
const DAY: i64 = 24 * HOUR;
const WEEKS: i64 = 5;
/// Games that somebody has, roughly.
const GAMES_EACH: usize = 40;

fn number(name: &str, usual: u64) -> u64 {
    std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(usual)
}

/// Pawns of both sides, one square at a time: every move is legal and no position comes twice.
fn script(ply: usize) -> Option<String> {
    let (number, is_white) = (ply / 2, ply.is_multiple_of(2));
    let file = char::from(b'a' + u8::try_from(number % 8).ok()?);
    let (from, to) = match (number / 8, is_white) {
        (0, true) => (2, 3),
        (1, true) => (3, 4),
        (0, false) => (7, 6),
        (1, false) => (6, 5),
        _ => return None,
    };
    Some(format!("{file}{from}{file}{to}"))
}

/// The terms of a game, in minutes.
#[derive(Debug, Clone, Copy)]
struct Terms {
    per_move: i64,
    /// What a bank holds at the start and at most.
    bank: Option<(i64, i64)>,
    leave: i64,
    weekends_free: bool,
    variant: &'static str,
}

/// The usual position is one of the many of Chess960: what is played is the same, and the rules are not.
const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

impl Terms {
    fn draw(dice: &mut Dice) -> Terms {
        let bank = dice.one_in(3).then(|| {
            let start = (2 + dice.below(6)) * DAY;
            (start, start + dice.below(4) * DAY)
        });
        let per_move = if bank.is_some() { DAY / 2 } else { (1 + dice.below(6)) * DAY };
        let leave = if dice.one_in(3) { 0 } else { dice.below(8) * DAY };
        let weekends_free = dice.one_in(2);
        let variant = if dice.one_in(4) { "chess960" } else { "standard" };
        Terms { per_move, bank, leave, weekends_free, variant }
    }

    fn to_json(self) -> Value {
        json!({"kind": "days", "per_move_ms": self.per_move * MINUTE,
            "bank_ms": self.bank.map(|(start, _)| start * MINUTE),
            "cap_ms": self.bank.map(|(_, cap)| cap * MINUTE),
            "leave_days": self.leave / DAY, "weekends_free": self.weekends_free})
    }
}

/// One side of the ledger, in minutes.
#[derive(Debug, Clone, Copy)]
struct Side {
    given: i64,
    used: i64,
    leave_left: i64,
    is_away: bool,
    /// Whether the server was told that they went and not that they came back.
    went: bool,
    /// The ply whose answer is prepared.
    planned: Option<usize>,
}

/// How a game ended, by the ledger.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum End {
    /// The flag of this side fell at this minute.
    Flag(Color, i64),
    /// It would have fallen while the calendar was in doubt, and fell when that was over: not before this minute, and
    /// not after that one.
    FlagAfterDoubt(Color, i64, i64),
    /// Somebody resigned.
    Resigned,
}

/// What the arbiter notes about one game.
struct Ledger {
    id: String,
    terms: Terms,
    players: ByColor<usize>,
    sides: ByColor<Side>,
    ply: usize,
    end: Option<End>,
    is_adjourned: bool,
    /// At which ply each side last asked to stop or to go on.
    asked_at: ByColor<Option<usize>>,
    /// What each side would have had before its first move, and the mover after each ply: where a takeback goes.
    first: ByColor<i64>,
    lefts: Vec<i64>,
    /// Whether the flag has nothing to wait for but the calendar.
    is_due: bool,
    /// The minutes charged since something was last written about the turn: what a crash can give back.
    charged: Vec<i64>,
}

impl Ledger {
    fn new(id: String, terms: Terms, players: ByColor<usize>) -> Ledger {
        let given = terms.bank.map_or(terms.per_move, |(start, _)| start);
        let side = Side {
            given,
            used: 0,
            leave_left: terms.leave,
            is_away: false,
            went: false,
            planned: None,
        };
        Ledger {
            id,
            terms,
            players,
            sides: ByColor::same(side),
            ply: 0,
            end: None,
            is_adjourned: false,
            asked_at: ByColor::same(None),
            first: ByColor::same(given),
            lefts: Vec::new(),
            is_due: false,
            charged: Vec::new(),
        }
    }

    /// Minutes until the flag falls, if nothing stops the clock.
    fn left_to_move(&self) -> i64 {
        let side = &self.sides[self.to_move()];
        side.given - side.used
    }

    /// A minute in which no flag falls, for the calendar is in doubt.
    fn pass_in_doubt(&mut self, minute: i64) {
        if self.is_due || self.end.is_some() {
            return;
        }
        self.pass(minute, true);
        if let Some(End::Flag(..)) = self.end {
            (self.end, self.is_due) = (None, true);
        }
    }

    fn to_move(&self) -> Color {
        if self.ply.is_multiple_of(2) { Color::White } else { Color::Black }
    }

    /// A minute passes. Whether it is charged: not at a weekend, not on leave, not without a server, not while the game
    /// is stopped.
    fn pass(&mut self, minute: i64, server_is_there: bool) {
        if self.end.is_some() {
            return;
        }
        let mover = self.to_move();
        // The first of January 1970 was a Thursday.
        let weekday = (minute / DAY + 3) % 7;
        let is_free = self.terms.weekends_free && weekday >= 5;
        let runs = server_is_there && !self.is_adjourned;
        if runs && !is_free && !self.sides[mover].is_away {
            self.sides[mover].used += 1;
            self.charged.push(minute);
        }
        for side in Color::ALL {
            let side = &mut self.sides[side];
            if side.is_away {
                side.leave_left -= 1;
                side.is_away = side.leave_left > 0;
            }
        }
        if self.sides[mover].used == self.sides[mover].given {
            self.end = Some(End::Flag(mover, minute + 1));
        }
    }

    /// The side to move has moved, and perhaps the other has answered at once.
    fn moved(&mut self) {
        let mover = self.to_move();
        let side = &mut self.sides[mover];
        match self.terms.bank {
            None => (side.given, side.used) = (self.terms.per_move, 0),
            // What the bank cannot hold was not given.
            Some((_, cap)) => {
                side.given = (side.given + self.terms.per_move)
                    .min(cap.max(side.given - side.used) + side.used);
            }
        }
        self.lefts.push(side.given - side.used);
        self.charged.clear();
        self.ply += 1;
        if self.sides[mover.other()].planned == Some(self.ply) {
            self.moved();
        }
    }

    /// The side to move takes its last move back with the answer to it, the other its last move alone.
    fn took_back(&mut self, asker: Color) {
        let back = if asker == self.to_move() { 2 } else { 1 };
        self.ply -= back;
        self.lefts.truncate(self.ply);
        self.charged.clear();
        self.asked_at = ByColor::same(None);
        for side in Color::ALL {
            let last =
                (0..self.ply).rev().find(|ply| ply.is_multiple_of(2) == (side == Color::White));
            self.sides[side].given = last.map_or(self.first[side], |ply| self.lefts[ply]);
            self.sides[side].used = 0;
        }
        // Moves that were planned ahead are forgotten: they were made for what is no longer so.
        for side in Color::ALL {
            self.sides[side].planned = None;
        }
    }

    /// An arbiter gave a side more time: it has had it all along.
    fn gave(&mut self, side: Color, minutes: i64) {
        self.sides[side].given += minutes;
        self.first[side] += minutes;
        let first = usize::from(side == Color::Black);
        self.lefts.iter_mut().skip(first).step_by(2).for_each(|left| *left += minutes);
        self.charged.clear();
    }

    /// The server cannot know that it was there since this minute: nobody pays for it.
    fn give_back_since(&mut self, minute: i64) {
        if self.end.is_none() {
            let mover = self.to_move();
            let given_back = self.charged.iter().filter(|charged| **charged >= minute).count();
            self.sides[mover].used -= i64::try_from(given_back).unwrap();
        }
        self.charged.clear();
    }

    /// How the server has to show it to one of its players.
    fn compare(&self, shown: &Value, at: i64) {
        let left = |side: Color| (self.sides[side].given - self.sides[side].used) * MINUTE;
        let what = format!("game {} at minute {at}: {:?} {:?}", self.id, self.terms, self.sides);
        assert_eq!(shown["ply"].as_u64(), u64::try_from(self.ply).ok(), "{what}");
        assert_eq!(shown["clocks"]["white_ms"], left(Color::White), "{what}");
        assert_eq!(shown["clocks"]["black_ms"], left(Color::Black), "{what}");
        assert_eq!(shown["is_adjourned"], self.is_adjourned, "{what}");
        let you = if shown["you"] == "white" { Color::White } else { Color::Black };
        assert_eq!(shown["leave"]["left_ms"], self.sides[you].leave_left * MINUTE, "{what}");
        assert_eq!(shown["leave"]["since"].is_null(), !self.sides[you].is_away, "{what}");
    }
}

/// The test's own dice.
struct Dice(Chance);

impl Dice {
    fn below(&mut self, most: i64) -> i64 {
        i64::try_from(self.0.bits() >> 1).unwrap() % most
    }

    fn one_in(&mut self, many: i64) -> bool {
        self.below(many) == 0
    }

    fn index(&mut self, length: usize) -> usize {
        usize::try_from(self.below(i64::try_from(length).unwrap())).unwrap()
    }
}

/// The club, its people, and the ledger.
struct Weeks {
    club: Club,
    people: Vec<Browser>,
    games: Vec<Ledger>,
    dice: Dice,
    /// The ledger's minute; the server's time follows it.
    minute: i64,
    answered_by_plan: usize,
    stops: usize,
    taken_back: usize,
    adjourned: usize,
    clocks_set: usize,
    jumps: usize,
    /// The latest that a flag fell after its minute, in milliseconds.
    latest: i64,
    /// Who sets clocks.
    arbiter: Browser,
}

impl Weeks {
    async fn begin(games: u64, seed: u64) -> Weeks {
        let limits = Limits { requests_per_minute: 0, ..Limits::default() };
        let club = Club::open_as(Settings { limits, ..settings() }).await;
        let arbiter = club.administrator().await.browser;
        let mut people = Vec::new();
        let count = (2 * usize::try_from(games).unwrap() / GAMES_EACH).max(10);
        for n in 0..count {
            people.push(club.player(&format!("player{n}")).await);
            // Nobody lets hundreds sign up from one address at once.
            club.time.advance(5 * MINUTE);
        }
        let minute = club.time.now().0 / MINUTE;
        let (games_begun, dice) = (Vec::new(), Dice(Chance::from_seed(seed)));
        let mut weeks = Weeks {
            club,
            people,
            games: games_begun,
            dice,
            minute,
            answered_by_plan: 0,
            stops: 0,
            taken_back: 0,
            adjourned: 0,
            clocks_set: 0,
            jumps: 0,
            latest: 0,
            arbiter,
        };
        for _ in 0..games {
            weeks.begin_game().await;
        }
        weeks
    }

    async fn begin_game(&mut self) {
        let terms = Terms::draw(&mut self.dice);
        let count = self.people.len();
        let white = self.dice.index(count);
        let black = (white + 1 + self.dice.index(count - 1)) % count;
        let mut new = json!({"kind": "direct", "asked": format!("player{black}"), "color": "white",
            "time": terms.to_json(), "rated": false, "variant": terms.variant});
        if terms.variant == "chess960" {
            new["start"] = json!(START);
        }
        let id = self.people[white].challenge(new).await;
        self.people[black].accept(&id).await.expect(200);
        self.games.push(Ledger::new(id, terms, ByColor { white, black }));
    }

    /// Brings the server's time to the ledger's.
    fn follow(&self) {
        self.club.time.advance(self.minute * MINUTE - self.club.time.now().0);
    }

    /// Lets minutes pass while the server runs. Every flag that falls on the way falls in its minute.
    async fn pass(&mut self, minutes: i64) {
        for _ in 0..minutes {
            let mut fallen = Vec::new();
            for game in self.games.iter_mut().filter(|game| game.end.is_none()) {
                game.pass(self.minute, true);
                if game.end.is_some() {
                    fallen.push(game.id.clone());
                }
            }
            self.minute += 1;
            for id in fallen {
                self.follow();
                self.until_over(&id).await;
            }
        }
        self.follow();
    }

    /// A flag falls a moment after its time.
    async fn until_over(&self, id: &str) {
        for _ in 0..5_000 {
            let view = self.club.browser().get(&format!("/api/v1/games/{id}")).await.expect(200);
            if !view["outcome"].is_null() {
                return;
            }
        }
        panic!("the flag of {id} does not fall");
    }

    /// Somebody does something in some game that runs.
    async fn act(&mut self) {
        let running: Vec<usize> =
            (0..self.games.len()).filter(|place| self.games[*place].end.is_none()).collect();
        if running.is_empty() {
            return;
        }
        let place = running[self.dice.index(running.len())];
        match self.dice.below(100) {
            0..3 => self.resign(place).await,
            3..17 => self.go_or_come(place).await,
            17..19 => self.set_clock(place).await,
            _ if self.games[place].is_adjourned => self.stop_or_go_on(place).await,
            19..22 => self.stop_or_go_on(place).await,
            22..26 => self.take_back(place).await,
            _ => self.play(place).await,
        }
    }

    async fn resign(&mut self, place: usize) {
        let game = &mut self.games[place];
        let by = game.players[game.to_move()];
        let path = format!("/api/v1/games/{}/resignation", game.id);
        self.people[by].post(&path, json!({})).await.expect(200);
        game.end = Some(End::Resigned);
    }

    /// Both agree to stop the game, or to go on with it.
    async fn stop_or_go_on(&mut self, place: usize) {
        let asker = if self.dice.one_in(2) { Color::White } else { Color::Black };
        let game = &mut self.games[place];
        let is_fresh = game.asked_at[asker].is_none_or(|asked| game.ply >= asked + 2);
        if !game.is_adjourned && !is_fresh {
            return;
        }
        let path = format!("/api/v1/games/{}/adjournment", game.id);
        for side in [asker, asker.other()] {
            self.people[game.players[side]].post(&path, json!({})).await.expect(200);
        }
        game.is_adjourned = !game.is_adjourned;
        game.asked_at[asker] = Some(game.ply);
        game.charged.clear();
        self.adjourned += 1;
    }

    async fn take_back(&mut self, place: usize) {
        let asker = if self.dice.one_in(2) { Color::White } else { Color::Black };
        let game = &mut self.games[place];
        if game.ply < 2 {
            return;
        }
        let path = format!("/api/v1/games/{}/takeback", game.id);
        self.people[game.players[asker]].post(&path, json!({})).await.expect(200);
        let other = &mut self.people[game.players[asker.other()]];
        let view = other.post(&path, json!({})).await.expect(200);
        game.took_back(asker);
        assert_eq!(view["ply"].as_u64(), u64::try_from(game.ply).ok(), "{}", game.id);
        self.taken_back += 1;
    }

    /// The arbiter gives a side some hours.
    async fn set_clock(&mut self, place: usize) {
        let (hours, is_white) = (1 + self.dice.below(12), self.dice.one_in(2));
        let (side, name) = if is_white { (Color::White, "white") } else { (Color::Black, "black") };
        let game = &mut self.games[place];
        let left = game.sides[side].given - game.sides[side].used + hours * HOUR;
        let ruling = json!({"act": "clocks", "reason": "A line was down.",
            "clocks": {"white": null, "black": null, name: left * MINUTE}});
        let path = format!("/api/v1/arbiter/games/{}/rulings", game.id);
        self.arbiter.post(&path, ruling).await.expect(200);
        game.gave(side, hours * HOUR);
        self.clocks_set += 1;
    }

    async fn go_or_come(&mut self, place: usize) {
        let side = if self.dice.one_in(2) { Color::White } else { Color::Black };
        let game = &mut self.games[place];
        let path = format!("/api/v1/games/{}/leave", game.id);
        let browser = &mut self.people[game.players[side]];
        let side = &mut game.sides[side];
        game.charged.clear();
        if side.went {
            browser.delete(&path).await.expect(200);
            (side.went, side.is_away) = (false, false);
        } else if side.leave_left > 0 {
            browser.post(&path, json!({})).await.expect(200);
            (side.went, side.is_away) = (true, true);
        } else {
            browser.post(&path, json!({})).await.expect_problem(409, "no_leave");
        }
    }

    /// The side to move moves, and perhaps prepares the answer to the next move.
    async fn play(&mut self, place: usize) {
        let plans = self.dice.one_in(4);
        let game = &mut self.games[place];
        let (mover, ply) = (game.to_move(), game.ply);
        let Some(uci) = script(ply) else { return };
        let browser = &mut self.people[game.players[mover]];
        let view = browser.make_move(&game.id, u32::try_from(ply).unwrap(), &uci).await;
        game.moved();
        self.answered_by_plan += usize::from(game.ply > ply + 1);
        assert_eq!(view["ply"].as_u64(), u64::try_from(game.ply).ok(), "{}", game.id);
        let line = (script(game.ply), script(game.ply + 1));
        if let (true, true, (Some(theirs), Some(ours))) = (plans, game.ply == ply + 1, line) {
            let path = format!("/api/v1/games/{}/conditional", game.id);
            browser.put(&path, json!({"lines": [[theirs, ours]]})).await.expect(200);
            game.sides[mover].planned = Some(game.ply + 1);
        }
    }

    /// The server stops, in good order or by a crash, and comes back later.
    async fn stop(mut self) -> Weeks {
        let (is_crash, minutes) = (self.dice.one_in(2), 1 + self.dice.below(2 * DAY));
        let is_awaited = is_crash && self.dice.one_in(2);
        if is_awaited {
            // A crash gives back what was thought since the last sign of life: here, nothing.
            while !has_sign_of_life(&self.club).await {
                self.pass(1).await;
            }
        }
        let stopped_at = self.minute;
        let last_sign = self.last_sign().await;
        assert!(!is_awaited || last_sign == stopped_at, "the sign of this minute was awaited");
        for _ in 0..minutes {
            self.games.iter_mut().for_each(|game| game.pass(self.minute, false));
            self.minute += 1;
        }
        let club = if is_crash {
            self.club.crash_and_start_after(minutes * MINUTE).await
        } else {
            self.club.drain_and_start_after(minutes * MINUTE).await
        };
        self.people.iter_mut().for_each(|person| person.move_to(club.address));
        self.arbiter.move_to(club.address);
        let mut weeks = Weeks { club, stops: self.stops + 1, ..self };
        if is_crash {
            weeks.give_back(last_sign..=stopped_at).await;
        }
        weeks
    }

    /// The minute in which the server last wrote that it is there, as it stands on the disk.
    async fn last_sign(&self) -> i64 {
        let sign = self.club.store().setting("sign_of_life").await.unwrap();
        sign.expect("it has been there").parse::<i64>().unwrap() / MINUTE
    }

    /// The machine's calendar is set apart from the time that passes, and right again later. Meanwhile no flag falls.
    async fn jump(&mut self) {
        // The guard looks every half minute: nobody's flag is so near that it might fall before.
        let is_near = |game: &Ledger| game.end.is_none() && game.left_to_move() < 10;
        if self.games.iter().any(is_near) {
            return;
        }
        let ahead = (11 + self.dice.below(DAY)) * if self.dice.one_in(2) { 1 } else { -1 };
        self.club.time.set_calendar_ahead(ahead * MINUTE);
        self.pass(2).await;
        self.let_it_look().await;
        for _ in 0..=self.dice.below(2 * DAY) {
            self.games.iter_mut().for_each(|game| game.pass_in_doubt(self.minute));
            self.minute += 1;
        }
        self.follow();
        self.let_it_look().await;
        for game in self.games.iter().filter(|game| game.is_due) {
            let view = self.club.browser().get(&format!("/api/v1/games/{}", game.id)).await;
            assert!(view.expect(200)["outcome"].is_null(), "{} ended in doubt", game.id);
        }
        let right_at = self.minute;
        self.club.time.set_calendar_ahead(0);
        let due: Vec<String> =
            self.games.iter().filter(|game| game.is_due).map(|game| game.id.clone()).collect();
        for _ in 0..3 {
            for game in self.games.iter_mut().filter(|game| !game.is_due) {
                game.pass_in_doubt(self.minute);
            }
            self.minute += 1;
            self.follow();
            self.let_it_look().await;
        }
        let late: Vec<String> =
            self.games.iter().filter(|it| it.is_due).map(|it| it.id.clone()).collect();
        for id in late {
            self.until_over(&id).await;
        }
        for game in self.games.iter_mut().filter(|game| game.is_due) {
            let loser = game.to_move();
            game.is_due = false;
            let from = if due.contains(&game.id) { right_at } else { right_at - 1 };
            game.end = Some(End::FlagAfterDoubt(loser, from, self.minute));
        }
        self.jumps += 1;
    }

    /// Nobody knows when a task of the server has its turn; after many answers it has had it.
    async fn let_it_look(&self) {
        for _ in 0..50 {
            self.club.browser().get("/healthz").await;
        }
    }

    /// After a crash the server counts from its last sign of life, which may be older than what happened since, but not
    /// older than what was on the disk: nobody is given an hour that was thought away.
    async fn give_back(&mut self, signs: std::ops::RangeInclusive<i64>) {
        let mut running = self.games.iter().filter(|it| it.end.is_none() && !it.is_adjourned);
        let Some(game) = running.next() else { return };
        let stored = self.club.store().load_game(game.id.parse().unwrap()).await.unwrap();
        let since = stored.events.iter().rev().find_map(|event| match event {
            Event::DowntimeCredited { since, .. } => Some(since.0),
            _ => None,
        });
        let since = since.expect("a crash is credited");
        assert!(since % MINUTE == 0, "signs of life are written when time has passed");
        assert!(signs.contains(&(since / MINUTE)), "credited since {}, {signs:?}", since / MINUTE);
        self.games.iter_mut().for_each(|game| game.give_back_since(since / MINUTE));
    }

    /// Compares what the server shows to everybody with the ledger.
    async fn compare(&mut self) {
        let mut shown_games = 0;
        let by_id: HashMap<&str, &Ledger> =
            self.games.iter().map(|game| (game.id.as_str(), game)).collect();
        for person in &mut self.people {
            let shown = person.get("/api/v1/me/games").await.expect(200);
            for shown in shown["games"].as_array().unwrap() {
                let id = shown["id"].as_str().unwrap();
                let game = by_id.get(id).expect("a known game");
                assert_eq!(game.end, None, "{id} is over by the ledger");
                game.compare(shown, self.minute);
                shown_games += 1;
            }
        }
        let running = self.games.iter().filter(|game| game.end.is_none()).count();
        assert_eq!(shown_games, 2 * running, "no game has ended that should run");
    }

    /// Compares the ends that are on the disk with those of the ledger.
    async fn compare_ends(&mut self) -> (usize, usize) {
        let (mut flags, mut resigned) = (0, 0);
        for game in &self.games {
            let stored = self.club.store().load_game(game.id.parse().unwrap()).await.unwrap();
            let end = stored.events.iter().find_map(|event| match event {
                Event::Ended { outcome, at } => Some((*outcome, at.0)),
                _ => None,
            });
            match (game.end, end) {
                (None, None) => {}
                (Some(End::Flag(loser, minute)), Some((outcome, at))) => {
                    let won = Outcome::Win { winner: loser.other(), by: WinReason::Time };
                    assert_eq!(outcome, won, "{}", game.id);
                    let late = at - minute * MINUTE;
                    assert!((0..=MINUTE).contains(&late), "{}: {late} ms late", game.id);
                    self.latest = self.latest.max(late);
                    flags += 1;
                }
                (Some(End::FlagAfterDoubt(loser, from, to)), Some((outcome, at))) => {
                    let won = Outcome::Win { winner: loser.other(), by: WinReason::Time };
                    assert_eq!(outcome, won, "{}", game.id);
                    let span = from * MINUTE..=to * MINUTE;
                    assert!(span.contains(&at), "{}: {at} is not in {span:?}", game.id);
                    flags += 1;
                }
                (Some(End::Resigned), Some((Outcome::Win { by: WinReason::Resign, .. }, _))) => {
                    resigned += 1;
                }
                other => panic!("game {}: {other:?}", game.id),
            }
        }
        (flags, resigned)
    }
}

#[tokio::test]
#[allow(
    clippy::print_stdout,
    reason = "whoever runs thousands of games wants to know what happened in them"
)]
async fn weeks_of_slow_games_lose_no_minute_and_no_flag() {
    let games = number("ROOKERY_SLOW_GAMES", 300);
    let seed = number("ROOKERY_SLOW_SEED", 8);
    let mut weeks = Weeks::begin(games, seed).await;
    let last = weeks.minute + WEEKS * 7 * DAY;
    let mut step = 0;
    while weeks.minute < last {
        let minutes = 30 + weeks.dice.below(570);
        weeks.pass(minutes).await;
        // Everybody looks at a game every day or two.
        for _ in 0..games.div_ceil(6) {
            weeks.act().await;
        }
        if weeks.dice.one_in(20) {
            weeks = weeks.stop().await;
        }
        if weeks.dice.one_in(25) {
            weeks.jump().await;
        }
        if step % 8 == 0 {
            weeks.compare().await;
        }
        step += 1;
    }
    weeks.compare().await;
    let (flags, resigned) = weeks.compare_ends().await;
    let (stops, plans) = (weeks.stops, weeks.answered_by_plan);
    let (back, adjourned, set) = (weeks.taken_back, weeks.adjourned, weeks.clocks_set);
    let (jumps, latest) = (weeks.jumps, weeks.latest);
    let what = format!(
        "{games} games over {WEEKS} weeks: {flags} flags, {resigned} resigned, {plans} planned \
         answers, {back} takebacks, {adjourned} times stopped or gone on, {set} clocks set, \
         {stops} stops and crashes, {jumps} jumps of the calendar, the latest flag {latest} ms late"
    );
    println!("{what}");
    assert!(flags > 0 && resigned > 0 && plans > 0 && stops > 2, "{what}");
    assert!(back > 0 && adjourned > 0 && set > 0 && jumps > 0, "{what}");
}
