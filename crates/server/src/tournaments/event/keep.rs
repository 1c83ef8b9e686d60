//! Between an event as a value and its rows: what is read, and what an action has to write.

use pairing::PairingNumber;
use rules::{ByColor, UnixMillis};
use serde::{Deserialize, Serialize};
use store::{
    AccountId, EventAction, EventChange, GameId, NewGame, StoreError, StoredBoard, StoredEntry,
    StoredEvent, StoredRound, WholeEvent,
};

use super::{
    ByeKind, Decision, Deed, Elsewhere, Entrant, EntryNumber, Event, EventArbiter, EventBoard,
    EventRound, Regulations, Reporter, RoundTimer, Score, Standstill,
};

/// What the column `settings` holds.
#[derive(Serialize, Deserialize)]
struct Kept {
    regulations: Regulations,
    #[serde(default)]
    decisions: Vec<Decision>,
    #[serde(default)]
    last_entry: EntryNumber,
    #[serde(default)]
    barred: Vec<EntryNumber>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    absent: Vec<EntryNumber>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    left_after: Vec<(EntryNumber, u16)>,
    #[serde(default)]
    last_accelerated: Option<EntryNumber>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    arbiters: Vec<EventArbiter>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    reporters: Vec<Reporter>,
    #[serde(default)]
    facts: i64,
    #[serde(default)]
    berserks: Vec<(GameId, EntryNumber)>,
    #[serde(default)]
    lengths: Vec<(GameId, u16)>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    elsewhere: Vec<Elsewhere>,
    #[serde(default)]
    ends_at: Option<i64>,
    #[serde(default)]
    lot_drawn: bool,
    #[serde(default)]
    reopened: bool,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    timer: Option<RoundTimer>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    drawn: Vec<EntryNumber>,
    #[serde(default)]
    stuck: Option<Standstill>,
}

/// Whether an event with these settings hides how genomes work.
pub fn hides_rules(settings: &str) -> bool {
    serde_json::from_str(settings).is_ok_and(|kept: Kept| kept.regulations.hidden_rules)
}

/// An event from its rows.
pub fn from_store(whole: WholeEvent) -> Result<Event, StoreError> {
    let WholeEvent { event, players, rounds } = whole;
    let kept: Kept = serde_json::from_str(&event.settings)?;
    Ok(Event {
        id: event.id,
        name: event.name,
        state: event.state,
        visibility: event.visibility,
        owner: event.owner,
        starts_at: event.starts_at,
        regulations: kept.regulations,
        decisions: kept.decisions,
        last_entry: kept.last_entry,
        barred: kept.barred,
        absent: kept.absent,
        left_after: kept.left_after,
        last_accelerated: kept.last_accelerated,
        arbiters: kept.arbiters,
        reporters: kept.reporters,
        facts: kept.facts,
        berserks: kept.berserks,
        lengths: kept.lengths,
        elsewhere: kept.elsewhere,
        ends_at: kept.ends_at.map(UnixMillis),
        lot_drawn: kept.lot_drawn,
        reopened: kept.reopened,
        timer: kept.timer,
        drawn: kept.drawn,
        stuck: kept.stuck,
        version: event.version,
        due_at: event.due_at,
        table_key: event.table_key,
        created_at: event.created_at,
        changed_at: event.changed_at,
        players: players.into_iter().map(entrant).collect::<Result<_, _>>()?,
        rounds: rounds.into_iter().map(round).collect::<Result<_, _>>()?,
    })
}

fn damaged(what: &str) -> StoreError {
    StoreError::Damaged(format!("{what} of an event makes no sense"))
}

fn entrant(row: StoredEntry) -> Result<Entrant, StoreError> {
    let seed = |seed: i64| u16::try_from(seed).map(PairingNumber).map_err(|_| damaged("a seed"));
    Ok(Entrant {
        number: number(row.number)?,
        account: row.account,
        name: row.name,
        seed: row.seed.map(seed).transpose()?,
        state: row.state,
        details: serde_json::from_str(&row.details)?,
        entered_at: row.entered_at,
    })
}

fn number(number: i64) -> Result<EntryNumber, StoreError> {
    EntryNumber::try_from(number).map_err(|_| damaged("a player"))
}

fn round(row: StoredRound) -> Result<EventRound, StoreError> {
    let small = |number: i64| u16::try_from(number).map_err(|_| damaged("a round"));
    let score = |text: Option<String>| {
        text.map(|text| Score::parse(&text).ok_or_else(|| damaged("a result"))).transpose()
    };
    let board = |row: StoredBoard| {
        Ok(EventBoard {
            number: small(row.board)?,
            players: ByColor { white: number(row.white)?, black: number(row.black)? },
            game: row.game,
            result: score(row.result)?,
            reports: ByColor { white: score(row.white_report)?, black: score(row.black_report)? },
        })
    };
    let bye = |(player, word): (i64, String)| {
        Ok((number(player)?, ByeKind::parse(&word).ok_or_else(|| damaged("a bye"))?))
    };
    Ok(EventRound {
        number: small(row.round)?,
        published_at: row.published_at,
        boards: row.boards.into_iter().map(board).collect::<Result<_, StoreError>>()?,
        byes: row.byes.into_iter().map(bye).collect::<Result<_, StoreError>>()?,
    })
}

/// Who did something, and when.
#[derive(Debug, Clone, Copy)]
pub struct Doing {
    /// Who; nobody: the program.
    pub actor: Option<AccountId>,
    /// When.
    pub at: UnixMillis,
}

/// Everything of a new event.
pub fn to_new(event: &Event, deed: &Deed, doing: Doing) -> Result<EventChange, StoreError> {
    let nothing = Event { players: Vec::new(), rounds: Vec::new(), ..event.clone() };
    change_between(&nothing, event, Vec::new(), deed, doing)
}

/// What makes the rows of `new` out of those of `old`.
pub fn change_between(
    old: &Event,
    new: &Event,
    games: Vec<NewGame>,
    deed: &Deed,
    doing: Doing,
) -> Result<EventChange, StoreError> {
    let is_new = |player: &&Entrant| {
        old.players
            .binary_search_by_key(&player.number, |o| o.number)
            .map_or(true, |place| old.players[place] != **player)
    };
    let changed = new.players.iter().filter(is_new);
    let players = changed.map(stored_entry).collect::<Result<_, _>>()?;
    let gone = |player: &&Entrant| new.player(player.number).is_none();
    let (mut rounds, mut boards) = (Vec::new(), Vec::new());
    for round in &new.rounds {
        match old.round(round.number) {
            Some(before) if before == round => {}
            Some(before) if has_same_seats(before, round) => {
                let changed =
                    round.boards.iter().zip(&before.boards).filter(|(now, then)| now != then);
                boards.extend(changed.map(|(now, _)| (i64::from(round.number), stored_board(now))));
            }
            _ => rounds.push(stored_round(round)),
        }
    }
    let is_gone = |round: &&EventRound| new.round(round.number).is_none();
    let kept = Kept {
        regulations: new.regulations.clone(),
        decisions: new.decisions.clone(),
        last_entry: new.last_entry,
        barred: new.barred.clone(),
        absent: new.absent.clone(),
        left_after: new.left_after.clone(),
        last_accelerated: new.last_accelerated,
        arbiters: new.arbiters.clone(),
        reporters: new.reporters.clone(),
        facts: new.facts,
        berserks: new.berserks.clone(),
        lengths: new.lengths.clone(),
        elsewhere: new.elsewhere.clone(),
        ends_at: new.ends_at.map(|at| at.0),
        lot_drawn: new.lot_drawn,
        reopened: new.reopened,
        timer: new.timer,
        drawn: new.drawn.clone(),
        stuck: new.stuck.clone(),
    };
    Ok(EventChange {
        event: StoredEvent {
            id: new.id,
            name: new.name.clone(),
            state: new.state,
            visibility: new.visibility,
            owner: new.owner,
            starts_at: new.starts_at,
            settings: serde_json::to_string(&kept)?,
            version: new.version,
            due_at: new.due_at,
            table_key: new.table_key.clone(),
            created_at: new.created_at,
            changed_at: new.changed_at,
        },
        players,
        removed_players: old
            .players
            .iter()
            .filter(gone)
            .map(|player| player.number.into())
            .collect(),
        rounds,
        boards,
        removed_rounds: old
            .rounds
            .iter()
            .filter(is_gone)
            .map(|round| round.number.into())
            .collect(),
        games,
        action: EventAction {
            version: new.version,
            at: doing.at,
            actor: doing.actor,
            act: deed.act.to_owned(),
            detail: deed.detail.chars().take(1_000).collect(),
            undo: deed.undo.as_ref().map(serde_json::to_string).transpose()?,
        },
    })
}

fn has_same_seats(before: &EventRound, now: &EventRound) -> bool {
    let seats = |round: &EventRound| {
        round.boards.iter().map(|board| (board.number, board.players)).collect::<Vec<_>>()
    };
    before.byes == now.byes && seats(before) == seats(now)
}

fn stored_entry(player: &Entrant) -> Result<StoredEntry, StoreError> {
    Ok(StoredEntry {
        number: player.number.into(),
        account: player.account,
        name: player.name.clone(),
        seed: player.seed.map(|seed| seed.0.into()),
        state: player.state,
        details: serde_json::to_string(&player.details)?,
        entered_at: player.entered_at,
    })
}

fn stored_board(board: &EventBoard) -> StoredBoard {
    let word = |score: Option<Score>| score.map(|score| score.as_str().to_owned());
    StoredBoard {
        board: board.number.into(),
        white: board.players.white.into(),
        black: board.players.black.into(),
        game: board.game,
        result: word(board.result),
        white_report: word(board.reports.white),
        black_report: word(board.reports.black),
    }
}

fn stored_round(round: &EventRound) -> StoredRound {
    StoredRound {
        round: round.number.into(),
        published_at: round.published_at,
        boards: round.boards.iter().map(stored_board).collect(),
        byes: round
            .byes
            .iter()
            .map(|(player, bye)| ((*player).into(), bye.as_str().to_owned()))
            .collect(),
    }
}
