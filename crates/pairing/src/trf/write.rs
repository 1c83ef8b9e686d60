//! From a tournament to the text of a file.
//!
//! TRF-2026 holds everything the model has. TRF16 with its extensions has no place for the
//! coded system, the tie-breaks, special points and forbidden groups limited to some rounds:
//! of the latter those that hold in the coming round are written.

use std::fmt::Write;

use super::player_line::{ROUND_WIDTH, bye_code, title_code, write_entry};
use crate::model::{
    Acceleration, AnnouncedBye, Bye, Colour, Entry, InitialOrder, PairingNumber, Player, Points,
    RoundNumber, Scoring, Sex, Tournament,
};

/// Which kind of file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Flavour {
    /// TRF16 with the lines `XXR`, `XXC`, `XXA`, `XXP`, `XXS`.
    Trf16,
    /// TRF-2026.
    Trf26,
}

/// The text of a tournament, lines ended by LF.
///
/// Fields have fixed widths: a name is cut after 33 characters.
pub fn write(tournament: &Tournament, flavour: Flavour) -> String {
    let mut out = String::new();
    write_header(&mut out, tournament);
    match flavour {
        Flavour::Trf16 => write_extensions(&mut out, tournament),
        Flavour::Trf26 => write_records(&mut out, tournament),
    }
    let mut players: Vec<&Player> = tournament.players.iter().collect();
    players.sort_by_key(|player| player.number);
    let next = tournament.next_round();
    let columns = tournament.byes.iter().filter(|bye| {
        // TRF-2026 has a record of its own for these.
        flavour == Flavour::Trf16 && bye.bye != Bye::PairingAllocated && bye.round >= next
    });
    let mut columns: Vec<AnnouncedBye> = columns.copied().collect();
    columns.sort_by_key(|bye| (bye.player, bye.round));
    for player in players {
        let first = columns.partition_point(|bye| bye.player < player.number);
        let last = columns.partition_point(|bye| bye.player <= player.number);
        write_player(&mut out, tournament, player, &columns[first..last]);
    }
    for line in &tournament.header.other_lines {
        put(&mut out, &clean(line));
    }
    out
}

fn put(out: &mut String, line: &str) {
    out.push_str(line.trim_end());
    out.push('\n');
}

/// Text without control characters, which would break the line.
fn clean(text: &str) -> String {
    text.chars().map(|letter| if letter == '\n' || letter == '\r' { ' ' } else { letter }).collect()
}

/// Text in a field of so many columns, cut or filled.
fn fit(text: &str, width: usize) -> String {
    let text: String = clean(text).chars().take(width).collect();
    format!("{text:<width$}")
}

fn write_header(out: &mut String, tournament: &Tournament) {
    let header = &tournament.header;
    let rated = tournament.players.iter().filter(|player| player.rating.is_some()).count();
    let count = tournament.players.len().to_string();
    let rated = rated.to_string();
    let dates: Vec<String> =
        header.round_dates.iter().map(|date| format!("{:>8}", clean(date))).collect();
    let dates = format!("{:>87}{}", "", dates.join("  "));
    let mut records = vec![
        ("012", header.name.as_str()),
        ("022", &header.city),
        ("032", &header.federation),
        ("042", &header.start_date),
        ("052", &header.end_date),
        ("062", &count),
        ("072", &rated),
        ("092", &header.kind),
        ("102", &header.chief_arbiter),
    ];
    records.extend(header.deputies.iter().map(|deputy| ("112", deputy.as_str())));
    records.push(("122", &header.time_control));
    records.push(("132", &dates));
    for (code, text) in records {
        if !text.trim().is_empty() {
            put(out, &format!("{code} {}", clean(text)));
        }
    }
}

/// The lines of TRF-2026 that say how to pair.
fn write_records(out: &mut String, tournament: &Tournament) {
    if let Some(rounds) = tournament.total_rounds {
        put(out, &format!("142 {rounds}"));
    }
    match tournament.initial_colour {
        Some(Colour::White) => put(out, "152 W"),
        Some(Colour::Black) => put(out, "152 B"),
        None => {}
    }
    if tournament.initial_order == InitialOrder::Rank {
        put(out, "XXC rank");
    }
    write_scoring(out, &tournament.scoring);
    if !tournament.system.is_empty() {
        put(out, &format!("192 {}", clean(&tournament.system)));
    }
    if !tournament.tie_breaks.is_empty() {
        put(out, &format!("212 PTS,{}", clean(&tournament.tie_breaks)));
    }
    write_byes(out, &tournament.byes);
    write_acceleration(out, tournament);
    for group in &tournament.forbidden {
        let players = ids(&group.players);
        match group.rounds {
            Some((first, last)) => put(out, &format!("260 {first:>3} {last:>3}{players}")),
            None => put(out, &format!("260        {players}")),
        }
    }
    for given in &tournament.abnormal {
        let (code, round) = (given.replaces.unwrap_or(' '), given.round.map_or(0, |round| round.0));
        let players = ids(&given.players);
        put(out, &format!("299 {code}       {:>5}  {round:>3}{players}", given.points));
    }
}

/// The lines that pairing programs added to TRF16.
fn write_extensions(out: &mut String, tournament: &Tournament) {
    if let Some(rounds) = tournament.total_rounds {
        put(out, &format!("XXR {rounds}"));
    }
    match tournament.initial_colour {
        Some(Colour::White) => put(out, "XXC white1"),
        Some(Colour::Black) => put(out, "XXC black1"),
        None => {}
    }
    if tournament.initial_order == InitialOrder::Rank {
        put(out, "XXC rank");
    }
    write_scoring_words(out, &tournament.scoring);
    for player in &tournament.players {
        let points = fictitious(tournament, player.number);
        if !points.is_empty() {
            let list: Vec<String> = points.iter().map(|points| format!("{points:>5}")).collect();
            put(out, &format!("XXA{:>5}{}", player.number.0, list.concat()));
        }
    }
    for group in tournament.forbidden.iter().filter(|group| group.holds_in(tournament.next_round()))
    {
        put(out, &format!("XXP{}", ids(&group.players)));
    }
}

fn ids(players: &[PairingNumber]) -> String {
    players.iter().fold(String::new(), |mut list, player| {
        // Writing to a string cannot fail.
        let _ = write!(list, " {:>4}", player.0);
        list
    })
}

/// 162: what differs from what a reader would suppose.
fn write_scoring(out: &mut String, scoring: &Scoring) {
    let usual = Scoring::new(scoring.win, scoring.draw, scoring.loss);
    let mut values = Vec::new();
    let mut differing = |letter: char, value: Points, usual: Points| {
        if value != usual {
            values.push(format!("{letter}{value:>4}"));
        }
    };
    differing('W', scoring.win, Points::ONE);
    differing('D', scoring.draw, Points::HALF);
    differing('L', scoring.loss, Points::ZERO);
    if scoring.zero_bye == scoring.forfeit_loss {
        differing('A', scoring.zero_bye, usual.zero_bye);
    } else {
        differing('Z', scoring.zero_bye, usual.zero_bye);
        differing('-', scoring.forfeit_loss, usual.forfeit_loss);
    }
    differing('P', scoring.pairing_bye, usual.pairing_bye);
    differing('F', scoring.full_bye, usual.full_bye);
    differing('H', scoring.half_bye, usual.half_bye);
    differing('+', scoring.forfeit_win, usual.forfeit_win);
    if !values.is_empty() {
        put(out, &format!("162  {}", values.join("    ")));
    }
}

/// XXS: what differs from what a reader would suppose.
fn write_scoring_words(out: &mut String, scoring: &Scoring) {
    let usual = Scoring::new(scoring.win, scoring.draw, scoring.loss);
    let values = [
        ("W", scoring.win, Points::ONE),
        ("D", scoring.draw, Points::HALF),
        ("L", scoring.loss, Points::ZERO),
        ("FW", scoring.forfeit_win, usual.forfeit_win),
        ("FL", scoring.forfeit_loss, usual.forfeit_loss),
        ("PAB", scoring.pairing_bye, usual.pairing_bye),
        ("FPB", scoring.full_bye, usual.full_bye),
        ("HPB", scoring.half_bye, usual.half_bye),
        ("ZPB", scoring.zero_bye, usual.zero_bye),
    ];
    for (code, value, usual) in values {
        if value != usual {
            put(out, &format!("XXS {code}={value}"));
        }
    }
}

/// 240: one line for each kind of bye in each round.
fn write_byes(out: &mut String, byes: &[AnnouncedBye]) {
    let mut kinds: Vec<(RoundNumber, Bye)> = byes.iter().map(|bye| (bye.round, bye.bye)).collect();
    kinds.sort_by_key(|(round, bye)| (*round, bye_code(*bye)));
    kinds.dedup();
    for (round, bye) in kinds.into_iter().filter(|(_, bye)| *bye != Bye::PairingAllocated) {
        let given = byes.iter().filter(|given| (given.round, given.bye) == (round, bye));
        let players: Vec<PairingNumber> = given.map(|given| given.player).collect();
        put(out, &format!("240 {} {round:>3}{}", bye_code(bye), ids(&players)));
    }
}

/// The fictitious points of a player, round by round, without the zeros at the end.
fn fictitious(tournament: &Tournament, player: PairingNumber) -> Vec<Points> {
    let rounds = match &tournament.acceleration {
        Acceleration::None => return Vec::new(),
        Acceleration::Baku { .. } => tournament.rounds_in_all(),
        Acceleration::Explicit(given) => return given.get(&player).cloned().unwrap_or_default(),
    };
    let mut points: Vec<Points> = (1..=rounds)
        .map(|round| tournament.fictitious_points(player, RoundNumber(round)))
        .collect();
    let kept = points.iter().rposition(|&points| points != Points::ZERO).map_or(0, |last| last + 1);
    points.truncate(kept);
    points
}

/// 250: spans of neighbours with the same fictitious points.
fn write_acceleration(out: &mut String, tournament: &Tournament) {
    let count = u16::try_from(tournament.players.len()).unwrap_or(u16::MAX);
    if tournament.system.ends_with("_BAKU") && tournament.acceleration == Acceleration::baku(count)
    {
        return;
    }
    let mut numbers: Vec<PairingNumber> =
        tournament.players.iter().map(|player| player.number).collect();
    numbers.sort_unstable();
    let points: Vec<(PairingNumber, Vec<Points>)> =
        numbers.into_iter().map(|number| (number, fictitious(tournament, number))).collect();
    for group in points.chunk_by(|(_, points), (_, next)| points == next) {
        let [(first, points), ..] = group else { continue };
        let last = group.last().map_or(*first, |(last, _)| *last);
        let mut start = 0;
        for span in points.chunk_by(|points, next| points == next) {
            let (from, to) = (start + 1, start + span.len());
            start = to;
            if span[0] != Points::ZERO {
                let points = span[0];
                put(
                    out,
                    &format!("250     {points:>5} {from:>3} {to:>3}{:>5}{:>5}", first.0, last.0),
                );
            }
        }
    }
}

fn write_player(out: &mut String, tournament: &Tournament, player: &Player, byes: &[AnnouncedBye]) {
    let sex = match player.sex {
        Some(Sex::Man) => 'm',
        Some(Sex::Woman) => 'w',
        None => ' ',
    };
    let title = player.title.map_or("", title_code);
    let rating = player.rating.map_or_else(String::new, |rating| rating.min(9_999).to_string());
    let rank = player.rank.map_or_else(String::new, |rank| rank.to_string());
    let mut score = tournament.score(player);
    let mut rounds: String = player.rounds.iter().map(|&entry| write_entry(entry)).collect();
    for bye in byes {
        rounds = format!("{rounds:<width$}", width = ROUND_WIDTH * bye.round.index());
        rounds.push_str(&write_entry(Entry::Bye(bye.bye)));
        score += tournament.scoring.bye(bye.bye);
    }
    let mut points = score.to_string();
    if points.len() > 5 {
        // No column for so many points; readers add up the rounds.
        points.clear();
    }
    put(
        out,
        &format!(
            "001{:>5} {sex}{title:>3} {} {rating:>4} {} {:>11} {}{points:>5}{rank:>5}{rounds}",
            player.number.0,
            fit(&player.name, 33),
            fit(&player.federation, 3),
            fit(&player.fide_id, 11).trim_end(),
            fit(&player.birth, 10),
        ),
    );
}
