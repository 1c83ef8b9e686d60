//! The positions that several games of a segment share by the same moves, as a tree in the order of the games.

use std::io::{self, Write};

use crate::packing::{SectionWriter, Sections};

/// Nodes in the order in which a walk through the games first meets them.
#[derive(Debug, Default)]
pub(crate) struct Tree {
    /// The first game of the node, and the one after its last.
    pub(crate) begin: Vec<u32>,
    pub(crate) end: Vec<u32>,
    /// The next node that does not lie below this one.
    pub(crate) next: Vec<u32>,
    /// The move that leads to it; 0 at a start.
    pub(crate) led_by: Vec<u16>,
}

impl Tree {
    pub(crate) fn write<W: Write>(&self, out: &mut SectionWriter<W>) -> io::Result<()> {
        out.numbers(&self.begin)?;
        out.numbers(&self.end)?;
        out.numbers(&self.next)?;
        out.numbers(&self.led_by)
    }

    pub(crate) fn read(from: &mut Sections) -> io::Result<Tree> {
        Ok(Tree {
            begin: from.numbers()?,
            end: from.numbers()?,
            next: from.numbers()?,
            led_by: from.numbers()?,
        })
    }

    /// Whether the numbers can be followed without falling off.
    pub(crate) fn is_sound(&self, games: usize) -> bool {
        let nodes = self.begin.len();
        [self.end.len(), self.next.len(), self.led_by.len()] == [nodes; 3]
            && (0..nodes).all(|node| {
                self.begin[node] <= self.end[node]
                    && self.end[node] as usize <= games
                    && self.next[node] as usize > node
                    && self.next[node] as usize <= nodes
            })
    }

    /// The nodes one move below.
    pub(crate) fn children(&self, node: usize) -> impl Iterator<Item = usize> {
        let end = self.next[node] as usize;
        let first = Some(node + 1).filter(|child| *child < end);
        std::iter::successors(first, move |child| {
            Some(self.next[*child] as usize).filter(|next| *next < end)
        })
    }
}
