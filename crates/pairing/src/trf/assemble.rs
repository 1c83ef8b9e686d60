//! The last step of reading: records that were understood one by one become one tournament.

use std::collections::{BTreeMap, HashMap, HashSet};

use super::player_line::{self, PlayerLine};
use super::{Problem, TrfError, Warning};
use crate::model::{
    AbnormalPoints, Acceleration, AnnouncedBye, Bye, Colour, Entry, ForbiddenGroup, Header,
    InitialOrder, ModelError, PairingNumber, Points, RoundNumber, Scoring, Tournament,
};

/// Fictitious points for players from one number to another; in all rounds if no span is given.
#[derive(Debug)]
pub(super) struct AcceleratedSpan {
    pub(super) points: Points,
    pub(super) rounds: Option<(RoundNumber, RoundNumber)>,
    pub(super) players: (PairingNumber, PairingNumber),
}

/// The values of results as far as the file gives them.
#[derive(Debug, Default)]
pub(super) struct PartialScoring {
    pub(super) win: Option<Points>,
    pub(super) draw: Option<Points>,
    pub(super) loss: Option<Points>,
    pub(super) forfeit_win: Option<Points>,
    pub(super) forfeit_loss: Option<Points>,
    pub(super) pairing_bye: Option<Points>,
    pub(super) full_bye: Option<Points>,
    pub(super) half_bye: Option<Points>,
    pub(super) zero_bye: Option<Points>,
}

impl PartialScoring {
    fn complete(&self) -> Scoring {
        let win = self.win.unwrap_or(Points::ONE);
        let draw = self.draw.unwrap_or(Points::HALF);
        let loss = self.loss.unwrap_or(Points::ZERO);
        Scoring {
            win,
            draw,
            loss,
            forfeit_win: self.forfeit_win.unwrap_or(win),
            forfeit_loss: self.forfeit_loss.unwrap_or(Points::ZERO),
            pairing_bye: self.pairing_bye.unwrap_or(win),
            full_bye: self.full_bye.unwrap_or(win),
            half_bye: self.half_bye.unwrap_or(draw),
            zero_bye: self.zero_bye.unwrap_or(Points::ZERO),
        }
    }
}

/// Everything read so far.
#[derive(Debug, Default)]
pub(super) struct Draft {
    pub(super) header: Header,
    pub(super) players: Vec<PlayerLine>,
    pub(super) scoring: PartialScoring,
    pub(super) total_rounds: Option<u16>,
    pub(super) initial_colour: Option<Colour>,
    pub(super) initial_order: InitialOrder,
    pub(super) accelerated: Vec<AcceleratedSpan>,
    pub(super) accelerated_players: Vec<(PairingNumber, Vec<Points>)>,
    pub(super) forbidden: Vec<ForbiddenGroup>,
    pub(super) byes: Vec<(usize, AnnouncedBye)>,
    pub(super) absent: Vec<(usize, PairingNumber)>,
    pub(super) abnormal: Vec<AbnormalPoints>,
    pub(super) system: String,
    pub(super) tie_breaks: String,
    pub(super) warnings: Vec<Warning>,
}

impl Draft {
    pub(super) fn add_forbidden(&mut self, mut group: ForbiddenGroup) {
        group.players.sort_unstable();
        group.players.dedup();
        if group.players.len() > 1 {
            self.forbidden.push(group);
        }
    }

    pub(super) fn assemble(mut self) -> Result<(Tournament, Vec<Warning>), TrfError> {
        if self.players.is_empty() {
            return Err(TrfError { line: 1, column: 1, problem: Problem::NoPlayers });
        }
        if self.system.is_empty() && self.header.kind.to_ascii_uppercase().starts_with("FIDE_DUTCH")
        {
            // A wide-spread generator writes the code into the line meant for free text.
            self.system = self.header.kind.to_ascii_uppercase();
        }
        self.players.sort_by_key(|line| line.player.number);
        let paired = self.rounds_paired();
        let byes = self.take_byes(paired)?;
        let lines: HashMap<PairingNumber, usize> =
            self.players.iter().map(|line| (line.player.number, line.line)).collect();
        let declared: Vec<Option<Points>> = self.players.iter().map(|line| line.points).collect();
        let acceleration = self.acceleration(paired);
        let players = std::mem::take(&mut self.players)
            .into_iter()
            .map(|line| finish(line, paired))
            .collect();
        let tournament = Tournament {
            header: self.header,
            players,
            scoring: self.scoring.complete(),
            total_rounds: self.total_rounds,
            initial_colour: self.initial_colour,
            initial_order: self.initial_order,
            acceleration,
            forbidden: self.forbidden,
            byes,
            abnormal: self.abnormal,
            system: self.system,
            tie_breaks: self.tie_breaks,
        };
        tournament.check().map_err(|error| locate(error, &lines))?;
        let mut warnings = self.warnings;
        compare_points(&tournament, &declared, &lines, &mut warnings);
        Ok((tournament, warnings))
    }

    /// The last round in which somebody was paired: later columns announce byes.
    fn rounds_paired(&self) -> usize {
        let last = |line: &PlayerLine| {
            line.rounds
                .iter()
                .rposition(|entry| entry.is_some_and(|entry| entry.is_paired()))
                .map_or(0, |last| last + 1)
        };
        self.players.iter().map(last).max().unwrap_or(0)
    }

    /// The byes of rounds that are not paired yet, from all the places where they can stand.
    /// A bye that is announced for a past round fills the blank there.
    fn take_byes(&mut self, paired: usize) -> Result<Vec<AnnouncedBye>, TrfError> {
        let mut byes = Vec::new();
        for line in &self.players {
            for (index, entry) in line.rounds.iter().enumerate().skip(paired) {
                if let Some(Entry::Bye(bye)) = entry {
                    let round = RoundNumber::from_index(index);
                    if self.total_rounds.is_some_and(|total| round.0 > total) {
                        let column = player_line::column_of(index);
                        let text = format!("round {round} is after the last round; ignored");
                        self.warnings.push(Warning { line: line.line, column, text });
                    } else {
                        byes.push(AnnouncedBye { round, player: line.player.number, bye: *bye });
                    }
                }
            }
        }
        let next = RoundNumber::from_index(paired);
        let absent = self
            .absent
            .iter()
            .map(|&(line, player)| (line, AnnouncedBye { round: next, player, bye: Bye::Zero }));
        for (line, bye) in std::mem::take(&mut self.byes).into_iter().chain(absent) {
            let Ok(place) =
                self.players.binary_search_by_key(&bye.player, |line| line.player.number)
            else {
                return Err(TrfError {
                    line,
                    column: 1,
                    problem: Problem::UnknownPlayer(bye.player.0),
                });
            };
            if bye.round >= next {
                byes.push(bye);
                continue;
            }
            let rounds = &mut self.players[place].rounds;
            rounds.resize(rounds.len().max(paired), None);
            rounds[bye.round.index()].get_or_insert(Entry::Bye(bye.bye));
        }
        byes.sort_by_key(|bye| (bye.round, bye.player));
        byes.dedup_by_key(|bye| (bye.round, bye.player));
        Ok(byes)
    }

    fn acceleration(&mut self, paired: usize) -> Acceleration {
        let total = usize::from(self.total_rounds.unwrap_or(0)).max(paired + 1);
        let mut given: BTreeMap<PairingNumber, Vec<Points>> = BTreeMap::new();
        let known: HashSet<PairingNumber> =
            self.players.iter().map(|line| line.player.number).collect();
        for (player, points) in std::mem::take(&mut self.accelerated_players) {
            if known.contains(&player) {
                given.insert(player, points);
            }
        }
        for span in &self.accelerated {
            let (first, last) =
                span.rounds.map_or((0, total), |(first, last)| (first.index(), last.index() + 1));
            for player in self.players.iter().map(|line| line.player.number) {
                if span.players.0 <= player && player <= span.players.1 {
                    let points = given.entry(player).or_default();
                    points.resize(points.len().max(last.min(total)), Points::ZERO);
                    for value in points.iter_mut().take(last.min(total)).skip(first) {
                        *value = span.points;
                    }
                }
            }
        }
        for points in given.values_mut() {
            points.truncate(total);
            let kept = points
                .iter()
                .rposition(|&points| points != Points::ZERO)
                .map_or(0, |last| last + 1);
            points.truncate(kept);
        }
        given.retain(|_, points| !points.is_empty());
        if !given.is_empty() {
            Acceleration::Explicit(given)
        } else if self.system.ends_with("_BAKU") {
            Acceleration::baku(u16::try_from(self.players.len()).unwrap_or(u16::MAX))
        } else {
            Acceleration::None
        }
    }
}

/// Blank rounds of the past are absences.
fn finish(line: PlayerLine, paired: usize) -> crate::model::Player {
    let mut player = line.player;
    let blank = Entry::Bye(Bye::Zero);
    player.rounds =
        line.rounds.into_iter().take(paired).map(|entry| entry.unwrap_or(blank)).collect();
    player.rounds.resize(paired, blank);
    player
}

fn locate(error: ModelError, lines: &HashMap<PairingNumber, usize>) -> TrfError {
    let (player, column) = match (&error, error.place()) {
        (_, Some((player, round))) => (Some(player), player_line::column_of(round.index())),
        (ModelError::SameNumber { number }, _) => (Some(*number), 5),
        _ => (None, 1),
    };
    let line = player.and_then(|player| lines.get(&player).copied()).unwrap_or(1);
    TrfError { line, column, problem: Problem::Contradiction(error) }
}

/// The points column is compared, not believed. Files differ in whether it includes byes of the round to come.
fn compare_points(
    tournament: &Tournament,
    declared: &[Option<Points>],
    lines: &HashMap<PairingNumber, usize>,
    warnings: &mut Vec<Warning>,
) {
    let mut later: HashMap<PairingNumber, Points> = HashMap::new();
    for bye in &tournament.byes {
        *later.entry(bye.player).or_default() += tournament.scoring.bye(bye.bye);
    }
    for (player, declared) in tournament.players.iter().zip(declared) {
        let Some(declared) = *declared else { continue };
        let score = tournament.score(player);
        let with_byes = score + later.get(&player.number).copied().unwrap_or_default();
        if declared != score && declared != with_byes {
            let line = lines.get(&player.number).copied().unwrap_or(1);
            let text = format!(
                "player {} has {score} points by the rounds, {declared} by the line",
                player.number
            );
            warnings.push(Warning { line, column: 81, text });
        }
    }
}
