//! Everything remembered: the only crate with SQL and migrations.
//!
//! One SQL text per query that SQLite and PostgreSQL both understand, one writer that groups commits, a pool of readers.
//! Rows stay private; methods take and give domain types and are named after the use case. No moment is read here and no
//! number drawn: they come in with the call.

mod accounts;
mod api_tokens;
mod audit;
mod backup;
mod challenges;
mod checkpoint;
mod db;
mod error;
mod games;
mod ids;
mod invites;
mod journal;
mod log;
mod made_accounts;
mod mails;
mod members;
mod migrate;
mod one_time;
mod player_changes;
mod player_games;
mod players;
mod roles;
mod second_factor;
mod sessions;
mod settings;
#[cfg(feature = "test-hooks")]
mod test_hooks;
mod writer;

use std::collections::HashMap;
use std::path::Path;
use std::sync::Arc;

use tokio::sync::watch;

pub use accounts::{Account, AccountKind, Roles, TokenHash};
pub use api_tokens::{ApiToken, Bearer};
pub use audit::{AUDIT_PAGE, AuditEntry};
pub use backup::{Report, backup, restore, verify};
pub use challenges::{Challenge, ChallengeState};
pub use db::{Place, UnknownPlace};
pub use error::StoreError;
pub use games::{NewGame, StoredGame, Summary};
pub use ids::{AccountId, GameId, InviteId, MailId, NotAnId, TokenId};
pub use invites::Invite;
pub use made_accounts::MadeAccount;
pub use mails::{FailedMail, MailCounts, NewMail, WaitingMail};
pub use members::{Member, MemberQuery};
pub use migrate::{known_schema, schema_of};
pub use one_time::{NewOneTimeToken, Purpose};
pub use player_changes::{FORMER_MEMBER, PasswordChange};
pub use player_games::LastGame;
pub use players::{NewPlayer, Player, PlayerState, StoredTotp};
pub use roles::{Role, UnknownRole};
pub use sessions::{ListedSession, NewSession, Session};
pub use writer::Health;

use db::{Conn, Pool, on_db};
use journal::Tail;
use writer::Writer;

/// The club's memory. Cheap to clone.
#[derive(Clone)]
pub struct Store {
    readers: Arc<Pool>,
    writer: Writer,
}

impl Store {
    /// Opens the database, bringing its schema up to date; copies of older data go to `backups`.
    pub async fn open(place: Place, backups: &Path) -> Result<Store, StoreError> {
        let mut conn = place.connect_writer().await?;
        migrate::migrate(&place, &mut conn, backups).await?;
        let (tails, next_seq) = read_tails(&mut conn).await?;
        let readers = Arc::new(place.connect_readers().await?);
        let (due, checkpoints) = watch::channel(());
        let log_is_long = checkpoint::LogIsLong::default();
        checkpoint::start(&place, checkpoints, log_is_long.clone()).await?;
        let writer = Writer::start(place, tails, next_seq, due, log_is_long)?;
        Ok(Store { readers, writer })
    }

    /// How the writer is, now and as it changes.
    pub fn health(&self) -> watch::Receiver<Health> {
        self.writer.health()
    }

    /// Tries a small durable write: the way to find out whether trouble is over.
    pub async fn probe(&self) -> Result<(), StoreError> {
        self.set_setting("last_probe", String::new()).await
    }

    /// Whether the readers answer.
    pub async fn ping(&self) -> Result<(), StoreError> {
        let (_one,): (i64,) = on_db!(&*self.readers, pool => {
            sqlx::query_as("SELECT CAST(1 AS BIGINT)").fetch_one(pool).await?
        });
        Ok(())
    }
}

/// Reads which lines of the journal belong to which game, and the next free line.
async fn read_tails(conn: &mut Conn) -> Result<(HashMap<GameId, Tail>, i64), StoreError> {
    const SQL: &str = "SELECT seq, game_id, version FROM journal ORDER BY seq";
    let rows: Vec<(i64, String, i64)> =
        on_db!(conn, c => sqlx::query_as(SQL).fetch_all(&mut *c).await?);
    let mut tails: HashMap<GameId, Tail> = HashMap::new();
    let mut next_seq = 1;
    for (seq, game, version) in rows {
        let tail = tails.entry(games::parse_id(&game)?).or_default();
        tail.seqs.push(seq);
        tail.next_version = log::version(version)?.saturating_add(1);
        next_seq = seq + 1;
    }
    Ok((tails, next_seq))
}
