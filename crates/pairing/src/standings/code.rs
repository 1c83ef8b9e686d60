//! The names of tie-breaks, such as `BH/C1`, as files and regulations write them.

use std::fmt;
use std::str::FromStr;

use serde::{Serialize, Serializer};

/// Which tie-break, without its modifiers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Kind {
    /// DE: the games of the tied among themselves.
    DirectEncounter,
    /// WIN: rounds that gave the points of a win, played or not.
    Wins,
    /// WON: games won over the board.
    GamesWon,
    /// BPG: games played with Black.
    BlackGames,
    /// BWG: games won with Black.
    BlackWins,
    /// PS: sum of the scores after each round.
    Progressive,
    /// REP: rounds one elected to play.
    RoundsElected,
    /// STD: points as if a win were 1 and a draw ½.
    StandardPoints,
    /// TPN: the pairing number.
    PairingNumber,
    /// BH: sum of the opponents' scores.
    Buchholz,
    /// FB: Buchholz as if the last round's games were drawn.
    ForeBuchholz,
    /// AOB: average Buchholz of the opponents.
    AverageBuchholz,
    /// SB: opponents' scores times the points made against them.
    SonnebornBerger,
    /// KS: points against those who made at least half.
    Koya,
    /// ARO: average rating of the opponents.
    AverageRating,
    /// TPR: performance rating.
    Performance,
    /// PTP: the lowest rating that would have been expected to score as much.
    PerfectPerformance,
    /// APRO: average performance of the opponents.
    AveragePerformance,
    /// APPO: average perfect performance of the opponents.
    AveragePerfectPerformance,
    /// RTNG: the own rating.
    Rating,
}

use Kind as K;

/// All kinds with their codes.
const KINDS: [(Kind, &str); 20] = [
    (K::DirectEncounter, "DE"),
    (K::Wins, "WIN"),
    (K::GamesWon, "WON"),
    (K::BlackGames, "BPG"),
    (K::BlackWins, "BWG"),
    (K::Progressive, "PS"),
    (K::RoundsElected, "REP"),
    (K::StandardPoints, "STD"),
    (K::PairingNumber, "TPN"),
    (K::Buchholz, "BH"),
    (K::ForeBuchholz, "FB"),
    (K::AverageBuchholz, "AOB"),
    (K::SonnebornBerger, "SB"),
    (K::Koya, "KS"),
    (K::AverageRating, "ARO"),
    (K::Performance, "TPR"),
    (K::PerfectPerformance, "PTP"),
    (K::AveragePerformance, "APRO"),
    (K::AveragePerfectPerformance, "APPO"),
    (K::Rating, "RTNG"),
];

impl Kind {
    /// The code of the tie-break.
    pub fn code(self) -> &'static str {
        KINDS.iter().find(|(kind, _)| *kind == self).map_or("", |(_, code)| code)
    }

    /// Whether it is computed from ratings.
    pub fn is_by_rating(self) -> bool {
        matches!(
            self,
            K::AverageRating
                | K::Performance
                | K::PerfectPerformance
                | K::AveragePerformance
                | K::AveragePerfectPerformance
                | K::Rating
        )
    }
}

/// How many values a modifier leaves out.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct Cut {
    /// Of the least significant ones.
    pub lowest: u8,
    /// Of the most significant ones.
    pub highest: u8,
}

/// A tie-break with its modifiers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct TieBreak {
    /// Which.
    pub kind: Kind,
    /// `/C1` leaves out the lowest value, `/M1` the lowest and the highest.
    pub cut: Cut,
    /// `/P`: forfeits count as games against the opponent by the pairing.
    pub forfeits_played: bool,
    /// `/F`: the average is made of Fore Buchholz.
    pub fore: bool,
    /// `/L+1`: the limit of Koya is so many half points higher than half of the points.
    pub limit: i8,
    /// `/R`: the other way round, the lowest rating or the highest number first.
    pub reverse: bool,
}

/// Why a list of tie-breaks cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum TieBreakError {
    /// No such code.
    #[error("there is no tie-break `{0}`")]
    Unknown(String),
    /// The modifier has no meaning there.
    #[error("the modifier `/{modifier}` does not apply to {code}")]
    NotApplicable {
        /// The modifier.
        modifier: String,
        /// The tie-break.
        code: &'static str,
    },
}

impl TieBreak {
    /// A tie-break without modifiers.
    pub const fn plain(kind: Kind) -> TieBreak {
        let cut = Cut { lowest: 0, highest: 0 };
        TieBreak { kind, cut, forfeits_played: false, fore: false, limit: 0, reverse: false }
    }

    /// Whether the lower value ranks first.
    pub fn is_lower_better(&self) -> bool {
        match self.kind {
            K::DirectEncounter => true,
            K::PairingNumber => !self.reverse,
            K::Rating => self.reverse,
            _ => false,
        }
    }

    /// Adds a modifier; nothing if it does not apply.
    fn modified(mut self, modifier: &str) -> Option<TieBreak> {
        let (letter, rest) = modifier.split_at_checked(1)?;
        let number = || rest.parse::<u8>().ok().filter(|number| (1..=9).contains(number));
        let is_sum = matches!(
            self.kind,
            K::Buchholz | K::ForeBuchholz | K::SonnebornBerger | K::Progressive | K::AverageRating
        );
        let has_opponents = matches!(
            self.kind,
            K::DirectEncounter | K::Buchholz | K::ForeBuchholz | K::SonnebornBerger
        );
        match letter {
            "C" if is_sum => self.cut = Cut { lowest: number()?, highest: 0 },
            "M" if is_sum => self.cut = Cut { lowest: number()?, highest: number()? },
            "P" if has_opponents && rest.is_empty() => self.forfeits_played = true,
            "F" if self.kind == K::AverageBuchholz && rest.is_empty() => self.fore = true,
            "L" if self.kind == K::Koya => self.limit = rest.parse().ok()?,
            "R" if matches!(self.kind, K::PairingNumber | K::Rating) && rest.is_empty() => {
                self.reverse = true;
            }
            _ => return None,
        }
        Some(self)
    }
}

impl FromStr for TieBreak {
    type Err = TieBreakError;

    /// Reads `BH`, `BH/C1`, `bh-c1`, `SB/M1/P`, `KS/L+1`.
    fn from_str(text: &str) -> Result<TieBreak, TieBreakError> {
        let upper = text.trim().to_ascii_uppercase();
        // The handbook writes BH-C1, files write BH/C1; the minus of a limit is none of both.
        let upper = if upper.contains('/') { upper } else { upper.replacen('-', "/", 1) };
        let mut parts = upper.split('/');
        let code = parts.next().unwrap_or_default();
        let found = KINDS.iter().find(|(_, name)| *name == code);
        let (kind, code) = *found.ok_or_else(|| TieBreakError::Unknown(text.trim().to_owned()))?;
        parts.try_fold(TieBreak::plain(kind), |tie_break, modifier| {
            tie_break
                .modified(modifier)
                .ok_or_else(|| TieBreakError::NotApplicable { modifier: modifier.to_owned(), code })
        })
    }
}

impl fmt::Display for TieBreak {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let cut = match self.cut {
            Cut { lowest: 0, .. } => String::new(),
            Cut { lowest, highest: 0 } => format!("/C{lowest}"),
            Cut { lowest, .. } => format!("/M{lowest}"),
        };
        let limit = if self.limit == 0 { String::new() } else { format!("/L{:+}", self.limit) };
        let flag = |given, modifier| if given { modifier } else { "" };
        let text = [
            self.kind.code(),
            &cut,
            &limit,
            flag(self.forfeits_played, "/P"),
            flag(self.fore, "/F"),
            flag(self.reverse, "/R"),
        ]
        .concat();
        out.pad(&text)
    }
}

impl Serialize for TieBreak {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

/// Reads a list such as `BH/C1,BH,SB`. `PTS` may stand in it; the points come first anyway.
pub fn parse_list(text: &str) -> Result<Vec<TieBreak>, TieBreakError> {
    let names = text.split([',', ';', ' ']).map(str::trim);
    names
        .filter(|name| !name.is_empty() && !name.eq_ignore_ascii_case("PTS"))
        .map(str::parse)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_code_is_read_and_shown_alike() {
        let all = "DE,WIN,WON,BPG,BWG,PS,REP,STD,TPN,BH,FB,AOB,SB,KS,ARO,TPR,PTP,APRO,APPO,RTNG,\
                   BH/C1,BH/C2,BH/M1,BH/M2,FB/C1,SB/C1,PS/C1,ARO/C1,DE/P,BH/C1/P,AOB/F,KS/L+2,KS/L-1,TPN/R";
        let list = parse_list(all).unwrap();
        assert_eq!(list.iter().map(TieBreak::to_string).collect::<Vec<_>>().join(","), all);
    }

    #[test]
    fn codes_are_read_in_the_ways_people_write_them() {
        let expected = parse_list("BH/C1,BH,SB").unwrap();
        assert_eq!(parse_list("PTS,bh-c1; BH SB").unwrap(), expected);
        assert_eq!(parse_list("").unwrap(), []);
    }

    #[track_caller]
    fn check(text: &str, message: &str) {
        assert_eq!(parse_list(text).unwrap_err().to_string(), message);
    }

    #[test]
    fn what_has_no_meaning_is_refused() {
        check("BH,XYZ", "there is no tie-break `XYZ`");
        check("WIN/C1", "the modifier `/C1` does not apply to WIN");
        check("BH/C0", "the modifier `/C0` does not apply to BH");
        check("BH/", "the modifier `/` does not apply to BH");
        check("BH/é", "the modifier `/é` does not apply to BH");
    }
}
