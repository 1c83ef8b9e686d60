//! The lab: nothing is remembered between two requests, the page holds the board.

use std::sync::Arc;

use rules::gmo::{
    self, End, Genome, GenomeError, GmoPosition, Lab, Move, Occupant, Seed, Specimen, Stop, Targets,
};
use rules::shakmaty::{Bitboard, Square};

use super::lab_wire::{
    BlockView, CodonView, DebuffView, DnaErrorView, ExplanationView, GenomeFacts, LabPiece,
    LabPlayed, LabView, WarningView,
};
use super::{GmoError, LookKey};

/// Pieces on a board.
const MOST_PIECES: usize = 64;

/// Explains a text as an editor holds it.
pub(super) fn explain(text: &str, origin: Square, looks: &LookKey) -> ExplanationView {
    let explanation = gmo::explain(text);
    let places = Places::of(text);
    let codons = explanation.notes.into_iter().map(|note| {
        let (begin, end) = places.span(note.letters.start, note.letters.end);
        let (at, codon, block, meaning) = (note.at, note.codon, note.block, note.meaning);
        CodonView { at, begin, end, codon, block, role: note.kind.into(), meaning }
    });
    ExplanationView {
        codons: codons.collect(),
        error: explanation.error.map(|error| error_view(error, &places)),
        genome: Genome::parse(text).ok().map(|genome| facts(&genome, origin, looks)),
    }
}

/// Where the letters of a DNA stand in the text that was typed, in units of UTF-16 as browsers count.
struct Places {
    /// Begin and end of each character that is not white space.
    letters: Vec<(usize, usize)>,
    end: usize,
}

impl Places {
    fn of(text: &str) -> Places {
        let (mut letters, mut at) = (Vec::new(), 0);
        for letter in text.chars() {
            let next = at + letter.len_utf16();
            if !letter.is_whitespace() {
                letters.push((at, next));
            }
            at = next;
        }
        Places { end: letters.last().map_or(0, |(_, end)| *end), letters }
    }

    /// The span from one letter to before another; an empty one at the end where there are no letters any more.
    fn span(&self, from: usize, to: usize) -> (usize, usize) {
        let Some((begin, _)) = self.letters.get(from) else { return (self.end, self.end) };
        let last = to.min(self.letters.len()).saturating_sub(1);
        (*begin, self.letters.get(last).map_or(self.end, |(_, end)| *end))
    }
}

fn error_view(error: GenomeError, places: &Places) -> DnaErrorView {
    let (begin, end) = places.span(error.at * 3, error.at * 3 + 3);
    DnaErrorView {
        code: error.fault.code().to_owned(),
        at: error.at,
        begin,
        end,
        text: error.fault.to_string(),
    }
}

fn facts(genome: &Genome, origin: Square, looks: &LookKey) -> GenomeFacts {
    let [own, takes, moves] = [Occupant::Own, Occupant::Enemy, Occupant::Empty]
        .map(|occupant| genome.reach(origin, occupant));
    let block = |(number, _)| BlockView {
        moves: squares_of(number, &moves),
        takes: squares_of(number, &takes),
        own: squares_of(number, &own),
        walks: genome.trace(number, origin).iter().map(|walk| walk_text(walk)).collect(),
    };
    let warning = |warning: gmo::Warning| WarningView {
        code: warning.code().to_owned(),
        block: warning.block(),
        text: warning.to_string(),
    };
    GenomeFacts {
        dna: genome.dna().to_owned(),
        code: genome.code(),
        sha: genome.sha().to_string(),
        look: looks.of(genome),
        blocks: genome.blocks().iter().enumerate().map(block).collect(),
        debuffs: debuffs(genome),
        warnings: genome.warnings().into_iter().map(warning).collect(),
    }
}

/// The handicaps of a genome in words.
pub(super) fn debuffs(genome: &Genome) -> Vec<DebuffView> {
    let view = |debuff: gmo::Debuff| DebuffView {
        codon: debuff.codon().to_owned(),
        name: debuff.name().to_owned(),
        text: debuff.meaning().to_owned(),
    };
    genome.debuffs().iter().map(view).collect()
}

/// The targets that one block decides about.
fn squares_of(block: usize, targets: &Targets) -> String {
    let of_block = targets.iter().filter(|target| usize::from(target.block) == block);
    let squares: Bitboard = of_block.map(|target| target.square).collect();
    squares.into_iter().map(|square| square.to_string()).collect()
}

fn walk_text(walk: &[Stop]) -> String {
    let mut text = String::with_capacity(walk.len() * 3);
    for stop in walk {
        stop.square.append_to_string(&mut text);
        text.push(if stop.colouring { '*' } else { '-' });
    }
    text
}

/// The lab as it stands in a request.
pub(super) fn open(pieces: &[LabPiece], seed: Seed) -> Result<Lab, GmoError> {
    let mut lab = Lab::new(seed);
    for piece in pieces.iter().take(MOST_PIECES) {
        let square = Lab::read_square(&piece.square)?;
        let genome = Arc::new(Genome::parse(&piece.dna)?);
        let owner = piece.owner.into();
        lab.place(square, Specimen { genome, owner, pawn: piece.pawn, king: piece.king })?;
    }
    Ok(lab)
}

/// The lab as the page draws it, with what every piece can do.
pub(super) fn show(lab: &Lab, looks: &LookKey) -> LabView {
    let pieces = lab.board().pieces().map(|(square, piece)| LabPiece {
        square: square.to_string(),
        owner: piece.owner.into(),
        dna: lab.genomes()[piece.genome].dna().to_owned(),
        pawn: piece.pawn,
        king: piece.king,
        look: looks.of(&lab.genomes()[piece.genome]),
    });
    let origins = lab.board().pieces().map(|(square, _)| square);
    let targets = origins.map(|origin| (origin, lab.targets(origin)));
    LabView { pieces: pieces.collect(), targets: groups(targets) }
}

/// Where the pieces of both sides could go in a game.
pub(super) fn all_targets(position: &GmoPosition) -> String {
    let origins = position.board().pieces().map(|(square, _)| square);
    groups(origins.map(|origin| (origin, position.targets(origin))))
}

fn groups(targets: impl Iterator<Item = (Square, Targets)>) -> String {
    let group = |(origin, targets): (Square, Targets)| {
        let to: String = targets.iter().map(|target| target.square.to_string()).collect();
        (!to.is_empty()).then(|| format!("{origin}{to}"))
    };
    targets.filter_map(group).collect::<Vec<_>>().join(" ")
}

/// Tries a move.
pub(super) fn play(
    mut lab: Lab,
    from: &str,
    to: &str,
    looks: &LookKey,
) -> Result<LabPlayed, GmoError> {
    let chosen = Move { origin: Lab::read_square(from)?, target: Lab::read_square(to)? };
    let played = lab.play(chosen)?;
    let lost_king = played.end.map(|end| match end {
        End::Win { winner, .. } => rules::Color::from(winner.other()).to_string(),
        End::Draw { .. } => "both".to_owned(),
    });
    Ok(LabPlayed {
        board: show(&lab, looks),
        landing: played.landing.to_string(),
        mutation: played.mutation.map(|index| lab.genomes()[index].dna().to_owned()),
        freezes: played.freezes,
        promotions: played.promotions.iter().map(|square| square.to_string()).collect(),
        lost_king,
    })
}
