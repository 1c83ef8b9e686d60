//! The list of players as those who run the club see it, and what they may change about somebody.

use rules::UnixMillis;
use sqlx::Row as _;

use crate::accounts::role_columns;
use crate::audit::insert_audit;
use crate::db::{Conn, on_db};
use crate::games::parse_id;
use crate::player_changes::remove;
use crate::players::{PlayerState, found, key};
use crate::sessions::delete_sessions;
use crate::{AccountId, Role, Roles, Store, StoreError, library};

/// How many members one page has.
const PAGE: usize = 50;

/// A player as those who run the club see them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Member {
    /// The account.
    pub id: AccountId,
    /// The user name.
    pub name: String,
    /// The address.
    pub email: Option<String>,
    /// Whether they may log in.
    pub state: PlayerState,
    /// What they may do beyond playing.
    pub roles: Roles,
    /// The class or group of the club.
    pub group: Option<String>,
    /// Whether a second factor is on.
    pub totp: bool,
    /// Whether they have to choose a password of their own first.
    pub must_change_password: bool,
    /// When they signed up.
    pub created_at: UnixMillis,
    /// The newest log-in.
    pub last_login_at: Option<UnixMillis>,
}

/// Which members to list. Empty fields ask for nothing.
#[derive(Debug, Clone, Default)]
pub struct MemberQuery {
    /// Part of the name, the address or the group.
    pub text: String,
    /// Only those with this role.
    pub role: Option<Role>,
    /// Only those in this state.
    pub state: Option<PlayerState>,
    /// Those after this user name.
    pub after: String,
}

macro_rules! select_members {
    ($condition:literal) => {
        concat!(
            "SELECT account.id, account.name, player.email, player.state, player.group_name,
                    player.totp_confirmed_at, player.must_change_password, player.created_at,
                    player.current_login_at, ",
            role_columns!(),
            " FROM player JOIN account ON account.id = player.account_id WHERE ",
            $condition
        )
    };
}

macro_rules! read_member {
    ($row:expr) => {{
        let row = $row;
        let moment = |name: &str| row.try_get::<Option<i64>, _>(name).map(|at| at.map(UnixMillis));
        Ok::<Member, StoreError>(Member {
            id: parse_id(&row.try_get::<String, _>("id")?)?,
            name: row.try_get("name")?,
            email: row.try_get("email")?,
            state: PlayerState::from_column(&row.try_get::<String, _>("state")?)?,
            roles: Roles::from_columns(
                row.try_get("arbiter")?,
                row.try_get("director")?,
                row.try_get("administrator")?,
            ),
            group: row.try_get("group_name")?,
            totp: moment("totp_confirmed_at")?.is_some(),
            must_change_password: row.try_get::<i64, _>("must_change_password")? > 0,
            created_at: UnixMillis(row.try_get("created_at")?),
            last_login_at: moment("current_login_at")?,
        })
    }};
}

impl Store {
    /// A page of members by name, and whether there are more.
    pub async fn list_members(
        &self,
        query: &MemberQuery,
    ) -> Result<(Vec<Member>, bool), StoreError> {
        const SQL: &str = select_members!(
            "player.name_key > $1
             AND ($2 = '%%' OR player.name_key LIKE $2 ESCAPE '\\' OR player.email_key LIKE $2 ESCAPE '\\'
                  OR LOWER(player.group_name) LIKE $2 ESCAPE '\\')
             AND ($3 = '' OR player.state = $3)
             AND ($4 = '' OR EXISTS (SELECT 1 FROM account_role AS wanted
                                     WHERE wanted.account_id = account.id AND wanted.role = $4))
             ORDER BY player.name_key LIMIT $5"
        );
        let limit = i64::try_from(PAGE + 1).unwrap_or(i64::MAX);
        let mut members: Vec<Member> = on_db!(&*self.readers, pool => {
            sqlx::query(SQL)
                .bind(key(&query.after))
                .bind(containing(&query.text))
                .bind(query.state.map_or("", PlayerState::as_str))
                .bind(query.role.map_or("", Role::as_str))
                .bind(limit)
                .fetch_all(pool)
                .await?
                .into_iter()
                .map(|row| read_member!(row))
                .collect::<Result<_, StoreError>>()?
        });
        let more = members.len() > PAGE;
        members.truncate(PAGE);
        Ok((members, more))
    }

    /// One member.
    pub async fn load_member(&self, id: AccountId) -> Result<Member, StoreError> {
        const SQL: &str = select_members!("player.account_id = $1");
        on_db!(&*self.readers, pool => {
            read_member!(sqlx::query(SQL).bind(id.as_str()).fetch_one(pool).await?)
        })
    }

    /// Gives somebody another user name. `Conflict` if it is taken.
    pub async fn rename_player(
        &self,
        id: AccountId,
        name: String,
        actor: Option<AccountId>,
        now: UnixMillis,
    ) -> Result<(), StoreError> {
        const OLD: &str = "SELECT name FROM account WHERE id = $1";
        const KEY: &str = "UPDATE player SET name_key = $2, changed_at = $3 WHERE account_id = $1";
        const NAME: &str = "UPDATE account SET name = $2 WHERE id = $1";
        self.writer
            .run(move |conn| {
                Box::pin(async move {
                    let (changed, old) = on_db!(&mut *conn, c => {
                        let (old,): (String,) = sqlx::query_as(OLD).bind(id.as_str()).fetch_one(&mut *c).await?;
                        let update = sqlx::query(KEY).bind(id.as_str()).bind(key(&name)).bind(now.0);
                        let changed = update.execute(&mut *c).await?.rows_affected();
                        (changed, old)
                    });
                    found(changed)?;
                    on_db!(&mut *conn, c => {
                        sqlx::query(NAME).bind(id.as_str()).bind(&name).execute(&mut *c).await?;
                    });
                    library::rename(conn, id, &name).await?;
                    let detail = format!("{old} is now {name}");
                    insert_audit(conn, actor, "renamed", Some(id), detail, now).await
                })
            })
            .await
    }

    /// The classes and groups that somebody is in, by name.
    pub async fn groups(&self) -> Result<Vec<String>, StoreError> {
        const SQL: &str = "
            SELECT DISTINCT group_name FROM player
            WHERE group_name IS NOT NULL AND group_name <> '' ORDER BY group_name";
        let rows: Vec<(String,)> =
            on_db!(&*self.readers, pool => sqlx::query_as(SQL).fetch_all(pool).await?);
        Ok(rows.into_iter().map(|(group,)| group).collect())
    }

    /// Puts somebody into a class or group, or out of it.
    pub async fn set_group(
        &self,
        id: AccountId,
        group: Option<String>,
        actor: Option<AccountId>,
        now: UnixMillis,
    ) -> Result<(), StoreError> {
        const SQL: &str =
            "UPDATE player SET group_name = $2, changed_at = $3 WHERE account_id = $1";
        self.writer
            .run(move |conn| {
                Box::pin(async move {
                    let changed = on_db!(&mut *conn, c => {
                        sqlx::query(SQL).bind(id.as_str()).bind(&group).bind(now.0).execute(&mut *c).await?
                    }.rows_affected());
                    found(changed)?;
                    let detail = group.unwrap_or_default();
                    insert_audit(conn, actor, "group_changed", Some(id), detail, now).await
                })
            })
            .await
    }

    /// Ends all sessions of somebody by order of those who run the club.
    pub async fn revoke_sessions(
        &self,
        id: AccountId,
        actor: Option<AccountId>,
        now: UnixMillis,
    ) -> Result<(), StoreError> {
        self.writer
            .run(move |conn| {
                Box::pin(async move {
                    delete_sessions(conn, id, None).await?;
                    insert_audit(conn, actor, "sessions_ended", Some(id), String::new(), now).await
                })
            })
            .await
    }

    /// The names of those who would be removed as inactive since `before`.
    pub async fn list_inactive(&self, before: UnixMillis) -> Result<Vec<String>, StoreError> {
        let rows: Vec<(String, String)> = on_db!(&*self.readers, pool => {
            sqlx::query_as(INACTIVE).bind(before.0).fetch_all(pool).await?
        });
        Ok(rows.into_iter().map(|(_, name)| name).collect())
    }

    /// Deletes everybody who has been inactive since `before`, each noted on its own; gives who they were.
    pub async fn remove_inactive(
        &self,
        before: UnixMillis,
        actor: Option<AccountId>,
        now: UnixMillis,
    ) -> Result<Vec<(AccountId, String)>, StoreError> {
        self.writer.run(move |conn| Box::pin(remove_all_inactive(conn, before, actor, now))).await
    }
}

/// Who has not logged in, used a session, used a token or begun a game since; programs and people with a role never.
const INACTIVE: &str = "
    SELECT account.id, account.name FROM player JOIN account ON account.id = player.account_id
    WHERE player.is_bot = 0 AND player.created_at < $1
      AND COALESCE(player.current_login_at, 0) < $1
      AND NOT EXISTS (SELECT 1 FROM account_role WHERE account_role.account_id = account.id)
      AND NOT EXISTS (SELECT 1 FROM session WHERE session.account_id = account.id AND session.last_used_at >= $1)
      AND NOT EXISTS (SELECT 1 FROM api_token WHERE api_token.account_id = account.id AND api_token.used_at >= $1)
      AND NOT EXISTS (SELECT 1 FROM game WHERE game.white_id = account.id
                      AND (game.created_at >= $1 OR game.state = 'running'))
      AND NOT EXISTS (SELECT 1 FROM game WHERE game.black_id = account.id
                      AND (game.created_at >= $1 OR game.state = 'running'))
    ORDER BY player.name_key";

async fn remove_all_inactive(
    conn: &mut Conn,
    before: UnixMillis,
    actor: Option<AccountId>,
    now: UnixMillis,
) -> Result<Vec<(AccountId, String)>, StoreError> {
    let rows: Vec<(String, String)> = on_db!(&mut *conn, c => {
        sqlx::query_as(INACTIVE).bind(before.0).fetch_all(&mut *c).await?
    });
    let mut gone = Vec::with_capacity(rows.len());
    for (id, name) in rows {
        let id = parse_id(&id)?;
        remove(conn, id).await?;
        let detail = "inactive".to_owned();
        insert_audit(conn, actor, "account_deleted", Some(id), detail, now).await?;
        gone.push((id, name));
    }
    Ok(gone)
}

/// A pattern for texts that contain this one, whatever signs it holds.
fn containing(text: &str) -> String {
    let escaped: String = key(text.trim())
        .chars()
        .flat_map(|c| ['\\'].into_iter().filter(move |_| "\\%_".contains(c)).chain([c]))
        .collect();
    format!("%{escaped}%")
}
