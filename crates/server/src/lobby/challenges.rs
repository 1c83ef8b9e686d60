//! What can be done with challenges. Everything is on disk before anybody hears of it.

use rules::{ByColor, Color, UnixMillis, Variant};
use store::{
    Account, AccountId, AccountKind, Challenge, ChallengeKind, ChallengeState, DeclineReason,
    GameId, Sight,
};

use super::error::LobbyError;
use super::hall::describe;
use super::wire::{ChallengeKindView, ChallengeView, NewChallenge};
use super::{Lobby, doors, invitations, terms};
use crate::analysis::fair_play::FairPlay;
use crate::games::house;
use crate::games::wire::GameView;
use crate::live::outbox::{Outbox, SocketId};

/// Challenges of their own that somebody may have open at once. What others ask of them is not theirs to count.
const MOST_OPEN: usize = 50;

/// Games somebody may have running when a bot is asked for one more.
pub(super) const MOST_RUNNING_WITH_BOTS: usize = 20;

impl Lobby {
    /// Makes a challenge.
    pub async fn challenge(
        &self,
        challenger: Account,
        new: &NewChallenge,
    ) -> Result<ChallengeView, LobbyError> {
        let hall = &self.0.hall;
        hall.games.refuse_if_draining()?;
        let are_friends = new.kind != ChallengeKindView::Seek;
        let time = new.time.to_rules()?;
        let setup = terms::setup(new.variant, time, new.start.as_deref(), are_friends)?;
        let gmo = new.gmo.filter(|_| new.variant == Variant::Gmo).unwrap_or_default().into();
        let rules = new.rules.choose(setup.rules);
        let setup = rules::Setup { engines: new.engines, gmo, rules, ..setup };
        let message = invitations::message(new)?;
        let kind = self.kind_of(&challenger, new).await?;
        if new.rated {
            let is_guest = |account: &Account| account.kind == AccountKind::Guest;
            if is_guest(&challenger) || kind.asked().is_some_and(is_guest) {
                return Err(LobbyError::GuestsPlayCasual);
            }
            terms::check_rateable(&setup)?;
        }
        let bot = kind.asked().filter(|asked| asked.is_bot()).cloned();
        if bot.is_some() {
            self.check_bot_may_play(&challenger, new.rated, &setup)?;
            self.check_start_is_fair(challenger.id, &setup).await?;
        }
        if new.private {
            // A rating is public, and with it what changed it.
            match (new.rated, new.kind) {
                (true, _) => return Err(LobbyError::PrivateIsCasual),
                (_, ChallengeKindView::Seek) => return Err(LobbyError::SeekIsPublic),
                _ => {}
            }
        }
        let open = hall.store.load_open_challenges_of(challenger.id).await?;
        let own = open.iter().filter(|challenge| challenge.challenger.id == challenger.id).count();
        if own >= MOST_OPEN {
            return Err(LobbyError::TooMany);
        }
        let created_at = hall.world.time.now();
        let challenge = Challenge {
            id: GameId::from_bits(hall.world.chance.bits()),
            expires_at: Some(UnixMillis(created_at.0 + self.lifetime(&kind, setup.time.is_live()))),
            kind,
            challenger,
            color: new.color.color(),
            setup,
            rated: new.rated,
            private: new.private,
            state: ChallengeState::Open,
            created_at,
        };
        match message {
            Some(message) => hall.store.create_invitation(challenge.clone(), message).await?,
            None => hall.store.create_challenge(challenge.clone()).await?,
        }
        let view = describe(&hall.games, &challenge).await?;
        if matches!(challenge.kind, ChallengeKind::Seek { .. }) {
            hall.seeks.insert(&challenge, view.clone());
        }
        self.0.challenge_made.notify_one();
        hall.tell_change_of(&challenge).await;
        if let Some(asked) = challenge.kind.asked() {
            // Nobody may be listening.
            let _ = hall.invited.send((asked.id, challenge.id));
        }
        if let Some(bot) = bot {
            self.accept(challenge.id, bot).await?;
            return self.show(challenge.id, Some(challenge.challenger.id)).await;
        }
        Ok(view.seen_by(Some(challenge.challenger.id)))
    }

    /// Bots play with everybody, but not with one person on any number of boards.
    fn check_bot_may_play(
        &self,
        challenger: &Account,
        is_rated: bool,
        setup: &rules::Setup,
    ) -> Result<(), LobbyError> {
        let games = &self.0.hall.games;
        if !games.bell().is_answered() {
            return Err(LobbyError::NoBots);
        }
        if is_rated && !games.counts_with_bots(house::pool(setup).as_ref()) {
            return Err(LobbyError::BotsPlayCasual);
        }
        if games.running_of(challenger.id).len() >= MOST_RUNNING_WITH_BOTS {
            return Err(LobbyError::TooManyGames);
        }
        Ok(())
    }

    /// A bot that plays on from the position of a rated game is an analysis of it.
    async fn check_start_is_fair(
        &self,
        challenger: AccountId,
        setup: &rules::Setup,
    ) -> Result<(), LobbyError> {
        let Ok((position, _)) = setup.position() else { return Ok(()) };
        if setup.start.is_none() || position == rules::Position::standard() {
            return Ok(());
        }
        let fair_play = FairPlay::new(self.0.hall.games.clone());
        let fair = fair_play.may_ask(Some(challenger), setup.variant, &[position]).await;
        fair.map_err(|_| LobbyError::FairPlay)
    }

    async fn kind_of(
        &self,
        challenger: &Account,
        new: &NewChallenge,
    ) -> Result<ChallengeKind, LobbyError> {
        let store = &self.0.hall.store;
        Ok(match new.kind {
            ChallengeKindView::Link => ChallengeKind::Link,
            ChallengeKindView::Seek => {
                let (lowest, highest) = (new.lowest_rating, new.highest_rating);
                if lowest.zip(highest).is_some_and(|(lowest, highest)| lowest > highest) {
                    return Err(LobbyError::BadRatingRange);
                }
                ChallengeKind::Seek { lowest, highest }
            }
            ChallengeKindView::Direct => {
                let name = new.asked.as_deref().ok_or(LobbyError::NobodyAsked)?;
                let asked = store.find_player_named(name.trim()).await?;
                let asked = asked.ok_or(LobbyError::UnknownPlayer)?;
                if asked.id == challenger.id {
                    return Err(LobbyError::Own);
                }
                if store.avoided_by(asked.id).await?.contains(&challenger.id) {
                    return Err(LobbyError::NotWelcome);
                }
                ChallengeKind::Direct { asked }
            }
            // A rematch is offered at its game, which knows the other player.
            ChallengeKindView::Rematch => return Err(LobbyError::NotForYou),
        })
    }

    fn lifetime(&self, kind: &ChallengeKind, is_live: bool) -> i64 {
        let config = &self.0.hall.config;
        match kind {
            // Who plays over days may look in once a week.
            ChallengeKind::Direct { .. } | ChallengeKind::Seek { .. } if !is_live => {
                invitations::SLOW_LIFETIME
            }
            ChallengeKind::Direct { .. } => i64::from(config.direct_hours) * 3_600_000,
            ChallengeKind::Seek { .. } => i64::from(config.seek_minutes) * 60_000,
            ChallengeKind::Link | ChallengeKind::Rematch { .. } => {
                i64::from(config.link_days) * 86_400_000
            }
        }
    }

    /// Shows a challenge to somebody.
    pub async fn show(
        &self,
        id: GameId,
        sight: impl Into<Sight>,
    ) -> Result<ChallengeView, LobbyError> {
        let (hall, sight) = (&self.0.hall, sight.into());
        let challenge = self.find(id, sight).await?;
        Ok(describe(&hall.games, &challenge).await?.seen_by(sight.account()))
    }

    /// A challenge, for somebody who may know of it.
    async fn find(&self, id: GameId, sight: Sight) -> Result<Challenge, LobbyError> {
        let hall = &self.0.hall;
        let challenge = hall.store.load_challenge(id).await?;
        if hall.witnesses(&challenge).await?.include(sight) {
            Ok(challenge)
        } else {
            Err(LobbyError::Unknown)
        }
    }

    /// The open challenges to and by somebody, the newest first.
    pub async fn challenges_of(
        &self,
        account: AccountId,
    ) -> Result<Vec<ChallengeView>, LobbyError> {
        let hall = &self.0.hall;
        let mut views = Vec::new();
        for challenge in hall.store.load_open_challenges_of(account).await? {
            views.push(describe(&hall.games, &challenge).await?.seen_by(Some(account)));
        }
        Ok(views)
    }

    /// The open seeks, the newest first.
    pub fn seeks(&self, account: Option<AccountId>) -> Vec<ChallengeView> {
        let seeks = self.0.hall.seeks.shown_to(account);
        seeks.into_iter().map(|view| view.seen_by(account)).collect()
    }

    /// Accepts a challenge: the game begins.
    pub async fn accept(&self, id: GameId, account: Account) -> Result<GameView, LobbyError> {
        let hall = &self.0.hall;
        hall.games.refuse_if_draining()?;
        let mut challenge = self.find(id, account.id.into()).await?;
        self.check_may_accept(&challenge, &account).await?;
        let drawn = || if hall.world.chance.bits() & 1 == 0 { Color::White } else { Color::Black };
        let color = challenge.color.unwrap_or_else(drawn);
        let players = match color {
            Color::White => ByColor { white: challenge.challenger.clone(), black: account.clone() },
            Color::Black => ByColor { white: account.clone(), black: challenge.challenger.clone() },
        };
        challenge.setup = house::draw(challenge.setup, challenge.rated, &hall.world.chance);
        let new = hall.games.new_game(&challenge, &players).await?;
        hall.store.accept_challenge(new.clone()).await?;
        hall.games.begin(new, players.clone()).await?;
        challenge.state = ChallengeState::Accepted;
        hall.tell_change_of(&challenge).await;
        let is_live = challenge.setup.time.is_live();
        if is_live {
            for side in Color::ALL {
                self.0.desk.leave(players[side].id).await;
            }
        }
        hall.tell_begin(id, &players, is_live).await;
        Ok(hall.games.view(id, Some(account.id)).await?)
    }

    /// Lets bots accept casual seeks for live games that have waited so long, if whoever made them is here.
    pub(crate) async fn let_bots_accept_seeks(&self, wait: i64) {
        let hall = &self.0.hall;
        let before = hall.world.time.now().0.saturating_sub(wait);
        for seek in self.seeks(None) {
            let is_live = seek.time.to_rules().is_ok_and(|time| time.is_live());
            let is_due = !seek.rated && !seek.engines && is_live && seek.created_at <= before;
            let ids = (seek.id.parse::<GameId>(), seek.challenger.id.parse::<AccountId>());
            let (Ok(id), Ok(challenger)) = ids else { continue };
            if !is_due || !hall.presence.is_present(challenger) {
                continue;
            }
            let rating = seek.challenger.rating.unwrap_or(super::hall::UNRATED);
            for bot in hall.games.bell().nearest(rating) {
                // One that is too strong or too weak for the seek is refused; the next one may suit.
                match self.accept(id, bot).await {
                    Ok(_) => break,
                    Err(LobbyError::RatingOutOfRange) => {}
                    Err(error) => {
                        tracing::debug!(%id, %error, "no bot accepts a seek");
                        break;
                    }
                }
            }
        }
    }

    async fn check_may_accept(
        &self,
        challenge: &Challenge,
        account: &Account,
    ) -> Result<(), LobbyError> {
        let hall = &self.0.hall;
        if challenge.challenger.id == account.id {
            return Err(LobbyError::Own);
        }
        match &challenge.kind {
            ChallengeKind::Link => {}
            ChallengeKind::Direct { asked } if asked.id == account.id => {}
            ChallengeKind::Direct { .. } | ChallengeKind::Rematch { .. } => {
                return Err(LobbyError::NotForYou);
            }
            ChallengeKind::Seek { lowest, highest } => {
                let pool = house::pool_of(challenge.setup.variant, &challenge.setup.time);
                let rating = hall.rating_of(account, pool.as_ref()).await?;
                if lowest.is_some_and(|it| rating < it) || highest.is_some_and(|it| rating > it) {
                    return Err(LobbyError::RatingOutOfRange);
                }
                if hall.store.avoided_by(challenge.challenger.id).await?.contains(&account.id) {
                    return Err(LobbyError::NotWelcome);
                }
            }
        }
        if challenge.rated && account.kind == AccountKind::Guest {
            return Err(LobbyError::GuestsPlayCasual);
        }
        Ok(())
    }

    /// Says no to a challenge.
    pub async fn decline(
        &self,
        id: GameId,
        account: AccountId,
        reason: DeclineReason,
    ) -> Result<ChallengeView, LobbyError> {
        let hall = &self.0.hall;
        let challenge = self.find(id, account.into()).await?;
        if challenge.kind.asked().is_none_or(|asked| asked.id != account) {
            return Err(LobbyError::NotForYou);
        }
        hall.store.decline_challenge(id, account, reason).await?;
        hall.tell_change(id).await;
        self.show(id, Some(account)).await
    }

    /// Takes a challenge back.
    pub async fn cancel(&self, id: GameId, account: AccountId) -> Result<(), LobbyError> {
        let hall = &self.0.hall;
        hall.store.cancel_challenge(id, account).await?;
        hall.tell_change(id).await;
        Ok(())
    }

    /// Lets a socket wait at a challenge; it is told its state now and when that changes.
    pub async fn join_challenge(
        &self,
        id: GameId,
        outbox: Outbox,
        sight: Sight,
    ) -> Result<(), LobbyError> {
        // Listen first, read then: a change in between is told twice rather than not at all.
        self.0.hall.doors.wait(id, outbox.clone(), sight);
        match self.show(id, sight).await {
            Ok(view) => {
                doors::tell(&outbox, id, view);
                Ok(())
            }
            Err(error) => {
                self.leave_challenge(id, outbox.socket());
                Err(error)
            }
        }
    }

    /// The socket waits no more.
    pub fn leave_challenge(&self, id: GameId, socket: SocketId) {
        self.0.hall.doors.leave(id, socket);
    }
}
