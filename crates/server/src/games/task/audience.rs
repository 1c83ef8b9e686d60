//! Who looks at a game: they come and go, miss frames, and see it at once or late.

use axum::extract::ws::Utf8Bytes;
use rules::{ByColor, Color, UnixMillis};
use store::{AccountId, ChatLine};

use super::{GameTask, Listener, WATCHERS_TOLD_AFTER};
use crate::config::ChatPolicy;
use crate::games::chat;
use crate::games::render::{Shown, Surroundings, Told};
use crate::games::wire::{Around, ChatLineView, GameView, GoneView};
use crate::live::outbox::{Outbox, SocketId};
use crate::live::wire::{Room, RoomState, ServerMsg};

impl GameTask {
    pub(super) fn join(
        &mut self,
        outbox: &Outbox,
        account: Option<AccountId>,
        since: Option<u32>,
        muted: &[AccountId],
    ) {
        let side = self.side_of(account);
        let socket = outbox.socket();
        match since.and_then(|version| self.missed_since(version, side)) {
            Some(missed) => {
                let frames = self.frames.iter().skip(self.frames.len() - missed);
                frames.for_each(|frame| outbox.push(frame.clone()));
                self.tell_unnumbered(outbox, side, muted);
            }
            None => outbox.push(self.state_frame(side, muted)),
        }
        self.listeners.retain(|listener| listener.outbox.socket() != socket);
        self.listeners.push(Listener { outbox: outbox.clone(), account, side });
        self.guests.note(outbox, account);
        if let Some(side) = side {
            self.note_presence(side, true);
            self.gone_since[side] = None;
            if self.terms.host.is_some() {
                self.gone_since[side.other()] = None;
            }
        }
        self.last_activity = self.house.world.time.now();
        if side.is_some() {
            self.tell_around();
        } else {
            outbox.push(self.around_frame(None));
            self.around_due.get_or_insert(UnixMillis(self.last_activity.0 + WATCHERS_TOLD_AFTER));
        }
    }

    /// What is said and what a result did to ratings have no version: whoever comes back is told again, and keeps what
    /// is new.
    fn tell_unnumbered(&self, outbox: &Outbox, side: Option<Color>, muted: &[AccountId]) {
        if let Some(ratings) = &self.ratings {
            let rated = ServerMsg::Rated { game: self.id, ratings: ratings.clone() };
            outbox.push(rated.to_json().into());
        }
        for line in self.heard_by(side, muted) {
            let chat = ServerMsg::Chat { game: self.id, line: line.into() };
            outbox.push(chat.to_json().into());
        }
    }

    /// The lines of the talk that somebody may and wants to hear.
    fn heard_by<'a>(
        &'a self,
        side: Option<Color>,
        muted: &'a [AccountId],
    ) -> impl Iterator<Item = &'a ChatLine> {
        let over = self.game.outcome().is_some();
        let lines = self.talk.lines.iter().flatten();
        lines.filter(move |line| chat::hears(side, over, line.room) && !muted.contains(&line.by.id))
    }

    /// How many frames somebody at `version` has missed, if they are all still here.
    pub(super) fn missed_since(&self, version: u32, side: Option<Color>) -> Option<usize> {
        if let (Some(late), None) = (&self.late, side) {
            // No frames are kept for those who see the game late.
            return (late.version == version).then_some(0);
        }
        let missed = usize::try_from(self.version.checked_sub(version)?).ok()?;
        (missed <= self.frames.len()).then_some(missed)
    }

    pub(super) fn leave(&mut self, socket: SocketId) {
        let side = self.listeners.iter().find(|l| l.outbox.socket() == socket).map(|l| l.side);
        self.listeners.retain(|listener| listener.outbox.socket() != socket);
        self.guests.forget(socket);
        self.last_activity = self.house.world.time.now();
        match side {
            Some(Some(player)) => {
                if !self.is_present(player) {
                    self.note_presence(player, false);
                    self.gone_since[player] = Some(self.last_activity);
                    if self.terms.host.is_some() {
                        self.gone_since[player.other()] = Some(self.last_activity);
                    }
                }
                self.tell_around();
            }
            Some(None) => {
                self.around_due
                    .get_or_insert(UnixMillis(self.last_activity.0 + WATCHERS_TOLD_AFTER));
            }
            None => {}
        }
    }

    pub(super) fn tell_around(&mut self) {
        self.around_due = None;
        self.tell_gone();
        if self.late.is_some() {
            let frame = self.around_frame(None);
            for watcher in self.listeners.iter().filter(|listener| listener.side.is_none()) {
                watcher.outbox.push(frame.clone());
            }
        }
    }

    /// Tells whether somebody is waited for, which changes with every turn. Those who see the game late are not told:
    /// the moment alone would say that a move was made.
    pub(super) fn tell_gone(&self) {
        let frame = self.around_frame(Some(Color::White));
        let is_late = self.late.is_some();
        for listener in self.listeners.iter().filter(|it| it.side.is_some() || !is_late) {
            listener.outbox.push(frame.clone());
        }
    }

    fn around_frame(&self, side: Option<Color>) -> Utf8Bytes {
        ServerMsg::Around { game: self.id, around: self.around(side) }.to_json().into()
    }

    /// What surrounds the game, as players or watchers see it. Whoever sees it late must not learn from an absence
    /// whose turn it is.
    pub(super) fn around(&self, side: Option<Color>) -> Around {
        let present = |side| self.gone_since[side].is_none();
        let is_late = self.late.is_some() && side.is_none();
        let watchers = self.listeners.iter().filter(|listener| listener.side.is_none()).count();
        Around {
            present: ByColor { white: present(Color::White), black: present(Color::Black) },
            watchers: u32::try_from(watchers).unwrap_or(u32::MAX),
            rematch: self.rematch,
            gone: self.gone().filter(|_| !is_late),
            now: self.house.world.time.now().0,
        }
    }

    /// Whoever does something is here, though no socket of theirs may listen: programs play over HTTP alone.
    pub(super) fn note_sign_of_life(&mut self, side: Color) {
        if self.gone_since[side].is_some() {
            self.note_presence(side, true);
            self.gone_since[side] = None;
            self.tell_around();
        }
    }

    /// Whether a socket of this player listens here.
    pub(super) fn is_present(&self, side: Color) -> bool {
        let is_at_table = self.terms.host.is_some();
        let sits = |it: &Listener| it.side == Some(side) || (is_at_table && it.side.is_some());
        self.listeners.iter().any(sits) || self.players[side].is_bot()
    }

    /// The player who has left though it is their turn, and from when on the other may claim the game.
    pub(super) fn gone(&self) -> Option<GoneView> {
        let side = self.game.to_act()?;
        let grace = self.game.setup().rules.abandonment?;
        let since = self.gone_since[side].filter(|_| self.game.both_have_acted())?;
        Some(GoneView { side, claim_at: since.0 + grace.0 })
    }

    pub(super) fn state_frame(&self, side: Option<Color>, muted: &[AccountId]) -> Utf8Bytes {
        let view = self.view(side, muted);
        let (room, version) = (Room::Game(self.id), view.version);
        let state = RoomState::Game(Box::new(view));
        ServerMsg::State { room, version, state }.to_json().into()
    }

    pub(super) fn view(&self, side: Option<Color>, muted: &[AccountId]) -> GameView {
        let surroundings = Surroundings {
            around: self.around(side),
            chat: self.heard_by(side, muted).map(ChatLineView::from).collect(),
            can_chat: self.house.chat.get() != ChatPolicy::Off,
            muted: self.muted_here(muted),
            ratings: self.ratings.clone(),
            delay: self.late.as_ref().filter(|_| side.is_none()).map(|late| late.delay),
        };
        let (shown, now) = self.shown_to(side);
        shown.view(side, surroundings, now)
    }

    /// The game as players or watchers see it now, and which moment that is.
    pub(super) fn shown_to(&self, side: Option<Color>) -> (Shown<'_>, UnixMillis) {
        let now = self.house.world.time.now();
        let (game, version, at) = match (&self.late, side) {
            (Some(late), None) => (&late.game, late.version, UnixMillis(now.0 - late.delay.0)),
            _ => (&self.game, self.version, now),
        };
        let (players, terms, looks) = (&self.players, &self.terms, &self.house.looks);
        (Shown { id: self.id, game, players, terms, version, looks }, at)
    }

    /// Tells watchers what is old enough for them, and all of it once the game is over.
    pub(super) fn tell_late(&mut self, now: UnixMillis) {
        let Some(late) = &mut self.late else { return };
        let is_over = self.game.outcome().is_some();
        while let Some(event) = late.pop(now, is_over) {
            let told = Told::of(late.game.position(), &event);
            if let Err(error) = late.game.apply(&event) {
                tracing::error!(game = %self.id, %error, "watchers lose a game they saw late");
                break;
            }
            late.version += 1;
            let (game, version) = (&late.game, late.version);
            let (players, terms, looks) = (&self.players, &self.terms, &self.house.looks);
            let shown = Shown { id: self.id, game, players, terms, version, looks };
            let frame = Utf8Bytes::from(shown.message(told, &event, event.at()).to_json());
            let watchers = self.listeners.iter().filter(|listener| listener.side.is_none());
            for watcher in watchers {
                watcher.outbox.push(frame.clone());
            }
        }
        if is_over {
            self.late = None;
        }
    }
}
