//! Questions as the outside asks them, turned into filters of the index.

use library::filter::Score;
use library::{Filter, Side, Source, Speed, TagNumber};
use rules::pgn::GameResult;
use serde::Deserialize;
use utoipa::{IntoParams, ToSchema};

use super::LibraryError;

/// Whose games are asked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Scope {
    /// The asker's: of linked accounts and out of own files.
    Mine,
    /// All games played here.
    Club,
    /// All that the asker may see: the club's games and the asker's.
    Whole,
    /// The games somebody played.
    Player(String),
}

/// The side of a player.
#[derive(Debug, Clone, Copy, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum LibrarySide {
    White,
    Black,
}

/// How the player did.
#[derive(Debug, Clone, Copy, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum LibraryScore {
    Win,
    Draw,
    Loss,
}

/// How fast a game is.
#[derive(Debug, Clone, Copy, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum LibrarySpeed {
    Bullet,
    Blitz,
    Rapid,
    Classical,
    Correspondence,
}

/// Where a game comes from.
#[derive(Debug, Clone, Copy, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum LibrarySource {
    File,
    Here,
    Lichess,
    Chesscom,
}

/// Which games are wanted. Everything may be left out.
#[derive(Debug, Clone, Default, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct LibraryQuery {
    /// `mine` (the default for members), `club` (all games played here), `all` (both together), or `player:` and a name.
    pub(super) scope: Option<String>,
    /// Words of a player's name.
    pub(super) player: Option<String>,
    /// The side that player has; without a name it is the one whose games the scope asks for.
    #[param(inline)]
    pub(super) side: Option<LibrarySide>,
    /// How that player did; without a name it is the one whose games the scope asks for.
    #[param(inline)]
    pub(super) score: Option<LibraryScore>,
    /// Words of the other player's name.
    pub(super) opponent: Option<String>,
    /// `1-0`, `0-1`, `1/2-1/2` or `*`.
    pub(super) result: Option<String>,
    /// Both ratings are at least this.
    pub(super) min_rating: Option<u16>,
    /// Both ratings are at most this.
    pub(super) max_rating: Option<u16>,
    /// Played at this moment or later.
    pub(super) since: Option<i64>,
    /// Played before this moment.
    pub(super) until: Option<i64>,
    /// How fast.
    #[param(inline)]
    pub(super) speed: Option<LibrarySpeed>,
    /// A code (`B90`, `B`) or words of the opening's name.
    pub(super) opening: Option<String>,
    /// Where it comes from.
    #[param(inline)]
    pub(super) source: Option<LibrarySource>,
    /// It has at least so many plies.
    pub(super) min_plies: Option<u16>,
    /// It has at most so many plies.
    pub(super) max_plies: Option<u16>,
    /// The time control as PGN writes it, `180+2`.
    pub(super) time_control: Option<String>,
    /// A tag with its value, `Event=World Championship`; several with a line break between them.
    pub(super) tag: Option<String>,
    /// Only games that were in this position: a FEN.
    pub(super) fen: Option<String>,
}

/// The longest text a question may hold.
const LONGEST: usize = 100;
/// The longest list of tags, and the most of them.
const LONGEST_TAGS: usize = 2_000;
const MOST_TAGS: usize = 10;
const MINUTE: i64 = 60_000;

impl LibraryQuery {
    pub(super) fn scope(&self, is_member: bool) -> Result<Scope, LibraryError> {
        match self.scope.as_deref() {
            None if is_member => Ok(Scope::Mine),
            None | Some("club") => Ok(Scope::Club),
            Some("mine") => Ok(Scope::Mine),
            Some("all") => Ok(Scope::Whole),
            Some(text) => match text.strip_prefix("player:") {
                Some(name) if name.len() <= LONGEST => Ok(Scope::Player(name.to_owned())),
                _ => Err(LibraryError::BadQuestion("a scope is mine, club, all or player:NAME")),
            },
        }
    }

    pub(super) fn filter(&self) -> Result<Filter, LibraryError> {
        let words = |text: &Option<String>| match text.as_deref().map(str::trim) {
            None | Some("") => Ok(None),
            Some(text) if text.len() <= LONGEST => Ok(Some(text.to_owned())),
            Some(_) => Err(LibraryError::BadQuestion("a name has at most 100 letters")),
        };
        let tags = self.tags()?;
        let told = tags.iter().find(|(name, _)| name.eq_ignore_ascii_case("Result"));
        let told = self.result.as_deref().or(told.map(|(_, value)| *value));
        let result = told.map(|text| GameResult::parse(text.as_bytes()));
        if result == Some(None) {
            return Err(LibraryError::BadQuestion("a result is 1-0, 0-1, 1/2-1/2 or *"));
        }
        Ok(Filter {
            subject: None,
            player: words(&self.player)?,
            side: self.side.map(|side| match side {
                LibrarySide::White => Side::White,
                LibrarySide::Black => Side::Black,
            }),
            score: self.score.map(|score| match score {
                LibraryScore::Win => Score::Win,
                LibraryScore::Draw => Score::Draw,
                LibraryScore::Loss => Score::Loss,
            }),
            opponent: words(&self.opponent)?,
            result: result.flatten(),
            elo: range(self.min_rating, self.max_rating, 0, u16::MAX),
            // The moment itself is not meant any more: a game of which only the day is known stands at its midnight.
            played: range(
                self.since.map(minutes),
                self.until.map(|at| minutes(at.saturating_sub(1))),
                i32::MIN + 1,
                i32::MAX,
            ),
            speed: self.speed.map(|speed| match speed {
                LibrarySpeed::Bullet => Speed::Bullet,
                LibrarySpeed::Blitz => Speed::Blitz,
                LibrarySpeed::Rapid => Speed::Rapid,
                LibrarySpeed::Classical => Speed::Classical,
                LibrarySpeed::Correspondence => Speed::Correspondence,
            }),
            opening: words(&self.opening)?,
            source: self.source.map(|source| match source {
                LibrarySource::File => Source::File,
                LibrarySource::Here => Source::Here,
                LibrarySource::Lichess => Source::Lichess,
                LibrarySource::Chesscom => Source::ChessCom,
            }),
            plies: range(self.min_plies, self.max_plies, 0, u16::MAX),
            tags: tags
                .into_iter()
                // The result is no tag of its own: every game has one.
                .filter(|(name, _)| !name.eq_ignore_ascii_case("Result"))
                .map(|(name, value)| TagNumber::of(name, value))
                .collect(),
        })
    }

    /// The tags that are asked for, with their values.
    fn tags(&self) -> Result<Vec<(&str, &str)>, LibraryError> {
        let text = self.tag.as_deref().unwrap_or_default();
        let mut tags = Vec::new();
        for line in text.lines().map(str::trim).filter(|line| !line.is_empty()) {
            let tag = line.split_once('=').map(|(name, value)| (name.trim(), value.trim()));
            let tag = tag.filter(|(name, value)| !name.is_empty() && !value.is_empty());
            tags.push(tag.ok_or(LibraryError::BadQuestion("a tag is asked for as Name=value"))?);
        }
        if text.len() > LONGEST_TAGS || tags.len() > MOST_TAGS {
            return Err(LibraryError::BadQuestion("at most ten tags can be asked for at once"));
        }
        let time = self.time_control.as_deref().map(str::trim).filter(|time| !time.is_empty());
        tags.extend(time.map(|time| ("TimeControl", time)));
        Ok(tags)
    }
}

fn minutes(at: i64) -> i32 {
    i32::try_from(at.div_euclid(MINUTE)).unwrap_or(if at < 0 { i32::MIN + 1 } else { i32::MAX })
}

fn range<T: Copy>(
    from: Option<T>,
    to: Option<T>,
    least: T,
    most: T,
) -> Option<std::ops::RangeInclusive<T>> {
    (from.is_some() || to.is_some()).then(|| from.unwrap_or(least)..=to.unwrap_or(most))
}
