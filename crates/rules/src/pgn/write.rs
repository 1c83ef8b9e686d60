//! Games out, in the export format of the PGN standard.

use super::tags::{is_roster, roster};
use super::{Board, Game, Line, Node, Notes, StartError};

/// The longest line of move text, in characters: the standard asks for fewer than 80.
const WIDTH: usize = 79;

/// Why a game cannot be written.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum WriteError {
    /// There are moves, but no position to play them from.
    #[error("the game has no position to begin with: {0}")]
    Start(#[from] StartError),
    /// A move that is not legal where it stands.
    #[error("entry {ply} of a line is not legal there")]
    Illegal {
        /// How many moves come before it in its line.
        ply: usize,
    },
}

impl Game {
    /// The game as PGN, with an empty line at its end.
    pub fn to_pgn(&self) -> Result<String, WriteError> {
        let mut text = String::with_capacity(512 + self.line.nodes.len() * 8);
        self.write_tags(&mut text);
        text.push('\n');
        let mut writer = Writer::new(text);
        if self.line.nodes.is_empty() {
            writer.notes(&self.line.notes);
        } else {
            writer.line(&self.line, self.start()?)?;
        }
        writer.word(self.result.as_str(), Glue::Break);
        writer.end_line();
        writer.text.push('\n');
        Ok(writer.text)
    }

    fn write_tags(&self, text: &mut String) {
        for (name, unknown) in roster() {
            let value = match name {
                "Result" => self.result.as_str(),
                _ => self.tags.get(name).unwrap_or(unknown),
            };
            write_tag(text, name, value);
        }
        for (name, value) in self.tags.iter().filter(|(name, _)| !is_roster(name)) {
            write_tag(text, name, value);
        }
    }
}

fn write_tag(text: &mut String, name: &str, value: &str) {
    text.extend(["[", name, " \""]);
    for character in value.chars() {
        if matches!(character, '"' | '\\') {
            text.push('\\');
        }
        text.push(character);
    }
    text.push_str("\"]\n");
}

/// How a word follows the one before.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Glue {
    /// After a space, or on the next line.
    Break,
    /// After a space on the same line, however long it gets.
    Space,
    /// At once.
    None,
}

struct Writer {
    text: String,
    column: usize,
    /// The last word, to which more may be glued, and how it follows the one before it.
    word: (String, Glue),
    /// The next word follows at once: a bracket was opened.
    is_open: bool,
    /// Black's move needs its number: it begins a line or follows something that is no move.
    needs_number: bool,
}

impl Writer {
    fn new(text: String) -> Writer {
        let word = (String::new(), Glue::Break);
        Writer { text, column: 0, word, is_open: false, needs_number: true }
    }

    fn word(&mut self, word: &str, glue: Glue) {
        if glue != Glue::None && !self.is_open {
            self.flush();
            self.word.1 = glue;
        }
        self.is_open = false;
        self.word.0.push_str(word);
    }

    fn open(&mut self, bracket: &str) {
        self.word(bracket, Glue::Break);
        self.is_open = true;
    }

    /// Puts the last word down, now that nothing more is glued to it.
    fn flush(&mut self) {
        let (word, glue) = &self.word;
        if word.is_empty() {
            return;
        }
        let width = word.chars().count();
        if self.column > 0 {
            if *glue == Glue::Break && self.column + 1 + width > WIDTH {
                self.text.push('\n');
                self.column = 0;
            } else {
                self.text.push(' ');
                self.column += 1;
            }
        }
        self.text.push_str(word);
        self.column += width;
        self.word.0.clear();
    }

    fn end_line(&mut self) {
        self.flush();
        self.text.push('\n');
        self.column = 0;
    }

    fn line(&mut self, line: &Line, mut board: Board) -> Result<(), WriteError> {
        self.needs_number = true;
        self.notes(&line.notes);
        for (ply, node) in line.nodes.iter().enumerate() {
            self.node(node, ply, &mut board)?;
        }
        Ok(())
    }

    fn node(&mut self, node: &Node, ply: usize, board: &mut Board) -> Result<(), WriteError> {
        let before = (!node.variations().is_empty()).then(|| board.clone());
        let (number, is_white) = board.number();
        if is_white {
            self.word(&format!("{number}."), Glue::Break);
        } else if self.needs_number {
            self.word(&format!("{number}..."), Glue::Break);
        }
        let san = board.write(node.step).ok_or(WriteError::Illegal { ply })?;
        self.word(&san, Glue::Break);
        self.needs_number = false;
        self.notes(node.notes());
        if let Some(before) = before {
            for variation in node.variations() {
                self.open("(");
                self.line(variation, before.clone())?;
                self.word(")", Glue::None);
                self.needs_number = true;
            }
        }
        Ok(())
    }

    fn notes(&mut self, notes: &Notes) {
        for nag in &notes.nags {
            self.word(&nag.to_string(), Glue::Break);
        }
        if notes.has_no_text() {
            return;
        }
        self.needs_number = true;
        let mut values = notes.values();
        for comment in &notes.comments {
            // A comment with a brace can only stand at the end of a line.
            if comment.contains('}') {
                self.comment(std::mem::take(&mut values).as_str(), "");
                self.word(&format!("; {comment}"), Glue::Break);
                self.end_line();
            } else {
                self.comment(std::mem::take(&mut values).as_str(), comment);
            }
        }
        self.comment(&values, "");
    }

    fn comment(&mut self, values: &str, text: &str) {
        let mut is_empty = true;
        // The values stay together: not every program reads them over the end of a line.
        let words = [values].into_iter().chain(text.split(' ')).filter(|word| !word.is_empty());
        for word in words {
            if std::mem::take(&mut is_empty) {
                self.open("{");
            }
            // At the beginning of a line these would look like a tag or an escape.
            let glue = if word.starts_with(['[', '%']) { Glue::Space } else { Glue::Break };
            self.word(word, glue);
        }
        if !is_empty {
            self.word("}", Glue::None);
        }
    }
}
