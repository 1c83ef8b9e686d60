//! A report on a DNA text, for people at a terminal and for programs.

use std::fmt;

use super::error::GenomeError;
use super::explain::{Warning, describe};
use super::genome::{Block, Genome, Heir, MAX_LETTERS, Step};

/// Everything there is to say about a DNA text.
#[derive(Debug, Clone)]
pub struct Report {
    /// The genome, or why there is none.
    pub genome: Result<Genome, GenomeError>,
    /// What is odd about the genome.
    pub warnings: Vec<Warning>,
    /// The text in groups of three letters, without white space.
    codons: Vec<String>,
}

/// Looks a DNA text over.
pub fn check(dna: &str) -> Report {
    let genome = Genome::parse(dna);
    let warnings = genome.as_ref().map(Genome::warnings).unwrap_or_default();
    // A report is printed on terminals, so what is no letter must not command them.
    let visible = |letter: char| if letter.is_control() { '\u{fffd}' } else { letter };
    let letters = dna.chars().filter(|letter| !letter.is_whitespace()).map(visible);
    let letters: Vec<char> = letters.take(MAX_LETTERS + 3 * CONTEXT).collect();
    let codons = letters.chunks(3).map(|codon| codon.iter().collect()).collect();
    Report { genome, warnings, codons }
}

impl Report {
    /// Whether the text is a genome.
    pub fn is_valid(&self) -> bool {
        self.genome.is_ok()
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.genome {
            Ok(genome) => write_genome(f, genome, &self.warnings),
            Err(error) => write_error(f, *error, &self.codons),
        }
    }
}

fn write_genome(f: &mut fmt::Formatter<'_>, genome: &Genome, warnings: &[Warning]) -> fmt::Result {
    writeln!(f, "code      {}", genome.code())?;
    writeln!(f, "sha       {}", genome.sha())?;
    writeln!(f, "dna       {}", genome.dna())?;
    writeln!(f, "letters   {} ({} codons)", genome.dna().len(), genome.dna().len() / 3)?;
    if genome.debuffs().is_empty() {
        writeln!(f, "debuffs   none")?;
    }
    for (debuff, label) in genome.debuffs().iter().zip(once_then_blank("debuffs")) {
        writeln!(f, "{label:10}{:12} {}", debuff.name(), debuff.meaning())?;
    }
    for (block, number) in genome.blocks().iter().zip(1..) {
        write_block(f, block, number)?;
    }
    for (warning, label) in warnings.iter().zip(once_then_blank("warnings")) {
        write!(f, "{label:10}{:12} {warning}", warning.code())?;
        warning.block().map_or(Ok(()), |block| write!(f, " (block {})", block + 1))?;
        writeln!(f)?;
    }
    if warnings.is_empty() {
        writeln!(f, "warnings  none")?;
    }
    Ok(())
}

fn once_then_blank(label: &'static str) -> impl Iterator<Item = &'static str> {
    std::iter::once(label).chain(std::iter::repeat(""))
}

fn write_block(f: &mut fmt::Formatter<'_>, block: &Block, number: usize) -> fmt::Result {
    let heir = |heir| if heir == Heir::Mover { "the mover's" } else { "the enemy's" };
    writeln!(f, "block {number}")?;
    writeln!(
        f,
        "  owners  origin {}, landing square {}",
        heir(block.origin_owner),
        heir(block.landing_owner)
    )?;
    for (effect, onto) in block.effects.iter().zip(["own", "enemy", "empty"]) {
        match effect {
            Some(effect) => {
                let letters = [effect.origin.letter(), effect.landing.letter()];
                writeln!(f, "  {onto:8}{}H{}  {}", letters[0], letters[1], describe(*effect))?;
            }
            None => writeln!(f, "  {onto:8}HHH  not allowed")?,
        }
    }
    let steps: Vec<String> = block.steps().iter().map(Step::to_string).collect();
    writeln!(f, "  steps   {}  (* may stop there)", steps.join(" "))
}

/// How many codons are shown before and after the wrong one.
const CONTEXT: usize = 6;

fn write_error(f: &mut fmt::Formatter<'_>, error: GenomeError, codons: &[String]) -> fmt::Result {
    writeln!(f, "{error}")?;
    let from = error.at.saturating_sub(CONTEXT);
    let shown: Vec<&str> =
        codons.iter().skip(from).take(2 * CONTEXT + 1).map(String::as_str).collect();
    if shown.is_empty() {
        return Ok(());
    }
    let (mark, left_out) = (error.at - from, if from > 0 { "… " } else { "" });
    let ahead: usize = shown.iter().take(mark).map(|codon| codon.chars().count() + 1).sum();
    writeln!(f, "  {left_out}{}", shown.join(" "))?;
    writeln!(f, "  {}^^^", " ".repeat(ahead + left_out.chars().count()))
}
