//! Everything about me, to take along: the account as JSON, the games as PGN.

use rules::{Color, Game, Outcome};
use serde::Serialize;
use store::{GameId, StoreError, StoredGame};

use super::wire::{AccountView, SessionView};
use super::{AccountError, Accounts, Visitor};
use crate::games::pgn;
use crate::reminders::Choice;

/// A game as the export tells it.
#[derive(Serialize)]
pub(crate) struct ExportedGame {
    id: GameId,
    created_at: i64,
    white: String,
    black: String,
    outcome: Option<Outcome>,
    /// None for variants that PGN cannot tell.
    pgn: Option<String>,
}

/// An account at another site as the export tells it.
#[derive(Serialize)]
pub(crate) struct ExportedConnection {
    service: String,
    name: String,
    created_at: i64,
    proved_at: Option<i64>,
}

/// Everything that is kept about somebody.
#[derive(Serialize)]
pub(crate) struct Export {
    account: AccountView,
    sessions: Vec<SessionView>,
    /// What they want to be told; none if they never said.
    reminders: Option<Choice>,
    /// Browsers that are told, by what they said they are.
    browsers: Vec<String>,
    connections: Vec<ExportedConnection>,
    games: Vec<ExportedGame>,
}

impl Accounts {
    /// Everything about the visitor.
    pub(crate) async fn export(&self, visitor: &Visitor) -> Result<Export, AccountError> {
        let player = visitor.account_id().ok_or(AccountError::NoSession)?;
        let account = self.account_view(visitor).await?;
        let sessions = self.sessions(visitor).await?.sessions;
        let chosen = self.0.store.reminder_choice(player).await?;
        let reminders = chosen.map(|chosen| Choice::from_stored(&chosen.choice));
        let browsers = self.0.store.subscriptions(player).await?;
        let browsers = browsers.into_iter().map(|browser| browser.device).collect();
        let connections = self.0.store.connections_of(player).await?.into_iter();
        let connections = connections.map(|one| ExportedConnection {
            service: one.service,
            name: one.name,
            created_at: one.created_at.0,
            proved_at: one.proved_at.map(|at| at.0),
        });
        let connections = connections.collect();
        let mut games = Vec::new();
        self.for_each_game(visitor, |stored, game| games.push(self.exported(stored, game))).await?;
        Ok(Export { account, sessions, reminders, browsers, connections, games })
    }

    /// All games of the visitor as PGN.
    pub(crate) async fn export_pgn(&self, visitor: &Visitor) -> Result<String, AccountError> {
        let mut text = String::new();
        self.for_each_game(visitor, |stored, game| {
            text.extend(pgn::write(stored, game, &self.0.public_url));
        })
        .await?;
        Ok(text)
    }

    /// One game at a time, so that a long life as a player does not fill the memory.
    async fn for_each_game(
        &self,
        visitor: &Visitor,
        mut tell: impl FnMut(&StoredGame, &Game) + Send,
    ) -> Result<(), AccountError> {
        let id = visitor.account_id().ok_or(AccountError::NoSession)?;
        for game in self.0.store.games_of(id).await? {
            let stored = self.0.store.load_game(game).await?;
            let rebuilt = Game::rebuild(stored.setup.clone(), stored.created_at, &stored.events)
                .map_err(|error| StoreError::Damaged(format!("game {game}: {error}")))?;
            tell(&stored, &rebuilt);
        }
        Ok(())
    }

    fn exported(&self, stored: &StoredGame, game: &Game) -> ExportedGame {
        ExportedGame {
            id: stored.id,
            created_at: stored.created_at.0,
            white: stored.players[Color::White].name.clone(),
            black: stored.players[Color::Black].name.clone(),
            outcome: game.outcome().copied(),
            pgn: pgn::write(stored, game, &self.0.public_url),
        }
    }
}
