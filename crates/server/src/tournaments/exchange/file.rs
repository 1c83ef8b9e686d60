//! The event file of this program: everything of an event but who logs in.

use rules::{ByColor, UnixMillis};
use serde::{Deserialize, Serialize};
use store::EntryState;

use super::super::event::{
    ByeKind, Decision, Details, Entrant, EntryNumber, Event, EventBoard, EventRound, Regulations,
    Score,
};

/// The form of the file: grows when an older program could not read it.
const FORM: u32 = 1;

/// An event as a file.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct EventFile {
    rookery_event: u32,
    pub(crate) name: String,
    starts_at: Option<i64>,
    state: String,
    regulations: Regulations,
    #[serde(default)]
    decisions: Vec<Decision>,
    players: Vec<FilePlayer>,
    rounds: Vec<FileRound>,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
struct FilePlayer {
    number: EntryNumber,
    name: String,
    seed: Option<u16>,
    #[serde(default)]
    withdrawn: bool,
    #[serde(flatten)]
    details: Details,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
struct FileRound {
    round: u16,
    published_at: i64,
    boards: Vec<FileBoard>,
    byes: Vec<(EntryNumber, ByeKind)>,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
struct FileBoard {
    white: EntryNumber,
    black: EntryNumber,
    result: Option<Score>,
}

/// An event as a file.
pub(crate) fn write_file(event: &Event) -> EventFile {
    EventFile {
        rookery_event: FORM,
        name: event.name.clone(),
        starts_at: event.starts_at.map(|at| at.0),
        state: event.state.as_str().to_owned(),
        regulations: event.regulations.clone(),
        decisions: event.decisions.clone(),
        players: event
            .players
            .iter()
            .map(|player| FilePlayer {
                number: player.number,
                name: player.name.clone(),
                seed: player.seed.map(|seed| seed.0),
                withdrawn: !player.plays(),
                details: player.details.clone(),
            })
            .collect(),
        rounds: event
            .rounds
            .iter()
            .map(|round| FileRound {
                round: round.number,
                published_at: round.published_at.0,
                boards: round.boards.iter().map(file_board).collect(),
                byes: round.byes.clone(),
            })
            .collect(),
    }
}

fn file_board(board: &EventBoard) -> FileBoard {
    let ByColor { white, black } = board.players;
    FileBoard { white, black, result: board.result }
}

/// Fills a new event with what a file says. The event's own id, owner and secret stay.
pub(crate) fn read_file(text: &str, event: &mut Event) -> Result<(), String> {
    let file: EventFile = serde_json::from_str(text).map_err(|error| error.to_string())?;
    if file.rookery_event > FORM {
        return Err("this file was written by a newer program".to_owned());
    }
    if file.players.len() > 2_000 || file.rounds.len() > 500 {
        return Err("this event is too large".to_owned());
    }
    event.name = file.name;
    event.starts_at = file.starts_at.map(UnixMillis);
    event.state = super::trf::state_of(&file.state);
    event.regulations = file.regulations;
    event.decisions = file.decisions;
    event.players =
        file.players.into_iter().map(|player| entrant(player, event.created_at)).collect();
    event.players.sort_by_key(|player| player.number);
    event.rounds = file.rounds.into_iter().map(round).collect();
    event.rounds.sort_by_key(|round| round.number);
    Ok(())
}

fn entrant(player: FilePlayer, now: UnixMillis) -> Entrant {
    Entrant {
        number: player.number,
        account: None,
        name: player.name,
        seed: player.seed.map(pairing::PairingNumber),
        state: if player.withdrawn { EntryState::Withdrawn } else { EntryState::Entered },
        details: player.details,
        entered_at: now,
    }
}

fn round(round: FileRound) -> EventRound {
    let board = |(board, number): (FileBoard, u16)| EventBoard {
        number,
        players: ByColor { white: board.white, black: board.black },
        game: None,
        result: board.result,
        reports: ByColor::same(None),
    };
    EventRound {
        number: round.round,
        published_at: UnixMillis(round.published_at),
        boards: round.boards.into_iter().zip(1..).map(board).collect(),
        byes: round.byes,
    }
}
