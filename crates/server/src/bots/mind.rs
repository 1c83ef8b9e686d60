//! What a bot does in a game, as far as no engine is needed for it. Pure.

use std::time::Duration;

use engine::builtin::{Level, Limits, Moment, Score};
use engine::report::Phase;
use rules::clock::SideTime;
use rules::gmo::{DEFAULT_PRESET, known_start};
use rules::shakmaty::{Bitboard, Rank};
use rules::{
    Act, Action, Army, Color, Game, Ply, Position, SquareSet, TimeControl, UnixMillis, Variant,
};

use crate::defender::{is_single, nodes_of};

/// What a bot is to do now.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Deed {
    /// This, without a thought.
    Act(Act),
    /// Find a move.
    Think,
    /// Find out whether the offered draw is welcome.
    JudgeDraw,
    /// Nothing, until something happens.
    Rest,
}

/// From this level on a bot resigns. A beginner wants to mate.
const RESIGNS_FROM: u8 = 6;
/// So far behind, in centipawns, a game is lost.
const LOST: i32 = 1_000;
/// Nobody resigns before.
const RESIGNS_AFTER: u32 = 40;
/// As soon as it stands so much worse a bot is glad of a draw.
const GLAD_OF_DRAW: i32 = -60;
/// And later also in an equal game.
const EQUAL: i32 = 25;
const LONG_GAME: u32 = 80;
/// No engine thinks longer about a move, whatever the clock shows.
const LONGEST: Duration = Duration::from_secs(5);
/// The engines get such a part of what the clock shows, and what they have found by then is played.
const SHARE_TO_WAIT: u32 = 4;
/// But where positions are counted, only a machine in trouble is stopped by time.
const LONGEST_COUNTED: Duration = Duration::from_mins(1);

/// What the bot of one side is to do.
pub(super) fn next(game: &Game, side: Color, is_rated: bool) -> Deed {
    let is_paused = game.paused().is_some_and(|halt| !halt.allows_play());
    if game.outcome().is_some() || is_paused {
        return Deed::Rest;
    }
    let offers = game.offers();
    if offers.takeback.is_some_and(|(by, _)| by != side) {
        // Nothing is taken back where the result is entered somewhere.
        let counts = is_rated || is_single(game);
        return Deed::Act(if counts { Act::DeclineTakeback } else { Act::AcceptTakeback });
    }
    if offers.draw.is_some_and(|by| by != side) {
        return Deed::JudgeDraw;
    }
    if let Position::Muster(muster) = game.position() {
        let army = (!muster.is_ready(side)).then(|| usual_army(side));
        return army.map_or(Deed::Rest, |army| Deed::Act(Act::HandIn(Box::new(army))));
    }
    if game.to_act() == Some(side) { Deed::Think } else { Deed::Rest }
}

/// The army of GMO chess that everybody has.
fn usual_army(side: Color) -> Army {
    let start = known_start(DEFAULT_PRESET);
    let squares = Bitboard::from_rank(match side {
        Color::White => Rank::First,
        Color::Black => Rank::Eighth,
    });
    let mut dna = squares.into_iter().map(|square| {
        start.genome_at(square).map_or_else(Box::default, |genome| Box::from(genome.dna()))
    });
    let dna = std::array::from_fn(|_| dna.next().unwrap_or_default());
    let own_kings =
        start.board().pieces().filter(|(_, piece)| piece.king && piece.owner == side.into());
    let kings = own_kings.map(|(square, _)| square).collect();
    Army { dna, kings: SquareSet(kings) }
}

/// An engine's move as what a player asks of the game.
pub(super) fn act_of(game: &Game, action: Action) -> Option<Act> {
    let ply = game.ply();
    match action {
        Action::Promote { at, genome } => {
            let genomes = game.position().as_gmo()?.genomes();
            let dna = genomes.get(rules::gmo::GenomeIndex(genome))?.dna().to_owned();
            Some(Act::Promote { ply, at, dna })
        }
        action => Some(Act::Play { ply, action: action.to_string() }),
    }
}

/// What an engine is given for a move by the clock of its side.
///
/// In an attempt at a prepared position it has none and counts positions: who is in the list must not depend on how
/// fast the club's machine is or how busy it was.
pub(super) fn limits(game: &Game, side: Color, level: Level, at: UnixMillis) -> Limits {
    if is_single(game) {
        return Limits { most: Some(LONGEST_COUNTED), ..Limits::nodes(nodes_of(level)) };
    }
    let most = |limits: Limits| Limits {
        most: Some(limits.most.map_or(LONGEST, |most| most.min(LONGEST))),
        ..limits
    };
    let Some(left) = left(game, side, at) else { return most(Limits::default()) };
    most(Limits::from_clock(left, increment(&game.setup().time, side)))
}

/// How long the engines may take in all, the time they do not know of included: who plays waits behind others who play.
/// None without a clock.
pub(super) fn patience(game: &Game, side: Color, at: UnixMillis) -> Option<Duration> {
    left(game, side, at).map(|left| left / SHARE_TO_WAIT)
}

/// What a bot that pretends to think can see.
pub(super) fn moment(game: &Game, side: Color, at: UnixMillis) -> Moment {
    Moment {
        phase: Phase::of_position(game.position()),
        left: left(game, side, at),
        increment: increment(&game.setup().time, side),
        choices: game.position().actions().len(),
    }
}

fn left(game: &Game, side: Color, at: UnixMillis) -> Option<Duration> {
    // Days are no reason to think for hours.
    let is_live = matches!(game.setup().time, TimeControl::Live(_));
    let left = game.left(side, at).filter(|_| is_live)?;
    Some(Duration::from_millis(u64::try_from(left.0).unwrap_or(0)))
}

fn increment(time: &TimeControl, side: Color) -> Duration {
    let TimeControl::Live(sides) = time else { return Duration::ZERO };
    let bonus = |side: &SideTime| side.stages.first().map_or(0, |stage| stage.bonus.span().0);
    let millis = sides[side].as_ref().map_or(0, bonus);
    Duration::from_millis(u64::try_from(millis).unwrap_or(0))
}

/// Whether a bot gives up rather than move.
pub(super) fn resigns(level: Level, score: Score, ply: Ply) -> bool {
    let is_lost = match score {
        Score::Centipawns(value) => value <= -LOST,
        Score::Mate(moves) => moves <= 0,
    };
    level.number() >= RESIGNS_FROM && ply.0 >= RESIGNS_AFTER && is_lost
}

/// Whether a draw is welcome to a side that stands like this.
pub(super) fn welcomes_draw(score: Score, ply: Ply) -> bool {
    match score {
        Score::Centipawns(value) => value <= GLAD_OF_DRAW || (value <= EQUAL && ply.0 >= LONG_GAME),
        Score::Mate(moves) => moves <= 0,
    }
}

/// Whether a bot claims the draw that is there, rather than play on.
pub(super) fn claims_draw(game: &Game, side: Color, score: Option<Score>, at: UnixMillis) -> bool {
    use rules::{Actor, Command};
    let is_glad = score.is_none_or(|score| match score {
        Score::Centipawns(value) => value <= EQUAL,
        Score::Mate(moves) => moves <= 0,
    });
    let claim = Command::new(Actor::Player(side), at, Act::ClaimDraw { intending: None });
    is_glad && game.setup().variant != Variant::Gmo && game.decide(&claim).is_ok()
}

#[cfg(test)]
mod tests {
    use rules::{Actor, Command, Millis, RuleSet, Setup};

    use super::*;

    const NOW: UnixMillis = UnixMillis(0);

    fn begin(variant: Variant) -> Game {
        let setup = Setup { variant, seed: None, ..Setup::default() };
        Game::new(setup, NOW).unwrap()
    }

    fn act(game: &mut Game, side: Color, act: Act) {
        let events = game.decide(&Command::new(Actor::Player(side), NOW, act)).unwrap();
        for event in &events {
            game.apply(event).unwrap();
        }
    }

    fn play(game: &mut Game, text: &str) {
        let (side, ply) = (game.to_act().unwrap(), game.ply());
        act(game, side, Act::Play { ply, action: text.to_owned() });
    }

    #[test]
    fn a_bot_thinks_when_it_is_its_turn_and_only_then() {
        let mut game = begin(Variant::Standard);
        let check = |game: &Game, side, deed: Deed| assert_eq!(next(game, side, false), deed);
        check(&game, Color::White, Deed::Think);
        check(&game, Color::Black, Deed::Rest);
        play(&mut game, "e2e4");
        check(&game, Color::White, Deed::Rest);
        check(&game, Color::Black, Deed::Think);
        act(&mut game, Color::White, Act::Resign);
        check(&game, Color::Black, Deed::Rest);
    }

    #[test]
    fn a_takeback_is_allowed_where_nothing_is_at_stake() {
        let mut game = begin(Variant::Standard);
        play(&mut game, "e2e4");
        play(&mut game, "e7e5");
        act(&mut game, Color::White, Act::OfferTakeback);
        assert_eq!(next(&game, Color::Black, false), Deed::Act(Act::AcceptTakeback));
        assert_eq!(next(&game, Color::Black, true), Deed::Act(Act::DeclineTakeback));
    }

    #[test]
    fn the_army_a_bot_hands_in_is_accepted_from_either_side() {
        let mut game = begin(Variant::Gmo);
        for side in Color::ALL {
            let Deed::Act(hand_in) = next(&game, side, false) else { panic!("no army") };
            act(&mut game, side, hand_in);
        }
        assert!(!game.is_mustering());
        assert_eq!(next(&game, Color::White, false), Deed::Think);
    }

    #[test]
    fn only_the_strong_resign_and_only_what_is_lost() {
        let check = |level, score, ply, expected| {
            let level = Level::new(level).unwrap();
            assert_eq!(resigns(level, score, Ply(ply)), expected, "{level:?} {score} {ply}");
        };
        check(5, Score::Mate(-3), 80, false);
        check(6, Score::Mate(-3), 80, true);
        check(8, Score::Centipawns(-1_200), 60, true);
        check(8, Score::Centipawns(-1_200), 10, false);
        check(8, Score::Centipawns(-500), 60, false);
    }

    #[test]
    fn a_draw_is_welcome_to_who_stands_worse_or_has_played_long() {
        let check = |score, ply, expected| assert_eq!(welcomes_draw(score, Ply(ply)), expected);
        check(Score::Centipawns(-100), 10, true);
        check(Score::Centipawns(0), 10, false);
        check(Score::Centipawns(0), 90, true);
        check(Score::Centipawns(200), 90, false);
        check(Score::Mate(4), 90, false);
        check(Score::Mate(-4), 90, true);
    }

    #[test]
    fn an_engine_never_gets_more_time_than_the_clock_has() {
        for seconds in [1, 10, 300, 7_200] {
            let time = TimeControl::fischer(Millis::seconds(seconds), Millis::seconds(2));
            let game = Game::new(Setup::standard(time, RuleSet::online()), NOW).unwrap();
            let most = limits(&game, Color::White, Level::STRONGEST, NOW).most.unwrap();
            assert!(most < Duration::from_secs(seconds.unsigned_abs()) && most <= LONGEST);
        }
        let unlimited = limits(&begin(Variant::Standard), Color::White, Level::STRONGEST, NOW);
        assert_eq!((unlimited.most, unlimited.nodes), (Some(LONGEST), None));
    }

    #[test]
    fn a_bot_hears_the_engines_out_unless_its_own_clock_runs_down() {
        let time = TimeControl::fischer(Millis::seconds(60), Millis::seconds(0));
        let game = Game::new(Setup::standard(time, RuleSet::online()), NOW).unwrap();
        assert_eq!(patience(&game, Color::White, NOW), Some(Duration::from_secs(15)));
        assert_eq!(patience(&begin(Variant::Standard), Color::White, NOW), None);
    }

    #[test]
    fn an_attempt_is_played_by_counted_positions() {
        let start = Some("1bkb4/1rbr4/8/8/8/8/8/8 w - - 0 1 30/K".to_owned());
        let setup = Setup { variant: Variant::Defender, start, ..Setup::default() };
        let game = Game::new(setup, NOW).unwrap();
        let nodes = |level| limits(&game, Color::Black, level, NOW).nodes;
        assert_eq!(nodes(Level::STRONGEST), Some(400_000), "as the specification says");
        assert!(nodes(Level::WEAKEST) < nodes(Level::STRONGEST));
    }
}
