//! What the outside sees of challenges, of the queue and of who is there.

use rules::game::Reveal;
use rules::{Color, GmoOptions, Variant};
use serde::{Deserialize, Serialize};
use store::{AccountId, DeclineReason};
use utoipa::ToSchema;

use crate::games::wire::{PlayerView, RuleChoice, TimeControlView};

/// The colour somebody asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum ColorChoice {
    /// White.
    White,
    /// Black.
    Black,
    /// Drawn by lot.
    Random,
}

impl ColorChoice {
    /// The colour, unless it is to be drawn.
    pub fn color(self) -> Option<Color> {
        match self {
            ColorChoice::White => Some(Color::White),
            ColorChoice::Black => Some(Color::Black),
            ColorChoice::Random => None,
        }
    }
}

impl From<Option<Color>> for ColorChoice {
    fn from(color: Option<Color>) -> Self {
        match color {
            Some(Color::White) => ColorChoice::White,
            Some(Color::Black) => ColorChoice::Black,
            None => ColorChoice::Random,
        }
    }
}

/// Whom a challenge is for.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum ChallengeKindView {
    /// Whoever has the link.
    #[default]
    Link,
    /// One player alone.
    Direct,
    /// Everybody in the lobby.
    Seek,
    /// The other player of a finished game.
    Rematch,
}

/// A challenge to be made.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct NewChallenge {
    /// Whom it is for; a rematch is asked for at its game.
    #[serde(default)]
    pub kind: ChallengeKindView,
    /// Which game.
    #[serde(default)]
    pub variant: Variant,
    /// The time control.
    pub time: TimeControlView,
    /// The colour the challenger wants.
    pub color: ColorChoice,
    /// Whether it is to count for ratings.
    #[serde(default)]
    pub rated: bool,
    /// Whether only the two players are to see the game. Such a game is casual.
    #[serde(default)]
    pub private: bool,
    /// The name of the player a direct challenge asks.
    #[serde(default)]
    pub asked: Option<String>,
    /// The lowest rating a seek looks for.
    #[serde(default)]
    pub lowest_rating: Option<i64>,
    /// The highest rating a seek looks for.
    #[serde(default)]
    pub highest_rating: Option<i64>,
    /// By which rules; in games of days and in the variants draws are claimed anyway.
    #[serde(default)]
    pub rules: RuleChoice,
    /// The first position, if it is not the usual one.
    #[serde(default)]
    pub start: Option<String>,
    /// A word to the player a direct challenge asks, at most 500 letters.
    #[serde(default)]
    pub message: Option<String>,
    /// Whether both may ask engines while they play; such a game does not count.
    #[serde(default)]
    pub engines: bool,
    /// GMO: the house rules; none is the usual, and rated games have rules of their own.
    #[serde(default)]
    pub gmo: Option<GmoTerms>,
}

/// The house rules of a game of GMO.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(default)]
pub struct GmoTerms {
    /// Most blocks a genome may have; 0 is no limit.
    pub max_blocks: u8,
    /// Whether an army that can hit the enemy on the first move is refused.
    pub no_first_strike: bool,
    /// What becomes known after the end.
    pub reveal: Reveal,
}

impl From<GmoTerms> for GmoOptions {
    fn from(terms: GmoTerms) -> GmoOptions {
        let GmoTerms { max_blocks, no_first_strike, reveal } = terms;
        GmoOptions { max_blocks, no_first_strike, reveal }
    }
}

impl From<GmoOptions> for GmoTerms {
    fn from(options: GmoOptions) -> GmoTerms {
        let GmoOptions { max_blocks, no_first_strike, reveal } = options;
        GmoTerms { max_blocks, no_first_strike, reveal }
    }
}

/// Where a challenge stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum ChallengeStateView {
    /// Somebody may accept.
    Open,
    /// There is a game of the same id.
    Accepted,
    /// It was taken back.
    Cancelled,
    /// Whom it asked said no.
    Declined,
    /// Nobody accepted in time.
    Expired,
}

/// Why somebody does not accept.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum RefusalReason {
    /// Not now.
    Later,
    /// No reason given.
    Generic,
    /// The time control is too fast.
    TooFast,
    /// The time control is too slow.
    TooSlow,
    /// Only a rated game, please.
    Rated,
    /// Only a casual game, please.
    Casual,
    /// Another variant, please.
    OtherVariant,
    /// No games against programs.
    NotBots,
}

impl From<RefusalReason> for DeclineReason {
    fn from(reason: RefusalReason) -> Self {
        match reason {
            RefusalReason::Later => DeclineReason::Later,
            RefusalReason::Generic => DeclineReason::Generic,
            RefusalReason::TooFast => DeclineReason::TooFast,
            RefusalReason::TooSlow => DeclineReason::TooSlow,
            RefusalReason::Rated => DeclineReason::Rated,
            RefusalReason::Casual => DeclineReason::Casual,
            RefusalReason::OtherVariant => DeclineReason::OtherVariant,
            RefusalReason::NotBots => DeclineReason::NotBots,
        }
    }
}

impl From<DeclineReason> for RefusalReason {
    fn from(reason: DeclineReason) -> Self {
        match reason {
            DeclineReason::Later => RefusalReason::Later,
            DeclineReason::Generic => RefusalReason::Generic,
            DeclineReason::TooFast => RefusalReason::TooFast,
            DeclineReason::TooSlow => RefusalReason::TooSlow,
            DeclineReason::Rated => RefusalReason::Rated,
            DeclineReason::Casual => RefusalReason::Casual,
            DeclineReason::OtherVariant => RefusalReason::OtherVariant,
            DeclineReason::NotBots => RefusalReason::NotBots,
        }
    }
}

/// A no to a challenge.
#[derive(Debug, Clone, Copy, Serialize, Deserialize, ToSchema)]
pub struct Refusal {
    /// Why.
    pub reason: RefusalReason,
}

/// A challenge.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[allow(clippy::struct_excessive_bools, reason = "each is a fact of its own on the wire")]
pub struct ChallengeView {
    /// Its name, and later its game's.
    pub id: String,
    /// Whom it is for. Not called `kind`, which tells the states of rooms apart.
    pub audience: ChallengeKindView,
    /// Where it stands.
    pub state: ChallengeStateView,
    /// Why it was declined.
    pub reason: Option<RefusalReason>,
    /// Which game.
    pub variant: Variant,
    /// The time control.
    pub time: TimeControlView,
    /// Whether it is to count for ratings.
    pub rated: bool,
    /// Whether only the two players will see the game.
    pub private: bool,
    /// By which rules.
    #[serde(default)]
    pub rules: RuleChoice,
    /// How fast it is; none without a clock.
    #[serde(default)]
    pub speed: Option<String>,
    /// The first position, if it is not the usual one.
    pub start: Option<String>,
    /// What the challenger writes to the one who is asked.
    #[serde(default)]
    pub message: Option<String>,
    /// Whether both may ask engines while they play.
    #[serde(default)]
    pub engines: bool,
    /// GMO: the house rules.
    #[serde(default)]
    pub gmo: Option<GmoTerms>,
    /// The colour the challenger wants.
    pub color: ColorChoice,
    /// Who challenges.
    pub challenger: PlayerView,
    /// Whom it asks.
    pub asked: Option<PlayerView>,
    /// The lowest rating a seek looks for.
    pub lowest_rating: Option<i64>,
    /// The highest rating a seek looks for.
    pub highest_rating: Option<i64>,
    /// Whether the one who asks is the challenger. Never in a list that goes to everybody.
    pub is_mine: bool,
    /// The address to hand to a friend.
    pub url: String,
    /// When it was made.
    pub created_at: i64,
    /// When it ends by itself.
    pub expires_at: Option<i64>,
}

impl ChallengeView {
    /// The same for one who looks at it.
    #[must_use]
    pub fn seen_by(mut self, account: Option<AccountId>) -> ChallengeView {
        self.is_mine = account.is_some_and(|id| id.as_str() == self.challenger.id);
        self
    }
}

/// A list of challenges, the newest first.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct ChallengeList {
    /// The challenges.
    pub challenges: Vec<ChallengeView>,
}

/// A place in the queue.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct QueuePlace {
    /// Which game is waited for.
    pub variant: Variant,
    /// Its time control.
    pub time: TimeControlView,
    /// Whether it counts.
    pub rated: bool,
    /// How long already.
    pub waited_ms: i64,
    /// How far the search reaches now, in rating points to either side.
    pub range: u32,
    /// How many wait for the same, this one included.
    pub players: u32,
    /// After so many milliseconds of waiting a bot plays; none if none comes.
    pub bot_at_ms: Option<i64>,
}

/// Who is there.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct OnlineList {
    /// How many.
    pub count: usize,
    /// The first of them, members before guests, by name; each as strong as where they have played most.
    pub players: Vec<PlayerView>,
}
