//! Asking a site over HTTP: one host, no other; bodies piece by piece; nothing is waited for without end.
//!
//! A connection is opened for each question. The sites want one question at a time, so there is nothing to pool, and
//! there is no other way by which a request could reach a host that the settings do not name.

use std::fmt;
use std::sync::Arc;

use bytes::Bytes;
use http_body_util::{BodyExt as _, Full};
use hyper::header::{
    ACCEPT, AUTHORIZATION, CONTENT_TYPE, HOST, HeaderMap, HeaderValue, LOCATION, RETRY_AFTER,
    USER_AGENT,
};
use hyper::{Method, Request, StatusCode, Uri};
use rules::UnixMillis;
use tokio::net::TcpStream;

use super::split::{Split, Unreadable};
use crate::line::{Host, Line, LineError, Lines, Reply};
use crate::tournaments::event::noon_of;
use crate::world::Time;

/// How long it may take until the line is there.
const CONNECT: i64 = 15_000;
/// How long the site may be silent.
const SILENCE: i64 = 60_000;
/// How long one game may take: a site that sends a byte now and then is not silent, and never comes to an end.
const ONE_ITEM: i64 = 180_000;
/// The most that may lie between the ends of two games: a game that is too long to be one, or nothing at all.
const APART: u64 = 16 << 20;
/// The longest way of redirections.
const REDIRECTIONS: usize = 3;
/// The longest answer that is read whole.
const WHOLE: usize = 1 << 20;

/// A key that a site gave to one of our members. It is never shown.
#[derive(Clone)]
pub(super) struct Token(String);

impl Token {
    /// A key, if the text can be one.
    pub(super) fn parse(text: &str) -> Option<Token> {
        let text = text.trim();
        let is_plain = |letter: char| letter.is_ascii_graphic();
        let is_good = (8..=300).contains(&text.len()) && text.chars().all(is_plain);
        is_good.then(|| Token(text.to_owned()))
    }

    pub(super) fn bytes(&self) -> &[u8] {
        self.0.as_bytes()
    }
}

impl fmt::Debug for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Token(…)")
    }
}

/// Why a site did not give what was asked for.
#[derive(Debug, thiserror::Error)]
pub(super) enum Trouble {
    #[error("the site has had enough of us for now")]
    Busy { wait: Option<i64> },
    #[error("the site cannot be reached: {0}")]
    Away(String),
    #[error("the site has trouble of its own: it answered {0}")]
    Failing(u16),
    #[error("the site does not know this")]
    Unknown,
    #[error("the site does not accept the key")]
    Denied,
    #[error("the site sent us to another place, {0}, where we do not go")]
    Elsewhere(String),
    #[error("the site's answer is not what it should be: {0}")]
    Garbled(&'static str),
}

impl From<Unreadable> for Trouble {
    fn from(unreadable: Unreadable) -> Trouble {
        match unreadable {
            Unreadable::TooDeep => Trouble::Garbled("it goes deeper than games do"),
            Unreadable::BrokenOff => Trouble::Away("the answer broke off".to_owned()),
        }
    }
}

impl From<LineError> for Trouble {
    fn from(error: LineError) -> Trouble {
        away(&error)
    }
}

/// Where a site is.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Place {
    host: Host,
    /// What every path begins with; empty or `/…` without a slash at its end.
    path: String,
}

impl Place {
    fn parse(url: &str) -> Option<Place> {
        let uri: Uri = url.trim_end_matches('/').parse().ok()?;
        let path = uri.path().trim_end_matches('/').to_owned();
        Some(Place { host: Host::of(&uri)?, path })
    }

    /// The path that a redirection names, if it stays at this place.
    fn same_place(&self, location: &str) -> Result<String, Trouble> {
        let elsewhere = || Trouble::Elsewhere(location.chars().take(100).collect());
        // `//host/path` is another host, though it looks like a path.
        if location.starts_with("//") {
            return Err(elsewhere());
        }
        let target: Uri = location.parse().map_err(|_| elsewhere())?;
        if target.scheme().is_some() || target.authority().is_some() {
            let there = Place::parse(location).ok_or_else(elsewhere)?;
            if there.host != self.host {
                return Err(elsewhere());
            }
        }
        let path = target.path_and_query().map(ToString::to_string).ok_or_else(elsewhere)?;
        if path.starts_with('/') { Ok(path) } else { Err(elsewhere()) }
    }
}

/// A question to a site.
#[derive(Debug, Default)]
pub(super) struct Question<'a> {
    /// Path and query behind the site's address.
    pub(super) path: String,
    /// What form the answer is to have.
    pub(super) accept: &'static str,
    /// A member's key.
    pub(super) token: Option<&'a Token>,
    /// What is sent along; then it is a POST.
    pub(super) text: Option<String>,
}

/// The way to one site. Cheap to clone.
#[derive(Clone)]
pub(super) struct Client {
    place: Arc<Place>,
    agent: HeaderValue,
    time: Time,
    lines: Lines,
}

impl Client {
    /// The way to the site at this address; none if it is no address.
    pub(super) fn new(url: &str, agent: &str, time: Time) -> Option<Client> {
        let place = Arc::new(Place::parse(url)?);
        let agent = HeaderValue::from_str(agent).unwrap_or(HeaderValue::from_static("Rookery"));
        Some(Client { place, agent, time, lines: Lines::default() })
    }

    /// Asks, and gives the answer's body if the site says yes.
    pub(super) async fn ask(&self, question: &Question<'_>) -> Result<Answer, Trouble> {
        let mut path = format!("{}{}", self.place.path, question.path);
        for _ in 0..=REDIRECTIONS {
            let reply = self.send(&path, question).await?;
            let (status, headers) = (reply.head.status, &reply.head.headers);
            if status.is_success() {
                return Ok(Answer { reply, time: self.time.clone(), read: 0 });
            }
            if !status.is_redirection() {
                return Err(refusal(status, headers, self.time.now()));
            }
            // Only 307 and 308 repeat a POST; for a question without a body all are the same.
            let repeats =
                matches!(status, StatusCode::TEMPORARY_REDIRECT | StatusCode::PERMANENT_REDIRECT);
            let location = headers.get(LOCATION).and_then(|to| to.to_str().ok());
            let Some(location) = location.filter(|_| repeats || question.text.is_none()) else {
                return Err(Trouble::Failing(status.as_u16()));
            };
            path = self.place.same_place(location)?;
        }
        Err(Trouble::Garbled("it sends us in circles"))
    }

    /// Asks, and reads a short answer whole.
    pub(super) async fn ask_whole(&self, question: &Question<'_>) -> Result<Vec<u8>, Trouble> {
        let mut answer = self.ask(question).await?;
        let until = self.time.now().0 + ONE_ITEM;
        let mut whole = Vec::new();
        while let Some(piece) = answer.piece(until).await? {
            whole.extend_from_slice(&piece);
            if whole.len() > WHOLE {
                return Err(Trouble::Garbled("it is too long"));
            }
        }
        Ok(whole)
    }

    async fn send(&self, path: &str, question: &Question<'_>) -> Result<Reply, Trouble> {
        let request = self.request(path, question)?;
        let line = tokio::select! {
            connected = self.connect() => connected?,
            () = self.time.sleep(CONNECT) => return Err(Trouble::Away("no answer".to_owned())),
        };
        tokio::select! {
            reply = line.ask(request) => Ok(reply?),
            () = self.time.sleep(SILENCE) => Err(silent()),
        }
    }

    fn request(
        &self,
        path: &str,
        question: &Question<'_>,
    ) -> Result<Request<Full<Bytes>>, Trouble> {
        let method = if question.text.is_some() { Method::POST } else { Method::GET };
        let mut request = Request::builder()
            .method(method)
            .uri(path)
            .header(HOST, self.place.host.authority())
            .header(USER_AGENT, &self.agent)
            .header(ACCEPT, question.accept);
        if question.text.is_some() {
            request = request.header(CONTENT_TYPE, "text/plain");
        }
        if let Some(token) = question.token {
            let mut value = HeaderValue::from_str(&format!("Bearer {}", token.0))
                .map_err(|_| Trouble::Denied)?;
            value.set_sensitive(true);
            request = request.header(AUTHORIZATION, value);
        }
        let body = Full::new(Bytes::from(question.text.clone().unwrap_or_default()));
        request.body(body).map_err(|_| Trouble::Garbled("it names no path"))
    }

    async fn connect(&self) -> Result<Line, Trouble> {
        let host = &self.place.host;
        let stream =
            TcpStream::connect((host.name.as_str(), host.port)).await.map_err(|e| away(&e))?;
        Ok(self.lines.open(host, stream).await?)
    }
}

fn away(error: &dyn std::error::Error) -> Trouble {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        text = format!("{text}: {error}");
        cause = error.source();
    }
    Trouble::Away(text.chars().take(200).collect())
}

fn silent() -> Trouble {
    Trouble::Away("it has fallen silent".to_owned())
}

fn refusal(status: StatusCode, headers: &HeaderMap, now: UnixMillis) -> Trouble {
    match status.as_u16() {
        401 | 403 => Trouble::Denied,
        404 | 410 => Trouble::Unknown,
        429 | 503 => {
            let wait = headers.get(RETRY_AFTER).and_then(|text| text.to_str().ok());
            match (status.as_u16(), wait.and_then(|text| wait_of(text, now))) {
                // A site that is down says 503 too; only one that names a time has simply too much to do.
                (503, None) => Trouble::Failing(503),
                (_, wait) => Trouble::Busy { wait },
            }
        }
        other => Trouble::Failing(other),
    }
}

/// How long a site wants to be left alone, at most a day: it says so in seconds, or by the moment when it is over.
fn wait_of(text: &str, now: UnixMillis) -> Option<i64> {
    let text = text.trim();
    let wait = match text.parse::<i64>() {
        Ok(seconds) => seconds.saturating_mul(1_000),
        Err(_) => moment_of(text)? - now.0,
    };
    Some(wait.clamp(0, 86_400_000))
}

/// The moment of `Sun, 06 Nov 1994 08:49:37 GMT`: the one form that servers still send.
fn moment_of(text: &str) -> Option<i64> {
    const MONTHS: [&str; 12] =
        ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
    let words: Vec<&str> = text.split_ascii_whitespace().collect();
    let [_, day, month, year, clock, "GMT"] = words[..] else { return None };
    let month = MONTHS.iter().position(|name| *name == month)? + 1;
    let number = |text: &str, most: i64| text.parse().ok().filter(|n| (0..=most).contains(n));
    let month = i64::try_from(month).ok()?;
    let noon = noon_of(number(year, 9_999)?, month, number(day, 31)?)?;
    let parts: Vec<&str> = clock.split(':').collect();
    let [hours, minutes, seconds] = parts[..] else { return None };
    // Sixty seconds are a leap second.
    let seconds = number(hours, 23)? * 3_600 + number(minutes, 59)? * 60 + number(seconds, 60)?;
    Some(noon - 43_200_000 + seconds * 1_000)
}

/// The body of an answer, piece by piece.
pub(super) struct Answer {
    reply: Reply,
    time: Time,
    read: u64,
}

impl Answer {
    /// The next piece of data; none at the end.
    async fn piece(&mut self, until: i64) -> Result<Option<Bytes>, Trouble> {
        let deadline = until.min(self.time.now().0 + SILENCE);
        loop {
            let frame = tokio::select! {
                frame = self.reply.body.frame() => frame,
                () = self.time.sleep_until(UnixMillis(deadline)) => return Err(silent()),
            };
            let Some(frame) = frame else { return Ok(None) };
            if let Ok(data) = frame.map_err(|error| away(&error))?.into_data() {
                self.read += data.len() as u64;
                return Ok(Some(data));
            }
        }
    }

    /// The games in it, one at a time.
    pub(super) fn items(self, split: Split, most: u64) -> Items {
        Items { answer: self, split, most, is_over: false }
    }
}

/// The games of an answer, one at a time: no more than one and a piece is ever held.
pub(super) struct Items {
    answer: Answer,
    split: Split,
    most: u64,
    is_over: bool,
}

impl Items {
    /// The text of the next game, empty if it is too long to be one; none at the end.
    pub(super) async fn next(&mut self) -> Result<Option<Vec<u8>>, Trouble> {
        let until = self.answer.time.now().0 + ONE_ITEM;
        let most = self.most.min(self.answer.read + APART);
        loop {
            if let Some(item) = self.split.take()? {
                return Ok(Some(item));
            }
            if self.is_over {
                return Ok(None);
            }
            if let Some(piece) = self.answer.piece(until).await? {
                self.split.push(&piece);
            } else {
                self.is_over = true;
                self.split.finish()?;
            }
            if self.answer.read > most {
                return Err(Trouble::Garbled("it is too long"));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_redirection_is_followed_at_the_same_place_only() {
        let place = Place::parse("https://lichess.example/base/").unwrap();
        let check = |to: &str| place.same_place(to).ok();
        assert_eq!(check("/other?x=1").as_deref(), Some("/other?x=1"));
        assert_eq!(check("https://LICHESS.example/a").as_deref(), Some("/a"));
        assert_eq!(check("https://lichess.example:443/a").as_deref(), Some("/a"));
        for foreign in [
            "https://evil.example/a",
            "http://lichess.example/a",
            "https://lichess.example:8443/a",
            "https://lichess.example.evil.example/a",
            "https://user@evil.example/",
            "//evil.example/a",
            "evil",
            "",
            "javascript:alert(1)",
        ] {
            assert_eq!(check(foreign), None, "{foreign}");
        }
    }

    #[test]
    fn a_site_says_in_seconds_or_by_a_moment_how_long_it_wants_to_be_left_alone() {
        let now = UnixMillis(784_111_777_000); // Sun, 06 Nov 1994 08:49:37 GMT
        for (text, wait) in [
            ("120", Some(120_000)),
            (" 0 ", Some(0)),
            ("-5", Some(0)),
            ("9999999999999999", Some(86_400_000)),
            ("Sun, 06 Nov 1994 08:51:37 GMT", Some(120_000)),
            ("Sun, 06 Nov 1994 08:49:00 GMT", Some(0)),
            ("Tue, 08 Nov 1994 08:49:37 GMT", Some(86_400_000)),
            ("Sun, 31 Feb 1994 08:49:37 GMT", None),
            ("Sun, 06 Nov 1994 08:49 GMT", None),
            ("Sunday, 06-Nov-94 08:49:37 GMT", None),
            ("soon", None),
            ("", None),
        ] {
            assert_eq!(wait_of(text, now), wait, "{text}");
        }
    }

    #[test]
    fn a_key_is_not_shown_by_accident() {
        let token = Token::parse(" lip_abcdefgh ").unwrap();
        assert_eq!(format!("{token:?}"), "Token(…)");
        let question = Question { token: Some(&token), ..Question::default() };
        assert!(!format!("{question:?}").contains("lip_"));
        assert!(Token::parse("short").is_none() && Token::parse("two words and more").is_none());
    }

    #[test]
    fn addresses_are_read_or_refused() {
        let place = Place::parse("http://127.0.0.1:8123").unwrap();
        assert_eq!((place.host.authority().as_str(), place.path.as_str()), ("127.0.0.1:8123", ""));
        assert_eq!(Place::parse("https://lichess.org").unwrap().host.authority(), "lichess.org");
        for bad in ["", "lichess.org", "ftp://lichess.org", "https://"] {
            assert_eq!(Place::parse(bad), None, "{bad}");
        }
    }
}
