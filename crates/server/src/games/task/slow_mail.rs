//! What only slow games and arbiters ask of a game's task, and how it comes back after an absence of the store.

use rules::{Act, Actor, Color, Command, Position, TimeControl, UnixMillis};
use store::{AccountId, Health, Presence};
use tokio::sync::oneshot;

use super::{GameTask, Ruling};
use crate::correspondence::wire::{LeaveView, MyGame};
use crate::games::plan::{self, ConsideredLine, PlanView};
use crate::games::render::{clocks, last_squares};
use crate::games::slow::Outage;
use crate::games::slow_games::About;
use crate::games::wire::{GameView, TimeControlView};
use crate::games::{GameError, downtime};

/// How long a game waits before it asks again whether its flag may fall.
const FROZEN: i64 = 60_000;

/// What only slow games and arbiters ask.
pub(crate) enum SlowMail {
    /// The game in the list of one of its players; none if they do not play or it is over.
    Mine { account: AccountId, reply: oneshot::Sender<Option<MyGame>> },
    /// The game as its player has to know it elsewhere; none if they do not play.
    About { account: AccountId, reply: oneshot::Sender<Option<About>> },
    /// Keep these conditional moves.
    SetPlan {
        account: AccountId,
        lines: Vec<Vec<String>>,
        reply: oneshot::Sender<Result<PlanView, GameError>>,
    },
    /// Show them to their author.
    Plan { account: AccountId, reply: oneshot::Sender<Result<PlanView, GameError>> },
    /// Look at the position after these moves.
    Line { moves: Vec<String>, reply: oneshot::Sender<Result<ConsideredLine, GameError>> },
    /// An arbiter opens it: everything, as it is now.
    Open { reply: oneshot::Sender<GameView> },
    /// An arbiter rules.
    Rule { ruling: Ruling, reply: oneshot::Sender<Result<GameView, GameError>> },
}

impl GameTask {
    // A caller that went away has no use for the answer.
    pub(super) async fn handle_slow(&mut self, mail: SlowMail) {
        match mail {
            SlowMail::Mine { account, reply } => {
                let _ = reply.send(self.mine(account));
            }
            SlowMail::About { account, reply } => {
                let _ = reply.send(self.about(account));
            }
            SlowMail::SetPlan { account, lines, reply } => {
                let _ = reply.send(self.set_plan(account, &lines).await);
            }
            SlowMail::Plan { account, reply } => {
                let _ = reply.send(self.plan_of(account).await);
            }
            SlowMail::Line { moves, reply } => {
                let _ = reply.send(plan::look_ahead(&self.game, &moves).map_err(GameError::from));
            }
            SlowMail::Open { reply } => {
                self.read_chat().await;
                let _ = reply.send(self.whole_view());
            }
            SlowMail::Rule { ruling, reply } => {
                let ruled = self.rule(ruling).await;
                let _ = reply.send(ruled.map(|()| self.whole_view()));
            }
        }
    }

    fn mine(&self, account: AccountId) -> Option<MyGame> {
        let you = self.side_of(Some(account)).filter(|_| self.game.outcome().is_none())?;
        let (game, now) = (&self.game, self.house.world.time.now());
        let last = game.last_action().and_then(|action| last_squares(*action));
        Some(MyGame {
            id: self.id.to_string(),
            variant: game.setup().variant,
            players: self.shown_to(Some(you)).0.players(),
            time: TimeControlView::from(&game.setup().time),
            is_live: game.setup().time.is_live(),
            rated: self.terms.rated,
            you,
            one_computer: self.terms.host.is_some(),
            fen: self.house.looks.shown(game.position()),
            last,
            ply: game.ply().0,
            to_act: game.to_act(),
            is_your_move: self.waits_for(you),
            clocks: clocks(game, now),
            flag_at: game.next_deadline().map(|at| at.0),
            draw_offer: game.offers().draw,
            takeback_offer: game.offers().takeback.map(|(by, _)| by),
            adjournment_offer: game.offers().adjournment,
            is_adjourned: self.is_stopped(),
            leave: self.leave_view(you, now),
            other_is_away: game.clocks().is_away(you.other(), now),
            unread: 0,
            created_at: game.started().0,
        })
    }

    /// Whether the game waits for a side: for its move, or for its army of GMO. At one computer nobody is waited for
    /// elsewhere, and nobody at all while the game is stopped.
    pub(super) fn waits_for(&self, side: Color) -> bool {
        let is_here = self.terms.host.is_some();
        self.is_turn_of(side) && !is_here && !self.is_stopped()
    }

    /// Whether a side has to do something before the game can go on, as soon as it runs.
    fn is_turn_of(&self, side: Color) -> bool {
        match self.game.position() {
            _ if self.game.outcome().is_some() => false,
            Position::Muster(muster) => !muster.is_ready(side),
            _ => self.game.to_act() == Some(side),
        }
    }

    /// Whether both players, an arbiter or the server have stopped it.
    fn is_stopped(&self) -> bool {
        self.game.paused().is_some_and(|halt| !halt.allows_play())
    }

    /// Those who play at one computer need not be told anything elsewhere.
    fn about(&self, account: AccountId) -> Option<About> {
        let side = self.side_of(Some(account)).filter(|_| self.terms.host.is_none())?;
        let (game, now) = (&self.game, self.house.world.time.now());
        let time = &game.setup().time;
        Some(About {
            side,
            other: self.players[side.other()].name.clone(),
            is_live: time.is_live(),
            outcome: game.outcome().copied(),
            ply: game.ply().0,
            is_mustering: game.is_mustering(),
            is_their_turn: self.is_turn_of(side),
            is_stopped: self.is_stopped(),
            flag_at: game.next_deadline().map(|at| at.0),
            time_for_a_move: match time {
                TimeControl::Days(days) => days.bank.map_or(days.per_move, |bank| bank.start).0,
                TimeControl::Unlimited | TimeControl::Live(_) => 0,
            },
            is_here: self.is_present(side),
            is_away: game.clocks().is_away(side, now),
        })
    }

    fn leave_view(&self, side: Color, now: UnixMillis) -> LeaveView {
        let clocks = self.game.clocks();
        let (left, since) = clocks.leave(side, now);
        let is_away = clocks.is_away(side, now);
        LeaveView { left_ms: left.0, since: since.filter(|_| is_away).map(|at| at.0) }
    }

    /// Notes that a player came or left, for whoever has to judge a dispute. Nobody waits for it.
    pub(super) fn note_presence(&self, side: Color, is_here: bool) {
        if self.game.outcome().is_some() || (is_here && self.is_known_here(side)) {
            return;
        }
        let presence =
            Presence { account: self.players[side].id, at: self.house.world.time.now(), is_here };
        let (store, id) = (self.house.store.clone(), self.id);
        tokio::spawn(async move {
            if let Err(error) = store.note_presence(id, presence).await {
                tracing::warn!(game = %id, %error, "who is there was not noted");
            }
        });
    }

    /// Whether somebody who comes was here already, on another page.
    fn is_known_here(&self, side: Color) -> bool {
        self.gone_since[side].is_none()
    }

    /// Whether the flag may not fall now: the calendar of a slow game is in doubt, or it waits for the storage.
    pub(super) fn is_frozen(&self) -> bool {
        let is_away = || self.outages.borrow().is_some_and(|outage| outage.until.is_none());
        !self.game.setup().time.is_live() && (self.house.slow.is_frozen() || is_away())
    }

    /// Nobody loses by acting while no flag falls: who would be too late keeps the last moment before the flag.
    pub(super) async fn hold_flag(&mut self, at: UnixMillis) -> Result<(), GameError> {
        let fallen = self.game.next_deadline().filter(|deadline| *deadline <= at);
        let Some(deadline) = fallen.filter(|_| self.is_frozen()) else { return Ok(()) };
        let credit = Act::CreditDowntime { since: UnixMillis(deadline.0 - 1) };
        self.act(Command::new(Actor::Server, at, credit)).await
    }

    /// Whether days are counted: then an absence of the storage is credited even if nobody ran into it.
    pub(super) fn counts_days(&self) -> bool {
        let is_days = matches!(self.game.setup().time, TimeControl::Days(_));
        is_days && self.game.outcome().is_none()
    }

    /// Gives back the time of an absence of the storage that is not credited yet. While it lasts this is tried too: it
    /// may be over, and nobody has told.
    pub(super) async fn credit_outage(&mut self) -> Result<(), GameError> {
        if !self.counts_days() {
            return Ok(());
        }
        let is_news = self.outages.has_changed().unwrap_or(false);
        let outage = *self.outages.borrow_and_update();
        self.owe(outage.filter(|_| is_news));
        let Some(since) = self.owed_since else { return Ok(()) };
        // A pause of the arbiter or the players charges nothing: there is nothing to give back.
        if self.game.paused().is_some() {
            return Ok(());
        }
        let now = self.house.world.time.now();
        let credit = Act::CreditDowntime { since };
        self.act(Command::new(Actor::Server, now, credit)).await?;
        self.owed_since = outage.filter(|outage| outage.until.is_none()).map(|_| now);
        Ok(())
    }

    /// Notes from when on time is to be given back. A disk that is full may take a small thing now and then: what was
    /// not given back between two absences stays owed.
    fn owe(&mut self, outage: Option<Outage>) {
        let owed = self.owed_since.into_iter().chain(outage.map(|outage| outage.since));
        self.owed_since = owed.min();
    }

    /// The storage has gone away, or is back.
    pub(super) async fn hear_of_outage(&mut self) {
        let outage = *self.outages.borrow();
        self.owe(outage);
        if outage.is_some_and(|outage| outage.until.is_some()) {
            // A write that fails is tried again before anything else is done.
            if self.credit_outage().await.is_ok() {
                self.answer_by_plan().await;
            }
        }
    }

    /// When to look at a flag: later while flags are frozen.
    pub(super) fn thawed(&self, flag: UnixMillis) -> UnixMillis {
        if self.is_frozen() {
            flag.max(UnixMillis(self.house.world.time.now().0 + FROZEN))
        } else {
            flag
        }
    }

    /// The store is back: nobody pays for its absence.
    pub(super) async fn try_to_go_on(&mut self) {
        if *self.health.borrow_and_update() == Health::Ready && self.game.outcome().is_none() {
            let now = self.house.world.time.now();
            let held = self.held_since.unwrap_or(now);
            // The storage may have been away for longer than this game has noticed.
            let outage = *self.outages.borrow();
            let outage = outage.filter(|it| it.until.is_none_or(|until| until >= held));
            let since = outage.map_or(held, |outage| outage.since.min(held));
            let back = downtime::back(&self.game, Some(since), now);
            if self.act(Command::new(Actor::Server, now, back)).await.is_ok() {
                // What was planned may be what could not be written.
                self.answer_by_plan().await;
            }
        }
    }
}
