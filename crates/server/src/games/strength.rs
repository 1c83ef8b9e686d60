//! How strong somebody is shown where they play.

use ratings::{Moment, Pool};
use store::{Account, AccountId, AccountKind};

use super::wire::PlayerView;
use super::{GameError, Games};

/// How strong somebody is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Strength {
    /// The rating, rounded.
    pub rating: i64,
    /// Whether the pool's system calls it uncertain.
    pub is_provisional: bool,
}

impl Games {
    /// How strong a member is shown in a pool; guests have no strength.
    pub async fn strength(
        &self,
        account: &Account,
        pool: &Pool,
    ) -> Result<Option<Strength>, GameError> {
        if account.kind == AccountKind::Guest {
            return Ok(None);
        }
        let house = &self.0.house;
        let system = &house.pools.rules(pool).system;
        let standing = match house.store.standing(account.id, pool).await? {
            Some(standing) => standing,
            None => system.newcomer(house.store.claimed_rating(account.id).await?),
        };
        let now = Moment(house.world.time.now().0);
        Ok(Some(Strength {
            rating: i64::from(standing.shown()),
            is_provisional: system.is_provisional(&standing, now),
        }))
    }

    /// People with the strength they have where they have played most rated games.
    pub async fn player_views(&self, accounts: &[Account]) -> Result<Vec<PlayerView>, GameError> {
        let house = &self.0.house;
        let members = accounts.iter().filter(|account| account.kind != AccountKind::Guest);
        let members: Vec<AccountId> = members.map(|account| account.id).collect();
        let known = house.store.most_played(&members).await?;
        let now = Moment(house.world.time.now().0);
        let view = |account: &Account| {
            let strength = known.get(&account.id).map(|(pool, standing)| {
                let system = &house.pools.rules(pool).system;
                (i64::from(standing.shown()), system.is_provisional(standing, now))
            });
            PlayerView {
                rating: strength.map(|(rating, _)| rating),
                provisional: strength.is_some_and(|(_, is_provisional)| is_provisional),
                ..PlayerView::from(account)
            }
        };
        Ok(accounts.iter().map(view).collect())
    }

    /// Somebody with the strength of a pool.
    pub async fn player_view(
        &self,
        account: &Account,
        pool: Option<&Pool>,
    ) -> Result<PlayerView, GameError> {
        let strength = match pool {
            Some(pool) => self.strength(account, pool).await?,
            None => None,
        };
        Ok(PlayerView {
            rating: strength.map(|strength| strength.rating),
            provisional: strength.is_some_and(|strength| strength.is_provisional),
            ..PlayerView::from(account)
        })
    }
}
