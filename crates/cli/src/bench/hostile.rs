//! Clients that mean no good, in the lobby and at the boards of others: they take nothing, take it a byte at a time, or
//! send what no page would. The server has to drop them, and nobody else may notice.

use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use server::world::Time;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;
use tokio::task::JoinSet;

use super::lookers::game_shown;
use super::socket::Socket;

/// How somebody misbehaves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Manner {
    /// Listens and reads nothing.
    Deaf,
    /// Reads a byte a second.
    Slow,
    /// Sends bytes that are no frames.
    Garbage,
    /// Sends the beginning of a frame, and never the rest.
    HalfFrame,
    /// Sends messages without end.
    Flood,
}

/// The server takes ten new sockets a second from one address; here, where everybody has the same address, the limit is
/// off, and the crowd as a whole keeps to it by itself.
const COMES_BACK_MILLIS: i64 = 100;

const MANNERS: [Manner; 5] =
    [Manner::Deaf, Manner::Slow, Manner::Garbage, Manner::HalfFrame, Manner::Flood];

/// What somebody sends, as frames.
struct Words {
    /// Asks to be told everything.
    ask: Vec<u8>,
    /// What costs the server something and changes nothing.
    bother: Vec<u8>,
}

impl Words {
    fn of(game: Option<&str>) -> Words {
        let room = game.map_or("lobby".to_owned(), |id| format!("game:{id}"));
        let ask = frame(&format!(r#"{{"t":"join","room":"{room}"}}"#));
        let bother = match game {
            // Who has no account is not heard, but the game is asked.
            Some(id) => [
                frame(&format!(r#"{{"t":"resume","room":"{room}","version":0}}"#)),
                frame(&format!(r#"{{"t":"chat","game":"{id}","room":"watchers","text":"hey"}}"#)),
            ]
            .concat(),
            None => frame(r#"{"t":"leave","room":"lobby"}"#),
        };
        Words { ask, bother }
    }
}

/// A crowd of them. It goes away with this value.
pub(super) struct Crowd {
    _clients: JoinSet<()>,
    dropped: Arc<AtomicU64>,
}

impl Crowd {
    /// So many clients, of every manner alike, every other one at a board; who is dropped comes back.
    pub(super) fn gather(address: SocketAddr, time: &Time, count: u32) -> Crowd {
        let mut clients = JoinSet::new();
        let dropped = Arc::<AtomicU64>::default();
        for number in 0..count as usize {
            let (time, dropped) = (time.clone(), dropped.clone());
            let manner = MANNERS[number % MANNERS.len()];
            let is_at_board = number / MANNERS.len() % 2 == 1;
            clients.spawn(async move {
                loop {
                    // However it ends, the next attempt follows.
                    let game = if is_at_board { find_game(address, number).await } else { None };
                    let _ = visit(address, &time, manner, &Words::of(game.as_deref())).await;
                    dropped.fetch_add(1, Ordering::Relaxed);
                    time.sleep(i64::from(count) * COMES_BACK_MILLIS).await;
                }
            });
        }
        Crowd { _clients: clients, dropped }
    }

    /// How often one of them was shown out.
    pub(super) fn dropped(&self) -> u64 {
        self.dropped.load(Ordering::Relaxed)
    }
}

/// A game that is played now, as the lobby shows it.
async fn find_game(address: SocketAddr, number: usize) -> Option<String> {
    let mut socket = Socket::open(address, "/ws", None).await.ok()?;
    socket.send(r#"{"t":"join","room":"lobby"}"#).await.ok()?;
    loop {
        if let Some(game) = game_shown(&socket.next().await.ok()?, number) {
            return Some(game);
        }
    }
}

async fn visit(
    address: SocketAddr,
    time: &Time,
    manner: Manner,
    words: &Words,
) -> std::io::Result<()> {
    let mut stream = TcpStream::connect(address).await?;
    let request = format!(
        "GET /ws HTTP/1.1\r\nHost: {address}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\
         Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n"
    );
    stream.write_all(request.as_bytes()).await?;
    stream.write_all(&words.ask).await?;
    match manner {
        Manner::Deaf => loop {
            // Asks for everything again and again, and reads none of it.
            stream.write_all(&words.ask).await?;
            time.sleep(100).await;
        },
        Manner::Slow => {
            let mut byte = [0];
            while stream.read(&mut byte).await? > 0 {
                stream.write_all(&words.ask).await?;
                time.sleep(1_000).await;
            }
        }
        Manner::Garbage => {
            stream.write_all(&[0xff; 4_096]).await?;
            read_to_end(&mut stream).await?;
        }
        Manner::HalfFrame => {
            let whole = frame(&"x".repeat(4_096));
            stream.write_all(&whole[..1_000]).await?;
            read_to_end(&mut stream).await?;
        }
        Manner::Flood => {
            let messages = words.bother.repeat(64);
            loop {
                stream.write_all(&messages).await?;
            }
        }
    }
    Ok(())
}

async fn read_to_end(stream: &mut TcpStream) -> std::io::Result<()> {
    let mut bytes = [0; 1_024];
    while stream.read(&mut bytes).await? > 0 {}
    Ok(())
}

/// A text frame as a client sends it, with a mask of zeros.
fn frame(text: &str) -> Vec<u8> {
    let length = u16::try_from(text.len()).expect("our own messages are short");
    let mut bytes = vec![0x81];
    if let Ok(short @ 0..=125) = u8::try_from(length) {
        bytes.push(0x80 | short);
    } else {
        bytes.push(0xfe);
        bytes.extend(length.to_be_bytes());
    }
    bytes.extend([0; 4]);
    bytes.extend(text.as_bytes());
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frames_are_masked_and_tell_their_length() {
        assert_eq!(frame("ab"), [0x81, 0x82, 0, 0, 0, 0, b'a', b'b']);
        let long = frame(&"x".repeat(300));
        assert_eq!((long[..4].to_vec(), long.len()), (vec![0x81, 0xfe, 1, 44], 308));
    }
}
