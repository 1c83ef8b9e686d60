//! The other end of a question.

use std::sync::Weak;

use tokio::sync::{mpsc, oneshot};

use super::House;
use super::answer::{Answer, EngineError, Update};

/// The other end of a question. Dropping it takes the question back: a search that runs is stopped.
#[derive(Debug)]
pub struct Ticket {
    house: Weak<House>,
    number: u64,
    lines: mpsc::Receiver<Update>,
    end: Option<oneshot::Receiver<Update>>,
}

impl Ticket {
    pub(super) fn new(
        house: Weak<House>,
        number: u64,
        lines: mpsc::Receiver<Update>,
        end: oneshot::Receiver<Update>,
    ) -> Ticket {
        Ticket { house, number, lines, end: Some(end) }
    }

    /// The next thing that happens; none after the last word.
    ///
    /// A reader that is slow misses lines, never the last word. Safe to use in a `select!`.
    pub async fn next(&mut self) -> Option<Update> {
        if let Some(update) = self.lines.recv().await {
            return Some(update);
        }
        let told = self.end.as_mut()?.await;
        self.end = None;
        Some(told.unwrap_or(Update::Failed(EngineError::Closed)))
    }

    /// Waits for the last word.
    pub async fn answer(mut self) -> Result<Answer, EngineError> {
        loop {
            match self.next().await {
                Some(Update::Done(answer)) => return Ok(answer),
                Some(Update::Failed(error)) => return Err(error),
                Some(Update::Waiting { .. } | Update::Line(_)) => {}
                None => return Err(EngineError::Closed),
            }
        }
    }
}

impl Drop for Ticket {
    fn drop(&mut self) {
        self.lines.close();
        if let Some(house) = self.house.upgrade()
            && self.end.is_some()
        {
            House::forget(&house, self.number);
        }
    }
}
