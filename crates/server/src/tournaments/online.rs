//! Rounds that are played here: games that begin with the round, and results that come back.

use std::collections::BTreeSet;
use std::sync::Arc;

use rules::game::Reveal;
use rules::{
    AbortReason, Act, ByColor, Color, Event as GameEvent, GmoOptions, Millis, Outcome, Ply,
    RuleSet, Setup, Variant,
};
use store::{
    Account, AccountId, AccountKind, Challenge, ChallengeKind, ChallengeState, EventId,
    EventVisibility, GameId, NewGame,
};

use super::event::{Command, Disconnect, Entrant, Event, Refused, RoundPlan, Score, System};
use super::{TournamentError, Tournaments};
use crate::games::house::{self, online_rules};
use crate::games::slow_games::{Ruling, RulingAct};
use crate::games::wire::TimeControlView;
use crate::lobby::{LobbyError, terms};

/// What the armies of GMO get beyond the time in which a player has to be there.
const TIME_TO_CHOOSE: Millis = Millis(180_000);

/// A game that begins with its round.
pub(super) struct Begun {
    pub(super) game: NewGame,
    players: ByColor<Account>,
}

impl Tournaments {
    /// Makes a game for every board at which two members sit and that has no result beforehand.
    pub(super) async fn make_games(
        &self,
        event: &Event,
        plan: &mut RoundPlan,
    ) -> Result<Vec<Begun>, TournamentError> {
        if !event.regulations.online {
            return Ok(Vec::new());
        }
        self.0.games.refuse_if_draining()?;
        let usual = setup_of(event, &event.regulations.time)?;
        let tie_break = &event.regulations.knockout.tie_break_time;
        let faster = tie_break.as_ref().map(|time| setup_of(event, time)).transpose()?;
        let mut begun = Vec::with_capacity(plan.boards.len());
        for board in plan.boards.iter_mut().filter(|board| board.result.is_none()) {
            let account = |number| {
                let player = event.player(number)?;
                let name = player.name.clone();
                Some(Account { id: player.account?, kind: AccountKind::Player, name })
            };
            let (Some(white), Some(black)) = (account(board.white), account(board.black)) else {
                // Somebody without an account plays elsewhere: the director enters the result.
                continue;
            };
            let players = ByColor { white, black };
            let setup = match &faster {
                Some(faster) if event.is_tie_break(board.white, board.black) => faster,
                _ => &usual,
            };
            // Nobody has to accept it, so it is never stored as a challenge: its game alone is.
            let agreed = Challenge {
                id: GameId::from_bits(self.0.world.chance.bits()),
                kind: ChallengeKind::Link,
                challenger: players[Color::White].clone(),
                color: Some(Color::White),
                setup: house::draw(setup.clone(), event.regulations.rated, &self.0.world.chance),
                rated: event.regulations.rated,
                // Those who play in the event see its games all the same.
                private: event.visibility == EventVisibility::Private,
                state: ChallengeState::Accepted,
                created_at: self.now(),
                expires_at: None,
            };
            let game = self.0.games.new_game(&agreed, &players).await?;
            board.game = Some(game.id);
            begun.push(Begun { game, players });
        }
        Ok(begun)
    }

    /// Lets games live that are on disk, and calls their players.
    pub(super) async fn begin_games(&self, event: EventId, begun: Vec<Begun>) {
        let mut announced = Vec::with_capacity(begun.len());
        for Begun { game, players } in begun {
            let (id, is_live) = (game.id, game.setup.time.is_live());
            self.0.of_game.lock().insert(id, event);
            match self.0.games.begin(game, players.clone()).await {
                Ok(_) => announced.push(((id, players), is_live)),
                Err(error) => {
                    tracing::error!(game = %id, %error, "a game of an event did not begin");
                }
            }
        }
        let is_live = announced.iter().any(|(_, is_live)| *is_live);
        let announced: Vec<_> = announced.into_iter().map(|(begun, _)| begun).collect();
        self.0.lobby.announce(&announced, is_live).await;
    }

    /// Whether somebody is there to play. A bot has no socket: it is there as long as bots play at all.
    pub(super) fn is_here(&self, account: AccountId) -> bool {
        let is_bot = account.bot_level().is_some();
        self.0.lobby.is_online(account) || (is_bot && self.0.games.bell().is_answered())
    }

    /// Who of the players of an event is in a live game that is none of its own. A bot plays any number of games.
    pub(super) async fn busy(&self, event: &Event) -> BTreeSet<AccountId> {
        let mut busy = BTreeSet::new();
        for player in event.players.iter().filter(|player| player.plays()) {
            let Some(account) = player.account.filter(|it| it.bot_level().is_none()) else {
                continue;
            };
            for game in self.0.games.running_of(account) {
                if self.0.of_game.lock().get(&game) == Some(&event.id) {
                    continue;
                }
                let found = self.0.games.snapshot(game).await;
                if found.is_ok_and(|found| found.game.setup().time.is_live()) {
                    busy.insert(account);
                }
            }
        }
        busy
    }

    /// Who of a round to be published by hand would be called away from another game: the director may wait for them.
    pub async fn called_away(&self, event: &Event, plan: &RoundPlan) -> Vec<String> {
        let is_live = event.regulations.time.to_rules().is_ok_and(|time| time.is_live());
        if !event.regulations.online || !is_live {
            return Vec::new();
        }
        let busy = self.busy(event).await;
        let open = plan.boards.iter().filter(|board| board.result.is_none());
        let players = open.flat_map(|board| [board.white, board.black]);
        let is_busy = |player: &&Entrant| player.account.is_some_and(|it| busy.contains(&it));
        players
            .filter_map(|number| event.player(number))
            .filter(is_busy)
            .map(|player| {
                format!("{} is in another game: its clock and this one would both run", player.name)
            })
            .collect()
    }

    /// Somebody halves the own clock in an arena, before the own first move, for a further point if the game is won.
    pub async fn berserk(
        &self,
        id: EventId,
        account: AccountId,
        game: GameId,
    ) -> Result<Arc<Event>, TournamentError> {
        let event = self.load(id).await?;
        let player = event.player_of(account).ok_or(Refused::NothingToDo)?.number;
        let command = Command::Berserk { game, player };
        self.try_out(&event, command.clone())?;
        let view = self.0.games.view(game, Some(account)).await?;
        let by = view.you.ok_or(Refused::NothingToDo)?;
        // First the price, then the promise: nobody gets the one without the other for nothing.
        self.0.games.arbitrate(game, Act::Berserk { by }).await?;
        self.act(id, Some(account), command).await
    }

    /// Takes over the results of games that are over.
    pub(super) async fn collect(&self, id: EventId) -> Result<(), TournamentError> {
        let finished = self.0.store.finished_event_games(id).await?;
        if finished.is_empty() {
            return Ok(());
        }
        let event = self.load(id).await?;
        let mut ended = Vec::with_capacity(finished.len());
        let mut not_begun = Vec::new();
        for (game, outcome, ply) in finished {
            self.0.of_game.lock().remove(&game);
            if let Some(score) = self.score(&event, game, outcome, ply).await? {
                ended.push((game, score, u16::try_from(ply.0 / 2).unwrap_or(u16::MAX)));
                if matches!(outcome, Outcome::Aborted { by: AbortReason::NoFirstMove }) {
                    not_begun.push((game, score));
                }
            }
        }
        if ended.is_empty() {
            return Ok(());
        }
        let event = self.act(id, None, Command::Collect { ended }).await?;
        self.look_after_absent(&event, &not_begun).await
    }

    /// What a game is worth. One that nobody is to blame for stays open: the director decides.
    async fn score(
        &self,
        event: &Event,
        game: GameId,
        outcome: Outcome,
        ply: Ply,
    ) -> Result<Option<Score>, TournamentError> {
        Ok(match outcome {
            Outcome::Win { winner: Color::White, .. } => Some(Score::WhiteWins),
            Outcome::Win { winner: Color::Black, .. } => Some(Score::BlackWins),
            Outcome::Draw { .. } => Some(Score::Draw),
            Outcome::Aborted { by: AbortReason::NoFirstMove } => {
                if let Some(ready) = self.armies(event, game).await? {
                    return Ok(without_army(ready));
                }
                let absent = if ply.0.is_multiple_of(2) { Color::White } else { Color::Black };
                let other = event
                    .board_of_game(game)
                    .and_then(|(_, board)| event.player(board.players[absent.other()])?.account);
                other.map(|other| {
                    // Who was waited for first may not be the only one who is missing.
                    let is_other_here = absent == Color::Black || self.is_here(other);
                    match (absent, is_other_here) {
                        (_, false) => Score::BothAbsent,
                        (Color::White, true) => Score::WhiteAbsent,
                        (Color::Black, true) => Score::BlackAbsent,
                    }
                })
            }
            Outcome::Aborted { .. } => aborted(event),
        })
    }

    /// GMO: who had handed in an army, of a game that ended before both had.
    async fn armies(
        &self,
        event: &Event,
        game: GameId,
    ) -> Result<Option<ByColor<bool>>, TournamentError> {
        let regulations = &event.regulations;
        if regulations.variant != Variant::Gmo || regulations.start.is_some() {
            return Ok(None);
        }
        let events = self.0.store.load_game(game).await?.events;
        if events.iter().any(|event| matches!(event, GameEvent::Started { .. })) {
            return Ok(None);
        }
        let has_army = |side| {
            events
                .iter()
                .any(|event| matches!(event, GameEvent::HandedIn { by, .. } if *by == side))
        };
        Ok(Some(ByColor::new_with(has_army)))
    }

    /// Takes an online round back in whose games nobody has moved. They are annulled first: a round that is gone
    /// leaves no game behind that could still be played, and after a stop in between it can be taken back again.
    pub async fn unpair(
        &self,
        id: EventId,
        actor: AccountId,
        round: u16,
    ) -> Result<Arc<Event>, TournamentError> {
        let event = self.load(id).await?;
        let boards = event.round(round).map(|found| found.boards.as_slice()).unwrap_or_default();
        let games: Vec<GameId> = boards.iter().filter_map(|board| board.game).collect();
        if games.is_empty() {
            return self.act(id, Some(actor), Command::Unpair { round, unplayed: false }).await;
        }
        if !event.may_unpair(round) {
            return Err(Refused::RoundBegun(round).into());
        }
        let command = Command::Unpair { round, unplayed: true };
        let mut open = Vec::with_capacity(games.len());
        for game in games {
            let found = self.0.games.snapshot(game).await?.game;
            if !found.actions().is_empty() {
                return Err(Refused::RoundBegun(round).into());
            }
            if found.outcome().is_none() {
                open.push(game);
            }
        }
        for game in open {
            let reason = format!("Round {round} of {} was taken back.", event.name);
            let ruling = Ruling { arbiter: actor, act: RulingAct::Annul, reason };
            self.0.games.rule(game, ruling).await?;
        }
        self.act(id, Some(actor), command).await
    }

    /// A knockout must go on: if neither came, the higher seed does. Who does not come to an arena plays no more.
    async fn look_after_absent(
        &self,
        event: &Event,
        not_begun: &[(GameId, Score)],
    ) -> Result<(), TournamentError> {
        for (game, score) in not_begun {
            let Some((_, board)) = event.board_of_game(*game) else { continue };
            let mut commands = Vec::new();
            match (event.regulations.system, score) {
                (System::Knockout, Score::BothAbsent) => {
                    let side = event.higher_seed(board);
                    let (winner, loser) = (board.players[side], board.players[side.other()]);
                    commands.push(Command::Decide { winner, loser, by_lot: false });
                }
                (System::Arena, Score::BothAbsent | Score::WhiteAbsent | Score::BlackAbsent) => {
                    let white = matches!(score, Score::BothAbsent | Score::WhiteAbsent);
                    let black = matches!(score, Score::BothAbsent | Score::BlackAbsent);
                    let absent = [(white, Color::White), (black, Color::Black)];
                    let players = absent.iter().filter(|(is_absent, _)| *is_absent);
                    commands.extend(players.map(|(_, side)| Command::Withdraw {
                        player: board.players[*side],
                        by_staff: false,
                        absent: true,
                    }));
                }
                _ => {}
            }
            for command in commands {
                match self.act(event.id, None, command).await {
                    // Somebody else has done it meanwhile.
                    Ok(_) | Err(TournamentError::Refused(_)) => {}
                    Err(error) => return Err(error),
                }
            }
        }
        Ok(())
    }
}

/// What a game counts that nobody is to blame for. In an arena it is nobody's, and both go on; elsewhere the director
/// says what becomes of the board.
fn aborted(event: &Event) -> Option<Score> {
    (event.regulations.system == System::Arena).then_some(Score::BothAbsent)
}

/// What a game is worth in which not both have handed in an army.
fn without_army(ready: ByColor<bool>) -> Option<Score> {
    match (ready.white, ready.black) {
        (false, false) => Some(Score::BothAbsent),
        (false, true) => Some(Score::WhiteAbsent),
        (true, false) => Some(Score::BlackAbsent),
        (true, true) => None,
    }
}

/// The game a board plays with this clock: nothing is aborted, taken back or given away, and who does not come loses.
fn setup_of(event: &Event, time: &TimeControlView) -> Result<Setup, Refused> {
    let regulations = &event.regulations;
    let time = time.to_rules().map_err(|error| Refused::NoGame(error.to_string()))?;
    let usual = regulations.rules.choose(online_rules(&time));
    let pace = &regulations.pace;
    let is_live = time.is_live();
    let rules = RuleSet {
        first_move: is_live.then(|| Millis::seconds(pace.no_show_seconds.into())),
        abandonment: match pace.disconnect {
            Disconnect::Usual => usual.abandonment,
            Disconnect::Clock => None,
            Disconnect::Claim => is_live.then(|| Millis::seconds(pace.disconnect_seconds.into())),
        },
        abort: false,
        give_time: false,
        takeback: false,
        ..usual
    };
    let setup = terms::setup(regulations.variant, time, regulations.start.as_deref(), false);
    let setup = setup.map_err(|error| match error {
        LobbyError::Start(why) => Refused::NoGame(why),
        other => Refused::NoGame(other.to_string()),
    })?;
    // Who came in time has still to choose an army. In a game of days it has the time of a move.
    let muster = setup.rules.muster.map(|usual| match rules.first_move {
        Some(no_show) => no_show.plus(TIME_TO_CHOOSE),
        None => usual,
    });
    let rules = RuleSet { muster, ..rules };
    let mut gmo = GmoOptions::from(regulations.gmo);
    if regulations.hidden_rules {
        gmo.reveal = Reveal::Never;
    }
    Ok(Setup { rules, gmo, ..setup })
}
