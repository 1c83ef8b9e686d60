//! Finished games of a player, page by page.

use rules::{Action, ByColor, Color, Event, Outcome, Ply, Setup, UnixMillis, Variant};

use crate::accounts::Account;
use crate::db::on_db;
use crate::games::parse_id;
use crate::sight::{Sight, is_seen};
use crate::{AccountId, GameId, Store, StoreError, log};

/// How a game ended for one of its players.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PlayerResult {
    /// Won.
    Won,
    /// Drawn.
    Drawn,
    /// Lost.
    Lost,
}

/// Which games to list; nothing set means all of them.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct GameFilter {
    /// Games of one variant.
    pub variant: Option<Variant>,
    /// Games of one speed: the second half of a pool's name.
    pub speed: Option<String>,
    /// Games that ended like this for the player.
    pub result: Option<PlayerResult>,
    /// Games in which the player had this side.
    pub color: Option<Color>,
    /// Games against this opponent.
    pub opponent: Option<AccountId>,
    /// Rated or casual games.
    pub rated: Option<bool>,
}

/// Where a page ends: the next one begins after this game.
pub type Cursor = (UnixMillis, GameId);

/// A finished game as a list shows it.
#[derive(Debug, Clone)]
pub struct FinishedGame {
    /// Its name.
    pub id: GameId,
    /// Everything about it that never changed.
    pub setup: Setup,
    /// Who played.
    pub players: ByColor<Account>,
    /// Whether it counted.
    pub rated: bool,
    /// The pool it belongs to.
    pub pool: Option<String>,
    /// How strong both were thought to be when it began.
    pub ratings: ByColor<Option<i64>>,
    /// Whether only its players and arbiters see it.
    pub private: bool,
    /// The exact ratings before and after, where the game changed them.
    pub changes: ByColor<Option<(f64, f64)>>,
    /// How it ended.
    pub outcome: Outcome,
    /// The number of plies.
    pub ply: Ply,
    /// The last position.
    pub position: String,
    /// What led to it.
    pub last: Option<Action>,
    /// The opening: ECO code, a space, the name.
    pub opening: Option<String>,
    /// When it began.
    pub created_at: UnixMillis,
    /// When it ended.
    pub ended_at: UnixMillis,
}

#[derive(sqlx::FromRow)]
struct FinishedRow {
    id: String,
    setup: String,
    white_id: String,
    white_kind: String,
    white_name: String,
    black_id: String,
    black_kind: String,
    black_name: String,
    rated: i64,
    pool: Option<String>,
    white_rating: Option<i64>,
    black_rating: Option<i64>,
    private: i64,
    white_before: Option<f64>,
    white_after: Option<f64>,
    black_before: Option<f64>,
    black_after: Option<f64>,
    outcome: String,
    ply: i64,
    position: String,
    opening: Option<String>,
    created_at: i64,
    ended_at: i64,
    log: Option<Vec<u8>>,
}

/// A page's games of which the player had one side: each side has its own index, in the order of the pages.
macro_rules! with_side {
    ($own:literal, $other:literal, $result:literal) => {
        concat!(
            r#"SELECT id FROM (
                SELECT id FROM game
                WHERE "#,
            $own,
            r#"_id = $1 AND state = 'finished' AND outcome NOT LIKE '{"kind":"aborted"%'
                  AND (created_at, id) < ($3, $4)
                  AND ($5 IS NULL OR setup LIKE $5)
                  AND ($6 IS NULL OR pool LIKE $6)
                  AND ($7 IS NULL OR $7 = '"#,
            $own,
            "')
                  AND ($",
            $result,
            " IS NULL OR outcome LIKE $",
            $result,
            ")
                  AND ($10 IS NULL OR ",
            $other,
            "_id = $10)
                  AND ($11 IS NULL OR rated = $11)
                  AND ",
            is_seen!("$12"),
            "
                ORDER BY created_at DESC, id DESC LIMIT $2
            ) AS as_",
            $own
        )
    };
}

const PAGE: &str = concat!(
    "SELECT game.id, game.setup,
            white.id AS white_id, white.kind AS white_kind, white.name AS white_name,
            black.id AS black_id, black.kind AS black_kind, black.name AS black_name,
            game.rated, game.pool, game.white_rating, game.black_rating,
            game.private,
            white_change.rating_before AS white_before, white_change.rating_after AS white_after,
            black_change.rating_before AS black_before, black_change.rating_after AS black_after,
            game.outcome, game.ply, game.position, game.opening, game.created_at, game.ended_at, game.log
     FROM (",
    with_side!("white", "black", "8"),
    " UNION ALL ",
    with_side!("black", "white", "9"),
    ") AS page
     JOIN game ON game.id = page.id
     JOIN account AS white ON white.id = game.white_id
     JOIN account AS black ON black.id = game.black_id
     LEFT JOIN rating_change AS white_change
       ON white_change.game_id = game.id AND white_change.account_id = game.white_id
     LEFT JOIN rating_change AS black_change
       ON black_change.game_id = game.id AND black_change.account_id = game.black_id
     ORDER BY game.created_at DESC, game.id DESC LIMIT $2"
);

impl Store {
    /// Finished games of a player that somebody may see, newest first, from those begun before the cursor on. Aborted
    /// games are left out.
    pub async fn finished_games_of(
        &self,
        account: AccountId,
        filter: &GameFilter,
        before: Option<Cursor>,
        limit: u32,
        sight: Sight,
    ) -> Result<Vec<FinishedGame>, StoreError> {
        let (at, id) =
            before.map_or((i64::MAX, String::new()), |(at, id)| (at.0, id.as_str().to_owned()));
        let rows: Vec<FinishedRow> = on_db!(&*self.readers, pool => {
            sqlx::query_as(PAGE)
                .bind(account.as_str())
                .bind(i64::from(limit))
                .bind(at)
                .bind(id)
                .bind(filter.variant.map(setup_pattern).transpose()?)
                .bind(filter.speed.as_ref().map(|speed| format!("%/{speed}")))
                .bind(filter.color.map(color_text))
                .bind(filter.result.map(|result| outcome_pattern(result, Color::White)))
                .bind(filter.result.map(|result| outcome_pattern(result, Color::Black)))
                .bind(filter.opponent.map(String::from))
                .bind(filter.rated.map(i64::from))
                .bind(sight.bound())
                .fetch_all(pool)
                .await?
        });
        rows.into_iter().map(finished_game).collect()
    }
}

/// How the stored set-up of a game of this variant begins.
fn setup_pattern(variant: Variant) -> Result<String, StoreError> {
    Ok(format!(r#"{{"variant":{}%"#, serde_json::to_string(&variant)?))
}

/// What the stored outcome looks like when the game ended so for the player of a side.
fn outcome_pattern(result: PlayerResult, side: Color) -> &'static str {
    match (result, side) {
        (PlayerResult::Drawn, _) => r#"{"kind":"draw"%"#,
        (PlayerResult::Won, Color::White) | (PlayerResult::Lost, Color::Black) => {
            r#"{"kind":"win","winner":"white"%"#
        }
        (PlayerResult::Won, Color::Black) | (PlayerResult::Lost, Color::White) => {
            r#"{"kind":"win","winner":"black"%"#
        }
    }
}

fn color_text(color: Color) -> &'static str {
    match color {
        Color::White => "white",
        Color::Black => "black",
    }
}

fn finished_game(row: FinishedRow) -> Result<FinishedGame, StoreError> {
    Ok(FinishedGame {
        id: parse_id(&row.id)?,
        setup: serde_json::from_str(&row.setup)?,
        players: ByColor {
            white: Account::from_columns(&row.white_id, &row.white_kind, row.white_name)?,
            black: Account::from_columns(&row.black_id, &row.black_kind, row.black_name)?,
        },
        rated: row.rated != 0,
        pool: row.pool,
        ratings: ByColor { white: row.white_rating, black: row.black_rating },
        private: row.private != 0,
        changes: ByColor {
            white: row.white_before.zip(row.white_after),
            black: row.black_before.zip(row.black_after),
        },
        outcome: serde_json::from_str(&row.outcome)?,
        ply: Ply(log::version(row.ply)?),
        position: row.position,
        last: last_action(row.log.as_deref())?,
        opening: row.opening,
        created_at: UnixMillis(row.created_at),
        ended_at: UnixMillis(row.ended_at),
    })
}

/// The last action that was not taken back. None while the log is not folded yet, which is a matter of seconds.
fn last_action(packed: Option<&[u8]>) -> Result<Option<Action>, StoreError> {
    let mut actions: Vec<Action> = Vec::new();
    for text in log::unpack(packed)? {
        match serde_json::from_str(&text)? {
            Event::Played { action, passes, .. } => {
                actions.push(action);
                actions.extend((0..passes).map(|_| Action::Pass));
            }
            Event::TakenBack { to, .. } => actions.truncate(to.index()),
            _ => {}
        }
    }
    Ok(actions.into_iter().rev().find(|action| *action != Action::Pass))
}
