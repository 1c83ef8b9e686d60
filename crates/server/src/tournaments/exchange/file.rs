//! The event file of this program: everything of an event but who logs in.

use rules::{ByColor, UnixMillis};
use serde::{Deserialize, Serialize};
use store::{EntryState, EventVisibility};

use super::super::event::{
    ByeKind, Decision, Details, Elsewhere, Entrant, EntryNumber, Event, EventBoard, EventRound,
    Regulations, Score, System,
};

/// The form of the file: grows when an older program could not read it.
const FORM: u32 = 1;
/// The most rounds, and the most waves of an arena: five hours of them.
const MOST_ROUNDS: usize = 500;
const MOST_WAVES: usize = 10_000;

/// An event as a file.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct EventFile {
    rookery_event: u32,
    pub(crate) name: String,
    starts_at: Option<i64>,
    state: String,
    /// Who finds it; files of older programs do not say.
    #[serde(default)]
    visibility: Option<String>,
    /// When an arena is over.
    #[serde(default)]
    ends_at: Option<i64>,
    regulations: Regulations,
    #[serde(default)]
    decisions: Vec<Decision>,
    /// The last player of the accelerated group.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    last_accelerated: Option<EntryNumber>,
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
    /// Withdrawn by the director: does not come back by themselves.
    #[serde(default, skip_serializing_if = "is_not")]
    barred: bool,
    /// Where all games run at once: the games played before the withdrawal.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    left_after: Option<u16>,
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
    /// Arena: how many moves each side made.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    moves: Option<u16>,
    /// Arena: who halved the clock.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    berserks: Vec<EntryNumber>,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde hands a reference")]
fn is_not(flag: &bool) -> bool {
    !*flag
}

/// An event as a file.
pub(crate) fn write_file(event: &Event) -> EventFile {
    EventFile {
        rookery_event: FORM,
        name: event.name.clone(),
        starts_at: event.starts_at.map(|at| at.0),
        state: event.state.as_str().to_owned(),
        visibility: Some(event.visibility.as_str().to_owned()),
        ends_at: event.ends_at.map(|at| at.0),
        regulations: event.regulations.clone(),
        decisions: event.decisions.clone(),
        last_accelerated: event.last_accelerated,
        players: event
            .players
            .iter()
            .map(|player| FilePlayer {
                number: player.number,
                name: player.name.clone(),
                seed: player.seed.map(|seed| seed.0),
                withdrawn: !player.plays(),
                barred: event.barred.contains(&player.number),
                left_after: event
                    .left_after
                    .iter()
                    .find(|(left, _)| *left == player.number)
                    .map(|(_, played)| *played),
                details: player.details.clone(),
            })
            .collect(),
        rounds: event
            .rounds
            .iter()
            .map(|round| FileRound {
                round: round.number,
                published_at: round.published_at.0,
                boards: round
                    .boards
                    .iter()
                    .map(|board| file_board(event, round.number, board))
                    .collect(),
                byes: round.byes.clone(),
            })
            .collect(),
    }
}

fn file_board(event: &Event, round: u16, board: &EventBoard) -> FileBoard {
    let ByColor { white, black } = board.players;
    let (moves, berserks) = match board.game {
        Some(game) => {
            let length = event.lengths.iter().find(|(id, _)| *id == game);
            let who = event.berserks.iter().filter(|(id, _)| *id == game);
            (length.map(|(_, moves)| *moves), who.map(|(_, player)| *player).collect())
        }
        None => event
            .elsewhere
            .iter()
            .find(|game| (game.round, game.board) == (round, board.number))
            .map_or((None, Vec::new()), |game| (game.moves, game.berserks.clone())),
    };
    FileBoard { white, black, result: board.result, moves, berserks }
}

/// What an arena must know of the games of a file.
fn elsewhere(rounds: &[FileRound]) -> Vec<Elsewhere> {
    let mut known = Vec::new();
    for round in rounds {
        for (board, number) in round.boards.iter().zip(1..) {
            if board.moves.is_some() || !board.berserks.is_empty() {
                let (moves, berserks) = (board.moves, board.berserks.clone());
                known.push(Elsewhere { round: round.round, board: number, moves, berserks });
            }
        }
    }
    known
}

/// Fills a new event with what a file says. The event's own id, owner and secret stay.
pub(crate) fn read_file(text: &str, event: &mut Event) -> Result<(), String> {
    let file: EventFile = serde_json::from_str(text).map_err(|error| error.to_string())?;
    if file.rookery_event > FORM {
        return Err("this file was written by a newer program".to_owned());
    }
    // Every wave of an arena is a round, and there is one every two seconds.
    let is_arena = file.regulations.system == System::Arena;
    let most_rounds = if is_arena { MOST_WAVES } else { MOST_ROUNDS };
    if file.players.len() > 2_000 || file.rounds.len() > most_rounds {
        return Err("this event is too large".to_owned());
    }
    event.name = file.name;
    event.starts_at = file.starts_at.map(UnixMillis);
    event.state = super::trf::state_of(&file.state);
    if let Some(word) = file.visibility {
        event.visibility = visibility_of(&word);
    }
    event.ends_at = file.ends_at.map(UnixMillis);
    event.regulations = file.regulations;
    event.decisions = file.decisions;
    event.last_accelerated = file.last_accelerated;
    let barred = file.players.iter().filter(|player| player.barred);
    event.barred = barred.map(|player| player.number).collect();
    let left = file.players.iter();
    event.left_after =
        left.filter_map(|player| Some((player.number, player.left_after?))).collect();
    event.elsewhere = elsewhere(&file.rounds);
    event.players =
        file.players.into_iter().map(|player| entrant(player, event.created_at)).collect();
    event.players.sort_by_key(|player| player.number);
    event.rounds = file.rounds.into_iter().map(round).collect();
    event.rounds.sort_by_key(|round| round.number);
    Ok(())
}

/// A word that is not known hides rather than shows.
fn visibility_of(word: &str) -> EventVisibility {
    [EventVisibility::Public, EventVisibility::Unlisted]
        .into_iter()
        .find(|visibility| visibility.as_str() == word)
        .unwrap_or(EventVisibility::Private)
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
