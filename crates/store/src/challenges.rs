//! Challenges: "play me", open until somebody accepts or the challenger thinks better of it.

use rules::{Color, Setup, UnixMillis};

use crate::accounts::Account;
use crate::db::on_db;
use crate::games::{NewGame, insert_game, parse_id};
use crate::{AccountId, GameId, Store, StoreError};

/// Where a challenge stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ChallengeState {
    /// Somebody may accept.
    Open,
    /// There is a game of the same id.
    Accepted,
    /// The challenger took it back.
    Cancelled,
}

/// A challenge as it is stored.
#[derive(Debug, Clone)]
pub struct Challenge {
    /// Its name, and later its game's.
    pub id: GameId,
    /// Who challenges.
    pub challenger: Account,
    /// The colour the challenger wants; `None` is drawn by lot.
    pub color: Option<Color>,
    /// The game it would be.
    pub setup: Setup,
    /// Whether the game would count for ratings.
    pub rated: bool,
    /// Where it stands.
    pub state: ChallengeState,
    /// The game this is a rematch of.
    pub rematch_of: Option<GameId>,
    /// When it was made.
    pub created_at: UnixMillis,
}

impl Store {
    /// Remembers a challenge. `Conflict` if a rematch of the same game was offered before.
    pub async fn create_challenge(&self, challenge: Challenge) -> Result<(), StoreError> {
        const SQL: &str = "
            INSERT INTO challenge (id, kind, challenger_id, color, setup, rated, state, rematch_of, created_at)
            VALUES ($1, $2, $3, $4, $5, $6, 'open', $7, $8)";
        let setup = serde_json::to_string(&challenge.setup)?;
        self.writer
            .run(move |conn| {
                Box::pin(async move {
                    on_db!(conn, c => {
                        sqlx::query(SQL)
                            .bind(challenge.id.as_str())
                            .bind(if challenge.rematch_of.is_some() { "rematch" } else { "link" })
                            .bind(challenge.challenger.id.as_str())
                            .bind(color_text(challenge.color))
                            .bind(setup)
                            .bind(i64::from(challenge.rated))
                            .bind(challenge.rematch_of.map(String::from))
                            .bind(challenge.created_at.0)
                            .execute(&mut *c)
                            .await?;
                    });
                    Ok(())
                })
            })
            .await
    }

    /// Reads a challenge.
    pub async fn load_challenge(&self, id: GameId) -> Result<Challenge, StoreError> {
        self.read_challenge("challenge.id", id).await
    }

    /// The rematch offered for a game, if any.
    pub async fn load_rematch_of(&self, game: GameId) -> Result<Option<Challenge>, StoreError> {
        match self.read_challenge("challenge.rematch_of", game).await {
            Err(StoreError::NotFound) => Ok(None),
            found => found.map(Some),
        }
    }

    async fn read_challenge(&self, by: &'static str, id: GameId) -> Result<Challenge, StoreError> {
        const SQL: &str = "
            SELECT challenge.id, challenge.color, challenge.setup, challenge.rated, challenge.state, challenge.rematch_of,
                   challenge.created_at, account.id, account.kind, account.name
            FROM challenge JOIN account ON account.id = challenge.challenger_id
            WHERE ";
        type Row =
            (String, String, String, i64, String, Option<String>, i64, String, String, String);
        let sql = sqlx::AssertSqlSafe(format!("{SQL}{by} = $1"));
        let row: Row = on_db!(&*self.readers, pool => sqlx::query_as(sql).bind(id.as_str()).fetch_one(pool).await?);
        let (id, color, setup, rated, state, rematch_of, created_at, account, kind, name) = row;
        Ok(Challenge {
            id: parse_id(&id)?,
            challenger: Account::from_columns(&account, &kind, name)?,
            color: match color.as_str() {
                "white" => Some(Color::White),
                "black" => Some(Color::Black),
                _ => None,
            },
            setup: serde_json::from_str(&setup)?,
            rated: rated != 0,
            state: match state.as_str() {
                "open" => ChallengeState::Open,
                "accepted" => ChallengeState::Accepted,
                _ => ChallengeState::Cancelled,
            },
            rematch_of: rematch_of.as_deref().map(parse_id).transpose()?,
            created_at: UnixMillis(created_at),
        })
    }

    /// Turns an open challenge into its game. `Conflict` if it is no longer open.
    pub async fn accept_challenge(&self, game: NewGame) -> Result<(), StoreError> {
        const SQL: &str =
            "UPDATE challenge SET state = 'accepted' WHERE id = $1 AND state = 'open'";
        self.writer
            .run(move |conn| {
                Box::pin(async move {
                    let changed = on_db!(conn, c => {
                        sqlx::query(SQL).bind(game.id.as_str()).execute(&mut *c).await?.rows_affected()
                    });
                    if changed == 0 {
                        return Err(StoreError::Conflict);
                    }
                    insert_game(conn, &game).await
                })
            })
            .await
    }

    /// Takes an open challenge back. `Conflict` if it is no longer open or somebody else's.
    pub async fn cancel_challenge(
        &self,
        id: GameId,
        challenger: AccountId,
    ) -> Result<(), StoreError> {
        const SQL: &str = "
            UPDATE challenge SET state = 'cancelled'
            WHERE id = $1 AND challenger_id = $2 AND state = 'open'";
        self.writer
            .run(move |conn| {
                Box::pin(async move {
                    let changed = on_db!(conn, c => {
                        sqlx::query(SQL)
                            .bind(id.as_str())
                            .bind(challenger.as_str())
                            .execute(&mut *c)
                            .await?
                            .rows_affected()
                    });
                    if changed == 0 { Err(StoreError::Conflict) } else { Ok(()) }
                })
            })
            .await
    }
}

fn color_text(color: Option<Color>) -> &'static str {
    match color {
        Some(Color::White) => "white",
        Some(Color::Black) => "black",
        None => "random",
    }
}
