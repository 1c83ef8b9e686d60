//! Folding: the logs of quiet and finished games go from the journal into their rows, beside the writer.
//!
//! Reading and packing happen on a reader's connection, so that no move waits for them; the writer gets ready rows, one
//! update a game. The lines stay in the journal until everything before some line is folded, and then go as one range:
//! a game's lines lie among those of a thousand others, and to remove them one by one would write a page for each.

use std::collections::HashMap;
use std::sync::Arc;

use sqlx::AssertSqlSafe;
use tokio::sync::{mpsc, oneshot};

use crate::db::{Pool, on_db};
use crate::journal::{self, Folded, Tail};
use crate::log;
use crate::writer::Writer;
use crate::{GameId, StoreError};

/// Games folded by one write at most.
const BATCH: usize = 64;
/// How often a row is read again that somebody else has changed meanwhile.
const TRIES: usize = 3;

type Answer = oneshot::Sender<Result<(), StoreError>>;

/// Where games that want folding are named.
#[derive(Clone)]
pub(crate) struct Folding(mpsc::UnboundedSender<(GameId, Option<Answer>)>);

impl Folding {
    /// The way in, and what [`run`] takes it out of.
    pub(crate) fn new() -> (Folding, mpsc::UnboundedReceiver<(GameId, Option<Answer>)>) {
        let (tx, rx) = mpsc::unbounded_channel();
        (Folding(tx), rx)
    }

    /// Asks for a game to be folded some time soon.
    pub(crate) fn ask(&self, game: GameId) {
        // After the store was closed nothing is folded any more; the next start finds what is left.
        let _ = self.0.send((game, None));
    }

    /// For the writer, which must not keep the store open by being able to ask.
    pub(crate) fn downgrade(&self) -> WeakFolding {
        WeakFolding(self.0.downgrade())
    }

    /// Folds a game and waits for it.
    pub(crate) async fn wait(&self, game: GameId) -> Result<(), StoreError> {
        let closed = || StoreError::Stopped("the store is closed".to_owned());
        let (answer, told) = oneshot::channel();
        self.0.send((game, Some(answer))).map_err(|_| closed())?;
        told.await.map_err(|_| closed())?
    }
}

/// The same way in, as long as somebody else holds it open.
pub(crate) struct WeakFolding(mpsc::WeakUnboundedSender<(GameId, Option<Answer>)>);

impl WeakFolding {
    /// Asks for a game to be folded some time soon.
    pub(crate) fn ask(&self, game: GameId) {
        if let Some(open) = self.0.upgrade() {
            Folding(open).ask(game);
        }
    }
}

/// Folds what is asked for until nobody can ask any more.
pub(crate) async fn run(
    mut asked: mpsc::UnboundedReceiver<(GameId, Option<Answer>)>,
    readers: Arc<Pool>,
    writer: Writer,
) {
    let mut batch = Vec::new();
    while asked.recv_many(&mut batch, BATCH).await > 0 {
        let games: Vec<GameId> = batch.iter().map(|(game, _)| *game).collect();
        let result = fold_all(games, &readers, &writer).await;
        if let Err(error) = &result {
            tracing::warn!(%error, "logs were not folded; a later try does it");
        }
        for answer in batch.drain(..).filter_map(|(_, answer)| answer) {
            let _ = answer.send(result.clone());
        }
    }
}

/// Another process (`rookery admin` beside a server) may fold a game between our look and our write: then nothing of it
/// was written, and we look again.
async fn fold_all(
    mut games: Vec<GameId>,
    readers: &Pool,
    writer: &Writer,
) -> Result<(), StoreError> {
    for _ in 0..TRIES {
        let folded = prepare(games, readers, writer).await?;
        if folded.is_empty() {
            return Ok(());
        }
        games = writer.fold(folded).await?;
        if games.is_empty() {
            return Ok(());
        }
    }
    Err(StoreError::Conflict)
}

/// Reads and packs the logs of some games. A damaged one stays as it is and keeps no other from being folded.
pub(crate) async fn prepare(
    games: Vec<GameId>,
    readers: &Pool,
    writer: &Writer,
) -> Result<Vec<Folded>, StoreError> {
    let tails = writer.tails(games).await?;
    let mut folded = Vec::with_capacity(tails.len());
    for (game, tail) in tails {
        match fold(game, &tail, readers).await {
            Ok(row) => folded.extend(row),
            Err(error @ (StoreError::Damaged(_) | StoreError::NotFound)) => {
                tracing::error!(%game, %error, "the log of a game cannot be folded");
            }
            Err(error) => return Err(error),
        }
    }
    Ok(folded)
}

/// The row of a game with its tail taken in; none if there is no tail.
async fn fold(game: GameId, tail: &Tail, readers: &Pool) -> Result<Option<Folded>, StoreError> {
    const READ: &str = "SELECT log, log_version, state FROM game WHERE id = $1";
    if tail.seqs.is_empty() {
        return Ok(None);
    }
    let (packed, before, state): (Option<Vec<u8>>, i64, String) = on_db!(readers, pool => {
        sqlx::query_as(READ).bind(game.as_str()).fetch_one(pool).await?
    });
    let is_finished = state == "finished";
    let mut lines: Vec<(u32, String)> = Vec::with_capacity(tail.seqs.len());
    for seqs in tail.seqs.chunks(journal::CHUNK) {
        let sql = journal::select_text(matches!(readers, Pool::Postgres(_)), seqs);
        let (text,): (Option<String>,) = on_db!(readers, pool => {
            let mut query = sqlx::query_as(AssertSqlSafe(sql));
            for seq in journal::padded(seqs) {
                query = query.bind(seq);
            }
            query.fetch_one(pool).await?
        });
        lines.extend(journal::split(text.as_deref())?);
    }
    lines.retain(|(version, _)| i64::from(*version) > before);
    let Some((last, _)) = lines.last() else {
        // Somebody else has folded all of it; the row says so, and the lines can go.
        let last = log::version(before)?;
        return Ok(Some(Folded { game, before, last, log: None, is_finished }));
    };
    let last = *last;
    log::check_continues(before, lines.iter().map(|(version, _)| *version))?;
    let mut events = log::unpack(packed.as_deref())?;
    events.extend(lines.into_iter().map(|(_, body)| body));
    let log = Some(log::pack(&events)?);
    Ok(Some(Folded { game, before, last, log, is_finished }))
}

/// Which lines can go: everything before the first line that some game still needs, and the games that hold it up.
pub(crate) fn sweep(tails: &HashMap<GameId, Tail>, next_seq: i64, late: i64) -> (i64, Vec<GameId>) {
    let mut first_needed = next_seq;
    let mut holding_up = Vec::new();
    for (game, tail) in tails {
        if let Some(first) = tail.seqs.first() {
            first_needed = first_needed.min(*first);
            if *first < next_seq - late {
                holding_up.push(*game);
            }
        }
    }
    (first_needed, holding_up)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tails(of: &[(u64, &[i64])]) -> HashMap<GameId, Tail> {
        let tail = |seqs: &[i64]| Tail { next_version: 9, seqs: seqs.to_vec() };
        of.iter().map(|(n, seqs)| (GameId::from_bits(*n), tail(seqs))).collect()
    }

    #[test]
    fn lines_go_up_to_the_first_one_that_is_needed() {
        assert_eq!(sweep(&tails(&[]), 100, 1_000), (100, vec![]));
        assert_eq!(
            sweep(&tails(&[(1, &[40, 90]), (2, &[60]), (3, &[])]), 100, 1_000),
            (40, vec![])
        );
    }

    #[test]
    fn a_slow_game_among_fast_ones_is_folded_so_that_it_holds_up_nothing() {
        let (_, late) = sweep(&tails(&[(1, &[40, 4_900]), (2, &[4_000])]), 5_000, 2_000);
        assert_eq!(late, [GameId::from_bits(1)]);
    }
}
