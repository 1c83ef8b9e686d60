//! The prepared positions: those every club has, and those its administrators have made.

use rules::Color;
use rules::defender::{PREPARED, check_prepared, single_player_start};
use store::{AccountId, DefenderPosition, StoreError};

use super::{Defender, DefenderError};

/// The largest par.
const MOST_PAR: u8 = 99;
/// Positions a club may have, those of every club included.
const MOST_POSITIONS: usize = 200;

/// A prepared position.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Position {
    /// What is known of it.
    pub stored: DefenderPosition,
    /// Whether every club has it: then only its par and whether it is offered can be changed.
    pub is_built_in: bool,
}

impl Position {
    /// The first position of an attempt with this budget.
    pub(super) fn start(&self, budget: u8) -> String {
        single_player_start(&self.stored.board, self.stored.player, budget)
    }
}

/// What an administrator says of a position.
#[derive(Debug, Clone)]
pub(super) struct PositionWish {
    /// The computer's pieces, as a FEN writes them.
    pub board: String,
    /// The side of the player.
    pub player: Color,
    /// The par.
    pub par: u8,
    /// Whether it is offered no longer.
    pub is_hidden: bool,
}

impl PositionWish {
    fn checked(self, id: String) -> Result<DefenderPosition, DefenderError> {
        let board = self.board.trim().to_owned();
        check_prepared(&board, self.player)?;
        if !(1..=MOST_PAR).contains(&self.par) {
            return Err(DefenderError::BadPar);
        }
        let PositionWish { player, par, is_hidden, .. } = self;
        Ok(DefenderPosition { id, board, player, par, is_hidden })
    }
}

impl Defender {
    /// All positions in their order, those that are offered no longer included.
    pub(super) async fn positions(&self) -> Result<Vec<Position>, DefenderError> {
        let mut known: Vec<Position> = PREPARED.iter().map(built_in).collect();
        let mut own = self.store.defender_positions().await?;
        own.sort_by_key(|position| number(&position.id));
        for position in own {
            match known.iter_mut().find(|known| known.stored.id == position.id) {
                Some(known) => {
                    known.stored.par = position.par;
                    known.stored.is_hidden = position.is_hidden;
                }
                None => known.push(Position { stored: position, is_built_in: false }),
            }
        }
        Ok(known)
    }

    /// The position of this name.
    pub(super) async fn position(&self, id: &str) -> Result<Position, DefenderError> {
        let mut positions = self.positions().await?.into_iter();
        positions.find(|position| position.stored.id == id).ok_or(DefenderError::UnknownPosition)
    }

    /// Prepares a new position; gives its name, the next free number.
    pub(super) async fn add_position(
        &self,
        wish: PositionWish,
        by: AccountId,
    ) -> Result<String, DefenderError> {
        let known = self.positions().await?;
        if known.len() >= MOST_POSITIONS {
            return Err(DefenderError::TooManyPositions);
        }
        let last = known.iter().map(|position| number(&position.stored.id)).max().unwrap_or(0);
        let position = wish.checked((last + 1).to_string())?;
        if known.iter().any(|other| is_same(&other.stored, &position)) {
            return Err(DefenderError::SamePosition);
        }
        let id = position.id.clone();
        self.store.add_defender_position(position, by, self.world.time.now()).await?;
        Ok(id)
    }

    /// Changes a position, or hides it. Its pieces stay as they are once somebody has tried it.
    pub(super) async fn change_position(
        &self,
        id: &str,
        wish: PositionWish,
        by: AccountId,
    ) -> Result<(), DefenderError> {
        let before = self.position(id).await?;
        let position = wish.checked(before.stored.id.clone())?;
        if before.is_built_in && !is_same(&before.stored, &position) {
            return Err(DefenderError::BuiltIn);
        }
        let now = self.world.time.now();
        self.store.change_defender_position(position, by, now).await.map_err(|error| match error {
            StoreError::Conflict => DefenderError::Tried,
            other => other.into(),
        })
    }
}

fn built_in(prepared: &rules::defender::Prepared) -> Position {
    let stored = DefenderPosition {
        id: prepared.id.to_owned(),
        board: prepared.board.to_owned(),
        player: prepared.player,
        par: prepared.par,
        is_hidden: false,
    };
    Position { stored, is_built_in: true }
}

fn is_same(one: &DefenderPosition, other: &DefenderPosition) -> bool {
    one.board == other.board && one.player == other.player
}

fn number(id: &str) -> u32 {
    id.parse().unwrap_or(0)
}
