//! Reading DNA: the first error in the order of the rules, with its codon.

use super::debuff::{Debuff, Debuffs};
use super::error::{GenomeError, GenomeFault};
use super::genome::{Block, Content, Effect, Genome, Heir, MAX_LETTERS, MAX_STEPS, Step};
use super::walk::Walk;

/// The codon that opens a block.
pub(super) const START: [u8; 3] = *b"AHH";
/// The owner codon for the enemy of the mover.
pub(super) const ENEMY: [u8; 3] = *b"HSH";
/// The codon that closes the separator of a block.
pub(super) const END: [u8; 3] = *b"HHA";

/// Reads a whole DNA text whose length in bytes was checked.
pub(super) fn genome(text: &str) -> Result<Genome, GenomeError> {
    let dna = canonical(text)?;
    let mut reader =
        Reader { codons: dna.as_bytes().as_chunks::<3>().0, at: 0, debuffs: Debuffs::default() };
    // Most genomes have few blocks, and none has more codons than 8 a block.
    let mut blocks = Vec::with_capacity((reader.codons.len() / 8).max(1));
    while reader.at < reader.codons.len() {
        blocks.push(reader.block()?);
    }
    let debuffs = reader.debuffs;
    for block in &mut blocks {
        block.walk = Walk::compile(&block.steps[..usize::from(block.len)], debuffs);
    }
    Ok(Genome { dna: dna.into_boxed_str(), blocks: blocks.into_boxed_slice(), debuffs })
}

/// The letters without white space, if they are the right letters in the right number.
fn canonical(text: &str) -> Result<String, GenomeError> {
    let fail = |fault, at| Err(GenomeError { fault, at });
    let mut dna = String::with_capacity(text.len());
    if text.bytes().all(is_letter) {
        dna.push_str(text);
    } else {
        for letter in text.chars().filter(|c| !c.is_whitespace()) {
            if !u8::try_from(letter).is_ok_and(is_letter) {
                return fail(GenomeFault::Alphabet, dna.len() / 3);
            }
            dna.push(letter);
        }
    }
    match dna.len() {
        0 => fail(GenomeFault::Empty, 0),
        len if len > MAX_LETTERS => fail(GenomeFault::TooLong, MAX_LETTERS / 3),
        len if len % 3 != 0 => fail(GenomeFault::Length, len / 3),
        _ => Ok(dna),
    }
}

const fn is_letter(byte: u8) -> bool {
    matches!(byte, b'S' | b'A' | b'C' | b'H')
}

/// Goes through the codons from the left.
struct Reader<'a> {
    codons: &'a [[u8; 3]],
    at: usize,
    debuffs: Debuffs,
}

impl Reader<'_> {
    /// One block, from `AHH` to the codon before the next `AHH`.
    fn block(&mut self) -> Result<Block, GenomeError> {
        self.expect(START, GenomeFault::Start)?;
        let origin_owner = self.owner()?;
        let landing_owner = self.owner()?;
        let effects = [self.effect()?, self.effect()?, self.effect()?];
        self.expect(END, GenomeFault::End)?;
        let (steps, len) = self.body()?;
        Ok(Block { origin_owner, landing_owner, effects, steps, len, walk: Walk::EMPTY })
    }

    fn body(&mut self) -> Result<([Step; MAX_STEPS], u8), GenomeError> {
        let mut steps = [Step::default(); MAX_STEPS];
        let mut len = 0;
        while let Some(&codon) = self.codons.get(self.at).filter(|codon| **codon != START) {
            let step = step(codon).ok_or_else(|| self.error(GenomeFault::Move))?;
            *steps.get_mut(usize::from(len)).ok_or_else(|| self.error(GenomeFault::BodyLong))? =
                step;
            len += 1;
            self.at += 1;
        }
        if len == 0 { Err(self.error(GenomeFault::BodyEmpty)) } else { Ok((steps, len)) }
    }

    fn owner(&mut self) -> Result<Heir, GenomeError> {
        let codon = self.peek()?;
        let heir = if codon == ENEMY {
            Heir::Enemy
        } else {
            let debuff = Debuff::from_codon(codon).ok_or_else(|| self.error(GenomeFault::Owner))?;
            if !self.debuffs.insert(debuff) {
                return Err(self.error(GenomeFault::DebuffRepeat));
            }
            Heir::Mover
        };
        self.at += 1;
        Ok(heir)
    }

    fn effect(&mut self) -> Result<Option<Effect>, GenomeError> {
        let effect = effect(self.peek()?).ok_or_else(|| self.error(GenomeFault::Effect))?;
        self.at += 1;
        Ok(effect)
    }

    fn expect(&mut self, wanted: [u8; 3], fault: GenomeFault) -> Result<(), GenomeError> {
        if self.peek()? != wanted {
            return Err(self.error(fault));
        }
        self.at += 1;
        Ok(())
    }

    fn peek(&self) -> Result<[u8; 3], GenomeError> {
        self.codons.get(self.at).copied().ok_or_else(|| self.error(GenomeFault::Truncated))
    }

    fn error(&self, fault: GenomeFault) -> GenomeError {
        GenomeError { fault, at: self.at }
    }
}

/// The effect of a codon: `Some(None)` is "not allowed", `None` is no effect codon at all.
#[expect(
    clippy::option_option,
    reason = "no effect codon and the codon for `not allowed` are two things"
)]
pub(super) fn effect(codon: [u8; 3]) -> Option<Option<Effect>> {
    match codon {
        [b'H', b'H', b'H'] => Some(None),
        [x, b'H', y] => Some(Some(Effect { origin: content(x)?, landing: content(y)? })),
        _ => None,
    }
}

const fn content(letter: u8) -> Option<Content> {
    match letter {
        b'A' => Some(Content::Mover),
        b'S' => Some(Content::Other),
        b'C' => Some(Content::Empty),
        _ => None,
    }
}

/// The step of a codon without H.
///
/// The last two letters are a number in base 3; a colouring step takes it modulo 3, another modulo 5.
pub(super) fn step([kind, high, low]: [u8; 3]) -> Option<Step> {
    let value = digit(high)? * 3 + digit(low)?;
    match kind {
        b'A' => Some(Step { distance: 0, colouring: false }),
        b'S' => Some(Step { distance: value % 3, colouring: true }),
        b'C' => Some(Step { distance: value % 5, colouring: false }),
        _ => None,
    }
}

const fn digit(letter: u8) -> Option<u8> {
    match letter {
        b'A' => Some(0),
        b'S' => Some(1),
        b'C' => Some(2),
        _ => None,
    }
}
