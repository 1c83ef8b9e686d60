//! Everything about me, to take along: the account as JSON, the games as PGN.

use rules::pgn::{Game as PgnGame, GameResult, Node};
use rules::{Color, Game, Outcome, UnixMillis, Variant};
use serde::Serialize;
use store::{GameId, StoreError, StoredGame};

use super::wire::{AccountView, SessionView};
use super::{AccountError, Accounts, DAY, Visitor};

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

/// Everything that is kept about somebody.
#[derive(Serialize)]
pub(crate) struct Export {
    account: AccountView,
    sessions: Vec<SessionView>,
    games: Vec<ExportedGame>,
}

impl Accounts {
    /// Everything about the visitor.
    pub(crate) async fn export(&self, visitor: &Visitor) -> Result<Export, AccountError> {
        let account = self.account_view(visitor).await?;
        let sessions = self.sessions(visitor).await?.sessions;
        let mut games = Vec::new();
        self.for_each_game(visitor, |stored, game| games.push(self.exported(stored, game))).await?;
        Ok(Export { account, sessions, games })
    }

    /// All games of the visitor as PGN.
    pub(crate) async fn export_pgn(&self, visitor: &Visitor) -> Result<String, AccountError> {
        let mut text = String::new();
        self.for_each_game(visitor, |stored, game| {
            text.extend(self.pgn_of(stored, game));
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
            pgn: self.pgn_of(stored, game),
        }
    }

    fn pgn_of(&self, stored: &StoredGame, game: &Game) -> Option<String> {
        let mut pgn = PgnGame { result: result_of(game.outcome()), ..PgnGame::default() };
        let tags = &mut pgn.tags;
        tags.set("Event", "Rookery game");
        tags.set("Site", format!("{}/game/{}", self.0.public_url, stored.id));
        tags.set("Date", date_of(stored.created_at));
        tags.set("White", stored.players[Color::White].name.clone());
        tags.set("Black", stored.players[Color::Black].name.clone());
        match stored.setup.variant {
            Variant::Standard => {}
            Variant::Chess960 => tags.set("Variant", "Chess960"),
            Variant::Defender => tags.set("Variant", "ChessDefender"),
            Variant::Gmo => return None,
        }
        if let Some(fen) = &stored.setup.start {
            tags.set("SetUp", "1");
            tags.set("FEN", fen.clone());
        }
        let mut board = pgn.start().ok()?;
        for action in game.actions() {
            pgn.line.nodes.push(Node::from(board.play(*action)?));
        }
        pgn.to_pgn().ok()
    }
}

fn result_of(outcome: Option<&Outcome>) -> GameResult {
    match outcome {
        Some(Outcome::Win { winner: Color::White, .. }) => GameResult::WhiteWins,
        Some(Outcome::Win { winner: Color::Black, .. }) => GameResult::BlackWins,
        Some(Outcome::Draw { .. }) => GameResult::Draw,
        Some(Outcome::Aborted { .. }) | None => GameResult::Unknown,
    }
}

/// The day in UTC as PGN writes it, `2026.01.31`: days are counted from the first of March of the year 0.
fn date_of(at: UnixMillis) -> String {
    let days = at.0.div_euclid(DAY) + 719_468;
    let (era, of_era) = (days.div_euclid(146_097), days.rem_euclid(146_097));
    let year_of_era = (of_era - of_era / 1_460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let month_from_march = (5 * of_year + 2) / 153;
    let day = of_year - (153 * month_from_march + 2) / 5 + 1;
    let month = if month_from_march < 10 { month_from_march + 3 } else { month_from_march - 9 };
    let year = era * 400 + year_of_era + i64::from(month <= 2);
    format!("{year:04}.{month:02}.{day:02}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_are_those_of_the_calendar() {
        for (days, expected) in [
            (0, "1970.01.01"),
            (59, "1970.03.01"),
            (11_016, "2000.02.29"),
            (11_017, "2000.03.01"),
            (20_454, "2026.01.01"),
            (20_818, "2026.12.31"),
        ] {
            assert_eq!(date_of(UnixMillis(days * DAY + 1)), expected);
        }
    }
}
