//! Entering by oneself: the conditions of an event against what is known of an account.

use std::sync::Arc;

use rules::{Act, TimeControl};
use store::{AccountId, AccountKind, EventId};

use super::event::{ByeKind, Command, EntryNumber, Event, Member, Person, Refused};
use super::{TournamentError, Tournaments};
use crate::games::house;

impl Tournaments {
    /// Lets somebody with an account enter. Those who run the event may enter anybody.
    pub async fn join(
        &self,
        id: EventId,
        account: AccountId,
        actor: AccountId,
        by_staff: bool,
    ) -> Result<Arc<Event>, TournamentError> {
        let event = self.load(id).await?;
        let player =
            self.0.store.load_player(account).await.map_err(|_| TournamentError::UnknownPlayer)?;
        let (rating, games) = self.strength(&event, account, &player.name).await?;
        if !by_staff {
            check_conditions(&event, rating, games, player.group_name.as_deref())?;
        }
        // Whether programs play here is decided for all of them; the director may change it.
        if player.is_bot && !event.regulations.entry.bots {
            return Err(Refused::NoBots(player.name).into());
        }
        if let Some(old) = event.player_of(account).filter(|old| !old.plays()) {
            let command = Command::Return { player: old.number, by_staff };
            return self.act(id, Some(actor), command).await;
        }
        let command = Command::Join { account, name: player.name, rating, by_staff };
        self.act(id, Some(actor), command).await
    }

    /// Enters members by name and people without an account: all of them, or nobody.
    pub async fn enlist(
        &self,
        id: EventId,
        actor: AccountId,
        names: &[String],
        people: Vec<Person>,
    ) -> Result<Arc<Event>, TournamentError> {
        let event = self.load(id).await?;
        let (mut members, mut unknown, mut bots) = (Vec::new(), Vec::new(), Vec::new());
        for name in names {
            let account = match self.member(name).await {
                Ok(account) => account,
                Err(TournamentError::UnknownPlayer) => {
                    unknown.push(name.trim());
                    continue;
                }
                Err(error) => return Err(error),
            };
            let player = self.0.store.load_player(account).await?;
            if player.is_bot && !event.regulations.entry.bots {
                bots.push(player.name.clone());
            }
            let (rating, _) = self.strength(&event, account, &player.name).await?;
            members.push(Member { account, name: player.name, rating });
        }
        if !unknown.is_empty() {
            return Err(TournamentError::UnknownNames(unknown.join(", ")));
        }
        if !bots.is_empty() {
            return Err(Refused::NoBots(bots.join(", ")).into());
        }
        self.act(id, Some(actor), Command::Enlist { members, people }).await
    }

    /// How strong somebody is in the pool of an event, and how many games that rests on.
    async fn strength(
        &self,
        event: &Event,
        account: AccountId,
        name: &str,
    ) -> Result<(Option<u16>, u32), TournamentError> {
        let time = event.regulations.time.to_rules().unwrap_or(TimeControl::Unlimited);
        let Some(pool) = house::pool_of(event.regulations.variant, &time) else {
            return Ok((None, 0));
        };
        let somebody =
            store::Account { id: account, kind: AccountKind::Player, name: name.to_owned() };
        let strength = self.0.games.strength(&somebody, &pool).await?;
        let rating = strength.map(|strength| strength.rating);
        let standings = self.0.store.standings_of(account).await?;
        let standing = standings.iter().find(|standing| standing.pool == pool.to_string());
        let games = standing.map_or(0, |standing| u32::try_from(standing.games).unwrap_or(0));
        Ok((rating.and_then(|rating| u16::try_from(rating).ok()), games))
    }

    /// Lets somebody leave: before the start they are out, afterwards they have withdrawn.
    pub async fn leave(
        &self,
        id: EventId,
        account: AccountId,
    ) -> Result<Arc<Event>, TournamentError> {
        let event = self.load(id).await?;
        let player = event.player_of(account).ok_or(Refused::NothingToDo)?;
        // Who is out cannot go out: the list would forget that the director has said so.
        if !player.plays() {
            return Err(Refused::NothingToDo.into());
        }
        let player = player.number;
        if event.state < store::EventState::Running {
            let command = Command::Remove { players: vec![player] };
            return self.act(id, Some(account), command).await;
        }
        self.withdraw(id, player, account, false).await
    }

    /// Lets somebody play no more. Where all games run at once, they resign those that are open.
    pub async fn withdraw(
        &self,
        id: EventId,
        player: EntryNumber,
        actor: AccountId,
        by_staff: bool,
    ) -> Result<Arc<Event>, TournamentError> {
        // Games that are over but not yet counted were played before.
        match self.collect(id).await {
            Ok(()) | Err(TournamentError::Refused(_)) => {}
            Err(error) => return Err(error),
        }
        let command = Command::Withdraw { player, by_staff, absent: false };
        let event = self.act(id, Some(actor), command).await?;
        let account = event.player(player).and_then(|player| player.account);
        let Some(account) = account.filter(|_| event.regulations.at_once) else {
            return Ok(event);
        };
        for game in event.open_games(player) {
            if let Err(error) = self.0.games.act(game, account, Act::Resign).await {
                tracing::warn!(%game, %error, "a game of somebody who has withdrawn goes on");
            }
        }
        Ok(event)
    }

    /// Lets somebody take a half-point bye, as far as the event allows it, or give it back.
    pub async fn take_bye(
        &self,
        id: EventId,
        account: AccountId,
        round: u16,
        wanted: bool,
    ) -> Result<Arc<Event>, TournamentError> {
        let event = self.load(id).await?;
        let player = event.player_of(account).ok_or(Refused::NothingToDo)?;
        let taken = player.details.byes.iter().filter(|bye| bye.bye == ByeKind::Half).count();
        let most = usize::from(event.regulations.entry.own_byes);
        // The last round is not the time for a gift.
        let is_last = event.total_rounds() == Some(round);
        if wanted && (taken >= most || is_last) {
            let words = "no more half-point byes can be taken here: ask the director".to_owned();
            return Err(Refused::NotEligible(words).into());
        }
        let is_own = player.bye_in(round).is_none_or(|bye| bye == ByeKind::Half);
        if !is_own {
            let words = "the director has set this bye: ask them to change it".to_owned();
            return Err(Refused::NotEligible(words).into());
        }
        let bye = wanted.then_some(ByeKind::Half);
        let command = Command::SetBye { player: player.number, round, bye };
        self.act(id, Some(account), command).await
    }
}

fn check_conditions(
    event: &Event,
    rating: Option<u16>,
    games: u32,
    group: Option<&str>,
) -> Result<(), Refused> {
    let rules = &event.regulations.entry;
    let refuse = |words: String| Err(Refused::NotEligible(words));
    if rules.group.as_deref().is_some_and(|wanted| !wanted.is_empty() && group != Some(wanted)) {
        return refuse("this event is for one group of the club".to_owned());
    }
    if games < rules.least_games {
        return refuse(format!(
            "this event needs {} rated games, you have {games}",
            rules.least_games
        ));
    }
    if let Some(lowest) =
        rules.lowest_rating.filter(|lowest| rating.is_none_or(|rating| rating < *lowest))
    {
        return refuse(format!("this event needs a rating of at least {lowest}"));
    }
    if let Some(highest) =
        rules.highest_rating.filter(|highest| rating.is_some_and(|rating| rating > *highest))
    {
        return refuse(format!("this event is for ratings up to {highest}"));
    }
    Ok(())
}
