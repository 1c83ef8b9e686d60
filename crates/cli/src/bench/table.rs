//! One table: two clients that play recorded games against each other, come back by themselves, and write down all.

use std::sync::Arc;

use anyhow::{Context as _, bail};
use futures_util::future::OptionFuture;
use server::games::wire::{ChatLineView, ClocksView, GameChange, RatingChangeView, Sides};
use server::live::wire::{Room, RoomState, ServerMsg};
use store::GameId;

use super::checker::{Clocks, GameHistory, Line, Note, RatingStep, State, What};
use super::frames::{self, Kind};
use super::hall::Hall;
use super::latency::Latencies;
use super::pace::Pace;
use super::recorded::MoveText;
use super::socket::{Broken, Socket};

/// Before which plies somebody says something, answers, and offers a draw.
const TALK_AT: u32 = 3;
const REPLY_AT: u32 = 6;
const OFFER_AT: u32 = 8;

/// What a table brings home.
pub(super) struct Finished {
    pub(super) games: Vec<GameHistory>,
    /// From the sender's send to the opponent's receipt: in peace, and besieged.
    pub(super) latencies: [Latencies; 2],
    pub(super) sizes: Sizes,
    /// Still open, so that the server's memory can be looked at.
    _sockets: [Socket; 2],
}

/// How large the frames were, all together.
#[derive(Debug, Default, Clone, Copy)]
pub(super) struct Sizes {
    pub(super) moves: usize,
    pub(super) move_bytes: usize,
    pub(super) frames: usize,
    pub(super) frame_bytes: usize,
}

impl Sizes {
    /// As they are in a game, before one has been played.
    pub(super) const USUAL: Sizes = Sizes { moves: 1, move_bytes: 54, frames: 1, frame_bytes: 512 };

    pub(super) fn add(&mut self, other: &Sizes) {
        self.moves += other.moves;
        self.move_bytes += other.move_bytes;
        self.frames += other.frames;
        self.frame_bytes += other.frame_bytes;
    }
}

pub(super) struct Table {
    hall: Arc<Hall>,
    number: usize,
    cookies: [String; 2],
    sockets: [Socket; 2],
    pace: Pace,
    board: Board,
    /// The hall waits for word that both clients have heard from their game.
    is_awaited: bool,
    script: usize,
    past: Vec<GameHistory>,
    latencies: [Latencies; 2],
    sizes: Sizes,
}

/// The game on the table.
#[derive(Default)]
struct Board {
    history: GameHistory,
    seats: [Seat; 2],
    resigned: bool,
}

/// What one client knows.
#[derive(Default, Clone, Copy)]
struct Seat {
    version: u32,
    ply: u32,
    ended: bool,
    /// It has heard from the game since its socket was opened.
    is_here: bool,
    /// The ply of its move that was not acknowledged yet.
    pending: Option<u32>,
    /// The ply of its last move and the moment it was sent; none if the line broke since or nobody counts.
    sent: Option<(u32, u64)>,
}

impl Table {
    pub(super) fn new(
        hall: Arc<Hall>,
        number: usize,
        cookies: [String; 2],
        sockets: [Socket; 2],
        pace: Pace,
    ) -> Table {
        Table {
            hall,
            number,
            cookies,
            sockets,
            pace,
            board: Board::default(),
            is_awaited: true,
            script: 0,
            past: Vec::new(),
            latencies: Default::default(),
            sizes: Sizes::default(),
        }
    }

    /// Plays one recorded game after the other until the hall closes.
    pub(super) async fn run(mut self) -> anyhow::Result<Finished> {
        let mut round = self.number;
        while !self.hall.is_over() {
            self.script = round % self.hall.recorded.len();
            let id = self.hall.begin_game(&self.cookies).await?;
            self.board = Board::default();
            self.board.history.id = id;
            self.board.history.table = self.number;
            self.enter().await?;
            self.play().await?;
            self.past.push(std::mem::take(&mut self.board.history));
            round += 1;
        }
        let Table { past: games, latencies, sizes, sockets, .. } = self;
        Ok(Finished { games, latencies, sizes, _sockets: sockets })
    }

    /// Plays the game on the board to its end, or until the hall closes.
    async fn play(&mut self) -> anyhow::Result<()> {
        loop {
            if self.board.seats.iter().all(|seat| seat.ended) {
                return self.leave().await;
            }
            let over = self.hall.is_over();
            if over && self.board.is_quiet() {
                return Ok(());
            }
            let mover = if over { None } else { self.board.mover() };
            let wait = mover.and_then(|_| self.pace.wait());
            if let (Some(seat), None) = (mover, &wait) {
                self.make_move(seat).await?;
                continue;
            }
            let [white, black] = &mut self.sockets;
            let (seat, heard) = tokio::select! {
                heard = white.next() => (0, heard),
                heard = black.next() => (1, heard),
                Some(()) = OptionFuture::from(wait) => continue,
            };
            match heard {
                Ok(frame) => self.hear(seat, &frame).await?,
                Err(Broken { .. }) => self.come_back().await?,
            }
        }
    }

    /// The next move of the record, or the end after the last.
    async fn make_move(&mut self, seat: usize) -> anyhow::Result<()> {
        let ply = self.board.seats[seat].ply;
        if self.remark(seat, ply).await.is_err() {
            return self.come_back().await;
        }
        if self.action(ply).is_some() {
            self.board.seats[seat].pending = Some(ply);
            let now = self.hall.time.micros();
            self.board.seats[seat].sent = self.hall.is_counting().then_some((ply, now));
        } else {
            self.board.resigned = true;
        }
        self.pace.moved();
        match self.send_pending(seat).await {
            Ok(()) => Ok(()),
            Err(Broken { .. }) => self.come_back().await,
        }
    }

    /// Now and then somebody says something or offers a draw before moving. Neither is sent again if the line breaks:
    /// what nobody acknowledged may be gone.
    async fn remark(&mut self, seat: usize, ply: u32) -> Result<(), Broken> {
        let id = &self.board.history.id;
        let (note, text) = match ply {
            TALK_AT | REPLY_AT => {
                let said = format!("{id} at ply {ply}");
                let text =
                    format!(r#"{{"t":"chat","game":"{id}","room":"players","text":"{said}"}}"#);
                (Note::Said { text: said }, text)
            }
            OFFER_AT => (Note::Offered, format!(r#"{{"t":"offer_draw","game":"{id}"}}"#)),
            _ => return Ok(()),
        };
        let notes = &mut self.board.history.seats[seat];
        if notes.contains(&note) {
            return Ok(());
        }
        notes.push(note);
        self.sockets[seat].send(text).await
    }

    /// Sends what waits for an answer, perhaps again.
    async fn send_pending(&mut self, seat: usize) -> Result<(), Broken> {
        let id = &self.board.history.id;
        let text = match self.board.seats[seat].pending {
            Some(ply) => {
                let action = self.action(ply).expect("only moves of the record are pending");
                let text = format!(r#"{{"t":"move","game":"{id}","ply":{ply},"uci":"{action}"}}"#);
                self.sizes.moves += 1;
                self.sizes.move_bytes += text.len();
                self.board.history.seats[seat].push(Note::Sent { ply, action });
                text
            }
            None if self.board.resigned && self.board.is_turn_of(seat) => {
                format!(r#"{{"t":"resign","game":"{id}"}}"#)
            }
            None => return Ok(()),
        };
        self.sockets[seat].send(text).await
    }

    fn action(&self, ply: u32) -> Option<MoveText> {
        self.hall.recorded[self.script].get(ply as usize).copied()
    }

    async fn hear(&mut self, seat: usize, frame: &str) -> anyhow::Result<()> {
        let kind = frames::kind(frame);
        match kind {
            Kind::Played => {
                let played = frames::played(frame).context("a move that cannot be read")?;
                if played.game == self.board.history.id {
                    self.sizes.frames += 1;
                    self.sizes.frame_bytes += frame.len();
                    self.hear_move(seat, played);
                }
            }
            Kind::Around => {
                if frames::game(frame) == Some(&self.board.history.id) {
                    self.hear_around(seat).await?;
                }
            }
            Kind::State | Kind::Changed | Kind::Chat | Kind::Rated => {
                self.hear_change(seat, serde_json::from_str(frame)?)?;
            }
            // The last move gave mate: the resignation that followed came too late.
            Kind::Rejected if frame.contains(r#""ply":null,"code":"game_over""#) => {}
            // An offer that was made before the line broke, and again by somebody who does not know of it.
            Kind::Rejected if frame.contains(r#""ply":null,"code":"already_offered""#) => {}
            Kind::Rejected | Kind::Gone => {
                bail!("game {}: the server said {frame}", self.board.history.id)
            }
            Kind::Other => {}
        }
        Ok(())
    }

    fn hear_move(&mut self, seat: usize, played: frames::Played<'_>) {
        let frames::Played { version, ply, action, clocks, .. } = played;
        self.board.history.seats[seat].push(Note::Played { version, ply, action, clocks });
        let before = ply.saturating_sub(1);
        let sender = before as usize % 2;
        let seats = &mut self.board.seats;
        seats[seat].version = version;
        seats[seat].ply = ply;
        if sender == seat {
            seats[seat].pending = seats[seat].pending.filter(|pending| *pending != before);
        } else if let Some((sent_for, at)) = seats[sender].sent
            && sent_for == before
            && self.hall.is_counting()
        {
            self.latencies[usize::from(self.hall.is_besieged())].add(self.hall.time.micros() - at);
        }
    }

    /// What surrounds a game is told last when a client joins or resumes: from here on it is up to date.
    async fn hear_around(&mut self, seat: usize) -> anyhow::Result<()> {
        if self.board.seats[seat].is_here {
            return Ok(());
        }
        self.board.seats[seat].is_here = true;
        if self.is_awaited && self.board.seats.iter().all(|seat| seat.is_here) {
            self.is_awaited = false;
            self.hall.table_is_back();
        }
        match self.send_pending(seat).await {
            Ok(()) => Ok(()),
            Err(Broken { .. }) => self.come_back().await,
        }
    }

    fn hear_change(&mut self, seat: usize, message: ServerMsg) -> anyhow::Result<()> {
        let Some((id, note)) = note_of(message, self.hall.since_start_ms())? else {
            return Ok(());
        };
        if id.as_str() == self.board.history.id {
            self.board.learn(seat, &note);
            self.board.history.seats[seat].push(note);
        }
        Ok(())
    }

    /// Both clients open new sockets and ask for what they missed.
    async fn come_back(&mut self) -> anyhow::Result<()> {
        for notes in &mut self.board.history.seats {
            notes.push(Note::Cut);
        }
        self.is_awaited = true;
        for seat in 0..2 {
            self.sockets[seat] = self.hall.open_socket(&self.cookies[seat]).await?;
        }
        self.enter().await
    }

    async fn enter(&mut self) -> anyhow::Result<()> {
        let room = Room::Game(self.board.history.id.parse()?);
        for seat in 0..2 {
            let Seat { version, .. } = self.board.seats[seat];
            self.board.seats[seat].is_here = false;
            self.board.seats[seat].sent = None;
            let known =
                self.board.history.seats[seat].iter().any(|note| !matches!(note, Note::Cut));
            let text = if known {
                format!(r#"{{"t":"resume","room":"{room}","version":{version}}}"#)
            } else {
                format!(r#"{{"t":"join","room":"{room}"}}"#)
            };
            // A socket that is broken already says so when it is read.
            let _ = self.sockets[seat].send(text).await;
        }
        Ok(())
    }

    async fn leave(&mut self) -> anyhow::Result<()> {
        for socket in &mut self.sockets {
            let _ = socket
                .send(format!(r#"{{"t":"leave","room":"game:{}"}}"#, self.board.history.id))
                .await;
        }
        Ok(())
    }
}

impl Board {
    fn learn(&mut self, seat: usize, note: &Note) {
        let seat = &mut self.seats[seat];
        match note {
            Note::State(state) => {
                seat.version = state.version;
                seat.ply = u32::try_from(state.actions.len()).unwrap_or(u32::MAX);
                seat.ended = state.ended.is_some();
                // A move that came through after all: its sender learns of it here.
                seat.pending = seat.pending.filter(|pending| *pending >= seat.ply);
            }
            Note::Changed { version, what } => {
                seat.version = *version;
                seat.ended |= matches!(what, What::Ended(_));
            }
            _ => {}
        }
    }

    fn is_turn_of(&self, seat: usize) -> bool {
        self.seats[seat].ply as usize % 2 == seat
    }

    /// Who may move now.
    fn mover(&self) -> Option<usize> {
        let ready = self.seats.iter().all(|seat| seat.is_here && !seat.ended) && !self.resigned;
        (0..2).find(|seat| ready && self.is_turn_of(*seat) && self.seats[*seat].pending.is_none())
    }

    /// Nothing is under way: both know the same and wait for no answer.
    fn is_quiet(&self) -> bool {
        let [white, black] = &self.seats;
        let same = white.ply == black.ply && white.ended == black.ended;
        let waits = self.resigned && !white.ended;
        let heard = white.is_here && black.is_here;
        same && heard && !waits && white.pending.is_none() && black.pending.is_none()
    }
}

/// What a message other than a move says of a game, to be written down.
pub(super) fn note_of(
    message: ServerMsg,
    since_start_ms: i64,
) -> anyhow::Result<Option<(GameId, Note)>> {
    Ok(Some(match message {
        ServerMsg::State { room: Room::Game(id), version, state: RoomState::Game(view) } => {
            let actions: Option<Vec<MoveText>> =
                view.moves.iter().map(|played| MoveText::new(&played.uci)).collect();
            let state = State {
                version,
                actions: actions.context("a state with a move that cannot be read")?,
                ended: view.outcome,
                clocks: clocks(view.clocks).context("a game without clocks")?,
                is_offered: view.draw_offer.is_some(),
                chat: view.chat.iter().map(line).collect(),
                since_start_ms,
            };
            (id, Note::State(state))
        }
        ServerMsg::Changed { game, version, change, .. } => {
            let what = match change {
                GameChange::Ended { outcome, .. } => What::Ended(outcome),
                GameChange::DrawOffered { .. } => What::DrawOffered,
                _ => What::Other,
            };
            (game, Note::Changed { version, what })
        }
        ServerMsg::Chat { game, line: said } => (game, Note::Heard(line(&said))),
        ServerMsg::Rated { game, ratings } => (game, Note::Rated(rating_steps(&ratings))),
        _ => return Ok(None),
    }))
}

/// A line of chat as the checker knows it.
pub(super) fn line(view: &ChatLineView) -> Line {
    Line { number: view.number, text: view.text.clone() }
}

/// What a game did to both ratings, as the checker knows it.
pub(super) fn rating_steps(view: &Sides<RatingChangeView>) -> [RatingStep; 2] {
    [view.white, view.black]
        .map(|RatingChangeView { before, after, .. }| RatingStep { before, after })
}

fn clocks(view: ClocksView) -> Option<Clocks> {
    Some(Clocks { white: view.white_ms?, black: view.black_ms? })
}
