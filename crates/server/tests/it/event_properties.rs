//! Whole random tournaments of every system, as values: joining, leaving, byes, forfeits and corrections in any order.

use std::collections::{BTreeMap, BTreeSet};

use pairing::PairingNumber;
use pairing::standings::{Rules, standings};
use pairing::trf::{self, Flavour};
use proptest::prelude::*;
use rules::{ByColor, Color, UnixMillis};
use server::tournaments::event::{
    BoardPlan, ByeKind, Command, Entrant, EntryNumber, Event, EventBoard, EventRound, FirstColor,
    Person, PointsTable, Refused, Regulations, RoundPlan, Score, System,
};
use store::{AccountId, EventId, GameId};

use crate::event_scorer::{Sheet, Worth};

const NOW: UnixMillis = UnixMillis(1_000);

pub(crate) fn event(regulations: Regulations, players: usize) -> Event {
    let owner = AccountId::from_bits(1);
    let blank = Event::blank(EventId::from_bits(1), owner, String::new(), NOW);
    let mut event = Event { name: "Random".to_owned(), regulations, ..blank };
    let people = (0..players).map(|n| {
        person(&format!("P{n:03}, Test"), Some(u16::try_from(1_200 + n * 37 % 900).unwrap()))
    });
    event.act(Command::Enter { people: people.collect() }, NOW).unwrap();
    event.act(Command::Move { state: "running".to_owned(), lot_is_white: true }, NOW).unwrap();
    event
}

fn person(name: &str, rating: Option<u16>) -> Person {
    let mut person = Person { name: name.to_owned(), ..Person::default() };
    person.details.rating = rating;
    person
}

/// Something that happens between or during rounds; the number chooses whom it meets.
#[derive(Debug, Clone, Copy)]
enum Incident {
    Enter,
    Withdraw(usize),
    Return(usize),
    Bye(usize, ByeKind),
    Correct(usize, Score),
    Reseat,
    /// Two players of the first round change places.
    Swap(usize, usize),
    Unpair,
    Decide(usize),
    /// Some earlier action is taken back, if that still makes sense.
    Undo(usize),
}

fn incident() -> impl Strategy<Value = Incident> {
    let bye = prop_oneof![Just(ByeKind::Half), Just(ByeKind::Zero), Just(ByeKind::Full)];
    prop_oneof![
        Just(Incident::Enter),
        any::<usize>().prop_map(Incident::Withdraw),
        any::<usize>().prop_map(Incident::Return),
        (any::<usize>(), bye).prop_map(|(whom, bye)| Incident::Bye(whom, bye)),
        (any::<usize>(), score()).prop_map(|(which, score)| Incident::Correct(which, score)),
        Just(Incident::Reseat),
        (any::<usize>(), any::<usize>()).prop_map(|(one, other)| Incident::Swap(one, other)),
        Just(Incident::Unpair),
        any::<usize>().prop_map(Incident::Decide),
        any::<usize>().prop_map(Incident::Undo),
    ]
}

fn score() -> impl Strategy<Value = Score> {
    prop_oneof![
        6 => Just(Score::WhiteWins),
        6 => Just(Score::BlackWins),
        4 => Just(Score::Draw),
        1 => Just(Score::BlackAbsent),
        1 => Just(Score::WhiteAbsent),
        1 => Just(Score::BothAbsent),
        1 => Just(Score::BothLose),
        1 => Just(Score::WhiteHalf),
    ]
}

/// Does something; what is refused must leave no trace. Gives what would take it back.
pub(crate) fn attempt(event: &mut Event, command: Command) -> Result<Option<Command>, Refused> {
    let mut copy = event.clone();
    let deed = copy.act(command, NOW)?;
    // What can be taken back is taken back exactly, as long as nothing else has happened.
    if let Some(undo) = deed.undo.clone() {
        let mut back = copy.clone();
        if back.act(undo, NOW).is_ok() {
            let points = |event: &Event| -> BTreeMap<EntryNumber, String> {
                event.ranking().rows.into_iter().map(|row| (row.player, row.points)).collect()
            };
            assert_eq!(points(&back), points(event), "{}", deed.act);
            // Who enters is numbered by strength, and the others with them: only that stays.
            assert!(deed.act == "entered" || back.ranking() == event.ranking(), "{}", deed.act);
        }
    }
    *event = copy;
    Ok(deed.undo)
}

/// An incident, with a way back for later ones.
fn happen(event: &mut Event, incident: Incident, number: usize, undos: &mut Vec<Command>) {
    if let Incident::Undo(n) = incident {
        if !undos.is_empty() {
            let place = n % undos.len();
            let undo = undos.swap_remove(place);
            // Much has happened since: what no longer fits is refused, and changes nothing.
            let _ = attempt(event, undo);
        }
        return;
    }
    let whom = |n: usize| event.players[n % event.players.len()].number;
    let round = event.next_round();
    let command = match incident {
        Incident::Enter => Command::Enter { people: vec![person(&format!("Late {number}"), None)] },
        Incident::Withdraw(n) => {
            Command::Withdraw { player: whom(n), by_staff: n.is_multiple_of(2), absent: false }
        }
        Incident::Return(n) => Command::Return { player: whom(n), by_staff: !n.is_multiple_of(3) },
        Incident::Bye(n, bye) => Command::SetBye { player: whom(n), round, bye: Some(bye) },
        Incident::Correct(n, score) => {
            let boards: Vec<(u16, u16)> = event
                .rounds
                .iter()
                .flat_map(|round| round.boards.iter().map(|board| (round.number, board.number)))
                .collect();
            if boards.is_empty() {
                return;
            }
            let (round, board) = boards[n % boards.len()];
            Command::SetResult { round, board, result: Some(score), reason: String::new() }
        }
        Incident::Reseat => {
            let Some(last) = event.rounds.last() else { return };
            let mut boards: Vec<_> = last.boards.iter().map(Into::into).collect();
            boards.reverse();
            let plan = RoundPlan { round: last.number, boards, byes: last.byes.clone() };
            Command::Reseat { plan }
        }
        Incident::Swap(one, other) => {
            // In a later round of a table it costs a game: of that the director is warned.
            let Some(first) = event.rounds.last().filter(|round| round.number == 1) else { return };
            let plan = swapped(event, first, whom(one), whom(other));
            if event.regulations.system.is_round_robin() {
                assert_eq!(event.warnings(&plan), [""; 0], "the table follows the first round");
            }
            Command::Reseat { plan }
        }
        Incident::Unpair => Command::Unpair { round: round.saturating_sub(1), unplayed: false },
        Incident::Decide(n) => {
            let Some(bracket) = event.bracket() else { return };
            let ready: Vec<_> = bracket.ready().map(|found| event.match_entries(found)).collect();
            let Some([Some(one), Some(other)]) = ready.get(n % ready.len().max(1)) else { return };
            let (winner, loser) = if n.is_multiple_of(3) { (one, other) } else { (other, one) };
            Command::Decide { winner: *winner, loser: *loser, by_lot: false }
        }
        Incident::Undo(_) => return,
    };
    // Many of these make no sense at their moment: then nothing happens.
    if let Ok(undo) = attempt(event, command) {
        undos.extend(undo);
    }
}

/// A round in which two players have changed places.
fn swapped(event: &Event, round: &EventRound, one: EntryNumber, other: EntryNumber) -> RoundPlan {
    let place = |player| match player {
        player if player == one => other,
        player if player == other => one,
        player => player,
    };
    let board = |board: &EventBoard| {
        let (white, black) = (place(board.players.white), place(board.players.black));
        let result = event.preset_result(ByColor { white, black });
        BoardPlan { white, black, result, game: None }
    };
    RoundPlan {
        round: round.number,
        boards: round.boards.iter().map(board).collect(),
        byes: round.byes.iter().map(|(player, bye)| (place(*player), *bye)).collect(),
    }
}

/// Plays an event to its end, with incidents on the way.
fn play(mut event: Event, incidents: &[Incident], scores: &[Score], most: usize) -> Event {
    let (mut incident, mut score) = (incidents.iter().cycle(), scores.iter().cycle());
    let mut undos = Vec::new();
    for step in 0..most {
        happen(&mut event, *incident.next().unwrap(), 2 * step, &mut undos);
        // A result may have been taken back.
        finish_round(&mut event, &mut score, step, &mut undos);
        // As an event does that goes on by itself: nobody publishes rounds in which nobody can play.
        while let Some((winner, loser)) = event.forsaken_matches().first().copied() {
            attempt(&mut event, Command::Decide { winner, loser, by_lot: false }).unwrap();
        }
        // Too many have withdrawn, or no legal pairing is left, or it is over.
        let Ok(plan) = event.next_plan() else { break };
        if event.regulations.system == System::Swiss {
            check_pairing(&event, &plan);
        }
        undos.extend(attempt(&mut event, Command::Publish { plan }).unwrap());
        happen(&mut event, *incident.next().unwrap(), 2 * step + 1, &mut undos);
        finish_round(&mut event, &mut score, step, &mut undos);
    }
    event
}

/// Every board of the last round that has no result gets one.
pub(crate) fn finish_round<'a>(
    event: &mut Event,
    scores: &mut impl Iterator<Item = &'a Score>,
    step: usize,
    undos: &mut Vec<Command>,
) {
    let Some(last) = event.rounds.last().cloned() else { return };
    for board in last.boards.iter().filter(|board| board.result.is_none()) {
        let mut result = *scores.next().unwrap();
        let is_drawn = !matches!(result, Score::WhiteWins | Score::BlackWins);
        if event.regulations.system == System::Knockout && is_drawn && step % 3 == 2 {
            // A knockout would go on for ever.
            result = Score::WhiteWins;
        }
        let is_open = event.rounds.iter().any(|round| {
            let now = round.board(board.number).filter(|_| round.number == last.number);
            now.is_some_and(|now| now.result.is_none())
        });
        if is_open {
            let command = Command::SetResult {
                round: last.number,
                board: board.number,
                result: Some(result),
                reason: String::new(),
            };
            undos.extend(attempt(event, command).unwrap());
        }
    }
}

/// What the system itself pairs keeps the rules, whatever was corrected or taken back before: nobody meets again with
/// whom they have played, or with whom they must not; nobody gets a second free point; colours stay within the rule.
fn check_pairing(event: &Event, plan: &RoundPlan) {
    let met = met(event);
    for board in &plan.boards {
        let pair = (board.white.min(board.black), board.white.max(board.black));
        assert!(!met.contains_key(&pair), "{pair:?} again in round {}", plan.round);
        let forbidden = &event.regulations.forbidden;
        let is_forbidden =
            forbidden.iter().any(|group| group.contains(&pair.0) && group.contains(&pair.1));
        assert!(!is_forbidden, "{pair:?} must not meet");
        check_colours(event, plan, board.white, Color::White, board.black);
        check_colours(event, plan, board.black, Color::Black, board.white);
    }
    for (player, _) in plan.byes.iter().filter(|(_, bye)| *bye == ByeKind::Pairing) {
        let had_a_gift = event.rounds.iter().any(|round| {
            let free = round.bye_of(*player).or_else(|| {
                // Somebody who came late may have been given points for what they missed.
                let was_there = round.board_of(*player).is_some();
                event.player(*player)?.bye_in(round.number).filter(|_| !was_there)
            });
            let gift = matches!(free, Some(ByeKind::Pairing | ByeKind::Full));
            let board = round.board_of(*player);
            let won = board.and_then(|board| match (board.result?, board.side_of(*player)?) {
                (Score::BlackAbsent, side) => Some(side == Color::White),
                (Score::WhiteAbsent, side) => Some(side == Color::Black),
                _ => None,
            });
            gift || won == Some(true)
        });
        assert!(!had_a_gift, "player {player} is free again in round {}", plan.round);
    }
}

/// Everybody exactly once in every round, as far as the system has a place for them.
fn check_seats(event: &Event) {
    for round in &event.rounds {
        let mut seen = BTreeSet::new();
        let at_boards =
            round.boards.iter().flat_map(|board| [board.players.white, board.players.black]);
        for player in at_boards.chain(round.byes.iter().map(|(player, _)| *player)) {
            assert!(seen.insert(player), "player {player} twice in round {}", round.number);
        }
        if event.regulations.system != System::Knockout {
            for player in event.seeded() {
                let late = !event.rounds.iter().any(|earlier| {
                    earlier.number <= round.number
                        && (earlier.board_of(player.number).is_some()
                            || earlier.bye_of(player.number).is_some())
                });
                assert!(
                    late || seen.contains(&player.number),
                    "player {} not in round {}",
                    player.number,
                    round.number
                );
            }
        }
    }
}

fn met(event: &Event) -> BTreeMap<(EntryNumber, EntryNumber), usize> {
    let mut met = BTreeMap::new();
    for board in event.rounds.iter().flat_map(|round| &round.boards) {
        let played = !matches!(
            board.result,
            Some(Score::BlackAbsent | Score::WhiteAbsent | Score::BothAbsent) | None
        );
        if played {
            let (one, other) = (board.players.white, board.players.black);
            *met.entry((one.min(other), one.max(other))).or_default() += 1;
        }
    }
    met
}

/// Who has left a round robin before half of the games that were meant for them, counted from the boards alone.
fn annulled(event: &Event) -> Vec<PairingNumber> {
    let cycles = match event.regulations.system {
        System::RoundRobin => 1,
        System::DoubleRoundRobin => 2,
        _ => return Vec::new(),
    };
    let is_forfeit = |score: Score| score.as_str().contains(['+']) || score.as_str() == "--";
    let has_left_early = |player: &&Entrant| {
        let mut played = 0;
        for board in event.rounds.iter().flat_map(|round| &round.boards) {
            let sits = [board.players.white, board.players.black].contains(&player.number);
            played += usize::from(sits && board.result.is_some_and(|score| !is_forfeit(score)));
        }
        !player.plays() && 2 * played < cycles * (event.seeded().len() - 1)
    };
    event.players.iter().filter(has_left_early).filter_map(|player| player.seed).collect()
}

/// The table equals one that is computed from the report alone.
fn check_report(event: &Event) {
    let text = trf::write(&event.tournament(), Flavour::Trf26);
    let read = trf::read(text.as_bytes()).unwrap();
    let mut independent = read.clone();
    if event.regulations.system.is_round_robin() {
        independent = pairing::round_robin::without_annulled(&read, &annulled(event));
    }
    let rules = Rules::of(&independent);
    let table = standings(&independent, &event.regulations.parsed_tie_breaks(), &rules).unwrap();
    let ours = event.ranking();
    let seeds: BTreeMap<EntryNumber, u16> =
        event.players.iter().filter_map(|player| Some((player.number, player.seed?.0))).collect();
    let ours: Vec<(u16, u16, String)> =
        ours.rows.iter().map(|row| (row.rank, seeds[&row.player], row.points.clone())).collect();
    let theirs: Vec<(u16, u16, String)> =
        table.rows.iter().map(|row| (row.rank, row.player.0, row.points.to_string())).collect();
    assert_eq!(ours, theirs, "{text}");
}

/// Points, Buchholz, Sonneborn-Berger and wins are those that another reader of the report finds, and the ranks follow
/// from them.
fn check_scores(event: &Event) {
    let text = trf::write(&event.tournament(), Flavour::Trf26);
    let PointsTable { win, draw, bye, .. } = event.regulations.points;
    let halves = |tenths: i32| i64::from(tenths) / 5;
    let worth = Worth { win: halves(win), draw: halves(draw), bye: halves(bye) };
    let gone: Vec<u16> = annulled(event).iter().map(|seed| seed.0).collect();
    let sheet = Sheet::read(&text, event.regulations.system.is_round_robin(), worth, &gone);
    let ranking = event.ranking();
    // Quarters: the square of halves.
    let quarters = |value: &str| {
        let (whole, part) = value.split_once('.').unwrap_or((value, "0"));
        let hundredths: i64 = format!("{part:0<2}").parse().unwrap();
        whole.parse::<i64>().unwrap() * 4 + hundredths / 25
    };
    let mut before: Option<(Vec<i64>, u16)> = None;
    for (place, row) in (1_u16..).zip(&ranking.rows) {
        let seed = event.player(row.player).and_then(|player| player.seed).unwrap();
        let found = sheet.score(seed.0);
        assert_eq!(quarters(&row.points), 2 * found.points, "points of {seed:?}\n{text}");
        let mut key = vec![2 * found.points];
        for (code, value) in ranking.tie_breaks.iter().zip(&row.values) {
            let value = quarters(value.as_deref().unwrap_or("0"));
            let own = match code.as_str() {
                "BH" => 2 * found.buchholz,
                "SB" => found.sonneborn,
                "WIN" => 4 * found.wins,
                // The place among the tied: the first is the best.
                "DE" => -value,
                // The others are taken at their word.
                _ => value,
            };
            assert_eq!(value.abs(), own.abs(), "{code} of {seed:?}\n{text}");
            key.push(own);
        }
        let rank = match &before {
            Some((same, rank)) if *same == key => *rank,
            Some((higher, _)) => {
                assert!(*higher > key, "rank {place} stands too low\n{text}");
                place
            }
            None => 1,
        };
        assert_eq!(row.rank, rank, "{text}");
        before = Some((key, rank));
    }
}

/// Nobody gets one colour three times more often than the other, or three times in a row. In the last round those who
/// have more than half of the possible points, and whoever meets them, may (C.04.3, C10 and C11).
fn check_colours(
    event: &Event,
    plan: &RoundPlan,
    player: EntryNumber,
    colour: Color,
    opponent: EntryNumber,
) {
    let is_top = |player: EntryNumber| {
        let tournament = event.tournament();
        let seed = event.player(player).and_then(|player| player.seed).unwrap();
        let model = tournament.players.iter().find(|other| other.number == seed).unwrap();
        let before = plan.round - 1;
        let most = event.regulations.points.win * i32::from(before);
        2 * tournament.score_after(model, before).tenths() > most
    };
    let played: Vec<Color> = event.played_by(player).map(|(side, _)| side).collect();
    let whites = played.iter().filter(|side| **side == colour).count();
    let difference = 2 * i32::try_from(whites).unwrap() - i32::try_from(played.len()).unwrap();
    let twice = played.ends_with(&[colour, colour]);
    if difference >= 2 || twice {
        let is_last = Some(plan.round) == event.total_rounds();
        assert!(
            is_last && (is_top(player) || is_top(opponent)),
            "player {player} has {colour:?} again in round {}: {played:?}",
            plan.round
        );
    }
}

/// What an arena's games are worth, counted by hand from the boards: the test's own reading of the rules.
fn arena_points(event: &Event, player: EntryNumber) -> u32 {
    let (mut points, mut wins, mut drew_since_win) = (0, 0, false);
    for round in &event.rounds {
        let Some(board) = round.board_of(player) else { continue };
        let (Some(result), Some(game)) = (board.result, board.game) else { continue };
        if result == Score::BothAbsent {
            // Nobody played.
            continue;
        }
        let is_white = board.side_of(player) == Some(Color::White);
        let moves = event.lengths.iter().find(|(id, _)| *id == game).map_or(0, |(_, moves)| *moves);
        let won = match result {
            Score::WhiteWins | Score::BlackAbsent => is_white,
            Score::BlackWins | Score::WhiteAbsent => !is_white,
            _ => false,
        };
        let factor = if wins >= 2 { 2 } else { 1 };
        if won {
            let berserk = event.berserks.contains(&(game, player)) && moves >= 7;
            points += 2 * factor + u32::from(berserk);
            (wins, drew_since_win) = (wins + 1, false);
        } else if matches!(result, Score::Draw | Score::WhiteHalf | Score::BlackHalf) {
            let counts = moves >= if drew_since_win { 30 } else { 10 };
            points += if counts { factor } else { 0 };
            (wins, drew_since_win) = (0, true);
        } else {
            wins = 0;
        }
    }
    points
}

/// Plays an arena wave by wave: some games go on while others are paired again.
fn play_arena(mut event: Event, steps: &[(u64, Score, u16)]) -> Event {
    let (mut number, mut undos) = (0, Vec::new());
    for (dice, score, moves) in steps {
        let is_there = |player: &Entrant| (dice >> (player.number % 60)) & 1 == 0;
        let mut plan = event.arena_plan(is_there);
        check_wave(&event, &plan, is_there);
        for board in &mut plan.boards {
            number += 1;
            board.game = Some(GameId::from_bits(number));
        }
        if let Some(first) = plan.boards.first().copied() {
            attempt(&mut event, Command::Publish { plan }).unwrap();
            // Nobody gets a second game while the first one runs.
            let mut again = event.arena_plan(|_| true);
            again.boards.push(first);
            let refused = event.clone().act(Command::Publish { plan: again }, NOW);
            assert!(matches!(refused, Err(Refused::StillPlays(_) | Refused::PairedTwice(_))));
            if dice.is_multiple_of(3) {
                let game = first.game.unwrap();
                attempt(&mut event, Command::Berserk { game, player: first.white }).unwrap();
            }
        }
        let open: Vec<GameId> = event
            .rounds
            .iter()
            .flat_map(|round| &round.boards)
            .filter(|board| board.result.is_none())
            .filter_map(|board| board.game)
            .collect();
        let ended: Vec<_> = open
            .iter()
            .enumerate()
            .filter(|(place, _)| (dice >> (place % 50)) & 2 == 0)
            .map(|(_, game)| (*game, *score, *moves))
            .collect();
        if !ended.is_empty() {
            attempt(&mut event, Command::Collect { ended }).unwrap();
        }
        match dice % 7 {
            0 => happen(&mut event, Incident::Enter, usize::try_from(number).unwrap(), &mut undos),
            1 => happen(
                &mut event,
                Incident::Withdraw(usize::try_from(dice % 97).unwrap()),
                0,
                &mut undos,
            ),
            2 => happen(
                &mut event,
                Incident::Return(usize::try_from(dice % 89).unwrap()),
                0,
                &mut undos,
            ),
            _ => {}
        }
    }
    event
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, ..ProptestConfig::default() })]

    #[test]
    fn a_swiss_keeps_its_rules_whatever_happens(
        players in 4_usize..24,
        rounds in 3_u16..8,
        accelerated: bool,
        football: bool,
        families in proptest::collection::vec((1_u32..24, 1_u32..24), 0..4),
        incidents in proptest::collection::vec(incident(), 1..12),
        scores in proptest::collection::vec(score(), 5..60),
    ) {
        let tie_breaks = ["BH/C1", "BH", "SB", "WIN"].map(str::to_owned).to_vec();
        let points = if football { PointsTable { win: 30, draw: 10, loss: 0, bye: 30 } } else { PointsTable::default() };
        let forbidden = families.iter().filter(|(one, other)| one != other).map(|(one, other)| vec![*one, *other]).collect();
        let regulations = Regulations {
            rounds, accelerated, points, forbidden, tie_breaks, first_color: FirstColor::White, ..Regulations::default()
        };
        let event = play(event(regulations, players), &incidents, &scores, usize::from(rounds));
        check_seats(&event);
        check_report(&event);
        check_scores(&event);
    }

    #[test]
    fn a_round_robin_lets_everybody_meet_everybody_as_often_as_it_says(
        players in 3_usize..10,
        double: bool,
        incidents in proptest::collection::vec(incident(), 1..12),
        scores in proptest::collection::vec(score(), 5..60),
    ) {
        let (system, times) = if double { (System::DoubleRoundRobin, 2) } else { (System::RoundRobin, 1) };
        let tie_breaks = ["DE", "SB", "WIN"].map(str::to_owned).to_vec();
        let regulations = Regulations { system, tie_breaks, first_color: FirstColor::White, ..Regulations::default() };
        let event = play(event(regulations, players), &incidents, &scores, 40);
        check_seats(&event);
        check_report(&event);
        check_scores(&event);
        prop_assert_eq!(event.annulled(), annulled(&event));
        prop_assert!(met(&event).values().all(|met| *met <= times));
        if event.players.iter().all(Entrant::plays) && event.is_over() {
            let pairs: BTreeSet<_> = event.rounds.iter().flat_map(|round| &round.boards)
                .map(|board| (board.players.white.min(board.players.black), board.players.white.max(board.players.black))).collect();
            // Somebody may have come before the table was drawn.
            let players = event.seeded().len();
            prop_assert_eq!(pairs.len(), players * (players - 1) / 2);
        }
    }

    #[test]
    fn a_knockout_ends_with_one_winner_whom_nobody_has_beaten(
        players in 2_usize..20,
        games in 1_u8..3,
        third_place: bool,
        incidents in proptest::collection::vec(incident(), 1..12),
        scores in proptest::collection::vec(score(), 5..60),
    ) {
        let knockout = server::tournaments::event::KnockoutRules { games, third_place, ..Default::default() };
        let regulations = Regulations { system: System::Knockout, knockout, first_color: FirstColor::White, ..Regulations::default() };
        let event = play(event(regulations, players), &incidents, &scores, 25);
        // Rounds that are taken back again and again would go on for ever.
        let event = play(event, &[Incident::Reseat], &scores, 200);
        check_seats(&event);
        prop_assert!(event.is_over(), "after {} rounds", event.rounds.len());
        // Somebody may have come before the bracket was drawn.
        let players = event.seeded().len();
        let bracket = event.bracket().unwrap();
        let matches = bracket.rounds.iter().flatten().filter(|found| found.winner.is_some()).count();
        let small_final = usize::from(third_place && players > 3);
        prop_assert_eq!(matches, players - 1 + small_final);
        let ranking = event.ranking();
        prop_assert_eq!(ranking.rows.iter().filter(|row| row.rank == 1).count(), 1);
        prop_assert_eq!(event.entry_of(bracket.champion().unwrap()), Some(ranking.rows[0].player));
    }

    #[test]
    fn an_arena_gives_everybody_one_game_at_a_time_and_counts_every_game_once(
        players in 2_usize..14,
        steps in proptest::collection::vec((any::<u64>(), score(), 0_u16..60), 1..25),
    ) {
        let regulations = Regulations {
            system: System::Arena, online: true, first_color: FirstColor::White, ..Regulations::default()
        };
        let event = play_arena(event(regulations, players), &steps);
        check_seats_of_waves(&event);
        for row in event.ranking().rows {
            prop_assert_eq!(row.points, arena_points(&event, row.player).to_string());
        }
    }

    #[test]
    fn numbers_are_those_of_the_starting_list_whoever_comes_late(
        players in 2_usize..12,
        late in proptest::collection::vec(1_000_u16..2_500, 1..6),
    ) {
        let regulations = Regulations { rounds: 9, first_color: FirstColor::White, ..Regulations::default() };
        let mut event = event(regulations, players);
        for (place, rating) in late.iter().enumerate() {
            let people = vec![person(&format!("Late {place}"), Some(*rating))];
            attempt(&mut event, Command::Enter { people }).unwrap();
            let ratings: Vec<_> = event.seeded().iter().map(|player| player.details.rating).collect();
            prop_assert!(ratings.is_sorted_by(|one, other| one >= other), "{:?}", ratings);
            let seeds: Vec<u16> = event.seeded().iter().filter_map(|player| player.seed).map(|seed| seed.0).collect();
            prop_assert!(seeds.iter().copied().eq(1..=u16::try_from(seeds.len()).unwrap()));
        }
    }
}

/// The strongest of the late ones stand above everybody, and push nobody out of the group of the first round.
#[test]
fn late_entries_leave_the_accelerated_group_of_the_first_round_as_it_was() {
    let regulations = Regulations {
        accelerated: true,
        rounds: 9,
        first_color: FirstColor::White,
        ..Regulations::default()
    };
    let mut event = event(regulations, 8);
    let group = |event: &Event| {
        let tournament = event.tournament();
        let given = |player: &Entrant| {
            let (seed, round) = (player.seed.unwrap(), pairing::RoundNumber(2));
            tournament.acceleration.points(seed, round, 9, &tournament.scoring).tenths() > 0
        };
        let all = event.seeded().into_iter().filter(|player| given(player));
        all.map(|player| player.number).collect::<BTreeSet<EntryNumber>>()
    };
    let before = group(&event);
    assert_eq!(before.len(), 4);
    let plan = event.next_plan().unwrap();
    attempt(&mut event, Command::Publish { plan }).unwrap();
    let people = (1..=4).map(|n| person(&format!("Late {n}"), Some(2_600))).collect();
    attempt(&mut event, Command::Enter { people }).unwrap();
    let after = group(&event);
    assert!(before.is_subset(&after), "{before:?} {after:?}");
    assert_eq!(after.len(), 8, "the late ones stand among them: {after:?}");
}

/// In an arena nobody is in two games of a wave.
fn check_seats_of_waves(event: &Event) {
    for round in &event.rounds {
        let mut seen = BTreeSet::new();
        for board in &round.boards {
            let (white, black) = (board.players.white, board.players.black);
            assert!(seen.insert(white) && seen.insert(black), "twice in wave {}", round.number);
        }
    }
}

/// Nobody meets the same opponent twice in a row, but for two who are alone: they always play.
fn check_wave(event: &Event, plan: &RoundPlan, is_there: impl Fn(&Entrant) -> bool) {
    let last_of = |player: EntryNumber| {
        let board = event.rounds.iter().rev().find_map(|round| round.board_of(player))?;
        Some(board.players[board.side_of(player)?.other()])
    };
    let here: Vec<&Entrant> =
        event.players.iter().filter(|it| it.plays() && it.seed.is_some() && is_there(it)).collect();
    if here.len() == 2 && event.is_complete() {
        assert_eq!(plan.boards.len(), 1, "two who are alone play");
        return;
    }
    for board in &plan.boards {
        assert_ne!(last_of(board.white), Some(board.black), "again at once");
        assert_ne!(last_of(board.black), Some(board.white), "again at once");
    }
}
