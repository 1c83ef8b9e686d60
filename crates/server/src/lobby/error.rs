//! Why the lobby says no.

use store::StoreError;

use crate::games::GameError;
use crate::games::wire::BadTimeControl;

/// Why a challenge could not be made, seen or answered, or a place in the queue not be had.
#[derive(Debug, Clone, thiserror::Error)]
pub enum LobbyError {
    /// There is no such challenge.
    #[error("there is no such challenge")]
    Unknown,
    /// The time control cannot be played.
    #[error(transparent)]
    Time(#[from] BadTimeControl),
    /// The first position cannot be played.
    #[error("the game cannot begin like this: {0}")]
    Start(String),
    /// Accepted, declined, taken back, or too old.
    #[error("this challenge is no longer open")]
    NotOpen,
    /// One cannot play against oneself.
    #[error("this is your own challenge: send its link to somebody else")]
    Own,
    /// It asks somebody else.
    #[error("this challenge is for somebody else")]
    NotForYou,
    /// A direct challenge that asks nobody.
    #[error("say by name whom you challenge")]
    NobodyAsked,
    /// Nobody has signed up under this name.
    #[error("there is no player of this name")]
    UnknownPlayer,
    /// The one who is asked has muted the one who asks.
    #[error("this player does not want to play against you")]
    NotWelcome,
    /// Guests have no rating.
    #[error("a rated game needs two players who have signed up")]
    GuestsPlayCasual,
    /// Conditions under which a result says little.
    #[error("a rated game has a clock, the same time for both sides and the usual start")]
    NotRateable,
    /// The lowest rating is above the highest.
    #[error("the lowest rating asked for is above the highest")]
    BadRatingRange,
    /// The seek is for others.
    #[error("your rating is not within what this player looks for")]
    RatingOutOfRange,
    /// The word to the one who is asked is a letter.
    #[error("a message has at most 500 letters, and goes with a challenge to one player")]
    BadMessage,
    /// Ratings are public.
    #[error("a private game is casual")]
    PrivateIsCasual,
    /// Everybody in the lobby sees a seek.
    #[error("a seek is for everybody; hand a link to somebody for a private game")]
    SeekIsPublic,
    /// Somebody has many challenges open already.
    #[error("you have too many open challenges: take one back first")]
    TooMany,
    /// The owner has switched them off.
    #[error("there are no bots in this club")]
    NoBots,
    /// The house does not rate games against machines.
    #[error("games against bots do not count for ratings here")]
    BotsPlayCasual,
    /// A bot would play a game of theirs for them in which engines are not allowed.
    #[error(
        "this position stands on the board of a game you play without engines: finish that game first"
    )]
    FairPlay,
    /// One more would be too much.
    #[error("you have too many running games: finish one first")]
    TooManyGames,
    /// What a game said.
    #[error(transparent)]
    Game(#[from] GameError),
}

impl From<StoreError> for LobbyError {
    fn from(error: StoreError) -> Self {
        match error {
            StoreError::NotFound => LobbyError::Unknown,
            StoreError::Conflict => LobbyError::NotOpen,
            other => LobbyError::Game(GameError::Store(other)),
        }
    }
}

impl LobbyError {
    /// The reason for programs.
    pub fn code(&self) -> &'static str {
        match self {
            LobbyError::Unknown => "unknown_challenge",
            LobbyError::Time(_) => "bad_time_control",
            LobbyError::Start(_) => "bad_start",
            LobbyError::NotOpen => "challenge_not_open",
            LobbyError::Own => "own_challenge",
            LobbyError::NotForYou => "not_for_you",
            LobbyError::NobodyAsked => "nobody_asked",
            LobbyError::UnknownPlayer => "unknown_player",
            LobbyError::NotWelcome => "not_welcome",
            LobbyError::GuestsPlayCasual => "guests_play_casual",
            LobbyError::NotRateable => "not_rateable",
            LobbyError::BadRatingRange => "bad_rating_range",
            LobbyError::RatingOutOfRange => "rating_out_of_range",
            LobbyError::BadMessage => "bad_message",
            LobbyError::PrivateIsCasual => "private_is_casual",
            LobbyError::SeekIsPublic => "seek_is_public",
            LobbyError::TooMany => "too_many_challenges",
            LobbyError::NoBots => "no_bots",
            LobbyError::BotsPlayCasual => "bots_play_casual",
            LobbyError::FairPlay => "fair_play",
            LobbyError::TooManyGames => "too_many_games",
            LobbyError::Game(error) => error.code(),
        }
    }
}
