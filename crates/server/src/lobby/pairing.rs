//! The task that keeps the queue: who comes and goes, who is paired, and what those who wait are told.
//!
//! The queue lives in memory. After a restart, as after a broken line, people come back by themselves and join again.
//! Who has closed the last page is never paired, but keeps the time already waited for a while.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::ops::Bound;
use std::sync::Arc;

use axum::extract::ws::Utf8Bytes;
use rules::{ByColor, Color, UnixMillis};
use store::{Account, AccountId};
use tokio::sync::mpsc;

use super::error::LobbyError;
use super::hall::Hall;
use super::queue::{Entry, Mode, Pairing, Queue};
use super::wire::QueuePlace;
use crate::games::wire::TimeControlView;
use crate::live::outbox::Outbox;
use crate::live::wire::ServerMsg;

/// News are told at most this often.
const TELL_EVERY: i64 = 1_000;
/// How many hear news in one go, before others have their turn.
const TELL_AT_ONCE: usize = 2_000;
/// How many letters are taken in one go.
const MAIL_AT_ONCE: usize = 256;

/// The way to the queue. Cheap to clone.
#[derive(Clone)]
pub(super) struct Desk(mpsc::Sender<Mail>);

enum Mail {
    Join(Box<Applicant>),
    Leave(AccountId),
    Arrived(AccountId, Option<UnixMillis>, Outbox),
    Departed(AccountId),
}

/// Somebody who wants to play.
pub(super) struct Applicant {
    pub(super) account: Account,
    pub(super) mode: Mode,
    pub(super) entry: Entry,
    /// Whether a bot may come if nobody else does.
    pub(super) takes_bots: bool,
}

impl Desk {
    pub(super) fn start(hall: Arc<Hall>) -> Desk {
        let (post, inbox) = mpsc::channel(1_024);
        let queue = Queue::new(hall.config.queue);
        let task = PairingTask {
            hall,
            queue,
            has_more: false,
            waiting: BTreeMap::new(),
            away: HashMap::new(),
            bots_due: BTreeSet::new(),
            round: Round::Next(UnixMillis(0)),
        };
        tokio::spawn(task.run(inbox));
        Desk(post)
    }

    // A task that has ended takes no more mail: the server stops. Here and below.
    pub(super) async fn join(&self, applicant: Applicant) {
        let _ = self.0.send(Mail::Join(Box::new(applicant))).await;
    }

    pub(super) async fn leave(&self, account: AccountId) {
        let _ = self.0.send(Mail::Leave(account)).await;
    }

    /// A page was opened; if this account waits, it is told.
    pub(super) async fn arrived(
        &self,
        account: AccountId,
        gone_since: Option<UnixMillis>,
        outbox: Outbox,
    ) {
        let _ = self.0.send(Mail::Arrived(account, gone_since, outbox)).await;
    }

    /// The last page was closed.
    pub(super) async fn departed(&self, account: AccountId) {
        let _ = self.0.send(Mail::Departed(account)).await;
    }
}

struct PairingTask {
    hall: Arc<Hall>,
    queue: Queue,
    /// The last tick left work over.
    has_more: bool,
    waiting: BTreeMap<AccountId, Waiting>,
    /// Those who have closed the page, and when they lose their place.
    away: HashMap<AccountId, (Waiting, UnixMillis)>,
    /// When a bot may come to whom. Who waits no more is passed over.
    bots_due: BTreeSet<(UnixMillis, AccountId)>,
    round: Round,
}

struct Waiting {
    applicant: Applicant,
    since: UnixMillis,
    /// Range and number of players that were told last.
    told: Option<(u32, usize)>,
}

/// Where the telling of news is.
enum Round {
    /// The next round begins then.
    Next(UnixMillis),
    /// Everybody up to this one has heard.
    At(Bound<AccountId>),
}

impl PairingTask {
    async fn run(mut self, mut inbox: mpsc::Receiver<Mail>) {
        let time = self.hall.world.time.clone();
        loop {
            let due = self.next_due();
            let alarm = async {
                match due {
                    Some(at) => time.sleep_until(at).await,
                    None => std::future::pending().await,
                }
            };
            tokio::select! {
                biased;
                mail = inbox.recv() => match mail {
                    Some(mail) => self.handle(mail),
                    None => return,
                },
                () = alarm => {}
            }
            for _ in 0..MAIL_AT_ONCE {
                let Ok(mail) = inbox.try_recv() else { break };
                self.handle(mail);
            }
            self.give_up_absent();
            self.pair();
            self.send_bots();
            self.tell_news();
            tokio::task::yield_now().await;
        }
    }

    /// The next moment at which something is to be done without anybody asking.
    fn next_due(&self) -> Option<UnixMillis> {
        let now = self.hall.world.time.now();
        let work = self.has_more.then_some(now);
        let news = match self.round {
            Round::Next(at) => (!self.waiting.is_empty()).then_some(at),
            Round::At(_) => Some(now),
        };
        let absent = self.away.values().map(|(_, until)| *until).min();
        let bots = self.bots_due.first().map(|(at, _)| *at);
        [work, news, absent, bots, self.queue.next_growth()].into_iter().flatten().min()
    }

    fn handle(&mut self, mail: Mail) {
        match mail {
            Mail::Join(applicant) => self.join(*applicant),
            Mail::Leave(account) => {
                let was_here = self.take(account).is_some() | self.away.remove(&account).is_some();
                if was_here {
                    self.tell(account, None);
                }
            }
            Mail::Arrived(account, gone_since, outbox) => {
                self.arrive(account, gone_since, &outbox);
            }
            Mail::Departed(account) => self.depart(account),
        }
    }

    fn join(&mut self, applicant: Applicant) {
        let now = self.hall.world.time.now();
        let account = applicant.account.id;
        let before = match self.away.remove(&account) {
            Some((waiting, _)) => Some(waiting),
            None => self.take(account),
        };
        // The same wish again keeps the time waited.
        let since = before.filter(|old| old.applicant.mode == applicant.mode).map(|old| old.since);
        self.wait(Waiting { applicant, since: since.unwrap_or(now), told: None });
        self.tell_place(account);
    }

    fn wait(&mut self, waiting: Waiting) {
        let applicant = &waiting.applicant;
        if let Some(due) = self.bot_due(&waiting) {
            self.bots_due.insert((due, applicant.account.id));
        }
        self.queue.join(&applicant.mode, applicant.entry.clone(), waiting.since);
        self.waiting.insert(applicant.account.id, waiting);
    }

    fn take(&mut self, account: AccountId) -> Option<Waiting> {
        self.queue.leave(account);
        self.waiting.remove(&account)
    }

    /// Back with another page: the place is still there, unless it was too long.
    fn arrive(&mut self, account: AccountId, gone_since: Option<UnixMillis>, outbox: &Outbox) {
        let now = self.hall.world.time.now();
        // The letter that told of leaving may still be on its way, so the place may be among those that wait.
        let away = self.away.remove(&account).map(|(waiting, _)| waiting);
        let before = match gone_since {
            Some(_) => away.or_else(|| self.take(account)),
            None => away,
        };
        let is_in_time = gone_since.is_none_or(|since| self.kept_until(since) > now);
        if let Some(waiting) = before.filter(|_| is_in_time) {
            self.wait(waiting);
        }
        if let Some(place) = self.place(account) {
            outbox.push(ServerMsg::Queue { waiting: Some(place) }.to_json().into());
        }
    }

    fn depart(&mut self, account: AccountId) {
        // The letter may be older than a new page.
        let Some(since) = self.hall.presence.gone_since(account) else { return };
        if let Some(waiting) = self.take(account) {
            self.away.insert(account, (waiting, self.kept_until(since)));
        }
    }

    /// How long a place is kept for somebody who left then.
    fn kept_until(&self, left_at: UnixMillis) -> UnixMillis {
        UnixMillis(left_at.0 + i64::from(self.hall.config.queue_grace_seconds) * 1_000)
    }

    fn give_up_absent(&mut self) {
        let now = self.hall.world.time.now();
        self.away.retain(|_, (_, until)| *until > now);
    }

    fn pair(&mut self) {
        let now = self.hall.world.time.now();
        let chance = &self.hall.world.chance;
        let tick = self.queue.tick(now, || chance.bits() & 1 == 0);
        self.has_more = tick.has_more;
        for Pairing { mode, players } in tick.pairings {
            let white = self.waiting.remove(&players[Color::White]);
            let black = self.waiting.remove(&players[Color::Black]);
            let (Some(white), Some(black)) = (white, black) else { continue };
            if !self.are_both_here(&players) {
                // Somebody has just left: the other one goes on waiting.
                for waiting in [white, black] {
                    let account = waiting.applicant.account.id;
                    self.wait(waiting);
                    self.depart(account);
                }
                self.has_more = true;
                continue;
            }
            let players =
                ByColor { white: white.applicant.account, black: black.applicant.account };
            tokio::spawn(begin(self.hall.clone(), mode, players));
        }
    }

    /// When a bot may come to somebody who waits.
    fn bot_due(&self, waiting: &Waiting) -> Option<UnixMillis> {
        let wait = self.hall.games.bell().queue_wait();
        let wait = wait.filter(|_| waiting.applicant.takes_bots)?;
        Some(UnixMillis(waiting.since.0.saturating_add(wait)))
    }

    /// Nobody has come: a bot plays with those who would like one too.
    fn send_bots(&mut self) {
        let now = self.hall.world.time.now();
        while let Some((due, account)) = self.bots_due.first().copied().filter(|it| it.0 <= now) {
            self.bots_due.remove(&(due, account));
            let is_due = |waiting| self.bot_due(waiting) == Some(due);
            if !self.waiting.get(&account).is_some_and(is_due) || self.plays_many(account) {
                continue;
            }
            let Some(waiting) = self.take(account) else { continue };
            let Applicant { account, mode, entry, .. } = waiting.applicant;
            let bell = self.hall.games.bell();
            let Some(bot) = bell.nearest(entry.rating.into()).into_iter().next() else { continue };
            let is_white = self.hall.world.chance.bits() & 1 == 0;
            let (white, black) = if is_white { (account, bot) } else { (bot, account) };
            tokio::spawn(begin(self.hall.clone(), Arc::new(mode), ByColor { white, black }));
        }
    }

    /// Bots play with everybody, but not with one person on any number of boards.
    fn plays_many(&self, account: AccountId) -> bool {
        self.hall.games.running_of(account).len() >= super::challenges::MOST_RUNNING_WITH_BOTS
    }

    fn are_both_here(&self, players: &ByColor<AccountId>) -> bool {
        Color::ALL.iter().all(|side| self.hall.presence.is_present(players[*side]))
    }

    /// Tells some of those whose range or company has changed.
    fn tell_news(&mut self) {
        let now = self.hall.world.time.now();
        let after = match self.round {
            Round::Next(at) if at > now || self.waiting.is_empty() => return,
            Round::Next(_) => Bound::Unbounded,
            Round::At(after) => after,
        };
        let some: Vec<AccountId> = self
            .waiting
            .range((after, Bound::Unbounded))
            .take(TELL_AT_ONCE)
            .map(|(account, _)| *account)
            .collect();
        self.round = match some.last() {
            Some(last) if some.len() == TELL_AT_ONCE => Round::At(Bound::Excluded(*last)),
            _ => Round::Next(UnixMillis(now.0 + TELL_EVERY)),
        };
        for account in some {
            let view = self.queue.view(account, now).map(|view| (view.range, view.players));
            if self.waiting.get(&account).is_some_and(|waiting| waiting.told != view) {
                self.tell_place(account);
            }
        }
    }

    fn tell_place(&mut self, account: AccountId) {
        let place = self.place(account);
        if let Some(waiting) = self.waiting.get_mut(&account) {
            let view = self.queue.view(account, self.hall.world.time.now());
            waiting.told = view.map(|view| (view.range, view.players));
        }
        self.tell(account, place);
    }

    fn tell(&self, account: AccountId, place: Option<QueuePlace>) {
        let frame = ServerMsg::Queue { waiting: place }.to_json();
        self.hall.presence.tell(account, &Utf8Bytes::from(frame));
    }

    fn place(&self, account: AccountId) -> Option<QueuePlace> {
        let waiting = self.waiting.get(&account)?;
        let (mode, bell) = (&waiting.applicant.mode, self.hall.games.bell());
        let view = self.queue.view(account, self.hall.world.time.now())?;
        Some(QueuePlace {
            variant: mode.variant,
            time: TimeControlView::from(&mode.time),
            rated: mode.is_rated,
            waited_ms: view.waited.0,
            range: view.range,
            players: u32::try_from(view.players).unwrap_or(u32::MAX),
            bot_at_ms: waiting.applicant.takes_bots.then(|| bell.queue_wait()).flatten(),
        })
    }
}

/// Begins the game of a pair. Both are told that they wait no more, and why if there is no game.
async fn begin(hall: Arc<Hall>, mode: Arc<Mode>, players: ByColor<Account>) {
    let accounts = Color::ALL.map(|side| players[side].id);
    let result = hall.begin_paired(&mode, players).await;
    let mut frames = vec![ServerMsg::Queue { waiting: None }];
    frames.extend(result.err().map(|error| refused(&error)));
    for frame in frames.iter().map(|message| Utf8Bytes::from(message.to_json())) {
        for account in accounts {
            hall.presence.tell(account, &frame);
        }
    }
}

fn refused(error: &LobbyError) -> ServerMsg {
    let (code, reason) = (error.code().to_owned(), error.to_string());
    ServerMsg::Rejected { game: None, ply: None, code, reason }
}
