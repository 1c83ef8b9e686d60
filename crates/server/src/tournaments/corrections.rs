//! Boards and their games say the same: what a director corrects is ruled in the game, and what an arbiter rules in a
//! game changes the event.
//!
//! The game is the truth wherever it can say it. Only a forfeit and what an arbiter gives beyond a win, a draw or a loss
//! stand in the event alone; the game of a forfeit is annulled.

use std::sync::Arc;

use rules::{AbortReason, Color, DrawReason, Outcome, WinReason};
use store::{AccountId, EventId, GameId};

use super::event::{Command, Event, Refused, Score};
use super::{TournamentError, Tournaments};
use crate::games::slow_games::{Ruling, RulingAct};

/// What an outcome counts in an event; nothing if the game was aborted.
pub(crate) fn score_of(outcome: Outcome) -> Option<Score> {
    match outcome {
        Outcome::Win { winner: Color::White, .. } => Some(Score::WhiteWins),
        Outcome::Win { winner: Color::Black, .. } => Some(Score::BlackWins),
        Outcome::Draw { .. } => Some(Score::Draw),
        Outcome::Aborted { .. } => None,
    }
}

/// What has to be ruled in a game so that it says what its board says; nothing if it does, or cannot.
fn ruling_for(score: Score, outcome: Option<Outcome>) -> Option<RulingAct> {
    let by = WinReason::Arbiter;
    let wanted = match score {
        Score::WhiteWins => Outcome::Win { winner: Color::White, by },
        Score::BlackWins => Outcome::Win { winner: Color::Black, by },
        Score::Draw => Outcome::Draw { by: DrawReason::Arbiter },
        // No game can say this: one that runs must end, one that was played stays as it was played.
        Score::BothLose | Score::WhiteHalf | Score::BlackHalf if outcome.is_some() => return None,
        _ => Outcome::Aborted { by: AbortReason::Arbiter },
    };
    match (wanted, outcome) {
        (Outcome::Aborted { .. }, Some(Outcome::Aborted { .. })) => None,
        (Outcome::Aborted { .. }, _) => Some(RulingAct::Annul),
        (_, Some(outcome)) if score_of(outcome) == Some(score) => None,
        _ => Some(RulingAct::Result(wanted)),
    }
}

/// What a board has to become so that it says what its game says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Following {
    /// It does, or it says more than a game can.
    Stays,
    /// This; open while the game runs or does not count.
    Becomes(Option<Score>),
}

fn following(result: Option<Score>, outcome: Option<Outcome>) -> Following {
    match (result, outcome) {
        (None, _) => Following::Stays,
        (Some(_), None) => Following::Becomes(None),
        (Some(result), Some(_)) if !result.is_usual() => Following::Stays,
        (result, Some(outcome)) if score_of(outcome) == result => Following::Stays,
        (_, Some(outcome)) => Following::Becomes(score_of(outcome)),
    }
}

impl Tournaments {
    /// Sets or corrects a result, and rules the same in the game if one is played here. Durable when it returns.
    pub async fn correct(
        &self,
        id: EventId,
        actor: AccountId,
        (round, board): (u16, u16),
        command: Command,
    ) -> Result<Arc<Event>, TournamentError> {
        let event = self.load(id).await?;
        let found = event.round(round).and_then(|found| found.board(board));
        let Some(game) = found.and_then(|found| found.game) else {
            return self.act(id, Some(actor), command).await;
        };
        let own = event.player_of(actor).map(|own| own.number);
        if own.is_some_and(|own| found.is_some_and(|found| found.side_of(own).is_some())) {
            return Err(TournamentError::OwnGame);
        }
        let reason = match &command {
            Command::SetResult { reason, .. } => reason.trim().to_owned(),
            _ => String::new(),
        };
        // The event first: its log says who did it. If the game then refuses, the event follows the game again.
        let event = self.act(id, Some(actor), command).await?;
        let ruled = self.rule_game(&event, game, actor, &reason).await;
        if let Err(error) = ruled {
            self.follow_games(id).await?;
            return Err(error);
        }
        Ok(event)
    }

    async fn rule_game(
        &self,
        event: &Event,
        game: GameId,
        arbiter: AccountId,
        why: &str,
    ) -> Result<(), TournamentError> {
        let Some((_, board)) = event.board_of_game(game) else { return Ok(()) };
        let outcomes = self.0.store.event_game_outcomes(event.id).await?;
        let Some((_, outcome)) = outcomes.into_iter().find(|(other, _)| *other == game) else {
            return Ok(());
        };
        let Some(score) = board.result else { return Ok(()) };
        let Some(act) = ruling_for(score, outcome) else { return Ok(()) };
        let why: String = why.chars().take(300).collect();
        let reason = format!("The result in {} is {}. {why}", event.name, score.as_str());
        let reason = reason.trim_end().to_owned();
        self.0.games.rule(game, Ruling { arbiter, act, reason }).await?;
        self.0.of_game.lock().remove(&game);
        Ok(())
    }

    /// Whether an event could live with a game that ends like this, or does not count, or goes on.
    pub async fn check_ruling(
        &self,
        game: GameId,
        score: Option<Score>,
    ) -> Result<Option<EventId>, TournamentError> {
        let Some(id) = self.0.store.event_of_game(game).await? else { return Ok(None) };
        let event = self.load(id).await?;
        match self.try_out(&event, Command::Follow { games: vec![(game, score)] }) {
            Ok(_) | Err(TournamentError::Refused(Refused::NothingToDo)) => Ok(Some(id)),
            Err(error) => Err(error),
        }
    }

    /// An arbiter has ruled in a game: its board follows.
    pub async fn follow(
        &self,
        id: EventId,
        game: GameId,
        score: Option<Score>,
        arbiter: AccountId,
    ) -> Result<(), TournamentError> {
        if score.is_none() {
            // Should it go on, its end is waited for.
            self.0.of_game.lock().insert(game, id);
        }
        match self.act(id, Some(arbiter), Command::Follow { games: vec![(game, score)] }).await {
            Ok(_) | Err(TournamentError::Refused(Refused::NothingToDo)) => {}
            Err(error) => return Err(error),
        }
        // In an arena what was annulled is over for both at once: they wait for another game.
        match self.collect(id).await {
            Ok(()) | Err(TournamentError::Refused(_)) => Ok(()),
            Err(error) => Err(error),
        }
    }

    /// Lets every board follow its game: after a stop between a ruling and what follows from it.
    pub(super) async fn follow_games(&self, id: EventId) -> Result<(), TournamentError> {
        let outcomes = self.0.store.event_game_outcomes(id).await?;
        let event = self.load(id).await?;
        for (game, outcome) in outcomes {
            let Some((_, board)) = event.board_of_game(game) else { continue };
            let Following::Becomes(result) = following(board.result, outcome) else { continue };
            if outcome.is_none() {
                self.0.of_game.lock().insert(game, id);
            }
            match self.act(id, None, Command::Follow { games: vec![(game, result)] }).await {
                Ok(_) => {}
                Err(TournamentError::Refused(refused)) => {
                    tracing::warn!(%game, %refused, "a board does not follow its game");
                }
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const RESIGNED: Outcome = Outcome::Win { winner: Color::White, by: WinReason::Resign };
    const ABORTED: Outcome = Outcome::Aborted { by: AbortReason::Server };

    #[test]
    fn a_game_is_ruled_only_where_it_says_something_else() {
        let check = |score, outcome, ruled: Option<&str>| {
            assert_eq!(ruling_for(score, outcome).map(|act| act.name()), ruled, "{score:?}");
        };
        check(Score::WhiteWins, Some(RESIGNED), None);
        check(Score::WhiteWins, None, Some("result"));
        check(Score::Draw, Some(RESIGNED), Some("result"));
        check(Score::Draw, Some(ABORTED), Some("result"));
        check(Score::BlackAbsent, Some(ABORTED), None);
        check(Score::BlackAbsent, Some(RESIGNED), Some("annul"));
        check(Score::BothLose, Some(RESIGNED), None);
        check(Score::BothLose, None, Some("annul"));
    }

    #[test]
    fn a_board_follows_its_game_unless_it_says_more() {
        use Following::{Becomes, Stays};
        let check = |result, outcome, then| assert_eq!(following(result, outcome), then);
        check(None, None, Stays);
        check(None, Some(RESIGNED), Stays);
        check(Some(Score::WhiteWins), Some(RESIGNED), Stays);
        check(Some(Score::Draw), Some(RESIGNED), Becomes(Some(Score::WhiteWins)));
        check(Some(Score::Draw), Some(ABORTED), Becomes(None));
        check(Some(Score::Draw), None, Becomes(None));
        check(Some(Score::BothLose), Some(RESIGNED), Stays);
        check(Some(Score::WhiteAbsent), Some(ABORTED), Stays);
    }
}
