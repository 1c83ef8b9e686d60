//! What a socket says to the lobby: that somebody is there, the queue, the notices of its account.

use rules::Variant;
use store::AccountId;

use super::super::wire::Room;
use super::Connection;
use crate::games::wire::TimeControlView;
use crate::http::ApiError;
use crate::lobby::LobbyError;

impl Connection {
    /// The lobby learns who is there as soon as it is known.
    pub(super) async fn enter_lobby(&mut self) {
        let account = self.visitor.account.clone().filter(|it| self.present_as != Some(it.id));
        if let Some(account) = account {
            self.quit_lobby().await;
            self.present_as = Some(account.id);
            self.live.0.lobby.arrive(account, self.outbox.clone()).await;
        }
    }

    pub(super) async fn quit_lobby(&mut self) {
        if let Some(account) = self.present_as.take() {
            self.live.0.lobby.depart(account, self.outbox.socket()).await;
        }
    }

    /// Somebody without an account becomes a guest here, as with a challenge.
    pub(super) async fn join_queue(
        &mut self,
        variant: Variant,
        time: &TimeControlView,
        is_rated: bool,
        takes_bots: bool,
    ) {
        self.account().await;
        let account = match self.accounts.account_of(&self.visitor).await {
            Ok(account) => account,
            Err(error) => {
                let error = ApiError::from(error);
                return self.reject(None, error.code(), error.detail());
            }
        };
        self.visitor.account = Some(account.clone());
        self.enter_lobby().await;
        let lobby = self.live.0.lobby.clone();
        if let Err(error) = lobby.join_queue(account, variant, time, is_rated, takes_bots).await {
            self.refuse_in_lobby(&error);
        }
    }

    pub(super) async fn leave_queue(&mut self) {
        if let Some(account) = self.account().await {
            self.live.0.lobby.leave_queue(account).await;
        }
    }

    pub(super) async fn join_notices(&self, account: Option<AccountId>) {
        match account {
            Some(account) => {
                self.live.0.lobby.join_notices(account, self.outbox.clone()).await;
            }
            None => self.gone(Room::Me, "no_account", "there is nothing to tell you yet"),
        }
    }

    pub(super) async fn leave_notices(&self) {
        if let Some(account) = self.present_as {
            self.live.0.lobby.leave_notices(account, self.outbox.socket()).await;
        }
    }

    fn refuse_in_lobby(&self, error: &LobbyError) {
        self.reject(None, error.code(), &error.to_string());
    }
}
