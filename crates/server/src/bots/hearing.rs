//! What the engines say to a bot that has no more than so much time to hear them.

use std::time::Duration;

use engine::pool::{Answer, EngineError, Pool, Priority, Task, Update};

use crate::world::Time;

/// The answer of the engines, or the best move they have named, once `patience` is over. None if they have named none by
/// then: others may play too, and who plays is asked in turn. Without a clock there is patience without end.
pub(super) async fn hear(
    engines: &Pool,
    time: &Time,
    task: Task,
    patience: Option<Duration>,
) -> Result<Option<Answer>, EngineError> {
    let mut ticket = engines.ask(task, Priority::Play);
    let over = async {
        match patience {
            Some(patience) => time.sleep(millis(patience)).await,
            None => std::future::pending().await,
        }
    };
    let mut over = std::pin::pin!(over);
    let mut best = None;
    loop {
        tokio::select! {
            biased;
            update = ticket.next() => match update {
                Some(Update::Done(answer)) => return Ok(Some(answer)),
                Some(Update::Failed(error)) => return Err(error),
                Some(Update::Line(line)) if line.rank == 1 => best = Some(line),
                Some(Update::Line(_) | Update::Waiting { .. }) => {}
                None => return Err(EngineError::Closed),
            },
            () = &mut over => break,
        }
    }
    // Who it was is not known before the last word; nobody is told of a move that was made in haste.
    Ok(best.map(|line| Answer {
        engine: String::new(),
        best: line.moves.first().copied(),
        lines: vec![line],
    }))
}

fn millis(span: Duration) -> i64 {
    i64::try_from(span.as_millis()).unwrap_or(i64::MAX)
}

#[cfg(test)]
mod tests {
    use engine::builtin::Limits;
    use engine::pool::{PoolSettings, Situation, Ticket};
    use rules::Position;

    use super::*;
    use crate::world::World;

    /// A question that takes as long as it is let.
    fn endless() -> Task {
        Task::new(Situation::new(Position::standard()), Limits::default())
    }

    async fn sits(ticket: &mut Ticket) {
        while !matches!(ticket.next().await, Some(Update::Line(_))) {}
    }

    fn one_seat() -> Pool {
        Pool::start(PoolSettings { workers: 1, hash_mb: 1, ..PoolSettings::default() })
    }

    #[tokio::test]
    async fn who_stands_behind_somebody_else_who_plays_does_not_wait_until_the_flag_falls() {
        let (engines, (world, hand)) = (one_seat(), World::simulated(1));
        let mut first = engines.ask(endless(), Priority::Play);
        sits(&mut first).await;
        let patience = Some(Duration::from_secs(1));
        let waiting = hear(&engines, &world.time, endless(), patience);
        let (heard, ()) = tokio::join!(waiting, async { hand.advance(1_000) });
        assert_eq!(heard, Ok(None));
        let quick = engines.answer_at_once(endless()).await.unwrap();
        assert!(quick.best.is_some());
        assert_eq!(engines.load().running, 1, "the first one still has the only seat");
    }

    #[tokio::test]
    async fn what_the_engine_has_found_so_far_is_played() {
        let (engines, (world, hand)) = (one_seat(), World::simulated(1));
        // As much of the machine's time as it takes until something is said: of the club's it is always one second.
        let mut turns = 1_u32;
        let answer = loop {
            let hearing = hear(&engines, &world.time, endless(), Some(Duration::from_secs(1)));
            let passing = async {
                for _ in 0..turns {
                    tokio::task::yield_now().await;
                }
                hand.advance(1_000);
            };
            if let (Ok(Some(answer)), ()) = tokio::join!(hearing, passing) {
                break answer;
            }
            turns = turns.saturating_mul(2);
        };
        assert_eq!(answer.best, answer.lines[0].moves.first().copied());
        assert!(answer.best.is_some());
    }
}
