//! The socket's messages. Tag `t`; a room's first message is its whole state, each later one has the next version.

use std::fmt;
use std::str::FromStr;

use rules::{Color, Variant};
use serde::{Deserialize, Serialize};
use store::{EventId, GameId};
use utoipa::ToSchema;

use crate::analysis::report::wire::ReportStateView;
use crate::analysis::wire::{AnalysisAim, AnalysisState, EngineLineView, PositionQuestion};
use crate::games::wire::{
    Around, ChatLineView, ChatRoomView, ClocksView, GameCard, GameChange, GameView,
    RatingChangeView, Sides, TimeControlView,
};
use crate::lobby::wire::{ChallengeView, QueuePlace};
use crate::tournaments::wire::{EventLineView, EventLive};

/// A place that a socket can listen to: `game:ID`, `challenge:ID`, `lobby` or `me`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub enum Room {
    /// A game.
    Game(GameId),
    /// A challenge that waits for somebody.
    Challenge(GameId),
    /// Running games, open seeks, who is there.
    Lobby,
    /// What concerns the one who listens.
    Me,
    /// An event: its round, its standings.
    Event(EventId),
}

/// No such kind of room.
#[derive(Debug, thiserror::Error)]
#[error("a room is `lobby`, `me`, `game:ID`, `challenge:ID` or `event:ID`")]
pub struct NotARoom;

impl FromStr for Room {
    type Err = NotARoom;
    fn from_str(text: &str) -> Result<Room, NotARoom> {
        match text.split_once(':') {
            Some(("game", id)) => id.parse().map(Room::Game).map_err(|_| NotARoom),
            Some(("challenge", id)) => id.parse().map(Room::Challenge).map_err(|_| NotARoom),
            Some(("event", id)) => id.parse().map(Room::Event).map_err(|_| NotARoom),
            None if text == "lobby" => Ok(Room::Lobby),
            None if text == "me" => Ok(Room::Me),
            _ => Err(NotARoom),
        }
    }
}

impl TryFrom<String> for Room {
    type Error = NotARoom;
    fn try_from(text: String) -> Result<Room, NotARoom> {
        text.parse()
    }
}

impl From<Room> for String {
    fn from(room: Room) -> String {
        room.to_string()
    }
}

impl fmt::Display for Room {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Room::Game(id) => write!(f, "game:{id}"),
            Room::Challenge(id) => write!(f, "challenge:{id}"),
            Room::Event(id) => write!(f, "event:{id}"),
            Room::Lobby => f.write_str("lobby"),
            Room::Me => f.write_str("me"),
        }
    }
}

/// What a client says.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(tag = "t", rename_all = "snake_case")]
pub enum ClientMsg {
    /// Listen to a room; the answer is its state.
    Join {
        /// Which.
        #[schema(value_type = String)]
        room: Room,
    },
    /// Listen no more.
    Leave {
        /// Which.
        #[schema(value_type = String)]
        room: Room,
    },
    /// Listen again after a gap; the answer is what was missed, or the state.
    Resume {
        /// Which.
        #[schema(value_type = String)]
        room: Room,
        /// The last version seen.
        version: u32,
    },
    /// Ask whether the line lives; the answer is `pong`.
    Ping,
    /// Make a move. May be sent twice: the second time changes nothing.
    Move {
        /// In which game.
        #[schema(value_type = String)]
        game: GameId,
        /// The game's ply when the move was made.
        ply: u32,
        /// The move as UCI or SAN.
        uci: String,
    },
    /// Give up.
    Resign {
        /// In which game.
        #[schema(value_type = String)]
        game: GameId,
    },
    /// Offer a draw.
    OfferDraw {
        /// In which game.
        #[schema(value_type = String)]
        game: GameId,
    },
    /// Accept the offered draw.
    AcceptDraw {
        /// In which game.
        #[schema(value_type = String)]
        game: GameId,
    },
    /// Decline the offered draw.
    DeclineDraw {
        /// In which game.
        #[schema(value_type = String)]
        game: GameId,
    },
    /// Ask to take the own last move back.
    OfferTakeback {
        /// In which game.
        #[schema(value_type = String)]
        game: GameId,
    },
    /// Allow it.
    AcceptTakeback {
        /// In which game.
        #[schema(value_type = String)]
        game: GameId,
    },
    /// Do not allow it.
    DeclineTakeback {
        /// In which game.
        #[schema(value_type = String)]
        game: GameId,
    },
    /// Ask to adjourn the game, or to go on with it.
    OfferAdjournment {
        /// Which game.
        #[schema(value_type = String)]
        game: GameId,
    },
    /// Agree to it.
    AcceptAdjournment {
        /// Which game.
        #[schema(value_type = String)]
        game: GameId,
    },
    /// Do not agree.
    DeclineAdjournment {
        /// Which game.
        #[schema(value_type = String)]
        game: GameId,
    },
    /// Give the other 15 seconds.
    GiveTime {
        /// In which game.
        #[schema(value_type = String)]
        game: GameId,
    },
    /// Claim a draw by repetition or fifty moves.
    ClaimDraw {
        /// In which game.
        #[schema(value_type = String)]
        game: GameId,
        /// The move one intends, if it is the position after it that one claims.
        #[serde(default)]
        uci: Option<String>,
    },
    /// Claim the game because the other has left.
    ClaimAbandonment {
        /// Which game.
        #[schema(value_type = String)]
        game: GameId,
        /// What is claimed.
        claim: ClaimView,
    },
    /// Say something at a board.
    Chat {
        /// In which game.
        #[schema(value_type = String)]
        game: GameId,
        /// To whom.
        room: ChatRoomView,
        /// What.
        text: String,
    },
    /// End a game that has not really begun.
    Abort {
        /// Which game.
        #[schema(value_type = String)]
        game: GameId,
    },
    /// Offer a rematch, or accept the one on offer.
    Rematch {
        /// Of which game.
        #[schema(value_type = String)]
        game: GameId,
    },
    /// Decline the rematch on offer, or take the own offer back.
    DeclineRematch {
        /// Of which game.
        #[schema(value_type = String)]
        game: GameId,
    },
    /// Say something in the room of an event.
    EventChat {
        /// In which.
        #[schema(value_type = String)]
        event: EventId,
        /// What.
        text: String,
    },
    /// Wait for an opponent. Who waits already keeps the place, or changes it for another game.
    QueueJoin {
        /// Which game.
        #[serde(default)]
        variant: Variant,
        /// Its time control.
        time: TimeControlView,
        /// Whether it is to count for ratings.
        #[serde(default)]
        rated: bool,
        /// Whether a bot may come to a casual game if nobody else does.
        #[serde(default)]
        bots: bool,
    },
    /// Wait no more.
    QueueLeave,
    /// Ask an engine. What was asked before on this socket is called off.
    Analyse {
        /// A number of one's own that the answers carry.
        id: u32,
        /// Which position.
        position: PositionQuestion,
        /// How many lines, 1 to 5.
        #[serde(default = "one")]
        lines: u8,
        /// What is wanted.
        #[serde(default)]
        aim: AnalysisAim,
        /// The engine's key; none for the usual one.
        #[serde(default)]
        engine: Option<String>,
    },
    /// Call the analysis of this socket off.
    StopAnalysis,
}

fn one() -> u8 {
    1
}

impl ClientMsg {
    /// The message's name in the table of rights.
    pub fn tag(&self) -> &'static str {
        match self {
            ClientMsg::Join { .. } => "join",
            ClientMsg::Leave { .. } => "leave",
            ClientMsg::Resume { .. } => "resume",
            ClientMsg::Ping => "ping",
            ClientMsg::Move { .. } => "move",
            ClientMsg::Resign { .. } => "resign",
            ClientMsg::OfferDraw { .. } => "offer_draw",
            ClientMsg::AcceptDraw { .. } => "accept_draw",
            ClientMsg::DeclineDraw { .. } => "decline_draw",
            ClientMsg::OfferTakeback { .. } => "offer_takeback",
            ClientMsg::AcceptTakeback { .. } => "accept_takeback",
            ClientMsg::DeclineTakeback { .. } => "decline_takeback",
            ClientMsg::OfferAdjournment { .. } => "offer_adjournment",
            ClientMsg::AcceptAdjournment { .. } => "accept_adjournment",
            ClientMsg::DeclineAdjournment { .. } => "decline_adjournment",
            ClientMsg::GiveTime { .. } => "give_time",
            ClientMsg::ClaimDraw { .. } => "claim_draw",
            ClientMsg::ClaimAbandonment { .. } => "claim_abandonment",
            ClientMsg::Chat { .. } => "chat",
            ClientMsg::Abort { .. } => "abort",
            ClientMsg::Rematch { .. } => "rematch",
            ClientMsg::DeclineRematch { .. } => "decline_rematch",
            ClientMsg::EventChat { .. } => "event_chat",
            ClientMsg::QueueJoin { .. } => "queue_join",
            ClientMsg::QueueLeave => "queue_leave",
            ClientMsg::Analyse { .. } => "analyse",
            ClientMsg::StopAnalysis => "stop_analysis",
        }
    }
}

/// What is claimed from somebody who has left.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum ClaimView {
    /// The win.
    Win,
    /// A draw.
    Draw,
}

/// A room's whole state.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum RoomState {
    /// A game.
    Game(Box<GameView>),
    /// A challenge.
    Challenge(Box<ChallengeView>),
    /// The lobby.
    Lobby {
        /// Running games, newest first.
        games: Vec<GameCard>,
        /// A game worth watching.
        featured: Option<Box<GameCard>>,
        /// Open seeks, newest first.
        seeks: Vec<ChallengeView>,
        /// How many people are there.
        online: u32,
        /// How many games run.
        playing: u32,
    },
    /// What concerns the one who listens.
    Me {
        /// Open challenges to and by this account, newest first.
        challenges: Vec<ChallengeView>,
        /// This account's running games as they stood when the list last changed, newest first.
        games: Vec<GameCard>,
    },
    /// An event.
    Event(Box<EventLive>),
}

/// What the server says.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(tag = "t", rename_all = "snake_case")]
pub enum ServerMsg {
    /// The first message on a socket.
    Hello {
        /// The server's version.
        version: String,
        /// Who the server takes you for.
        #[schema(value_type = Option<String>)]
        account: Option<store::AccountId>,
    },
    /// The line lives.
    Pong,
    /// A room, whole.
    State {
        /// Which.
        #[schema(value_type = String)]
        room: Room,
        /// Its version.
        version: u32,
        /// What it is now.
        state: RoomState,
    },
    /// A move was made and is on disk. Also the answer to whoever made it.
    Played {
        /// In which game.
        #[schema(value_type = String)]
        game: GameId,
        /// The game's version with it.
        version: u32,
        /// The ply after it.
        ply: u32,
        /// Whose move it was.
        by: Color,
        /// As engines write it.
        uci: String,
        /// As people write it.
        san: String,
        /// The position after it.
        fen: String,
        /// The square of a king in check.
        check: Option<String>,
        /// Legal moves of the side to act, in groups by origin.
        dests: String,
        /// Who is to act.
        to_act: Option<Color>,
        /// The clocks.
        clocks: ClocksView,
        /// Whether it froze the game (GMO): for five seconds, also where no clock says so.
        #[serde(default)]
        freezes: bool,
        /// Whether a player may still abort the game.
        can_abort: bool,
        /// Whether the side to act may claim a draw.
        can_claim_draw: bool,
        /// Network time of this move that was not charged.
        lag_ms: i64,
        /// What the opening is called from here on; none if the position has no name of its own.
        #[serde(default)]
        opening: Option<String>,
    },
    /// Something else happened in a game and is on disk.
    Changed {
        /// In which game.
        #[schema(value_type = String)]
        game: GameId,
        /// The game's version with it.
        version: u32,
        /// What.
        change: GameChange,
        /// The clocks.
        clocks: ClocksView,
    },
    /// What a finished game did to the ratings. Follows the change that ended it.
    Rated {
        /// Which game.
        #[schema(value_type = String)]
        game: GameId,
        /// Both ratings.
        #[serde(flatten)]
        ratings: Sides<RatingChangeView>,
    },
    /// Somebody said something.
    Chat {
        /// In which game.
        #[schema(value_type = String)]
        game: GameId,
        /// What.
        line: ChatLineView,
    },
    /// Somebody said something in the room of an event.
    EventChat {
        /// In which.
        #[schema(value_type = String)]
        event: EventId,
        /// What.
        line: EventLineView,
    },
    /// Something happened that this viewer may not see.
    Skipped {
        /// Where.
        #[schema(value_type = String)]
        room: Room,
        /// The room's version with it.
        version: u32,
    },
    /// What surrounds a game has changed.
    Around {
        /// Which game.
        #[schema(value_type = String)]
        game: GameId,
        /// All of it.
        around: Around,
    },
    /// The place in the queue, whenever it changes; none for who waits no more.
    Queue {
        /// The place.
        waiting: Option<QueuePlace>,
    },
    /// A game of this account has begun.
    Begin {
        /// Which.
        #[schema(value_type = String)]
        game: GameId,
        /// Whether it is played at once: a game of days or without a clock calls nobody away from another board.
        live: bool,
    },
    /// What an engine has found so far.
    EngineLines {
        /// The number the question had.
        id: u32,
        /// Plies searched.
        depth: u8,
        /// Positions looked at.
        nodes: u64,
        /// Positions a second.
        speed: u64,
        /// The lines, best first.
        lines: Vec<EngineLineView>,
    },
    /// How an analysis is.
    AnalysisState {
        /// The number the question had.
        id: u32,
        /// How.
        state: AnalysisState,
    },
    /// How far the report of a game has got.
    ReportProgress {
        /// Which game.
        #[schema(value_type = String)]
        game: GameId,
        /// How it stands.
        state: ReportStateView,
        /// Positions that are done.
        done: u32,
        /// Positions there are.
        total: u32,
    },
    /// What was asked was refused; nothing has changed.
    Rejected {
        /// In which game.
        #[schema(value_type = Option<String>)]
        game: Option<GameId>,
        /// The ply of the refused move.
        ply: Option<u32>,
        /// Why, for programs.
        code: String,
        /// Why, for people.
        reason: String,
    },
    /// Something everybody should know.
    Notice {
        /// For programs: `draining`, `storage`, `storage_back`, `storage_failed`.
        code: String,
        /// For people.
        text: String,
    },
    /// A room cannot be listened to.
    Gone {
        /// Which.
        #[schema(value_type = String)]
        room: Room,
        /// Why, for programs.
        code: String,
        /// Why, for people.
        reason: String,
    },
}

impl ServerMsg {
    /// The message as it goes over the wire.
    pub fn to_json(&self) -> String {
        serde_json::to_string(self).expect("messages have only text keys and finite numbers")
    }
}
