//! People who only look while others play: each listens to the lobby and watches one of its games, as pages do.

use std::net::SocketAddr;

use serde::Deserialize;
use server::world::Time;
use tokio::task::JoinSet;

use super::socket::{Broken, Socket};

/// How long somebody waits who could not come in.
const COMES_BACK_MILLIS: i64 = 250;

/// A crowd of them. It goes away with this value.
pub(super) struct Lookers(JoinSet<()>);

impl Lookers {
    /// So many, each at another game of those that the lobby shows. Who is cut off comes back.
    pub(super) fn gather(address: SocketAddr, time: &Time, count: u32) -> Lookers {
        let mut clients = JoinSet::new();
        for number in 0..count as usize {
            let time = time.clone();
            clients.spawn(async move {
                loop {
                    // The server is killed now and then, and everybody with it.
                    let _ = look(address, number).await;
                    time.sleep(COMES_BACK_MILLIS).await;
                }
            });
        }
        Lookers(clients)
    }

    /// How many there are.
    pub(super) fn count(&self) -> usize {
        self.0.len()
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

async fn look(address: SocketAddr, number: usize) -> Result<(), Broken> {
    let mut socket = Socket::open(address, "/ws", None).await?;
    socket.send(r#"{"t":"join","room":"lobby"}"#).await?;
    let mut watched: Option<String> = None;
    loop {
        let text = socket.next().await?;
        if is_end(&text, watched.as_deref())
            && let Some(game) = watched.take()
        {
            socket.send(format!(r#"{{"t":"leave","room":"game:{game}"}}"#)).await?;
        }
        if watched.is_some() || !text.contains(r#""room":"lobby""#) {
            continue;
        }
        let Ok(Told { state: Some(State { kind, games }) }) = serde_json::from_str(&text) else {
            continue;
        };
        if kind == "lobby" && !games.is_empty() {
            let Card { id } = &games[number % games.len()];
            socket.send(format!(r#"{{"t":"join","room":"game:{id}"}}"#)).await?;
            watched = Some(id.clone());
        }
    }
}

/// Whether this frame ends the game that is watched. Nothing else is read: pages read more, but not on this machine.
fn is_end(text: &str, watched: Option<&str>) -> bool {
    text.contains(r#""kind":"ended""#) && watched.is_some_and(|game| text.contains(game))
}
