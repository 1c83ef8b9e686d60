//! Everything remembered: the only crate with SQL and migrations.
//!
//! One SQL text per query that SQLite and PostgreSQL both understand, one writer that groups commits, a pool of readers.
//! Rows stay private; methods take and give domain types and are named after the use case. No moment is read here and no
//! number drawn: they come in with the call.

mod accounts;
mod api_tokens;
mod audit;
mod backup;
mod bots;
mod bundles;
mod challenge_words;
mod challenges;
mod chat;
mod checkpoint;
mod connections;
mod correspondence;
mod db;
mod decisions;
mod defender;
mod defender_positions;
mod error;
mod evaluations;
mod events;
mod folding;
mod games;
mod gmo;
mod history;
mod ids;
mod imports;
mod invites;
mod journal;
mod leaders;
mod library;
mod log;
mod made_accounts;
mod mails;
mod members;
mod migrate;
mod mutes;
mod one_computer;
mod one_time;
mod player_changes;
mod player_games;
mod players;
mod profiles;
mod pushes;
mod rating_list;
mod ratings;
mod recount;
mod remarks;
mod reminders;
mod reports;
mod roles;
mod second_factor;
mod seeking;
mod sessions;
mod settings;
mod sight;
mod studies;
#[cfg(feature = "test-hooks")]
mod test_hooks;
mod tidying;
mod writer;

use std::collections::HashMap;
use std::path::Path;
use std::sync::Arc;

use tokio::sync::watch;

pub use accounts::{Account, AccountKind, Roles, TokenHash};
pub use api_tokens::{ApiToken, Bearer};
pub use audit::{AUDIT_PAGE, AuditEntry};
pub use backup::{Report, backup, in_the_way, restore, verify};
pub use bots::NewBot;
pub use challenges::{Challenge, ChallengeKind, ChallengeState, DeclineReason};
pub use chat::{ChatLine, ChatRoom};
pub use connections::{
    Connection, ConnectionState, NewConnection, ServiceBatch, ServiceGame, ServicePlayer, Skipped,
    Taken, Visit,
};
pub use correspondence::{Conditional, Presence};
pub use db::{Place, UnknownPlace};
pub use decisions::{Decision, NewDecision};
pub use defender::{Attempt, AttemptResult, BestAttempt, NewAttempt};
pub use defender_positions::DefenderPosition;
pub use error::StoreError;
pub use evaluations::{Evaluation, EvaluationKey};
pub use events::{
    EntryState, EventAction, EventChange, EventLine, EventQuery, EventState, EventVisibility,
    ListedEvent, StoredBoard, StoredEntry, StoredEvent, StoredRound, WholeEvent,
};
pub use games::{Appended, NewGame, StoredGame, Summary};
pub use gmo::{GmoChange, GmoKept, GmoKind, GmoStored, GmoText, NewGmoText};
pub use history::{Cursor, FinishedGame, GameFilter, PlayerResult};
pub use ids::{
    AccountId, EventId, GameId, InviteId, MailId, NotAnId, PushId, StudyId, SubscriptionId, TokenId,
};
pub use imports::{Batch, Import, ImportProblem, ImportState};
pub use invites::Invite;
pub use leaders::Leader;
pub use library::{LibraryGame, LibraryNumber, Seat};
pub use made_accounts::MadeAccount;
pub use mails::{FailedMail, MailCounts, NewMail, WaitingMail};
pub use members::{Member, MemberQuery};
pub use migrate::{known_schema, schema_of};
pub use one_computer::PinState;
pub use one_time::{NewOneTimeToken, Purpose};
pub use player_changes::{FORMER_MEMBER, PasswordChange};
pub use player_games::LastGame;
pub use players::{NewPlayer, Player, PlayerState, StoredTotp};
pub use profiles::{PoolStanding, Profile, Score};
pub use pushes::{NewPush, Subscription, WaitingPush};
pub use rating_list::{RatedPlayer, RatingQuery};
pub use ratings::{RatedGame, RatingChange};
pub use remarks::{Remark, RemarkKind};
pub use reminders::{Reminder, ReminderChoice, ReminderKind, Telling};
pub use reports::{
    BulkProgress, ReportJob, ReportOf, ReportState, ReportTurns, ReportWish, StoredReport,
};
pub use roles::{Role, UnknownRole};
pub use sessions::{ListedSession, NewSession, Session};
pub use sight::Sight;
pub use studies::{Study, StudyEntry};
pub use tidying::Tidied;
pub use writer::Health;

use db::{Pool, on_db};
use folding::Folding;
use journal::Tail;
use writer::{Journal, Writer};

/// The club's memory. Cheap to clone.
#[derive(Clone)]
pub struct Store {
    readers: Arc<Pool>,
    writer: Writer,
    folding: Folding,
    /// What whoever imports just now has already.
    known: Arc<imports::Known>,
}

impl Store {
    /// Opens the database, bringing its schema up to date; copies of older data go to `backups`.
    pub async fn open(place: Place, backups: &Path) -> Result<Store, StoreError> {
        let mut conn = place.connect_writer().await?;
        migrate::migrate(&place, &mut conn, backups).await?;
        let readers = Arc::new(place.connect_readers().await?);
        let (journal, unfolded) = read_journal(&readers).await?;
        let (due, checkpoints) = watch::channel(());
        let log_is_long = checkpoint::LogIsLong::default();
        checkpoint::start(&place, checkpoints, log_is_long.clone()).await?;
        let (folding, asked) = Folding::new();
        let writer = Writer::start(place, journal, folding.downgrade(), due, log_is_long)?;
        tokio::spawn(folding::run(asked, readers.clone(), writer.clone()));
        for game in unfolded {
            folding.ask(game);
        }
        Ok(Store { readers, writer, folding, known: Arc::default() })
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

/// Reads which lines of the journal belong to which game, and which finished games were not folded before the last stop.
/// Lines whose events are folded already belong to none.
async fn read_journal(readers: &Pool) -> Result<(Journal, Vec<GameId>), StoreError> {
    const LINE: &str = "seq || ' ' || game_id || ' ' || version";
    let (first_seq, next_seq) = journal::ends(readers).await?;
    let mut tails: HashMap<GameId, Tail> = HashMap::new();
    for page in journal::read_pages(readers, LINE, (first_seq, next_seq)).await? {
        for line in page.lines() {
            let [seq, game, version] = journal::words(line)?;
            let tail = tails.entry(games::parse_id(game)?).or_default();
            tail.seqs.push(journal::number(seq)?);
            tail.next_version = journal::number::<u32>(version)?.saturating_add(1);
        }
    }
    let mut unfolded = Vec::new();
    let mut read = std::mem::take(&mut tails);
    for row in games::folded_so_far(readers, read.keys().copied().collect()).await? {
        let Some(mut tail) = read.remove(&row.game) else { continue };
        tail.fold(row.version);
        if row.is_finished && !tail.seqs.is_empty() {
            unfolded.push(row.game);
        }
        if !tail.seqs.is_empty() {
            tails.insert(row.game, tail);
        }
    }
    let (sweep_to, _) = folding::sweep(&tails, next_seq, i64::MAX);
    Ok((Journal { tails, first_seq, next_seq, folded_lines: 0, sweep_to }, unfolded))
}
