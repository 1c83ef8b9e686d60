//! Games: who may do what in them, where they live, how they come back after a stop.

pub mod chat;
pub mod day_time;
mod downtime;
mod faults;
pub mod house;
mod lag;
mod lives;
pub(crate) mod mutes;
pub(crate) mod pgn;
pub mod plan;
mod record;
mod rematch;
pub(crate) mod render;
pub mod routes;
mod running;
mod seats;
pub(crate) mod slow;
pub(crate) mod slow_games;
mod standing;
mod strength;
mod task;
pub mod wire;

use std::collections::HashMap;
use std::sync::Arc;

use parking_lot::RwLock;
use prometheus_client::metrics::counter::Counter;
use ratings::{Pool, Pools};
use rules::{Act, ByColor, Color, Millis, Refusal, UnixMillis};
use store::{Account, AccountId, Challenge, ChatRoom, GameId, NewGame, Sight, Store, StoreError};
use tokio::sync::{broadcast, mpsc, oneshot};

use crate::bots::Bell;
use crate::config::GamesConfig;
use crate::gmo::LookKey;
use crate::live::outbox::{Outbox, SocketId};
use crate::world::{Time, World};
use chat::{ChatRefusal, ChatRule};
use faults::Faults;
use plan::PlanError;
use render::rating_views;
use running::Running;
use seats::Seats;
use slow::Slow;
pub use standing::Standing;
pub use strength::Strength;
pub use task::Snapshot;
use task::{House, Mail, Ready, Reply, SayReply};
use wire::{ChatLineView, GameCard, GameView, RatingChangeView, Sides};

/// So many games can be read at once.
const TURNS: usize = 64;
/// Ends of games that may wait for a slow listener, who is then told that some were missed.
const FINISHED: usize = 1_024;

/// Why a game could not be shown or changed.
#[derive(Debug, Clone, thiserror::Error)]
pub enum GameError {
    /// There is no such game.
    #[error("there is no such game")]
    Unknown,
    /// The account does not sit at this board.
    #[error("you do not play in this game")]
    NotYourGame,
    /// The account plays, but not from here.
    #[error("this game is played at one computer: its moves are made there")]
    AtOneComputer,
    /// The rules say no.
    #[error(transparent)]
    Refused(#[from] Refusal),
    /// It may not be said.
    #[error(transparent)]
    Chat(#[from] ChatRefusal),
    /// The conditional moves make no sense.
    #[error(transparent)]
    Plan(#[from] PlanError),
    /// What there is to know about the pieces is not known to everybody.
    #[error("the genomes of this game are hidden: it can be looked into once they are revealed")]
    Hidden,
    /// A rematch makes sense only after the end.
    #[error("the game is still running")]
    StillRunning,
    /// Nobody offers one.
    #[error("there is no rematch on offer")]
    NoRematch,
    /// Nobody who plays or has talked at this board.
    #[error("nobody of this name was heard at this board")]
    NobodyToMute,
    /// The server is about to stop.
    #[error("the server is about to restart; try again in a minute")]
    Draining,
    /// The store said no.
    #[error("{}", store_words(.0))]
    Store(#[from] StoreError),
    /// Something that cannot happen.
    #[error("something went wrong on our side")]
    Fault(String),
}

fn store_words(error: &StoreError) -> &'static str {
    match error {
        StoreError::Away(_) => {
            "the server cannot write to its disk at the moment; nothing was lost, the clocks stand"
        }
        StoreError::Unknown(_) => {
            "the server's database fell silent; whether this was kept shows when it answers again, and the clocks stand until then"
        }
        StoreError::Stopped(_) => {
            "the server's disk has failed; it accepts nothing until its owner has looked at it"
        }
        StoreError::Conflict => "somebody else was faster",
        _ => "something went wrong on our side",
    }
}

impl GameError {
    /// The reason for programs.
    pub fn code(&self) -> &'static str {
        match self {
            GameError::Unknown => "unknown_game",
            GameError::NotYourGame => "not_your_game",
            GameError::AtOneComputer => "at_one_computer",
            GameError::Refused(refusal) => refusal.code(),
            GameError::Chat(refusal) => refusal.code(),
            GameError::Plan(error) => error.code(),
            GameError::NobodyToMute => "nobody_to_mute",
            GameError::Hidden => "hidden_genomes",
            GameError::StillRunning => "still_running",
            GameError::NoRematch => "no_rematch",
            GameError::Draining => "draining",
            GameError::Store(StoreError::Conflict) => "conflict",
            GameError::Store(_) => "storage",
            GameError::Fault(_) => "fault",
        }
    }
}

/// What the games count.
#[derive(Clone, Default)]
pub struct Metrics {
    /// Events written.
    pub events: Counter,
    /// Tasks that panicked and were rebuilt.
    pub rebuilt: Counter,
}

/// The way to one game's task.
#[derive(Clone)]
pub struct GameHandle {
    post: mpsc::Sender<Mail>,
    seats: Arc<Seats>,
}

impl GameHandle {
    /// Whether the game's task still lives.
    pub fn is_alive(&self) -> bool {
        !self.post.is_closed()
    }

    async fn ask<T>(&self, mail: impl FnOnce(oneshot::Sender<T>) -> Mail) -> Result<T, GameError> {
        let (reply, told) = oneshot::channel();
        let ended = || GameError::Fault("the game's task ended".to_owned());
        self.post.send(mail(reply)).await.map_err(|_| ended())?;
        told.await.map_err(|_| ended())
    }

    /// Sends an act from a socket; a refusal comes back by its outbox. False if the game's task has ended.
    pub async fn act_from(
        &self,
        by: AccountId,
        at: UnixMillis,
        round_trip: Millis,
        act: Act,
        outbox: &Outbox,
    ) -> bool {
        let reply = Reply::Socket(outbox.clone());
        self.post.send(Mail::Act { by, at, round_trip, act, reply }).await.is_ok()
    }

    /// Says something from a socket; a refusal comes back by its outbox. False if the game's task has ended.
    pub async fn say_from(
        &self,
        by: Account,
        room: ChatRoom,
        text: String,
        outbox: &Outbox,
    ) -> bool {
        let reply = SayReply::Socket(outbox.clone());
        self.post.send(Mail::Say { by, room, text, reply }).await.is_ok()
    }

    /// The socket listens no more.
    pub async fn leave(&self, socket: SocketId) {
        let _ = self.post.send(Mail::Leave { socket }).await;
    }
}

/// All games. Cheap to clone.
#[derive(Clone)]
pub struct Games(Arc<Inner>);

struct Inner {
    house: House,
    handles: RwLock<HashMap<GameId, GameHandle>>,
    running: Running,
    /// One at a time begins a game or reads it from the store, so that no game ever has two tasks. Games share these by
    /// the last letters of their names: whoever begins one need not wait for a crowd that opens old ones.
    turns: [tokio::sync::Mutex<()>; TURNS],
    draining: std::sync::atomic::AtomicBool,
    /// Games whose tasks failed not long ago.
    faults: Faults,
    /// The last sign of life before this start.
    down_since: Option<UnixMillis>,
    /// How far the calendar is behind what it was before this start.
    went_back: i64,
}

impl Games {
    /// Brings back all running games; nobody pays for the time in between.
    pub async fn start(
        store: Store,
        world: World,
        metrics: Metrics,
        pools: Pools,
        config: &GamesConfig,
        looks: LookKey,
    ) -> Result<Games, StoreError> {
        let stored = store.load_running_games().await?;
        let chat = ChatRule::default();
        let (finished, _) = broadcast::channel(FINISHED);
        let down_since = downtime::last_sign_of_life(&store).await?;
        let went_back = downtime::went_back(&store, down_since, world.time.now()).await?;
        let (pools, bell, slow) = (Arc::new(pools), Bell::default(), Slow::new());
        let watch_delay = Millis::seconds(i64::from(config.watch_delay_seconds));
        let house = House {
            store,
            world,
            metrics,
            chat,
            pools,
            finished,
            rematches: broadcast::Sender::new(FINISHED),
            slow,
            looks,
            bell,
            watch_delay,
        };
        let games = Games(Arc::new(Inner {
            house,
            handles: RwLock::default(),
            running: Running::default(),
            turns: std::array::from_fn(|_| tokio::sync::Mutex::default()),
            draining: false.into(),
            faults: Faults::default(),
            down_since,
            went_back,
        }));
        let count = games.revive_all(stored).await?;
        // Not before the absence is credited in every game: a server that dies while it starts was away all the time.
        let House { store, world, slow, .. } = &games.0.house;
        downtime::start_signs_of_life(store.clone(), world.clone(), slow.clone());
        if count > 0 {
            tracing::info!(games = count, "running games go on");
        }
        // Not when the first move is made: nobody should wait for it.
        tokio::task::spawn_blocking(rules::opening::prepare);
        Ok(games)
    }

    /// The clock they go by.
    pub(crate) fn time(&self) -> Time {
        self.0.house.world.time.clone()
    }

    /// The way to a game for somebody; unknown if they may not know of it.
    pub async fn open_for(
        &self,
        id: GameId,
        sight: impl Into<Sight>,
    ) -> Result<GameHandle, GameError> {
        let handle = self.open(id).await?;
        let is_shown = self.is_shown(id, &handle.seats, sight.into()).await?;
        if is_shown { Ok(handle) } else { Err(GameError::Unknown) }
    }

    /// Whether somebody may know of a game. Who plays in a private event sees its games.
    async fn is_shown(&self, id: GameId, seats: &Seats, sight: Sight) -> Result<bool, GameError> {
        match sight {
            _ if seats.visible_to(sight) => Ok(true),
            Sight::Account(account) => Ok(self.0.house.store.is_in_event_of(id, account).await?),
            Sight::Stranger | Sight::Arbiter(_) => Ok(false),
        }
    }

    /// Lets a socket listen to a game, from `since` on if it was there before. False if the game's task has ended.
    pub(crate) async fn join(
        &self,
        handle: &GameHandle,
        outbox: Outbox,
        account: Option<AccountId>,
        since: Option<u32>,
    ) -> bool {
        // Read here, not by the game: a crowd that comes back must not hold up its moves.
        let muted = mutes::muted_by(&self.0.house.store, account).await;
        handle.post.send(Mail::Join { outbox, account, since, muted }).await.is_ok()
    }

    /// A socket listens no more, whichever task the game has now.
    pub(crate) async fn leave(&self, id: GameId, handle: &GameHandle, socket: SocketId) {
        if handle.is_alive() {
            handle.leave(socket).await;
        } else if let Some(handle) = self.alive(id) {
            handle.leave(socket).await;
        }
    }

    /// A game as somebody sees it.
    pub async fn view(&self, id: GameId, sight: impl Into<Sight>) -> Result<GameView, GameError> {
        let sight = sight.into();
        let account = sight.account();
        let handle = self.open_for(id, sight).await?;
        let muted = mutes::muted_by(&self.0.house.store, account).await;
        handle.ask(|reply| Mail::View { account, muted, reply }).await
    }

    /// Does something in a game for somebody, durable when it returns.
    pub async fn act(&self, id: GameId, by: AccountId, act: Act) -> Result<GameView, GameError> {
        let at = self.0.house.world.time.now();
        self.ask(id, by.into(), |reply| Mail::Act {
            by,
            at,
            round_trip: Millis(0),
            act,
            reply: Reply::Caller(reply),
        })
        .await?
    }

    /// Does something in a game as its arbiter, durable when it returns.
    pub async fn arbitrate(&self, id: GameId, act: Act) -> Result<(), GameError> {
        self.open(id).await?.ask(|reply| Mail::Arbitrate { act, reply }).await?
    }

    /// Says something at a board, durable when it returns.
    pub async fn say(
        &self,
        id: GameId,
        by: Account,
        room: ChatRoom,
        text: String,
    ) -> Result<ChatLineView, GameError> {
        let sight = by.id.into();
        let reply = |reply| Mail::Say { by, room, text, reply: SayReply::Caller(reply) };
        self.ask(id, sight, reply).await?
    }

    async fn ask<T>(
        &self,
        id: GameId,
        sight: Sight,
        mail: impl FnOnce(oneshot::Sender<T>) -> Mail,
    ) -> Result<T, GameError> {
        self.open_for(id, sight).await?.ask(mail).await
    }

    /// Cards of running public games, newest first, from those begun before `before` on.
    pub async fn running(&self, before: Option<(i64, GameId)>, limit: usize) -> Vec<GameCard> {
        self.cards(&self.0.running.newest(before, limit), None).await
    }

    /// Cards of these games for somebody, as far as they run and may be seen.
    pub async fn cards(&self, ids: &[GameId], account: Option<AccountId>) -> Vec<GameCard> {
        let mut cards = Vec::with_capacity(ids.len());
        for id in ids {
            if let Ok(Some(card)) =
                self.ask(*id, account.into(), |reply| Mail::Card { account, reply }).await
            {
                cards.push(card);
            }
        }
        cards
    }

    /// How many public games run.
    pub fn running_count(&self) -> usize {
        self.0.running.count()
    }

    /// The running games of somebody, the newest first.
    pub fn running_of(&self, account: AccountId) -> Vec<GameId> {
        self.0.running.of(account)
    }

    /// A number that grows whenever a game begins or ends.
    pub fn running_changes(&self) -> u64 {
        self.0.running.changes()
    }

    /// The game that a challenge turns into. It counts only if it can: a challenge to a guest does not.
    pub async fn new_game(
        &self,
        challenge: &Challenge,
        players: &ByColor<store::Account>,
    ) -> Result<NewGame, GameError> {
        let created_at = self.0.house.world.time.now();
        let setup = challenge.setup.clone();
        let (position, _) =
            setup.position().map_err(|error| GameError::Fault(error.to_string()))?;
        let pool = house::pool(&setup);
        let (mut ratings, mut provisional) = (ByColor::same(None), ByColor::same(false));
        if let Some(pool) = &pool {
            for side in Color::ALL {
                let strength = self.strength(&players[side], pool).await?;
                ratings[side] = strength.map(|strength| strength.rating);
                provisional[side] = strength.is_some_and(|strength| strength.is_provisional);
            }
        }
        Ok(NewGame {
            id: challenge.id,
            rated: challenge.rated
                && pool.is_some()
                && house::may_be_rated(&setup, players, self.counts_with_bots(pool.as_ref())),
            setup,
            players: ByColor { white: players[Color::White].id, black: players[Color::Black].id },
            pool: pool.map(|pool| pool.to_string()),
            ratings,
            provisional,
            private: challenge.private,
            position: position.fen(),
            created_at,
        })
    }

    /// Whether games against bots count in this pool: all of them do, or those of the pool.
    pub(crate) fn counts_with_bots(&self, pool: Option<&Pool>) -> bool {
        let pools = &self.0.house.pools;
        let in_pool = pool.is_some_and(|pool| pools.rules(pool).includes_bots);
        self.bell().is_answered() && (in_pool || self.bell().may_be_rated())
    }

    async fn stored_ratings(
        &self,
        ready: &Ready,
    ) -> Result<Option<Sides<RatingChangeView>>, GameError> {
        let (Some(pool), true) = (&ready.terms.pool, ready.game.outcome().is_some()) else {
            return Ok(None);
        };
        let system = &self.0.house.pools.rules(pool).system;
        let changes = self.0.house.store.rating_changes(ready.id).await?;
        let now = self.0.house.world.time.now();
        Ok(changes.map(|changes| rating_views(system, &changes, now)))
    }

    /// The bell that games with bots ring.
    pub fn bell(&self) -> &Bell {
        &self.0.house.bell
    }

    /// A game as it is, for those who play it on our side.
    pub async fn snapshot(&self, id: GameId) -> Result<Snapshot, GameError> {
        self.open(id).await?.ask(|reply| Mail::Peek { reply }).await
    }

    /// The house's rule about chat, to be read and changed.
    pub fn chat_rule(&self) -> &ChatRule {
        &self.0.house.chat
    }

    /// The ends of games from now on, each told once it is on the disk.
    pub fn finished(&self) -> broadcast::Receiver<GameId> {
        self.0.house.finished.subscribe()
    }

    /// How this club computes ratings.
    pub fn pools(&self) -> &Pools {
        &self.0.house.pools
    }

    /// Refuses new games from now on, stops the clocks of the running ones and waits until that is on disk.
    pub async fn drain(&self) {
        self.0.draining.store(true, std::sync::atomic::Ordering::SeqCst);
        let handles: Vec<GameHandle> = self.0.handles.read().values().cloned().collect();
        let mut waiting = Vec::with_capacity(handles.len());
        for handle in handles {
            let (done, told) = oneshot::channel();
            if handle.post.send(Mail::Drain { done }).await.is_ok() {
                waiting.push(told);
            }
        }
        for told in waiting {
            let _ = told.await;
        }
    }

    /// No game begins while the server is about to stop.
    pub fn refuse_if_draining(&self) -> Result<(), GameError> {
        if self.0.draining.load(std::sync::atomic::Ordering::SeqCst) {
            Err(GameError::Draining)
        } else {
            Ok(())
        }
    }
}
