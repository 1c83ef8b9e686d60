//! Genomes that somebody lent: "usable by code" means to play with them, not to read them, neither in a game nor after it.
//!
//! Whoever brings a genome to a board can show only what they may read themselves. So the DNA of a lent genome, and of
//! what it mutates into, is told to those whom its keeper lets read it and to nobody else, though the game be revealed.

use std::collections::HashSet;

use rules::gmo::{Genome, GenomeIndex, GenomeTable, GmoPosition, Knowledge};
use rules::position::Fate;
use rules::{Action, ByColor, Color, Game, Ply, Position};
use store::{AccountId, Store, StoreError};

/// A position of a GMO game, who knew what then, and where its genomes came from.
pub(crate) struct Origins {
    pub(super) position: GmoPosition,
    pub(super) knowledge: Knowledge,
    /// The genomes of armies and promotions, and whose they were.
    brought: HashSet<(Color, GenomeIndex)>,
    /// What became of what, in order.
    mutated: Vec<(GenomeIndex, GenomeIndex)>,
}

/// Those at the table of a game.
pub(crate) struct Table {
    pub(crate) players: ByColor<AccountId>,
    /// Whose computer it is, if both play at one.
    pub(crate) host: Option<AccountId>,
}

impl Origins {
    /// The position of a game at a ply; none if its armies were not there yet.
    pub(crate) fn at(game: &Game, ply: Ply) -> Option<Origins> {
        let Position::Gmo(start) = game.position_at(Ply(0))? else { return None };
        let mut knowledge = Knowledge::at_start(&start);
        let pieces = start.board().pieces();
        let mut brought: HashSet<(Color, GenomeIndex)> =
            pieces.map(|(_, piece)| (piece.owner.into(), piece.genome)).collect();
        let mut mutated = Vec::new();
        let mut position = Position::Gmo(start);
        for (action, index) in game.actions().iter().zip(0..ply.0) {
            let fate = game.fate_at(Ply(index)).unwrap_or(&Fate::NONE);
            let before = position.as_gmo()?.clone();
            position.play_fated(*action, fate).ok()?;
            let after = position.as_gmo()?;
            let genome = fate.dna.as_deref().and_then(|dna| Genome::parse(dna).ok());
            let new = genome.and_then(|genome| after.genomes().find(&genome));
            match (*action, new) {
                (Action::Move { from, .. }, Some(child)) => {
                    let parent = before.board().get(from)?.genome;
                    knowledge.mutate(parent, child);
                    mutated.push((parent, child));
                }
                (Action::Promote { at, .. }, _) => {
                    let piece = after.board().get(at)?;
                    knowledge.promote(piece.owner, piece.genome);
                    brought.insert((piece.owner.into(), piece.genome));
                }
                _ => {}
            }
        }
        let Position::Gmo(position) = position else { return None };
        Some(Origins { position: *position, knowledge, brought, mutated })
    }

    fn genomes(&self) -> &GenomeTable {
        self.position.genomes()
    }

    /// The genomes that may be told to `viewer` as far as their keepers are concerned; what the game hides is another
    /// matter.
    pub(crate) async fn open_to(
        &self,
        viewer: Option<AccountId>,
        table: &Table,
        is_revealed: bool,
        store: &Store,
    ) -> Result<HashSet<GenomeIndex>, StoreError> {
        let mut open = HashSet::new();
        for (side, index) in &self.brought {
            let Some(genome) = self.genomes().get(*index).filter(|_| !open.contains(index)) else {
                continue;
            };
            let sha = genome.sha().to_string();
            let mut readers = vec![viewer];
            if is_revealed {
                // What is one's own is shown by a revealed game; at one computer its owner's library is there too.
                readers.extend([Some(table.players[*side]), table.host.or(viewer)]);
            }
            for reader in readers {
                if !store.is_genome_withheld(&sha, reader).await? {
                    open.insert(*index);
                    break;
                }
            }
        }
        for (parent, child) in &self.mutated {
            if open.contains(parent) {
                open.insert(*child);
            }
        }
        Ok(open)
    }

    /// The genomes that somebody has published, and what became of them: no secrets, whoever brought them.
    pub(super) async fn published(
        &self,
        store: &Store,
    ) -> Result<HashSet<GenomeIndex>, StoreError> {
        let bred = self.mutated.iter().map(|(_, child)| *child);
        let all: HashSet<GenomeIndex> =
            self.brought.iter().map(|(_, brought)| *brought).chain(bred).collect();
        let mut published = HashSet::new();
        for index in all {
            let Some(genome) = self.genomes().get(index) else { continue };
            if store.is_genome_published(&genome.sha().to_string()).await? {
                published.insert(index);
            }
        }
        for (parent, child) in &self.mutated {
            if published.contains(parent) {
                published.insert(*child);
            }
        }
        Ok(published)
    }

    /// Whether everything that was on the board may be told to `viewer` once the game is revealed.
    pub(crate) async fn is_open_to(
        &self,
        viewer: Option<AccountId>,
        table: &Table,
        store: &Store,
    ) -> Result<bool, StoreError> {
        let open = self.open_to(viewer, table, true, store).await?;
        let mut all = self.brought.iter().map(|(_, brought)| brought);
        Ok(all.all(|genome| open.contains(genome)))
    }
}
