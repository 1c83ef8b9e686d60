//! What the outside sees of events: bodies of requests and answers.

use rules::Color;
use serde::{Deserialize, Serialize};
use store::EventLine;
use utoipa::{IntoParams, ToSchema};

use super::event::{
    BoardPlan, ByeKind, Details, EntryNumber, Person, Regulations, RoundTimer, Score, Standstill,
    Suggestion, System, TimerAct,
};
use crate::games::wire::{PlayerView, TimeControlView};

/// An event to be made, or what it becomes.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct EventForm {
    /// The name.
    pub name: String,
    /// `public`, `unlisted` or `private`.
    #[serde(default = "public")]
    pub visibility: String,
    /// When it begins, Unix milliseconds.
    #[serde(default)]
    pub starts_at: Option<i64>,
    /// The regulations.
    #[serde(default)]
    pub regulations: Regulations,
}

fn public() -> String {
    "public".to_owned()
}

/// An event in a list.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct EventCard {
    /// Its name among machines.
    pub id: String,
    /// Its name.
    pub name: String,
    /// `draft`, `registration`, `check_in`, `running` or `finished`.
    pub state: String,
    /// `public`, `unlisted` or `private`.
    pub visibility: String,
    /// When it begins.
    pub starts_at: Option<i64>,
    /// How opponents are found.
    pub system: System,
    /// Whether the games are played on this server.
    pub online: bool,
    /// Where it is played.
    pub place: String,
    /// The time control.
    pub time: TimeControlView,
    /// Whether online games count for ratings.
    pub rated: bool,
    /// How many play.
    pub players: u32,
    /// How many rounds were published.
    pub rounds: u32,
    /// When it was made.
    pub created_at: i64,
}

/// A page of events, the latest first: by the day they begin, or were made if that is open.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct EventPage {
    /// The events.
    pub events: Vec<EventCard>,
    /// What to ask for as `before` to see the next page; none on the last.
    pub next: Option<String>,
}

/// Which events to list.
#[derive(Debug, Default, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct EventListQuery {
    /// What the name contains.
    pub query: Option<String>,
    /// Where they stand.
    pub state: Option<String>,
    /// Those that begin at this moment or later.
    pub from: Option<i64>,
    /// Those that begin before this moment.
    pub until: Option<i64>,
    /// If given: those in which the one who asks plays, or which they made.
    pub mine: Option<String>,
    /// The `next` of the page before.
    pub before: Option<String>,
}

/// Somebody who plays.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct EntrantView {
    /// The number in the event.
    pub number: EntryNumber,
    /// The name.
    pub name: String,
    /// The account, if any; its page is `/@/NAME`.
    pub account: Option<String>,
    /// The pairing number, once the event has begun.
    pub seed: Option<u16>,
    /// `entered`, `checked_in` or `withdrawn`.
    pub state: String,
    /// How many rounds were paired before they came.
    pub missed: u16,
    /// What else is known. Year of birth and FIDE number are for those who run the event.
    #[serde(flatten)]
    pub details: Details,
}

/// What the one who asks may do.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "four questions, each with a yes or no of its own"
)]
pub struct RightsView {
    /// Everything.
    pub manage: bool,
    /// Enter results.
    pub results: bool,
    /// Enter the event.
    pub join: bool,
    /// Leave it, or withdraw from it, without asking anybody.
    pub leave: bool,
}

/// A round in short.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct RoundSummary {
    /// From 1.
    pub number: u16,
    /// When it was published.
    pub published_at: i64,
    /// The boards.
    pub boards: u32,
    /// Boards without a result.
    pub open: u32,
}

/// An event with its players.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct EventView {
    /// Its name among machines.
    pub id: String,
    /// Its name.
    pub name: String,
    /// `draft`, `registration`, `check_in`, `running` or `finished`.
    pub state: String,
    /// Whether it has ended.
    pub has_ended: bool,
    /// `public`, `unlisted` or `private`.
    pub visibility: String,
    /// When it begins.
    pub starts_at: Option<i64>,
    /// The regulations.
    pub regulations: Regulations,
    /// The number of actions so far.
    pub version: i64,
    /// The action that last changed something else than results of the last round.
    pub facts: i64,
    /// Who plays, in the order of entry.
    pub players: Vec<EntrantView>,
    /// Arbiters of this event alone; for those who run it.
    pub arbiters: Vec<ArbiterView>,
    /// The rounds so far.
    pub rounds: Vec<RoundSummary>,
    /// How many rounds there will be, if that is known.
    pub total_rounds: Option<u16>,
    /// How many rounds would suit this number of players.
    pub suggestion: Suggestion,
    /// What the one who asks may do.
    pub rights: RightsView,
    /// The number under which the one who asks plays.
    pub you: Option<EntryNumber>,
    /// The game the one who asks plays in this event now.
    pub your_game: Option<String>,
    /// All games the one who asks still has to play here.
    pub your_games: Vec<String>,
    /// The table at which the one who asks sits and may say how the game ended.
    pub your_table: Option<u16>,
    /// When the next round begins by itself.
    pub next_at: Option<i64>,
    /// When an arena is over.
    pub ends_at: Option<i64>,
    /// The timer of the hall for the last round; none: it has not begun.
    pub timer: Option<RoundTimer>,
    /// Why the event does not move on by itself though it should; for those who run it.
    pub stuck: Option<Standstill>,
    /// The server's moment, to compare others with.
    pub now: i64,
}

/// A board of a round.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct BoardView {
    /// From 1.
    pub number: u16,
    /// Who has White.
    pub white: EntryNumber,
    /// Who has Black.
    pub black: EntryNumber,
    /// White's points before the round; in an arena, now.
    pub white_points: String,
    /// Black's.
    pub black_points: String,
    /// The game, if it is played here.
    pub game: Option<String>,
    /// How it ended.
    pub result: Option<Score>,
    /// What White says it is, until the other agrees.
    pub white_report: Option<Score>,
    /// What Black says.
    pub black_report: Option<Score>,
}

/// Somebody who is free.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ByeView {
    /// Who.
    pub player: EntryNumber,
    /// Which bye.
    pub bye: ByeKind,
}

/// A round.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct RoundView {
    /// From 1.
    pub number: u16,
    /// When it was published.
    pub published_at: i64,
    /// Whether those who run the event may still change who sits where.
    pub can_change: bool,
    /// Whether they may take it back, if nobody has moved in its games.
    pub can_unpair: bool,
    /// The boards.
    pub boards: Vec<BoardView>,
    /// Who is free.
    pub byes: Vec<ByeView>,
}

/// One round of one player in the cross table.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Cell {
    /// Against whom.
    pub opponent: Option<EntryNumber>,
    /// With which pieces.
    pub color: Option<Color>,
    /// `1`, `½`, `0`, `+`, `-`, or empty while it is played.
    pub score: String,
    /// The bye, if it was one.
    pub bye: Option<ByeKind>,
    /// The game, if it was played here.
    pub game: Option<String>,
}

/// One line of the standings.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct StandingRow {
    /// The rank; equal for those whom nothing tells apart.
    pub rank: u16,
    /// Who.
    pub player: EntryNumber,
    /// The points.
    pub points: String,
    /// The tie-breaks, in their order.
    pub values: Vec<Option<String>>,
    /// How strong they played, if it can be said.
    pub performance: Option<String>,
    /// Round by round; in an arena, game by game.
    pub cells: Vec<Cell>,
}

/// The standings, with the cross table in them.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct StandingsView {
    /// After how many rounds; boards of the last one may be open.
    pub round: u16,
    /// Whether no board is open.
    pub is_complete: bool,
    /// After how many rounds the tie-breaks are counted: in a Swiss, those that are complete. Points count at once.
    pub tie_breaks_after: u16,
    /// The tie-breaks in their order.
    pub tie_breaks: Vec<String>,
    /// The lines, the first first.
    pub rows: Vec<StandingRow>,
    /// The bracket of a knockout.
    pub bracket: Option<BracketView>,
}

/// A match of a knockout.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct MatchView {
    /// The match in its round, from 1.
    pub number: u16,
    /// Who plays, as far as it is known.
    pub players: Vec<Option<EntryNumber>>,
    /// The match of the round before that each comes from, from 1; none for who was seeded here.
    pub from: Vec<Option<u16>>,
    /// The points of both in the games of the match.
    pub score: Vec<String>,
    /// Who advances.
    pub winner: Option<EntryNumber>,
    /// Whether it is for the third place.
    pub third_place: bool,
}

/// The bracket of a knockout.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct BracketView {
    /// The matches, round by round.
    pub rounds: Vec<Vec<MatchView>>,
}

/// A player of an event, with all rounds.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct PlayerCard {
    /// Who.
    pub player: EntrantView,
    /// Where they stand.
    pub standing: Option<StandingRow>,
    /// The average rating of the opponents who have one.
    pub opponents: Option<u16>,
    /// Games with White and with Black.
    pub whites: u16,
    /// Games with Black.
    pub blacks: u16,
    /// What rated games of this event did to the rating.
    pub rating_change: Option<i64>,
    /// Over the board: what its games would do to a rating of FIDE, in tenths of a point, as far as ratings are known.
    /// The federation's own computation is what counts.
    pub expected_change: Option<i64>,
}

/// With which coefficient to expect a change of rating.
#[derive(Debug, Default, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct CoefficientQuery {
    /// 10, 20 or 40; 20 if absent.
    pub k: Option<u8>,
}

/// Another state.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct StateForm {
    /// `draft`, `registration`, `check_in`, `running` or `finished`.
    pub state: String,
}

/// People to be entered.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct PeopleForm {
    /// People without an account.
    #[serde(default)]
    pub people: Vec<Person>,
    /// Members of the club, by name.
    #[serde(default)]
    pub members: Vec<String>,
}

/// A list as it was pasted.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct PastedList {
    /// One person a line: a name, or columns with or without a head line.
    pub text: String,
}

/// People that were read from a list, to be looked at before they are entered.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct ReadList {
    /// The people.
    pub people: Vec<Person>,
    /// Lines that could not be read, one sentence each.
    pub problems: Vec<String>,
}

/// Whether somebody is there.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct PresenceForm {
    /// There or not.
    pub present: bool,
}

/// A bye.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct ByeForm {
    /// Which; none cancels it. A player may ask for `half` only.
    pub bye: Option<ByeKind>,
}

/// A round to be published, if it is not the one that was proposed.
#[derive(Debug, Clone, Default, Serialize, Deserialize, ToSchema)]
pub struct RoundForm {
    /// The boards, the first first; if absent, those of the proposal.
    #[serde(default)]
    pub boards: Option<Vec<BoardPlan>>,
    /// Who is free.
    #[serde(default)]
    pub byes: Vec<ByeView>,
    /// The `version` of the proposal: if something has happened in the event since, the round is not published. If
    /// absent, nobody has looked at a proposal.
    #[serde(default)]
    pub version: Option<i64>,
}

/// What speaks against a round that was changed by hand.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct Warnings {
    /// One sentence each; none: nothing.
    pub warnings: Vec<String>,
}

/// What the timer of the hall does.
#[derive(Debug, Clone, Copy, Serialize, Deserialize, ToSchema)]
pub struct TimerForm {
    /// What.
    pub act: TimerAct,
    /// To extend: how many minutes more, or fewer.
    #[serde(default)]
    pub minutes: i32,
}

/// The order of the numbers in a table or a bracket.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct NumbersForm {
    /// Everybody, the first first; empty: by strength.
    #[serde(default)]
    pub order: Vec<EntryNumber>,
    /// The server draws the order.
    #[serde(default)]
    pub by_lot: bool,
}

/// How a board ended.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct ResultForm {
    /// How; none opens it again.
    pub result: Option<Score>,
    /// Why, for the log and for the players of a game that is played here.
    #[serde(default)]
    pub reason: Option<String>,
    /// Only say what would follow.
    #[serde(default)]
    pub dry_run: bool,
}

/// What a result changes.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct Consequences {
    /// One sentence each.
    pub changes: Vec<String>,
    /// Whether it was done.
    pub is_done: bool,
}

/// Who wins a match of a knockout.
#[derive(Debug, Clone, Copy, Serialize, Deserialize, ToSchema)]
pub struct DecisionForm {
    /// Who advances.
    pub winner: EntryNumber,
    /// Who does not.
    pub loser: EntryNumber,
    /// The two are named in any order, and the server draws who advances.
    #[serde(default)]
    pub by_lot: bool,
}

/// A result by somebody at the table.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct ReportForm {
    /// The code on the table.
    #[serde(default)]
    pub code: Option<String>,
    /// The round it is about.
    pub round: u16,
    /// Who says it.
    pub side: Color,
    /// How it ended.
    pub result: Score,
}

/// The code on a table.
#[derive(Debug, Default, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct CodeQuery {
    /// The code.
    pub code: Option<String>,
}

/// A table as somebody finds it who scans its code.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct TableView {
    /// The event.
    pub event: String,
    /// Its name.
    pub event_name: String,
    /// The table.
    pub table: u16,
    /// The round; none if nobody sits there now.
    pub round: Option<u16>,
    /// Who has White.
    pub white: Option<String>,
    /// Who has Black.
    pub black: Option<String>,
    /// The side of the one who asks, if they sit there and are logged in.
    pub you: Option<Color>,
    /// Whether players enter results here.
    pub open: bool,
    /// Whether the one who asks may set any result, as an arbiter does.
    pub staff: bool,
    /// How it ended.
    pub result: Option<Score>,
    /// What White says.
    pub white_report: Option<Score>,
    /// What Black says.
    pub black_report: Option<Score>,
}

/// Something that was done.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct ActionView {
    /// The version of the event that it made.
    pub version: i64,
    /// When.
    pub at: i64,
    /// Who; none: the program by itself, or somebody with the code of a table.
    pub by: Option<String>,
    /// What, in one word.
    pub act: String,
    /// What else there is to say.
    pub detail: String,
    /// Whether it could be taken back now.
    pub can_undo: bool,
}

/// A page of what was done, the newest first.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct ActionPage {
    /// The actions.
    pub actions: Vec<ActionView>,
    /// What to ask for as `before` to see the next page; none on the last.
    pub next: Option<i64>,
}

/// A file with an event.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct ImportForm {
    /// The text of a TRF file (TRF16 or TRF-2026), or of an event file of this program.
    pub text: String,
}

/// An event that was made of a file.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct ImportedEvent {
    /// The event.
    #[serde(flatten)]
    pub event: EventView,
    /// What was odd about the file, and what of it the event does not hold, one sentence each.
    pub warnings: Vec<String>,
}

/// The groups of the club, for events that are for one of them.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct GroupList {
    /// Their names.
    pub groups: Vec<String>,
}

/// A member who becomes an arbiter of an event.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct ArbiterForm {
    /// The name.
    pub name: String,
}

/// An arbiter of an event.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ArbiterView {
    /// The account.
    pub account: String,
    /// The name.
    pub name: String,
}

/// Whether players come along.
#[derive(Debug, Clone, Default, Serialize, Deserialize, ToSchema)]
pub struct CopyForm {
    /// The players too.
    #[serde(default)]
    pub players: bool,
}

/// The name of an event, to delete it.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct DeleteForm {
    /// The name.
    pub name: String,
}

/// Something that was said in the room of an event.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct EventLineView {
    /// Its number in the event.
    pub number: i64,
    /// By whom.
    pub by: PlayerView,
    /// What.
    pub text: String,
    /// When.
    pub at: i64,
}

impl From<&EventLine> for EventLineView {
    fn from(line: &EventLine) -> Self {
        EventLineView {
            number: line.number,
            by: PlayerView::from(&line.by),
            text: line.text.clone(),
            at: line.at.0,
        }
    }
}

/// Where somebody stands, in short.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct LiveRow {
    /// The rank.
    pub rank: u16,
    /// Who.
    pub player: EntryNumber,
    /// The points.
    pub points: String,
    /// The tie-breaks, in their order.
    pub values: Vec<Option<String>>,
}

/// A board at which a game runs.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct OpenBoard {
    /// The wave it belongs to.
    pub round: u16,
    /// The board.
    #[serde(flatten)]
    pub board: BoardView,
}

/// The event that a game belongs to.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct EventOfGame {
    /// Its name among machines.
    pub id: String,
    /// Its name.
    pub name: String,
    /// Whether the one who asks may halve the own clock in this game, before the own first move.
    pub berserk: bool,
    /// Whether the one who asks may open the event's games at the arbiter's desk.
    #[serde(default)]
    pub judges: bool,
}

/// Whether a game belongs to an event.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct GameEvent {
    /// The event, if there is one and the one who asks may know of it.
    pub event: Option<EventOfGame>,
}

/// An event as its room hears it. Names come with the event itself: ask for it again when `players` has changed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct EventLive {
    /// `draft`, `registration`, `check_in`, `running` or `finished`.
    pub state: String,
    /// How many entered; changes with who plays.
    pub players: u32,
    /// How many play now.
    pub playing: u32,
    /// Grows with whatever is not a result of the last round: players, byes, regulations, corrections. Ask for the
    /// event again when it has.
    pub facts: i64,
    /// The last round.
    pub round: Option<RoundView>,
    /// Arena: the boards at which games run, of all waves. Empty elsewhere.
    pub open: Vec<OpenBoard>,
    /// Where everybody stands.
    pub rows: Vec<LiveRow>,
    /// When the next round begins by itself.
    pub next_at: Option<i64>,
    /// When an arena is over.
    pub ends_at: Option<i64>,
    /// The timer of the hall for the last round; none: it has not begun.
    pub timer: Option<RoundTimer>,
    /// Whether it waits for the director though it should move on by itself.
    pub is_stuck: bool,
    /// The last lines of the room.
    pub chat: Vec<EventLineView>,
    /// The server's moment, to compare others with.
    pub now: i64,
}
