//! What the outside sees of connected accounts. The site's keys are never in it.

use rules::UnixMillis;
use serde::{Deserialize, Serialize};
use store::{Connection, ConnectionState};
use utoipa::{IntoParams, ToSchema};

use super::problem::ConnectionProblem;
use super::site::Service;

/// An account at a site that somebody says is theirs.
#[derive(Debug, Deserialize, ToSchema)]
pub(crate) struct NewConnectionBody {
    /// The site.
    pub(crate) service: Service,
    /// The name there.
    pub(crate) name: String,
}

/// The proof that an account is one's own.
#[derive(Deserialize, ToSchema)]
pub(crate) struct ConnectionProof {
    /// A personal token of lichess.org, which needs no permission at all. Without one the code is looked for in the
    /// profile.
    pub(crate) token: Option<String>,
}

/// How to end a connection.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct DisconnectQuery {
    /// Whether the games go too. Without a word they stay.
    #[serde(default)]
    pub(crate) remove_games: bool,
}

/// How a connection is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum ConnectionStateView {
    /// It has to be proven whose the account is.
    Unproven,
    /// The proof is being looked at.
    Checking,
    /// Games come in.
    Syncing,
    /// Everything is here; the site is asked again later.
    Waiting,
    /// No more games come; those that are there stay.
    Stopped,
}

/// What stands in the way.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct ConnectionProblemView {
    /// A word for programs: `no_code`, `unknown_name`, `bad_token`, `other_token`, `taken`, `busy`, `away`, `failing`,
    /// `elsewhere` or `garbled`.
    code: String,
    /// A sentence for people.
    detail: String,
}

/// Games of a variant that is not played here.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct SkippedVariant {
    /// The variant, as the site calls it.
    variant: String,
    /// How many there are.
    games: i64,
}

/// A connected account.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct ConnectionView {
    /// Its number.
    id: i64,
    /// The site.
    service: Service,
    /// The name there.
    name: String,
    /// How it is.
    state: ConnectionStateView,
    /// What to put into the profile there, as long as it is not proven whose the account is.
    code: Option<String>,
    /// Whether a token of the site's is used.
    has_token: bool,
    /// How much of the games is here: games at lichess.org, months at chess.com.
    done: i64,
    /// How much there is; 0 if it is not known.
    total: i64,
    /// Games that came in.
    games: i64,
    /// Games that could not be taken: of variants that are not played here, or broken.
    skipped: i64,
    /// Of which variants those games were; what could not be read is not among them.
    skipped_variants: Vec<SkippedVariant>,
    /// What stands in the way.
    problem: Option<ConnectionProblemView>,
    /// When everything was last here.
    synced_at: Option<i64>,
    /// When the site is asked next.
    next_at: Option<i64>,
}

impl ConnectionView {
    pub(super) fn new(connection: Connection, now: UnixMillis) -> Option<ConnectionView> {
        let is_due = connection.next_at.is_some_and(|at| at <= now);
        let is_unproven = connection.state == ConnectionState::Unproven;
        Some(ConnectionView {
            id: connection.id,
            service: Service::parse(&connection.service)?,
            name: connection.name,
            state: match connection.state {
                ConnectionState::Unproven if is_due => ConnectionStateView::Checking,
                ConnectionState::Unproven => ConnectionStateView::Unproven,
                ConnectionState::Active if is_due => ConnectionStateView::Syncing,
                ConnectionState::Active => ConnectionStateView::Waiting,
                ConnectionState::Stopped => ConnectionStateView::Stopped,
            },
            code: is_unproven.then_some(connection.code),
            has_token: connection.token.is_some(),
            done: connection.done,
            total: connection.total,
            games: connection.games,
            skipped: connection.skipped,
            skipped_variants: connection
                .skipped_as
                .variants()
                .map(|(variant, games)| SkippedVariant { variant: variant.to_owned(), games })
                .collect(),
            problem: ConnectionProblem::parse(&connection.problem).map(|problem| {
                ConnectionProblemView {
                    code: problem.code().to_owned(),
                    detail: problem.sentence().to_owned(),
                }
            }),
            synced_at: connection.synced_at.map(|at| at.0),
            next_at: connection.next_at.map(|at| at.0),
        })
    }
}

/// Somebody's connected accounts.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct ConnectionList {
    /// The sites that accounts can be connected at; none if the club's owner has switched that off.
    pub(crate) services: Vec<Service>,
    /// In the order in which they were made.
    pub(crate) connections: Vec<ConnectionView>,
}
