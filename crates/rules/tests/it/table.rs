//! A game with its log, played by short calls.

use rules::{
    Act, Actor, Color, Command, Event, Game, Millis, Outcome, Ply, Refusal, RuleSet, Setup,
    TimeControl, UnixMillis,
};

pub(crate) const START: UnixMillis = UnixMillis(1_700_000_000_000);

/// A game and everything that happened in it. Checks after every step that the log alone gives the same game.
pub(crate) struct Table {
    pub(crate) game: Game,
    pub(crate) log: Vec<Event>,
    pub(crate) now: UnixMillis,
}

impl Table {
    pub(crate) fn new(setup: Setup) -> Table {
        let game = Game::new(setup, START).expect("a playable set-up");
        Table { game, log: Vec::new(), now: START }
    }

    pub(crate) fn online(time: TimeControl) -> Table {
        Table::new(Setup::standard(time, RuleSet::online()))
    }

    pub(crate) fn fide(time: TimeControl) -> Table {
        Table::new(Setup::standard(time, RuleSet::fide()))
    }

    pub(crate) fn from_fen(fen: &str, rules: RuleSet) -> Table {
        Table::new(Setup {
            start: Some(fen.into()),
            ..Setup::standard(TimeControl::Unlimited, rules)
        })
    }

    /// Lets time pass.
    pub(crate) fn wait(&mut self, ms: i64) -> &mut Table {
        self.now = self.now.plus(Millis(ms));
        self
    }

    pub(crate) fn send(&mut self, command: &Command) -> Result<Vec<Event>, Refusal> {
        let events = self.game.decide(command)?;
        for event in &events {
            self.game.apply(event).expect("what was decided can be applied");
        }
        self.log.extend(events.iter().cloned());
        let text = serde_json::to_string(&self.log).expect("events are JSON");
        let log: Vec<Event> = serde_json::from_str(&text).expect("events are read again");
        let again = Game::rebuild(self.game.setup().clone(), self.game.started(), &log);
        assert_eq!(again.as_ref(), Ok(&self.game), "the log {text}");
        Ok(events)
    }

    pub(crate) fn act(&mut self, by: Actor, act: Act) -> Result<Vec<Event>, Refusal> {
        self.send(&Command::new(by, self.now, act))
    }

    pub(crate) fn player(&mut self, side: Color, act: Act) -> Result<Vec<Event>, Refusal> {
        self.act(Actor::Player(side), act)
    }

    pub(crate) fn server(&mut self, act: Act) -> Result<Vec<Event>, Refusal> {
        self.act(Actor::Server, act)
    }

    pub(crate) fn arbiter(&mut self, act: Act) -> Result<Vec<Event>, Refusal> {
        self.act(Actor::Arbiter, act)
    }

    /// One action by the side to act.
    pub(crate) fn try_play(&mut self, action: &str) -> Result<Vec<Event>, Refusal> {
        let side = self.game.to_act().ok_or(Refusal::GameOver)?;
        let ply = self.game.ply();
        self.player(side, Act::Play { ply, action: action.into() })
    }

    /// Actions one after the other, all of which must be accepted.
    pub(crate) fn play(&mut self, actions: &str) -> &mut Table {
        for action in actions.split_whitespace() {
            self.try_play(action).unwrap_or_else(|refusal| panic!("{action}: {refusal}"));
        }
        self
    }

    pub(crate) fn outcome(&self) -> Option<Outcome> {
        self.game.outcome().copied()
    }

    pub(crate) fn fen(&self) -> String {
        self.game.position().fen()
    }

    pub(crate) fn left(&self, side: Color) -> i64 {
        self.game.left(side, self.now).expect("a clock").0
    }
}

pub(crate) fn play(ply: u32, action: &str) -> Act {
    Act::Play { ply: Ply(ply), action: action.into() }
}

/// A live control in seconds.
pub(crate) fn live(seconds: i64, increment: i64) -> TimeControl {
    TimeControl::fischer(Millis::seconds(seconds), Millis::seconds(increment))
}
