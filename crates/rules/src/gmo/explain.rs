//! What each codon of a DNA means, and what is odd about a genome: for an editor.

use std::ops::Range;

use serde::Serialize;

use super::debuff::Debuff;
use super::error::GenomeError;
use super::genome::{Block, Content, Effect, Genome, Heir, MAX_LETTERS, Step};
use super::parse;

/// The role of a codon in its block.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum CodonKind {
    /// `AHH`, the beginning of a block.
    Start,
    /// T1: who owns what is left on the origin.
    OriginOwner,
    /// T2: who owns what is on the landing square.
    LandingOwner,
    /// O1: what happens on a square with a piece of the mover.
    EffectOnOwn,
    /// O2: what happens on a square with a piece of the enemy.
    EffectOnEnemy,
    /// O3: what happens on an empty square.
    EffectOnEmpty,
    /// `HHA`, the end of the separator.
    End,
    /// A step of the walk.
    Step,
}

/// The roles of the first seven codons of a block.
const SEPARATOR: [CodonKind; 7] = [
    CodonKind::Start,
    CodonKind::OriginOwner,
    CodonKind::LandingOwner,
    CodonKind::EffectOnOwn,
    CodonKind::EffectOnEnemy,
    CodonKind::EffectOnEmpty,
    CodonKind::End,
];

/// One codon, explained.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct CodonNote {
    /// The number of the codon, from 0.
    pub at: usize,
    /// Where its letters stand in the canonical DNA.
    pub letters: Range<usize>,
    /// The three letters.
    pub codon: String,
    /// The number of its block, from 0.
    pub block: usize,
    /// Its role.
    pub kind: CodonKind,
    /// What it says, in words.
    pub meaning: String,
}

/// A DNA text, explained as far as it can be read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Explanation {
    /// The codons up to the first that does not fit.
    pub notes: Vec<CodonNote>,
    /// What is wrong, if anything is.
    pub error: Option<GenomeError>,
}

/// Explains a text as an editor holds it, right or wrong.
pub fn explain(text: &str) -> Explanation {
    let is_letter = |letter: &char| matches!(letter, 'S' | 'A' | 'C' | 'H');
    let letters = text.chars().filter(|letter| !letter.is_whitespace()).take_while(is_letter);
    let dna: String = letters.take(MAX_LETTERS).collect();
    let (mut notes, error) = (notes(&dna), Genome::parse(text).err());
    notes.truncate(error.map_or(notes.len(), |error| error.at));
    Explanation { notes, error }
}

impl Genome {
    /// What each codon means.
    pub fn explain(&self) -> Vec<CodonNote> {
        notes(self.dna())
    }

    /// What is odd about this genome.
    pub fn warnings(&self) -> Vec<Warning> {
        let is_dead = |block: &Block| block.steps().iter().all(|step| !step.colouring);
        let does_nothing = |block: &Block| block.effects.iter().all(Option::is_none);
        let no_square_fits = self.has(Debuff::OtherColour) && self.has(Debuff::SameColour);
        let immobile = no_square_fits
            || self.blocks().iter().all(|block| is_dead(block) || does_nothing(block));
        let mut warnings = Vec::new();
        warnings.extend(immobile.then_some(Warning::Immobile));
        for (index, block) in self.blocks().iter().enumerate() {
            let [.., on_empty] = block.effects;
            let swaps_with_nothing = on_empty.is_some_and(|Effect { origin, landing }| {
                origin == Content::Other || landing == Content::Other
            });
            let lands =
                block.effects.iter().flatten().any(|effect| effect.landing != Content::Empty);
            let gives_away = block.landing_owner == Heir::Enemy && lands;
            warnings.extend(swaps_with_nothing.then_some(Warning::SOnEmpty { block: index }));
            warnings.extend(gives_away.then_some(Warning::GivesAway { block: index }));
            warnings.extend(is_dead(block).then_some(Warning::DeadBlock { block: index }));
        }
        warnings
    }
}

/// Something odd about a valid genome. Blocks are numbered from 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Warning {
    /// The piece can never move.
    #[error("the piece can never move")]
    Immobile,
    /// The effect on empty squares copies what stands there: nothing.
    #[error("the effect on an empty square copies its piece, and there is none")]
    SOnEmpty {
        /// Which block.
        block: usize,
    },
    /// What arrives becomes the enemy's.
    #[error("what arrives becomes the enemy's")]
    GivesAway {
        /// Which block.
        block: usize,
    },
    /// The block has no colouring step.
    #[error("the block has no colouring step and gives no moves")]
    DeadBlock {
        /// Which block.
        block: usize,
    },
}

impl Warning {
    /// The stable code.
    pub const fn code(self) -> &'static str {
        match self {
            Warning::Immobile => "W_IMMOBILE",
            Warning::SOnEmpty { .. } => "W_S_ON_EMPTY",
            Warning::GivesAway { .. } => "W_GIVES_AWAY",
            Warning::DeadBlock { .. } => "W_DEAD_BLOCK",
        }
    }

    /// The block it is about, if it is not about the whole genome.
    pub const fn block(self) -> Option<usize> {
        match self {
            Warning::Immobile => None,
            Warning::SOnEmpty { block }
            | Warning::GivesAway { block }
            | Warning::DeadBlock { block } => Some(block),
        }
    }
}

/// Explains codons until one does not fit its place.
fn notes(dna: &str) -> Vec<CodonNote> {
    let mut notes = Vec::new();
    let (mut block, mut place) = (0, 0);
    for (at, &codon) in dna.as_bytes().as_chunks::<3>().0.iter().enumerate() {
        if place > SEPARATOR.len() && codon == parse::START {
            block += 1;
            place = 0;
        }
        let kind = SEPARATOR.get(place).copied().unwrap_or(CodonKind::Step);
        let Some(meaning) = meaning(kind, codon) else { break };
        let letters = at * 3..at * 3 + 3;
        notes.push(CodonNote {
            at,
            codon: dna[letters.clone()].to_owned(),
            letters,
            block,
            kind,
            meaning,
        });
        place += 1;
    }
    notes
}

fn meaning(kind: CodonKind, codon: [u8; 3]) -> Option<String> {
    match kind {
        CodonKind::Start => (codon == parse::START).then(|| "a block begins".to_owned()),
        CodonKind::End => (codon == parse::END).then(|| "the steps follow".to_owned()),
        CodonKind::OriginOwner => owner_meaning("what is left on the origin", codon),
        CodonKind::LandingOwner => owner_meaning("what is on the landing square", codon),
        CodonKind::EffectOnOwn => effect_meaning("onto an own piece", codon),
        CodonKind::EffectOnEnemy => effect_meaning("onto an enemy piece", codon),
        CodonKind::EffectOnEmpty => effect_meaning("onto an empty square", codon),
        CodonKind::Step => parse::step(codon).map(step_meaning),
    }
}

fn owner_meaning(what: &str, codon: [u8; 3]) -> Option<String> {
    if codon == parse::ENEMY {
        return Some(format!("{what} becomes the enemy's"));
    }
    let debuff = Debuff::from_codon(codon)?;
    Some(format!("{what} is the mover's; the price, {}: {}", debuff.name(), debuff.meaning()))
}

fn effect_meaning(where_to: &str, codon: [u8; 3]) -> Option<String> {
    Some(match parse::effect(codon)? {
        None => format!("{where_to}: not allowed"),
        Some(effect) => format!("{where_to}: {}", describe(effect)),
    })
}

/// An effect in words.
pub(super) fn describe(effect: Effect) -> String {
    use Content::{Empty, Mover, Other};
    let known = match (effect.origin, effect.landing) {
        (Empty, Mover) => "moves there, taking what stands there",
        (Other, Mover) => "changes places with what stands there",
        (Mover, Mover) => "puts a copy there and stays",
        (Mover, Other) => "nothing moves, only the owners are set",
        (Mover, Empty) => "removes what stands there and stays",
        (Empty, Empty) => "both vanish",
        (Other, Empty) => "is replaced by what stands there, which leaves its square",
        (Other, Other) => "becomes a copy of what stands there",
        (Empty, Other) => "vanishes, what stands there stays",
    };
    known.to_owned()
}

fn step_meaning(step: Step) -> String {
    let stop = if step.colouring { "may stop here" } else { "passes" };
    match step.distance {
        0 => format!("stays, {stop}, then turns"),
        1 => format!("1 square, {stop}, then turns"),
        distance => format!("{distance} squares, {stop}, then turns"),
    }
}
