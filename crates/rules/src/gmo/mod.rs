//! GMO chess: genomes, walks, moves, chance.
