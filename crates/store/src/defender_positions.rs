//! Prepared positions of ChessDefender that the club has made, and what it says of the built-in ones.

use rules::{Color, UnixMillis};

use crate::audit::insert_audit;
use crate::db::on_db;
use crate::{AccountId, Store, StoreError};

/// A prepared position as the club has it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DefenderPosition {
    /// Its name; results are kept under it.
    pub id: String,
    /// The computer's pieces, as a FEN writes them.
    pub board: String,
    /// The side of the player.
    pub player: Color,
    /// The fewest points with which somebody is known to stand well.
    pub par: u8,
    /// Whether it is offered no longer.
    pub is_hidden: bool,
}

impl Store {
    /// The positions of the club, in no order.
    pub async fn defender_positions(&self) -> Result<Vec<DefenderPosition>, StoreError> {
        const SQL: &str = "SELECT id, board, player, par, hidden FROM defender_position";
        let rows: Vec<(String, String, String, i64, i64)> = on_db!(&*self.readers, pool => {
            sqlx::query_as(SQL).fetch_all(pool).await?
        });
        let position = |(id, board, player, par, hidden): (String, String, String, i64, i64)| {
            DefenderPosition {
                id,
                board,
                player: if player == "white" { Color::White } else { Color::Black },
                par: u8::try_from(par).unwrap_or(u8::MAX),
                is_hidden: hidden != 0,
            }
        };
        Ok(rows.into_iter().map(position).collect())
    }

    /// Remembers a new position. `Conflict` if there is one of this name.
    pub async fn add_defender_position(
        &self,
        position: DefenderPosition,
        by: AccountId,
        at: UnixMillis,
    ) -> Result<(), StoreError> {
        const SQL: &str = "
            INSERT INTO defender_position (id, board, player, par, hidden, changed_at)
            VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT (id) DO NOTHING";
        self.write_position(SQL, position, (by, "position_made"), at).await
    }

    /// Changes a position, or what the club says of a built-in one. `Conflict` if its pieces or the side would change
    /// though somebody has tried it: results are of one position.
    pub async fn change_defender_position(
        &self,
        position: DefenderPosition,
        by: AccountId,
        at: UnixMillis,
    ) -> Result<(), StoreError> {
        const SQL: &str = "
            INSERT INTO defender_position (id, board, player, par, hidden, changed_at)
            VALUES ($1, $2, $3, $4, $5, $6)
            ON CONFLICT (id) DO UPDATE SET
                board = excluded.board, player = excluded.player, par = excluded.par,
                hidden = excluded.hidden, changed_at = excluded.changed_at
            WHERE (defender_position.board = excluded.board
                    AND defender_position.player = excluded.player)
                OR NOT EXISTS (
                    SELECT 1 FROM defender_attempt WHERE defender_attempt.position_id = $1)";
        self.write_position(SQL, position, (by, "position_changed"), at).await
    }

    async fn write_position(
        &self,
        sql: &'static str,
        position: DefenderPosition,
        (by, act): (AccountId, &'static str),
        at: UnixMillis,
    ) -> Result<(), StoreError> {
        let detail = format!("ChessDefender, position {}", position.id);
        let player = if position.player == Color::White { "white" } else { "black" };
        self.writer
            .run(move |conn| {
                Box::pin(async move {
                    let rows = on_db!(conn, c => {
                        sqlx::query(sql)
                            .bind(position.id)
                            .bind(position.board)
                            .bind(player)
                            .bind(i64::from(position.par))
                            .bind(i64::from(position.is_hidden))
                            .bind(at.0)
                            .execute(&mut *c)
                            .await?
                            .rows_affected()
                    });
                    if rows == 0 {
                        return Err(StoreError::Conflict);
                    }
                    insert_audit(conn, Some(by), act, None, detail, at).await
                })
            })
            .await
    }
}
