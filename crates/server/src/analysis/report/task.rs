//! The task that makes reports, one game after the other, as many positions at once as there are engines.
//!
//! Every position is on disk as soon as it was searched, so a report that is interrupted, by a stop or by somebody who
//! waits, goes on where it was.

use std::collections::HashMap;
use std::sync::Weak;
use std::time::Duration;

use engine::builtin::Limits;
use engine::pool::{EngineError, Pool, Priority, Situation, Task};
use futures_util::StreamExt as _;
use futures_util::stream::FuturesUnordered;
use rules::{Action, Position, Variant};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use store::{Evaluation, EvaluationKey, ReportJob, ReportOf, StoreError};
use tokio::sync::watch;

use super::super::lines::{EngineLineView, EvalView};
use super::super::{AnalysisError, Line};
use super::numbers::{self, Known};
use super::wire::ReportStateView;
use super::{Inner, Progress, Reports};
use crate::games::GameError;
use crate::live::wire::ServerMsg;

/// After a fault of the store, or with full queues, it is tried again so many milliseconds later.
const AGAIN_AFTER: i64 = 2_000;
/// Positions that are remembered; what was not used for the longest time goes first.
const MOST_EVALUATIONS: u32 = 2_000_000;

/// A position takes a fraction of a second; an engine that is silent for so long holds everybody's seat.
const LONGEST: Duration = Duration::from_secs(10);

/// Makes reports for as long as anybody can ask for one.
pub(super) async fn run(inner: Weak<Inner>, mut wishes: watch::Receiver<u64>) {
    loop {
        wishes.mark_unchanged();
        let Some(strong) = inner.upgrade() else { return };
        let reports = Reports(strong);
        match reports.next().await {
            Ok(Some(job)) => reports.make(job, &mut wishes).await,
            Ok(None) => {
                drop(reports);
                if wishes.changed().await.is_err() {
                    return;
                }
            }
            Err(error) => {
                tracing::warn!(%error, "the next report cannot be read");
                reports.0.world.time.sleep(AGAIN_AFTER).await;
            }
        }
    }
}

/// Why a report was not made.
#[derive(Debug)]
enum Halt {
    /// Something else comes first now, or nobody wants it any more.
    Interrupted,
    /// It cannot be made.
    Hopeless(AnalysisError),
    /// It may work later.
    Later(AnalysisError),
}

impl From<AnalysisError> for Halt {
    fn from(error: AnalysisError) -> Halt {
        match error {
            AnalysisError::Store(error) | AnalysisError::Game(GameError::Store(error)) => {
                error.into()
            }
            AnalysisError::Busy => Halt::Later(error),
            other => Halt::Hopeless(other),
        }
    }
}

impl From<StoreError> for Halt {
    fn from(error: StoreError) -> Halt {
        match error {
            // It will be as damaged the next time, and everybody else would wait for it.
            StoreError::Damaged(_) => Halt::Hopeless(error.into()),
            other => Halt::Later(other.into()),
        }
    }
}

impl Reports {
    async fn next(&self) -> Result<Option<ReportJob>, StoreError> {
        let turns = *self.0.turns.lock();
        self.0.store.next_report(&turns).await
    }

    async fn make(&self, job: ReportJob, wishes: &mut watch::Receiver<u64>) {
        let made = self.try_make(&job, wishes).await;
        *self.0.current.lock() = None;
        let now = self.0.world.time.now();
        let ended = match made {
            Ok(result) => {
                let kept = self.0.store.finish_report(job.of, result, now).await;
                let trimmed = self.0.store.trim_evaluations(MOST_EVALUATIONS).await;
                kept.and(trimmed.map(drop)).map(|()| ReportStateView::Done)
            }
            Err(Halt::Interrupted) => return self.tell_how_it_stands(job.of).await,
            // A whole history holds such games; there is nothing about them that anybody could try again.
            Err(Halt::Hopeless(AnalysisError::NothingToReport)) => {
                self.0.store.forget_report(job.of).await.map(|()| ReportStateView::None)
            }
            Err(Halt::Hopeless(error)) => {
                tracing::warn!(game = %job.of, %error, "a report could not be made");
                let kept = self.0.store.fail_report(job.of, error.to_string(), now).await;
                kept.map(|()| ReportStateView::Failed)
            }
            Err(Halt::Later(error)) => {
                tracing::warn!(game = %job.of, %error, "a report has to wait");
                // Others may have more luck.
                self.0.turns.lock().note(&job);
                self.tell_how_it_stands(job.of).await;
                self.0.world.time.sleep(AGAIN_AFTER).await;
                return;
            }
        };
        self.0.turns.lock().note(&job);
        match ended {
            Ok(state) => self.tell(job.of, state, 1, 1).await,
            Err(error) => {
                tracing::warn!(game = %job.of, %error, "a report could not be kept");
                self.0.world.time.sleep(AGAIN_AFTER).await;
            }
        }
    }

    /// Looks at every position that is not known yet, and puts the report together.
    async fn try_make(
        &self,
        job: &ReportJob,
        wishes: &mut watch::Receiver<u64>,
    ) -> Result<String, Halt> {
        let subject = self.load(job.of).await?;
        let (line, first) = (&subject.line, subject.first);
        let mut known: Vec<Option<Known>> = Vec::with_capacity(line.positions.len() - first);
        // What is missing, a position that came several times once.
        let mut missing: Vec<Vec<usize>> = Vec::new();
        let mut places: HashMap<EvaluationKey, usize> = HashMap::new();
        // An engine says who it is, with its version, once it has been started.
        self.0.pool.warm_up().await;
        let engine = self.0.pool.usual_engine(&Situation::new(line.last().clone())).name;
        let mut used = Vec::new();
        for (index, position) in line.positions.iter().enumerate().skip(first) {
            let mut found =
                numbers::decided(position).map(|score| Known { score, best: Vec::new() });
            if found.is_none() {
                let key = key_of(line.variant, position);
                let kept = self.0.store.find_evaluation(key, &engine, 1, job.nodes).await?;
                found = kept.and_then(|kept| read(&kept.found));
                if found.is_some() {
                    used.push(key);
                } else {
                    let place = *places.entry(key).or_insert(missing.len());
                    match missing.get_mut(place) {
                        Some(same) => same.push(index),
                        None => missing.push(vec![index]),
                    }
                }
            }
            known.push(found);
        }
        let now = self.0.world.time.now();
        self.0.store.touch_evaluations(engine.clone(), used, now).await?;
        let answered_by = self.search(job, line, first, missing, &mut known, wishes).await?;
        let known: Option<Vec<Known>> = known.into_iter().collect();
        let known = known.ok_or(Halt::Hopeless(AnalysisError::NoEngine))?;
        let report = numbers::write(&subject, &known, answered_by.unwrap_or(engine), job.nodes);
        serde_json::to_string(&report).map_err(|error| {
            Halt::Hopeless(AnalysisError::Engine(format!("the report cannot be written: {error}")))
        })
    }

    /// Asks the engines about the missing positions: as many at once as there are seats, and one more, so that none waits
    /// while an answer is on its way to the disk. Gives the name of who answered last.
    async fn search(
        &self,
        job: &ReportJob,
        line: &Line,
        first: usize,
        missing: Vec<Vec<usize>>,
        known: &mut [Option<Known>],
        wishes: &mut watch::Receiver<u64>,
    ) -> Result<Option<String>, Halt> {
        let total = count(known.len());
        let mut done = total - count(missing.iter().map(Vec::len).sum());
        self.progress(job.of, done, total).await;
        let mut answered_by = None;
        // The end of a game first: what the engine has found there helps it with what came before.
        let mut left = missing.into_iter().rev();
        let mut running = FuturesUnordered::new();
        loop {
            while running.len() <= self.0.pool.load().seats {
                let Some(same) = left.next() else { break };
                let Some(situation) = same.first().map(|index| situation(line, *index)) else {
                    continue;
                };
                let pool = self.0.pool.clone();
                let job = *job;
                self.0.searches.inc();
                running.push(async move { (same, search_one(&pool, situation, &job).await) });
            }
            if running.is_empty() {
                return Ok(answered_by);
            }
            tokio::select! {
                biased;
                changed = wishes.changed() => {
                    // Whatever is wrong with the next one is not wrong with this one.
                    let next = self.next().await.map_err(|error| Halt::Later(error.into()))?;
                    if changed.is_err() || next.is_none_or(|next| next.of != job.of) {
                        return Err(Halt::Interrupted);
                    }
                }
                Some((same, found)) = running.next() => {
                    let (engine, depth, found) = found?;
                    let engine = self.name_of(&engine);
                    let evaluation = Evaluation {
                        position: key_of(line.variant, &line.positions[same[0]]),
                        engine: engine.clone(),
                        lines: 1,
                        nodes: job.nodes,
                        depth,
                        found: text_of(&found),
                    };
                    self.0.store.keep_evaluation(evaluation, self.0.world.time.now()).await?;
                    answered_by = Some(engine);
                    done += count(same.len());
                    for index in same {
                        known[index - first] = Some(found.clone());
                    }
                    self.progress(job.of, done, total).await;
                }
            }
        }
    }

    fn name_of(&self, key: &str) -> String {
        let engines = self.0.pool.engines();
        engines.into_iter().find(|info| info.key == key).map_or(key.to_owned(), |info| info.name)
    }

    async fn progress(&self, of: ReportOf, done: u32, total: u32) {
        *self.0.current.lock() = Some(Progress { of, done, total });
        self.tell(of, ReportStateView::Running, done, total).await;
    }

    /// Tells of a report that nobody is at: it waits for others, or nobody wants it any more.
    pub(super) async fn tell_how_it_stands(&self, of: ReportOf) {
        // If the store does not know, the page asks sooner or later.
        let Ok(stored) = self.0.store.load_report(of).await else { return };
        let state = stored.map_or(ReportStateView::None, |stored| stored.state.into());
        self.tell(of, state, 0, 0).await;
    }

    /// Tells whoever looks at the game. Games of the library have no room: their page asks.
    async fn tell(&self, of: ReportOf, state: ReportStateView, done: u32, total: u32) {
        let ReportOf::Game(game) = of else { return };
        let message = ServerMsg::ReportProgress { game, state, done, total };
        self.0.games.tell(game, message.to_json().into()).await;
    }
}

/// Asks for one position.
async fn search_one(
    pool: &Pool,
    situation: Situation,
    job: &ReportJob,
) -> Result<(String, u8, Known), AnalysisError> {
    let position = situation.position().clone();
    let priority = if job.bulk { Priority::Background } else { Priority::Analysis };
    let limits = Limits { most: Some(LONGEST), ..Limits::nodes(job.nodes) };
    let answer = pool.answer(Task::new(situation, limits), priority).await?;
    let line = answer.lines.first().ok_or_else(|| {
        AnalysisError::from(EngineError::Nonsense("no line came with the move".to_owned()))
    })?;
    let depth = line.depth;
    let view = EngineLineView::new(line, &position);
    let best = line.moves.iter().copied().take(view.uci.len()).collect();
    Ok((answer.engine, depth, Known { score: view.score, best }))
}

/// The position at this place of the line, with the way that led there where it can be told.
fn situation(line: &Line, index: usize) -> Situation {
    let actions = line.actions[..index].iter().copied();
    let told = Situation::after(line.positions[0].clone(), actions).ok();
    let told = told.filter(|told| *told.position() == line.positions[index]);
    told.unwrap_or_else(|| Situation::new(line.positions[index].clone()))
}

/// The identity of a position for the cache: the variant and the position without its counters.
pub(super) fn key_of(variant: Variant, position: &Position) -> EvaluationKey {
    let fen = position.fen();
    let text = match position.as_chess() {
        Some(_) => fen.split(' ').take(4).collect::<Vec<_>>().join(" "),
        None => fen,
    };
    let variant = if variant == Variant::Defender { Variant::Standard } else { variant };
    let digest = Sha256::digest(format!("{variant:?} {text}"));
    let mut key = [0; 16];
    key.copy_from_slice(&digest[..16]);
    EvaluationKey(key)
}

/// What is kept of a search.
#[derive(Serialize, Deserialize)]
struct KeptLine {
    score: EvalView,
    moves: Vec<String>,
}

fn text_of(known: &Known) -> String {
    let moves = known.best.iter().map(ToString::to_string).collect();
    let line = [KeptLine { score: known.score, moves }];
    serde_json::to_string(&line).expect("a line is made of plain data")
}

/// Reads what was kept; none if it was written by a program that knew better.
fn read(text: &str) -> Option<Known> {
    let lines: Vec<KeptLine> = serde_json::from_str(text).ok()?;
    let line = lines.into_iter().next()?;
    let best: Option<Vec<Action>> = line.moves.iter().map(|text| text.parse().ok()).collect();
    Some(Known { score: line.score, best: best? })
}

fn count(len: usize) -> u32 {
    u32::try_from(len).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counters_do_not_make_another_position_but_castling_and_the_variant_do() {
        let key = |variant, fen: &str| key_of(variant, &Position::from_fen(fen).unwrap());
        let standard = |fen| key(Variant::Standard, fen);
        let castling = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";
        assert_eq!(standard(castling), standard("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 9 40"));
        assert_ne!(standard(castling), standard("r3k2r/8/8/8/8/8/8/R3K2R w KQ - 0 1"));
        assert_ne!(standard(castling), standard("r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 0 1"));
        assert_ne!(standard(castling), key(Variant::Chess960, castling));
    }

    #[test]
    fn what_cannot_be_read_is_given_up_and_a_store_that_is_away_is_waited_for() {
        let is_given_up = |error: AnalysisError| matches!(error.into(), Halt::Hopeless(_));
        let damaged = || StoreError::Damaged("library game 7".to_owned());
        let away = || StoreError::Away("disk full".to_owned());
        assert!(is_given_up(damaged().into()));
        assert!(is_given_up(GameError::Store(damaged()).into()));
        assert!(is_given_up(GameError::Unknown.into()));
        assert!(is_given_up(GameError::Fault("its log cannot be replayed".to_owned()).into()));
        assert!(!is_given_up(away().into()));
        assert!(!is_given_up(GameError::Store(away()).into()));
        assert!(!is_given_up(AnalysisError::Busy));
    }

    #[test]
    fn what_is_kept_reads_the_same() {
        let best = ["e2e4", "e7e5"].map(|text| text.parse().unwrap()).to_vec();
        let known = Known { score: EvalView::Mate(-3), best };
        assert_eq!(read(&text_of(&known)), Some(known));
        assert_eq!(read("[]"), None);
        assert_eq!(read("something else"), None);
    }
}
