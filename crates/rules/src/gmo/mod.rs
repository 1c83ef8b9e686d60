//! GMO chess: genomes, walks, moves, chance.
//!
//! A piece has no type but a genome, and its DNA says how it walks and what its move does. Everything here is a value:
//! the seed of a game is an argument, storage of genomes is somebody else's.
//!
//! - [`Genome`] is DNA read once and compiled; [`GenomeTable`] numbers the genomes of a game; [`check`] and [`explain`]
//!   tell people what a DNA says.
//! - [`GmoPosition`] knows targets, legal moves, promotions and ends. A move is asked for its [`Luck`] with
//!   [`GmoPosition::roll`] (or the luck is taken from a log) and made with [`GmoPosition::play`].
//! - As text a position is one line, `gmo1 BOARD TURN PLY PROMOTIONS GENOMES [END]`, such as
//!   `gmo1 a1w0k,h8b0k w 0 - AHHHSHHAACHACHACHAHHASASAAAAAAAAA` (`Display` and `FromStr` of [`GmoPosition`]); events are
//!   tokens such as `e2e4>f5~12` and `=e8:5` ([`EventToken`]).
//! - [`Code`] and [`CodeBook`] name genomes and presets, [`Preset`] and [`HouseRules`] lead to [`start_position`].
//! - [`FreezeClock`] is what a freeze does to time, [`Knowledge`] who may see what, [`Look`] which picture a genome has,
//!   [`Lab`] the sandbox.
//! - [`replay()`] plays the record of a game again and compares its chance with its seed.
//! - [`verify`] computes test vectors anew.

mod board;
mod chance;
mod check;
mod clock;
mod code;
mod debuff;
mod end;
mod error;
mod explain;
mod form;
mod genome;
mod knowledge;
mod known;
mod lab;
mod look;
mod parse;
mod perft;
mod play;
mod position;
mod preset;
mod replay;
mod targets;
mod token;
mod trace;
pub mod verify;
mod walk;

pub use board::{Board, GenomeIndex, GenomeTable, MAX_GENOMES, Piece};
pub use chance::{Luck, Seed};
pub use check::{Report, check};
pub use clock::{FREEZE_MS, FreezeClock, Untimely, charge, thinking_ms};
pub use code::{Code, CodeBook, CodeFormatError, MAX_CODE_DIGITS, MIN_CODE_DIGITS, Sha};
pub use debuff::{Debuff, Debuffs};
pub use end::{CLAIMABLE_OCCURRENCE, DrawBy, End, FINAL_OCCURRENCE, MAX_PLIES, WinBy};
pub use error::{GenomeError, GenomeFault, KingError, MoveError, PromotionError};
pub use explain::{CodonKind, CodonNote, Explanation, Warning, explain};
pub use form::FormError;
pub use genome::{
    Block, Content, Effect, Genome, Heir, MAX_INPUT_BYTES, MAX_LETTERS, Occupant, Step,
};
pub use knowledge::Knowledge;
pub use known::{
    CLASSIC_PRESET, DEFAULT_PRESET, KNOWN_PRESETS, KnownGenome, KnownPreset, find_alias, find_code,
    find_original_code, find_preset_alias, known_genomes, pawn_genome,
};
pub use lab::{Lab, LabError, Specimen};
pub use look::Look;
pub use perft::{divide, perft};
pub use play::{After, Move, Played, Promotions};
pub use position::{GmoPosition, Setup, SetupError};
pub use preset::{
    HouseRules, Preset, PresetError, PresetText, check_kings, known_start, start_position,
};
pub use replay::{Replay, ReplayError, replay};
pub use targets::{Target, Targets};
pub use token::{
    EventToken, MoveToken, PlacedPiece, PromotionToken, TokenError, board_tokens, read_board,
};
pub use trace::Stop;
