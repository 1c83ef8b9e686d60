//! Random games of every variant, with random commands by everybody.

use rules::clock::{Bonus, Halt, SideTime};
use rules::game::AbandonmentClaim;
use rules::gmo::Seed;
use rules::{
    Act, Action, Actor, ByColor, Color, Command, DrawReason, Event, Game, Millis, Outcome, Ply,
    RuleSet, Setup, TimeControl, Variant,
};

use crate::chance::Chance;
use crate::gmo::{army, dna};
use crate::table::START;

/// Genomes with every debuff, so that everything can happen.
const WILD: [&str; 5] = [
    "AHHHSAHCCCHACHACHAHHASASAAAAAAAAA",
    "AHHHSCHAASHASHACHAHHASASCASSAS",
    "AHHHASHSSAHAAHAAHAHHASASAAAAAAAAA",
    "AHHHSHHSHCHACHACHAHHACASSASASSACS",
    "AHHHCAHSAAHSAHSCHAHHASACSASAASAAC",
];

fn time(chance: &mut Chance) -> TimeControl {
    let live = |chance: &mut Chance| {
        let span = Millis(chance.ms(6_000));
        let bonus = *chance.pick(&[
            Bonus::None,
            Bonus::Fischer(span),
            Bonus::Bronstein(span),
            Bonus::Delay(span),
        ]);
        Some(SideTime::single(Millis(20_000 + chance.ms(200_000)), bonus))
    };
    match chance.below(4) {
        0 => TimeControl::Unlimited,
        1 => TimeControl::days(1 + chance.ms(5)),
        2 => TimeControl::Live(ByColor { white: live(chance), black: None }),
        _ => TimeControl::Live(ByColor { white: live(chance), black: live(chance) }),
    }
}

fn setup(chance: &mut Chance) -> Setup {
    let variant =
        *chance.pick(&[Variant::Standard, Variant::Chess960, Variant::Defender, Variant::Gmo]);
    let start = match variant {
        Variant::Standard | Variant::Gmo => None,
        Variant::Chess960 => {
            let number = u16::try_from(chance.below(960)).expect("small");
            let start = rules::position::chess960_start(number).expect("a number below 960");
            Some(rules::Position::Chess(start).fen())
        }
        Variant::Defender => {
            let (white, black) = (1 + chance.below(30), 1 + chance.below(30));
            Some(format!("8/8/8/8/8/8/8/8 w - - 0 1 {white}/{black}"))
        }
    };
    let mut rules = if chance.one_in(2) { RuleSet::online() } else { RuleSet::fide() };
    rules.muster = chance.one_in(2).then(|| Millis(chance.ms(60_000)));
    let seed = Some(Seed([u8::try_from(chance.below(256)).expect("a byte"); 32]));
    Setup { variant, start, time: time(chance), rules, seed, ..Setup::default() }
}

/// Something a player might do that is no move.
fn other_act(game: &Game, chance: &mut Chance) -> (Actor, Act) {
    let side = *chance.pick(&Color::ALL);
    let left =
        ByColor::new_with(|side| game.clocks().set_to(side).map(|_| Millis(chance.ms(90_000))));
    let acts = [
        Act::OfferDraw,
        Act::DeclineDraw,
        Act::ClaimDraw { intending: None },
        Act::OfferTakeback,
        Act::AcceptTakeback,
        Act::DeclineTakeback,
        Act::CheckFlag,
        Act::TakeLeave,
        Act::EndLeave,
        Act::Pause(Halt::Weekend),
        Act::Resume,
        Act::Pause(Halt::Server),
        Act::EndPause(Halt::Weekend),
        Act::Resume,
        Act::SetClocks(left),
        Act::HandIn(army(side)),
        Act::AddTime { to: side, time: Millis(chance.ms(15_000)) },
        Act::Berserk { by: side },
        Act::Play { ply: Ply(0), action: "e2e4".into() },
        Act::Play { ply: game.ply(), action: "h7h5".into() },
        Act::Play { ply: game.ply(), action: "Q@d1".into() },
    ];
    let ends = [
        Act::Resign,
        Act::AcceptDraw,
        Act::Abort,
        Act::Reopen(None),
        Act::SetResult(Outcome::Draw { by: DrawReason::Arbiter }),
        Act::ClaimAbandonment { gone: Millis::seconds(70), claim: AbandonmentClaim::Win },
    ];
    let act = if chance.one_in(25) { chance.pick(&ends) } else { chance.pick(&acts) };
    let by =
        *chance.pick(&[Actor::Player(side), Actor::Player(side), Actor::Arbiter, Actor::Server]);
    (by, act.clone())
}

/// What the side to act might do.
fn main_act(game: &Game, chance: &mut Chance) -> (Actor, Act) {
    let Some(side) = game.to_act() else {
        let side = *chance.pick(&Color::ALL);
        let mut army = army(side);
        for slot in &mut army.dna {
            if chance.one_in(2) {
                *slot = (*chance.pick(&WILD)).into();
            }
        }
        return (Actor::Player(side), Act::HandIn(army));
    };
    let actions = game.position().actions();
    let act = match *chance.pick(&actions) {
        Action::Promote { at, .. } => {
            let dna = if chance.one_in(2) { (*chance.pick(&WILD)).into() } else { dna("queen") };
            Act::Promote { ply: game.ply(), at, dna: dna.into() }
        }
        action => Act::Play { ply: game.ply(), action: action.to_string() },
    };
    (Actor::Player(side), act)
}

fn check(case: u64) -> (Variant, bool) {
    let mut chance = Chance::new(case);
    let setup = setup(&mut chance);
    let variant = setup.variant;
    let mut game = Game::new(setup, START).expect("playable");
    let (mut now, mut log) = (START, Vec::new());
    for _ in 0..120 {
        now = now.plus(Millis(chance.ms(4_000)));
        let is_main = !chance.one_in(5) && game.outcome().is_none();
        let (by, act) =
            if is_main { main_act(&game, &mut chance) } else { other_act(&game, &mut chance) };
        let command = Command { by, at: now, lag: Millis(chance.ms(100)), act };
        let Ok(events) = game.decide(&command) else { continue };
        for event in events {
            if let Event::Played { action, .. } = &event {
                let listed = game.position().actions();
                let promotes = matches!(action, Action::Promote { .. });
                assert!(promotes || listed.contains(action), "case {case}: {action} is not listed");
            }
            game.apply(&event)
                .unwrap_or_else(|corrupt| panic!("case {case}: {corrupt} by {event:?}"));
            log.push(event);
        }
        for side in Color::ALL {
            assert!(game.left(side, now).is_none_or(|left| left >= Millis::ZERO), "case {case}");
        }
        let is_awaited = game.to_act().is_some() || game.is_mustering();
        assert!(game.next_deadline().is_none() || is_awaited, "case {case}");
    }
    let text = serde_json::to_string(&log).expect("events are JSON");
    let read: Vec<Event> = serde_json::from_str(&text).expect("and read again");
    let again = Game::rebuild(game.setup().clone(), START, &read);
    assert_eq!(again.as_ref(), Ok(&game), "case {case}: {text}");
    assert_eq!(game.position_at(game.ply()).as_ref(), Some(game.position()), "case {case}");
    (variant, game.ply() > Ply(0) && game.outcome().is_some())
}

#[test]
fn the_log_of_a_random_game_is_the_game() {
    let mut ended = std::collections::HashMap::<String, u32>::new();
    for case in 0..4_000 {
        let (variant, is_over) = check(case);
        *ended.entry(format!("{variant:?}")).or_default() += u32::from(is_over);
    }
    assert!(
        ended.len() == 4 && ended.values().all(|&n| n > 100),
        "every variant is really played: {ended:?}"
    );
}

#[test]
fn a_log_that_no_game_wrote_is_refused() {
    let mut chance = Chance::new(0);
    let mut refused = 0;
    for case in 0..2_000 {
        let mut rolls = Chance::new(case);
        let setup = setup(&mut rolls);
        let events = [
            r#"{"t":"m","a":"e2e4","at":5,"l":299000}"#,
            r#"{"t":"m","a":"N@c2","at":5,"auto":1}"#,
            r#"{"t":"m","a":"=e8:3","at":5,"g":{"to":"e4","dna":"x"}}"#,
            r#"{"t":"taken_back","to":7,"left":{"white":null,"black":5},"at":6}"#,
            r#"{"t":"reopened","at":6}"#,
            r#"{"t":"started","at":6}"#,
            r#"{"t":"ended","outcome":{"kind":"draw","by":"fifty"},"at":7}"#,
            r#"{"t":"resumed","at":7}"#,
            r#"{"t":"time_added","to":"white","time":-9223372036854775808,"at":9223372036854775807}"#,
            r#"{"t":"paused","why":"server","at":-9223372036854775808}"#,
        ];
        let log: Vec<Event> = (0..6)
            .map(|_| serde_json::from_str(chance.pick::<&str>(&events)).expect("events"))
            .collect();
        refused += u32::from(Game::rebuild(setup, START, &log).is_err());
    }
    assert!(refused > 1_000, "{refused}");
}
