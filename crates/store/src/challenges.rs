//! Challenges: "play me", open until somebody accepts or declines, the challenger thinks better of it, or time passes.

use rules::{Color, Setup, UnixMillis};

use crate::accounts::Account;
use crate::challenge_words::{Columns, color_text};
use crate::db::{Conn, on_db, write_one};
use crate::games::{NewGame, insert_game, parse_id};
use crate::players::one_changed;
use crate::{AccountId, GameId, Store, StoreError};

/// Most challenges in one list.
const LIST: i64 = 200;

/// Whom a challenge is for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ChallengeKind {
    /// Whoever has the link.
    Link,
    /// One player alone.
    Direct {
        /// Who.
        asked: Account,
    },
    /// Everybody in the lobby whose rating is within these.
    Seek {
        /// The lowest rating of an opponent.
        lowest: Option<i64>,
        /// The highest.
        highest: Option<i64>,
    },
    /// The other player of a finished game.
    Rematch {
        /// Which.
        of: GameId,
    },
}

impl ChallengeKind {
    /// Whom it asks, if it asks one player.
    pub fn asked(&self) -> Option<&Account> {
        if let ChallengeKind::Direct { asked } = self { Some(asked) } else { None }
    }

    /// The ratings within which it looks for opponents.
    pub fn rating_range(&self) -> (Option<i64>, Option<i64>) {
        if let ChallengeKind::Seek { lowest, highest } = self {
            (*lowest, *highest)
        } else {
            (None, None)
        }
    }
}

/// Why somebody did not accept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DeclineReason {
    /// Not now.
    Later,
    /// No reason given.
    Generic,
    /// The time control is too fast.
    TooFast,
    /// The time control is too slow.
    TooSlow,
    /// Only a rated game, please.
    Rated,
    /// Only a casual game, please.
    Casual,
    /// Another variant, please.
    OtherVariant,
    /// No games against programs.
    NotBots,
}

/// Where a challenge stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ChallengeState {
    /// Somebody may accept.
    Open,
    /// There is a game of the same id.
    Accepted,
    /// The challenger took it back.
    Cancelled,
    /// Whom it asked said no.
    Declined(DeclineReason),
    /// Nobody accepted in time.
    Expired,
}

/// A challenge as it is stored.
#[derive(Debug, Clone)]
pub struct Challenge {
    /// Its name, and later its game's.
    pub id: GameId,
    /// Whom it is for.
    pub kind: ChallengeKind,
    /// Who challenges.
    pub challenger: Account,
    /// The colour the challenger wants; `None` is drawn by lot.
    pub color: Option<Color>,
    /// The game it would be.
    pub setup: Setup,
    /// Whether the game would count for ratings.
    pub rated: bool,
    /// Whether only its players would see the game.
    pub private: bool,
    /// Where it stands.
    pub state: ChallengeState,
    /// When it was made.
    pub created_at: UnixMillis,
    /// When it ends by itself; none if it does not.
    pub expires_at: Option<UnixMillis>,
}

/// Reads [`Columns`]; a condition follows.
macro_rules! select_challenges {
    ($condition:literal) => {
        concat!(
            "
            SELECT challenge.id, challenge.kind, challenge.color, challenge.setup, challenge.rated, challenge.state,
                   challenge.reason, challenge.lowest_rating, challenge.highest_rating, challenge.rematch_of,
                   challenge.created_at, challenge.expires_at, challenge.private,
                   challenger.id AS challenger_id, challenger.kind AS challenger_kind, challenger.name AS challenger_name,
                   asked.id AS asked_id, asked.kind AS asked_kind, asked.name AS asked_name
            FROM challenge
            JOIN account AS challenger ON challenger.id = challenge.challenger_id
            LEFT JOIN account AS asked ON asked.id = challenge.asked_id
            WHERE ",
            $condition
        )
    };
}

pub(crate) use select_challenges;

impl Store {
    /// Remembers a challenge. `Conflict` if a rematch of the same game was offered before.
    pub async fn create_challenge(&self, challenge: Challenge) -> Result<(), StoreError> {
        self.writer
            .run(move |conn| Box::pin(async move { insert_challenge(conn, &challenge).await }))
            .await
    }

    /// Remembers a challenge with what was written to whom it asks.
    pub async fn create_invitation(
        &self,
        challenge: Challenge,
        message: String,
    ) -> Result<(), StoreError> {
        const SQL: &str = "INSERT INTO invitation (challenge_id, message) VALUES ($1, $2)";
        self.writer
            .run(move |conn| {
                Box::pin(async move {
                    insert_challenge(conn, &challenge).await?;
                    on_db!(conn, c => {
                        sqlx::query(SQL)
                            .bind(challenge.id.as_str())
                            .bind(message)
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
        const SQL: &str = select_challenges!("challenge.id = $1");
        let row: Columns = on_db!(&*self.readers, pool => {
            sqlx::query_as(SQL).bind(id.as_str()).fetch_one(pool).await?
        });
        Challenge::try_from(row)
    }

    /// The rematch offered for a game, if any.
    pub async fn load_rematch_of(&self, game: GameId) -> Result<Option<Challenge>, StoreError> {
        const SQL: &str = select_challenges!("challenge.rematch_of = $1");
        let row: Option<Columns> = on_db!(&*self.readers, pool => {
            sqlx::query_as(SQL).bind(game.as_str()).fetch_optional(pool).await?
        });
        row.map(Challenge::try_from).transpose()
    }

    /// Takes back the rematch that somebody offers. `Conflict` if none is open. Nothing is left of it, so that another
    /// can be offered.
    pub async fn withdraw_rematch(&self, game: GameId, by: AccountId) -> Result<(), StoreError> {
        const SQL: &str = "
            DELETE FROM challenge WHERE rematch_of = $1 AND challenger_id = $2 AND state = 'open'";
        one_changed(write_one!(self, SQL, game.as_str(), by.as_str())?)
    }

    /// Says no to the rematch that the other player offers. `Conflict` if none is open.
    pub async fn decline_rematch(&self, game: GameId, by: AccountId) -> Result<(), StoreError> {
        const SQL: &str = "
            UPDATE challenge SET state = 'declined', reason = 'generic'
            WHERE rematch_of = $1 AND challenger_id <> $2 AND state = 'open'";
        one_changed(write_one!(self, SQL, game.as_str(), by.as_str())?)
    }

    /// Remembers a challenge in the place of one that is over. `Conflict` if that is gone already, or came true.
    pub async fn replace_challenge(&self, over: GameId, new: Challenge) -> Result<(), StoreError> {
        const SQL: &str = "
            DELETE FROM challenge WHERE id = $1 AND state IN ('cancelled', 'declined', 'expired')";
        self.writer
            .run(move |conn| {
                Box::pin(async move {
                    let gone = on_db!(&mut *conn, c => {
                        sqlx::query(SQL).bind(over.as_str()).execute(&mut *c).await?.rows_affected()
                    });
                    one_changed(gone)?;
                    insert_challenge(conn, &new).await
                })
            })
            .await
    }

    /// All open seeks, the oldest first.
    pub async fn load_open_seeks(&self) -> Result<Vec<Challenge>, StoreError> {
        const SQL: &str = select_challenges!(
            "challenge.state = 'open' AND challenge.kind = 'seek' ORDER BY challenge.created_at, challenge.id"
        );
        let rows: Vec<Columns> =
            on_db!(&*self.readers, pool => sqlx::query_as(SQL).fetch_all(pool).await?);
        rows.into_iter().map(Challenge::try_from).collect()
    }

    /// The open challenges that somebody made or is asked by, the newest first. Rematches belong to their game.
    pub async fn load_open_challenges_of(
        &self,
        account: AccountId,
    ) -> Result<Vec<Challenge>, StoreError> {
        // Two questions instead of an OR, for which SQLite would read through everybody's open challenges.
        const SQL: &str = select_challenges!(
            "challenge.kind <> 'rematch' AND challenge.id IN (
                SELECT id FROM challenge WHERE challenger_id = $1 AND state = 'open'
                UNION SELECT id FROM challenge WHERE asked_id = $1 AND state = 'open')
            ORDER BY challenge.created_at DESC, challenge.id LIMIT $2"
        );
        let rows: Vec<Columns> = on_db!(&*self.readers, pool => {
            sqlx::query_as(SQL).bind(account.as_str()).bind(LIST).fetch_all(pool).await?
        });
        rows.into_iter().map(Challenge::try_from).collect()
    }

    /// Turns an open challenge into its game. `Conflict` if it is no longer open, or its time is over.
    pub async fn accept_challenge(&self, game: NewGame) -> Result<(), StoreError> {
        const SQL: &str = "
            UPDATE challenge SET state = 'accepted'
            WHERE id = $1 AND state = 'open' AND (expires_at IS NULL OR expires_at > $2)";
        self.writer
            .run(move |conn| {
                Box::pin(async move {
                    let changed = on_db!(conn, c => {
                        sqlx::query(SQL)
                            .bind(game.id.as_str())
                            .bind(game.created_at.0)
                            .execute(&mut *c)
                            .await?
                            .rows_affected()
                    });
                    if changed == 0 {
                        return Err(StoreError::Conflict);
                    }
                    insert_game(conn, &game).await
                })
            })
            .await
    }

    /// Begins a game that nobody had to challenge for: quick pairing.
    pub async fn begin_game(&self, game: NewGame) -> Result<(), StoreError> {
        self.writer.run(move |conn| Box::pin(async move { insert_game(conn, &game).await })).await
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
        one_changed(write_one!(self, SQL, id.as_str(), challenger.as_str())?)
    }

    /// Says no to a direct challenge. `Conflict` if it is no longer open or asks somebody else.
    pub async fn decline_challenge(
        &self,
        id: GameId,
        asked: AccountId,
        reason: DeclineReason,
    ) -> Result<(), StoreError> {
        const SQL: &str = "
            UPDATE challenge SET state = 'declined', reason = $3
            WHERE id = $1 AND asked_id = $2 AND state = 'open'";
        one_changed(write_one!(self, SQL, id.as_str(), asked.as_str(), reason.as_str())?)
    }

    /// Withdraws these seeks of somebody who has found a game, if they are still open. Gives those it withdrew.
    pub async fn withdraw_seeks(
        &self,
        account: AccountId,
        seeks: Vec<GameId>,
    ) -> Result<Vec<GameId>, StoreError> {
        const SQL: &str = "
            UPDATE challenge SET state = 'cancelled'
            WHERE id = $1 AND challenger_id = $2 AND state = 'open' AND kind = 'seek' RETURNING id";
        self.writer
            .run(move |conn| {
                Box::pin(async move {
                    let mut rows: Vec<(String,)> = Vec::new();
                    for seek in seeks {
                        let withdrawn: Option<(String,)> = on_db!(&mut *conn, c => {
                            sqlx::query_as(SQL)
                                .bind(seek.as_str())
                                .bind(account.as_str())
                                .fetch_optional(&mut *c)
                                .await?
                        });
                        rows.extend(withdrawn);
                    }
                    ids(rows)
                })
            })
            .await
    }

    /// Ends all open challenges whose time is over, and these seeks, whose makers have left. Gives those it ended.
    pub async fn expire_challenges(
        &self,
        now: UnixMillis,
        abandoned: Vec<GameId>,
    ) -> Result<Vec<GameId>, StoreError> {
        const DUE: &str = "
            UPDATE challenge SET state = 'expired' WHERE state = 'open' AND expires_at <= $1 RETURNING id";
        const ONE: &str = "
            UPDATE challenge SET state = 'expired' WHERE state = 'open' AND id = $1 RETURNING id";
        self.writer
            .run(move |conn| {
                Box::pin(async move {
                    let mut rows: Vec<(String,)> = on_db!(&mut *conn, c => {
                        sqlx::query_as(DUE).bind(now.0).fetch_all(&mut *c).await?
                    });
                    for seek in abandoned {
                        let more: Vec<(String,)> = on_db!(&mut *conn, c => {
                            sqlx::query_as(ONE).bind(seek.as_str()).fetch_all(&mut *c).await?
                        });
                        rows.extend(more);
                    }
                    ids(rows)
                })
            })
            .await
    }

    /// When the next open challenge ends by itself.
    pub async fn next_challenge_expiry(&self) -> Result<Option<UnixMillis>, StoreError> {
        const SQL: &str =
            "SELECT MIN(expires_at) FROM challenge WHERE state = 'open' AND expires_at IS NOT NULL";
        let (next,): (Option<i64>,) =
            on_db!(&*self.readers, pool => sqlx::query_as(SQL).fetch_one(pool).await?);
        Ok(next.map(UnixMillis))
    }
}

fn ids(rows: Vec<(String,)>) -> Result<Vec<GameId>, StoreError> {
    rows.into_iter().map(|(id,)| parse_id(&id)).collect()
}

async fn insert_challenge(conn: &mut Conn, challenge: &Challenge) -> Result<(), StoreError> {
    const SQL: &str = "
        INSERT INTO challenge (id, kind, challenger_id, asked_id, color, setup, rated, lowest_rating, highest_rating,
                               state, rematch_of, created_at, expires_at, private)
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, 'open', $10, $11, $12, $13)";
    let setup = serde_json::to_string(&challenge.setup)?;
    let (lowest, highest) = challenge.kind.rating_range();
    let rematch_of =
        if let ChallengeKind::Rematch { of } = &challenge.kind { Some(*of) } else { None };
    on_db!(conn, c => {
        sqlx::query(SQL)
            .bind(challenge.id.as_str())
            .bind(challenge.kind.as_str())
            .bind(challenge.challenger.id.as_str())
            .bind(challenge.kind.asked().map(|asked| String::from(asked.id)))
            .bind(color_text(challenge.color))
            .bind(setup)
            .bind(i64::from(challenge.rated))
            .bind(lowest)
            .bind(highest)
            .bind(rematch_of.map(String::from))
            .bind(challenge.created_at.0)
            .bind(challenge.expires_at.map(|at| at.0))
            .bind(i64::from(challenge.private))
            .execute(&mut *c)
            .await?;
    });
    Ok(())
}
