//! A question that has a seat: it is put to an engine, to the next one if that fails, to the built-in one at last.

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::mpsc;

use super::House;
use super::answer::{Answer, EngineError, Update};
use super::desk::Leave;
use super::own;
use super::stopwatch::within;
use super::task::{Choice, Job};

/// What takes longer is given up for somebody who plays.
const SOON: Duration = Duration::from_secs(1);

/// Why a search ends before it has an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Why {
    /// Somebody who plays needs the seat.
    GivesWay,
    /// Nobody wants to know any more.
    TakenBack,
}

/// How a search ended.
#[derive(Debug)]
pub(crate) enum Finished {
    Answer(Answer),
    Interrupted(Why),
}

/// Knows when a search has to end. Once it is so it stays so.
#[derive(Debug)]
pub(crate) struct Interrupt {
    lines: mpsc::Sender<Update>,
    leave: Leave,
    why: Option<Why>,
}

impl Interrupt {
    fn new(lines: mpsc::Sender<Update>, leave: Leave) -> Interrupt {
        Interrupt { lines, leave, why: None }
    }

    /// Waits until the search has to end. The wait can be given up and begun again.
    pub(crate) async fn comes(&mut self) -> Why {
        if let Some(why) = self.why {
            return why;
        }
        let why = tokio::select! {
            () = self.lines.closed() => Why::TakenBack,
            Ok(()) = &mut self.leave => Why::GivesWay,
        };
        self.why = Some(why);
        why
    }

    /// Waits for something. As a rule it is soon there, and to give it up would waste more than it saves; what takes
    /// longer is given up when the search has to end.
    pub(crate) async fn unless_it_comes<T>(
        &mut self,
        wanted: impl Future<Output = T>,
    ) -> Result<T, Why> {
        let mut wanted = std::pin::pin!(wanted);
        if let Some(there) = within(SOON, wanted.as_mut()).await {
            return Ok(there);
        }
        tokio::select! {
            biased;
            why = self.comes() => Err(why),
            there = wanted => Ok(there),
        }
    }
}

/// Gives the seat back, however the search ends.
struct Seat {
    house: Arc<House>,
    number: u64,
    again: Option<Job>,
}

impl Drop for Seat {
    fn drop(&mut self) {
        House::leave(&self.house, self.number, self.again.take());
    }
}

/// Takes a seat, searches, tells the last word, stands up.
pub(super) async fn sit(house: Arc<House>, job: Job, leave: Leave) {
    let mut seat = Seat { house, number: job.number, again: None };
    let mut interrupt = Interrupt::new(job.lines.clone(), leave);
    let finished = search(&seat.house, &job, &mut interrupt).await;
    // The ticket waits for the last word until nobody can tell it another line.
    drop(interrupt);
    match finished {
        Ok(Finished::Answer(answer)) => job.end(Update::Done(answer)),
        Ok(Finished::Interrupted(Why::GivesWay)) => seat.again = Some(job),
        Ok(Finished::Interrupted(Why::TakenBack)) => {}
        Err(error) => job.end(Update::Failed(error)),
    }
}

async fn search(
    house: &House,
    job: &Job,
    interrupt: &mut Interrupt,
) -> Result<Finished, EngineError> {
    let Job { task, lines, .. } = job;
    match &task.engine {
        Choice::Any => {
            // For one that fails the next one answers.
            for keeper in house.stable.for_task(task) {
                let found = keeper.search(task, &house.settings, lines, interrupt).await;
                if found.is_ok() {
                    return found;
                }
            }
        }
        Choice::Named(key) if key != own::KEY => {
            let keeper = house.stable.named(key, &task.situation)?;
            return keeper.search(task, &house.settings, lines, interrupt).await;
        }
        Choice::Named(_) | Choice::Builtin => {}
    }
    house.own.search(task, &house.settings, lines, interrupt).await
}
