//! A conversation with an engine: the greeting, then question after question.

use std::collections::{HashMap, HashSet};
use std::ffi::OsString;
use std::time::Duration;

use rules::{Action, Position};
use tokio::sync::mpsc;

use super::options::{ANALYSE, CHESS960, HASH, MULTI_PV, SKILL, THREADS};
use super::process::Process;
use super::read::{Info, Said, read};
use super::write::{go, position, set_option};
use crate::builtin::UciStrength;
use crate::pool::{
    Answer, EngineError, EngineSettings, Finished, Interrupt, Line, Stopwatch, Strength, Task,
    Update, keep, within,
};

/// How long an engine may take to say that it is there, or ready for a question: networks have to be read, and gigabytes of
/// memory cleared.
const READY: Duration = Duration::from_secs(10);
/// How long it may go on after its time is over, before it is told to stop.
const OVERTIME: Duration = Duration::from_millis(250);
/// How long it may take to stop.
const STOPPING: Duration = Duration::from_secs(2);
/// More options than that nobody has.
const MOST_OPTIONS: usize = 500;

/// An engine that has said hello.
#[derive(Debug)]
pub(crate) struct Session {
    process: Process,
    key: String,
    name: String,
    /// The options it has.
    options: HashSet<String>,
    /// What they were set to.
    set: HashMap<&'static str, String>,
    /// How well it played last.
    strength: Option<Strength>,
    /// Whether it waits for a question.
    is_idle: bool,
}

impl Session {
    /// Starts an engine and waits until it listens.
    pub(crate) async fn open(
        engine: &EngineSettings,
        jail: &[OsString],
        hash_mb: usize,
        memory_mb: usize,
    ) -> Result<Session, EngineError> {
        let process = Process::start(engine, jail, memory_mb)?;
        let mut session = Session {
            process,
            key: engine.key.clone(),
            name: engine.key.clone(),
            options: HashSet::new(),
            set: HashMap::new(),
            strength: None,
            is_idle: false,
        };
        within(READY, session.greet(engine, hash_mb)).await.ok_or(EngineError::Hung)??;
        session.is_idle = true;
        Ok(session)
    }

    async fn greet(&mut self, engine: &EngineSettings, hash_mb: usize) -> Result<(), EngineError> {
        self.process.tell("uci").await?;
        loop {
            let line = self.process.line().await?;
            match read(&line) {
                Said::Name(name) => self.name = name.chars().take(100).collect(),
                Said::Option(name) if self.options.len() < MOST_OPTIONS => {
                    self.options.insert(name.to_owned());
                }
                Said::UciOk => break,
                _ => {}
            }
        }
        self.set(HASH, hash_mb.to_string()).await?;
        self.set(THREADS, "1".to_owned()).await?;
        for (name, value) in &engine.options {
            if super::is_allowed(name, value) {
                self.process.tell(&set_option(name, value)).await?;
            }
        }
        self.listens().await
    }

    /// What it calls itself.
    pub(crate) fn name(&self) -> &str {
        &self.name
    }

    /// Whether it waits for a question. One that does not is of no use any more.
    pub(crate) fn is_idle(&self) -> bool {
        self.is_idle
    }

    /// Sets an option it has, unless it is set so already.
    async fn set(&mut self, name: &'static str, value: String) -> Result<(), EngineError> {
        if self.options.contains(name) && self.set.get(name) != Some(&value) {
            self.process.tell(&set_option(name, &value)).await?;
            self.set.insert(name, value);
        }
        Ok(())
    }

    async fn listens(&mut self) -> Result<(), EngineError> {
        self.process.tell("isready").await?;
        while read(&self.process.line().await?) != Said::ReadyOk {}
        Ok(())
    }

    /// Puts a question and hears it out.
    pub(crate) async fn search(
        &mut self,
        task: &Task,
        longest: Duration,
        lines: &mpsc::Sender<Update>,
        interrupt: &mut Interrupt,
    ) -> Result<Finished, EngineError> {
        let strength = match task.strength {
            Strength::Full => None,
            Strength::Level(level) => level.stockfish(),
        };
        // Its depth alone would not make it weak.
        let is_too_strong = strength.is_some_and(|strength| !strength.is_full());
        if is_too_strong && !self.options.contains(SKILL) {
            return Err(EngineError::Unsuitable(self.key.clone()));
        }
        self.is_idle = false;
        let asking = within(READY, self.ask(task, strength));
        match interrupt.unless_it_comes(asking).await {
            Ok(asked) => asked.ok_or(EngineError::Hung)??,
            Err(why) => return Ok(Finished::Interrupted(why)),
        }
        let own = strength.filter(|_| task.limits.nodes.is_none());
        let own = own.map(|strength| Duration::from_millis(strength.milliseconds.into()));
        let most = task.limits.most.into_iter().chain(own).chain([longest]).min();
        let most = most.unwrap_or(longest);
        let watch = Stopwatch::start();
        let mut search =
            Hearing { position: task.situation.position(), best: None, lines: Vec::new() };
        let why = loop {
            let left = (most + OVERTIME).saturating_sub(watch.elapsed());
            let line = tokio::select! {
                // Lines first would let an engine that never falls silent go on for ever.
                biased;
                why = interrupt.comes() => break Some(why),
                line = within(left, self.process.line()) => line,
            };
            let Some(line) = line else { break None };
            if search.hear(&line?, lines)? {
                return Ok(self.answer(search));
            }
        };
        within(STOPPING, self.stop(&mut search, lines)).await.ok_or(EngineError::Hung)??;
        let answer = self.answer(search);
        Ok(why.map_or(answer, Finished::Interrupted))
    }

    async fn ask(&mut self, task: &Task, strength: Option<UciStrength>) -> Result<(), EngineError> {
        let unsuitable = || EngineError::Unsuitable(self.key.clone());
        let (fen, moves) = task.situation.as_chess().ok_or_else(unsuitable)?;
        let (fen, moves) = (position(fen, moves), go(&task.limits, strength));
        self.process.forgive();
        let is_960 = task.situation.variant() == rules::Variant::Chess960;
        let skill = strength.map_or(20, |strength| strength.skill);
        let analyses = task.strength == Strength::Full;
        // What it remembers of a search at full strength would help it at a low level.
        if self.strength.replace(task.strength).is_some_and(|last| last != task.strength) {
            self.process.tell("ucinewgame").await?;
        }
        self.set(MULTI_PV, task.lines.to_string()).await?;
        self.set(CHESS960, is_960.to_string()).await?;
        self.set(SKILL, skill.to_string()).await?;
        self.set(ANALYSE, analyses.to_string()).await?;
        // Also where nothing was set: what it said unasked before is not taken for the answer.
        self.listens().await?;
        self.process.tell(&format!("{fen}\n{moves}")).await
    }

    /// Asks it to stop and waits for its last word.
    async fn stop(
        &mut self,
        search: &mut Hearing<'_>,
        lines: &mpsc::Sender<Update>,
    ) -> Result<(), EngineError> {
        self.process.tell("stop").await?;
        while !search.hear(&self.process.line().await?, lines)? {}
        Ok(())
    }

    fn answer(&mut self, search: Hearing<'_>) -> Finished {
        self.is_idle = true;
        let Hearing { best, lines, .. } = search;
        Finished::Answer(Answer { engine: self.key.clone(), best, lines })
    }
}

/// What was heard of a search.
struct Hearing<'a> {
    position: &'a Position,
    best: Option<Action>,
    lines: Vec<Line>,
}

impl Hearing<'_> {
    /// Hears a line; gives whether it was the last one.
    fn hear(&mut self, line: &str, told: &mpsc::Sender<Update>) -> Result<bool, EngineError> {
        match read(line) {
            Said::Info(info) => {
                let line = check_line(self.position, &info)?;
                let _ = told.try_send(Update::Line(line.clone()));
                keep(&mut self.lines, line);
                Ok(false)
            }
            Said::BestMove(text) => {
                self.best = Some(check_move(self.position, text)?);
                Ok(true)
            }
            _ => Ok(false),
        }
    }
}

/// A line with its legal moves; it may end early, but the first move has to be one.
fn check_line(start: &Position, info: &Info<'_>) -> Result<Line, EngineError> {
    /// Nobody looks further.
    const LONGEST: usize = 40;
    let mut words = info.moves.split_whitespace().take(LONGEST);
    let first = check_move(start, words.next().unwrap_or(""))?;
    let mut moves = vec![first];
    let mut position = start.clone();
    for word in words {
        let last = moves.last().copied().unwrap_or(first);
        let next = position.play(last).and_then(|_| {
            let action: Action = word.parse().map_err(|_| rules::Illegal::Text)?;
            position.resolve(action)
        });
        let Ok(next) = next else { break };
        moves.push(next);
    }
    let Info { depth, rank, score, nodes, speed, time, .. } = *info;
    Ok(Line { rank, depth, score, nodes, speed, time, moves })
}

fn check_move(position: &Position, text: &str) -> Result<Action, EngineError> {
    let nonsense = || {
        let text: String = text.chars().take(20).collect();
        EngineError::Nonsense(format!("{text:?} is no legal move"))
    };
    let action: Action = text.parse().map_err(|_| nonsense())?;
    position.resolve(action).map_err(|_| nonsense())
}
