//! What the lab sends and gets: a DNA explained, and boards on which anybody may do anything.

use rules::Color;
use rules::gmo::CodonKind;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

/// A DNA to be explained.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct ExplainQuery {
    /// The text as it stands in the editor, right or wrong.
    pub dna: String,
    /// Where the piece stands whose walks are shown; the middle of the board if this is left out.
    pub origin: Option<String>,
}

/// What a DNA says.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct ExplanationView {
    /// The codons up to the first that does not fit.
    pub codons: Vec<CodonView>,
    /// What is wrong, if anything is.
    pub error: Option<DnaErrorView>,
    /// What a DNA without errors makes.
    pub genome: Option<GenomeFacts>,
}

/// One codon.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct CodonView {
    /// Its number, from 0.
    pub at: usize,
    /// Where it begins in the text, in units of UTF-16 as browsers count.
    pub begin: usize,
    /// Where it ends.
    pub end: usize,
    /// Its letters.
    pub codon: String,
    /// The number of its block, from 0.
    pub block: usize,
    /// Its role.
    pub role: CodonRole,
    /// What it says, in words.
    pub meaning: String,
}

/// The role of a codon in its block.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum CodonRole {
    /// The beginning of a block.
    Start,
    /// Who owns what is left on the origin, or on the landing square.
    Owner,
    /// What happens, by what stands on the landing square.
    Effect,
    /// The end of the separator.
    End,
    /// A step of the walk.
    Step,
}

impl From<CodonKind> for CodonRole {
    fn from(kind: CodonKind) -> Self {
        match kind {
            CodonKind::Start => CodonRole::Start,
            CodonKind::OriginOwner | CodonKind::LandingOwner => CodonRole::Owner,
            CodonKind::EffectOnOwn | CodonKind::EffectOnEnemy | CodonKind::EffectOnEmpty => {
                CodonRole::Effect
            }
            CodonKind::End => CodonRole::End,
            CodonKind::Step => CodonRole::Step,
        }
    }
}

/// What is wrong with a DNA, and where.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct DnaErrorView {
    /// The code of the rules, `E_OWNER`.
    pub code: String,
    /// The number of the codon, from 0.
    pub at: usize,
    /// Where the trouble begins in the text, in units of UTF-16.
    pub begin: usize,
    /// Where it ends; the same place if something is missing.
    pub end: usize,
    /// What is wrong, in words.
    pub text: String,
}

/// What a valid DNA makes.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct GenomeFacts {
    /// The DNA without white space.
    pub dna: String,
    /// The code it has if it is the first with these digits.
    pub code: String,
    /// The whole hash.
    pub sha: String,
    /// Which picture it has.
    pub look: u16,
    /// Its blocks.
    pub blocks: Vec<BlockView>,
    /// Its handicaps.
    pub debuffs: Vec<DebuffView>,
    /// What is odd about it.
    pub warnings: Vec<WarningView>,
}

/// One block.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct BlockView {
    /// The empty squares its piece reaches from the origin if nothing stands in its way: `a1b1`.
    pub moves: String,
    /// The squares on which it could meet an enemy's piece.
    pub takes: String,
    /// The squares on which it could meet a piece of its own side; the origin, if it may stay.
    pub own: String,
    /// Its walks from the origin: squares in order, each followed by `*` if a move may end there and by `-` if not.
    pub walks: Vec<String>,
}

/// A handicap.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct DebuffView {
    /// Its codon.
    pub codon: String,
    /// Its name.
    pub name: String,
    /// What it does, in words.
    pub text: String,
}

/// Something odd about a valid DNA.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct WarningView {
    /// The code of the rules, `W_IMMOBILE`.
    pub code: String,
    /// The block it is about, from 0; none if it is about the whole.
    pub block: Option<usize>,
    /// What is odd, in words.
    pub text: String,
}

/// A DNA alone.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct DnaText {
    /// The letters.
    pub dna: String,
}

/// A piece on the lab's board.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct LabPiece {
    /// Where it stands.
    pub square: String,
    /// Whose it is.
    pub owner: Color,
    /// What it is.
    pub dna: String,
    /// Whether it promotes.
    #[serde(default)]
    pub pawn: bool,
    /// Whether it is marked as a king.
    #[serde(default)]
    pub king: bool,
    /// Which picture it has; the server tells it, whatever is sent.
    #[serde(default)]
    pub look: u16,
}

/// A board of the lab.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct LabBoard {
    /// The pieces, at most one a square.
    pub pieces: Vec<LabPiece>,
}

/// A board of the lab with what its pieces can do.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct LabView {
    /// The pieces with their pictures.
    pub pieces: Vec<LabPiece>,
    /// Where each piece of either side may go, in groups by origin: `e2e3e4 g1f3h3`.
    pub targets: String,
}

/// A move to be tried.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct LabMove {
    /// The board before it.
    pub pieces: Vec<LabPiece>,
    /// Where the piece stands.
    pub from: String,
    /// Where it is to go.
    pub to: String,
    /// The lab's seed, 64 hexadecimal digits, from which its chance follows; one is drawn if this is left out.
    #[serde(default)]
    pub seed: Option<String>,
    /// How many moves were made in the lab before.
    #[serde(default)]
    pub ply: u32,
}

/// What a move did.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct LabPlayed {
    /// The board after it.
    #[serde(flatten)]
    pub board: LabView,
    /// Where the piece really went.
    pub landing: String,
    /// What its DNA became, if it changed.
    pub mutation: Option<String>,
    /// Whether the game would freeze.
    pub freezes: bool,
    /// Pawns that may be promoted now.
    pub promotions: Vec<String>,
    /// Who would have lost a king: `white`, `black`, or `both`.
    pub lost_king: Option<String>,
}
