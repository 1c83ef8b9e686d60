//! The task that watches: it notes what happens, and tells what is due.

use rules::{Color, UnixMillis};
use store::{
    AccountId, ChallengeKind, ChallengeState, GameId, Reminder, ReminderChoice, ReminderKind,
    StoreError, Telling,
};
use tokio::sync::broadcast::error::RecvError;

use super::words::{self, Words};
use super::{Choice, Reminders};
use crate::games::GameError;
use crate::games::slow::{News, What};
use crate::games::slow_games::About;
use crate::mail::{MailError, MailKind, ReminderMail};

/// Nothing is told before this: conditional moves answer at once, and people change their minds.
const GRACE: i64 = 30_000;
/// Somebody who is looking just now is told later, and looked after this often …
const LOOK_AGAIN: i64 = 600_000;
/// … and told all the same once it has waited for this long.
const WAITED: i64 = 3_600_000;
/// Somebody on leave is looked after this often.
const WHILE_AWAY: i64 = 6 * 3_600_000;
/// Time is low at a quarter of what a move has, but not before the last day.
const LOW: i64 = 24 * 3_600_000;
/// The task looks this often even if nothing happens.
const LOOK_EVERY: i64 = 60_000;
/// Ends of games are looked for this far back after a stop.
const LOOK_BACK: i64 = 24 * 3_600_000;
/// What was told is remembered for this long.
const REMEMBER: i64 = 90 * 24 * 3_600_000;
/// Games in one daily letter at most.
const MOST_LINES: usize = 100;

/// Starts the task.
pub(super) fn start(reminders: Reminders) {
    let ground = &reminders.0.ground;
    let (mut news, mut invited) = (ground.games.news(), ground.lobby.invited());
    tokio::spawn(async move {
        let time = reminders.0.ground.world.time.clone();
        let mut is_behind = true;
        loop {
            if is_behind {
                is_behind = warn(reminders.catch_up().await).is_err();
            }
            let next = warn(reminders.tell_due().await).ok().flatten();
            let latest = UnixMillis(time.now().0 + LOOK_EVERY);
            let rung = reminders.0.bell.notified();
            tokio::select! {
                heard = news.recv() => match heard {
                    Ok(heard) => is_behind |= warn(reminders.note(&heard).await).is_err(),
                    Err(RecvError::Lagged(_)) => is_behind = true,
                    Err(RecvError::Closed) => return,
                },
                heard = invited.recv() => match heard {
                    Ok((account, id)) => {
                        let noted = reminders.note_one(account, ReminderKind::Invitation, id, 0).await;
                        is_behind |= warn(noted).is_err();
                    }
                    Err(RecvError::Lagged(_)) => is_behind = true,
                    Err(RecvError::Closed) => return,
                },
                () = rung => {}
                () = time.sleep_until(next.unwrap_or(latest).min(latest)) => {}
            }
        }
    });
}

/// A store in trouble is watched elsewhere; what could not be done is done later.
fn warn<T>(result: Result<T, GameError>) -> Result<T, GameError> {
    if let Err(error) = &result {
        tracing::warn!(%error, "reminders wait");
    }
    result
}

impl Reminders {
    /// Notes what nobody could note: before the task began, while it was too slow, or as the server stopped.
    async fn catch_up(&self) -> Result<(), GameError> {
        let ground = &self.0.ground;
        let now = ground.world.time.now();
        ground.store.forget_old_reminders(UnixMillis(now.0 - REMEMBER)).await?;
        let people: Vec<(AccountId, Choice)> = self
            .0
            .choices
            .read()
            .iter()
            .map(|(account, choice)| (*account, choice.clone()))
            .collect();
        for (account, choice) in people {
            for game in ground.games.running_of(account) {
                self.note_turn(account, game).await?;
            }
            if choice.wants(ReminderKind::Invitation) {
                for challenge in ground.store.load_open_challenges_of(account).await? {
                    if challenge.kind.asked().is_some_and(|asked| asked.id == account) {
                        self.note_one(account, ReminderKind::Invitation, challenge.id, 0).await?;
                    }
                }
            }
        }
        let since = UnixMillis(now.0 - LOOK_BACK);
        for (game, players, ended_at) in ground.store.slow_games_ended_since(since).await? {
            for account in players {
                let chosen = ground.store.reminder_choice(account).await?;
                if chosen.is_some_and(|chosen| chosen.changed_at <= ended_at) {
                    self.note_one(account, ReminderKind::Result, game, 0).await?;
                }
            }
        }
        Ok(())
    }

    async fn note(&self, news: &News) -> Result<(), GameError> {
        match news.what {
            What::Moved { to_act: Some(side) } => {
                self.note_turn(news.players[side], news.game).await
            }
            What::Ended => {
                self.0.ground.store.forget_moves_due(news.game).await?;
                for side in Color::ALL {
                    let account = news.players[side];
                    self.note_one(account, ReminderKind::Result, news.game, 0).await?;
                }
                Ok(())
            }
            What::WentBack => {
                // What was told of a ply before is told of it again.
                self.0.ground.store.forget_moves_due(news.game).await?;
                self.note_turns(news).await
            }
            // An arbiter who opens a game again may have made it somebody's turn.
            // Before the first move of GMO both armies are awaited.
            What::Asked | What::Decided | What::Moved { to_act: None } => {
                self.note_turns(news).await
            }
            What::Said => Ok(()),
        }
    }

    async fn note_turns(&self, news: &News) -> Result<(), GameError> {
        for side in Color::ALL {
            self.note_turn(news.players[side], news.game).await?;
        }
        Ok(())
    }

    /// Notes that it is somebody's turn, if it is.
    async fn note_turn(&self, account: AccountId, game: GameId) -> Result<(), GameError> {
        let wants = |kind| self.chosen(account).is_some_and(|choice| choice.wants(kind));
        if !wants(ReminderKind::Move) && !wants(ReminderKind::Low) {
            return Ok(());
        }
        let Some(about) = self.about(account, game).await? else { return Ok(()) };
        if about.is_live || !about.is_their_turn {
            return Ok(());
        }
        for kind in [ReminderKind::Move, ReminderKind::Low] {
            if kind == ReminderKind::Move || about.has_clock() {
                self.note_one(account, kind, game, about.number()).await?;
            }
        }
        Ok(())
    }

    async fn note_one(
        &self,
        account: AccountId,
        kind: ReminderKind,
        subject: GameId,
        number: i64,
    ) -> Result<(), GameError> {
        if !self.chosen(account).is_some_and(|choice| choice.wants(kind)) {
            return Ok(());
        }
        let since = self.0.ground.world.time.now();
        let due_at = UnixMillis(since.0 + GRACE);
        let reminder = Reminder { account, kind, subject, number, since, due_at };
        match self.0.ground.store.note_reminders(vec![reminder]).await {
            Ok(()) => Ok(()),
            Err(error) => match self.0.ground.store.load_player(account).await {
                // The player has left the club meanwhile.
                Err(StoreError::NotFound) => {
                    self.0.choices.write().remove(&account);
                    Ok(())
                }
                _ => Err(error.into()),
            },
        }
    }

    /// A game as one of its players has to know it; none if it is not there for them.
    async fn about(&self, account: AccountId, game: GameId) -> Result<Option<About>, GameError> {
        match self.0.ground.games.about(game, account).await {
            Ok(about) => Ok(about),
            Err(GameError::Unknown | GameError::NotYourGame) => Ok(None),
            Err(GameError::Store(error)) if !matches!(error, StoreError::Damaged(_)) => {
                Err(error.into())
            }
            // One damaged game must not silence all others.
            Err(error) => {
                tracing::warn!(%game, %error, "nobody can be reminded of a game");
                Ok(None)
            }
        }
    }

    /// Tells what is due. Gives when there is something to tell next.
    async fn tell_due(&self) -> Result<Option<UnixMillis>, GameError> {
        let ground = &self.0.ground;
        loop {
            let now = ground.world.time.now();
            let (due, digests) =
                (ground.store.due_reminders(now).await?, ground.store.due_digests(now).await?);
            if due.is_empty() && digests.is_empty() {
                break;
            }
            for reminder in due {
                self.tell(reminder, now).await?;
            }
            for digest in digests {
                self.write_digest(digest, now).await?;
            }
        }
        Ok(ground.store.next_reminder_due_at().await?)
    }

    async fn tell(&self, reminder: Reminder, now: UnixMillis) -> Result<(), GameError> {
        let store = &self.0.ground.store;
        match self.judge(&reminder, now).await? {
            Verdict::Later(at) => Ok(store.postpone_reminder(reminder, at).await?),
            Verdict::Settled => {
                store.settle_reminder(reminder, Telling::default(), now).await?;
                Ok(())
            }
            Verdict::Tell(words) => {
                let telling = self.compose(&reminder, &words).await?;
                if store.settle_reminder(reminder, telling, now).await? {
                    self.0.ground.mail.ring();
                    self.0.ground.push.ring();
                }
                Ok(())
            }
        }
    }

    async fn judge(&self, reminder: &Reminder, now: UnixMillis) -> Result<Verdict, GameError> {
        let (account, kind) = (reminder.account, reminder.kind);
        if !self.chosen(account).is_some_and(|choice| choice.wants(kind)) {
            return Ok(Verdict::Settled);
        }
        if kind == ReminderKind::Invitation {
            return self.judge_invitation(reminder, now).await;
        }
        let Some(about) = self.about(account, reminder.subject).await? else {
            return Ok(Verdict::Settled);
        };
        let has_waited = now.0 - reminder.since.0 >= WAITED;
        let look_again = Verdict::Later(UnixMillis(now.0 + LOOK_AGAIN));
        let is_stale = !about.is_their_turn || about.number() != reminder.number || about.is_live;
        Ok(match kind {
            // Who sits at the board has seen the end.
            ReminderKind::Result if about.is_here || about.outcome.is_none() => Verdict::Settled,
            ReminderKind::Move | ReminderKind::Low if is_stale => Verdict::Settled,
            // Nobody has to move in a game that is stopped; it may go on at any moment.
            ReminderKind::Move | ReminderKind::Low if about.is_stopped => look_again,
            ReminderKind::Move if about.is_away => Verdict::Later(UnixMillis(now.0 + WHILE_AWAY)),
            ReminderKind::Move if about.is_here && !has_waited => look_again,
            ReminderKind::Low => match about.flag_at {
                None if about.has_clock() => look_again,
                None => Verdict::Settled,
                Some(flag_at) => {
                    let low = (about.time_for_a_move / 4).min(LOW);
                    let at = flag_at - low;
                    if at > now.0 {
                        // Not later than in a while: leave and weekends move a flag both ways.
                        Verdict::Later(UnixMillis(at.min(now.0 + LOW)))
                    } else if about.is_here && flag_at - now.0 > low / 2 {
                        look_again
                    } else {
                        say(reminder, &about, now)
                    }
                }
            },
            _ => say(reminder, &about, now),
        })
    }

    async fn judge_invitation(
        &self,
        reminder: &Reminder,
        now: UnixMillis,
    ) -> Result<Verdict, GameError> {
        let ground = &self.0.ground;
        let challenge = match ground.store.load_challenge(reminder.subject).await {
            Ok(challenge) => challenge,
            Err(StoreError::NotFound) => return Ok(Verdict::Settled),
            Err(error) => return Err(error.into()),
        };
        let is_direct = matches!(challenge.kind, ChallengeKind::Direct { .. });
        if challenge.state != ChallengeState::Open || !is_direct {
            return Ok(Verdict::Settled);
        }
        if ground.lobby.is_online(reminder.account) && now.0 - reminder.since.0 < WAITED {
            return Ok(Verdict::Later(UnixMillis(now.0 + LOOK_AGAIN)));
        }
        let message = ground.store.invitation(challenge.id).await?;
        Ok(Verdict::Tell(words::of_invitation(&challenge.challenger.name, message.as_deref())))
    }

    async fn compose(&self, reminder: &Reminder, words: &Words) -> Result<Telling, GameError> {
        let (account, kind) = (reminder.account, reminder.kind);
        let choice = self.choice(account);
        let mail = if choice.by_mail(kind) {
            let (subject, text) = (words.subject.clone(), words.text.clone());
            let link = (words.label, self.link(&words.path));
            self.mail_to(account, subject, text, Vec::new(), link).await?
        } else {
            None
        };
        let pushes = if choice.by_push(kind) {
            self.0.ground.push.compose(account, &words.notification(kind)).await?
        } else {
            Vec::new()
        };
        Ok(Telling { mail, pushes })
    }

    /// A mail to somebody, if one can reach them: the address has to be theirs for certain.
    async fn mail_to(
        &self,
        account: AccountId,
        subject: String,
        text: String,
        lines: Vec<(String, String)>,
        link: (&'static str, String),
    ) -> Result<Option<store::NewMail>, GameError> {
        let ground = &self.0.ground;
        let player = match ground.store.load_player(account).await {
            Ok(player) => player,
            Err(StoreError::NotFound) => return Ok(None),
            Err(error) => return Err(error.into()),
        };
        let is_active = player.state == store::PlayerState::Active;
        let address = player.email.filter(|_| player.email_verified_at.is_some() && is_active);
        let Some(address) = address else { return Ok(None) };
        let token = self.token(account);
        let mail = ReminderMail {
            name: player.name,
            subject,
            text,
            lines,
            link,
            choose: self.link("/account/preferences"),
            unsubscribe: self.link(&format!("/unsubscribe#{token}")),
            one_click: self.link(&format!("/api/v1/unsubscribe/{token}")),
        };
        match ground.mail.compose(&address, &MailKind::Reminder(mail)).await {
            Ok(mail) => Ok(Some(mail)),
            Err(MailError::Store(error)) => Err(error.into()),
            Err(_) => Ok(None),
        }
    }

    async fn write_digest(&self, due: ReminderChoice, now: UnixMillis) -> Result<(), GameError> {
        let ground = &self.0.ground;
        let choice = Choice::from_stored(&due.choice);
        let Some(next) = choice.next_digest(now) else {
            let never = UnixMillis(i64::MAX);
            ground.store.settle_digest(due, never, Telling::default(), now).await?;
            return Ok(());
        };
        let mut games = ground.games.mine(due.account).await;
        games.retain(|game| !game.is_live && !game.one_computer);
        games.sort_by_key(|game| (!game.is_your_move, game.flag_at.unwrap_or(i64::MAX)));
        let mail = if games.is_empty() {
            None
        } else {
            let (all, mine) = (games.len(), games.iter().filter(|game| game.is_your_move).count());
            let subject = match mine {
                0 => "Your games today".to_owned(),
                1 => "Your move in 1 game".to_owned(),
                _ => format!("Your move in {mine} games"),
            };
            let text = format!("you play {all} {}.", if all == 1 { "game" } else { "games" });
            let lines = games.iter().take(MOST_LINES);
            let lines = lines
                .map(|game| (words::line(game, now.0), self.link(&format!("/{}", game.id))))
                .collect();
            let link = ("All my games", self.link("/my-games"));
            self.mail_to(due.account, subject, text, lines, link).await?
        };
        let telling = Telling { mail, pushes: Vec::new() };
        if ground.store.settle_digest(due, next, telling, now).await? {
            ground.mail.ring();
        }
        Ok(())
    }
}

fn say(reminder: &Reminder, about: &About, now: UnixMillis) -> Verdict {
    let id = reminder.subject.to_string();
    Verdict::Tell(words::of_game(reminder.kind, &id, about, now.0))
}

/// What becomes of a reminder that is due.
enum Verdict {
    /// To be looked at again.
    Later(UnixMillis),
    /// Nobody needs it any more.
    Settled,
    /// To be told.
    Tell(Words),
}
