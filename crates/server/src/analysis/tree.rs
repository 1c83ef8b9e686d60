//! Trees of variations: from PGN, to PGN.

use rules::pgn::{
    Board, Brush, Game as Sheet, GameReader, GameResult, Item, Keep, Limits, Line as PgnLine, Nag,
    Node, Notes, Step,
};
use rules::shakmaty::{CastlingMode, Position as _, Square};
use rules::{Action, Millis, Position, Variant};

use super::AnalysisError;
use super::position::{check, study};
use super::wire::{LineView, NotesView, TreeMove, TreeView};
use crate::games::render::board_moves;

/// Variations within variations: a deeper tree could not be told in JSON that everybody reads.
const DEEPEST: usize = 16;
/// Moves of a tree, all variations together.
const MOST_MOVES: usize = 3_000;
/// Words about one move, in bytes.
const LONGEST_COMMENT: usize = 4_000;
/// What one PGN may say wrong before the rest is not told.
const TOLD_PROBLEMS: usize = 10;

/// Reads the first game of a text.
pub(crate) fn read(text: &str) -> Result<TreeView, AnalysisError> {
    let limits =
        Limits { moves: MOST_MOVES, depth: DEEPEST, comment: LONGEST_COMMENT, ..Limits::default() };
    let mut first = None;
    let mut reader = GameReader::new(limits, Keep::Everything);
    let mut take = |item| {
        if let (Item::Game(read), None) = (item, &first) {
            first = Some(read);
        }
    };
    reader.feed(text.as_bytes(), &mut take);
    reader.finish(&mut take);
    let read = first.ok_or(AnalysisError::NoGame)?;
    let problems = read.problems.iter().take(TOLD_PROBLEMS).map(ToString::to_string).collect();
    let mut tree = view(&read.game)?;
    tree.problems = problems;
    Ok(tree)
}

/// A game as a tree. `ChessDefender` is told from the battle on.
pub(crate) fn view(sheet: &Sheet) -> Result<TreeView, AnalysisError> {
    if let Some(battle) = sheet.battle() {
        return view(&battle);
    }
    let Board::Chess(start) = sheet.start()? else { return Err(AnalysisError::NoTree) };
    let mode = start.castles().mode();
    let is_standard = mode == CastlingMode::Standard;
    let position = Position::Chess(start);
    Ok(TreeView {
        variant: if is_standard { Variant::Standard } else { Variant::Chess960 },
        start: sheet.tags.get("FEN").map(|_| position.fen()),
        tags: sheet.tags.iter().map(|(name, value)| (name.to_owned(), value.to_owned())).collect(),
        dests: board_moves(&position),
        line: line_view(&sheet.line, position, mode)?,
        result: sheet.result.to_string(),
        problems: Vec::new(),
    })
}

fn line_view(
    line: &PgnLine,
    mut position: Position,
    mode: CastlingMode,
) -> Result<LineView, AnalysisError> {
    let mut moves = Vec::with_capacity(line.nodes.len());
    for node in &line.nodes {
        let variations = node.variations().iter();
        let variations = variations.map(|other| line_view(other, position.clone(), mode));
        let variations = variations.collect::<Result<_, _>>()?;
        let action = node.step.action(mode);
        let illegal = || AnalysisError::Tree(action.to_string());
        let san = if action == Action::Pass {
            position = position.passed().ok_or_else(illegal)?;
            "--".to_owned()
        } else {
            let san = position.san(action).ok_or_else(illegal)?;
            position.play(action).map_err(|_| illegal())?;
            san
        };
        moves.push(TreeMove {
            uci: action.to_string(),
            san,
            fen: position.fen(),
            check: check(&position),
            dests: board_moves(&position),
            notes: notes_view(node.notes()),
            variations,
        });
    }
    Ok(LineView { notes: notes_view(&line.notes), moves })
}

fn notes_view(notes: &Notes) -> NotesView {
    let squares = notes.squares.iter().map(|(brush, at)| format!("{}{at}", letter(*brush)));
    let arrows = notes.arrows.iter();
    let arrows = arrows.map(|(brush, from, to)| format!("{}{from}{to}", letter(*brush)));
    NotesView {
        comments: notes.comments.clone(),
        nags: notes.nags.iter().map(|nag| nag.0).collect(),
        clock_ms: notes.clock.map(|left| left.0),
        shapes: squares.chain(arrows).collect(),
    }
}

/// A tree as PGN.
pub(crate) fn write(tree: &TreeView) -> Result<String, AnalysisError> {
    let mut sheet = Sheet::default();
    for (name, value) in tree.tags.iter().take(100) {
        if !matches!(name.as_str(), "FEN" | "SetUp" | "Variant") {
            sheet.tags.set(name, value.as_str());
        }
    }
    match tree.variant {
        Variant::Standard => {}
        Variant::Chess960 => sheet.tags.set("Variant", "Chess960"),
        Variant::Defender | Variant::Gmo => return Err(AnalysisError::NoTree),
    }
    if let Some(fen) = &tree.start {
        sheet.tags.set("SetUp", "1");
        sheet.tags.set("FEN", fen.as_str());
    }
    sheet.result = GameResult::parse(tree.result.as_bytes()).unwrap_or_default();
    let mut left = MOST_MOVES;
    sheet.line = pgn_line(&tree.line, sheet.start()?, 0, &mut left)?;
    Ok(sheet.to_pgn()?)
}

fn pgn_line(
    line: &LineView,
    mut board: Board,
    depth: usize,
    left: &mut usize,
) -> Result<PgnLine, AnalysisError> {
    let mut nodes = Vec::with_capacity(line.moves.len());
    for entry in &line.moves {
        *left = left.checked_sub(1).ok_or(AnalysisError::TooLong(MOST_MOVES))?;
        let mut variations = Vec::with_capacity(entry.variations.len());
        for other in &entry.variations {
            if depth >= DEEPEST {
                return Err(AnalysisError::TooLong(MOST_MOVES));
            }
            variations.push(pgn_line(other, board.clone(), depth + 1, left)?);
        }
        let illegal = || AnalysisError::Tree(entry.uci.chars().take(20).collect());
        let action: Action = entry.uci.parse().map_err(|_| illegal())?;
        let step: Step = board.play(action).ok_or_else(illegal)?;
        let mut node = Node::from(step);
        let notes = notes_of(&entry.notes);
        if !notes.is_empty() {
            *node.notes_mut() = notes;
        }
        if !variations.is_empty() {
            *node.variations_mut() = variations;
        }
        nodes.push(node);
    }
    Ok(PgnLine { notes: notes_of(&line.notes), nodes })
}

fn notes_of(view: &NotesView) -> Notes {
    let mut notes = Notes::new();
    notes.nags = view.nags.iter().take(8).map(|number| Nag(*number)).collect();
    for comment in view.comments.iter().take(20) {
        let fitting: String = comment.chars().take(LONGEST_COMMENT / 4).collect();
        notes.add_comment(&fitting);
    }
    notes.clock = view.clock_ms.map(Millis);
    for shape in view.shapes.iter().take(64) {
        add_shape(&mut notes, shape);
    }
    notes
}

/// Adds a shape as PGN writes it; what is none is left out.
fn add_shape(notes: &mut Notes, text: &str) -> Option<()> {
    let (brush, squares) = text.split_at_checked(1)?;
    let brush = match brush {
        "G" => Brush::Green,
        "R" => Brush::Red,
        "Y" => Brush::Yellow,
        "B" => Brush::Blue,
        _ => return None,
    };
    let (from, to) = squares.split_at_checked(2)?;
    let from: Square = from.parse().ok()?;
    if to.is_empty() {
        notes.squares.push((brush, from));
    } else {
        notes.arrows.push((brush, from, to.parse().ok()?));
    }
    Some(())
}

fn letter(brush: Brush) -> char {
    match brush {
        Brush::Green => 'G',
        Brush::Red => 'R',
        Brush::Yellow => 'Y',
        Brush::Blue => 'B',
    }
}

/// The variant and all positions of a sheet of PGN, those of its variations included.
pub(crate) fn positions_of(sheet: &Sheet) -> Result<(Variant, Vec<Position>), AnalysisError> {
    let tree = view(sheet)?;
    Ok((tree.variant, positions(&tree)))
}

/// All positions of a tree, those of the main line last, so that the last one is where it ends.
pub(crate) fn positions(tree: &TreeView) -> Vec<Position> {
    let start = match tree.start.as_deref() {
        Some(fen) => study(tree.variant, fen).ok(),
        None => Some(Position::standard()),
    };
    let mut all = Vec::new();
    let mut main = Vec::from_iter(start);
    collect(&tree.line, tree.variant, &mut main, &mut all);
    all.append(&mut main);
    all
}

fn collect(line: &LineView, variant: Variant, own: &mut Vec<Position>, all: &mut Vec<Position>) {
    for entry in &line.moves {
        for other in &entry.variations {
            let mut aside = Vec::new();
            collect(other, variant, &mut aside, all);
            all.append(&mut aside);
        }
        own.extend(study(variant, &entry.fen));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(pgn: &str, expected: &str) {
        let tree = read(pgn).unwrap();
        let text = write(&tree).unwrap();
        let (_, moves) = text.split_once("\n\n").unwrap();
        assert_eq!(moves.split_whitespace().collect::<Vec<_>>().join(" "), expected);
        assert_eq!(read(&text).unwrap(), tree, "what is written reads the same");
    }

    #[test]
    fn a_tree_survives_the_way_to_the_page_and_back() {
        check("1. e4 e5 2. Nf3 *", "1. e4 e5 2. Nf3 *");
        check(
            "{Before} 1. e4! {Best} (1. d4 d5 (1... Nf6 2. c4)) 1... e5 $6 1-0",
            "{Before} 1. e4 $1 {Best} (1. d4 d5 (1... Nf6 2. c4)) 1... e5 $6 1-0",
        );
        check(
            "1. e4 {[%clk 0:05:00] [%csl Ge4] [%cal Rg1f3]} *",
            "1. e4 {[%clk 0:05:00] [%csl Ge4] [%cal Rg1f3]} *",
        );
        check("1. e4 -- 2. d4 *", "1. e4 -- 2. d4 *");
    }

    #[test]
    fn set_up_positions_and_chess960_keep_their_start() {
        let fen = "[SetUp \"1\"]\n[FEN \"8/8/8/4k3/8/8/4P3/4K3 w - - 0 1\"]\n\n1. e4 *";
        let tree = read(fen).unwrap();
        assert_eq!(tree.start.as_deref(), Some("8/8/8/4k3/8/8/4P3/4K3 w - - 0 1"));
        check(fen, "1. e4 *");
        let shuffled = "[Variant \"Chess960\"]\n[SetUp \"1\"]\n[FEN \"bqnbrnkr/pppppppp/8/8/8/8/PPPPPPPP/BQNBRNKR w KQkq - 0 1\"]\n\n1. e4 *";
        assert_eq!(read(shuffled).unwrap().variant, Variant::Chess960);
        check(shuffled, "1. e4 *");
    }

    #[test]
    fn a_bad_move_leaves_what_was_good_and_a_word_about_it() {
        let tree = read("1. e4 e5 2. Ke3 d6 *").unwrap();
        assert_eq!(tree.line.moves.len(), 2);
        assert_eq!(tree.problems.len(), 1, "{:?}", tree.problems);
        assert!(matches!(read("no chess here"), Err(AnalysisError::NoGame) | Ok(_)));
    }

    #[test]
    fn a_tree_that_cannot_be_played_is_refused() {
        let entry = |uci: &str| TreeMove { uci: uci.to_owned(), ..TreeMove::default() };
        for uci in ["e2e5", "x", "", "e7e5", "--x"] {
            let line = LineView { moves: vec![entry(uci)], ..LineView::default() };
            let tree = TreeView { line, ..TreeView::default() };
            assert!(matches!(write(&tree), Err(AnalysisError::Tree(_))), "{uci}");
        }
        let line = LineView { moves: vec![entry("g1f3"); MOST_MOVES + 1], ..LineView::default() };
        assert!(write(&TreeView { line, ..TreeView::default() }).is_err());
    }

    #[test]
    fn every_position_is_listed_and_the_end_of_the_main_line_is_the_last() {
        let tree = read("1. e4 (1. d4 d5) 1... e5 *").unwrap();
        let all = positions(&tree);
        assert_eq!(all.len(), 5);
        assert_eq!(all.last().map(Position::fen), tree.line.moves.last().map(|it| it.fen.clone()));
    }
}
