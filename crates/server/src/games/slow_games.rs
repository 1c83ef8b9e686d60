//! What can be asked of games besides moves: lists of one's own, conditional moves, rulings.

use rules::{Act, Color, Outcome};
use store::{AccountId, GameId, Sight, StoreError};
use tokio::sync::{broadcast, oneshot};

use super::plan::{ConsideredLine, PlanView};
use super::slow::News;
pub(crate) use super::task::TableAct;
use super::task::{Mail, SlowMail};
pub(crate) use super::task::{Ruling, RulingAct};
use super::wire::GameView;
use super::{GameError, Games};
use crate::correspondence::wire::MyGame;

/// A game as one of its players has to know it elsewhere.
#[derive(Debug, Clone)]
#[allow(clippy::struct_excessive_bools, reason = "each answers a question of its own")]
pub(crate) struct About {
    /// Their side.
    pub(crate) side: Color,
    /// The other's name.
    pub(crate) other: String,
    /// Whether it is played on a clock of minutes.
    pub(crate) is_live: bool,
    /// How it ended.
    pub(crate) outcome: Option<Outcome>,
    /// The number of plies.
    pub(crate) ply: u32,
    /// Whether armies of GMO are awaited.
    pub(crate) is_mustering: bool,
    /// Whether it is for them to act, as soon as the game runs.
    pub(crate) is_their_turn: bool,
    /// Whether both players, an arbiter or the server have stopped it.
    pub(crate) is_stopped: bool,
    /// When the flag falls if nothing happens.
    pub(crate) flag_at: Option<i64>,
    /// What a move has, or the bank held at the start.
    pub(crate) time_for_a_move: i64,
    /// Whether they look at the board now.
    pub(crate) is_here: bool,
    /// Whether they are on leave.
    pub(crate) is_away: bool,
}

impl About {
    /// What they are reminded of once: the move at a ply, or before all moves the army.
    pub(crate) fn number(&self) -> i64 {
        if self.is_mustering { -1 } else { i64::from(self.ply) }
    }

    /// Whether time is counted, even if it stands just now.
    pub(crate) fn has_clock(&self) -> bool {
        self.time_for_a_move > 0 && (!self.is_mustering || self.flag_at.is_some())
    }
}

impl Games {
    /// A game as one of its players has to know it elsewhere; none if they do not play.
    pub(crate) async fn about(
        &self,
        id: GameId,
        account: AccountId,
    ) -> Result<Option<About>, GameError> {
        self.ask_slow(id, account.into(), |reply| SlowMail::About { account, reply }).await
    }

    /// Somebody's running games.
    pub(crate) async fn mine(&self, account: AccountId) -> Vec<MyGame> {
        let mut games = Vec::new();
        for id in self.running_of(account) {
            let asked =
                self.ask_slow(id, account.into(), |reply| SlowMail::Mine { account, reply }).await;
            games.extend(asked.ok().flatten());
        }
        games
    }

    /// One of somebody's running games; none if it is over or not theirs.
    pub(crate) async fn mine_in(
        &self,
        id: GameId,
        account: AccountId,
    ) -> Result<Option<MyGame>, GameError> {
        self.ask_slow(id, account.into(), |reply| SlowMail::Mine { account, reply }).await
    }

    /// Keeps somebody's conditional moves.
    pub(crate) async fn set_plan(
        &self,
        id: GameId,
        account: AccountId,
        lines: Vec<Vec<String>>,
    ) -> Result<PlanView, GameError> {
        self.ask_slow(id, account.into(), |reply| SlowMail::SetPlan { account, lines, reply })
            .await?
    }

    /// Somebody's own conditional moves.
    pub(crate) async fn plan(&self, id: GameId, account: AccountId) -> Result<PlanView, GameError> {
        self.ask_slow(id, account.into(), |reply| SlowMail::Plan { account, reply }).await?
    }

    /// The position after these moves from where the game is.
    pub(crate) async fn line(
        &self,
        id: GameId,
        account: AccountId,
        moves: Vec<String>,
    ) -> Result<ConsideredLine, GameError> {
        self.ask_slow(id, account.into(), |reply| SlowMail::Line { moves, reply }).await?
    }

    /// Does what two people at one computer have settled, durable when it returns.
    pub(crate) async fn settle_at_table(
        &self,
        id: GameId,
        by: AccountId,
        act: TableAct,
    ) -> Result<GameView, GameError> {
        self.ask(id, by.into(), |reply| Mail::Table { by, act, reply }).await?
    }

    /// Does what an arbiter says, durable when it returns.
    pub(crate) async fn rule(&self, id: GameId, ruling: Ruling) -> Result<GameView, GameError> {
        let sight = Sight::Arbiter(ruling.arbiter);
        self.ask_slow(id, sight, |reply| SlowMail::Rule { ruling, reply }).await?
    }

    /// A game as it is, for an arbiter.
    pub(crate) async fn open_for_arbiter(
        &self,
        id: GameId,
        arbiter: AccountId,
    ) -> Result<GameView, GameError> {
        self.ask_slow(id, Sight::Arbiter(arbiter), |reply| SlowMail::Open { reply }).await
    }

    /// Goes on leave in all games that have some, or comes back. Gives how many games it is true for.
    pub(crate) async fn leave_all(&self, account: AccountId, away: bool) -> usize {
        let mut changed = 0;
        for id in self.running_of(account) {
            let act = if away { Act::TakeLeave } else { Act::EndLeave };
            // Games without leave, or where nothing changes, say no.
            changed += usize::from(self.act(id, account, act).await.is_ok());
        }
        changed
    }

    /// What was written with an invitation, if anything.
    pub(crate) async fn invitation(&self, challenge: GameId) -> Result<Option<String>, GameError> {
        Ok(self.0.house.store.invitation(challenge).await?)
    }

    /// What happens in slow games from now on.
    pub(crate) fn news(&self) -> broadcast::Receiver<News> {
        self.0.house.slow.listen()
    }

    /// Lets no flag of a slow game fall, or lets them again. Gives how it was before.
    pub(crate) fn set_frozen(&self, is_frozen: bool) -> bool {
        self.0.house.slow.set_frozen(is_frozen)
    }

    /// How far the calendar was behind what it had been before, at the last start.
    pub(crate) fn went_back(&self) -> i64 {
        self.0.went_back
    }

    /// Somebody has looked at the calendar: it is right, also for the next start.
    pub(crate) async fn trust_calendar(&self) -> Result<(), StoreError> {
        super::downtime::trust_calendar(&self.0.house.store).await
    }

    async fn ask_slow<T>(
        &self,
        id: GameId,
        sight: Sight,
        mail: impl FnOnce(oneshot::Sender<T>) -> SlowMail,
    ) -> Result<T, GameError> {
        self.ask(id, sight, |reply| Mail::Slow(mail(reply))).await
    }
}
