//! What the outside sees of players.

use ratings::{Pool, Speed};
use rules::{ByColor, Color, Outcome, Variant};
use serde::{Deserialize, Serialize};
use store::{Account, FinishedGame, PlayerResult, Score};
use utoipa::{IntoParams, ToSchema};

use super::boards::Ranked;
use crate::games::wire::{PlayerView, Sides, TimeControlView};

/// Players found by a search.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct PlayerList {
    /// In the order of the alphabet.
    pub players: Vec<PlayerView>,
}

/// What the page of a player begins with.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct ProfileView {
    /// Who.
    pub player: PlayerView,
    /// Since when the account is there.
    pub created_at: i64,
    /// Whether they are here now.
    pub online: bool,
    /// The game they play at the moment.
    pub playing: Option<String>,
    /// Whether the one who asks has muted them.
    pub muted: bool,
    /// How strong they are, the most played pool first.
    pub pools: Vec<PoolView>,
    /// How all their games ended, casual ones too.
    pub totals: ScoreView,
}

/// Somebody's place in a pool.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct PoolView {
    /// The pool, `standard/blitz`.
    pub pool: String,
    /// Its first half.
    pub variant: String,
    /// Its second half.
    pub speed: String,
    /// The rating.
    pub rating: i64,
    /// How far the true strength may be away; 0 where the system knows none.
    pub deviation: i64,
    /// Whether the rating is still uncertain.
    pub provisional: bool,
    /// What the club calls players of this rating.
    #[serde(default)]
    pub class: Option<String>,
    /// Rated games.
    pub games: i64,
    /// Won ones.
    pub wins: i64,
    /// Drawn ones.
    pub draws: i64,
    /// Lost ones.
    pub losses: i64,
    /// The highest rating ever.
    pub peak: i64,
    /// The place among all; none if the rating is too uncertain for one.
    pub rank: Option<u32>,
}

/// Games won, drawn and lost.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ScoreView {
    /// Won.
    pub wins: i64,
    /// Drawn.
    pub draws: i64,
    /// Lost.
    pub losses: i64,
}

impl From<Score> for ScoreView {
    fn from(Score { wins, draws, losses }: Score) -> Self {
        ScoreView { wins, draws, losses }
    }
}

/// A finished game in a list.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct GameSummary {
    /// Its name.
    pub id: String,
    /// Which game it was.
    pub variant: Variant,
    /// How fast it was; none without a clock.
    pub speed: Option<String>,
    /// The time control.
    pub time: TimeControlView,
    /// Whether it counted.
    pub rated: bool,
    /// Whether only its players and arbiters see it.
    pub private: bool,
    /// Who played.
    pub players: Sides<PlayerView>,
    /// How strong both were thought to be when it began.
    pub ratings: Sides<Option<i64>>,
    /// What the game changed about it.
    pub changes: Sides<Option<i64>>,
    /// How it ended.
    pub outcome: Outcome,
    /// The number of plies.
    pub plies: u32,
    /// The last position.
    pub fen: String,
    /// ChessDefender: the position in which the chess began, if it did.
    pub set_up: Option<String>,
    /// Origin and target of the last move.
    pub last: Option<(String, String)>,
    /// The opening: ECO code, a space, the name.
    pub opening: Option<String>,
    /// When it began.
    pub created_at: i64,
    /// When it ended.
    pub ended_at: i64,
}

impl From<FinishedGame> for GameSummary {
    fn from(game: FinishedGame) -> Self {
        let pool: Option<Pool> = game.pool.as_deref().and_then(|pool| pool.parse().ok());
        let change =
            |change: Option<(f64, f64)>| change.map(|(before, after)| shown(after) - shown(before));
        GameSummary {
            id: game.id.to_string(),
            variant: game.setup.variant,
            speed: pool.map(|pool| pool.speed().name().to_owned()),
            time: TimeControlView::from(&game.setup.time),
            rated: game.rated,
            private: game.private,
            players: sides(&game.players, player_view),
            ratings: sides(&game.ratings, |rating| *rating),
            changes: sides(&game.changes, |pair| change(*pair)),
            outcome: game.outcome,
            plies: game.ply.0,
            last: game.last.and_then(|action| match action.squares() {
                (Some(from), Some(to)) => Some((from.to_string(), to.to_string())),
                _ => None,
            }),
            fen: game.position,
            set_up: None,
            opening: game.opening,
            created_at: game.created_at.0,
            ended_at: game.ended_at.0,
        }
    }
}

/// A page of a player's games, newest first.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct HistoryPage {
    /// At most ten.
    pub games: Vec<GameSummary>,
    /// What to ask for as `before` to see the next page; none on the last.
    pub next: Option<String>,
}

/// How a rating went over time.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct RatingChart {
    /// At most 500, in order; where there were more games, some are left out.
    pub points: Vec<RatingPoint>,
}

/// A rating after a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct RatingPoint {
    /// When the game ended.
    pub at: i64,
    /// The rating after it.
    pub rating: i64,
}

/// Two players against each other, seen from the first.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct VersusView {
    /// Won by the first.
    pub wins: i64,
    /// Drawn.
    pub draws: i64,
    /// Lost by the first.
    pub losses: i64,
    /// The last ten games, newest first.
    pub games: Vec<GameSummary>,
}

/// The best of every pool.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct LeaderboardList {
    /// Only pools in which somebody is ranked; ten players each.
    pub pools: Vec<Leaderboard>,
}

/// The best of a pool.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct Leaderboard {
    /// The pool, `standard/blitz`.
    pub pool: String,
    /// Its first half.
    pub variant: String,
    /// Its second half.
    pub speed: String,
    /// The strongest first.
    pub players: Vec<LeaderView>,
    /// What to ask for as `after` to see the next page; none on the last.
    pub next: Option<String>,
}

/// One line of a leaderboard.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct LeaderView {
    /// The place, from 1.
    pub rank: u32,
    /// Who.
    pub player: PlayerView,
    /// The rating.
    pub rating: i64,
    /// Rated games.
    pub games: i64,
}

impl From<&Ranked> for LeaderView {
    fn from(ranked: &Ranked) -> Self {
        LeaderView {
            rank: ranked.rank,
            player: player_view(&ranked.account),
            rating: shown(ranked.rating),
            games: ranked.games,
        }
    }
}

/// How a game ended for the player whose history it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum ResultChoice {
    /// Won.
    Won,
    /// Drawn.
    Drawn,
    /// Lost.
    Lost,
}

impl From<ResultChoice> for PlayerResult {
    fn from(choice: ResultChoice) -> Self {
        match choice {
            ResultChoice::Won => PlayerResult::Won,
            ResultChoice::Drawn => PlayerResult::Drawn,
            ResultChoice::Lost => PlayerResult::Lost,
        }
    }
}

/// Which games of a player to list.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct HistoryQuery {
    /// `next` of the page before.
    pub(crate) before: Option<String>,
    /// Games of one variant.
    #[param(inline)]
    pub(crate) variant: Option<Variant>,
    /// Games of one speed.
    #[param(value_type = Option<String>)]
    pub(crate) speed: Option<Speed>,
    /// How they ended for the player.
    #[param(inline)]
    pub(crate) result: Option<ResultChoice>,
    /// The side the player had.
    #[param(inline)]
    pub(crate) color: Option<Color>,
    /// The name of the opponent.
    pub(crate) opponent: Option<String>,
    /// Rated or casual games only.
    pub(crate) rated: Option<bool>,
}

/// A number as people see it.
#[allow(clippy::cast_possible_truncation, reason = "`as` saturates; no real rating is near")]
pub(super) fn shown(rating: f64) -> i64 {
    rating.round() as i64
}

/// Somebody by name. Former members are nobody in particular any more, like guests.
pub(super) fn player_view(account: &Account) -> PlayerView {
    PlayerView { guest: !account.is_member(), ..PlayerView::from(account) }
}

fn sides<T, U>(of: &ByColor<T>, view: impl Fn(&T) -> U) -> Sides<U> {
    Sides { white: view(&of[Color::White]), black: view(&of[Color::Black]) }
}
