//! How games come to live and come back: from a challenge, from their logs at a start, after a fault of their task.
//!
//! Whoever gives a game its task has the game's turn, so that there is never a second one.

use std::fmt;
use std::panic::AssertUnwindSafe;
use std::sync::Arc;

use futures_util::FutureExt as _;
use rules::{Actor, ByColor, Command, Event, Game, UnixMillis};
use store::{AccountId, GameId, NewGame, StoreError, StoredGame};
use tokio::sync::mpsc;

use super::render::Terms;
use super::seats::Seats;
use super::slow::{News, What};
use super::task::{Ending, GameTask, Guests, Late, Mail, Ready};
use super::{GameError, GameHandle, Games, TURNS, downtime};

/// Letters that may wait for one game.
const MAILBOX: usize = 128;
/// Games that are brought back in one go at a start: all of them at once could be more than the writer lets wait.
const REVIVED_AT_ONCE: usize = 4_096;

/// How long to wait before a game is rebuilt, in milliseconds: the first time, the second, … and every time after that.
const REBUILD_AFTER: [i64; 5] = [0, 100, 1_000, 5_000, 30_000];

/// Whether the next try would end like this one.
fn is_hopeless(error: &GameError) -> bool {
    match error {
        GameError::Unknown | GameError::Fault(_) => true,
        GameError::Store(error) => {
            matches!(error, StoreError::NotFound | StoreError::Damaged(_) | StoreError::Stopped(_))
        }
        _ => false,
    }
}

impl Games {
    /// Gives every running game that can be read its task. Gives how many there are.
    pub(super) async fn revive_all(
        &self,
        stored: Vec<Result<StoredGame, StoreError>>,
    ) -> Result<usize, StoreError> {
        let mut stored = stored.into_iter();
        let mut count = 0;
        while stored.len() > 0 {
            count += self.revive(stored.by_ref().take(REVIVED_AT_ONCE)).await?;
        }
        Ok(count)
    }

    /// Revives some of them. One damaged game must not keep the club closed: it is named in the log and left alone.
    async fn revive(
        &self,
        stored: impl Iterator<Item = Result<StoredGame, StoreError>>,
    ) -> Result<usize, StoreError> {
        let left_alone = |game: GameId, error: &dyn fmt::Display| {
            tracing::error!(%game, %error, "a game could not be brought back");
        };
        let mut reviving = Vec::new();
        for game in stored {
            let game = match game {
                Ok(game) => game,
                Err(error) => {
                    tracing::error!(%error, "a game could not be brought back");
                    continue;
                }
            };
            let id = game.id;
            // Queue all first, wait afterwards: one commit for all of them.
            let begun = AssertUnwindSafe(|| {
                let ready = self.rebuild(game)?;
                let is_live = ready.game.setup().time.is_live();
                let back_since = is_live.then(|| self.0.house.world.time.now());
                let ready = Ready { back_since, ..ready };
                Ok::<_, GameError>(self.begin_resume(ready, self.0.down_since))
            });
            match std::panic::catch_unwind(begun) {
                Ok(Ok(revived)) => reviving.push((id, revived)),
                Ok(Err(error)) => left_alone(id, &error),
                Err(_) => left_alone(id, &"its log makes the rules fail"),
            }
        }
        let mut count = 0;
        for (id, revived) in reviving {
            match revived.await {
                Ok(ready) => {
                    self.live(ready);
                    count += 1;
                }
                Err(error @ (StoreError::Damaged(_) | StoreError::Conflict)) => {
                    left_alone(id, &error);
                }
                // Any other trouble of the storage is everybody's, not this game's.
                Err(error) => return Err(error),
            }
        }
        Ok(count)
    }

    /// A running game that comes back from the log notes it: its clocks are those of its last event, from now on.
    fn begin_resume(
        &self,
        mut ready: Ready,
        since: Option<UnixMillis>,
    ) -> impl Future<Output = Result<Ready, StoreError>> + use<> {
        let now = self.0.house.world.time.now();
        let back = downtime::back(&ready.game, since, now);
        let command = Command::new(Actor::Server, now, back);
        let events = if ready.game.outcome().is_none() {
            ready.game.decide(&command).unwrap_or_default()
        } else {
            vec![]
        };
        let writing = (!events.is_empty())
            .then(|| self.0.house.store.append_events(ready.id, ready.version + 1, &events, None));
        async move {
            if let Some(writing) = writing {
                writing.await?;
                for event in events {
                    ready
                        .game
                        .apply(&event)
                        .map_err(|error| StoreError::Damaged(error.to_string()))?;
                    ready.version += 1;
                    if let Some(late) = &mut ready.late {
                        late.push(event);
                    }
                }
            }
            Ok(ready)
        }
    }

    /// Gives a game its task and watches over it. Whoever calls this has the game's turn, so that there is no other.
    fn live(&self, ready: Ready) -> GameHandle {
        let (post, mut inbox) = mpsc::channel(MAILBOX);
        let seats = Seats::new(&ready.players, ready.terms.is_private, ready.terms.host);
        let handle = GameHandle { post, seats: Arc::new(seats) };
        let (id, key) = (ready.id, (ready.game.started().0, ready.id));
        self.0.handles.write().insert(id, handle.clone());
        if ready.game.outcome().is_none() {
            self.0.running.insert(key, &seats);
        }
        let games = self.clone();
        let listing = Box::new({
            let games = self.clone();
            move |runs| {
                if runs {
                    games.0.running.insert(key, &seats);
                } else {
                    games.0.running.remove(key, &seats);
                }
            }
        });
        let guests = Guests::default();
        let task = GameTask::new(ready, self.0.house.clone(), listing, guests.clone());
        let seat = handle.seats.clone();
        tokio::spawn(async move {
            let living = async {
                #[cfg(test)]
                games.0.faults.strike();
                task.run(&mut inbox).await
            };
            let ending = AssertUnwindSafe(living).catch_unwind().await;
            // From here on a new task can come: what is this one's alone is put away, and its last letters are read.
            inbox.close();
            games.put_away(id, &seat, || games.0.running.remove(key, &seats));
            let mut unread = Vec::new();
            while let Some(mail) = inbox.recv().await {
                unread.push(mail);
            }
            if matches!(ending, Ok(Ending::Forgotten)) {
                return games.hand_on(id, unread).await;
            }
            games.0.house.metrics.rebuilt.inc();
            tracing::error!(game = %id, ?ending, "a game is rebuilt from its log");
            // Nobody may look on in vain; what they asked of a game that is in doubt, they are free to ask again.
            for mail in &unread {
                guests.hear(mail);
            }
            games.rebuild_until_it_works(id, &guests).await;
        });
        handle
    }

    /// Forgets the way to a task that has ended, unless there is a newer one.
    pub(super) fn put_away(&self, id: GameId, seat: &Arc<Seats>, unlist: impl FnOnce()) {
        let mut handles = self.0.handles.write();
        if handles.get(&id).is_some_and(|handle| Arc::ptr_eq(&handle.seats, seat)) {
            handles.remove(&id);
            unlist();
        }
    }

    /// Gives what came for a finished game just when its task left to a new one.
    async fn hand_on(&self, id: GameId, unread: Vec<Mail>) {
        if unread.is_empty() {
            return;
        }
        match Box::pin(self.open(id)).await {
            Ok(handle) => {
                for mail in unread {
                    let _ = handle.post.send(mail).await;
                }
            }
            Err(error) => tracing::warn!(game = %id, %error, "letters to a game are lost"),
        }
    }

    /// A running game must live, or its flag would never fall: it is tried until it works, however long the storage is
    /// away. Whoever looked at it goes on looking, and is shown the whole of it: what they missed nobody knows.
    async fn rebuild_until_it_works(&self, id: GameId, guests: &Guests) {
        let time = &self.0.house.world.time;
        let mut tries = self.0.faults.note(id, time.now());
        loop {
            time.sleep(REBUILD_AFTER[tries.min(REBUILD_AFTER.len() - 1)]).await;
            tries += 1;
            match Box::pin(self.open(id)).await {
                Ok(handle) => {
                    for (outbox, account) in guests.all() {
                        self.join(&handle, outbox, account, None).await;
                    }
                    return;
                }
                Err(error) if is_hopeless(&error) => {
                    tracing::error!(game = %id, %error, "a game cannot be rebuilt and is left alone");
                    return;
                }
                Err(error) => {
                    tracing::error!(game = %id, %error, "a game could not be rebuilt yet");
                }
            }
        }
    }

    /// The way to a game, whoever asks; it is read from the store if it does not live.
    pub(super) async fn open(&self, id: GameId) -> Result<GameHandle, GameError> {
        if let Some(handle) = self.alive(id) {
            return Ok(handle);
        }
        let _only_me = self.turn(id).await;
        if let Some(handle) = self.alive(id) {
            return Ok(handle);
        }
        let stored = self.0.house.store.load_game(id).await.map_err(|error| match error {
            StoreError::NotFound => GameError::Unknown,
            other => GameError::Store(other),
        })?;
        let last_event = stored.events.last().map_or(stored.created_at, Event::at);
        let mut ready = self.rebuild(stored)?;
        // Who comes back while the server was there all the time has lost none: only a live clock begins anew.
        if ready.game.setup().time.is_live() {
            ready = self.begin_resume(ready, self.0.down_since).await?;
        } else if let Some(since) = self.uncredited_outage(last_event) {
            ready = self.begin_resume(ready, Some(since)).await?;
        }
        ready.rematch = self.stored_rematch(&ready).await?;
        ready.ratings = self.stored_ratings(&ready).await?;
        Ok(self.live(ready))
    }

    /// Since when the storage was away before this game came back, if the game has written nothing since. While the
    /// storage is away the game hears of its end itself.
    fn uncredited_outage(&self, last_event: UnixMillis) -> Option<UnixMillis> {
        let outage = (*self.0.house.slow.outages().borrow())?;
        outage.until.filter(|until| last_event < *until).map(|_| outage.since)
    }

    /// Whoever holds this alone may give the game a task.
    async fn turn(&self, id: GameId) -> tokio::sync::MutexGuard<'_, ()> {
        let letter = id.as_str().bytes().last().unwrap_or_default();
        self.0.turns[usize::from(letter) % TURNS].lock().await
    }

    /// The way to a game that lives.
    pub(super) fn alive(&self, id: GameId) -> Option<GameHandle> {
        self.0.handles.read().get(&id).filter(|handle| !handle.post.is_closed()).cloned()
    }

    /// Begins the game of an accepted challenge, which the store has written already.
    pub async fn begin(
        &self,
        new: NewGame,
        players: ByColor<store::Account>,
    ) -> Result<GameHandle, GameError> {
        self.begin_hosted(new, players, None).await
    }

    /// Begins a game that the store has written already, perhaps at somebody's computer.
    pub(crate) async fn begin_hosted(
        &self,
        new: NewGame,
        players: ByColor<store::Account>,
        host: Option<AccountId>,
    ) -> Result<GameHandle, GameError> {
        let game = Game::new(new.setup, new.created_at)
            .map_err(|error| GameError::Fault(error.to_string()))?;
        let pool = new.pool.as_deref().and_then(|pool| pool.parse().ok());
        let terms = Terms {
            rated: new.rated,
            pool,
            ratings: new.ratings,
            provisional: new.provisional,
            is_private: new.private,
            host,
        };
        let late = Late::at(game.clone(), 0, self.0.house.watch_delay);
        let (id, rematch, ratings, back_since) = (new.id, None, None, None);
        let first = (!game.setup().time.is_live()).then(|| News {
            game: id,
            players: players.as_ref().map(|player| player.id),
            what: What::Moved { to_act: game.to_act() },
        });
        let _only_me = self.turn(id).await;
        // Somebody who knew of it may have opened it already.
        let handle = self.alive(id).unwrap_or_else(|| {
            let version = 0;
            let ready =
                Ready { id, game, late, players, terms, version, rematch, ratings, back_since };
            self.live(ready)
        });
        // Whoever has the first move of a slow game may be away.
        if let Some(first) = first {
            self.0.house.slow.ring(first);
        }
        Ok(handle)
    }

    fn rebuild(&self, stored: StoredGame) -> Result<Ready, GameError> {
        let version = u32::try_from(stored.events.len()).unwrap_or(u32::MAX);
        let broken = |error| GameError::Fault(format!("its log cannot be replayed: {error}"));
        let (house, started, events) = (&self.0.house, stored.created_at, &stored.events);
        let now = house.world.time.now();
        let late = Late::rebuild(stored.setup.clone(), started, events, house.watch_delay, now)
            .map_err(broken)?;
        let game = Game::rebuild(stored.setup, started, events).map_err(broken)?;
        let terms = Terms {
            rated: stored.rated,
            pool: stored.pool.as_deref().and_then(|pool| pool.parse().ok()),
            ratings: stored.ratings,
            provisional: stored.provisional,
            is_private: stored.private,
            host: stored.host,
        };
        let (id, players) = (stored.id, stored.players);
        let late = late.filter(|_| game.outcome().is_none());
        let (rematch, ratings, back_since) = (None, None, None);
        Ok(Ready { id, game, late, players, terms, version, rematch, ratings, back_since })
    }
}
