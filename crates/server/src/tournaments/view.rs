//! Events as the outside sees them.

use std::collections::BTreeMap;

use pairing::knockout::Side;
use pairing::{Entry, GameResult};
use rules::Color;
use store::{EventState, GameId, ListedEvent};

use super::event::{
    ByeKind, Entrant, EntryNumber, Event, EventArbiter, EventBoard, EventRound, Ranking, ResultsBy,
    System, suggest_rounds,
};
use super::wire::{
    ArbiterView, BoardView, BracketView, ByeView, Cell, EntrantView, EventCard, EventLineView,
    EventLive, EventOfGame, EventView, LiveRow, MatchView, OpenBoard, RightsView, RoundSummary,
    RoundView, StandingRow, StandingsView, TableView,
};
use super::{Rights, TournamentError, tables};
use crate::accounts::Visitor;

/// An event in a list.
pub(super) fn card(listed: &ListedEvent) -> Result<EventCard, TournamentError> {
    let event = super::event::from_store(store::WholeEvent {
        event: listed.event.clone(),
        players: Vec::new(),
        rounds: Vec::new(),
    })?;
    Ok(EventCard {
        id: event.id.to_string(),
        name: event.name,
        state: event.state.as_str().to_owned(),
        visibility: event.visibility.as_str().to_owned(),
        starts_at: event.starts_at.map(|at| at.0),
        system: event.regulations.system,
        online: event.regulations.online,
        place: event.regulations.place,
        time: event.regulations.time,
        rated: event.regulations.rated,
        players: u32::try_from(listed.players).unwrap_or(u32::MAX),
        rounds: u32::try_from(listed.rounds).unwrap_or(u32::MAX),
        created_at: event.created_at.0,
    })
}

/// A player; what is nobody's business is left out for those who do not run the event.
pub(super) fn entrant(event: &Event, player: &Entrant, is_staff: bool) -> EntrantView {
    let mut details = player.details.clone();
    if !is_staff {
        details.birth_year = None;
        details.sex = None;
        details.fide_id.clear();
    }
    EntrantView {
        number: player.number,
        name: player.name.clone(),
        account: player.account.map(String::from),
        seed: player.seed.map(|seed| seed.0),
        state: player.state.as_str().to_owned(),
        missed: event.missed_by(player.number),
        details,
    }
}

/// An event for a visitor.
pub(super) fn event_view(event: &Event, visitor: &Visitor, now: i64) -> EventView {
    let rights = Rights::in_event(visitor, event);
    let own = visitor.account_id().and_then(|account| event.player_of(account));
    let is_open =
        matches!(event.state, EventState::Registration | EventState::CheckIn | EventState::Running);
    let late = event.state != EventState::Running
        || match event.regulations.system {
            System::Arena => true,
            System::Swiss => event.next_round() <= event.regulations.entry.late_until,
            _ => false,
        };
    let join = visitor.is_player()
        && own.is_none_or(|own| !own.plays() && !event.barred.contains(&own.number))
        && is_open
        && late
        && !event.regulations.entry.invite_only;
    let leave = own.is_some_and(|own| {
        let may_go = event.state < EventState::Running || event.may_withdraw(own.number).is_ok();
        own.plays() && is_open && may_go
    });
    let your_games = own.map(|own| event.open_games(own.number)).unwrap_or_default();
    let playing = event.players.iter().filter(|player| player.plays()).count();
    EventView {
        id: event.id.to_string(),
        name: event.name.clone(),
        state: event.state.as_str().to_owned(),
        has_ended: event.state == EventState::Finished,
        visibility: event.visibility.as_str().to_owned(),
        starts_at: event.starts_at.map(|at| at.0),
        regulations: event.regulations.clone(),
        version: event.version,
        facts: event.facts,
        players: event
            .players
            .iter()
            .map(|player| entrant(event, player, rights.results))
            .collect(),
        arbiters: event.arbiters.iter().filter(|_| rights.results).map(arbiter).collect(),
        rounds: event.rounds.iter().map(summary).collect(),
        total_rounds: event.total_rounds(),
        suggestion: suggest_rounds(
            event.regulations.system,
            u16::try_from(playing).unwrap_or(u16::MAX),
        ),
        rights: RightsView { manage: rights.manage, results: rights.results, join, leave },
        you: own.map(|own| own.number),
        your_game: your_games.last().copied().map(String::from),
        your_games: your_games.into_iter().map(String::from).collect(),
        your_table: own.and_then(|own| table_of(event, own.number)),
        next_at: event.due_at.map(|at| at.0),
        ends_at: event.ends_at.map(|at| at.0),
        timer: event.round_timer(),
        stuck: event.stuck.clone().filter(|_| rights.results),
        now,
    }
}

fn arbiter(arbiter: &EventArbiter) -> ArbiterView {
    ArbiterView { account: arbiter.account.to_string(), name: arbiter.name.clone() }
}

/// Where somebody may report a result now: the own board of the last round, as long as it has none.
fn table_of(event: &Event, player: EntryNumber) -> Option<u16> {
    let board = event.rounds.last()?.board_of(player)?;
    let may_report = event.state == EventState::Running
        && event.regulations.results_by == ResultsBy::Players
        && board.result.is_none()
        && board.game.is_none();
    may_report.then_some(board.number)
}

fn summary(round: &EventRound) -> RoundSummary {
    let open = round.boards.iter().filter(|board| board.result.is_none()).count();
    RoundSummary {
        number: round.number,
        published_at: round.published_at.0,
        boards: u32::try_from(round.boards.len()).unwrap_or(u32::MAX),
        open: u32::try_from(open).unwrap_or(u32::MAX),
    }
}

/// A round with everybody's points before it.
pub(super) fn round_view(event: &Event, round: &EventRound) -> RoundView {
    // An arena has no points before a round: those of now are as near as it gets.
    let points = if event.regulations.system == System::Arena {
        points_of(&event.ranking())
    } else {
        points_before(event, round.number)
    };
    round_with(event, round, &points)
}

type Points = BTreeMap<EntryNumber, String>;

fn points_of(ranking: &Ranking) -> Points {
    ranking.rows.iter().map(|place| (place.player, place.points.clone())).collect()
}

fn points_before(event: &Event, round: u16) -> Points {
    let tournament = event.tournament();
    let before = round.saturating_sub(1);
    let score = |model| tournament.score_after(model, before).to_string();
    let seeded = event.seeded().into_iter().zip(&tournament.players);
    seeded.map(|(player, model)| (player.number, score(model))).collect()
}

fn board_view(board: &EventBoard, points: &Points) -> BoardView {
    let own = |player| points.get(&player).cloned().unwrap_or_default();
    BoardView {
        number: board.number,
        white: board.players.white,
        black: board.players.black,
        white_points: own(board.players.white),
        black_points: own(board.players.black),
        game: board.game.map(String::from),
        result: board.result,
        white_report: board.reports.white,
        black_report: board.reports.black,
    }
}

fn round_with(event: &Event, round: &EventRound, points: &Points) -> RoundView {
    RoundView {
        number: round.number,
        published_at: round.published_at.0,
        can_change: event.may_change(round.number),
        can_unpair: event.may_unpair(round.number),
        boards: round.boards.iter().map(|board| board_view(board, points)).collect(),
        byes: round
            .byes
            .iter()
            .map(|(player, bye)| ByeView { player: *player, bye: *bye })
            .collect(),
    }
}

/// The standings with the cross table.
pub(super) fn standings_view(event: &Event) -> StandingsView {
    let ranking = event.ranking();
    let mut all_cells =
        if event.regulations.system == System::Arena { arena_cells(event) } else { cells(event) };
    let row = |place: super::event::Place| StandingRow {
        cells: all_cells.remove(&place.player).unwrap_or_default(),
        rank: place.rank,
        player: place.player,
        points: place.points,
        values: place.values,
        performance: place.performance,
    };
    StandingsView {
        round: event.next_round() - 1,
        is_complete: event.is_complete(),
        tie_breaks_after: event.open_round().unwrap_or_else(|| event.next_round()) - 1,
        tie_breaks: ranking.tie_breaks,
        rows: ranking.rows.into_iter().map(row).collect(),
        bracket: bracket_view(event),
    }
}

/// Round by round, whoever has a pairing number.
fn cells(event: &Event) -> BTreeMap<EntryNumber, Vec<Cell>> {
    let tournament = event.tournament();
    let seeded = event.seeded().into_iter().zip(&tournament.players);
    seeded.map(|(player, model)| (player.number, cells_of(event, player.number, model))).collect()
}

/// Only the boards at which somebody sat: most waves of an arena are played by others.
fn arena_cells(event: &Event) -> BTreeMap<EntryNumber, Vec<Cell>> {
    let mut cells: BTreeMap<EntryNumber, Vec<Cell>> = BTreeMap::new();
    for board in event.rounds.iter().flat_map(|round| &round.boards) {
        for side in Color::ALL {
            cells.entry(board.players[side]).or_default().push(Cell {
                opponent: Some(board.players[side.other()]),
                color: Some(side),
                score: board.result.map(|result| result.of_side(side)).unwrap_or_default(),
                bye: None,
                game: board.game.map(String::from),
            });
        }
    }
    cells
}

fn cells_of(event: &Event, player: EntryNumber, model: &pairing::Player) -> Vec<Cell> {
    let cell = |(round, entry): (&EventRound, &Entry)| {
        if let Some(board) = round.board_of(player) {
            let side = board.side_of(player).unwrap_or(Color::White);
            return Cell {
                opponent: Some(board.players[side.other()]),
                color: Some(side),
                score: score_word(*entry, board.result.is_some()).to_owned(),
                bye: None,
                game: board.game.map(String::from),
            };
        }
        let bye = round.bye_of(player).or(match entry {
            Entry::Bye(pairing::Bye::Half) => Some(ByeKind::Half),
            Entry::Bye(pairing::Bye::Full) => Some(ByeKind::Full),
            _ => None,
        });
        Cell { bye, ..Cell::default() }
    };
    event.rounds.iter().zip(&model.rounds).map(cell).collect()
}

fn score_word(entry: Entry, is_over: bool) -> &'static str {
    match entry {
        _ if !is_over => "",
        Entry::Game { result: GameResult::Win, .. } => "1",
        Entry::Game { result: GameResult::Draw, .. } => "½",
        Entry::Game { result: GameResult::Loss, .. } => "0",
        Entry::Forfeit { won: true, .. } => "+",
        Entry::Forfeit { won: false, .. } => "-",
        Entry::Bye(_) => "",
    }
}

fn bracket_view(event: &Event) -> Option<BracketView> {
    let bracket = event.bracket()?;
    let last = bracket.rounds.len();
    let view = |found: &pairing::knockout::Match| {
        let is_third = usize::from(found.id.round) == last && found.id.number == 2;
        let from = |side: &Side| match side {
            Side::Seed(_) => None,
            Side::WinnerOf(id) | Side::LoserOf(id) => Some(id.number),
        };
        let halves = |halves: u16| {
            if halves.is_multiple_of(2) {
                (halves / 2).to_string()
            } else {
                format!("{}½", if halves > 1 { (halves / 2).to_string() } else { String::new() })
            }
        };
        let score =
            if found.games.is_empty() { Vec::new() } else { found.score().map(halves).to_vec() };
        MatchView {
            number: found.id.number,
            players: event.match_entries(found).to_vec(),
            from: found.sides.iter().map(from).collect(),
            score,
            winner: found.winner.and_then(|seed| event.entry_of(seed)),
            third_place: is_third,
        }
    };
    Some(BracketView {
        rounds: bracket.rounds.iter().map(|round| round.iter().map(view).collect()).collect(),
    })
}

/// A table as somebody finds it who scans its code.
pub(super) fn table_view(table: u16, found: &tables::Table, visitor: &Visitor) -> TableView {
    let event = &found.event;
    let name = |number| event.player(number).map(|player| player.name.clone());
    let board = found.seat.as_ref().map(|(_, board)| board);
    let rights = Rights::in_event(visitor, event);
    let own = visitor.account_id().and_then(|account| event.player_of(account));
    TableView {
        event: event.id.to_string(),
        event_name: event.name.clone(),
        table,
        round: found.seat.as_ref().map(|(round, _)| *round),
        white: board.and_then(|board| name(board.players.white)),
        black: board.and_then(|board| name(board.players.black)),
        you: own.zip(board).and_then(|(own, board)| board.side_of(own.number)),
        open: event.regulations.results_by == ResultsBy::Players
            && event.state == EventState::Running,
        staff: rights.results && event.state == EventState::Running,
        result: board.and_then(|board| board.result),
        white_report: board.and_then(|board| board.reports.white),
        black_report: board.and_then(|board| board.reports.black),
    }
}

/// What changes in the table between two states of an event, one sentence each.
pub(super) fn consequences(old: &Event, new: &Event, round: u16) -> Vec<String> {
    let before: BTreeMap<EntryNumber, (u16, String)> =
        old.ranking().rows.into_iter().map(|row| (row.player, (row.rank, row.points))).collect();
    let mut changes = Vec::new();
    if new.next_round() > round + 1 {
        changes.push(format!(
            "rounds {} to {} were paired with the old result and stay as they are",
            round + 1,
            new.next_round() - 1
        ));
    }
    for row in new.ranking().rows {
        let Some((rank, points)) = before.get(&row.player) else { continue };
        let name = new.player(row.player).map_or("", |player| player.name.as_str());
        if *points != row.points {
            changes.push(format!(
                "{name}: {points} → {} points, rank {rank} → {}",
                row.points, row.rank
            ));
        } else if *rank != row.rank {
            changes.push(format!("{name}: rank {rank} → {}", row.rank));
        }
    }
    changes.truncate(50);
    changes
}

/// An event as its room hears it.
pub(super) fn live_view(event: &Event, chat: Vec<EventLineView>, now: i64) -> EventLive {
    let row = |place: super::event::Place| LiveRow {
        rank: place.rank,
        player: place.player,
        points: place.points,
        values: place.values,
    };
    let count = |count: usize| u32::try_from(count).unwrap_or(u32::MAX);
    let ranking = event.ranking();
    let (round, open) = if event.regulations.system == System::Arena {
        let points = points_of(&ranking);
        let round = event.rounds.last().map(|round| round_with(event, round, &points));
        (round, open_boards(event, &points))
    } else {
        (event.rounds.last().map(|round| round_view(event, round)), Vec::new())
    };
    EventLive {
        state: event.state.as_str().to_owned(),
        players: count(event.players.len()),
        playing: count(event.players.iter().filter(|player| player.plays()).count()),
        facts: event.facts,
        round,
        open,
        rows: ranking.rows.into_iter().map(row).collect(),
        next_at: event.due_at.map(|at| at.0),
        ends_at: event.ends_at.map(|at| at.0),
        timer: event.round_timer(),
        is_stuck: event.stuck.is_some(),
        chat,
        now,
    }
}

/// The boards at which a game runs, of all waves of an arena.
fn open_boards(event: &Event, points: &Points) -> Vec<OpenBoard> {
    let boards =
        event.rounds.iter().flat_map(|round| round.boards.iter().map(move |board| (round, board)));
    boards
        .filter(|(_, board)| board.result.is_none())
        .map(|(round, board)| OpenBoard { round: round.number, board: board_view(board, points) })
        .collect()
}

/// The event of a game, for somebody who may see the event.
pub(super) fn event_of_game(event: &Event, game: GameId, visitor: &Visitor) -> EventOfGame {
    let own = visitor.account_id().and_then(|account| event.player_of(account));
    EventOfGame {
        id: event.id.to_string(),
        name: event.name.clone(),
        berserk: own.is_some_and(|own| event.may_berserk(game, own.number)),
        judges: Rights::in_event(visitor, event).results,
    }
}
