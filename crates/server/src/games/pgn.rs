//! A game as PGN: tags, moves with the clock after each, the result; and the route that gives it.

use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::IntoResponse;
use ratings::Pool;
use rules::clock::{Bonus, SideTime, Stage};
use rules::defender::CASUAL_START;
use rules::opening::name_of;
use rules::pgn::{Game as Sheet, GameResult, Node};
use rules::{
    AbortReason, Color, DrawReason, Game, Outcome, TimeControl, UnixMillis, Variant, WinReason,
};
use serde::Deserialize;
use store::{GameId, StoreError, StoredGame};
use utoipa::IntoParams;

use super::{GameError, Games};
use crate::accounts::Visitor;
use crate::defender::is_single;
use crate::http::{ApiError, Id, Params, PublicUrl};

/// How a game is to be told.
#[derive(Debug, Default, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct PgnQuery {
    /// `two`: of ChessDefender only the chess that is played when all pieces are placed, for programs that know no more.
    phase: Option<String>,
}

/// Show a game as PGN.
#[utoipa::path(get, path = "/api/v1/games/{id}/pgn", tag = "games", params(("id" = String, Path), PgnQuery),
    responses((status = 200, body = String, content_type = "application/x-chess-pgn"),
        (status = 404, description = "no such game"), (status = 422, description = "a variant that PGN cannot tell")))]
pub(crate) async fn show_game_pgn(
    State(games): State<Games>,
    visitor: Visitor,
    site: PublicUrl,
    Id(id): Id<GameId>,
    Params(ask): Params<PgnQuery>,
) -> Result<impl IntoResponse, ApiError> {
    let stored = games.record(id, &visitor).await?;
    let text = match ask.phase.as_deref() {
        Some("two") => battle_pgn_of(&stored, site.as_str())?,
        _ => games.whole_pgn(&stored, site.as_str()).await?,
    };
    let text = text.ok_or_else(|| {
        let detail = "a game of this variant cannot be told in PGN";
        ApiError::new(StatusCode::UNPROCESSABLE_ENTITY, "no_pgn", detail)
    })?;
    let headers = [
        (header::CONTENT_TYPE, "application/x-chess-pgn; charset=utf-8".to_owned()),
        (header::CONTENT_DISPOSITION, format!("inline; filename=\"rookery-{id}.pgn\"")),
    ];
    Ok((headers, text))
}

impl Games {
    /// A stored game as PGN, with what an attempt at a prepared position has besides.
    async fn whole_pgn(
        &self,
        stored: &StoredGame,
        site: &str,
    ) -> Result<Option<String>, GameError> {
        let game = Game::rebuild(stored.setup.clone(), stored.created_at, &stored.events)
            .map_err(|error| GameError::Fault(format!("its log cannot be replayed: {error}")))?;
        let Some(mut sheet) = sheet_of(stored, &game, site) else { return Ok(None) };
        if is_single(&game) {
            let attempt = match self.0.house.store.load_attempt(stored.id).await {
                Ok(attempt) => attempt,
                Err(StoreError::NotFound) => return Ok(sheet.to_pgn().ok()),
                Err(error) => return Err(error.into()),
            };
            let white = stored.players[Color::White].id == attempt.account;
            let side = if white { Color::White } else { Color::Black };
            sheet.tags.set("DefenderPosition", attempt.position);
            sheet.tags.set("DefenderScore", game.points_spent(side).to_string());
            sheet.tags.set("Engine", format!("{}, level {}", attempt.engine, attempt.level));
        }
        Ok(sheet.to_pgn().ok())
    }
}

/// A stored game as PGN; none for variants that PGN cannot tell.
pub(crate) fn pgn_of(stored: &StoredGame, site: &str) -> Result<Option<String>, GameError> {
    let game = Game::rebuild(stored.setup.clone(), stored.created_at, &stored.events)
        .map_err(|error| GameError::Fault(format!("its log cannot be replayed: {error}")))?;
    Ok(write(stored, &game, site))
}

/// Phase two of a stored game of Defender as PGN of ordinary chess; none if it was not reached, or of other variants.
fn battle_pgn_of(stored: &StoredGame, site: &str) -> Result<Option<String>, GameError> {
    let game = Game::rebuild(stored.setup.clone(), stored.created_at, &stored.events)
        .map_err(|error| GameError::Fault(format!("its log cannot be replayed: {error}")))?;
    let Some(began) = game.battle_began() else { return Ok(None) };
    let fen = game.position_at(began).and_then(|position| position.chess_fen());
    let Some(fen) = fen else { return Ok(None) };
    let mut sheet = Sheet { result: result_of(game.outcome()), ..Sheet::default() };
    set_tags(&mut sheet, stored, &game, site);
    sheet.tags.remove("Variant");
    sheet.tags.remove("DefenderPoints");
    sheet.tags.set("SetUp", "1");
    sheet.tags.set("FEN", fen);
    Ok(tell_moves(sheet, &game, began.index()).and_then(|sheet| sheet.to_pgn().ok()))
}

/// The same for a game that was rebuilt already.
pub(crate) fn write(stored: &StoredGame, game: &Game, site: &str) -> Option<String> {
    sheet_of(stored, game, site)?.to_pgn().ok()
}

/// A game as a sheet of PGN; none for variants that PGN cannot tell.
pub(crate) fn sheet_of(stored: &StoredGame, game: &Game, site: &str) -> Option<Sheet> {
    let mut sheet = Sheet { result: result_of(game.outcome()), ..Sheet::default() };
    if stored.setup.variant == Variant::Gmo {
        return None;
    }
    set_tags(&mut sheet, stored, game, site);
    tell_moves(sheet, game, 0)
}

/// The tags and the result of a game, for variants whose moves PGN cannot tell.
pub(crate) fn head_of(stored: &StoredGame, game: &Game, site: &str) -> Sheet {
    let mut sheet = Sheet { result: result_of(game.outcome()), ..Sheet::default() };
    set_tags(&mut sheet, stored, game, site);
    sheet
}

/// Writes the moves from an entry of the record on.
fn tell_moves(mut sheet: Sheet, game: &Game, from: usize) -> Option<Sheet> {
    let mut board = sheet.start().ok()?;
    let mut lefts = game.clock_history().iter().skip(from);
    for action in game.actions().iter().skip(from) {
        let mut node = Node::from(board.play(*action)?);
        if let Some(left) = lefts.next() {
            node.notes_mut().clock = Some(*left);
        }
        sheet.line.nodes.push(node);
    }
    Some(sheet)
}

fn set_tags(sheet: &mut Sheet, stored: &StoredGame, game: &Game, site: &str) {
    let tags = &mut sheet.tags;
    let (date, time) = calendar(stored.created_at);
    tags.set("Event", event_name(stored));
    tags.set("Site", format!("{site}/{}", stored.id));
    tags.set("Date", date.clone());
    tags.set("Round", "-");
    tags.set("UTCDate", date);
    tags.set("UTCTime", time);
    for (name, text) in time_tags(&stored.setup.time) {
        tags.set(name, text);
    }
    tags.set("Termination", termination(game.outcome()));
    for (side, name, elo) in
        [(Color::White, "White", "WhiteElo"), (Color::Black, "Black", "BlackElo")]
    {
        tags.set(name, stored.players[side].name.clone());
        if let Some(rating) = stored.ratings[side] {
            tags.set(elo, rating.to_string());
        }
    }
    match stored.setup.variant {
        Variant::Standard | Variant::Gmo => {}
        Variant::Chess960 => tags.set("Variant", "Chess960"),
        Variant::Defender => tags.set("Variant", "ChessDefender"),
    }
    if stored.setup.variant == Variant::Defender {
        let start = stored.setup.start.as_deref().unwrap_or(CASUAL_START);
        tags.set("SetUp", "1");
        tags.set("FEN", start);
        tags.set("DefenderPoints", start.split(' ').nth(6).unwrap_or("K/K"));
    } else if let Some(fen) = &stored.setup.start {
        tags.set("SetUp", "1");
        tags.set("FEN", fen.clone());
    } else if stored.setup.variant == Variant::Standard
        && let Some(opening) = name_of(game.actions())
    {
        tags.set("ECO", opening.eco);
        tags.set("Opening", opening.name);
    }
}

/// `Rated blitz game`, `Casual game`.
fn event_name(stored: &StoredGame) -> String {
    let kind = if stored.rated { "Rated" } else { "Casual" };
    match stored.pool.as_deref().and_then(|pool| pool.parse::<Pool>().ok()) {
        Some(pool) => format!("{kind} {} game", pool.speed().name()),
        None => format!("{kind} game"),
    }
}

fn result_of(outcome: Option<&Outcome>) -> GameResult {
    match outcome {
        Some(Outcome::Win { winner: Color::White, .. }) => GameResult::WhiteWins,
        Some(Outcome::Win { winner: Color::Black, .. }) => GameResult::BlackWins,
        Some(Outcome::Draw { .. }) => GameResult::Draw,
        Some(Outcome::Aborted { .. }) | None => GameResult::Unknown,
    }
}

/// Why it ended, in the words that the standard and other programs know.
fn termination(outcome: Option<&Outcome>) -> &'static str {
    match outcome {
        None => "Unterminated",
        Some(
            Outcome::Win { by: WinReason::Time, .. } | Outcome::Draw { by: DrawReason::CannotMate },
        ) => "Time forfeit",
        Some(
            Outcome::Win { by: WinReason::Abandonment, .. }
            | Outcome::Draw { by: DrawReason::Abandonment }
            | Outcome::Aborted { by: AbortReason::Player | AbortReason::NoFirstMove },
        ) => "Abandoned",
        Some(
            Outcome::Win { by: WinReason::Arbiter, .. }
            | Outcome::Draw { by: DrawReason::Arbiter }
            | Outcome::Aborted { by: AbortReason::Arbiter },
        ) => "Adjudication",
        Some(Outcome::Aborted { by: AbortReason::Server }) => "Emergency",
        Some(_) => "Normal",
    }
}

/// The time control as PGN writes it, `40/5400+30:1800+30`: White's, where the sides differ. Days are seconds a move.
pub(crate) fn time_control(time: &TimeControl) -> String {
    match time {
        TimeControl::Unlimited => "-".to_owned(),
        TimeControl::Live(sides) => {
            let side = sides[Color::White].as_ref().or(sides[Color::Black].as_ref());
            side.map_or_else(|| "-".to_owned(), stages_text)
        }
        TimeControl::Days(days) => format!("1/{}", days.per_move.0 / 1_000),
    }
}

/// The time control with its tags: one for both sides, or one for each where they differ, as programs for engine matches
/// write it.
fn time_tags(time: &TimeControl) -> Vec<(&'static str, String)> {
    let TimeControl::Live(sides) = time else { return vec![("TimeControl", time_control(time))] };
    if sides.white == sides.black {
        return vec![("TimeControl", time_control(time))];
    }
    let of = |side: Color| sides[side].as_ref().map_or_else(|| "-".to_owned(), stages_text);
    vec![("WhiteTimeControl", of(Color::White)), ("BlackTimeControl", of(Color::Black))]
}

fn stages_text(side: &SideTime) -> String {
    let stages = side.stages.iter().map(|Stage { moves, time, bonus }| {
        let moves = moves.map(|moves| format!("{moves}/")).unwrap_or_default();
        let added = match bonus {
            Bonus::Fischer(span) | Bonus::Bronstein(span) | Bonus::Delay(span) => span.0 / 1_000,
            Bonus::None => 0,
        };
        format!("{moves}{}+{added}", time.0 / 1_000)
    });
    stages.collect::<Vec<_>>().join(":")
}

/// Day and time of day in UTC as PGN writes them, `2026.01.31` and `23:59:59`.
fn calendar(at: UnixMillis) -> (String, String) {
    const DAY: i64 = 86_400_000;
    let seconds = at.0.rem_euclid(DAY) / 1_000;
    // Days from the first of March of the year 0, so that the leap day is the last of its year.
    let days = at.0.div_euclid(DAY) + 719_468;
    let (era, of_era) = (days.div_euclid(146_097), days.rem_euclid(146_097));
    let year = (of_era - of_era / 1_460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year + year / 4 - year / 100);
    let from_march = (5 * of_year + 2) / 153;
    let day = of_year - (153 * from_march + 2) / 5 + 1;
    let month = if from_march < 10 { from_march + 3 } else { from_march - 9 };
    let year = era * 400 + year + i64::from(month <= 2);
    let time = format!("{:02}:{:02}:{:02}", seconds / 3_600, seconds / 60 % 60, seconds % 60);
    (format!("{year:04}.{month:02}.{day:02}"), time)
}

#[cfg(test)]
mod tests {
    use rules::{ByColor, Millis};

    use super::*;

    #[test]
    fn dates_are_those_of_the_calendar() {
        for (at, date, time) in [
            (0, "1970.01.01", "00:00:00"),
            (951_782_399_000, "2000.02.28", "23:59:59"),
            (951_782_400_000, "2000.02.29", "00:00:00"),
            (951_868_800_000, "2000.03.01", "00:00:00"),
            (1_767_225_600_000, "2026.01.01", "00:00:00"),
            (-1_000, "1969.12.31", "23:59:59"),
        ] {
            assert_eq!(calendar(UnixMillis(at)), (date.to_owned(), time.to_owned()));
        }
    }

    #[test]
    fn a_time_control_is_written_stage_by_stage() {
        let stage = |moves, minutes: i64, seconds: i64| Stage {
            moves,
            time: Millis(minutes * 60_000),
            bonus: Bonus::Fischer(Millis(seconds * 1_000)),
        };
        let classical = SideTime { stages: vec![stage(Some(40), 90, 30), stage(None, 30, 30)] };
        for (time, text) in [
            (TimeControl::Unlimited, "-"),
            (TimeControl::fischer(Millis(180_000), Millis(2_000)), "180+2"),
            (TimeControl::fischer(Millis(60_000), Millis(0)), "60+0"),
            (TimeControl::Live(ByColor::same(Some(classical))), "40/5400+30:1800+30"),
            (TimeControl::days(3), "1/259200"),
        ] {
            assert_eq!(time_control(&time), text);
            assert_eq!(time_tags(&time), [("TimeControl", text.to_owned())]);
        }
    }

    #[test]
    fn sides_with_different_times_have_a_tag_each() {
        let side = |minutes: i64| {
            let (time, bonus) = (Millis(minutes * 60_000), Bonus::None);
            Some(SideTime { stages: vec![Stage { moves: None, time, bonus }] })
        };
        let tags = |white, black| time_tags(&TimeControl::Live(ByColor { white, black }));
        let both = |white: &str, black: &str| {
            [("WhiteTimeControl", white.to_owned()), ("BlackTimeControl", black.to_owned())]
        };
        assert_eq!(tags(side(5), side(1)), both("300+0", "60+0"));
        assert_eq!(tags(side(5), None), both("300+0", "-"));
    }
}
