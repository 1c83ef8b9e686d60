//! Standings as text for a terminal.

use std::fmt;

use super::Standings;

impl fmt::Display for Standings {
    /// An aligned table: rank, number, name, rating, points and the tie-breaks.
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let head = ["Rank", "No", "Name", "Rtg", "Pts"].map(str::to_owned);
        let mut lines =
            vec![head.into_iter().chain(self.tie_breaks.iter().map(ToString::to_string)).collect()];
        for row in &self.rows {
            let or_blank = |value: Option<String>| value.unwrap_or_default();
            let mut line = vec![
                row.rank.to_string(),
                row.player.to_string(),
                row.name.clone(),
                or_blank(row.rating.map(|rating| rating.to_string())),
                row.points.to_string(),
            ];
            line.extend(
                row.values
                    .iter()
                    .map(|value| value.map_or_else(|| "-".to_owned(), |value| value.to_string())),
            );
            lines.push(line);
        }
        write_aligned(out, &lines, 2)
    }
}

/// Writes lines of cells in columns, all to the right but the one with names.
fn write_aligned(out: &mut fmt::Formatter<'_>, lines: &[Vec<String>], left: usize) -> fmt::Result {
    let columns = lines.iter().map(Vec::len).max().unwrap_or(0);
    let width = |column: usize| {
        lines
            .iter()
            .filter_map(|line| line.get(column))
            .map(|cell| cell.chars().count())
            .max()
            .unwrap_or(0)
    };
    let widths: Vec<usize> = (0..columns).map(width).collect();
    for line in lines {
        let cells = line.iter().zip(&widths).enumerate().map(|(column, (cell, &width))| {
            if column == left { format!("{cell:<width$}") } else { format!("{cell:>width$}") }
        });
        writeln!(out, "{}", cells.collect::<Vec<_>>().join("  ").trim_end())?;
    }
    Ok(())
}
