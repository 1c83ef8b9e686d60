//! An engine's lines on their way to one socket: the first at once, later ones at most ten times a second.

use std::time::Duration;

use engine::builtin::Limits;
use engine::pool::{Choice, EngineError, Line as Found, Priority, Situation, Task, Ticket, Update};
use rules::{Position, UnixMillis, Variant};
use store::{AccountId, Sight};
use tokio::task::JoinHandle;

use super::lines::EngineLineView;
use super::wire::{AnalysisAim, AnalysisState, PositionQuestion};
use super::{Analysis, AnalysisError};
use crate::live::outbox::Outbox;
use crate::live::wire::ServerMsg;
use crate::world::Sleep;

/// Between two messages about the same analysis, in milliseconds.
const PAUSE: i64 = 100;
/// How long an engine looks at one position while somebody watches.
const LONGEST: Duration = Duration::from_secs(30);
/// Deeper than this nothing changes any more.
const DEEPEST: u8 = 40;
/// A hint comes soon.
const HINT: Duration = Duration::from_millis(800);

/// What somebody wants to know.
#[derive(Debug, Clone)]
pub(crate) struct Wish {
    /// How the socket calls it.
    pub(crate) id: u32,
    pub(crate) question: PositionQuestion,
    pub(crate) lines: u8,
    pub(crate) aim: AnalysisAim,
    /// The engine's key; none for the usual one.
    pub(crate) engine: Option<String>,
}

/// An analysis that runs for a socket; it ends when this is dropped.
pub(crate) struct Stream(JoinHandle<()>);

impl Drop for Stream {
    fn drop(&mut self) {
        self.0.abort();
    }
}

impl Analysis {
    /// Asks an engine and tells the socket what it says. A refusal is told in the same way.
    pub(crate) fn stream(&self, sight: Sight, wish: Wish, outbox: Outbox) -> Stream {
        let analysis = self.clone();
        Stream(tokio::spawn(async move {
            let id = wish.id;
            let teller = Teller { id, outbox };
            match analysis.begin(sight, wish).await {
                Ok((ticket, watched)) => {
                    Watch { analysis, account: sight.account(), watched, teller }.run(ticket).await;
                }
                Err(error) => teller.refuse(&error),
            }
        }))
    }

    async fn begin(&self, sight: Sight, wish: Wish) -> Result<(Ticket, Watched), AnalysisError> {
        let line = self.line(sight, &wish.question).await?;
        let situation = match wish.aim {
            AnalysisAim::Threat => {
                let passed = line.last().passed();
                Situation::new(passed.ok_or_else(|| {
                    AnalysisError::Start("nobody may pass in this position".to_owned())
                })?)
            }
            _ => Situation::after(line.positions[0].clone(), line.actions.iter().copied())
                .unwrap_or_else(|_| Situation::new(line.last().clone())),
        };
        let limits = match wish.aim {
            AnalysisAim::Hint => Limits::time(HINT),
            _ => Limits { depth: Some(DEEPEST), ..Limits::time(LONGEST) },
        };
        let choice = wish.engine.map_or(Choice::Any, |key| {
            let is_own = self.0.pool.engines().last().is_some_and(|own| own.key == key);
            if is_own { Choice::Builtin } else { Choice::Named(key) }
        });
        let watched = Watched {
            variant: line.variant,
            positions: line.positions,
            asked: situation.position().clone(),
        };
        let task = Task::new(situation, limits).with_lines(wish.lines).by(choice);
        Ok((self.0.pool.ask(task, Priority::Analysis), watched))
    }
}

/// What is looked at, to be judged again while the engine runs: a game of the asker may get there meanwhile.
struct Watched {
    variant: Variant,
    positions: Vec<Position>,
    asked: Position,
}

struct Watch {
    analysis: Analysis,
    account: Option<AccountId>,
    watched: Watched,
    teller: Teller,
}

impl Watch {
    async fn run(self, mut ticket: Ticket) {
        let mut news = News::default();
        let time = &self.analysis.world().time;
        let mut due: Option<Sleep> = None;
        loop {
            let is_due = async {
                match &mut due {
                    Some(sleep) => sleep.await,
                    None => std::future::pending().await,
                }
            };
            tokio::select! {
                biased;
                update = ticket.next() => match update {
                    Some(Update::Waiting { ahead }) => {
                        let ahead = u32::try_from(ahead).unwrap_or(u32::MAX);
                        self.teller.state(AnalysisState::Waiting { ahead });
                    }
                    Some(Update::Line(line)) => {
                        if !news.has_begun {
                            news.has_begun = true;
                            self.teller.state(AnalysisState::Running);
                        }
                        news.take(line);
                        let wait = news.wait(time.now());
                        if wait > 0 {
                            due.get_or_insert_with(|| time.sleep(wait));
                            continue;
                        }
                        if !self.tell(&mut news).await {
                            return;
                        }
                    }
                    Some(Update::Done(answer)) => {
                        answer.lines.into_iter().for_each(|line| news.take(line));
                        if self.tell(&mut news).await {
                            let best = answer.best.map(|action| action.to_string());
                            self.teller.state(AnalysisState::Done { engine: answer.engine, best });
                        }
                        return;
                    }
                    Some(Update::Failed(error)) => return self.teller.refuse(&error.into()),
                    None => return,
                },
                () = is_due => {
                    due = None;
                    if !self.tell(&mut news).await {
                        return;
                    }
                }
            }
        }
    }

    /// Tells what is new, unless it may not be told any more.
    async fn tell(&self, news: &mut News) -> bool {
        let Watched { variant, positions, asked } = &self.watched;
        let fair_play = self.analysis.fair_play();
        if let Err(error) = fair_play.may_ask(self.account, *variant, positions).await {
            self.teller.refuse(&error);
            return false;
        }
        news.told_at = Some(self.analysis.world().time.now());
        if let Some(first) = news.lines.first() {
            self.teller.push(&ServerMsg::EngineLines {
                id: self.teller.id,
                depth: first.depth,
                nodes: first.nodes,
                speed: first.speed,
                lines: news.lines.iter().map(|line| EngineLineView::new(line, asked)).collect(),
            });
        }
        true
    }
}

/// What an engine has said and nobody was told yet.
#[derive(Default)]
struct News {
    /// The last line of each rank, best first.
    lines: Vec<Found>,
    has_begun: bool,
    told_at: Option<UnixMillis>,
}

impl News {
    /// Takes the newest line of its rank. A line that has risen or fallen changes places with the one that stood there:
    /// lines come one by one, and until the other one has come too the same move would be told twice.
    fn take(&mut self, line: Found) {
        let before = self.lines.iter().position(|known| known.rank == line.rank);
        let before = before.map(|at| self.lines.remove(at));
        let same = self.lines.iter().position(|known| known.moves.first() == line.moves.first());
        if let Some(same) = same.map(|at| self.lines.remove(at)) {
            self.lines.extend(before.map(|before| Found { rank: same.rank, ..before }));
        }
        self.lines.push(line);
        self.lines.sort_by_key(|line| line.rank);
    }

    /// How long it must still wait before it is told; the first word never waits.
    fn wait(&self, now: UnixMillis) -> i64 {
        self.told_at.map_or(0, |told| (told.0 + PAUSE - now.0).max(0))
    }
}

/// The way to the socket.
struct Teller {
    id: u32,
    outbox: Outbox,
}

impl Teller {
    fn push(&self, message: &ServerMsg) {
        self.outbox.push(message.to_json().into());
    }

    fn state(&self, state: AnalysisState) {
        self.push(&ServerMsg::AnalysisState { id: self.id, state });
    }

    fn refuse(&self, error: &AnalysisError) {
        let (code, reason) = (error.code().to_owned(), error.to_string());
        self.state(AnalysisState::Refused { code, reason });
    }
}

impl From<EngineError> for AnalysisError {
    fn from(error: EngineError) -> AnalysisError {
        match error {
            EngineError::QueueFull => AnalysisError::Busy,
            EngineError::NothingToDo => {
                AnalysisError::Start("the game is over in this position".to_owned())
            }
            EngineError::Unknown(_) | EngineError::Unsuitable(_) => AnalysisError::NoEngine,
            other => AnalysisError::Engine(other.to_string()),
        }
    }
}

#[cfg(test)]
mod tests {
    use engine::builtin::Score;

    use super::*;

    fn line(rank: u8, depth: u8, first: &str) -> Found {
        Found {
            rank,
            depth,
            score: Score::Centipawns(0),
            nodes: 0,
            speed: 0,
            time: Duration::ZERO,
            moves: vec![first.parse().unwrap()],
        }
    }

    #[test]
    fn the_newest_line_of_each_rank_is_told_best_first() {
        let mut news = News::default();
        for (rank, depth) in [(2, 1), (1, 1), (1, 2), (3, 2), (2, 2)] {
            news.take(line(rank, depth, ["e2e4", "d2d4", "c2c4"][usize::from(rank) - 1]));
        }
        let told: Vec<_> = news.lines.iter().map(|line| (line.rank, line.depth)).collect();
        assert_eq!(told, [(1, 2), (2, 2), (3, 2)]);
    }

    #[test]
    fn no_move_is_told_twice_while_lines_overtake_each_other() {
        let check = |said: &[(u8, &str)], expected: &[(u8, &str)]| {
            let mut news = News::default();
            for (rank, first) in said {
                news.take(line(*rank, 1, first));
            }
            let told = news.lines.iter().map(|line| (line.rank, line.moves[0].to_string()));
            let expected = expected.iter().map(|(rank, first)| (*rank, (*first).to_owned()));
            assert_eq!(told.collect::<Vec<_>>(), expected.collect::<Vec<_>>(), "{said:?}");
        };
        let three = [(1, "e2e4"), (2, "d2d4"), (3, "c2c4")];
        let with = |line| [&three[..], &[line]].concat();
        check(&with((1, "d2d4")), &[(1, "d2d4"), (2, "e2e4"), (3, "c2c4")]);
        check(&with((1, "c2c4")), &[(1, "c2c4"), (2, "d2d4"), (3, "e2e4")]);
        check(&[(1, "e2e4"), (2, "e2e4")], &[(2, "e2e4")]);
    }

    #[test]
    fn the_first_word_does_not_wait_and_later_ones_come_ten_times_a_second() {
        let mut news = News::default();
        assert_eq!(news.wait(UnixMillis(5_000)), 0);
        news.told_at = Some(UnixMillis(5_000));
        for (now, expected) in [(5_000, 100), (5_040, 60), (5_100, 0), (9_000, 0)] {
            assert_eq!(news.wait(UnixMillis(now)), expected, "{now}");
        }
    }
}
