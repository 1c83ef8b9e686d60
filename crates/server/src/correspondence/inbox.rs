//! The inbox: invitations and their answers, what opponents ask for, what arbiters decided.

use rules::UnixMillis;
use store::AccountId;

use super::decisions::with_clocks;
use super::wire::{Inbox, MyGame, RequestKind, RequestView};
use super::{Correspondence, CorrespondenceError};
use crate::games::wire::PlayerView;

/// How long an answer or a decision stays in the inbox by itself.
const KEPT: i64 = 60 * 86_400_000;

impl Correspondence {
    /// What waits for somebody.
    pub async fn inbox(&self, account: AccountId) -> Result<Inbox, CorrespondenceError> {
        let since = UnixMillis(self.world.time.now().0 - KEPT);
        let open = self.lobby.challenges_of(account).await.map_err(from_lobby)?;
        let (sent, invitations): (Vec<_>, Vec<_>) =
            open.into_iter().filter(|it| it.asked.is_some()).partition(|it| it.is_mine);
        let unanswered = self.store.unanswered_invitations(account, since).await?;
        let answers = self.lobby.describe_all(account, &unanswered).await.map_err(from_lobby)?;
        let decisions = self.store.decisions_for(account, since).await?;
        let decisions = with_clocks(&self.store, decisions).await?;
        let requests: Vec<RequestView> =
            self.games.mine(account).await.iter().flat_map(requests_in).collect();
        let waiting = invitations.len() + answers.len() + decisions.len() + requests.len();
        Ok(Inbox { invitations, sent, answers, requests, decisions, waiting })
    }

    /// Puts an answer or a decision away: `challenge:ID` or `decision:NUMBER`.
    pub async fn put_away(
        &self,
        account: AccountId,
        item: &str,
    ) -> Result<(), CorrespondenceError> {
        let is_known = match item.split_once(':') {
            Some(("challenge", id)) => id.parse::<store::GameId>().is_ok(),
            Some(("decision", number)) => number.parse::<u32>().is_ok(),
            _ => false,
        };
        if !is_known {
            return Err(CorrespondenceError::UnknownItem);
        }
        self.store.put_away(account, item.to_owned(), self.world.time.now()).await?;
        self.lobby.tell_notices(account).await;
        Ok(())
    }
}

fn from_lobby(error: crate::lobby::LobbyError) -> CorrespondenceError {
    use crate::games::GameError;
    use crate::lobby::LobbyError;
    match error {
        LobbyError::Game(error) => error.into(),
        other => GameError::Fault(other.to_string()).into(),
    }
}

fn requests_in(game: &MyGame) -> Vec<RequestView> {
    let other: &PlayerView = match game.you {
        rules::Color::White => &game.players.black,
        rules::Color::Black => &game.players.white,
    };
    let pause = if game.is_adjourned { RequestKind::Resumption } else { RequestKind::Adjournment };
    let asked = [
        (RequestKind::Draw, game.draw_offer),
        (RequestKind::Takeback, game.takeback_offer),
        (pause, game.adjournment_offer),
    ];
    asked
        .into_iter()
        .filter(|(_, by)| *by == Some(game.you.other()))
        .map(|(ask, _)| RequestView { ask, game: game.id.clone(), by: other.clone() })
        .collect()
}
