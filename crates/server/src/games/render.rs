//! A game as the outside sees it: whole views, and one frame per event, rendered once for everybody.

use std::fmt::Write as _;

use ratings::Pool;
use rules::clock::Halt;
use rules::gmo::{Debuff, Sha};
use rules::position::Fate;
use rules::{
    Act, Action, Actor, ByColor, Color, Command, DrawsBy, Event, Game, Millis, Ply, Position,
    UnixMillis, Variant,
};
use store::{Account, AccountId, GameId, RatingChange};

use super::wire::{
    Around, ChatLineView, ClocksView, GameCard, GameChange, GameView, GmoTable, MoveView, OwnArmy,
    PlayerView, RatingChangeView, Sides, TimeControlView,
};
use crate::gmo::LookKey;
use crate::live::wire::ServerMsg;

/// A game with what belongs to it besides its rules.
pub(crate) struct Shown<'a> {
    pub(crate) id: GameId,
    pub(crate) game: &'a Game,
    pub(crate) players: &'a ByColor<Account>,
    pub(crate) terms: &'a Terms,
    pub(crate) version: u32,
    pub(crate) looks: &'a LookKey,
}

/// What a game is played for.
pub(crate) struct Terms {
    pub(crate) rated: bool,
    pub(crate) pool: Option<Pool>,
    /// How strong both were thought to be when it began.
    pub(crate) ratings: ByColor<Option<i64>>,
    /// Whether that was still uncertain.
    pub(crate) provisional: ByColor<bool>,
    /// Whether only its players and arbiters see it.
    pub(crate) is_private: bool,
    /// Who makes the moves of both sides, if it is played at one computer.
    pub(crate) host: Option<AccountId>,
}

/// What a view shows besides the game itself.
pub(crate) struct Surroundings {
    pub(crate) around: Around,
    pub(crate) chat: Vec<ChatLineView>,
    pub(crate) can_chat: bool,
    pub(crate) muted: Vec<String>,
    pub(crate) ratings: Option<Sides<RatingChangeView>>,
    /// How much later the one who asks sees the game.
    pub(crate) delay: Option<Millis>,
}

impl Shown<'_> {
    /// The whole game for somebody.
    pub(crate) fn view(
        &self,
        you: Option<Color>,
        surroundings: Surroundings,
        now: UnixMillis,
    ) -> GameView {
        let Surroundings { around, chat, can_chat, muted, ratings, delay } = surroundings;
        let game = self.game;
        let position = game.position();
        GameView {
            id: self.id.to_string(),
            version: self.version,
            variant: game.setup().variant,
            players: self.players(),
            time: TimeControlView::from(&game.setup().time),
            you,
            one_computer: self.terms.host.is_some(),
            engines: game.setup().engines,
            start_fen: self.looks.shown(&start_position(game).0),
            fen: self.looks.shown(position),
            ply: game.ply().0,
            to_act: game.to_act(),
            dests: dests(game),
            check: check(position),
            moves: moves(game, self.looks),
            clocks: clocks(game, now),
            outcome: game.outcome().copied(),
            draw_offer: game.offers().draw,
            takeback_offer: game.offers().takeback.map(|(by, _)| by),
            adjournment_offer: game.offers().adjournment,
            adjourned: game.paused() == Some(Halt::Players),
            can_adjourn: you.is_some_and(|side| may(game, side, Act::OfferAdjournment, now)),
            takebacks: game.setup().rules.takeback && game.setup().variant != Variant::Gmo,
            can_take_back: you.is_some_and(|side| may(game, side, Act::OfferTakeback, now)),
            can_give_time: you.is_some_and(|side| may(game, side, give_time(side), now)),
            can_claim_draw: can_claim_draw(game, now),
            draws_by_claim: game.draws_by() == DrawsBy::Claim,
            can_chat,
            chat,
            muted,
            rated: self.terms.rated,
            private: self.terms.is_private,
            opening: opening(game),
            pool: self.terms.pool.as_ref().map(ToString::to_string),
            speed: self.terms.pool.as_ref().map(|pool| pool.speed().name().to_owned()),
            ratings,
            lag: Sides {
                white: game.last_lag(Color::White).0,
                black: game.last_lag(Color::Black).0,
            },
            delay_ms: delay.map(|delay| delay.0),
            can_abort: can_abort(game),
            paused: game.paused().is_some_and(|halt| !halt.allows_play()),
            created_at: game.started().0,
            gmo: gmo_table(game, you.and_then(|side| self.own_army(side))),
            around,
        }
    }

    /// What a side has handed in while the armies are hidden. At one computer both look at the same screen.
    fn own_army(&self, side: Color) -> Option<OwnArmy> {
        let Position::Muster(muster) = self.game.position() else { return None };
        let (preset, kings) = muster.army(side).filter(|_| self.terms.host.is_none())?;
        // Six digits may be another's code; the whole hash is nobody else's.
        let codes: Vec<String> = preset.0.iter().map(|genome| genome.sha().to_string()).collect();
        Some(OwnArmy {
            looks: preset.0.iter().map(|genome| self.looks.of(genome)).collect(),
            kings: kings.0.into_iter().map(|square| square.to_string()).collect(),
            preset: codes.join("-"),
        })
    }

    /// The game as a card in a list.
    pub(crate) fn card(&self, now: UnixMillis) -> GameCard {
        let game = self.game;
        GameCard {
            id: self.id.to_string(),
            players: self.players(),
            time: TimeControlView::from(&game.setup().time),
            variant: game.setup().variant,
            fen: self.looks.shown(game.position()),
            last: game.last_action().copied().and_then(last_squares),
            ply: game.ply().0,
            clocks: clocks(game, now),
            to_act: game.to_act(),
            is_your_move: false,
            created_at: game.started().0,
        }
    }

    pub(super) fn players(&self) -> Sides<PlayerView> {
        let view = |side| PlayerView {
            rating: self.terms.ratings[side],
            provisional: self.terms.provisional[side],
            ..PlayerView::from(&self.players[side])
        };
        Sides { white: view(Color::White), black: view(Color::Black) }
    }

    /// The message for one event, with what was to be seen of it before; the game is already after it.
    pub(crate) fn message(&self, told: Told, event: &Event, now: UnixMillis) -> ServerMsg {
        let game = self.game;
        let Told { by, san, freezes } = told;
        match event {
            Event::Played { action, lag, .. } => ServerMsg::Played {
                game: self.id,
                version: self.version,
                ply: game.ply().0,
                by,
                uci: action.to_string(),
                san,
                freezes: freezes && game.outcome().is_none(),
                fen: self.looks.shown(game.position()),
                check: check(game.position()),
                dests: dests(game),
                to_act: game.to_act(),
                clocks: clocks(game, now),
                can_abort: can_abort(game),
                can_claim_draw: can_claim_draw(game, now),
                lag_ms: lag.0,
                opening: opening_here(game),
            },
            other => ServerMsg::Changed {
                game: self.id,
                version: self.version,
                change: change(other, game, self.looks, now),
                clocks: clocks(game, now),
            },
        }
    }
}

/// What is told of an event that only the position before it shows.
pub(crate) struct Told {
    by: Color,
    /// Its move as people write it; empty if it is no move.
    san: String,
    /// Whether nobody is to act for a while after it.
    freezes: bool,
}

impl Told {
    /// What an event is about to do to this position.
    pub(crate) fn of(before: &Position, event: &Event) -> Told {
        let by = before.side_to_act();
        Told { by, san: san_of(before, event), freezes: freezes(before, event) }
    }
}

/// Whether a move of GMO freezes the game: whose piece has that debuff is to be seen by everybody then.
fn freezes(before: &Position, event: &Event) -> bool {
    let Event::Played { action: Action::Move { from, .. }, .. } = event else { return false };
    let genome = before.as_gmo().and_then(|position| position.genome_at(*from));
    genome.is_some_and(|genome| genome.has(Debuff::Freeze))
}

/// The move of an event as people write it, seen from the position before it; empty if it is no move.
pub(crate) fn san_of(before: &Position, event: &Event) -> String {
    match event {
        Event::Played { action, fate, .. } => written(before, *action, fate.as_deref()),
        _ => String::new(),
    }
}

/// An action as people write it. What chance added in GMO is told, but not the DNA: `e2e4>f5~`.
fn written(before: &Position, action: Action, fate: Option<&Fate>) -> String {
    let mut text = before.san(action).unwrap_or_else(|| action.to_string());
    let (Some(fate), Action::Move { .. }) = (fate, action) else { return text };
    if let Some(landing) = fate.landing {
        write!(text, ">{landing}").expect("a String takes every text");
    }
    if fate.dna.is_some() {
        text.push('~');
    }
    text
}

/// What a player gives to the other.
pub(crate) fn give_time(giver: Color) -> Act {
    Act::AddTime { to: giver.other(), time: Millis::seconds(15) }
}

/// The name of the opening as far as the game has come.
pub(crate) fn opening(game: &Game) -> Option<String> {
    has_openings(game)
        .then(|| rules::opening::name_of(game.actions()))
        .flatten()
        .map(|opening| opening.to_string())
}

/// The name of the position itself, if it has one.
fn opening_here(game: &Game) -> Option<String> {
    has_openings(game)
        .then(|| rules::opening::name_at(game.position(), game.actions().len()))
        .flatten()
        .map(|opening| opening.to_string())
}

fn has_openings(game: &Game) -> bool {
    game.setup().variant == Variant::Standard && game.setup().start.is_none()
}

/// Whether the rules would allow something now.
fn may(game: &Game, side: Color, act: Act, at: UnixMillis) -> bool {
    game.decide(&Command::new(Actor::Player(side), at, act)).is_ok()
}

fn can_claim_draw(game: &Game, at: UnixMillis) -> bool {
    let by_claim = game.draws_by() == DrawsBy::Claim;
    by_claim
        && game.to_act().is_some_and(|side| may(game, side, Act::ClaimDraw { intending: None }, at))
}

fn change(event: &Event, game: &Game, looks: &LookKey, now: UnixMillis) -> GameChange {
    match event {
        Event::TakebackOffered { by, .. } => GameChange::TakebackOffered { by: *by },
        Event::TakebackDeclined { by, .. } => GameChange::TakebackDeclined { by: *by },
        Event::TakenBack { .. } => GameChange::TakenBack {
            ply: game.ply().0,
            fen: looks.shown(game.position()),
            dests: dests(game),
            check: check(game.position()),
            to_act: game.to_act(),
            opening: opening(game),
            can_abort: can_abort(game),
            can_claim_draw: can_claim_draw(game, now),
        },
        Event::TimeAdded { to, time, .. } => GameChange::TimeAdded { to: *to, ms: time.0 },
        Event::Berserked { by, time, .. } => GameChange::TimeAdded { to: *by, ms: -time.0 },
        Event::DrawOffered { by, .. } => GameChange::DrawOffered { by: *by },
        Event::DrawDeclined { by, .. } => GameChange::DrawDeclined { by: *by },
        Event::Ended { outcome, .. } => {
            GameChange::Ended { outcome: *outcome, seed: shown_seed(game) }
        }
        Event::AdjournmentOffered { by, .. } => GameChange::AdjournmentOffered { by: *by },
        Event::AdjournmentDeclined { by, .. } => GameChange::AdjournmentDeclined { by: *by },
        Event::Paused { why: Halt::Players, .. } => GameChange::Adjourned,
        Event::Paused { .. } => GameChange::Paused,
        Event::Resumed { .. } | Event::DowntimeCredited { .. } => GameChange::Resumed,
        Event::HandedIn { by, .. } => GameChange::HandedIn { by: *by },
        Event::Started { .. } => GameChange::Started {
            fen: looks.shown(game.position()),
            dests: dests(game),
            to_act: game.to_act(),
        },
        _ => GameChange::Other,
    }
}

pub(super) fn clocks(game: &Game, now: UnixMillis) -> ClocksView {
    ClocksView {
        white_ms: game.left(Color::White, now).map(|left| left.0.max(0)),
        black_ms: game.left(Color::Black, now).map(|left| left.0.max(0)),
        running: game.to_act().and(game.clocks().running(now)),
        delay_ms: above_zero(game.delay_left(now)),
        first_move_ms: game.first_move_deadline().and_then(|at| above_zero(at.since(now))),
        frozen_ms: frozen(game, now),
    }
}

fn above_zero(span: Millis) -> Option<i64> {
    (span.0 > 0).then_some(span.0)
}

/// How long nobody may act after a freezing move of GMO.
fn frozen(game: &Game, now: UnixMillis) -> Option<i64> {
    let thaws = game.to_act().and(game.clocks().thinking_since());
    let left = thaws.filter(|_| game.setup().variant == Variant::Gmo)?.since(now).0;
    (left > 0).then_some(left)
}

/// What a game of GMO has besides a board.
fn gmo_table(game: &Game, mine: Option<OwnArmy>) -> Option<GmoTable> {
    let setup = game.setup();
    if setup.variant != Variant::Gmo {
        return None;
    }
    let ready = |side| match game.position() {
        Position::Muster(muster) => muster.is_ready(side),
        _ => true,
    };
    Some(GmoTable {
        ready: Sides { white: ready(Color::White), black: ready(Color::Black) },
        hand_in_by: game.muster_deadline().map(|at| at.0),
        max_blocks: setup.gmo.max_blocks,
        no_first_strike: setup.gmo.no_first_strike,
        reveal: setup.gmo.reveal,
        seed_hash: game.seed().map(|seed| seed.commitment().to_string()),
        seed: shown_seed(game),
        mine,
    })
}

/// The seed of a game of GMO, once nothing depends on it any more.
fn shown_seed(game: &Game) -> Option<String> {
    game.seed().filter(|_| game.outcome().is_some()).map(|seed| Sha(seed.0).to_string())
}

fn can_abort(game: &Game) -> bool {
    game.outcome().is_none() && game.setup().rules.abort && !game.both_have_acted()
}

/// Legal moves in groups by origin; nothing once the game is over.
///
/// While pieces are placed the origin is the shelf, `N@c2c3`, and a lone `--` says that one may finish.
fn dests(game: &Game) -> String {
    if game.outcome().is_some() {
        return String::new();
    }
    dests_of(game.position())
}

/// Legal moves of a position in groups by origin, from the shelf too.
pub(crate) fn dests_of(position: &Position) -> String {
    let Some(shelf) = position.shelf() else { return board_moves(position) };
    let mut text = String::with_capacity(128);
    for (role, squares) in shelf.iter().filter(|(_, squares)| squares.any()) {
        write!(text, "{}@", role.upper_char()).expect("a String takes every text");
        squares.into_iter().for_each(|square| square.append_to_string(&mut text));
        text.push(' ');
    }
    text.push_str(if shelf.may_finish() { "--" } else { "" });
    text.trim_end().to_owned()
}

/// Legal moves from square to square in groups by origin.
pub(crate) fn board_moves(position: &Position) -> String {
    let mut text = String::with_capacity(128);
    for (from, targets) in position.dests().iter() {
        if !text.is_empty() {
            text.push(' ');
        }
        from.append_to_string(&mut text);
        targets.into_iter().for_each(|to| to.append_to_string(&mut text));
    }
    text
}

fn check(position: &Position) -> Option<String> {
    position.check_square().map(|square| square.to_string())
}

/// The first position, and the passes that came by themselves before anybody had a choice.
fn start_position(game: &Game) -> (Position, u8) {
    match game.setup().variant {
        Variant::Gmo => (game.position_at(Ply(0)).expect("every game has a beginning"), 0),
        _ => game.setup().position().expect("the game began with this set-up"),
    }
}

/// Replays the record for its notation and positions. Passes that came by themselves belong to the action before them.
fn moves(game: &Game, looks: &LookKey) -> Vec<MoveView> {
    let (mut position, mut passes) = start_position(game);
    let lefts = game.clock_history();
    // Passes alternate, and whoever has a choice comes after the last of them.
    let mut by = position.side_to_act();
    if passes % 2 == 1 {
        by = by.other();
    }
    let entry = |(action, index): (&Action, u32)| {
        let fate = game.fate_at(Ply(index));
        let san = written(&position, *action, fate);
        let mover = if passes > 0 { by } else { position.side_to_act() };
        by = mover.other();
        if passes > 0 {
            passes -= 1;
        } else {
            passes = position
                .play_fated(*action, fate.unwrap_or(&Fate::NONE))
                .expect("the record holds only what was played")
                .passes;
        }
        MoveView {
            ply: index + 1,
            by: mover,
            uci: action.to_string(),
            san,
            fen: looks.shown(&position),
            check: check(&position),
            left_ms: lefts.get(index as usize).map(|left| left.0),
        }
    };
    game.actions().iter().zip(0..).map(entry).collect()
}

/// Where the last action began and ended: the same square if a piece came from the shelf or was promoted.
pub(super) fn last_squares(action: Action) -> Option<(String, String)> {
    let (from, to) = action.squares();
    let to = to?;
    Some((from.unwrap_or(to).to_string(), to.to_string()))
}

/// Changes of ratings as people see them.
pub(crate) fn rating_views(
    system: &ratings::System,
    changes: &ByColor<RatingChange>,
    now: UnixMillis,
) -> Sides<RatingChangeView> {
    let view = |change: &RatingChange| RatingChangeView {
        before: i64::from(change.before.shown()),
        after: i64::from(change.after.shown()),
        provisional: system.is_provisional(&change.after, ratings::Moment(now.0)),
    };
    Sides { white: view(&changes.white), black: view(&changes.black) }
}
