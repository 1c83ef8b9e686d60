//! Two people at one computer: who they are, how a member among them confirms it, and the game that begins.
//!
//! The game is one like any other in `games/`; whoever began it makes the moves of both sides. It counts if both are
//! members, each by being logged in or by a password or PIN of their own, and fair play holds for all of them.

pub mod routes;
pub mod wire;

use rules::{ByColor, Color, RuleSet, Setup, TimeControl};
use store::{
    Account, AccountId, AccountKind, Challenge, ChallengeKind, ChallengeState, GameId, Store,
};

use crate::accounts::pin::Confirmation;
use crate::accounts::{AccountError, Accounts, Visitor};
use crate::games::wire::{BadTimeControl, GameView};
use crate::games::{GameError, Games, house};
use crate::lobby::{LobbyError, terms};
use crate::world::World;
use wire::{NewTable, SeatWish};

/// Games that may run at one computer at once.
const MOST: i64 = 10;
/// Letters of a name at the table.
const LONGEST_NAME: usize = 30;

/// Why a game at one computer could not begin.
#[derive(Debug, Clone, thiserror::Error)]
pub enum OneComputerError {
    /// Somebody without a name.
    #[error("everybody at the table has a name of 1 to {LONGEST_NAME} letters")]
    BadName,
    /// The name of a member who has not confirmed.
    #[error("{0} is a member's name: let them confirm with their password or PIN, or take another")]
    MembersName(String),
    /// The same person on both sides.
    #[error("two people play: choose two different ones")]
    SamePerson,
    /// Days make no sense while both sit there.
    #[error("at one computer a game is played at once: choose minutes, or no clock")]
    NotForDays,
    /// Too many games.
    #[error("{MOST} games run at this computer already: finish or abort one first")]
    TooMany,
    /// Who they are could not be shown.
    #[error(transparent)]
    Account(#[from] AccountError),
    /// The terms of the game make no sense.
    #[error(transparent)]
    Terms(#[from] LobbyError),
}

impl From<store::StoreError> for OneComputerError {
    fn from(error: store::StoreError) -> Self {
        OneComputerError::Terms(LobbyError::Game(GameError::Store(error)))
    }
}

impl From<GameError> for OneComputerError {
    fn from(error: GameError) -> Self {
        OneComputerError::Terms(LobbyError::Game(error))
    }
}

impl From<BadTimeControl> for OneComputerError {
    fn from(error: BadTimeControl) -> Self {
        OneComputerError::Terms(error.into())
    }
}

/// The tables with one computer. Cheap to clone.
#[derive(Clone)]
pub struct OneComputer {
    store: Store,
    world: World,
    games: Games,
    accounts: Accounts,
}

impl OneComputer {
    /// Takes what it needs.
    pub fn new(store: Store, world: World, games: Games, accounts: Accounts) -> OneComputer {
        OneComputer { store, world, games, accounts }
    }

    /// Begins a game of two people at the visitor's computer.
    pub async fn begin(
        &self,
        visitor: &Visitor,
        new: &NewTable,
    ) -> Result<GameView, OneComputerError> {
        self.games.refuse_if_draining()?;
        let setup = setup(new)?;
        let host = self.accounts.account_of(visitor).await?;
        if self.store.count_at_one_computer(host.id).await? >= MOST {
            return Err(OneComputerError::TooMany);
        }
        // Before anybody is asked for a password: what cannot begin is said at once.
        if new.rated {
            terms::check_rateable(&setup)?;
            let is_guest = |seat: &SeatWish| match seat {
                SeatWish::Guest { .. } => true,
                SeatWish::Me => host.kind == AccountKind::Guest,
                SeatWish::Member { .. } => false,
            };
            if is_guest(&new.white) || is_guest(&new.black) {
                return Err(LobbyError::GuestsPlayCasual.into());
            }
        }
        let white = self.sit_down(visitor, &host, &new.white).await?;
        let black = self.sit_down(visitor, &host, &new.black).await?;
        let alike = white.name.to_lowercase() == black.name.to_lowercase();
        if white.id == black.id || alike {
            return Err(OneComputerError::SamePerson);
        }
        let is_swapped = new.draw_lots && self.world.chance.bits() & 1 == 1;
        let players = if is_swapped {
            ByColor { white: black, black: white }
        } else {
            ByColor { white, black }
        };
        self.begin_with(&host, setup, players, new.rated).await
    }

    async fn begin_with(
        &self,
        host: &Account,
        setup: Setup,
        players: ByColor<Account>,
        rated: bool,
    ) -> Result<GameView, OneComputerError> {
        // Nobody has to accept it, so it is never stored as a challenge: its game alone is.
        let agreed = Challenge {
            id: GameId::from_bits(self.world.chance.bits()),
            kind: ChallengeKind::Link,
            challenger: players[Color::White].clone(),
            color: Some(Color::White),
            setup: house::draw(setup, rated, &self.world.chance),
            rated,
            // What somebody types for a name is nobody else's to read; a rating is public, and what changed it.
            private: !rated,
            state: ChallengeState::Accepted,
            created_at: self.world.time.now(),
            expires_at: None,
        };
        let game = self.games.new_game(&agreed, &players).await?;
        let is_new = |it: &Account| it.kind == AccountKind::Guest && it.id != host.id;
        let seats = [&players.white, &players.black];
        let guests = seats.into_iter().filter(|it| is_new(it)).cloned().collect();
        self.store.begin_at_one_computer(game.clone(), host.id, guests).await?;
        self.games.begin_hosted(game, players, Some(host.id)).await?;
        Ok(self.games.view(agreed.id, Some(host.id)).await?)
    }

    /// The account of somebody who sits down.
    async fn sit_down(
        &self,
        visitor: &Visitor,
        host: &Account,
        seat: &SeatWish,
    ) -> Result<Account, OneComputerError> {
        match seat {
            SeatWish::Me => Ok(host.clone()),
            SeatWish::Guest { name } => {
                let name = tidy(name).ok_or(OneComputerError::BadName)?;
                if self.store.find_player_named(&name).await?.is_some() {
                    return Err(OneComputerError::MembersName(name));
                }
                let id = AccountId::from_bits(self.world.chance.bits());
                Ok(Account { id, kind: AccountKind::Guest, name })
            }
            SeatWish::Member { name, password, pin } => {
                let confirmation = match (password, pin) {
                    (_, Some(pin)) => Confirmation::Pin(pin),
                    (password, None) => {
                        Confirmation::Password(password.as_deref().unwrap_or_default())
                    }
                };
                Ok(self.accounts.confirm_at_table(visitor, name, confirmation).await?)
            }
        }
    }
}

/// A name without what cannot be seen, if it is one.
fn tidy(name: &str) -> Option<String> {
    let words: Vec<&str> = name.split_whitespace().collect();
    let name = words.join(" ");
    let fits = (1..=LONGEST_NAME).contains(&name.chars().count());
    let is_plain = name.chars().all(|c| c == ' ' || c.is_alphanumeric() || "'’.-".contains(c));
    (fits && is_plain).then_some(name)
}

/// The terms of a game at one computer: nobody can be away, and nobody has to be waited for.
fn setup(new: &NewTable) -> Result<Setup, OneComputerError> {
    let time = new.time.to_rules()?;
    if matches!(time, TimeControl::Days(_)) {
        return Err(OneComputerError::NotForDays);
    }
    let setup = terms::setup(new.variant, time, new.start.as_deref(), true)?;
    let (first_move, muster, abandonment) = (None, None, None);
    let rules = RuleSet { first_move, muster, abandonment, give_time: false, ..setup.rules };
    Ok(Setup { rules, ..setup })
}

#[cfg(test)]
mod tests {
    use super::tidy;

    #[test]
    fn a_name_at_the_table_is_short_and_can_be_seen() {
        for (name, expected) in [
            ("  Ola   Nordmann ", Some("Ola Nordmann")),
            ("Łukasz", Some("Łukasz")),
            ("O'Brien Jr.", Some("O'Brien Jr.")),
            ("", None),
            ("   ", None),
            ("a\u{202e}b", None),
            ("<b>x</b>", None),
            ("abcdefghijklmnopqrstuvwxyzabcde", None),
        ] {
            assert_eq!(tidy(name).as_deref(), expected, "{name:?}");
        }
    }
}
