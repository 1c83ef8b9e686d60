//! People who only look while others play: each listens to the lobby and watches one of its games, as pages do, and
//! writes down what it is told of it.

use std::net::SocketAddr;
use std::sync::Arc;

use parking_lot::Mutex;
use serde::Deserialize;
use server::world::Time;
use tokio::task::JoinSet;

use super::checker::{Note, What};
use super::frames::{self, Kind};
use super::socket::{Broken, Socket};
use super::table::note_of;

/// How long somebody waits who could not come in.
const COMES_BACK_MILLIS: i64 = 250;

/// What somebody was told of a game, from the moment they came until they left.
#[derive(Debug, Default)]
pub(super) struct Sitting {
    pub(super) game: String,
    pub(super) notes: Vec<Note>,
}

/// A crowd of them. It goes away with this value.
pub(super) struct Lookers {
    clients: JoinSet<()>,
    books: Vec<Book>,
}

/// What one of them has written down, the newest last.
type Book = Arc<Mutex<Vec<Sitting>>>;

impl Lookers {
    /// So many, each at another game of those that the lobby shows. Who is cut off comes back to the same game.
    pub(super) fn gather(address: SocketAddr, time: &Time, count: u32) -> Lookers {
        let mut clients = JoinSet::new();
        let books: Vec<Book> = (0..count).map(|_| Book::default()).collect();
        for (number, book) in books.iter().enumerate() {
            let (time, book) = (time.clone(), book.clone());
            clients.spawn(async move {
                let mut looker = Looker { number, book, watched: None };
                loop {
                    // The server is killed now and then, and everybody with it.
                    let _ = looker.look(address).await;
                    time.sleep(COMES_BACK_MILLIS).await;
                }
            });
        }
        Lookers { clients, books }
    }

    /// How many there are.
    pub(super) fn count(&self) -> usize {
        self.books.len()
    }

    /// Sends them home. Gives what they were told.
    pub(super) async fn send_home(&mut self) -> Vec<Sitting> {
        self.clients.shutdown().await;
        self.books.iter().flat_map(|book| std::mem::take(&mut *book.lock())).collect()
    }
}

/// What of the lobby's state matters here.
#[derive(Deserialize)]
struct Told {
    state: Option<State>,
}

#[derive(Deserialize)]
struct State {
    kind: String,
    #[serde(default)]
    games: Vec<Card>,
}

#[derive(Deserialize)]
struct Card {
    id: String,
}

/// One of the games that the lobby shows, if this is what it shows: not everybody looks at the same.
pub(super) fn game_shown(lobby: &str, number: usize) -> Option<String> {
    let Told { state } = serde_json::from_str(lobby).ok()?;
    let State { kind, mut games } = state?;
    let is_any = kind == "lobby" && !games.is_empty();
    is_any.then(|| games.swap_remove(number % games.len()).id)
}

/// One of them.
struct Looker {
    number: usize,
    book: Book,
    /// The game that is watched, and its last version that was told.
    watched: Option<(String, Option<u32>)>,
}

impl Looker {
    async fn look(&mut self, address: SocketAddr) -> Result<(), Broken> {
        let mut socket = Socket::open(address, "/ws", None).await?;
        socket.send(r#"{"t":"join","room":"lobby"}"#).await?;
        if let Some((game, version)) = &self.watched {
            let text = match version {
                Some(version) => {
                    format!(r#"{{"t":"resume","room":"game:{game}","version":{version}}}"#)
                }
                None => format!(r#"{{"t":"join","room":"game:{game}"}}"#),
            };
            socket.send(text).await?;
        }
        loop {
            let text = socket.next().await?;
            if self.hear(&text)
                && let Some((game, _)) = self.watched.take()
            {
                socket.send(format!(r#"{{"t":"leave","room":"game:{game}"}}"#)).await?;
            }
            if self.watched.is_some() || !text.contains(r#""room":"lobby""#) {
                continue;
            }
            if let Some(id) = game_shown(&text, self.number) {
                socket.send(format!(r#"{{"t":"join","room":"game:{id}"}}"#)).await?;
                self.book.lock().push(Sitting { game: id.clone(), notes: Vec::new() });
                self.watched = Some((id, None));
            }
        }
    }

    /// Writes down a frame of the watched game. Tells whether the game is over with it.
    fn hear(&mut self, text: &str) -> bool {
        let Some((watched, version)) = &mut self.watched else { return false };
        let note = match frames::kind(text) {
            Kind::Played => frames::played(text)
                .filter(|played| played.game == watched.as_str())
                .map(|frames::Played { version, ply, action, clocks, .. }| Note::Played {
                    version,
                    ply,
                    action,
                    clocks,
                }),
            // The lobby's state is large and comes every second: it is not read for this.
            Kind::State | Kind::Changed if text.contains(watched.as_str()) => {
                let message = serde_json::from_str(text).ok();
                let told = message.and_then(|message| note_of(message, 0).ok().flatten());
                told.filter(|(game, _)| game.as_str() == watched.as_str()).map(|(_, note)| note)
            }
            _ => None,
        };
        let Some(note) = note else { return false };
        let is_over = match &note {
            Note::Played { version: told, .. } => {
                *version = Some(*told);
                false
            }
            Note::Changed { version: told, what } => {
                *version = Some(*told);
                matches!(what, What::Ended(_))
            }
            Note::State(state) => {
                *version = Some(state.version);
                state.ended.is_some()
            }
            _ => false,
        };
        if let Some(sitting) = self.book.lock().last_mut() {
            sitting.notes.push(note);
        }
        is_over
    }
}
