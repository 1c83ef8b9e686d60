//! Who sits, who waits, and who has to stand up for whom. Nothing happens here; it only decides.

use std::collections::{HashMap, VecDeque};

use tokio::sync::oneshot;

use super::Load;
use super::answer::Update;
use super::task::{Job, Priority};

/// Told to a search that has to give its seat up.
pub(super) type Leave = oneshot::Receiver<()>;

#[derive(Debug)]
pub(super) struct Desk {
    seats: usize,
    most_waiting: usize,
    /// Those who wait, first come first served within a rank; ranks in order.
    waiting: [VecDeque<Job>; 3],
    running: HashMap<u64, Sitting>,
}

/// Somebody who has a seat.
#[derive(Debug)]
struct Sitting {
    priority: Priority,
    /// How to make it leave; used up once it was told to.
    leave: Option<oneshot::Sender<()>>,
}

impl Desk {
    pub(super) fn new(seats: usize, most_waiting: usize) -> Desk {
        Desk { seats, most_waiting, waiting: Default::default(), running: HashMap::new() }
    }

    pub(super) fn load(&self) -> Load {
        let waiting = self.waiting.iter().map(VecDeque::len).sum();
        Load { seats: self.seats, running: self.running.len(), waiting }
    }

    /// Puts somebody at the end of its rank. Who plays is never sent away: games are bounded elsewhere.
    pub(super) fn queue(&mut self, job: Job) -> Result<(), Box<Job>> {
        if job.priority != Priority::Play && self.load().waiting >= self.most_waiting {
            return Err(Box::new(job));
        }
        self.waiting[rank(job.priority)].push_back(job);
        Ok(())
    }

    /// The next who may sit down. If only a seat is missing, somebody of lower rank is asked to stand up.
    pub(super) fn next(&mut self) -> Option<(Job, Leave)> {
        for queue in &mut self.waiting {
            queue.retain(|job| !job.lines.is_closed());
        }
        let priority = self.waiting.iter().find_map(VecDeque::front)?.priority;
        if self.running.len() >= self.seats {
            if priority == Priority::Play {
                self.make_room();
            }
            return None;
        }
        let job = self.waiting[rank(priority)].pop_front()?;
        let (leave, told) = oneshot::channel();
        self.running.insert(job.number, Sitting { priority, leave: Some(leave) });
        Some((job, told))
    }

    /// Asks those of the lowest rank to stand up, as many as wait to play and are not yet made room for.
    fn make_room(&mut self) {
        let players = self.waiting[rank(Priority::Play)].len();
        let leaving = self.running.values().filter(|sitting| sitting.leave.is_none()).count();
        for _ in leaving..players {
            let below = self.running.iter_mut().filter(|(_, sitting)| {
                sitting.priority > Priority::Play && sitting.leave.is_some()
            });
            // Of those of the lowest rank the one who came last has lost least.
            let Some((_, sitting)) =
                below.max_by_key(|(number, sitting)| (sitting.priority, **number))
            else {
                return;
            };
            if let Some(leave) = sitting.leave.take() {
                let _ = leave.send(());
            }
        }
    }

    /// Somebody has stood up; who was made to goes to the head of its rank.
    pub(super) fn leave(&mut self, number: u64, again: Option<Job>) {
        self.running.remove(&number);
        if let Some(mut job) = again {
            job.told = None;
            self.waiting[rank(job.priority)].push_front(job);
        }
    }

    /// Somebody who waited has gone home.
    pub(super) fn forget(&mut self, number: u64) {
        for queue in &mut self.waiting {
            queue.retain(|job| job.number != number);
        }
    }

    /// Tells everybody whose place has changed.
    pub(super) fn tell_those_who_wait(&mut self) {
        for (ahead, job) in self.waiting.iter_mut().flatten().enumerate() {
            if job.told != Some(ahead) {
                job.told = Some(ahead);
                let _ = job.lines.try_send(Update::Waiting { ahead });
            }
        }
    }
}

fn rank(priority: Priority) -> usize {
    match priority {
        Priority::Play => 0,
        Priority::Analysis => 1,
        Priority::Background => 2,
    }
}
