//! The next wave of an arena: whoever is free meets whoever is near.

use std::collections::BTreeMap;

use pairing::Colour;
use pairing::arena::{Waiting, pair_waiting};
use rules::Color;

use super::{BoardPlan, Entrant, Event, RoundPlan};

impl Event {
    /// Pairs those who are there and play no game of the arena now. Who is left over waits on.
    ///
    /// Nobody meets the last opponent again at once, unless the two are alone: they would wait for nobody.
    pub fn arena_plan(&self, is_free: impl Fn(&Entrant) -> bool) -> RoundPlan {
        let mut waiting = self.waiting(is_free);
        if waiting.len() == 2 && self.is_complete() {
            for player in &mut waiting {
                player.last_opponent = None;
            }
        }
        let pairing = pair_waiting(&waiting).unwrap_or_default();
        let board = |board: &pairing::Board| {
            let (white, black) = (self.entry_of(board.white)?, self.entry_of(board.black)?);
            Some(BoardPlan { white, black, result: None, game: None })
        };
        let boards = pairing.boards.iter().filter_map(board).collect();
        RoundPlan { round: self.next_round(), boards, byes: Vec::new() }
    }

    fn waiting(&self, is_free: impl Fn(&Entrant) -> bool) -> Vec<Waiting> {
        let ranking = self.ranking();
        let points: BTreeMap<u32, u32> =
            ranking.rows.iter().map(|row| (row.player, row.points.parse().unwrap_or(0))).collect();
        let mut free = Vec::new();
        for player in self.players.iter().filter(|player| player.plays() && is_free(player)) {
            let Some(seed) = player.seed else { continue };
            let boards: Vec<_> =
                self.rounds.iter().filter_map(|round| round.board_of(player.number)).collect();
            if boards.iter().any(|board| board.result.is_none()) {
                continue;
            }
            let sides: Vec<Color> =
                boards.iter().filter_map(|board| board.side_of(player.number)).collect();
            let whites = sides.iter().filter(|side| **side == Color::White).count();
            let difference =
                2 * i32::try_from(whites).unwrap_or(0) - i32::try_from(sides.len()).unwrap_or(0);
            let last = boards.last().zip(sides.last());
            free.push(Waiting {
                player: seed,
                score: points.get(&player.number).copied().unwrap_or(0),
                rating: player.details.rating.unwrap_or(1_500),
                last_opponent: last
                    .and_then(|(board, side)| self.player(board.players[side.other()])?.seed),
                colour_difference: difference,
                last_colour: sides.last().map(|side| match side {
                    Color::White => Colour::White,
                    Color::Black => Colour::Black,
                }),
            });
        }
        free
    }
}
