//! The history checker: what all clients sent, heard and saw, against what the server says at the end.
//!
//! Pure: histories in, a verdict out. It knows nothing of sockets or of how the server works, only what it promises:
//! nothing that was told is lost (C1), at most one move that was not yet acknowledged comes back after a kill and its
//! sender learns of it (C2), clocks go on where they stood (C3), everybody sees one order (C4), ratings change once (C5).

mod ratings;
mod talk;
#[cfg(test)]
mod talk_tests;
#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, BTreeSet};

use rules::Outcome;

use super::recorded::MoveText;
pub(super) use ratings::{FinalPlayer, RatingStep};
pub(super) use talk::Line;

/// What both sides have left, in milliseconds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Clocks {
    pub(super) white: i64,
    pub(super) black: i64,
}

/// One thing that a client did or was told.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Note {
    /// It sent a move for this ply, perhaps not for the first time.
    Sent { ply: u32, action: MoveText },
    /// It was told of a move; `ply` is the one after it.
    Played { version: u32, ply: u32, action: MoveText, clocks: Clocks },
    /// It was told of something else that counts.
    Changed { version: u32, what: What },
    /// It offered a draw.
    Offered,
    /// It said something.
    Said { text: String },
    /// It heard something.
    Heard(Line),
    /// It was told what the game did to both ratings.
    Rated([RatingStep; 2]),
    /// It was told the whole game.
    State(State),
    /// Its connection broke. Both clients of a game note this together.
    Cut,
}

/// An event that is no move.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum What {
    Ended(Outcome),
    DrawOffered,
    Other,
}

/// A whole game as it was told.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct State {
    pub(super) version: u32,
    pub(super) actions: Vec<MoveText>,
    pub(super) ended: Option<Outcome>,
    pub(super) clocks: Clocks,
    /// Whether a draw is on offer.
    pub(super) is_offered: bool,
    /// What was said so far.
    pub(super) chat: Vec<Line>,
    /// How long the server had been running, counted from before its start: its clocks cannot have run longer.
    pub(super) since_start_ms: i64,
}

/// A game as the server shows it when all is over.
#[derive(Debug, Clone, Default)]
pub(super) struct FinalGame {
    pub(super) version: u32,
    pub(super) actions: Vec<MoveText>,
    pub(super) ended: Option<Outcome>,
    pub(super) chat: Vec<Line>,
    pub(super) ratings: Option<[RatingStep; 2]>,
}

/// Everything about one game. White sits at seat 0.
#[derive(Debug, Clone, Default)]
pub(super) struct GameHistory {
    pub(super) id: String,
    /// The table it was played at: the same two players game after game, in this order.
    pub(super) table: usize,
    pub(super) seats: [Vec<Note>; 2],
    /// What each of those who looked on was told, from when they came until they left.
    pub(super) watchers: Vec<Vec<Note>>,
    /// None if the server did not know the game any more.
    pub(super) last: Option<FinalGame>,
}

impl GameHistory {
    /// What each client was told, players and watchers.
    fn everybody(&self) -> impl Iterator<Item = &Vec<Note>> {
        self.seats.iter().chain(&self.watchers)
    }

    /// The plies of which a player has learned: that a watcher has is not enough.
    fn told_to_players(&self) -> BTreeSet<u32> {
        let mut told = BTreeSet::new();
        for note in self.seats.iter().flatten() {
            match note {
                Note::Played { ply, .. } => {
                    told.insert(*ply);
                }
                Note::State(state) => told.extend(1..=plies(&state.actions)),
                _ => {}
            }
        }
        told
    }
}

/// What was found.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Verdict {
    /// Moves and results that were told and are gone.
    pub(super) lost: u64,
    /// Moves that nobody sent, that nobody learned of, or that came back from a kill in more than one piece.
    pub(super) ghosts: u64,
    /// Gaps, doubles, steps back, and two clients that saw different things under one number.
    pub(super) order_errors: u64,
    /// The largest difference between clocks before and after a kill that the server's own running does not explain.
    pub(super) clock_error_ms: i64,
    /// Ratings that changed not at all, twice, or otherwise than was told.
    pub(super) rating_errors: u64,
    /// Lines of chat in the final games, offers that were told, changes of ratings.
    pub(super) lines: u64,
    pub(super) offers: u64,
    pub(super) ratings: u64,
    /// Moves in the final games.
    pub(super) moves: u64,
    /// What watchers were told, all together.
    pub(super) watched: u64,
    /// How many clocks were compared.
    pub(super) clocks_compared: u64,
    /// The first faults in words.
    pub(super) faults: Vec<String>,
}

impl Verdict {
    /// Whether every promise was kept.
    pub(super) fn is_good(&self) -> bool {
        self.lost + self.ghosts + self.order_errors + self.rating_errors == 0
            && self.clock_error_ms <= 50
    }

    fn fault(&mut self, game: &GameHistory, what: &str) {
        if self.faults.len() < 20 {
            self.faults.push(format!("game {}: {what}", game.id));
        }
    }
}

/// Checks all histories; `players` are those of the rated tables.
pub(super) fn check(games: &[GameHistory], players: &BTreeMap<usize, [FinalPlayer; 2]>) -> Verdict {
    let mut verdict = Verdict::default();
    for game in games {
        let told = one_order(game, &mut verdict);
        for notes in game.everybody() {
            no_gaps(game, notes, &mut verdict);
        }
        verdict.watched += game.watchers.iter().map(|notes| notes.len() as u64).sum::<u64>();
        nothing_lost(game, &told, &mut verdict);
        no_ghosts(game, &mut verdict);
        after_kills(game, &mut verdict);
        talk::lines(game, &mut verdict);
        talk::offers(game, &mut verdict);
    }
    ratings::ratings(games, players, &mut verdict);
    verdict
}

/// What stands under a version.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Seen {
    Move(u32, MoveText),
    Other(What),
}

/// The moves that anybody was told, by ply. Two different ones for one ply or one version are an error.
fn one_order(game: &GameHistory, verdict: &mut Verdict) -> BTreeMap<u32, MoveText> {
    let mut by_ply = BTreeMap::new();
    let mut by_version = BTreeMap::new();
    let mut conflicts = 0;
    for note in game.everybody().flatten() {
        match note {
            Note::Played { version, ply, action, .. } => {
                let event = Seen::Move(*ply, *action);
                conflicts += u64::from(*by_version.entry(*version).or_insert(event) != event);
                conflicts += u64::from(*by_ply.entry(*ply).or_insert(*action) != *action);
            }
            Note::Changed { version, what } => {
                let event = Seen::Other(*what);
                conflicts += u64::from(*by_version.entry(*version).or_insert(event) != event);
            }
            Note::State(state) => {
                for (ply, action) in (1..).zip(&state.actions) {
                    conflicts += u64::from(by_ply.entry(ply).or_insert(*action) != action);
                }
            }
            _ => {}
        }
    }
    if conflicts > 0 {
        verdict.order_errors += conflicts;
        verdict.fault(game, "two clients saw different things");
    }
    by_ply
}

/// Every event has the next version and every move the next ply, until a whole state sets both anew.
fn no_gaps(game: &GameHistory, seat: &[Note], verdict: &mut Verdict) {
    let mut seen: Option<(u32, u32)> = None;
    for note in seat {
        let (now, follows) = match (note, seen) {
            (
                Note::Sent { .. }
                | Note::Cut
                | Note::Offered
                | Note::Said { .. }
                | Note::Heard(_)
                | Note::Rated(_),
                _,
            ) => continue,
            (Note::State(state), before) => {
                let now = (state.version, plies(&state.actions));
                (now, before.is_none_or(|(version, ply)| now.0 >= version && now.1 >= ply))
            }
            (Note::Played { version, ply, .. }, before) => {
                let now = (*version, *ply);
                (now, before.is_some_and(|(v, p)| (v + 1, p + 1) == now))
            }
            (Note::Changed { version, .. }, before) => {
                let ply = before.map_or(0, |(_, ply)| ply);
                ((*version, ply), before.is_some_and(|(v, _)| v + 1 == *version))
            }
        };
        if !follows {
            verdict.order_errors += 1;
            verdict.fault(game, &format!("{now:?} came after {seen:?} (version, ply)"));
        }
        seen = Some(now);
    }
    let last = game.last.as_ref().map_or(u32::MAX, |last| last.version);
    if seen.is_some_and(|(version, _)| version > last) {
        verdict.order_errors += 1;
        verdict.fault(game, "the server ends at a version that clients have passed");
    }
}

fn nothing_lost(game: &GameHistory, told: &BTreeMap<u32, MoveText>, verdict: &mut Verdict) {
    let nothing = FinalGame::default();
    let last = game.last.as_ref().unwrap_or(&nothing);
    for (ply, action) in told {
        if last.actions.get(*ply as usize - 1) != Some(action) {
            verdict.lost += 1;
            verdict.fault(game, &format!("{action} of ply {ply} is lost"));
        }
    }
    let told_end = |note: &Note| match note {
        Note::Changed { what: What::Ended(outcome), .. } => Some(*outcome),
        Note::State(State { ended, .. }) => *ended,
        _ => None,
    };
    if game.everybody().flatten().filter_map(told_end).any(|told| last.ended != Some(told)) {
        verdict.lost += 1;
        verdict.fault(game, "its end is lost, or another than was told");
    }
}

fn no_ghosts(game: &GameHistory, verdict: &mut Verdict) {
    let Some(last) = &game.last else { return };
    let told = game.told_to_players();
    verdict.moves += last.actions.len() as u64;
    // A ply is sent twice only around a kill, so the lists are nearly sorted and nearly as long as the game.
    let mut sent: [Vec<(u32, MoveText)>; 2] = [Vec::new(), Vec::new()];
    for (seat, sent) in game.seats.iter().zip(&mut sent) {
        sent.extend(seat.iter().filter_map(|note| match note {
            Note::Sent { ply, action } => Some((*ply, *action)),
            _ => None,
        }));
        sent.sort_by_key(|(ply, _)| *ply);
    }
    for (ply, action) in (0..).zip(&last.actions) {
        let by = &sent[ply as usize % 2];
        let from = by.partition_point(|(other, _)| *other < ply);
        let was_sent =
            by[from..].iter().take_while(|(other, _)| *other == ply).any(|(_, a)| a == action);
        if !was_sent {
            verdict.ghosts += 1;
            verdict.fault(game, &format!("nobody sent {action} of ply {}", ply + 1));
        } else if !told.contains(&(ply + 1)) {
            verdict.ghosts += 1;
            verdict.fault(game, &format!("nobody learned of {action} of ply {}", ply + 1));
        }
    }
}

/// What came back after each kill: at most one move more than was known, and clocks that stood still.
fn after_kills(game: &GameHistory, verdict: &mut Verdict) {
    let lives: [Vec<&[Note]>; 2] =
        [0, 1].map(|seat| game.seats[seat].split(|note| matches!(note, Note::Cut)).collect());
    let mut known = Known::default();
    for (white, black) in lives[0].iter().zip(&lives[1]) {
        let states = [*white, *black].map(first_state);
        let back = states.iter().flatten().map(|state| plies(&state.actions)).min();
        if let (Some(back), Some(ply)) = (back, known.ply)
            && back > ply + 1
        {
            verdict.ghosts += u64::from(back - ply - 1);
            verdict.fault(game, &format!("{} moves came back from a kill", back - ply));
        }
        for state in states.into_iter().flatten() {
            if let Some(error) = known.clock_error(state) {
                verdict.clocks_compared += 1;
                if error > 50 {
                    verdict.fault(game, &format!("clocks {error} ms off after a kill"));
                }
                verdict.clock_error_ms = verdict.clock_error_ms.max(error);
            }
        }
        known.learn(white.iter().chain(*black));
    }
}

/// What the clients knew before a kill.
#[derive(Default)]
struct Known {
    ply: Option<u32>,
    /// The ply after the last move and the clocks told with it.
    clocks: Option<(u32, Clocks)>,
}

impl Known {
    fn learn<'a>(&mut self, notes: impl Iterator<Item = &'a Note>) {
        for note in notes {
            match note {
                Note::Played { ply, clocks, .. } => {
                    self.ply = self.ply.max(Some(*ply));
                    if self.clocks.is_none_or(|(before, _)| before <= *ply) {
                        self.clocks = Some((*ply, *clocks));
                    }
                }
                Note::State(state) => self.ply = self.ply.max(Some(plies(&state.actions))),
                _ => {}
            }
        }
    }

    /// How far the clocks of a state are from those of the last move, where no move was made in between.
    fn clock_error(&self, state: &State) -> Option<i64> {
        let (ply, before) = self.clocks?;
        if ply != plies(&state.actions) {
            return None;
        }
        let (ran, stood) = if ply % 2 == 0 {
            (before.white - state.clocks.white, before.black - state.clocks.black)
        } else {
            (before.black - state.clocks.black, before.white - state.clocks.white)
        };
        // The clock of the side to move runs again since the server is back; nobody knows better than that since when.
        Some(stood.abs().max(-ran).max(ran - state.since_start_ms).max(0))
    }
}

fn first_state(life: &[Note]) -> Option<&State> {
    life.iter().find_map(|note| if let Note::State(state) = note { Some(state) } else { None })
}

fn plies(actions: &[MoveText]) -> u32 {
    u32::try_from(actions.len()).unwrap_or(u32::MAX)
}
