//! What those who run events ask for besides plain commands: stages, rounds, files, who somebody is.

use std::sync::Arc;

use store::{AccountId, EventId, NewGame};

use super::event::{Command, Entrant, EntryNumber, Event, Refused, RoundPlan};
use super::exchange::{board_pgn, read_file, read_trf};
use super::{TournamentError, Tournaments};
use crate::accounts::Visitor;
use crate::games::GameError;
use crate::games::pgn::pgn_of;

/// Games that begin together at most.
const MOST_AT_ONCE: usize = 1_500;

impl Tournaments {
    /// Lets an event go on to another state.
    pub async fn go_to(
        &self,
        id: EventId,
        actor: Option<AccountId>,
        state: String,
    ) -> Result<Arc<Event>, TournamentError> {
        let lot_is_white = self.0.world.chance.bits() & 1 == 0;
        self.act(id, actor, Command::Move { state, lot_is_white }).await
    }

    /// Decides a match of a knockout: as the director says, or by lot between the two.
    pub async fn decide(
        &self,
        id: EventId,
        actor: AccountId,
        (mut winner, mut loser): (EntryNumber, EntryNumber),
        by_lot: bool,
    ) -> Result<Arc<Event>, TournamentError> {
        if by_lot && self.0.world.chance.bits() & 1 == 0 {
            std::mem::swap(&mut winner, &mut loser);
        }
        self.act(id, Some(actor), Command::Decide { winner, loser, by_lot }).await
    }

    /// Gives the numbers of a table or a bracket: by lot, or in the order that the director wants.
    pub async fn number(
        &self,
        id: EventId,
        actor: AccountId,
        order: Vec<EntryNumber>,
        by_lot: bool,
    ) -> Result<Arc<Event>, TournamentError> {
        self.act_with(id, Some(actor), |event| {
            let mut order = order.clone();
            if by_lot {
                order = event.seeded().into_iter().map(|player| player.number).collect();
                // Drawn one after the other out of those who are left.
                for left in (1..order.len()).rev() {
                    let drawn = self.0.world.chance.bits() % (left as u64 + 1);
                    order.swap(left, usize::try_from(drawn).unwrap_or(left));
                }
            }
            Ok((Command::Number { order, by_lot }, Vec::new()))
        })
        .await
    }

    /// Publishes the next round: the one that is given, or the one that the system finds.
    pub async fn publish(
        &self,
        id: EventId,
        actor: Option<AccountId>,
        given: Option<RoundPlan>,
    ) -> Result<Arc<Event>, TournamentError> {
        self.publish_seen(id, actor, given, None).await
    }

    /// The same for somebody who has looked at a proposal: what has happened since may have changed it.
    pub async fn publish_seen(
        &self,
        id: EventId,
        actor: Option<AccountId>,
        given: Option<RoundPlan>,
        seen: Option<i64>,
    ) -> Result<Arc<Event>, TournamentError> {
        let is_old = |event: &Event| seen.is_some_and(|version| version != event.version);
        let event = self.load(id).await?;
        if is_old(&event) {
            return Err(Refused::ChangedSince.into());
        }
        // The table knows all pairs: there is nothing to change by hand.
        if event.regulations.at_once && event.rounds.is_empty() {
            return self.publish_all(id, actor, &event).await;
        }
        let mut plan = if let Some(plan) = given {
            plan
        } else {
            let event = event.clone();
            let found = tokio::task::spawn_blocking(move || event.next_plan()).await;
            found.map_err(|error| Refused::NoPairing(error.to_string()))??
        };
        let begun = self.make_games(&event, &mut plan).await?;
        let games: Vec<NewGame> = begun.iter().map(|begun| begun.game.clone()).collect();
        let publish = |event: &Event| -> Result<_, TournamentError> {
            // Somebody may have been quicker while the games were made.
            if is_old(event) {
                return Err(Refused::ChangedSince.into());
            }
            Ok((Command::Publish { plan: plan.clone() }, games.clone()))
        };
        let event = self.act_with(id, actor, publish).await?;
        self.begin_games(id, begun).await;
        Ok(event)
    }

    /// Publishes all rounds of an event whose games begin together.
    async fn publish_all(
        &self,
        id: EventId,
        actor: Option<AccountId>,
        event: &Event,
    ) -> Result<Arc<Event>, TournamentError> {
        let mut plans = event.all_plans()?;
        let boards: usize = plans.iter().map(|plan| plan.boards.len()).sum();
        if boards > MOST_AT_ONCE {
            let words = format!("{boards} games at once are too many: play in smaller groups");
            return Err(Refused::NoPairing(words).into());
        }
        let mut begun = Vec::with_capacity(boards);
        for plan in &mut plans {
            begun.extend(self.make_games(event, plan).await?);
        }
        let games: Vec<NewGame> = begun.iter().map(|begun| begun.game.clone()).collect();
        let publish = |_: &Event| Ok((Command::PublishAll { plans: plans.clone() }, games.clone()));
        let event = self.act_with(id, actor, publish).await?;
        self.begin_games(id, begun).await;
        Ok(event)
    }

    /// The event after a command that is not carried out.
    pub fn try_out(&self, event: &Event, command: Command) -> Result<Arc<Event>, TournamentError> {
        let mut copy = event.clone();
        copy.act(command, self.now())?;
        Ok(Arc::new(copy))
    }

    /// Makes an event of a file, and says what of the file the event does not hold.
    pub async fn import(
        &self,
        owner: AccountId,
        text: &str,
    ) -> Result<(Arc<Event>, Vec<String>), TournamentError> {
        let mut event = self.blank(owner);
        let is_ours = text.trim_start().starts_with('{');
        let read = if is_ours {
            read_file(text, &mut event).map(|()| Vec::new())
        } else {
            read_trf(text.as_bytes(), &mut event)
        };
        let warnings = read.map_err(TournamentError::BadFile)?;
        event.check_imported().map_err(TournamentError::BadFile)?;
        Ok((self.found(event, "imported").await?, warnings))
    }

    /// Names a member an arbiter of an event, or takes that back.
    pub async fn name_arbiter(
        &self,
        id: EventId,
        actor: AccountId,
        account: AccountId,
        named: bool,
    ) -> Result<Arc<Event>, TournamentError> {
        let name = self.name_of(Some(account)).await.ok_or(TournamentError::UnknownPlayer)?;
        self.act(id, Some(actor), Command::NameArbiter { account, name, named }).await
    }

    /// The groups that members of the club are in.
    pub async fn groups(&self) -> Result<Vec<String>, TournamentError> {
        Ok(self.0.store.groups().await?)
    }

    /// The account of a member by name.
    pub async fn member(&self, name: &str) -> Result<AccountId, TournamentError> {
        let found = self.0.store.find_profile(name.trim()).await?;
        found.map(|profile| profile.account.id).ok_or(TournamentError::UnknownPlayer)
    }

    /// What somebody is called; nothing for nobody and for those who are gone.
    pub async fn name_of(&self, account: Option<AccountId>) -> Option<String> {
        self.0.store.load_player(account?).await.ok().map(|player| player.name)
    }

    /// What the rated games of an event did to somebody's rating.
    pub async fn rating_change(
        &self,
        event: &Event,
        player: &Entrant,
    ) -> Result<Option<i64>, TournamentError> {
        if !event.regulations.rated || player.account.is_none() {
            return Ok(None);
        }
        let boards = event.rounds.iter().filter_map(|round| round.board_of(player.number));
        let (mut sum, mut games) = (0, 0);
        for board in boards {
            let (Some(game), Some(side)) = (board.game, board.side_of(player.number)) else {
                continue;
            };
            if let Some(changes) = self.0.store.rating_changes(game).await? {
                let change = &changes[side];
                sum += i64::from(change.after.shown()) - i64::from(change.before.shown());
                games += 1;
            }
        }
        Ok((games > 0).then_some(sum))
    }

    /// All games of an event as PGN, as far as this visitor may see them.
    pub async fn games_pgn(
        &self,
        event: &Event,
        visitor: &Visitor,
        site: &str,
    ) -> Result<String, TournamentError> {
        let mut text = String::new();
        for round in &event.rounds {
            for board in &round.boards {
                let played = match board.game {
                    Some(game) => match self.0.games.record(game, visitor).await {
                        Ok(stored) => pgn_of(&stored, site)?,
                        // One that does not exist for them: what the table says of it has to do.
                        Err(GameError::Unknown) => None,
                        Err(error) => return Err(error.into()),
                    },
                    None => None,
                };
                text += &board_pgn(event, round.number, board, played.as_deref());
            }
        }
        Ok(text)
    }
}

impl Event {
    /// Whether what a file says holds together.
    fn check_imported(&self) -> Result<(), String> {
        let problems = self.regulations.problems();
        if let Some(problem) = problems.first() {
            return Err(format!("{}: {}", problem.field, problem.detail));
        }
        if self.name.trim().is_empty() || self.name.chars().count() > 120 {
            return Err("an event has a name of at most 120 characters".to_owned());
        }
        let mut seen = std::collections::BTreeSet::new();
        if !self.players.iter().all(|player| player.number > 0 && seen.insert(player.number)) {
            return Err("two players have the same number".to_owned());
        }
        for (round, number) in self.rounds.iter().zip(1..) {
            if round.number != number {
                return Err(format!("round {number} is missing"));
            }
            let mut seated = std::collections::BTreeSet::new();
            let at_boards =
                round.boards.iter().flat_map(|board| [board.players.white, board.players.black]);
            for player in at_boards.chain(round.byes.iter().map(|(player, _)| *player)) {
                let is_known = self.player(player).is_some_and(|player| player.seed.is_some());
                if !is_known || !seated.insert(player) {
                    return Err(format!(
                        "in round {number} player {player} is unknown or stands twice"
                    ));
                }
            }
        }
        self.tournament().check().map_err(|error| error.to_string())
    }
}
