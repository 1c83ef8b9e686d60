//! A second reading of the rules for tables: points, Buchholz, Sonneborn-Berger and wins from the text of a report alone.
//!
//! It shares no code with the program: columns are cut out of the lines, and the rules are those of FIDE C.07 (March 2026).
//! Points are counted in halves, so that nothing is rounded.

use std::collections::BTreeMap;

/// A round of somebody: the opponent's number, and the letter of the result.
#[derive(Debug, Clone, Copy)]
struct Turn {
    opponent: Option<u16>,
    result: char,
}

/// What results are worth, in halves of points; a loss is worth nothing.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Worth {
    pub(crate) win: i64,
    pub(crate) draw: i64,
    /// The bye of the odd player.
    pub(crate) bye: i64,
}

impl Worth {
    fn of(self, turn: Turn) -> i64 {
        match turn.result {
            '1' | 'W' | '+' | 'F' => self.win,
            'U' => self.bye,
            '=' | 'D' | 'H' => self.draw,
            _ => 0,
        }
    }
}

impl Turn {
    fn is_played(self) -> bool {
        matches!(self.result, '1' | '=' | '0' | 'W' | 'D' | 'L')
    }

    fn is_forfeit(self) -> bool {
        matches!(self.result, '+' | '-') && self.opponent.is_some()
    }

    fn is_requested_bye(self) -> bool {
        matches!(self.result, 'H' | 'Z')
    }

    /// A round that was not played because somebody did not want to, or did not come.
    fn is_voluntary(self) -> bool {
        self.is_requested_bye() || self.result == '-'
    }
}

/// What somebody has, in halves of points; the square of halves for Sonneborn-Berger.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Score {
    pub(crate) points: i64,
    pub(crate) buchholz: i64,
    pub(crate) sonneborn: i64,
    pub(crate) wins: i64,
}

/// A report as this scorer reads it.
pub(crate) struct Sheet {
    players: BTreeMap<u16, Vec<Turn>>,
    /// The rounds of the whole event.
    rounds: i64,
    /// In a round robin a forfeit counts as a game.
    all_play_all: bool,
    worth: Worth,
}

impl Sheet {
    /// Reads a report without those who are `gone`: whoever met them rested.
    pub(crate) fn read(text: &str, all_play_all: bool, worth: Worth, gone: &[u16]) -> Sheet {
        let lines = || text.lines().map(|line| line.chars().collect::<Vec<char>>());
        let cut = |line: &[char], from: usize, to: usize| -> String {
            line.iter().skip(from - 1).take(to + 1 - from).collect::<String>().trim().to_owned()
        };
        let is = |line: &[char], code: &str| cut(line, 1, 3) == code;
        let rounds = lines().find(|line| is(line, "142"));
        let players: Vec<Vec<char>> = lines().filter(|line| is(line, "001")).collect();
        // A line ends with its last letter: what is missing behind it is blank.
        let longest = players.iter().map(Vec::len).max().unwrap_or(0);
        let played = (longest + 1).saturating_sub(90) / 10;
        let turns = |line: &Vec<char>| {
            let turn = |round: usize| {
                let first = 92 + 10 * round;
                let opponent = cut(line, first, first + 3).parse().ok().filter(|it| *it > 0);
                if opponent.is_some_and(|opponent| gone.contains(&opponent)) {
                    return Turn { opponent: None, result: 'Z' };
                }
                let result = cut(line, first + 7, first + 7).chars().next().unwrap_or('Z');
                Turn { opponent, result }
            };
            (cut(line, 5, 8).parse().unwrap(), (0..played).map(turn).collect())
        };
        Sheet {
            players: players
                .iter()
                .map(turns)
                .filter(|(number, _)| !gone.contains(number))
                .collect(),
            rounds: rounds.map_or(0, |line| cut(&line, 5, 12).parse().unwrap()),
            all_play_all,
            worth,
        }
    }

    fn points(&self, player: u16) -> i64 {
        self.players[&player].iter().map(|turn| self.worth.of(*turn)).sum()
    }

    /// What somebody counts for opponents: who asked for a bye and played no more is taken for somebody who drew.
    fn adjusted(&self, player: u16) -> i64 {
        let turns = &self.players[&player];
        let count = |(round, turn): (usize, &Turn)| {
            let to_the_end = turns[round..].iter().all(|later| later.is_voluntary());
            let is_draw = !self.all_play_all && turn.is_requested_bye() && to_the_end;
            if is_draw { self.worth.draw } else { self.worth.of(*turn) }
        };
        turns.iter().enumerate().map(count).sum()
    }

    /// What the opponent of a round counts; in a round without a game it is oneself, within limits.
    fn opposition(&self, player: u16, turn: Turn) -> i64 {
        let met = turn.opponent.map(|opponent| self.adjusted(opponent));
        match met {
            Some(met) if turn.is_played() || self.all_play_all => met,
            Some(met) if turn.is_forfeit() => self.points(player).min(met),
            _ if self.all_play_all => 0,
            _ => self.points(player).min(self.worth.draw * self.rounds),
        }
    }

    pub(crate) fn score(&self, player: u16) -> Score {
        let turns = &self.players[&player];
        let against = |turn: &Turn| self.opposition(player, *turn);
        Score {
            points: self.points(player),
            buchholz: turns.iter().map(against).sum(),
            sonneborn: turns.iter().map(|turn| self.worth.of(*turn) * against(turn)).sum(),
            wins: turns
                .iter()
                .filter(|turn| self.worth.of(**turn) == self.worth.win)
                .count()
                .try_into()
                .unwrap(),
        }
    }
}

#[test]
fn a_small_table_is_counted_as_by_hand() {
    let line = |number: u16, rounds: &str| format!("001 {number:>4}{:83}{rounds}\n", "");
    // 1 beat 2 and drew with 3; 2 then had the bye of the odd number; 3 was free in the first round.
    let text = format!(
        "142 2\n{}{}{}",
        line(1, "   2 w 1     3 b =  "),
        line(2, "   1 b 0  0000 - U  "),
        line(3, "0000 - Z     1 w =  "),
    );
    let worth = Worth { win: 2, draw: 1, bye: 2 };
    let sheet = Sheet::read(&text, false, worth, &[]);
    let score = |player| sheet.score(player);
    assert_eq!(score(1), Score { points: 3, buchholz: 2 + 1, sonneborn: 2 * 2 + 1, wins: 1 });
    assert_eq!(score(2), Score { points: 2, buchholz: 3 + 2, sonneborn: 2 * 2, wins: 1 });
    assert_eq!(score(3), Score { points: 1, buchholz: 1 + 3, sonneborn: 3, wins: 0 });
}
