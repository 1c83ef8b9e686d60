//! What is said at a board: judged, written, and then told to those who may and want to hear it.

use axum::extract::ws::Utf8Bytes;
use store::{Account, AccountId, ChatLine, ChatRoom, StoreError};

use super::{GameTask, KEPT_LINES, SayReply};
use crate::games::GameError;
use crate::games::chat::{self, ChatRefusal};
use crate::games::mutes::{self, Muted};
use crate::games::slow::What;
use crate::games::wire::ChatLineView;
use crate::live::wire::ServerMsg;

impl GameTask {
    /// Reads what was said before, once somebody wants to hear it.
    pub(super) async fn read_chat(&mut self) {
        if self.talk.lines.is_none() {
            match self.house.store.load_chat(self.id, KEPT_LINES).await {
                Ok(lines) => self.talk.lines = Some(lines),
                Err(error) => tracing::warn!(game = %self.id, %error, "chat cannot be read"),
            }
        }
    }

    pub(super) async fn handle_say(
        &mut self,
        by: Account,
        room: ChatRoom,
        text: &str,
        reply: SayReply,
    ) {
        let said = self.say(by, room, text).await;
        match (reply, said) {
            (SayReply::Socket(_), Ok(_)) => {}
            (SayReply::Socket(outbox), Err(error)) => {
                let (code, reason) = (error.code().to_owned(), error.to_string());
                let game = Some(self.id);
                outbox.push(ServerMsg::Rejected { game, ply: None, code, reason }.to_json().into());
            }
            (SayReply::Caller(answer), said) => {
                let _ = answer.send(said);
            }
        }
    }

    /// Judges a line, writes it, and then tells those who may hear it.
    async fn say(
        &mut self,
        by: Account,
        room: ChatRoom,
        text: &str,
    ) -> Result<ChatLineView, GameError> {
        let (side, over) = (self.side_of(Some(by.id)), self.game.outcome().is_some());
        if !chat::hears(side, over, room) {
            return Err(ChatRefusal::NotYourRoom.into());
        }
        self.read_chat().await;
        // Without them nobody knows the next number; the next line reads again.
        let lines = self.talk.lines.as_ref().ok_or_else(unread)?;
        let number = lines.last().map_or(1, |line| line.number + 1);
        let now = self.house.world.time.now();
        let text = self.talk.judge(self.house.chat.get(), by.id, room, text, now)?;
        let line = ChatLine { number, room, by, text, at: now };
        let deaf = self.house.store.muters_of(line.by.id).await?;
        self.house.store.add_chat_line(self.id, line.clone()).await?;
        let view = ChatLineView::from(&line);
        let frame = ServerMsg::Chat { game: self.id, line: view.clone() };
        let frame = Utf8Bytes::from(frame.to_json());
        for listener in &self.listeners {
            let is_deaf = listener.account.is_some_and(|account| deaf.contains(&account));
            if chat::hears(listener.side, over, room) && !is_deaf {
                listener.outbox.push(frame.clone());
            }
        }
        self.talk.keep(line, KEPT_LINES);
        self.ring(What::Said);
        Ok(view)
    }

    /// Those of the muted who play or have said something here.
    pub(super) fn muted_here(&self, muted: &[AccountId]) -> Vec<String> {
        let is_here = |id: &AccountId| {
            let has_spoken = self.talk.lines.iter().flatten().any(|line| line.by.id == *id);
            has_spoken || self.side_of(Some(*id)).is_some()
        };
        muted.iter().copied().filter(is_here).map(String::from).collect()
    }

    /// Whom somebody does not want to hear, as it is now.
    pub(super) async fn muted_by(&self, account: AccountId) -> Vec<AccountId> {
        self.or_everybody(mutes::muted_by(&self.house.store, Some(account)).await)
    }

    /// If it is not known whom somebody does not want to hear, nobody's words are shown.
    pub(super) fn or_everybody(&self, muted: Muted) -> Vec<AccountId> {
        muted.unwrap_or_else(|| self.talk.lines.iter().flatten().map(|line| line.by.id).collect())
    }
}

fn unread() -> StoreError {
    StoreError::Away("what was said before cannot be read".to_owned())
}
