//! One socket's task: reads, asks, and writes what its queue holds. One task for both ways keeps a connection small.

mod analysis;
mod events;
mod lobby;
mod pings;

use std::future::poll_fn;
use std::panic::AssertUnwindSafe;
use std::task::Poll;

use axum::Extension;
use axum::extract::State;
use axum::extract::ws::{CloseFrame, Message, Utf8Bytes, WebSocket, WebSocketUpgrade};
use axum::response::Response;
use futures_util::FutureExt as _;
use rules::{AbandonmentClaim, Act, Color, Millis, Ply, UnixMillis};
use store::{AccountId, ChatRoom, EventId, GameId};

use super::outbox::{Drain, Farewell, Outbox, Outgoing};
use super::wire::{ClaimView, ClientMsg, Room, ServerMsg};
use super::{BUFFER, Live, MAX_MESSAGE};
use crate::accounts::{Accounts, Visitor};
use crate::analysis::{Stream, Wish};
use crate::games::{GameError, GameHandle};
use crate::http::Seat;
use crate::http::access::may_say;
use crate::world::{Sleep, Time};
use pings::Pings;

/// How often the server pings.
const PING_EVERY: i64 = 15_000;
/// And at a board, where somebody waits for the other and the line's round trip is credited.
const PING_AT_BOARD_EVERY: i64 = 4_000;
/// A socket that has answered no more than this many pings, with anything at all, is gone.
const SILENT_PINGS: i64 = 3;
/// A frame that cannot be written for this long has no reader.
const WRITE_WITHIN: i64 = 15_000;
/// Messages a client may save up, and how many it earns a second. A fast player sends two a second.
const BURST: i64 = 60;
const PER_SECOND: i64 = 20;
/// How often a game is asked to let a socket in.
const GAME_TRIES: usize = 3;
/// Rooms one socket may listen to.
const MOST_ROOMS: usize = 64;

/// Open the socket.
pub async fn open_socket(
    State(live): State<Live>,
    State(accounts): State<Accounts>,
    visitor: Visitor,
    seat: Option<Extension<Seat>>,
    upgrade: WebSocketUpgrade,
) -> Response {
    upgrade
        .read_buffer_size(BUFFER)
        .write_buffer_size(0)
        .max_write_buffer_size(1 << 20)
        .max_message_size(MAX_MESSAGE)
        .max_frame_size(MAX_MESSAGE)
        .on_upgrade(move |socket| {
            let (outbox, drain) = live.enter((&visitor).into());
            let conn = Connection::new(live, accounts, visitor, outbox);
            Box::pin(async move {
                conn.serve(socket, drain).await;
                // Not before: a limit on connections that does not count these would limit nothing.
                drop(seat);
            })
        })
}

struct Connection {
    live: Live,
    accounts: Accounts,
    visitor: Visitor,
    outbox: Outbox,
    games: Vec<(GameId, GameHandle)>,
    challenges: Vec<GameId>,
    events: Vec<EventId>,
    in_lobby: bool,
    /// What an engine is asked for this socket.
    analysis: Option<Stream>,
    /// The account by which the lobby knows this socket.
    present_as: Option<AccountId>,
    round_trip: Millis,
    pings: Pings,
    /// Pings since anything was last heard.
    unheard_pings: i64,
    allowance: i64,
    allowance_at: UnixMillis,
}

impl Connection {
    fn new(live: Live, accounts: Accounts, visitor: Visitor, outbox: Outbox) -> Connection {
        let now = live.0.world.time.now();
        Connection {
            live,
            accounts,
            visitor,
            outbox,
            games: Vec::new(),
            challenges: Vec::new(),
            events: Vec::new(),
            in_lobby: false,
            analysis: None,
            present_as: None,
            round_trip: Millis(0),
            pings: Pings::default(),
            unheard_pings: 0,
            allowance: BURST,
            allowance_at: now,
        }
    }

    fn time(&self) -> &Time {
        &self.live.0.world.time
    }

    /// Serves the socket to its end. A fault of ours ends this socket alone, and it leaves its rooms like any other.
    async fn serve(mut self, mut socket: WebSocket, drain: Drain) {
        let running = AssertUnwindSafe(self.run(&mut socket, drain)).catch_unwind();
        let reason = running.await.unwrap_or_else(|_| {
            tracing::error!("a socket's task panicked");
            Close::Fault
        });
        Box::pin(self.say_goodbye(socket, reason)).await;
    }

    async fn run(&mut self, socket: &mut WebSocket, mut drain: Drain) -> Close {
        let mut ping: Sleep = self.time().sleep(0);
        let hello = ServerMsg::Hello {
            version: crate::VERSION.to_owned(),
            account: self.visitor.account_id(),
        };
        let mut reason = self.send(socket, hello.to_json().into()).await.err();
        if let Some(notice) = self.live.notice().filter(|_| reason.is_none()) {
            reason = self.send(socket, notice).await.err();
        }
        Box::pin(self.enter_lobby()).await;
        loop {
            if let Some(reason) = reason {
                return reason;
            }
            // Three things to wait for and no more: each costs every connection time and memory.
            reason = tokio::select! {
                biased;
                outgoing = drain.next() => match outgoing {
                    Some(Outgoing::Frame(frame)) => self.send(socket, frame).await.err(),
                    Some(Outgoing::Close(why)) => Some(Close::Asked(why)),
                    None => Some(Close::TooSlow),
                },
                message = socket.recv() => self.read(message).await.err(),
                () = &mut ping => {
                    let wait = if self.games.is_empty() { PING_EVERY } else { PING_AT_BOARD_EVERY };
                    ping = self.time().sleep(wait);
                    self.ping(socket).await.err()
                }
            };
        }
    }

    async fn send(&self, socket: &mut WebSocket, frame: Utf8Bytes) -> Result<(), Close> {
        in_time(self.time(), socket.send(Message::Text(frame))).await
    }

    async fn ping(&mut self, socket: &mut WebSocket) -> Result<(), Close> {
        if self.unheard_pings >= SILENT_PINGS {
            return Err(Close::Gone);
        }
        self.unheard_pings += 1;
        let now = self.time().now();
        let ping = Message::Ping(self.pings.send(now));
        in_time(self.time(), socket.send(ping)).await
    }

    async fn read(&mut self, message: Option<Result<Message, axum::Error>>) -> Result<(), Close> {
        let Some(Ok(message)) = message else { return Err(Close::Gone) };
        let now = self.time().now();
        self.unheard_pings = 0;
        match message {
            Message::Text(text) => {
                #[cfg(test)]
                assert_ne!(text.as_str(), tests::FATAL, "a test lets this task fail");
                self.charge(now)?;
                match serde_json::from_str(&text) {
                    Ok(ClientMsg::Move { game, ply, uci }) if self.knows(game) => {
                        let act = Act::Play { ply: Ply(ply), action: uci };
                        self.act(game, Some(ply), act, now).await;
                    }
                    Ok(ClientMsg::Ping) => self.outbox.push(ServerMsg::Pong.to_json().into()),
                    // What is rare may ask the store, and waiting for it takes kilobytes: not in every connection.
                    Ok(message) => Box::pin(self.handle(message, now)).await,
                    Err(error) => self.reject(
                        None,
                        "bad_message",
                        &format!("this message cannot be read: {error}"),
                    ),
                }
                Ok(())
            }
            Message::Pong(payload) => {
                self.round_trip = self.pings.answer(&payload, now).unwrap_or(self.round_trip);
                Ok(())
            }
            Message::Ping(_) => self.charge(now),
            Message::Binary(_) => Err(Close::Unreadable),
            Message::Close(_) => Err(Close::Gone),
        }
    }

    /// Every message costs one; who sends faster than anybody can play is dropped.
    fn charge(&mut self, now: UnixMillis) -> Result<(), Close> {
        let limit = self.accounts.limits().messages_per_second.unwrap_or(PER_SECOND);
        if limit == 0 {
            return Ok(());
        }
        let burst = BURST.max(limit * 3);
        let earned = (now.0 - self.allowance_at.0) * limit / 1_000;
        if earned > 0 {
            self.allowance = (self.allowance + earned).min(burst);
            self.allowance_at = now;
        }
        self.allowance -= 1;
        if self.allowance < 0 { Err(Close::TooMany) } else { Ok(()) }
    }

    async fn handle(&mut self, message: ClientMsg, now: UnixMillis) {
        // A guest's account may be younger than the socket.
        if !may_say(&self.visitor, message.tag()) {
            self.account().await;
        }
        if !may_say(&self.visitor, message.tag()) {
            let error = GameError::NotYourGame;
            return self.reject(None, error.code(), &error.to_string());
        }
        match message {
            ClientMsg::Join { room } => self.join(room, None).await,
            ClientMsg::Resume { room, version } => self.join(room, Some(version)).await,
            ClientMsg::Leave { room } => self.leave(room).await,
            ClientMsg::Ping => self.outbox.push(ServerMsg::Pong.to_json().into()),
            ClientMsg::Move { game, ply, uci } => {
                self.act(game, Some(ply), Act::Play { ply: Ply(ply), action: uci }, now).await;
            }
            ClientMsg::Resign { game } => self.act(game, None, Act::Resign, now).await,
            ClientMsg::OfferDraw { game } => self.act(game, None, Act::OfferDraw, now).await,
            ClientMsg::AcceptDraw { game } => self.act(game, None, Act::AcceptDraw, now).await,
            ClientMsg::DeclineDraw { game } => self.act(game, None, Act::DeclineDraw, now).await,
            ClientMsg::OfferTakeback { game } => {
                self.act(game, None, Act::OfferTakeback, now).await;
            }
            ClientMsg::AcceptTakeback { game } => {
                self.act(game, None, Act::AcceptTakeback, now).await;
            }
            ClientMsg::DeclineTakeback { game } => {
                self.act(game, None, Act::DeclineTakeback, now).await;
            }
            ClientMsg::OfferAdjournment { game } => {
                self.act(game, None, Act::OfferAdjournment, now).await;
            }
            ClientMsg::AcceptAdjournment { game } => {
                self.act(game, None, Act::AcceptAdjournment, now).await;
            }
            ClientMsg::DeclineAdjournment { game } => {
                self.act(game, None, Act::DeclineAdjournment, now).await;
            }
            ClientMsg::GiveTime { game } => {
                // To whom and how much is the game's to say.
                let act = Act::AddTime { to: Color::White, time: Millis(0) };
                self.act(game, None, act, now).await;
            }
            ClientMsg::ClaimDraw { game, uci } => {
                self.act(game, None, Act::ClaimDraw { intending: uci }, now).await;
            }
            ClientMsg::ClaimAbandonment { game, claim } => {
                let claim = match claim {
                    ClaimView::Win => AbandonmentClaim::Win,
                    ClaimView::Draw => AbandonmentClaim::Draw,
                };
                // How long the other has been away is the game's to say.
                let act = Act::ClaimAbandonment { gone: Millis(0), claim };
                self.act(game, None, act, now).await;
            }
            ClientMsg::Chat { game, room, text } => self.say(game, room.into(), text).await,
            ClientMsg::Abort { game } => self.act(game, None, Act::Abort, now).await,
            ClientMsg::Rematch { game } => self.rematch(game, true).await,
            ClientMsg::DeclineRematch { game } => self.rematch(game, false).await,
            ClientMsg::EventChat { event, text } => self.say_in_event(event, &text).await,
            ClientMsg::QueueJoin { variant, time, rated, bots } => {
                self.join_queue(variant, &time, rated, bots).await;
            }
            ClientMsg::QueueLeave => self.leave_queue().await,
            ClientMsg::Analyse { id, position, lines, aim, engine } => {
                self.analyse(Wish { id, question: position, lines, aim, engine }).await;
            }
            ClientMsg::StopAnalysis => self.analysis = None,
        }
    }

    /// Whether a move of this game needs nothing that has to be looked up first.
    fn knows(&self, game: GameId) -> bool {
        self.visitor.account.is_some() && self.known_handle(game).is_some()
    }

    /// The handle that was used before, unless that task has ended since.
    fn known_handle(&self, game: GameId) -> Option<&GameHandle> {
        let mut known = self.games.iter().filter(|(id, handle)| *id == game && handle.is_alive());
        known.next().map(|(_, handle)| handle)
    }

    async fn act(&mut self, game: GameId, ply: Option<u32>, act: Act, now: UnixMillis) {
        let Some(by) = self.account().await else {
            return self.refuse(game, ply, &GameError::NotYourGame);
        };
        let opened = match self.known_handle(game) {
            Some(handle) => Ok(handle.clone()),
            None => Box::pin(self.live.0.games.open_for(game, &self.visitor)).await,
        };
        match opened {
            Ok(handle) => {
                if !handle.act_from(by, now, self.round_trip, act, &self.outbox).await {
                    self.refuse(game, ply, &GameError::Fault("the game's task ended".to_owned()));
                }
            }
            Err(error) => self.refuse(game, ply, &error),
        }
    }

    async fn say(&mut self, game: GameId, room: ChatRoom, text: String) {
        let Some(_) = self.account().await else {
            return self.refuse(game, None, &GameError::NotYourGame);
        };
        let Some(by) = self.visitor.account.clone() else { return };
        match self.live.0.games.open_for(game, &self.visitor).await {
            Ok(handle) => {
                if !handle.say_from(by, room, text, &self.outbox).await {
                    self.refuse(game, None, &GameError::Fault("the game's task ended".to_owned()));
                }
            }
            Err(error) => self.refuse(game, None, &error),
        }
    }

    async fn rematch(&mut self, game: GameId, is_wanted: bool) {
        let games = self.live.0.games.clone();
        let result = match self.account().await {
            Some(by) if is_wanted => games.rematch(game, by).await,
            Some(by) => games.decline_rematch(game, by).await,
            None => Err(GameError::NotYourGame),
        };
        if let Err(error) = result {
            self.refuse(game, None, &error);
        }
    }

    async fn join(&mut self, room: Room, since: Option<u32>) {
        if self.is_new(room)
            && self.games.len() + self.challenges.len() + self.events.len() >= MOST_ROOMS
        {
            return self.gone(room, "too_many_rooms", "leave another room first");
        }
        let account = self.account().await;
        match room {
            Room::Game(id) => {
                if let Err(error) = self.join_game(id, account, since).await {
                    self.gone(room, error.code(), &error.to_string());
                }
            }
            Room::Challenge(id) => {
                let lobby = self.live.0.lobby.clone();
                lobby.leave_challenge(id, self.outbox.socket());
                match lobby.join_challenge(id, self.outbox.clone(), (&self.visitor).into()).await {
                    Ok(()) => {
                        self.challenges.retain(|other| *other != id);
                        self.challenges.push(id);
                    }
                    Err(error) => self.gone(room, "unknown_challenge", &error.to_string()),
                }
            }
            Room::Lobby => {
                self.in_lobby = true;
                self.live.0.lobby.join_list(self.outbox.clone()).await;
            }
            Room::Event(id) => self.join_event(id).await,
            Room::Me => self.join_notices(account).await,
        }
    }

    async fn join_game(
        &mut self,
        id: GameId,
        account: Option<AccountId>,
        since: Option<u32>,
    ) -> Result<(), GameError> {
        // A game's task may leave just now: then there is another.
        for _ in 0..GAME_TRIES {
            let games = &self.live.0.games;
            let handle = games.open_for(id, &self.visitor).await?;
            if games.join(&handle, self.outbox.clone(), account, since).await {
                self.games.retain(|(other, _)| *other != id);
                self.games.push((id, handle));
                return Ok(());
            }
        }
        Err(GameError::Fault("the game's task ended".to_owned()))
    }

    /// Whether it would be one more of the rooms that are counted. Who asks for the rest of a room is in it already.
    fn is_new(&self, room: Room) -> bool {
        match room {
            Room::Game(id) => self.games.iter().all(|(game, _)| *game != id),
            Room::Challenge(id) => !self.challenges.contains(&id),
            Room::Event(id) => !self.events.contains(&id),
            Room::Lobby | Room::Me => false,
        }
    }

    async fn leave(&mut self, room: Room) {
        let socket = self.outbox.socket();
        match room {
            Room::Game(id) => {
                if let Some(place) = self.games.iter().position(|(other, _)| *other == id) {
                    let (_, handle) = self.games.swap_remove(place);
                    self.live.0.games.leave(id, &handle, socket).await;
                }
            }
            Room::Challenge(id) => {
                self.challenges.retain(|other| *other != id);
                self.live.0.lobby.leave_challenge(id, socket);
            }
            Room::Lobby => {
                self.in_lobby = false;
                self.live.0.lobby.leave_list(socket).await;
            }
            Room::Event(id) => self.leave_event(id),
            Room::Me => self.leave_notices().await,
        }
    }

    /// A guest gets an account with the first challenge, perhaps after the socket was opened: look again.
    async fn account(&mut self) -> Option<AccountId> {
        if self.visitor.account.is_none() {
            self.visitor = Box::pin(self.accounts.look_again(&self.visitor)).await;
            Box::pin(self.enter_lobby()).await;
        }
        self.visitor.account_id()
    }

    fn refuse(&self, game: GameId, ply: Option<u32>, error: &GameError) {
        let (code, reason) = (error.code().to_owned(), error.to_string());
        self.outbox
            .push(ServerMsg::Rejected { game: Some(game), ply, code, reason }.to_json().into());
    }

    fn reject(&self, game: Option<GameId>, code: &str, reason: &str) {
        let (code, reason) = (code.to_owned(), reason.to_owned());
        self.outbox.push(ServerMsg::Rejected { game, ply: None, code, reason }.to_json().into());
    }

    fn gone(&self, room: Room, code: &str, reason: &str) {
        let (code, reason) = (code.to_owned(), reason.to_owned());
        self.outbox.push(ServerMsg::Gone { room, code, reason }.to_json().into());
    }

    async fn say_goodbye(mut self, mut socket: WebSocket, close: Close) {
        let me = self.outbox.socket();
        self.live.forget(me);
        for (id, handle) in std::mem::take(&mut self.games) {
            self.live.0.games.leave(id, &handle, me).await;
        }
        for id in std::mem::take(&mut self.challenges) {
            self.live.0.lobby.leave_challenge(id, me);
        }
        for id in std::mem::take(&mut self.events) {
            self.live.0.tournaments.leave_room(id, me);
        }
        if self.in_lobby {
            self.live.0.lobby.leave_list(me).await;
        }
        self.quit_lobby().await;
        let time = self.time().clone();
        drop(self);
        if let Some((code, reason)) = close.frame() {
            let frame = CloseFrame { code, reason: Utf8Bytes::from_static(reason) };
            let _ = in_time(&time, socket.send(Message::Close(Some(frame)))).await;
        }
    }
}

/// Writes a frame. A reader that takes nothing blocks its own task only, and that not for long.
async fn in_time<E>(
    time: &Time,
    sending: impl Future<Output = Result<(), E>>,
) -> Result<(), Close> {
    let mut sending = std::pin::pin!(sending);
    // Nearly always it goes out at once, and no alarm has to be set.
    let at_once = poll_fn(|context| Poll::Ready(sending.as_mut().poll(context))).await;
    if let Poll::Ready(sent) = at_once {
        return sent.map_err(|_| Close::Gone);
    }
    tokio::select! {
        biased;
        sent = sending => sent.map_err(|_| Close::Gone),
        () = async { time.sleep(WRITE_WITHIN).await } => Err(Close::TooSlow),
    }
}

/// Why a socket is closed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Close {
    Gone,
    TooSlow,
    TooMany,
    Unreadable,
    /// Something of ours went wrong.
    Fault,
    Asked(Farewell),
}

impl Close {
    fn frame(self) -> Option<(u16, &'static str)> {
        match self {
            // A reader that is too slow would not read the reason either.
            Close::Gone | Close::TooSlow => None,
            Close::TooMany => Some((1008, "too many messages")),
            Close::Unreadable => Some((1003, "text messages only")),
            Close::Fault => Some((1011, "something went wrong on our side")),
            Close::Asked(Farewell::Restart) => Some((1012, "the server restarts")),
            // 4000 to 4999 are for applications.
            Close::Asked(Farewell::SignedOut) => Some((4001, "signed out")),
        }
    }
}

#[cfg(test)]
mod tests {
    use futures_util::{SinkExt as _, StreamExt as _};
    use store::{Place, Store};
    use tokio::net::TcpListener;
    use tokio_tungstenite::tungstenite;

    use super::*;
    use crate::Server;
    use crate::config::{BotsConfig, EnginesConfig, Settings};
    use crate::world::World;

    /// A message that makes the socket's task panic.
    pub(super) const FATAL: &str = "fail";

    #[tokio::test]
    async fn a_socket_whose_task_panics_is_told_so_and_leaves_nothing_behind() {
        let folder = tempfile::tempdir().unwrap();
        let (world, _) = World::simulated(1);
        let place = Place::Sqlite(folder.path().join("rookery.db"));
        let store = Store::open(place, folder.path()).await.unwrap();
        let settings = Settings {
            bots: BotsConfig { enabled: false, ..BotsConfig::default() },
            engines: EnginesConfig { enabled: false, ..EnginesConfig::default() },
            ..Settings::default()
        };
        let server = Server::start(store, world, settings).await.unwrap();
        let live = server.app.live.clone();
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        tokio::spawn(server.serve(listener));
        let (mut socket, _) =
            tokio_tungstenite::connect_async(format!("ws://{address}/ws")).await.unwrap();
        socket.send(tungstenite::Message::text(FATAL)).await.unwrap();
        let farewell = loop {
            if let tungstenite::Message::Close(frame) = socket.next().await.unwrap().unwrap() {
                break frame.unwrap();
            }
        };
        assert_eq!(u16::from(farewell.code), 1011);
        assert!(live.0.sockets.lock().is_empty());
        assert_eq!(live.0.open.get(), 0);
    }

    #[tokio::test]
    async fn a_reader_that_takes_nothing_is_waited_for_only_so_long() {
        let (world, hand) = World::simulated(1);
        let deaf = std::future::pending::<Result<(), axum::Error>>();
        let writing = tokio::spawn(async move { in_time(&world.time, deaf).await });
        while !writing.is_finished() {
            hand.advance(WRITE_WITHIN);
            tokio::task::yield_now().await;
        }
        assert_eq!(writing.await.unwrap(), Err(Close::TooSlow));
    }
}
