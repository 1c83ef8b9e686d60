//! The regulations of an event: what its director decides before it begins, and what is wrong with them.

use pairing::knockout::{self, Seeding};
use pairing::model::{Colour, Points, Scoring};
use pairing::standings::{TieBreak, parse_list};
use rules::{TimeControl, Variant};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::accounts::fields::FieldProblem;
use crate::games::house;
use crate::games::wire::{RuleChoice, TimeControlView};
use crate::lobby::LobbyError;
use crate::lobby::terms;
use crate::lobby::wire::GmoTerms;

/// The most rounds a Swiss can have.
pub(crate) const MOST_ROUNDS: u16 = 50;
/// The most players an event takes.
pub(crate) const MOST_PLAYERS: u16 = 2_000;
/// The longest time to begin a game, in seconds: two weeks.
const LONGEST_WINDOW: u32 = 14 * 86_400;
/// The longest text about an event.
const LONGEST_TEXT: usize = 10_000;
/// More blocks fit into no DNA.
const MOST_BLOCKS: u8 = 20;
/// The longest name of an arbiter, and how many others there are beside the first.
const LONGEST_NAME: usize = 80;
const MOST_DEPUTIES: usize = 20;

/// How opponents are found.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum System {
    /// The Swiss system of FIDE (Dutch).
    #[default]
    Swiss,
    /// Everybody meets everybody once.
    RoundRobin,
    /// Everybody meets everybody twice.
    DoubleRoundRobin,
    /// Who loses a match is out.
    Knockout,
    /// Play as many games as the time allows.
    Arena,
}

impl System {
    /// Whether everybody meets everybody.
    pub fn is_round_robin(self) -> bool {
        matches!(self, System::RoundRobin | System::DoubleRoundRobin)
    }
}

/// Who may enter.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(default)]
pub struct EntryRules {
    /// The lowest rating in the event's pool.
    pub lowest_rating: Option<u16>,
    /// The highest.
    pub highest_rating: Option<u16>,
    /// Rated games in the pool that somebody must have played.
    pub least_games: u32,
    /// Only members of this group of the club.
    pub group: Option<String>,
    /// Nobody enters by themselves: the director does it.
    pub invite_only: bool,
    /// How many may play.
    pub most_players: Option<u16>,
    /// Whether programs may play.
    pub bots: bool,
    /// The last round before which somebody may still enter; 0: nobody after the start.
    pub late_until: u16,
    /// How many half-point byes somebody may take by themselves; 0: the director gives them.
    pub own_byes: u16,
    /// When somebody may withdraw by themselves, once it runs.
    pub withdrawal: Withdrawal,
}

/// When players may withdraw by themselves from an event that runs. The director may withdraw anybody at any time, and
/// before the start everybody can leave.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Withdrawal {
    /// At any time; a game that is open is played or lost.
    #[default]
    AnyTime,
    /// As long as no game of theirs is open.
    BetweenGames,
    /// Never: they ask the director.
    ByDirector,
}

/// What results are worth, in tenths of a point.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(default)]
pub struct PointsTable {
    /// A win.
    pub win: i32,
    /// A draw.
    pub draw: i32,
    /// A loss.
    pub loss: i32,
    /// The bye of the odd player.
    pub bye: i32,
}

impl Default for PointsTable {
    fn default() -> Self {
        PointsTable { win: 10, draw: 5, loss: 0, bye: 10 }
    }
}

impl PointsTable {
    /// As the pairing knows it.
    pub fn scoring(self) -> Scoring {
        let tenths = Points::from_tenths;
        let plain = Scoring::new(tenths(self.win), tenths(self.draw), tenths(self.loss));
        Scoring { pairing_bye: tenths(self.bye), ..plain }
    }
}

/// Which colour the first player begins with.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum FirstColor {
    /// Drawn by lot when the event begins.
    #[default]
    Lot,
    /// White.
    White,
    /// Black.
    Black,
}

impl FirstColor {
    /// The colour; none before the lot is drawn.
    pub fn colour(self) -> Option<Colour> {
        match self {
            FirstColor::Lot => None,
            FirstColor::White => Some(Colour::White),
            FirstColor::Black => Some(Colour::Black),
        }
    }
}

/// How a knockout goes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(default)]
pub struct KnockoutRules {
    /// Who stands where in the bracket.
    pub seeding: SeedingView,
    /// The games of a match. A tie is decided by further games, one at a time, or by the director.
    pub games: u8,
    /// How many further games a tied match has at most: 0 for none, nothing for as many as it takes. Then the director
    /// draws lots, or decides.
    pub tie_break_games: Option<u8>,
    /// The clock of those games, if it is another one.
    pub tie_break_time: Option<TimeControlView>,
    /// Whether the losers of the semifinals play for the third place.
    pub third_place: bool,
}

impl Default for KnockoutRules {
    fn default() -> Self {
        KnockoutRules {
            seeding: SeedingView::Standard,
            games: 1,
            tie_break_games: None,
            tie_break_time: None,
            third_place: false,
        }
    }
}

/// Who stands where in a bracket.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum SeedingView {
    /// The strongest can meet only in the end.
    #[default]
    Standard,
    /// The upper half meets the lower half in order.
    Halves,
}

/// How an arena goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(default)]
pub struct ArenaRules {
    /// How long it takes.
    pub minutes: u16,
    /// Whether points double after two wins in a row.
    pub streaks: bool,
    /// Whether a player may halve the own clock for a further point.
    pub berserk: bool,
}

impl Default for ArenaRules {
    fn default() -> Self {
        ArenaRules { minutes: 60, streaks: true, berserk: true }
    }
}

/// How an online event moves on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(default)]
pub struct Pace {
    /// Whether it begins at its time, and the next round begins by itself.
    pub automatic: bool,
    /// How long players rest between rounds.
    pub pause_seconds: u32,
    /// Who has not made the first move after this long loses by forfeit. No clock runs before: with hours or days a
    /// round is a window in which every pair begins when it likes.
    pub no_show_seconds: u32,
    /// What happens to somebody whose connection is gone.
    pub disconnect: Disconnect,
    /// How long they are waited for, if the opponent may then claim the game.
    pub disconnect_seconds: u32,
    /// How long a round over the board takes by the timer of the hall; 0: it shows how long the round runs.
    pub round_minutes: u16,
}

/// What happens in a game of an event to somebody whose connection is gone.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Disconnect {
    /// As in other games of the house: the longer the game, the longer they are waited for.
    #[default]
    Usual,
    /// Nothing: their clock runs.
    Clock,
    /// After a set time the opponent may claim the game.
    Claim,
}

impl Default for Pace {
    fn default() -> Self {
        Pace {
            automatic: true,
            pause_seconds: 60,
            no_show_seconds: 60,
            disconnect: Disconnect::Usual,
            disconnect_seconds: 60,
            round_minutes: 0,
        }
    }
}

/// What a report to a federation says besides the games.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(default)]
pub struct ReportFacts {
    /// The federation it is reported to, by its code.
    pub federation: String,
    /// The chief arbiter; if nobody is named, whoever made the event.
    pub chief_arbiter: String,
    /// The other arbiters.
    pub deputies: Vec<String>,
}

impl ReportFacts {
    fn fits(&self) -> bool {
        let is_name = |text: &String| {
            text.chars().count() <= LONGEST_NAME && !text.chars().any(char::is_control)
        };
        self.federation.len() <= 3
            && self.federation.chars().all(|letter| letter.is_ascii_alphabetic())
            && is_name(&self.chief_arbiter)
            && self.deputies.len() <= MOST_DEPUTIES
            && self.deputies.iter().all(is_name)
    }
}

/// Who says how a game over the board ended.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum ResultsBy {
    /// The director and the arbiters.
    #[default]
    Staff,
    /// The players too: when both say the same, it counts.
    Players,
}

/// The regulations of an event.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(default)]
#[allow(clippy::struct_excessive_bools)] // Each is a regulation of its own, as organisers write them.
pub struct Regulations {
    /// What there is to say about it.
    pub description: String,
    /// Where it is played; empty online.
    pub place: String,
    /// Whether the games are played on this server.
    pub online: bool,
    /// How opponents are found.
    pub system: System,
    /// Whether all games of a round robin begin together: for games of days.
    pub at_once: bool,
    /// The rounds of a Swiss. Other systems know theirs.
    pub rounds: u16,
    /// The time control.
    pub time: TimeControlView,
    /// Which game.
    pub variant: Variant,
    /// The position games begin with, if it is not the usual one.
    pub start: Option<String>,
    /// By which rules online games are played.
    pub rules: RuleChoice,
    /// GMO: the house rules of its games; rated games have the club's, but for what is revealed.
    pub gmo: GmoTerms,
    /// Whether online games count for ratings.
    pub rated: bool,
    /// Who may enter.
    pub entry: EntryRules,
    /// What results are worth.
    pub points: PointsTable,
    /// Tie-breaks in order, by their codes of FIDE: `BH/C1`.
    pub tie_breaks: Vec<String>,
    /// Whether a Swiss is accelerated (Baku).
    pub accelerated: bool,
    /// Which colour the first player begins with.
    pub first_color: FirstColor,
    /// Groups of players, by number, of whom none may meet another in a Swiss.
    pub forbidden: Vec<Vec<u32>>,
    /// How a knockout goes.
    pub knockout: KnockoutRules,
    /// How an arena goes.
    pub arena: ArenaRules,
    /// How an online event moves on.
    pub pace: Pace,
    /// Who says how a game over the board ended.
    pub results_by: ResultsBy,
    /// What a report to a federation says.
    pub report: ReportFacts,
    /// Whether players are to find out for themselves how genomes work: while it runs nothing about them is explained,
    /// and the genomes of its games are never revealed.
    pub hidden_rules: bool,
}

impl Default for Regulations {
    fn default() -> Self {
        Regulations {
            description: String::new(),
            place: String::new(),
            online: false,
            system: System::Swiss,
            at_once: false,
            rounds: 5,
            time: TimeControlView::Fischer { initial_ms: 900_000, increment_ms: 10_000 },
            variant: Variant::Standard,
            start: None,
            rules: RuleChoice::Online,
            gmo: GmoTerms::default(),
            rated: false,
            entry: EntryRules { late_until: 3, ..EntryRules::default() },
            points: PointsTable::default(),
            tie_breaks: ["BH/C1", "BH", "SB", "WIN"].map(str::to_owned).to_vec(),
            accelerated: false,
            first_color: FirstColor::Lot,
            forbidden: Vec::new(),
            knockout: KnockoutRules::default(),
            arena: ArenaRules::default(),
            pace: Pace::default(),
            results_by: ResultsBy::Staff,
            report: ReportFacts::default(),
            hidden_rules: false,
        }
    }
}

impl Regulations {
    /// The tie-breaks as the standings know them; none if a code makes no sense.
    pub fn parsed_tie_breaks(&self) -> Vec<TieBreak> {
        parse_list(&self.tie_breaks.join(",")).unwrap_or_default()
    }

    /// The regulations of the bracket.
    pub fn bracket(&self) -> knockout::Regulations {
        knockout::Regulations {
            seeding: match self.knockout.seeding {
                SeedingView::Standard => Seeding::Standard,
                SeedingView::Halves => Seeding::Halves,
            },
            games: self.knockout.games,
            third_place: self.knockout.third_place,
            initial_colour: self.first_color.colour().unwrap_or(Colour::White),
        }
    }

    /// What is wrong with them, field by field.
    pub fn problems(&self) -> Vec<FieldProblem> {
        let mut problems = Vec::new();
        let mut need = |holds: bool, field: &str, code: &str, detail: &str| {
            if !holds {
                problems.push(FieldProblem::new(field, code, detail));
            }
        };
        let texts = [self.description.len(), self.place.len()];
        need(
            texts.iter().all(|length| *length <= LONGEST_TEXT),
            "description",
            "too_long",
            "write less",
        );
        let rounds = (1..=MOST_ROUNDS).contains(&self.rounds);
        need(rounds, "rounds", "out_of_range", "a Swiss has 1 to 50 rounds");
        need(self.time.to_rules().is_ok(), "time", "bad_time", "nobody can play with this clock");
        let points = [self.points.win, self.points.draw, self.points.loss, self.points.bye];
        let in_range = points.iter().all(|tenths| (0..=100).contains(tenths));
        need(in_range, "points", "out_of_range", "a result is worth 0 to 10 points");
        let ordered = self.points.win > self.points.loss
            && (self.points.loss..=self.points.win).contains(&self.points.draw);
        need(
            ordered,
            "points",
            "not_in_order",
            "a win is worth more than a loss, and a draw neither more than the one nor less than the other",
        );
        let known = self.tie_breaks.len() <= 10 && parse_list(&self.tie_breaks.join(",")).is_ok();
        need(
            known,
            "tie_breaks",
            "unknown",
            "one of the tie-breaks does not exist, or there are more than ten",
        );
        let games = (1..=12).contains(&self.knockout.games);
        need(games, "knockout.games", "out_of_range", "a match has 1 to 12 games");
        let further = self.knockout.tie_break_games.is_none_or(|games| games <= 12);
        need(
            further,
            "knockout.tie_break_games",
            "out_of_range",
            "a tie is played off in at most 12 games",
        );
        let live = |time: &TimeControlView| time.to_rules().is_ok_and(|time| time.is_live());
        need(
            self.knockout.tie_break_time.as_ref().is_none_or(live),
            "knockout.tie_break_time",
            "bad_time",
            "nobody can play off a tie with this clock",
        );
        let minutes = (5..=1_440).contains(&self.arena.minutes);
        need(minutes, "arena.minutes", "out_of_range", "an arena takes 5 minutes to a day");
        let arena = self.system != System::Arena || self.online;
        need(arena, "online", "arena_is_online", "an arena is played online");
        let most = self.entry.most_players.is_none_or(|most| (2..=MOST_PLAYERS).contains(&most));
        need(most, "entry.most_players", "out_of_range", "an event has 2 to 2000 players");
        let ratings = match (self.entry.lowest_rating, self.entry.highest_rating) {
            (Some(lowest), Some(highest)) => lowest <= highest,
            _ => true,
        };
        need(
            ratings,
            "entry.lowest_rating",
            "not_in_order",
            "the lowest rating is above the highest",
        );
        let pace = self.pace.pause_seconds <= 86_400
            && (10..=LONGEST_WINDOW).contains(&self.pace.no_show_seconds);
        need(
            pace,
            "pace",
            "out_of_range",
            "pauses end within a day, and players have 10 seconds to 14 days to begin",
        );
        let timer = self.pace.round_minutes <= 1_440;
        need(timer, "pace.round_minutes", "out_of_range", "a round takes at most a day");
        let patience = (5..=3_600).contains(&self.pace.disconnect_seconds);
        need(
            patience,
            "pace.disconnect_seconds",
            "out_of_range",
            "an absent player is waited for 5 seconds to an hour",
        );
        let together = !self.at_once || (self.online && self.system.is_round_robin());
        need(
            together,
            "at_once",
            "not_at_once",
            "only an online round robin can begin all its games at once",
        );
        let slow = !matches!(self.time, TimeControlView::Days(_))
            || self.at_once
            || !self.online
            || self.system != System::Arena;
        need(slow, "time", "bad_time", "an arena is played by the clock, not by the calendar");
        let blocks = self.gmo.max_blocks <= MOST_BLOCKS;
        need(blocks, "gmo.max_blocks", "out_of_range", "a genome has at most 20 blocks");
        let groups =
            self.forbidden.len() <= 500 && self.forbidden.iter().all(|group| group.len() <= 100);
        need(groups, "forbidden", "too_many", "at most 500 groups of at most 100 players");
        need(
            self.report.fits(),
            "report",
            "bad_value",
            "a federation has three letters, an arbiter's name at most 80 characters, and there are at most 20 of them",
        );
        problems.extend(self.game_problems());
        problems
    }

    /// What would keep its games from beginning, or from counting. Over the board nobody looks.
    fn game_problems(&self) -> Option<FieldProblem> {
        let time = self.time.to_rules().unwrap_or(TimeControl::Unlimited);
        let setup = match terms::setup(self.variant, time, self.start.as_deref(), false) {
            Ok(setup) => setup,
            Err(LobbyError::Start(why)) => {
                return Some(FieldProblem::new("start", "bad_start", why));
            }
            Err(other) => return Some(FieldProblem::new("start", "bad_start", other.to_string())),
        };
        let counts = !self.online || !self.rated || house::is_fair(&setup);
        (!counts).then(|| {
            FieldProblem::new(
                "rated",
                "not_rateable",
                "only games with the usual start and the same clock for both sides can be rated",
            )
        })
    }
}

/// How many rounds an event should have, and why.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Suggestion {
    /// The rounds.
    pub rounds: u16,
    /// Why, in a sentence.
    pub why: String,
}

/// Suggests a number of rounds for so many players.
pub fn suggest_rounds(system: System, players: u16) -> Suggestion {
    let doublings =
        u16::try_from(u32::from(players.max(2)).next_power_of_two().ilog2()).unwrap_or(1);
    let full_cycle = players.max(2) - 1 + players.max(2) % 2;
    match system {
        System::RoundRobin => Suggestion {
            rounds: full_cycle,
            why: format!("{players} players meet each other once in {full_cycle} rounds"),
        },
        System::DoubleRoundRobin => Suggestion {
            rounds: 2 * full_cycle,
            why: format!("{players} players meet each other twice in {} rounds", 2 * full_cycle),
        },
        System::Knockout => Suggestion {
            rounds: doublings,
            why: format!("{players} players are down to one after {doublings} rounds"),
        },
        System::Arena => {
            Suggestion { rounds: 1, why: "an arena has no rounds, only time".to_owned() }
        }
        System::Swiss if players <= 6 => Suggestion {
            rounds: full_cycle.min(5),
            why: format!(
                "with {players} players a round robin of {full_cycle} rounds is fairer than a Swiss"
            ),
        },
        System::Swiss => Suggestion {
            rounds: (doublings + 2).min(full_cycle),
            why: format!(
                "{doublings} rounds leave at most one of {players} players without a loss; two more put the places behind in order"
            ),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(system: System, players: u16, rounds: u16) {
        assert_eq!(suggest_rounds(system, players).rounds, rounds, "{system:?} of {players}");
    }

    #[test]
    fn the_number_of_players_suggests_the_rounds() {
        check(System::Swiss, 20, 7);
        check(System::Swiss, 300, 11);
        check(System::Swiss, 4, 3);
        check(System::RoundRobin, 8, 7);
        check(System::RoundRobin, 7, 7);
        check(System::DoubleRoundRobin, 4, 6);
        check(System::Knockout, 7, 3);
        check(System::Knockout, 8, 3);
        check(System::Swiss, 0, 1);
    }

    #[test]
    fn the_usual_regulations_have_no_problem() {
        assert_eq!(Regulations::default().problems(), []);
    }

    #[test]
    fn each_problem_names_its_field() {
        let wrong = Regulations {
            rounds: 0,
            tie_breaks: vec!["NONSENSE".to_owned()],
            points: PointsTable { win: 0, ..PointsTable::default() },
            ..Regulations::default()
        };
        let fields: Vec<String> =
            wrong.problems().into_iter().map(|problem| problem.field).collect();
        assert_eq!(fields, ["rounds", "points", "tie_breaks"]);
    }
}
