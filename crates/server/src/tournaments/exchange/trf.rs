//! Tournament report files of FIDE: TRF16 and TRF-2026.

use std::collections::BTreeMap;

use pairing::model::{Bye, Colour, Entry, GameResult, Header};
use pairing::trf::{self, Flavour};
use pairing::{Acceleration, PairingNumber, Player, Tournament};
use rules::{ByColor, TimeControl, UnixMillis};
use store::{EntryState, EventState};

use super::super::event::{
    ByeKind, Details, Entrant, EntryNumber, Event, EventBoard, EventRound, FirstColor, PointsTable,
    ReportFacts, RequestedBye, Score, System, noon_of,
};
use super::left_out::left_out;
use crate::games::pgn::time_control;
use crate::games::wire::{BonusView, StageView, TimeControlView};

/// The event as a report, signed by its director.
///
/// A report has no word for a game that is still played. So it ends with the last round that is complete, where rounds
/// follow one another.
pub(crate) fn write_trf(
    event: &Event,
    flavour: Flavour,
    is_staff: bool,
    director: Option<String>,
) -> String {
    let in_turn = event.regulations.system != System::Arena && !event.regulations.at_once;
    let open = event.rounds.iter().find(|round| in_turn && !round.is_complete());
    let event = &event.before(open.map_or(u16::MAX, |round| round.number));
    let mut tournament = event.tournament();
    if tournament.header.chief_arbiter.is_empty() {
        tournament.header.chief_arbiter = director.unwrap_or_default();
    }
    tournament.header.time_control = time_words(&event.regulations.time);
    if let (Flavour::Trf26, Ok(time @ TimeControl::Live(_))) =
        (flavour, event.regulations.time.to_rules())
    {
        tournament.header.other_lines.push(format!("222 {}", time_control(&time)));
    }
    if !is_staff {
        for player in &mut tournament.players {
            player.birth.clear();
            player.fide_id.clear();
            player.sex = None;
        }
    }
    let ranks: BTreeMap<EntryNumber, u16> =
        event.ranking().rows.iter().map(|row| (row.player, row.rank)).collect();
    for (player, entry) in tournament.players.iter_mut().zip(event.seeded()) {
        player.rank = ranks.get(&entry.number).copied();
    }
    trf::write(&tournament, flavour)
}

/// The time for a game as people write it; nothing if there is no clock.
fn time_words(time: &TimeControlView) -> String {
    match time {
        TimeControlView::Fischer { initial_ms, increment_ms } => {
            let seconds = initial_ms / 1_000;
            let initial = match seconds % 60 {
                0 => format!("{} min", seconds / 60),
                _ => format!("{seconds} s"),
            };
            format!("{initial} + {} s/move", increment_ms / 1_000)
        }
        TimeControlView::Unlimited => String::new(),
        other => other.to_rules().map(|time| time_control(&time)).unwrap_or_default(),
    }
}

/// The clock of a report: the code of TRF-2026, or the words that this program writes into the older form.
fn time_of(header: &Header) -> Option<TimeControlView> {
    let coded = header.other_lines.iter().find_map(|line| line.strip_prefix("222 "));
    let time = match coded {
        Some(code) => time_of_code(code.trim())?,
        None => time_of_words(header.time_control.trim())?,
    };
    time.to_rules().is_ok().then_some(time)
}

fn time_of_code(code: &str) -> Option<TimeControlView> {
    let stages = code.split(':').map(stage).collect::<Option<Vec<StageView>>>()?;
    match stages.as_slice() {
        [StageView { moves: None, time_ms, bonus }] => {
            let increment_ms = if let BonusView::Fischer(added) = bonus { *added } else { 0 };
            Some(TimeControlView::Fischer { initial_ms: *time_ms, increment_ms })
        }
        _ => Some(TimeControlView::Stages { white: stages.clone(), black: stages }),
    }
}

/// `40/5400+30`: moves, seconds, seconds a move.
fn stage(text: &str) -> Option<StageView> {
    let (moves, rest) = match text.split_once('/') {
        Some((moves, rest)) => (Some(moves.parse().ok()?), rest),
        None => (None, text),
    };
    let (time, added) = rest.split_once('+').unwrap_or((rest, "0"));
    let millis = |text: &str| text.parse::<i64>().ok()?.checked_mul(1_000);
    let bonus = match millis(added)? {
        0 => BonusView::None,
        added => BonusView::Fischer(added),
    };
    Some(StageView { moves, time_ms: millis(time)?, bonus })
}

fn time_of_words(words: &str) -> Option<TimeControlView> {
    let Some((initial, added)) = words.split_once(" + ") else { return time_of_code(words) };
    let number = |text: &str, unit: &str| text.strip_suffix(unit)?.trim().parse::<i64>().ok();
    let initial_ms = number(initial, "min")
        .and_then(|minutes| minutes.checked_mul(60_000))
        .or_else(|| number(initial, "s")?.checked_mul(1_000))?;
    let increment_ms = number(added, "s/move")?.checked_mul(1_000)?;
    Some(TimeControlView::Fischer { initial_ms, increment_ms })
}

/// A day as reports write it: `2026/11/16`, or `26/11/16` for a round.
fn day_of(text: &str) -> Option<UnixMillis> {
    let mut parts = text.trim().split(['/', '.', '-']).map(|part| part.parse::<i64>().ok());
    let (year, month, day) = (parts.next()??, parts.next()??, parts.next()??);
    noon_of(if year < 100 { 2_000 + year } else { year }, month, day).map(UnixMillis)
}

/// The last player of the accelerated group.
fn last_accelerated(tournament: &Tournament) -> Option<PairingNumber> {
    match &tournament.acceleration {
        Acceleration::None => None,
        Acceleration::Baku { last } => Some(*last),
        Acceleration::Explicit(given) => given
            .iter()
            .filter(|(_, points)| points.iter().any(|points| points.tenths() > 0))
            .map(|(player, _)| *player)
            .max(),
    }
}

/// A state by its word; a file that names another one is a draft.
pub(super) fn state_of(word: &str) -> EventState {
    let all =
        [EventState::Registration, EventState::CheckIn, EventState::Running, EventState::Finished];
    all.into_iter().find(|state| state.as_str() == word).unwrap_or(EventState::Draft)
}

/// Fills a new event with what a report says, and tells what of it the event does not hold.
pub(crate) fn read_trf(bytes: &[u8], event: &mut Event) -> Result<Vec<String>, String> {
    let (tournament, odd) = trf::read_with_warnings(bytes).map_err(|error| error.to_string())?;
    let name = tournament.header.name.trim();
    event.name = if name.is_empty() {
        "Imported event".to_owned()
    } else {
        name.chars().take(120).collect()
    };
    let regulations = &mut event.regulations;
    regulations.place.clone_from(&tournament.header.city);
    regulations.system = system_of(&tournament);
    let paired = tournament.rounds_paired();
    regulations.rounds = tournament.rounds_in_all().clamp(1, 50);
    regulations.points = points_of(&tournament);
    regulations.accelerated = tournament.acceleration != Acceleration::None;
    regulations.first_color = match tournament.initial_colour() {
        Some(Colour::White) => FirstColor::White,
        Some(Colour::Black) => FirstColor::Black,
        None => FirstColor::Lot,
    };
    let tie_breaks =
        tournament.tie_breaks.split(',').map(str::trim).filter(|code| !code.is_empty());
    let tie_breaks: Vec<String> = tie_breaks.map(str::to_owned).collect();
    if !tie_breaks.is_empty() && pairing::standings::parse_list(&tie_breaks.join(",")).is_ok() {
        regulations.tie_breaks = tie_breaks;
    }
    let header = &tournament.header;
    let names = |text: &String| {
        text.trim().chars().filter(|letter| !letter.is_control()).take(80).collect::<String>()
    };
    let letters = header.federation.chars().filter(char::is_ascii_alphabetic);
    regulations.report = ReportFacts {
        federation: letters.take(3).collect::<String>().to_uppercase(),
        chief_arbiter: names(&header.chief_arbiter),
        deputies: header.deputies.iter().take(20).map(names).collect(),
    };
    if let Some(time) = time_of(header) {
        regulations.time = time;
    }
    event.starts_at = day_of(&header.start_date);
    event.players = tournament
        .players
        .iter()
        .zip(1..)
        .map(|(player, number)| entrant(player, number, &tournament, event.created_at))
        .collect();
    let numbers: BTreeMap<PairingNumber, EntryNumber> =
        event.players.iter().filter_map(|player| Some((player.seed?, player.number))).collect();
    event.regulations.forbidden = tournament
        .forbidden
        .iter()
        .map(|group| {
            group.players.iter().filter_map(|player| numbers.get(player).copied()).collect()
        })
        .collect();
    let day = |number: u16| {
        let written = tournament.header.round_dates.get(usize::from(number) - 1);
        written.and_then(|text| day_of(text)).or(event.starts_at).unwrap_or(event.created_at)
    };
    event.rounds =
        (1..=paired).map(|number| round(&tournament, number, &numbers, day(number))).collect();
    let last = last_accelerated(&tournament).filter(|_| paired > 0);
    event.last_accelerated = last.and_then(|last| numbers.get(&last).copied());
    let is_over = tournament.total_rounds.is_some_and(|total| paired >= total);
    event.state = match paired {
        0 => {
            event.players.iter_mut().for_each(|player| player.seed = None);
            EventState::Draft
        }
        _ if is_over => EventState::Finished,
        _ => EventState::Running,
    };
    Ok(left_out(&tournament, &odd, event))
}

fn system_of(tournament: &Tournament) -> System {
    // The older form has no code, only words.
    let words = tournament.header.kind.to_uppercase().replace(['-', ' '], "");
    let said = if tournament.system.is_empty() { words } else { tournament.system.clone() };
    match said.as_str() {
        code if code.contains("DOUBLEROUNDROBIN") => System::DoubleRoundRobin,
        code if code.contains("ROUNDROBIN") => System::RoundRobin,
        _ => System::Swiss,
    }
}

fn points_of(tournament: &Tournament) -> PointsTable {
    let scoring = &tournament.scoring;
    PointsTable {
        win: scoring.win.tenths(),
        draw: scoring.draw.tenths(),
        loss: scoring.loss.tenths(),
        bye: scoring.pairing_bye.tenths(),
    }
}

fn entrant(
    player: &Player,
    number: EntryNumber,
    tournament: &Tournament,
    now: UnixMillis,
) -> Entrant {
    let kind = |bye| match bye {
        Bye::Full => ByeKind::Full,
        Bye::Half => ByeKind::Half,
        Bye::Zero | Bye::PairingAllocated => ByeKind::Zero,
    };
    let byes = tournament.byes.iter().filter(|bye| bye.player == player.number);
    Entrant {
        number,
        account: None,
        name: player.name.trim().chars().take(80).collect(),
        seed: Some(player.number),
        state: EntryState::Entered,
        details: Details {
            rating: player.rating,
            title: player
                .title
                .and_then(|title| serde_json::to_value(title).ok()?.as_str().map(str::to_owned)),
            federation: player.federation.trim().to_owned(),
            fide_id: player.fide_id.trim().to_owned(),
            birth_year: player.birth.get(..4).and_then(|year| year.parse().ok()),
            club: String::new(),
            sex: player
                .sex
                .map(|sex| if sex == pairing::model::Sex::Man { "m" } else { "w" }.to_owned()),
            byes: byes.map(|bye| RequestedBye { round: bye.round.0, bye: kind(bye.bye) }).collect(),
        },
        entered_at: now,
    }
}

fn round(
    tournament: &Tournament,
    number: u16,
    numbers: &BTreeMap<PairingNumber, EntryNumber>,
    now: UnixMillis,
) -> EventRound {
    let index = usize::from(number) - 1;
    let entry_of =
        |player: &Player| player.rounds.get(index).copied().unwrap_or(Entry::Bye(Bye::Zero));
    let places = tournament.places();
    let (mut boards, mut byes, mut seated) = (Vec::new(), Vec::new(), Vec::new());
    let mut players: Vec<&Player> = tournament.players.iter().collect();
    // The first board is that of the highest points, as it was published.
    players.sort_by_key(|player| {
        (std::cmp::Reverse(tournament.score_after(player, number - 1)), player.number)
    });
    for player in players {
        let entry = entry_of(player);
        let opponent = entry
            .opponent_paired()
            .and_then(|other| places.of(other))
            .map(|place| &tournament.players[place]);
        let answer = opponent.map(entry_of);
        match (opponent, answer) {
            // Somebody who is said to be absent though the other is paired has lost by forfeit.
            (Some(opponent), Some(answer)) => {
                if seated.contains(&player.number) || seated.contains(&opponent.number) {
                    continue;
                }
                seated.extend([player.number, opponent.number]);
                let is_white = colour_of(entry).or(colour_of(answer).map(Colour::other))
                    != Some(Colour::Black);
                let (white, black) = if is_white { (player, opponent) } else { (opponent, player) };
                let result = if is_white { score(entry, answer) } else { score(answer, entry) };
                boards.push((numbers[&white.number], numbers[&black.number], result));
            }
            _ => byes.push((player.number, entry)),
        }
    }
    let byes = byes
        .into_iter()
        .filter(|(player, _)| !seated.contains(player))
        .map(|(player, entry)| {
            let bye = match entry {
                Entry::Bye(Bye::Full) => ByeKind::Full,
                Entry::Bye(Bye::Half) => ByeKind::Half,
                Entry::Bye(Bye::PairingAllocated) => ByeKind::Pairing,
                _ => ByeKind::Zero,
            };
            (numbers[&player], bye)
        })
        .collect();
    let board =
        |((white, black, result), number): ((EntryNumber, EntryNumber, Score), u16)| EventBoard {
            number,
            players: ByColor { white, black },
            game: None,
            result: Some(result),
            reports: ByColor::same(None),
        };
    EventRound {
        number,
        published_at: now,
        boards: boards.into_iter().zip(1..).map(board).collect(),
        byes,
    }
}

fn colour_of(entry: Entry) -> Option<Colour> {
    match entry {
        Entry::Game { colour, .. } => Some(colour),
        Entry::Forfeit { colour, .. } => colour,
        Entry::Bye(_) => None,
    }
}

fn score(white: Entry, black: Entry) -> Score {
    use GameResult::{Draw, Loss, Win};
    match (white, black) {
        (Entry::Game { result: white, .. }, Entry::Game { result: black, .. }) => {
            match (white, black) {
                (Win, _) => Score::WhiteWins,
                (_, Win) => Score::BlackWins,
                (Draw, Draw) => Score::Draw,
                (Draw, Loss) => Score::WhiteHalf,
                (Loss, Draw) => Score::BlackHalf,
                (Loss, Loss) => Score::BothLose,
            }
        }
        (Entry::Forfeit { won: true, .. }, _) => Score::BlackAbsent,
        (_, Entry::Forfeit { won: true, .. }) => Score::WhiteAbsent,
        _ => Score::BothAbsent,
    }
}
