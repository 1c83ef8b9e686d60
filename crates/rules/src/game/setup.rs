//! What never changes in a game: variant, start, time, rules.

use serde::{Deserialize, Serialize};

use super::RuleSet;
use crate::clock::{TimeControl, TimeControlError};
use crate::defender::{CASUAL_START, Defender};
use crate::gmo::{HouseRules, Seed};
use crate::position::{Position, PositionTextError};

/// The games we play.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum Variant {
    /// Chess.
    #[default]
    Standard,
    /// Chess with a shuffled back rank.
    Chess960,
    /// `ChessDefender`: placing, then chess.
    Defender,
    /// GMO chess: pieces from DNA.
    Gmo,
}

impl Variant {
    /// Whether castling, check and the other rules of chess hold from the first move on.
    pub fn is_chess(self) -> bool {
        matches!(self, Variant::Standard | Variant::Chess960)
    }
}

/// What a game begins with.
#[derive(Debug, Default, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Setup {
    /// Which game.
    pub variant: Variant,
    /// The first position as text; none for the variant's own start.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub start: Option<String>,
    /// The time.
    #[serde(default)]
    pub time: TimeControl,
    /// The house rules.
    #[serde(default)]
    pub rules: RuleSet,
    /// Whether both may ask engines while they play. Both are shown it before they agree to the game.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub engines: bool,
    /// GMO: where chance comes from. A secret until the end; a log replays without it.
    #[serde(default, with = "super::seed", skip_serializing_if = "Option::is_none")]
    pub seed: Option<Seed>,
    /// GMO: restrictions the players agreed on.
    #[serde(default)]
    pub gmo: GmoOptions,
}

/// Restrictions on the genomes of a GMO game.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct GmoOptions {
    /// Most blocks a genome may have, also of a promoted piece; 0 is no limit.
    pub max_blocks: u8,
    /// Whether an army that can hit the enemy on the first move is refused.
    pub no_first_strike: bool,
    /// What becomes known after the end.
    pub reveal: Reveal,
}

/// When everybody may read the genomes of a game.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum Reveal {
    /// As soon as it is over.
    #[default]
    End,
    /// Never: for events in which teams find out how genomes work.
    Never,
}

impl From<HouseRules> for GmoOptions {
    fn from(house: HouseRules) -> GmoOptions {
        let HouseRules { max_blocks, no_first_strike } = house;
        GmoOptions { max_blocks, no_first_strike, reveal: Reveal::End }
    }
}

impl From<GmoOptions> for HouseRules {
    fn from(options: GmoOptions) -> HouseRules {
        let GmoOptions { max_blocks, no_first_strike, .. } = options;
        HouseRules { max_blocks, no_first_strike }
    }
}

/// Why a game cannot begin.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SetupError {
    /// The time control is nonsense.
    #[error(transparent)]
    Time(#[from] TimeControlError),
    /// The first position is nonsense.
    #[error(transparent)]
    Position(#[from] PositionTextError),
    /// The first position leaves nothing to play.
    #[error("the game would be over before it begins")]
    AlreadyOver,
}

impl Setup {
    /// Standard chess from the usual position.
    pub fn standard(time: TimeControl, rules: RuleSet) -> Setup {
        Setup { time, rules, ..Setup::default() }
    }

    /// The first position in which somebody has a choice, and the automatic passes before it.
    pub fn position(&self) -> Result<(Position, u8), SetupError> {
        Ok(match (self.variant, self.start.as_deref()) {
            (Variant::Standard, None) => (Position::standard(), 0),
            (Variant::Standard, Some(fen)) => (Position::from_fen(fen)?, 0),
            (Variant::Chess960, fen) => {
                (Position::from_fen_chess960(fen.unwrap_or(STANDARD_FEN))?, 0)
            }
            (Variant::Defender, fen) => {
                let (defender, passes) = Defender::read(fen.unwrap_or(CASUAL_START))?;
                (Position::Defender(defender), passes)
            }
            (Variant::Gmo, None) => (Position::Muster(Box::default()), 0),
            (Variant::Gmo, Some(form)) => (Position::from_gmo_form(form)?, 0),
        })
    }
}

const STANDARD_FEN: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
