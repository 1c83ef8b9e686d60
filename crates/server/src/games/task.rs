//! The task of one game: owns it, judges what is asked, writes, and only then tells.
//!
//! The task is a cache. It can die at any time and be rebuilt from the log; nothing is told before it is on disk.

mod answers;
mod audience;
mod bots;
mod guard;
mod late;
mod rematch;
mod returning;
mod ruling;
mod slow_mail;
mod summary;
mod table;
mod talk;

use std::collections::VecDeque;
use std::ops::ControlFlow;
use std::sync::Arc;

use axum::extract::ws::Utf8Bytes;
use parking_lot::Mutex;
use ratings::Pools;
use rules::clock::Halt;
use rules::{Act, Actor, ByColor, Color, Command, Event, Game, Millis, Ply, Refusal, UnixMillis};
use store::{Account, AccountId, ChatRoom, GameId, Health, Store, StoreError, Summary};
use tokio::sync::{broadcast, mpsc, oneshot, watch};

pub use bots::Snapshot;

use super::chat::{ChatRule, Talk};
use super::house::estimated;
use super::lag::LagQuota;
use super::mutes::Muted;
use super::render::{Shown, Terms, Told, give_time};
use super::slow::{Outage, Slow, What};
use super::wire::{ChatLineView, GameCard, GameView, RatingChangeView, RematchView, Sides};
use super::{GameError, Metrics, Standing};
use crate::bots::Bell;
use crate::gmo::LookKey;
use crate::live::outbox::{Outbox, SocketId};
use crate::live::wire::ServerMsg;
use crate::world::{Sleep, World};
pub(crate) use late::Late;
pub(crate) use ruling::{Ruling, RulingAct};
pub(crate) use slow_mail::SlowMail;
pub(crate) use table::TableAct;

/// Frames kept for those who missed a few; who missed more gets the whole state.
const KEPT_FRAMES: usize = 8;
/// Lines of chat of each room that a newcomer sees.
const KEPT_LINES: usize = 100;
/// How long a finished game without visitors stays in memory.
const LINGER: i64 = 30_000;
/// A change in the number of watchers is told this much later, so that a crowd is told once.
const WATCHERS_TOLD_AFTER: i64 = 1_000;
/// A quiet running game is folded into its row after this long without an event.
const QUIET: i64 = 600_000;
/// A write that failed though the storage is well is tried again after this long.
const TRY_AGAIN: i64 = 1_000;

/// What a game's task can be asked.
pub(crate) enum Mail {
    /// Somebody wants something done.
    Act {
        by: AccountId,
        /// When it arrived.
        at: UnixMillis,
        /// The round trip of the sender's line.
        round_trip: Millis,
        act: Act,
        reply: Reply,
    },
    /// Both people at one computer agree on something, or one of them gives up.
    Table { by: AccountId, act: TableAct, reply: oneshot::Sender<Result<GameView, GameError>> },
    /// The arbiter or the program steps in.
    Arbitrate { act: Act, reply: oneshot::Sender<Result<(), GameError>> },
    /// A socket listens, from `since` on if it was here before.
    Join { outbox: Outbox, account: Option<AccountId>, since: Option<u32>, muted: Muted },
    /// It listens no more.
    Leave { socket: SocketId },
    /// Somebody says something.
    Say { by: Account, room: ChatRoom, text: String, reply: SayReply },
    /// Somebody wants to see the game.
    View { account: Option<AccountId>, muted: Muted, reply: oneshot::Sender<GameView> },
    /// Somebody who plays it on our side wants to see all of it.
    Peek { reply: oneshot::Sender<Snapshot> },
    /// Somebody wants a card of it.
    Card { account: Option<AccountId>, reply: oneshot::Sender<Option<GameCard>> },
    /// Somebody wants to know what stands on the board, if the game runs and counts.
    Standing { reply: oneshot::Sender<Option<Standing>> },
    /// Something about the game that is no part of its log is to be told to whoever looks.
    Tell(Utf8Bytes),
    /// A player has offered, accepted, declined or taken back a rematch, or its time is over.
    Rematch { by: Option<Color>, offer: Option<RematchView> },
    /// What only slow games and arbiters ask.
    Slow(SlowMail),
    /// The server is about to stop: the clocks are to stand.
    Drain { done: oneshot::Sender<()> },
}

/// Where the answer to an act goes.
pub(crate) enum Reply {
    /// To a socket: only a refusal needs an answer of its own, success comes with the room's events.
    Socket(Outbox),
    /// To an HTTP handler.
    Caller(oneshot::Sender<Result<GameView, GameError>>),
}

/// Where the answer to something said goes.
pub(crate) enum SayReply {
    /// To a socket: only a refusal needs an answer of its own.
    Socket(Outbox),
    /// To an HTTP handler.
    Caller(oneshot::Sender<Result<ChatLineView, GameError>>),
}

struct Listener {
    outbox: Outbox,
    account: Option<AccountId>,
    side: Option<Color>,
}

/// A game, rebuilt and ready to live.
pub(crate) struct Ready {
    pub(crate) id: GameId,
    pub(crate) game: Game,
    /// The game as watchers see it, where they see it late.
    pub(crate) late: Option<Late>,
    pub(crate) players: ByColor<Account>,
    pub(crate) terms: Terms,
    pub(crate) version: u32,
    pub(crate) rematch: Option<RematchView>,
    /// What a finished game did to the ratings.
    pub(crate) ratings: Option<Sides<RatingChangeView>>,
    /// When the server came back with it, if it was played before.
    pub(crate) back_since: Option<UnixMillis>,
}

/// What all games share.
#[derive(Clone)]
pub(crate) struct House {
    pub(crate) store: Store,
    pub(crate) world: World,
    pub(crate) metrics: Metrics,
    pub(crate) chat: ChatRule,
    pub(crate) pools: Arc<Pools>,
    /// Told of every game that is over, once that is on the disk.
    pub(crate) finished: broadcast::Sender<GameId>,
    /// Told of every rematch that has begun.
    pub(crate) rematches: broadcast::Sender<super::rematch::Begun>,
    pub(crate) slow: Slow,
    pub(crate) looks: LookKey,
    pub(crate) bell: Bell,
    /// How much later watchers see a running game.
    pub(crate) watch_delay: Millis,
}

/// Why a game's task ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Ending {
    /// Nobody needs it for now.
    Forgotten,
    /// What it knows is in doubt: it has to be rebuilt from the log.
    ReadAgain,
}

/// Puts a game on the list of those that run, or takes it off.
pub(crate) type Listing = Box<dyn Fn(bool) + Send + Sync>;

/// Who looks at a game, known outside its task too: whoever it is, a task that comes after a fault finds them.
#[derive(Clone, Default)]
pub(crate) struct Guests(Arc<Mutex<Vec<Guest>>>);

/// The way to somebody who looks, and who it is.
type Guest = (Outbox, Option<AccountId>);

impl Guests {
    fn note(&self, outbox: &Outbox, account: Option<AccountId>) {
        let mut guests = self.0.lock();
        guests.retain(|(other, _)| other.socket() != outbox.socket());
        guests.push((outbox.clone(), account));
    }

    fn forget(&self, socket: SocketId) {
        self.0.lock().retain(|(outbox, _)| outbox.socket() != socket);
    }

    /// Takes note of a letter that nobody has answered.
    pub(crate) fn hear(&self, mail: &Mail) {
        match mail {
            Mail::Join { outbox, account, .. } => self.note(outbox, *account),
            Mail::Leave { socket } => self.forget(*socket),
            _ => {}
        }
    }

    /// Those who still have a line.
    pub(crate) fn all(&self) -> Vec<(Outbox, Option<AccountId>)> {
        self.0.lock().iter().filter(|(outbox, _)| !outbox.is_closed()).cloned().collect()
    }
}

pub(crate) struct GameTask {
    id: GameId,
    game: Game,
    /// The same game, a step ahead while that step is on its way to the disk. A second copy that takes every step too
    /// costs less than a new copy for each.
    ahead: Game,
    /// The same game some seconds ago, where watchers see it late and it runs.
    late: Option<Late>,
    players: ByColor<Account>,
    terms: Terms,
    version: u32,
    listeners: Vec<Listener>,
    /// The same people, for whoever comes after this task.
    guests: Guests,
    /// The frames of the last events, the newest last.
    frames: VecDeque<Utf8Bytes>,
    rematch: Option<RematchView>,
    ratings: Option<Sides<RatingChangeView>>,
    talk: Talk,
    /// Since when each player is away: has left the board and done nothing here since.
    gone_since: ByColor<Option<UnixMillis>>,
    /// Until when each player is waited for after a start of the server; none for who is back.
    due_back: ByColor<Option<UnixMillis>>,
    quotas: ByColor<LagQuota>,
    /// The round trip of each player's line, as it was at the last move.
    round_trip: ByColor<Millis>,
    /// A write failed: the clocks stand until the store is back.
    held: bool,
    /// Since when.
    held_since: Option<UnixMillis>,
    /// When it is tried again though nobody says that the store is back: it may never have been away.
    try_again_at: Option<UnixMillis>,
    /// From when on an absence of the storage is still to be credited.
    owed_since: Option<UnixMillis>,
    /// It is not known whether the last write was kept: the game has to be read again.
    in_doubt: bool,
    /// When to look again for an answer that somebody has planned: the plans could not be read.
    answer_at: Option<UnixMillis>,
    around_due: Option<UnixMillis>,
    last_activity: UnixMillis,
    folded_version: u32,
    house: House,
    health: watch::Receiver<Health>,
    /// Absences of the storage, which a game of days pays for with nothing.
    outages: watch::Receiver<Option<Outage>>,
    /// Puts the game on the list of those that run, or takes it off.
    listing: Listing,
}

impl GameTask {
    pub(crate) fn new(ready: Ready, house: House, listing: Listing, guests: Guests) -> GameTask {
        let health = house.store.health();
        let outages = house.slow.outages();
        let now = house.world.time.now();
        let time = &ready.game.setup().time;
        let quotas = ByColor::new_with(|side| LagQuota::new(estimated(time, side)));
        let task = GameTask {
            id: ready.id,
            gone_since: bots::all_gone(&ready.players, now),
            due_back: returning::due_back(&ready.players, ready.back_since),
            ahead: ready.game.clone(),
            game: ready.game,
            late: ready.late,
            players: ready.players,
            terms: ready.terms,
            version: ready.version,
            listeners: Vec::new(),
            guests,
            frames: VecDeque::new(),
            rematch: ready.rematch,
            ratings: ready.ratings,
            talk: Talk::default(),
            quotas,
            round_trip: ByColor::same(Millis(0)),
            held: false,
            held_since: None,
            try_again_at: None,
            owed_since: None,
            in_doubt: false,
            answer_at: None,
            around_due: None,
            last_activity: now,
            folded_version: 0,
            house,
            health,
            outages,
            listing,
        };
        task.call_bots();
        task
    }

    /// Lives until the game is over and nobody looks any more, or it has to be read again.
    pub(crate) async fn run(mut self, inbox: &mut mpsc::Receiver<Mail>) -> Ending {
        let mut alarm: Option<(UnixMillis, Sleep)> = None;
        self.answer_by_plan().await;
        loop {
            if self.in_doubt {
                return Ending::ReadAgain;
            }
            // Every move changes what is due, nearly always to later. An alarm that rings too early finds nothing to do;
            // setting it anew for each move would cost more.
            if let Some(due) = self.next_due()
                && alarm.as_ref().is_none_or(|(set_to, _)| *set_to > due)
            {
                alarm = Some((due, self.house.world.time.sleep_until(due)));
            }
            tokio::select! {
                biased;
                mail = inbox.recv() => match mail {
                    Some(mail) => self.handle(mail).await,
                    None => return Ending::Forgotten,
                },
                () = wait(&mut alarm) => {
                    alarm = None;
                    if self.wake_up().await.is_break() {
                        return Ending::Forgotten;
                    }
                }
                changed = self.outages.changed(), if self.counts_days() => {
                    if changed.is_err() {
                        return Ending::Forgotten;
                    }
                    self.hear_of_outage().await;
                }
                changed = self.health.changed(), if self.held => {
                    if changed.is_err() {
                        return Ending::Forgotten;
                    }
                    self.try_to_go_on().await;
                }
            }
        }
    }

    /// The next moment at which something is to be done without anybody asking.
    fn next_due(&self) -> Option<UnixMillis> {
        let flag = if self.held {
            self.try_again_at.filter(|_| *self.health.borrow() == Health::Ready)
        } else {
            self.flag_due().map(|at| self.thawed(at))
        };
        let linger = (self.game.outcome().is_some() && self.listeners.is_empty())
            .then(|| UnixMillis(self.last_activity.0 + LINGER));
        let fold = (self.game.outcome().is_none() && self.folded_version < self.version)
            .then(|| UnixMillis(self.last_activity.0 + QUIET));
        let late = self.late.as_ref().and_then(Late::next_due);
        let rematch = self.rematch_ends();
        let back = self.awaited_until();
        let dues = [flag, back, self.around_due, self.answer_at, linger, fold, late, rematch];
        dues.into_iter().flatten().min()
    }

    /// When the flag is looked at: a move that was made in time may still be on its way, and its credit would save it.
    fn flag_due(&self) -> Option<UnixMillis> {
        let deadline = self.game.next_deadline().filter(|_| self.awaited_until().is_none())?;
        let on_its_way = match self.game.to_act() {
            Some(side) if self.gone_since[side].is_none() => {
                self.quotas[side].outlook(self.round_trip[side])
            }
            _ => Millis(0),
        };
        Some(UnixMillis(deadline.0 + on_its_way.0))
    }

    async fn wake_up(&mut self) -> ControlFlow<()> {
        let now = self.house.world.time.now();
        if self.around_due.is_some_and(|due| due <= now) {
            self.tell_around();
        }
        self.tell_late(now);
        if self.held && self.try_again_at.is_some_and(|due| due <= now) {
            self.try_again_at = None;
            self.try_to_go_on().await;
            return ControlFlow::Continue(());
        }
        if self.answer_at.is_some_and(|due| due <= now) {
            self.answer_at = None;
            self.answer_by_plan().await;
            return ControlFlow::Continue(());
        }
        if let Some(side) = self.game.to_act()
            && self.awaited_until().is_some_and(|until| until <= now)
        {
            self.end_grace(side).await;
            return ControlFlow::Continue(());
        }
        let is_due = |task: &GameTask| {
            let flag = task.flag_due().filter(|_| !task.held && !task.is_frozen());
            flag.is_some_and(|deadline| deadline <= now)
        };
        if is_due(self) {
            // The storage may have been away until just now: that is given back before the flag is looked at. A failed
            // write is noted as `held`; there is nobody to tell.
            if self.credit_outage().await.is_ok() {
                self.answer_by_plan().await;
                if is_due(self) {
                    let _ = self.act(Command::new(Actor::Server, now, Act::CheckFlag)).await;
                }
            }
            return ControlFlow::Continue(());
        }
        self.end_rematch(now).await;
        let quiet = now.0 - self.last_activity.0;
        if self.game.outcome().is_some() && self.listeners.is_empty() && quiet >= LINGER {
            return ControlFlow::Break(());
        }
        if self.game.outcome().is_none() && quiet >= QUIET {
            self.fold();
        }
        ControlFlow::Continue(())
    }

    async fn handle(&mut self, mail: Mail) {
        if self.late.is_some() {
            // Mail may come before the alarm that rings at the same moment.
            self.tell_late(self.house.world.time.now());
        }
        match mail {
            Mail::Act { by, at, round_trip, act, reply } => {
                self.handle_act(by, at, round_trip, act, reply).await;
            }
            Mail::Table { by, act, reply } => {
                let _ = reply.send(self.settle_at_table(by, act).await);
            }
            Mail::Arbitrate { act, reply } => {
                let now = self.house.world.time.now();
                let _ = reply.send(self.act(Command::new(Actor::Arbiter, now, act)).await);
            }
            Mail::Join { outbox, account, since, muted } => {
                self.read_chat().await;
                if let Some(side) = self.side_of(account) {
                    self.end_grace(side).await;
                }
                let muted = self.or_everybody(muted);
                self.join(&outbox, account, since, &muted);
            }
            Mail::Say { by, room, text, reply } => self.handle_say(by, room, &text, reply).await,
            Mail::Leave { socket } => self.leave(socket),
            Mail::View { account, muted, reply } => {
                self.read_chat().await;
                let muted = self.or_everybody(muted);
                // A caller that went away has no use for the answer, here and below.
                let _ = reply.send(self.view(self.side_of(account), &muted));
            }
            Mail::Peek { reply } => {
                let _ = reply.send(self.snapshot());
            }
            Mail::Card { account, reply } => {
                let side = self.side_of(account);
                let (shown, now) = self.shown_to(side);
                let is_your_move = side.is_some_and(|side| self.waits_for(side));
                let card = || GameCard { is_your_move, ..shown.card(now) };
                let _ = reply.send(self.game.outcome().is_none().then(card));
            }
            Mail::Standing { reply } => {
                let is_at_stake = self.is_guarded() && self.game.outcome().is_none();
                let _ = reply.send(is_at_stake.then(|| Standing::of(self.id, &self.game)));
            }
            Mail::Tell(frame) => {
                self.listeners.iter().for_each(|listener| listener.outbox.push(frame.clone()));
            }
            Mail::Rematch { by, offer } => {
                self.rematch = offer;
                if let Some(side) = by {
                    self.note_sign_of_life(side);
                }
                self.tell_around();
                self.call_bots();
            }
            Mail::Slow(mail) => self.handle_slow(mail).await,
            Mail::Drain { done } => {
                if self.game.outcome().is_none() {
                    let now = self.house.world.time.now();
                    let _ =
                        self.act(Command::new(Actor::Server, now, Act::Pause(Halt::Server))).await;
                }
                let _ = done.send(());
            }
        }
    }

    async fn handle_act(
        &mut self,
        by: AccountId,
        at: UnixMillis,
        round_trip: Millis,
        act: Act,
        reply: Reply,
    ) {
        if let Some(side) = self.side_of(Some(by)) {
            self.end_grace(side).await;
        }
        let sent_ply = if let Act::Play { ply, .. } = &act { Some(*ply) } else { None };
        let credited = match self.credit_outage().await {
            Ok(()) => self.hold_flag(at).await,
            failed => failed,
        };
        let result = match self.side_of(Some(by)) {
            None => Err(self.not_from_here(by)),
            Some(_) if credited.is_err() => credited,
            Some(side) if self.is_resent(side, &act) => {
                if let Reply::Socket(outbox) = &reply {
                    let muted = self.muted_by(by).await;
                    outbox.push(self.state_frame(Some(side), &muted));
                }
                Ok(())
            }
            Some(side) => {
                let lag = if sent_ply.is_some() {
                    self.round_trip[side] = round_trip;
                    self.quotas[side].outlook(round_trip)
                } else {
                    Millis(0)
                };
                let act = self.complete(side, act, at);
                let done = self.act(Command { by: Actor::Player(side), at, lag, act }).await;
                if done.is_ok() {
                    if sent_ply.is_some() {
                        self.quotas[side].take(lag);
                    }
                    self.note_sign_of_life(side);
                    self.answer_by_plan().await;
                }
                done
            }
        };
        match (reply, result) {
            (Reply::Socket(_), Ok(())) => {}
            // A refusal would take the move off the board; unanswered it stays there, and is sent again after the restart.
            (Reply::Socket(_), Err(GameError::Refused(Refusal::Paused)))
                if sent_ply.is_some() && self.game.paused() == Some(Halt::Server) => {}
            (Reply::Socket(outbox), Err(error)) => {
                let (code, reason) = (error.code().to_owned(), error.to_string());
                let ply = sent_ply.map(|ply| ply.0);
                outbox.push(
                    ServerMsg::Rejected { game: Some(self.id), ply, code, reason }.to_json().into(),
                );
            }
            (Reply::Caller(answer), result) => {
                let muted = self.muted_by(by).await;
                let view = result.map(|()| self.view(self.side_of(Some(by)), &muted));
                let _ = answer.send(view);
            }
        }
    }

    /// What only the server knows of an act: to whom time is given, how long the other has been away.
    fn complete(&self, side: Color, act: Act, at: UnixMillis) -> Act {
        match act {
            Act::AddTime { .. } => give_time(side),
            Act::ClaimAbandonment { claim, .. } => {
                let gone = self.gone_since[side.other()].map_or(0, |since| at.0 - since.0);
                Act::ClaimAbandonment { gone: Millis(gone), claim }
            }
            other => other,
        }
    }

    /// Whether a move is one that this side made before: sent again after a gap, it is answered and changes nothing.
    fn is_resent(&self, side: Color, act: &Act) -> bool {
        let Act::Play { ply, action } = act else { return false };
        let same = self.game.has_played(*ply, action);
        let is_own = self.terms.host.is_some() || self.mover_at(*ply) == Some(side);
        same && *ply < self.game.ply() && is_own
    }

    fn mover_at(&self, ply: Ply) -> Option<Color> {
        let behind = self.game.ply().0.checked_sub(ply.0)?;
        let now = self.game.position().side_to_act();
        Some(if behind % 2 == 0 { now } else { now.other() })
    }

    async fn act(&mut self, command: Command) -> Result<(), GameError> {
        self.carry_out(command, None).await
    }

    /// Judges, writes, and then tells. An arbiter's ruling is written with what it changes.
    async fn carry_out(
        &mut self,
        command: Command,
        ruling: Option<Ruling>,
    ) -> Result<(), GameError> {
        let events = self.game.decide(&command)?;
        let ends = events.iter().any(|event| matches!(event, Event::Ended { .. }));
        let was_over = self.game.outcome().is_some();
        let was_adjourned =
            matches!(self.game.paused(), Some(Halt::Players | Halt::Arbiter)) && !was_over;
        let is_plain = !ends && ruling.is_none();
        let first_version = self.version + 1;
        // A plain move is on its way to the disk while its frame is rendered; an end has to know the last position.
        let early =
            is_plain.then(|| self.house.store.append_events(self.id, first_version, &events, None));
        let frames = self.step_ahead(&events, command.at)?;
        let writing = early.unwrap_or_else(|| {
            let decision = ruling.and_then(|ruling| self.decision(ruling, &events)).map(Box::new);
            let summary = Summary { decision, ..self.summary(command.at) };
            self.house.store.append_events(self.id, first_version, &events, Some(summary))
        });
        let appended = match writing.await {
            Ok(appended) => appended,
            Err(error) => {
                self.ahead = self.game.clone();
                self.held = true;
                self.held_since.get_or_insert(command.at);
                self.try_again_at = Some(UnixMillis(self.house.world.time.now().0 + TRY_AGAIN));
                self.in_doubt = matches!(error, StoreError::Unknown(_) | StoreError::Conflict);
                return Err(GameError::Store(error));
            }
        };
        self.house.metrics.events.inc_by(events.len() as u64);
        for event in &events {
            self.game.apply(event).map_err(|error| GameError::Fault(error.to_string()))?;
        }
        self.version += u32::try_from(events.len()).unwrap_or(u32::MAX);
        self.held = false;
        self.held_since = None;
        self.last_activity = self.house.world.time.now();
        // A game that goes on after an adjournment waits for somebody again.
        let goes_on = was_adjourned && self.game.paused().is_none();
        let news = What::of(&events, self.game.to_act()).or(goes_on.then_some(What::Asked));
        self.tell(frames, events);
        match appended.ratings {
            Some(changes) => self.tell_ratings(&changes),
            None if was_over => self.ratings = None,
            None => {}
        }
        if self.gone_since.white.is_some() || self.gone_since.black.is_some() {
            // Whose turn it is decides whether an absent player is waited for.
            self.tell_gone();
        }
        self.call_bots();
        if ends {
            // Nobody may be listening.
            let _ = self.house.finished.send(self.id);
            (self.listing)(false);
            self.fold();
        } else if was_over {
            (self.listing)(true);
        }
        if let Some(what) = news {
            self.ring(what);
        }
        Ok(())
    }

    /// Takes the copy through these events. Gives the frames that will tell of them.
    fn step_ahead(
        &mut self,
        events: &[Event],
        at: UnixMillis,
    ) -> Result<Vec<Utf8Bytes>, GameError> {
        let mut frames = Vec::with_capacity(events.len());
        for (event, version) in events.iter().zip(self.version + 1..) {
            let told = Told::of(self.ahead.position(), event);
            if let Err(error) = self.ahead.apply(event) {
                self.ahead = self.game.clone();
                return Err(GameError::Fault(error.to_string()));
            }
            let game = &self.ahead;
            let (id, players, terms) = (self.id, &self.players, &self.terms);
            let looks = &self.house.looks;
            let shown = Shown { id, game, players, terms, version, looks };
            frames.push(Utf8Bytes::from(shown.message(told, event, at).to_json()));
        }
        Ok(frames)
    }

    /// Has the log's tail moved into the game's row. Housekeeping that nobody waits for.
    fn fold(&mut self) {
        self.house.store.fold_soon(self.id);
        self.folded_version = self.version;
    }

    fn tell(&mut self, frames: Vec<Utf8Bytes>, events: Vec<Event>) {
        let watchers_wait = self.late.is_some();
        for frame in frames {
            for listener in &self.listeners {
                if listener.side.is_some() || !watchers_wait {
                    listener.outbox.push(frame.clone());
                }
            }
            if self.frames.len() == KEPT_FRAMES {
                self.frames.pop_front();
            }
            self.frames.push_back(frame);
        }
        if let Some(late) = &mut self.late {
            for event in events {
                late.push(event);
            }
            self.tell_late(self.last_activity);
        } else if self.game.outcome().is_none() {
            // A game that an arbiter has opened again.
            self.late = Late::at(self.game.clone(), self.version, self.house.watch_delay);
        }
    }

    /// The side somebody has here. At one computer whoever began the game has both, one after the other.
    fn side_of(&self, account: Option<AccountId>) -> Option<Color> {
        let account = account?;
        if let Some(host) = self.terms.host {
            return (host == account).then(|| self.side_at_table());
        }
        [Color::White, Color::Black].into_iter().find(|side| self.players[*side].id == account)
    }
}

async fn wait(alarm: &mut Option<(UnixMillis, Sleep)>) {
    match alarm {
        Some((_, sleep)) => sleep.await,
        None => std::future::pending().await,
    }
}
