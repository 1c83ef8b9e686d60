//! An event as the pairing knows it: the value that Swiss pairings, standings and TRF files are made from.

use pairing::model::{AnnouncedBye, Entry, ForbiddenGroup, GameResult, Header, Sex};
use pairing::{Acceleration, Bye, Colour, PairingNumber, Player, RoundNumber, Tournament};
use rules::Color;

use super::act::parse_title;
use super::{Entrant, EntryNumber, Event, EventBoard, EventRound, Score, System};

impl Event {
    /// The tournament so far. Boards without a result count as not played, until they have one.
    pub fn tournament(&self) -> Tournament {
        let seeded = self.seeded();
        let players = seeded.iter().map(|player| self.model_player(player)).collect();
        let count = u16::try_from(seeded.len()).unwrap_or(u16::MAX);
        Tournament {
            header: self.header(),
            players,
            scoring: self.regulations.points.scoring(),
            total_rounds: self.total_rounds(),
            initial_colour: self.regulations.first_color.colour(),
            acceleration: self.acceleration(count),
            forbidden: self
                .regulations
                .forbidden
                .iter()
                .filter_map(|group| self.forbidden(group))
                .collect(),
            byes: self.announced_byes(&seeded),
            system: match self.regulations.system {
                System::Swiss => "FIDE_DUTCH_2026",
                System::RoundRobin => "FIDE_ROUNDROBIN",
                System::DoubleRoundRobin => "FIDE_DOUBLEROUNDROBIN",
                System::Knockout | System::Arena => "",
            }
            .to_owned(),
            tie_breaks: self.regulations.tie_breaks.join(","),
            ..Tournament::default()
        }
    }

    /// The group of the first round stays (C.04.7): who comes later finds a place in it or behind it, and its last
    /// player remains the last, whatever number that is by then.
    fn acceleration(&self, players: u16) -> Acceleration {
        if !self.regulations.accelerated {
            return Acceleration::None;
        }
        let last = self.last_accelerated.and_then(|last| self.player(last)?.seed);
        last.map_or_else(|| Acceleration::baku(players), |last| Acceleration::Baku { last })
    }

    /// The last player of the accelerated group, as the list stands before the first round.
    pub(super) fn accelerated_until(&self) -> Option<EntryNumber> {
        let seeded = self.seeded();
        match self.acceleration(u16::try_from(seeded.len()).unwrap_or(u16::MAX)) {
            Acceleration::Baku { last } => {
                let found = seeded.iter().rev().find(|player| player.seed <= Some(last));
                found.map(|player| player.number)
            }
            _ => None,
        }
    }

    fn header(&self) -> Header {
        let date = |at: i64| {
            let (year, month, day) = calendar_day(at);
            format!("{year:04}/{month:02}/{day:02}")
        };
        // A date of a round has eight columns: the century is left out.
        let short = |at: i64| date(at).split_off(2);
        let first = self.starts_at.or_else(|| self.rounds.first().map(|round| round.published_at));
        Header {
            name: self.name.clone(),
            federation: self.regulations.report.federation.to_uppercase(),
            kind: match self.regulations.system {
                System::Swiss => "Individual: Swiss-System",
                System::RoundRobin => "Individual: Round-Robin",
                System::DoubleRoundRobin => "Individual: Double Round-Robin",
                System::Knockout => "Individual: Knockout",
                System::Arena => "Individual: Arena",
            }
            .to_owned(),
            chief_arbiter: self.regulations.report.chief_arbiter.clone(),
            deputies: self.regulations.report.deputies.clone(),
            city: self.regulations.place.lines().next().unwrap_or_default().to_owned(),
            start_date: first.map(|at| date(at.0)).unwrap_or_default(),
            end_date: self
                .rounds
                .last()
                .map(|round| date(round.published_at.0))
                .unwrap_or_default(),
            round_dates: self.rounds.iter().map(|round| short(round.published_at.0)).collect(),
            ..Header::default()
        }
    }

    fn model_player(&self, player: &Entrant) -> Player {
        let number = player.seed.unwrap_or(PairingNumber(0));
        let mut model = Player::new(number, player.name.clone(), player.details.rating);
        model.title = player.details.title.as_deref().and_then(parse_title);
        model.federation.clone_from(&player.details.federation);
        model.fide_id.clone_from(&player.details.fide_id);
        model.birth =
            player.details.birth_year.map(|year| format!("{year}/00/00")).unwrap_or_default();
        model.sex = match player.details.sex.as_deref() {
            Some("m") => Some(Sex::Man),
            Some("w") => Some(Sex::Woman),
            _ => None,
        };
        model.rounds = self.rounds.iter().map(|round| self.entry(round, player)).collect();
        model
    }

    /// What a round was for a player.
    fn entry(&self, round: &EventRound, player: &Entrant) -> Entry {
        let Some(board) = round.board_of(player.number) else {
            // Who entered later, or is out of a knockout, was not there.
            let granted = || player.bye_in(round.number).map(super::ByeKind::to_pairing);
            let bye = round.bye_of(player.number).map(super::ByeKind::to_pairing).or_else(granted);
            return Entry::Bye(bye.unwrap_or(Bye::Zero));
        };
        let Some(side) = board.side_of(player.number) else { return Entry::Bye(Bye::Zero) };
        self.entry_at(board, side)
    }

    fn entry_at(&self, board: &EventBoard, side: Color) -> Entry {
        let Some(opponent) = self.player(board.players[side.other()]).and_then(|other| other.seed)
        else {
            return Entry::Bye(Bye::Zero);
        };
        let colour = match side {
            Color::White => Colour::White,
            Color::Black => Colour::Black,
        };
        let game = |result| Entry::Game { opponent, colour, result, rated: true };
        let forfeit = |won| Entry::Forfeit { opponent, colour: Some(colour), won };
        let is_white = side == Color::White;
        match board.result {
            None => Entry::Bye(Bye::Zero),
            Some(Score::WhiteWins) => {
                game(if is_white { GameResult::Win } else { GameResult::Loss })
            }
            Some(Score::BlackWins) => {
                game(if is_white { GameResult::Loss } else { GameResult::Win })
            }
            Some(Score::Draw) => game(GameResult::Draw),
            Some(Score::BlackAbsent) => forfeit(is_white),
            Some(Score::WhiteAbsent) => forfeit(!is_white),
            Some(Score::BothAbsent) => forfeit(false),
            Some(Score::BothLose) => game(GameResult::Loss),
            Some(Score::WhiteHalf) => {
                game(if is_white { GameResult::Draw } else { GameResult::Loss })
            }
            Some(Score::BlackHalf) => {
                game(if is_white { GameResult::Loss } else { GameResult::Draw })
            }
        }
    }

    fn announced_byes(&self, seeded: &[&Entrant]) -> Vec<AnnouncedBye> {
        let next = self.next_round();
        let last = self.total_rounds().unwrap_or(next).max(next);
        let mut byes = Vec::new();
        for player in seeded {
            let Some(number) = player.seed else { continue };
            for round in next..=last {
                let bye =
                    if player.plays() { player.bye_in(round) } else { Some(super::ByeKind::Zero) };
                byes.extend(bye.map(|bye| AnnouncedBye {
                    round: RoundNumber(round),
                    player: number,
                    bye: bye.to_pairing(),
                }));
            }
        }
        byes.sort_by_key(|bye| (bye.round, bye.player));
        byes
    }

    fn forbidden(&self, group: &[EntryNumber]) -> Option<ForbiddenGroup> {
        let players: Vec<PairingNumber> =
            group.iter().filter_map(|number| self.player(*number)?.seed).collect();
        (players.len() > 1).then_some(ForbiddenGroup { rounds: None, players })
    }

    /// The entry behind a pairing number.
    pub fn entry_of(&self, seed: PairingNumber) -> Option<EntryNumber> {
        self.players.iter().find(|player| player.seed == Some(seed)).map(|player| player.number)
    }
}

/// Year, month and day of a moment (UTC), by the usual count of days in eras of 400 years.
pub(crate) fn calendar_day(millis: i64) -> (i64, i64, i64) {
    let days = millis.div_euclid(86_400_000) + 719_468;
    let (era, of_era) = (days.div_euclid(146_097), days.rem_euclid(146_097));
    let year_of_era = (of_era - of_era / 1_460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let shifted = (5 * of_year + 2) / 153;
    let day = of_year - (153 * shifted + 2) / 5 + 1;
    let month = if shifted < 10 { shifted + 3 } else { shifted - 9 };
    (year_of_era + era * 400 + i64::from(month <= 2), month, day)
}

/// Noon (UTC) of a day, so that it is the same day nearly everywhere; none if there is no such day.
pub(crate) fn noon_of(year: i64, month: i64, day: i64) -> Option<i64> {
    let shifted = if month > 2 { month - 3 } else { month + 9 };
    let year_of_march = year - i64::from(month <= 2);
    let (era, of_era) = (year_of_march.div_euclid(400), year_of_march.rem_euclid(400));
    let of_year = (153 * shifted + 2) / 5 + day - 1;
    let days = era * 146_097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719_468;
    let noon = days * 86_400_000 + 43_200_000;
    ((1..=12).contains(&month) && calendar_day(noon) == (year, month, day)).then_some(noon)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_are_those_of_the_calendar() {
        assert_eq!(calendar_day(0), (1970, 1, 1));
        assert_eq!(calendar_day(951_782_400_000), (2000, 2, 29));
        assert_eq!(calendar_day(1_794_787_200_000), (2026, 11, 16));
        for (year, month, day) in [(1970, 1, 1), (2000, 2, 29), (2026, 11, 16), (2027, 1, 31)] {
            assert_eq!(calendar_day(noon_of(year, month, day).unwrap()), (year, month, day));
        }
        assert_eq!(
            (noon_of(2026, 2, 29), noon_of(2026, 13, 1), noon_of(2026, 0, 1)),
            (None, None, None)
        );
    }
}
