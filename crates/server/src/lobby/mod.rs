//! The lobby: challenges that wait for somebody, quick pairing, who is there, and the list of running games.

mod challenges;
mod doors;
mod error;
mod expiry;
mod hall;
mod invitations;
mod notices;
mod pairing;
mod presence;
pub mod queue;
pub mod routes;
mod seeks;
mod task;
pub(crate) mod terms;
pub mod wire;
mod witnesses;

use std::sync::Arc;

use rules::{ByColor, Color, Variant};
use store::{Account, AccountId, AccountKind, GameId, Store};
use tokio::sync::{Notify, broadcast, mpsc};

use crate::config::LobbyConfig;
use crate::games::Games;
use crate::games::house;
use crate::games::wire::TimeControlView;
use crate::live::outbox::{Outbox, SocketId};
use crate::world::World;
use doors::Doors;
pub use error::LobbyError;
use hall::Hall;
use notices::Notices;
use pairing::{Applicant, Desk};
use presence::Presence;
use queue::{Entry, Mode};
use seeks::Seeks;
use wire::OnlineList;

/// People in a list at most.
const ONLINE_SHOWN: usize = 200;
/// Invitations that may wait for a slow listener, who is then told that some were missed.
const INVITED: usize = 1_024;

/// A rematch is agreed on at the board; who has walked away from there meanwhile is called back, and waits for nobody
/// else any more.
fn call_to_rematches(hall: &Arc<Hall>, desk: Desk) {
    let mut begun = hall.games.rematches();
    // Not a strong one: the lobby may end, and this task with it.
    let hall = Arc::downgrade(hall);
    tokio::spawn(async move {
        loop {
            let rematch = match begun.recv().await {
                Ok(rematch) => rematch,
                Err(broadcast::error::RecvError::Lagged(_)) => continue,
                Err(broadcast::error::RecvError::Closed) => return,
            };
            let Some(hall) = hall.upgrade() else { return };
            if rematch.is_live {
                for side in Color::ALL {
                    desk.leave(rematch.players[side].id).await;
                }
            }
            hall.tell_begin(rematch.game, &rematch.players, rematch.is_live).await;
        }
    });
}

/// The lobby. Cheap to clone.
#[derive(Clone)]
pub struct Lobby(Arc<Inner>);

struct Inner {
    hall: Arc<Hall>,
    /// The queue.
    desk: Desk,
    /// The task that tells everybody what goes on.
    list: mpsc::Sender<task::Mail>,
    /// Wakes the task that ends what is too old.
    challenge_made: Arc<Notify>,
}

impl Lobby {
    /// Opens the lobby with the seeks that were open before. Their makers have a while to come back.
    pub async fn start(
        store: Store,
        world: World,
        games: Games,
        config: LobbyConfig,
    ) -> Result<Lobby, LobbyError> {
        let hall = Arc::new(Hall {
            presence: Arc::new(Presence::new(world.time.now())),
            seeks: Seeks::default(),
            doors: Doors::default(),
            notices: Notices::start(store.clone(), games.clone(), world.clone()),
            invited: broadcast::Sender::new(INVITED),
            store,
            world,
            games,
            config,
        });
        hall.load_seeks().await?;
        let (desk, list) = (Desk::start(hall.clone()), task::start(hall.clone()));
        call_to_rematches(&hall, desk.clone());
        let challenge_made = expiry::start(hall.clone());
        Ok(Lobby(Arc::new(Inner { hall, desk, list, challenge_made })))
    }

    /// Somebody has opened a page.
    pub async fn arrive(&self, account: Account, outbox: Outbox) {
        let id = account.id;
        let gone_since = self.0.hall.presence.arrive(account, outbox.clone());
        self.0.desk.arrived(id, gone_since, outbox).await;
    }

    /// Somebody has closed a page.
    pub async fn depart(&self, account: AccountId, socket: SocketId) {
        let hall = &self.0.hall;
        hall.notices.leave(account, socket).await;
        if hall.presence.depart(account, socket, hall.world.time.now()) {
            self.0.desk.departed(account).await;
        }
    }

    /// Tells the players of these games, which are on disk, that they have begun: all at once, then the rest.
    pub async fn announce(&self, begun: &[(GameId, ByColor<Account>)], is_live: bool) {
        let hall = &self.0.hall;
        for (game, players) in begun {
            hall.call_to(*game, players, is_live);
        }
        for (_, players) in begun {
            hall.note_begin(players, is_live).await;
        }
    }

    /// Whether somebody is there.
    pub fn is_online(&self, account: AccountId) -> bool {
        self.0.hall.presence.is_present(account)
    }

    /// Who is invited from now on, and by which challenge.
    pub(crate) fn invited(&self) -> broadcast::Receiver<(AccountId, GameId)> {
        self.0.hall.invited.subscribe()
    }

    /// Who is there.
    pub async fn online(&self) -> Result<OnlineList, LobbyError> {
        let hall = &self.0.hall;
        let (count, people) = hall.presence.online(ONLINE_SHOWN);
        Ok(OnlineList { count, players: hall.games.player_views(&people).await? })
    }

    /// Lets somebody wait for an opponent.
    pub async fn join_queue(
        &self,
        account: Account,
        variant: Variant,
        time: &TimeControlView,
        is_rated: bool,
        takes_bots: bool,
    ) -> Result<(), LobbyError> {
        let hall = &self.0.hall;
        hall.games.refuse_if_draining()?;
        let time = time.to_rules()?;
        let setup = terms::setup(variant, time, None, false)?;
        if is_rated {
            if account.kind == AccountKind::Guest {
                return Err(LobbyError::GuestsPlayCasual);
            }
            terms::check_rateable(&setup)?;
        }
        let mode = Mode { variant, time: setup.time, is_rated };
        let pool = house::pool_of(mode.variant, &mode.time);
        let rating = hall.rating_of(&account, pool.as_ref()).await?;
        let entry = Entry {
            player: account.id,
            rating: i32::try_from(rating).unwrap_or(i32::MAX),
            color_balance: hall.store.color_balance(account.id).await?,
            avoids: hall.store.avoided_by(account.id).await?,
        };
        // Bots play casual games alone.
        let takes_bots = takes_bots && !is_rated && hall.games.bell().queue_wait().is_some();
        self.0.desk.join(Applicant { account, mode, entry, takes_bots }).await;
        Ok(())
    }

    /// Lets somebody wait no more.
    pub async fn leave_queue(&self, account: AccountId) {
        self.0.desk.leave(account).await;
    }

    /// Lets a socket listen to what concerns its account.
    pub async fn join_notices(&self, account: AccountId, outbox: Outbox) {
        self.0.hall.notices.join(account, outbox).await;
    }

    /// It listens no more.
    pub async fn leave_notices(&self, account: AccountId, socket: SocketId) {
        self.0.hall.notices.leave(account, socket).await;
    }

    /// Lets a socket listen to what goes on in the lobby.
    pub async fn join_list(&self, outbox: Outbox) {
        let _ = self.0.list.send(task::Mail::Join(outbox)).await;
    }

    /// It listens no more.
    pub async fn leave_list(&self, socket: SocketId) {
        let _ = self.0.list.send(task::Mail::Leave(socket)).await;
    }
}
