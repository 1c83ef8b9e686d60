//! The lobby: challenges that wait for somebody, and the list of running games.

pub mod queue;
pub mod routes;
mod task;
pub mod wire;

use std::collections::HashMap;
use std::sync::Arc;

use parking_lot::Mutex;
use rules::{ByColor, Color, Millis, RuleSet, Setup, TimeControl};
use store::{Account, AccountId, Challenge, ChallengeState, GameId, Store, StoreError};
use tokio::sync::mpsc;

use crate::games::house::online_rules;
use crate::games::wire::{BadTimeControl, GameView, PlayerView, TimeControlView};
use crate::games::{GameError, Games};
use crate::live::outbox::{Outbox, SocketId};
use crate::live::wire::{Room, RoomState, ServerMsg};
use crate::world::World;
use wire::{ChallengeStateView, ChallengeView, NewChallenge};

/// Friends may talk before they begin: a game by link waits this long for each side's first move.
const FIRST_MOVE: Millis = Millis(300_000);

/// Why a challenge could not be made, seen or accepted.
#[derive(Debug, Clone, thiserror::Error)]
pub enum LobbyError {
    /// There is no such challenge.
    #[error("there is no such challenge")]
    Unknown,
    /// The time control cannot be played.
    #[error(transparent)]
    Time(#[from] BadTimeControl),
    /// Accepted or taken back.
    #[error("this challenge is no longer open")]
    NotOpen,
    /// One cannot play against oneself.
    #[error("this is your own challenge: send its link to somebody else")]
    Own,
    /// A rematch is for the two who played.
    #[error("this rematch was offered to somebody else")]
    NotForYou,
    /// What a game said.
    #[error(transparent)]
    Game(#[from] GameError),
}

impl From<StoreError> for LobbyError {
    fn from(error: StoreError) -> Self {
        match error {
            StoreError::NotFound => LobbyError::Unknown,
            StoreError::Conflict => LobbyError::NotOpen,
            other => LobbyError::Game(GameError::Store(other)),
        }
    }
}

/// The lobby. Cheap to clone.
#[derive(Clone)]
pub struct Lobby(Arc<Inner>);

struct Inner {
    store: Store,
    world: World,
    games: Games,
    /// Sockets that wait at a challenge.
    waiting: Mutex<HashMap<GameId, Vec<Waiting>>>,
    /// The task that tells the list of running games.
    list: mpsc::Sender<task::Mail>,
}

struct Waiting {
    outbox: Outbox,
    account: Option<AccountId>,
}

impl Lobby {
    /// Opens the lobby.
    pub fn start(store: Store, world: World, games: Games) -> Lobby {
        let list = task::start(games.clone(), world.clone());
        Lobby(Arc::new(Inner { store, world, games, waiting: Mutex::default(), list }))
    }

    /// Makes a challenge.
    pub async fn challenge(
        &self,
        challenger: Account,
        new: &NewChallenge,
    ) -> Result<Challenge, LobbyError> {
        self.0.games.refuse_if_draining()?;
        let time: TimeControl = new.time.to_rules()?;
        let rules = RuleSet { first_move: Some(FIRST_MOVE), ..online_rules(&time) };
        let challenge = Challenge {
            id: GameId::from_bits(self.0.world.chance.bits()),
            challenger,
            color: new.color.color(),
            setup: Setup::standard(time, rules),
            rated: false,
            state: ChallengeState::Open,
            rematch_of: None,
            created_at: self.0.world.time.now(),
        };
        self.0.store.create_challenge(challenge.clone()).await?;
        Ok(challenge)
    }

    /// Reads a challenge.
    pub async fn find(&self, id: GameId) -> Result<Challenge, LobbyError> {
        Ok(self.0.store.load_challenge(id).await?)
    }

    /// Accepts a challenge: the game begins.
    pub async fn accept(&self, id: GameId, account: Account) -> Result<GameView, LobbyError> {
        self.0.games.refuse_if_draining()?;
        let challenge = self.find(id).await?;
        if challenge.challenger.id == account.id {
            return Err(LobbyError::Own);
        }
        if challenge.rematch_of.is_some() {
            return Err(LobbyError::NotForYou);
        }
        let drawn =
            || if self.0.world.chance.bits() & 1 == 0 { Color::White } else { Color::Black };
        let color = challenge.color.unwrap_or_else(drawn);
        let players = match color {
            Color::White => ByColor { white: challenge.challenger.clone(), black: account.clone() },
            Color::Black => ByColor { white: account.clone(), black: challenge.challenger.clone() },
        };
        let new = self.0.games.new_game(&challenge, &players).await?;
        self.0.store.accept_challenge(new.clone()).await?;
        self.0.games.begin(new, players)?;
        self.tell(&Challenge { state: ChallengeState::Accepted, ..challenge });
        Ok(self.0.games.view(id, Some(account.id)).await?)
    }

    /// Takes a challenge back.
    pub async fn cancel(&self, id: GameId, account: AccountId) -> Result<(), LobbyError> {
        let challenge = self.find(id).await?;
        self.0.store.cancel_challenge(id, account).await?;
        self.tell(&Challenge { state: ChallengeState::Cancelled, ..challenge });
        Ok(())
    }

    /// A challenge as somebody sees it. Its address is relative; only the page knows by which name it is reached.
    pub fn view(challenge: &Challenge, account: Option<AccountId>) -> ChallengeView {
        ChallengeView {
            id: challenge.id.to_string(),
            state: match challenge.state {
                ChallengeState::Open => ChallengeStateView::Open,
                ChallengeState::Accepted => ChallengeStateView::Accepted,
                ChallengeState::Cancelled => ChallengeStateView::Cancelled,
            },
            time: TimeControlView::from(&challenge.setup.time),
            color: challenge.color.into(),
            challenger: PlayerView::from(&challenge.challenger),
            is_mine: account == Some(challenge.challenger.id),
            url: format!("/{}", challenge.id),
            created_at: challenge.created_at.0,
        }
    }

    /// Lets a socket wait at a challenge; it is told its state now and when that changes.
    pub async fn join_challenge(
        &self,
        id: GameId,
        outbox: Outbox,
        account: Option<AccountId>,
    ) -> Result<(), LobbyError> {
        // Listen first, read then: a change in between is told twice rather than not at all.
        self.0
            .waiting
            .lock()
            .entry(id)
            .or_default()
            .push(Waiting { outbox: outbox.clone(), account });
        match self.find(id).await {
            Ok(challenge) => {
                outbox.push(state_message(&challenge, account).to_json().into());
                Ok(())
            }
            Err(error) => {
                self.leave_challenge(id, outbox.socket());
                Err(error)
            }
        }
    }

    /// The socket waits no more.
    pub fn leave_challenge(&self, id: GameId, socket: SocketId) {
        let mut waiting = self.0.waiting.lock();
        if let Some(those) = waiting.get_mut(&id) {
            those.retain(|one| one.outbox.socket() != socket);
            if those.is_empty() {
                waiting.remove(&id);
            }
        }
    }

    fn tell(&self, challenge: &Challenge) {
        let waiting = self.0.waiting.lock();
        for one in waiting.get(&challenge.id).into_iter().flatten() {
            one.outbox.push(state_message(challenge, one.account).to_json().into());
        }
    }

    /// Lets a socket listen to the list of running games.
    pub async fn join_list(&self, outbox: Outbox) {
        let _ = self.0.list.send(task::Mail::Join(outbox)).await;
    }

    /// It listens no more.
    pub async fn leave_list(&self, socket: SocketId) {
        let _ = self.0.list.send(task::Mail::Leave(socket)).await;
    }
}

fn state_message(challenge: &Challenge, account: Option<AccountId>) -> ServerMsg {
    let version = if challenge.state == ChallengeState::Open { 1 } else { 2 };
    let state = RoomState::Challenge(Lobby::view(challenge, account));
    ServerMsg::State { room: Room::Challenge(challenge.id), version, state }
}
