//! The door to all engines: a bounded number of seats, and a queue in front of them.
//!
//! ```no_run
//! # async fn example() {
//! use engine::builtin::Limits;
//! use engine::pool::{Pool, PoolSettings, Priority, Situation, Task, Update};
//! use rules::Position;
//!
//! let pool = Pool::start(PoolSettings::default());
//! let situation = Situation::new(Position::standard());
//! let mut ticket = pool.ask(Task::new(situation, Limits::nodes(100_000)), Priority::Analysis);
//! while let Some(update) = ticket.next().await {
//!     match update {
//!         Update::Waiting { ahead } => println!("{ahead} before us"),
//!         Update::Line(line) => println!("{} {}", line.depth, line.score),
//!         Update::Done(answer) => println!("best: {:?}", answer.best),
//!         Update::Failed(error) => println!("{error}"),
//!     }
//! }
//! # }
//! ```
//!
//! At most as many searches run at once as there are seats. Who plays goes before who analyses, and that before what can
//! wait for the night; a search of lower rank gives its seat up to somebody who plays, and begins anew later. The
//! built-in engine sits behind the same door, so that everything works with nothing installed and in every variant.

mod answer;
mod desk;
mod own;
mod seat;
mod settings;
mod situation;
mod stable;
mod stopwatch;
mod task;
mod ticket;

use std::sync::Arc;

use parking_lot::Mutex;
use tokio::runtime::Handle;

pub use answer::{Answer, EngineError, Line, Update};
pub use settings::{EngineSettings, PoolSettings, find_program};
pub use situation::Situation;
pub use task::{Choice, Priority, Strength, Task};
pub use ticket::Ticket;

use desk::Desk;
use own::OwnEngines;
use stable::Stable;
use task::Job;

pub(crate) use own::keep;
pub(crate) use seat::{Finished, Interrupt};
pub(crate) use stopwatch::{Stopwatch, within};

/// Somebody who can search.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EngineInfo {
    /// What it is called in a [`Choice::Named`].
    pub key: String,
    /// What it calls itself: `Stockfish 15.1`. The key, as long as it has not been asked.
    pub name: String,
    /// The games it knows.
    pub variants: Vec<rules::Variant>,
}

/// How busy the engines are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Load {
    /// Searches that may run at once.
    pub seats: usize,
    /// Searches that run.
    pub running: usize,
    /// Searches that wait.
    pub waiting: usize,
}

/// The engines of this machine. Cheap to clone; they end with the last handle and the last ticket.
#[derive(Debug, Clone)]
pub struct Pool(Arc<House>);

/// What all handles share.
#[derive(Debug)]
pub(crate) struct House {
    settings: PoolSettings,
    desk: Mutex<Desk>,
    stable: Stable,
    own: OwnEngines,
    runtime: Handle,
}

impl Pool {
    /// Opens the door. Nothing is started before somebody asks.
    ///
    /// Has to be called inside a tokio runtime: the searches run there.
    pub fn start(settings: PoolSettings) -> Pool {
        let desk = Mutex::new(Desk::new(settings.seats(), settings.queue));
        let stable = Stable::new(&settings);
        let own = OwnEngines::new(settings.hash_mb);
        Pool(Arc::new(House { settings, desk, stable, own, runtime: Handle::current() }))
    }

    /// Everybody who can be asked, the built-in engine last.
    pub fn engines(&self) -> Vec<EngineInfo> {
        let mut engines = self.0.stable.engines();
        engines.push(own::info());
        engines
    }

    /// Who answers a question that leaves the choice to us, as things are.
    pub fn usual_engine(&self, situation: &Situation) -> EngineInfo {
        self.0.stable.suitable(situation).next().map_or_else(own::info, |keeper| keeper.info())
    }

    /// How busy the engines are.
    pub fn load(&self) -> Load {
        self.0.desk.lock().load()
    }

    /// Starts a process of every installed engine that has none, so that the first question need not wait for it.
    /// However often it is called, no more are kept than can be asked at once.
    ///
    /// Whoever cannot be started is logged, and tried again when it is asked.
    pub async fn warm_up(&self) {
        self.0.stable.warm_up().await;
    }

    /// Asks. The ticket hears of everything; dropping it takes the question back.
    pub fn ask(&self, task: Task, priority: Priority) -> Ticket {
        let (job, lines, end) = Job::new(task, priority);
        let ticket = Ticket::new(Arc::downgrade(&self.0), job.number, lines, end);
        House::admit(&self.0, job);
        ticket
    }

    /// A quick answer of the built-in engine, past all who wait: for somebody who cannot wait any longer.
    pub async fn answer_at_once(&self, task: Task) -> Result<Answer, EngineError> {
        self.0.check(&task)?;
        own::answer_at_once(task).await
    }

    /// Asks and waits for the answer alone.
    pub async fn answer(&self, task: Task, priority: Priority) -> Result<Answer, EngineError> {
        self.ask(task, priority).answer().await
    }
}

impl House {
    /// Lets somebody in: onto a seat, or into the queue.
    fn admit(house: &Arc<House>, job: Job) {
        let refused = match house.check(&job.task) {
            Err(error) => Some((job, error)),
            Ok(()) => house.desk.lock().queue(job).err().map(|job| (*job, EngineError::QueueFull)),
        };
        match refused {
            Some((job, error)) => job.end(Update::Failed(error)),
            None => House::seat(house),
        }
    }

    fn check(&self, task: &Task) -> Result<(), EngineError> {
        if task.situation.position().outcome().is_some() {
            return Err(EngineError::NothingToDo);
        }
        self.stable.check(&task.engine, &task.situation)
    }

    /// Gives free seats to those who wait.
    fn seat(house: &Arc<House>) {
        loop {
            let next = house.desk.lock().next();
            let Some((job, leave)) = next else { break };
            house.runtime.spawn(seat::sit(Arc::clone(house), job, leave));
        }
        house.desk.lock().tell_those_who_wait();
    }

    /// Somebody has stood up; a search that gave way to another goes back into the queue.
    fn leave(house: &Arc<House>, number: u64, again: Option<Job>) {
        house.desk.lock().leave(number, again);
        House::seat(house);
    }

    /// A ticket was dropped.
    fn forget(house: &Arc<House>, number: u64) {
        house.desk.lock().forget(number);
        House::seat(house);
    }
}
