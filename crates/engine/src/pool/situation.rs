//! A position with the way that led to it, known to be legal.

use rules::shakmaty::{CastlingMode, Color, Position as _};
use rules::{Action, Game, Illegal, Position, Variant};

/// A position with the way that led to it. Every move of it was checked by the rules.
#[derive(Debug, Clone)]
pub struct Situation {
    start: Position,
    actions: Vec<Action>,
    position: Position,
    /// Identities of the positions before this one, oldest first.
    before: Vec<u64>,
    /// The first position on the way that any program understands, as text, and how many actions came before it.
    chess: Option<(String, usize)>,
}

impl Situation {
    /// A position nothing is known about.
    pub fn new(start: Position) -> Situation {
        let chess = told_fen(&start).map(|fen| (fen, 0));
        let position = start.clone();
        Situation { start, actions: Vec::new(), position, before: Vec::new(), chess }
    }

    /// Plays moves in which chance has no part; the first illegal one is refused with its reason.
    ///
    /// Automatic passes of Defender may be in the list or not.
    pub fn after(
        start: Position,
        actions: impl IntoIterator<Item = Action>,
    ) -> Result<Situation, Illegal> {
        let mut situation = Situation::new(start);
        let mut passes = 0;
        for action in actions {
            if passes > 0 && action == Action::Pass {
                passes -= 1;
                continue;
            }
            passes = situation.play(action)?;
        }
        Ok(situation)
    }

    /// Plays one move; gives the number of automatic passes that followed.
    fn play(&mut self, action: Action) -> Result<u8, Illegal> {
        let hash = self.position.hash();
        let done = self.position.play(action)?;
        self.before.push(hash);
        self.actions.push(done.action);
        self.actions.extend(std::iter::repeat_n(Action::Pass, usize::from(done.passes)));
        if self.chess.is_none() {
            self.chess = told_fen(&self.position).map(|fen| (fen, self.actions.len()));
        }
        Ok(done.passes)
    }

    /// What stands on the board of a game.
    pub fn of_game(game: &Game) -> Situation {
        let before = game.hashes().split_last().map(|(_, before)| before.to_vec());
        let position = game.position().clone();
        let as_played = || {
            let (start, _) = game.setup().position().ok()?;
            let actions = game.actions().iter().copied();
            Situation::after(start, actions).ok().filter(|found| found.position == position)
        };
        // The way of a game of GMO chess cannot be told without its chances, and no other program asks for it.
        if game.setup().variant != Variant::Gmo
            && let Some(situation) = as_played()
        {
            return situation;
        }
        let before = before.unwrap_or_default();
        Situation { before, ..Situation::new(position) }
    }

    /// The position itself.
    pub fn position(&self) -> &Position {
        &self.position
    }

    /// Where the way began.
    pub fn start(&self) -> &Position {
        &self.start
    }

    /// The way, automatic passes included.
    pub fn actions(&self) -> &[Action] {
        &self.actions
    }

    /// [`Position::hash`] of the positions before this one, oldest first.
    pub fn before(&self) -> &[u64] {
        &self.before
    }

    /// Which game it is.
    pub fn variant(&self) -> Variant {
        match &self.position {
            Position::Chess(chess) if is_chess960(chess) => Variant::Chess960,
            Position::Chess(_) => Variant::Standard,
            Position::Defender(_) => Variant::Defender,
            Position::Muster(_) | Position::Gmo(_) => Variant::Gmo,
        }
    }

    /// What a program that knows chess is told: a FEN and moves. None where it is no chess, or more than programs
    /// reckon with.
    pub fn as_chess(&self) -> Option<(&str, &[Action])> {
        let (fen, from) = self.chess.as_ref()?;
        self.position.as_chess()?;
        Some((fen, &self.actions[*from..]))
    }
}

/// The FEN of a position that programs have room for: they count on sixteen pieces a side, and on lists of 256 moves,
/// which more queens than nine could burst.
fn told_fen(position: &Position) -> Option<String> {
    let board = position.as_chess()?.board();
    let has_room = |color| {
        let own = board.by_color(color);
        own.count() <= 16 && (own & board.queens()).count() <= 9
    };
    Color::ALL.into_iter().all(has_room).then(|| position.chess_fen())?
}

fn is_chess960(chess: &rules::shakmaty::Chess) -> bool {
    chess.castles().mode() == CastlingMode::Chess960
}

#[cfg(test)]
mod tests {
    use super::*;

    fn actions(text: &str) -> Vec<Action> {
        text.split_whitespace().map(|word| word.parse().unwrap()).collect()
    }

    #[test]
    fn a_situation_holds_only_legal_moves() {
        let after = |text| Situation::after(Position::standard(), actions(text));
        assert_eq!(after("e2e4 e7e5 g1f3").unwrap().before().len(), 3);
        assert_eq!(after("e2e4 e2e4").unwrap_err(), Illegal::Move);
    }

    #[test]
    fn programs_are_not_told_of_more_pieces_than_they_have_room_for() {
        let check = |fen: &str, expected: bool| {
            let position = Position::from_fen_to_study(fen).unwrap();
            assert_eq!(Situation::new(position).as_chess().is_some(), expected, "{fen}");
        };
        check("4k3/8/8/8/8/NN4NN/PPPPPPPP/4K3 w - - 0 1", true);
        check("4k3/8/8/8/8/8/QQQQQQQQ/QQ2K3 b - - 0 1", false);
        check("4k3/8/8/8/NNNNNNNN/NNNNNNNN/8/4K3 w - - 0 1", false);
    }

    #[test]
    fn a_game_of_defender_is_chess_from_phase_two_on() {
        let start = || Position::from_fen_defender("8/8/8/8/8/8/8/8 w - - 0 1 5/5").unwrap();
        let placing = "N@f3 R@d8 P@e2 -- P@c3 -- K@g1 K@g8";
        let check = |text: &str, expected: Option<&str>| {
            let situation = Situation::after(start(), actions(text)).unwrap();
            let told = situation.as_chess().map(|(fen, moves)| {
                moves.iter().fold(fen.to_owned(), |text, action| format!("{text} {action}"))
            });
            assert_eq!(told.as_deref(), expected);
            assert_eq!(situation.variant(), Variant::Defender);
        };
        check("N@f3 R@d8", None);
        check(placing, Some("3r2k1/8/8/8/8/2P2N2/4P3/6K1 w - - 0 5"));
        let passes_left_out = "N@f3 R@d8 P@e2 P@c3 K@g1 K@g8 e2e4";
        check(passes_left_out, Some("3r2k1/8/8/8/8/2P2N2/4P3/6K1 w - - 0 5 e2e4"));
    }
}
