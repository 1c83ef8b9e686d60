//! Games come over: a slice at a time, written in batches with the mark where to go on.

use std::collections::hash_map::Entry;
use std::collections::{HashMap, HashSet, VecDeque};

use rules::UnixMillis;
use store::{Connection, LibraryNumber, Skipped};

use super::chesscom::Month;
use super::client::{Items, Token, Trouble};
use super::games::Parcel;
use super::problem::ConnectionProblem;
use super::site::{Service, Site};
use super::split::Split;
use super::{Connections, StepError, chesscom, lichess};

/// So many times a game that makes no sense is asked for again, before it is passed over.
const PATIENCE: i64 = 3;

/// Whether the same place has made no sense so often that it is passed over. Other failures do not count: a game is
/// given up only if the site tells it badly again and again.
fn has_patience_ended(connection: &Connection) -> bool {
    connection.failures >= PATIENCE && connection.problem == ConnectionProblem::Garbled.code()
}

/// What came of a step.
pub(super) enum Step {
    /// The account is theirs.
    Proven,
    /// There is more; others have their turn first.
    More { total: Option<i64> },
    /// Everything is here.
    Whole { total: Option<i64> },
}

/// Months that are still to be read, by connection. Forgotten with the process: the list is asked for again.
#[derive(Default)]
pub(super) struct Reading(HashMap<Key, Months>);

/// Numbers are given again after a connection was removed: only with its moment it is the same one.
type Key = (i64, UnixMillis);

fn key(connection: &Connection) -> Key {
    (connection.id, connection.created_at)
}

struct Months {
    left: VecDeque<Month>,
    total: usize,
}

impl Connections {
    /// The next games of a connection.
    pub(super) async fn sync(
        &self,
        site: &Site,
        connection: &Connection,
        reading: &mut Reading,
    ) -> Result<Step, StepError> {
        let step = match site.service {
            Service::Lichess => self.sync_lichess(site, connection).await,
            Service::Chesscom => {
                let step = self.sync_chesscom(site, connection, reading).await;
                // A month that makes no sense is asked for again by itself: if others were read again first, each time
                // would be the first that it went wrong, and no patience would ever end.
                let goes_on = matches!(
                    step,
                    Ok(Step::More { .. }) | Err(StepError::Trouble(Trouble::Garbled(_)))
                );
                if !goes_on {
                    reading.0.remove(&key(connection));
                }
                step
            }
        };
        if let Ok(Step::Whole { .. }) = step {
            self.drop_doubled(connection).await?;
        }
        step
    }

    /// When everything is here, games go that their owner has brought in files before.
    async fn drop_doubled(&self, connection: &Connection) -> Result<(), StepError> {
        let of = connection.account;
        let is_enriched = self.0.enriched.lock().remove(&of);
        if is_enriched || connection.synced_at.is_none() {
            let dropped = self.0.library.drop_doubled(of).await;
            if dropped.is_err() {
                self.0.enriched.lock().insert(of);
            }
            dropped?;
        }
        Ok(())
    }

    async fn sync_lichess(&self, site: &Site, connection: &Connection) -> Result<Step, StepError> {
        let token = self.open_token(connection);
        let waiting: HashSet<String> =
            self.0.store.unfinished_games(connection.id).await?.into_iter().collect();
        let answer = lichess::games(&site.client, connection, token.as_ref()).await?;
        let since: i64 = connection.reached.parse().unwrap_or(0);
        let mut slice = Slice { since, reached: since, ..Slice::new(connection, waiting) };
        let mut items = answer.items(Split::lines(), lichess::MOST);
        let ended = self.read_slice(&mut slice, &mut items).await;
        // Whatever came is kept, however the answer ended.
        if slice.lines >= lichess::SLICE && slice.reached == since {
            // So many games that began in the same moment: go past them, or it would never go on.
            slice.reached += 1;
        }
        slice.note_mark();
        self.take(connection, &mut slice.parcel).await?;
        ended?;
        if slice.lines >= lichess::SLICE {
            return Ok(Step::More { total: None });
        }
        let left: Vec<String> = slice.waiting.difference(&slice.running).cloned().collect();
        self.ask_for_unfinished(site, connection, &left, token.as_ref()).await?;
        Ok(Step::Whole { total: None })
    }

    async fn read_slice(&self, slice: &mut Slice<'_>, items: &mut Items) -> Result<(), StepError> {
        while let Some(text) = items.next().await? {
            slice.take(&text)?;
            if slice.parcel.is_full() {
                slice.note_mark();
                self.take(slice.connection, &mut slice.parcel).await?;
            }
        }
        Ok(())
    }

    /// Games that were being played the last time, by their names. Those that the site does not know any more were
    /// broken off.
    async fn ask_for_unfinished(
        &self,
        site: &Site,
        connection: &Connection,
        names: &[String],
        token: Option<&Token>,
    ) -> Result<(), StepError> {
        for names in names.chunks(lichess::BY_NAME) {
            let answer = lichess::games_by_name(&site.client, names, token).await?;
            let mut items = answer.items(Split::lines(), lichess::MOST);
            let mut parcel = Parcel::default();
            let mut ended: HashSet<&String> = names.iter().collect();
            while let Some(text) = items.next().await? {
                let listed = lichess::read_line(&text).ok_or(NOT_A_GAME)?;
                match listed.told {
                    Some(told) if ended.contains(&listed.id) => parcel.take(told),
                    Some(_) => {}
                    None => {
                        ended.remove(&listed.id);
                    }
                }
            }
            parcel.batch.ended = ended.into_iter().cloned().collect();
            self.take(connection, &mut parcel).await?;
        }
        Ok(())
    }

    async fn sync_chesscom(
        &self,
        site: &Site,
        connection: &Connection,
        reading: &mut Reading,
    ) -> Result<Step, StepError> {
        let name = &connection.name_key;
        let months = match reading.0.entry(key(connection)) {
            Entry::Occupied(known) => known.into_mut(),
            Entry::Vacant(place) => {
                let months = chesscom::months(&site.client, name).await?;
                let left = chesscom::still_to_read(&months, &connection.reached).into();
                place.insert(Months { left, total: months.len() })
            }
        };
        let total = i64::try_from(months.total).ok();
        let Some(month) = months.left.front().cloned() else { return Ok(Step::Whole { total }) };
        let left = months.left.len() - 1;
        let answer = chesscom::games(&site.client, name, &month).await?;
        let mut items = answer.items(Split::elements(), chesscom::MOST);
        let mut parcel = Parcel::default();
        let ended = self.read_month(connection, &mut parcel, &mut items).await;
        // A month that was read before has been counted before.
        if month <= connection.reached {
            parcel.batch.skipped = Skipped::default();
        }
        if ended.is_ok() {
            parcel.batch.done = i64::try_from(months.total - left).ok();
            parcel.batch.reached = Some(month).filter(|month| *month > connection.reached);
        } else {
            // It is read again from its beginning, and counted then.
            parcel.batch.skipped = Skipped::default();
        }
        self.take(connection, &mut parcel).await?;
        ended?;
        months.left.pop_front();
        Ok(if left == 0 { Step::Whole { total } } else { Step::More { total } })
    }

    async fn read_month(
        &self,
        connection: &Connection,
        parcel: &mut Parcel,
        items: &mut Items,
    ) -> Result<(), StepError> {
        while let Some(text) = items.next().await? {
            match chesscom::read_game(&text) {
                Some(told) => parcel.take(told),
                None if has_patience_ended(connection) => parcel.batch.skipped.add(""),
                None => return Err(NOT_A_GAME.into()),
            }
            if parcel.is_full() {
                let skipped = std::mem::take(&mut parcel.batch.skipped);
                self.take(connection, parcel).await?;
                parcel.batch.skipped = skipped;
            }
        }
        Ok(())
    }

    /// Writes games down, and then tells the index of those that are new.
    async fn take(&self, connection: &Connection, parcel: &mut Parcel) -> Result<(), StepError> {
        let batch = parcel.empty();
        let _filing = self.0.library.filing().await;
        let taken = self.0.store.take_service_games(connection.id, batch).await;
        let taken = self.0.library.watch(taken)?;
        let fresh: Vec<LibraryNumber> = taken.numbers.into_iter().flatten().collect();
        if !fresh.is_empty() {
            self.0.enriched.lock().insert(connection.account);
        }
        self.0.library.forget(taken.gone).await?;
        Ok(self.0.library.index_games(&fresh).await?)
    }
}

const NOT_A_GAME: Trouble = Trouble::Garbled("this is no game");

/// Games of lichess.org that are being read, and how far.
struct Slice<'a> {
    connection: &'a Connection,
    parcel: Parcel,
    lines: usize,
    since: i64,
    reached: i64,
    /// Games that were being played the last time.
    waiting: HashSet<String>,
    /// Games that are being played.
    running: HashSet<String>,
}

impl<'a> Slice<'a> {
    fn new(connection: &'a Connection, waiting: HashSet<String>) -> Slice<'a> {
        Slice {
            connection,
            parcel: Parcel::default(),
            lines: 0,
            since: 0,
            reached: 0,
            waiting,
            running: HashSet::new(),
        }
    }

    fn take(&mut self, text: &[u8]) -> Result<(), StepError> {
        self.lines += 1;
        let Some(listed) = lichess::read_line(text) else {
            if !has_patience_ended(self.connection) {
                return Err(NOT_A_GAME.into());
            }
            self.parcel.batch.skipped.add("");
            return Ok(());
        };
        self.reached = self.reached.max(listed.created_at);
        if let Some(told) = listed.told {
            let skipped = self.parcel.batch.skipped.clone();
            self.parcel.take(told);
            if listed.created_at == self.since {
                // The last one of the last time: it was counted then.
                self.parcel.batch.skipped = skipped;
            }
            if self.waiting.remove(&listed.id) {
                self.parcel.batch.ended.push(listed.id);
            }
        } else {
            self.parcel.batch.unfinished.push(listed.id.clone());
            self.running.insert(listed.id);
        }
        Ok(())
    }

    /// The mark goes with the games that are written now.
    fn note_mark(&mut self) {
        self.parcel.batch.reached = (self.reached > 0).then(|| self.reached.to_string());
        let lines = i64::try_from(self.lines).unwrap_or(i64::MAX);
        let most = self.connection.total.max(self.connection.done);
        self.parcel.batch.done = Some((self.connection.done + lines).min(most));
    }
}
