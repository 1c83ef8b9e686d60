//! Presets: eight genomes for a back rank, the start array, king marks, and the house rules a preset must keep.

use std::fmt;
use std::sync::Arc;

use sha2::{Digest, Sha256};
use shakmaty::{Bitboard, ByColor, Color, File, Rank, Square};
use thiserror::Error;

use super::board::{Board, GenomeTable, Piece};
use super::code::{Code, CodeBook, Sha};
use super::error::KingError;
use super::genome::Genome;
use super::known::{KnownPreset, find_alias, find_code, find_preset_alias, pawn_genome};
use super::play::{Promotions, Scene};
use super::position::{GmoPosition, Setup};

/// Eight codes as they came from outside: the right number and the right shape, nothing more.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PresetText(pub [Code; 8]);

/// Eight genomes, file a to file h.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Preset(pub [Arc<Genome>; 8]);

/// Restrictions on genomes that the players of a game agreed on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct HouseRules {
    /// Most blocks a genome may have, also of a promoted piece; 0 is no limit.
    pub max_blocks: u8,
    /// Whether a preset that can hit the enemy on the first move is refused.
    pub no_first_strike: bool,
}

/// Why a preset was refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum PresetError {
    /// There are not exactly eight codes.
    #[error("a preset has 8 codes, this one has {found}")]
    Count {
        /// How many there are.
        found: usize,
    },
    /// A code is malformed.
    #[error("the code for file {} is malformed", .file.char())]
    CodeFormat {
        /// Where in the preset.
        file: File,
    },
    /// A code is not stored, or this player may not use it.
    #[error("the genome for file {} is not known here", .file.char())]
    UnknownGenome {
        /// Where in the preset.
        file: File,
    },
    /// A genome has too many blocks for the house.
    #[error("the genome for file {} has {blocks} blocks, {limit} are allowed", .file.char())]
    MaxBlocks {
        /// Where in the preset.
        file: File,
        /// How many blocks it has.
        blocks: usize,
        /// How many are allowed.
        limit: u8,
    },
    /// A genome hits enemy pieces from where it starts.
    #[error("the genome for file {} hits {} on the first move", .file.char(), named(*.hits))]
    FirstStrike {
        /// Where in the preset.
        file: File,
        /// The enemy squares it hits, for White.
        hits: Bitboard,
    },
}

/// Squares as a sentence names them: `b7, c8`.
fn named(squares: Bitboard) -> String {
    squares.into_iter().map(|square| square.to_string()).collect::<Vec<_>>().join(", ")
}

impl PresetError {
    /// The stable code.
    pub const fn code(self) -> &'static str {
        match self {
            PresetError::Count { .. } => "P_COUNT",
            PresetError::CodeFormat { .. } => "P_CODE_FORMAT",
            PresetError::UnknownGenome { .. } => "P_UNKNOWN_GENOME",
            PresetError::MaxBlocks { .. } => "P_MAX_BLOCKS",
            PresetError::FirstStrike { .. } => "P_FIRST_STRIKE",
        }
    }
}

impl PresetText {
    /// Reads codes joined by `-`, or the name of a built-in preset.
    pub fn parse(text: &str) -> Result<PresetText, PresetError> {
        let text = text.trim();
        let text = find_preset_alias(text).map_or(text, |preset| preset.text);
        let parts: Vec<&str> = if text.is_empty() { Vec::new() } else { text.split('-').collect() };
        let parts: [&str; 8] =
            parts.try_into().map_err(|parts: Vec<_>| PresetError::Count { found: parts.len() })?;
        let mut codes = Vec::with_capacity(8);
        for (part, file) in parts.into_iter().zip(File::ALL) {
            codes.push(Code::parse(part).map_err(|_| PresetError::CodeFormat { file })?);
        }
        let codes =
            codes.try_into().map_err(|codes: Vec<_>| PresetError::Count { found: codes.len() })?;
        Ok(PresetText(codes))
    }

    /// Looks up every genome; `find` answers `None` for what is not stored or not this player's to use.
    pub fn resolve(
        &self,
        mut find: impl FnMut(&Code) -> Option<Arc<Genome>>,
    ) -> Result<Preset, PresetError> {
        let mut genomes = Vec::with_capacity(8);
        for (code, file) in self.0.iter().zip(File::ALL) {
            genomes.push(find(code).ok_or(PresetError::UnknownGenome { file })?);
        }
        let genomes = genomes
            .try_into()
            .map_err(|found: Vec<_>| PresetError::Count { found: found.len() })?;
        Ok(Preset(genomes))
    }

    /// The same preset with every genome under its own code, so that one preset has one text.
    pub fn canonical(&self, book: &CodeBook) -> Result<PresetText, PresetError> {
        let mut codes = self.0.clone();
        for (code, file) in codes.iter_mut().zip(File::ALL) {
            let stored = book.find(code).and_then(|sha| book.code_of(sha));
            *code = stored.ok_or(PresetError::UnknownGenome { file })?.clone();
        }
        Ok(PresetText(codes))
    }

    /// SHA-256 of the text form.
    pub fn sha(&self) -> Sha {
        Sha(Sha256::digest(self.to_string().as_bytes()).into())
    }

    /// The six-digit code of the preset if it is the first with this prefix.
    pub fn code(&self) -> String {
        self.sha().prefix(6)
    }
}

impl fmt::Display for PresetText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let codes: Vec<&str> = self.0.iter().map(Code::as_str).collect();
        f.write_str(&codes.join("-"))
    }
}

impl HouseRules {
    /// What rated games ask for.
    pub const RATED: HouseRules = HouseRules { max_blocks: 3, no_first_strike: true };
    /// Casual games ask for nothing.
    pub const CASUAL: HouseRules = HouseRules { max_blocks: 0, no_first_strike: false };

    /// Whether a genome has few enough blocks; asked for promotions too.
    pub fn allows(self, genome: &Genome) -> bool {
        self.max_blocks == 0 || genome.blocks().len() <= usize::from(self.max_blocks)
    }

    /// Checks a preset; the first file that offends is named.
    pub fn check(self, preset: &Preset) -> Result<(), PresetError> {
        for (genome, file) in preset.0.iter().zip(File::ALL) {
            if !self.allows(genome) {
                let blocks = genome.blocks().len();
                return Err(PresetError::MaxBlocks { file, blocks, limit: self.max_blocks });
            }
        }
        let first_strike =
            preset.first_strikes().into_iter().zip(File::ALL).find(|(hits, _)| hits.any());
        match first_strike {
            Some((hits, file)) if self.no_first_strike => {
                Err(PresetError::FirstStrike { file, hits })
            }
            _ => Ok(()),
        }
    }
}

impl Preset {
    /// The enemy squares each file's piece can move to in the starting array, for White.
    ///
    /// The enemy's genomes do not matter, only where they stand, so the preset faces itself.
    pub fn first_strikes(&self) -> [Bitboard; 8] {
        let scene = start_scene(&ByColor { white: self.clone(), black: self.clone() });
        let enemies = scene.board.owned(Color::Black);
        File::ALL.map(|file| {
            let targets = scene.targets(Square::from_coords(file, Rank::First));
            targets
                .iter()
                .map(|target| target.square)
                .filter(|square| enemies.contains(*square))
                .collect()
        })
    }
}

/// The start position; each side's marks name the squares of the own pieces that are kings.
pub fn start_position(
    presets: &ByColor<Preset>,
    kings: ByColor<Bitboard>,
) -> Result<GmoPosition, KingError> {
    let mut scene = start_scene(presets);
    for color in Color::ALL {
        mark_kings(&mut scene.board, color, kings[color])?;
    }
    let Scene { board, genomes } = scene;
    let setup = Setup { board, genomes, turn: Color::White, ply: 0, promotions: Promotions::NONE };
    Ok(GmoPosition::new(setup)
        .expect("the start array refers to its own genomes and has no promotions"))
}

/// The start position with a built-in preset for both sides, and with kings where the king's genome stands.
pub fn known_start(known: KnownPreset) -> GmoPosition {
    let text = PresetText::parse(known.text).expect("a built-in preset is well-formed");
    let preset = text
        .resolve(|code| find_code(code.as_str()).map(|known| Arc::clone(&known.genome)))
        .expect("a built-in preset is made of built-in genomes");
    let files = File::ALL
        .into_iter()
        .zip(&text.0)
        .filter(|(_, code)| find_alias("king").is_some_and(|king| king.code == code.as_str()));
    let white: Bitboard = files.map(|(file, _)| Square::from_coords(file, Rank::First)).collect();
    let kings = ByColor { white, black: white.flip_vertical() };
    start_position(&ByColor { white: preset.clone(), black: preset }, kings)
        .expect("a built-in preset has a king")
}

/// Checks the marks of one side in the starting array.
pub fn check_kings(color: Color, marks: Bitboard) -> Result<(), KingError> {
    mark_kings(&mut start_board(|_, _| super::board::GenomeIndex(0)), color, marks)
}

fn mark_kings(board: &mut Board, color: Color, marks: Bitboard) -> Result<(), KingError> {
    if marks.is_empty() {
        return Err(KingError::None);
    }
    for square in marks {
        let piece = board.get(square).ok_or(KingError::EmptySquare { square })?;
        if piece.owner != color {
            return Err(KingError::NotOwn { square });
        }
        board.put(square, Piece { king: true, ..piece });
    }
    Ok(())
}

/// Both armies without king marks. The pawn's genome has number 0.
fn start_scene(presets: &ByColor<Preset>) -> Scene {
    let mut genomes = GenomeTable::new();
    let mut intern = |genome: &Arc<Genome>| {
        genomes.intern(Arc::clone(genome)).expect("an array has 17 genomes at most")
    };
    let pawn = intern(pawn_genome());
    let board = start_board(|color, file| match file {
        Some(file) => intern(&presets[color].0[file.to_usize()]),
        None => pawn,
    });
    Scene { board, genomes }
}

/// The array of the start; `genome` is asked for the number of a file's back-rank genome, or of the pawn's.
fn start_board(mut genome: impl FnMut(Color, Option<File>) -> super::board::GenomeIndex) -> Board {
    let mut board = Board::empty();
    for color in Color::ALL {
        let pawn_rank = color.relative_rank(Rank::Second);
        for file in File::ALL {
            let officer =
                Piece { genome: genome(color, Some(file)), owner: color, pawn: false, king: false };
            board.put(Square::from_coords(file, color.backrank()), officer);
            let pawn = Piece { genome: genome(color, None), pawn: true, ..officer };
            board.put(Square::from_coords(file, pawn_rank), pawn);
        }
    }
    board
}
