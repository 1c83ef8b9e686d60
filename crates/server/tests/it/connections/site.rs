//! A site on loopback that speaks the documented answers of lichess.org and chess.com, and fails where it is told to.

use std::collections::{BTreeMap, VecDeque};
use std::net::SocketAddr;
use std::sync::Arc;

use parking_lot::Mutex;
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};

/// How the site answers the next question for games.
#[derive(Clone)]
pub(crate) enum Mood {
    /// This status, and this head beside it.
    Refuses(u16, &'static str),
    /// So many lines, then half of one, then nothing: the line is cut.
    BreaksOff(usize),
    /// So many lines, then half of one with its end, then the rest.
    HalfALine(usize),
    /// So many lines, then a byte now and then.
    Drips(usize),
    /// So many lines, and then nothing for ever.
    Hangs(usize),
    /// To this place.
    Redirects(String),
    /// A body without end that holds this again and again.
    Endless(&'static str, &'static str),
}

#[derive(Default)]
struct State {
    name: String,
    words: String,
    token: String,
    games: Vec<Value>,
    months: BTreeMap<String, Vec<Value>>,
    moods: VecDeque<Mood>,
    asked: Vec<String>,
    /// Heads of the requests as they came.
    heads: Vec<String>,
    sent: u64,
    now: usize,
    most_at_once: usize,
    /// How often it has fallen silent, or begun to drip.
    stalls: usize,
}

#[derive(Clone)]
pub(crate) struct Site {
    pub(crate) address: SocketAddr,
    state: Arc<Mutex<State>>,
}

impl Site {
    /// A site at which this name plays.
    pub(crate) async fn start(name: &str) -> Site {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let state = State {
            name: name.to_owned(),
            token: "lip_secret_of_anna".to_owned(),
            ..State::default()
        };
        let site = Site { address, state: Arc::new(Mutex::new(state)) };
        let open = site.clone();
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                let site = open.clone();
                tokio::spawn(async move { site.serve(stream).await });
            }
        });
        site
    }

    pub(crate) fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// What stands in the profile.
    pub(crate) fn says(&self, words: &str) {
        words.clone_into(&mut self.state.lock().words);
    }

    pub(crate) fn play(&self, game: Value) {
        self.state.lock().games.push(game);
    }

    /// Puts a game in the place of the one of the same name.
    pub(crate) fn change(&self, game: Value) {
        let mut state = self.state.lock();
        let at = state.games.iter().position(|old| old["id"] == game["id"]).unwrap();
        state.games[at] = game;
    }

    pub(crate) fn play_in(&self, month: &str, game: Value) {
        self.state.lock().months.entry(month.to_owned()).or_default().push(game);
    }

    pub(crate) fn mood(&self, mood: Mood) {
        self.state.lock().moods.push_back(mood);
    }

    /// The questions so far, without their queries.
    pub(crate) fn asked(&self) -> Vec<String> {
        self.state.lock().asked.clone()
    }

    pub(crate) fn asked_for(&self, part: &str) -> usize {
        self.asked().iter().filter(|path| path.contains(part)).count()
    }

    pub(crate) fn heads(&self) -> Vec<String> {
        self.state.lock().heads.clone()
    }

    pub(crate) fn sent(&self) -> u64 {
        self.state.lock().sent
    }

    pub(crate) fn most_at_once(&self) -> usize {
        self.state.lock().most_at_once
    }

    pub(crate) fn stalls(&self) -> usize {
        self.state.lock().stalls
    }

    async fn serve(&self, mut stream: TcpStream) {
        let Some((head, body)) = read_request(&mut stream).await else { return };
        let target = head.split(' ').nth(1).unwrap_or_default().to_owned();
        let (path, query) = target.split_once('?').unwrap_or((&target, ""));
        {
            let mut state = self.state.lock();
            state.asked.push(path.to_owned());
            state.heads.push(head.clone());
            state.now += 1;
            state.most_at_once = state.most_at_once.max(state.now);
        }
        self.answer(&mut stream, &head, path, query, &body).await;
        self.state.lock().now -= 1;
    }

    async fn answer(
        &self,
        stream: &mut TcpStream,
        head: &str,
        path: &str,
        query: &str,
        body: &str,
    ) {
        let parts: Vec<&str> = path.trim_start_matches('/').split('/').collect();
        let name = self.state.lock().name.clone();
        let lower = name.to_lowercase();
        match parts.as_slice() {
            ["api", "user", who] if *who == lower => {
                let profile = self.lichess_profile();
                whole(stream, &profile.to_string()).await;
            }
            ["api", "account"] => {
                let token = format!("Bearer {}", self.state.lock().token);
                if head.contains(&token) {
                    let profile = self.lichess_profile();
                    whole(stream, &profile.to_string()).await;
                } else {
                    refuse(stream, 401, "").await;
                }
            }
            ["api", "games", "user", who] if *who == lower => {
                let lines = self.listed(query);
                self.in_mood(stream, &lines, ["", "\n", ""]).await;
            }
            ["moved", "games"] => {
                let lines = self.listed(query);
                self.in_mood(stream, &lines, ["", "\n", ""]).await;
            }
            ["api", "games", "export", "_ids"] => {
                let asked: Vec<&str> = body.split(',').collect();
                let games = self.state.lock().games.clone();
                let lines: Vec<String> = games
                    .iter()
                    .filter(|game| asked.contains(&game["id"].as_str().unwrap()))
                    .map(Value::to_string)
                    .collect();
                self.in_mood(stream, &lines, ["", "\n", ""]).await;
            }
            ["pub", "player", who] if *who == lower => {
                let words = self.state.lock().words.clone();
                let profile = json!({"username": lower, "player_id": 41, "status": "basic", "location": words,
                    "url": format!("https://www.chess.com/member/{name}")});
                whole(stream, &profile.to_string()).await;
            }
            ["pub", "player", who, "games", "archives"] if *who == lower => {
                let months: Vec<String> = self.state.lock().months.keys().cloned().collect();
                // The real site gives whole addresses: nobody may go there.
                let urls: Vec<String> = months
                    .iter()
                    .map(|month| format!("https://api.chess.com/pub/player/{lower}/games/{month}"))
                    .collect();
                whole(stream, &json!({"archives": urls}).to_string()).await;
            }
            ["pub", "player", who, "games", year, month] if *who == lower => {
                let games = self.state.lock().months.get(&format!("{year}/{month}")).cloned();
                let items: Vec<String> =
                    games.unwrap_or_default().iter().map(Value::to_string).collect();
                self.in_mood(stream, &items, ["{\"games\":[", ",", "]}"]).await;
            }
            _ => refuse(stream, 404, "").await,
        }
    }

    fn lichess_profile(&self) -> Value {
        let state = self.state.lock();
        json!({"id": state.name.to_lowercase(), "username": state.name, "profile": {"bio": state.words},
            "count": {"all": state.games.len(), "rated": 1}, "perfs": {"blitz": {"rating": 1500}}})
    }

    fn listed(&self, query: &str) -> Vec<String> {
        let field = |name: &str| {
            let mut fields = query.split('&').filter_map(|field| field.split_once('='));
            fields.find(|(key, _)| *key == name).and_then(|(_, value)| value.parse::<i64>().ok())
        };
        assert!(query.contains("sort=dateAsc") && query.contains("pgnInJson=true"), "{query}");
        let mut games = self.state.lock().games.clone();
        games.sort_by_key(|game| game["createdAt"].as_i64());
        let most = field("max").and_then(|max| usize::try_from(max).ok()).unwrap_or(usize::MAX);
        let since = field("since").unwrap_or(0);
        let wanted = games.iter().filter(|game| game["createdAt"].as_i64() >= Some(since));
        wanted.take(most).map(Value::to_string).collect()
    }

    /// Sends items as chunks, in the mood of the moment. Around them: before, between, after.
    async fn in_mood(&self, stream: &mut TcpStream, items: &[String], around: [&str; 3]) {
        let mood = self.state.lock().moods.pop_front();
        let (whole, half) = match &mood {
            Some(Mood::Refuses(status, head)) => return refuse(stream, *status, head).await,
            Some(Mood::Redirects(to)) => {
                let head = format!("Location: {to}\r\n");
                return refuse(stream, 302, &head).await;
            }
            Some(Mood::BreaksOff(lines) | Mood::Drips(lines)) => (*lines, true),
            Some(Mood::Hangs(lines) | Mood::HalfALine(lines)) => (*lines, false),
            Some(Mood::Endless(..)) => (0, false),
            None => (usize::MAX, false),
        };
        let head = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n";
        let _ = stream.write_all(head.as_bytes()).await;
        self.chunk(stream, around[0]).await;
        let mut is_first = true;
        for item in items.iter().take(whole) {
            let between = if is_first || around[1] == "\n" { "" } else { around[1] };
            let end = if around[1] == "\n" { "\n" } else { "" };
            is_first = false;
            if !self.chunk(stream, &format!("{between}{item}{end}")).await {
                return;
            }
        }
        if half && let Some(next) = items.get(whole) {
            self.chunk(stream, &next[..next.len() / 2]).await;
        }
        if matches!(mood, Some(Mood::Hangs(_) | Mood::Drips(_))) {
            self.state.lock().stalls += 1;
        }
        match mood {
            Some(Mood::BreaksOff(_)) => {}
            Some(Mood::Hangs(_)) => wait_for_the_end(stream).await,
            Some(Mood::Drips(_)) => {
                while self.chunk(stream, " ").await {
                    crate::library::pause().await;
                }
            }
            Some(Mood::HalfALine(_)) => {
                let next = items.get(whole).cloned().unwrap_or_default();
                self.chunk(stream, &format!("{}\n", &next[..next.len() / 2])).await;
                for item in items.iter().skip(whole + 1) {
                    self.chunk(stream, &format!("{item}\n")).await;
                }
                let _ = stream.write_all(b"0\r\n\r\n").await;
            }
            Some(Mood::Endless(begin, filling)) => {
                self.chunk(stream, begin).await;
                let filling = filling.repeat((1 << 20) / filling.len());
                // A gigabyte, if anybody takes it.
                for _ in 0..1_024 {
                    if !self.chunk(stream, &filling).await {
                        return;
                    }
                }
            }
            _ => {
                self.chunk(stream, around[2]).await;
                let _ = stream.write_all(b"0\r\n\r\n").await;
            }
        }
    }

    /// Whether it was taken.
    async fn chunk(&self, stream: &mut TcpStream, text: &str) -> bool {
        if text.is_empty() {
            return true;
        }
        let taken = stream.write_all(format!("{:x}\r\n{text}\r\n", text.len()).as_bytes()).await;
        self.state.lock().sent += text.len() as u64;
        taken.is_ok()
    }
}

async fn whole(stream: &mut TcpStream, text: &str) {
    let head = format!(
        "HTTP/1.1 200 OK\r\nContent-Length: {}\r\nConnection: close\r\n\r\n{text}",
        text.len()
    );
    let _ = stream.write_all(head.as_bytes()).await;
}

async fn refuse(stream: &mut TcpStream, status: u16, head: &str) {
    let head =
        format!("HTTP/1.1 {status} No\r\n{head}Content-Length: 0\r\nConnection: close\r\n\r\n");
    let _ = stream.write_all(head.as_bytes()).await;
}

/// Head and body of a request.
async fn read_request(stream: &mut TcpStream) -> Option<(String, String)> {
    let mut bytes = Vec::new();
    loop {
        let mut piece = [0; 4_096];
        let read = stream.read(&mut piece).await.ok().filter(|read| *read > 0)?;
        bytes.extend_from_slice(&piece[..read]);
        let text = String::from_utf8_lossy(&bytes).into_owned();
        let Some((head, body)) = text.split_once("\r\n\r\n") else { continue };
        let length = head
            .lines()
            .find_map(|line| line.to_lowercase().strip_prefix("content-length: ")?.parse().ok());
        if body.len() >= length.unwrap_or(0) {
            return Some((head.to_owned(), body.to_owned()));
        }
    }
}

/// Waits until the other side is gone.
async fn wait_for_the_end(stream: &mut TcpStream) {
    let mut piece = [0; 64];
    while stream.read(&mut piece).await.is_ok_and(|read| read > 0) {}
}
