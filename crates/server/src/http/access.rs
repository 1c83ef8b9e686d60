//! Who may do what: every route and every message of the socket in one table; what is not in it is refused.

use axum::extract::{MatchedPath, Request};
use axum::http::{Method, StatusCode};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use super::ApiError;
use crate::accounts::Visitor;

/// Who may use a route. An administrator may do what a director may, a director what an arbiter may.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Who {
    /// Everybody, with an account or without.
    Anybody,
    /// Somebody with an account, be it a guest's. Whether they sit at the board is the game's to say.
    Account,
    /// Somebody who signed up and logged in.
    Player,
    /// An arbiter, or somebody whom one event has named its own: whether this event has is the event's to say.
    EventArbiter,
    /// An arbiter.
    Arbiter,
    /// A tournament director.
    Director,
    /// An administrator.
    Administrator,
}
use Who::{Account, Administrator, Anybody, Arbiter, Director, EventArbiter, Player};

/// What a program's key must allow for a route, besides what its owner may do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scope {
    /// Looking. Every key may.
    Read,
    /// Playing.
    Play,
    /// Running tournaments.
    Tournament,
    /// Running the club.
    Admin,
    /// No key may: this is for the person in the browser alone.
    Cookie,
}
use Scope::{Admin, Cookie, Play, Read, Tournament};

/// What a program's key allows.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[allow(
    clippy::struct_excessive_bools,
    reason = "four independent permissions, each of them yes or no"
)]
pub struct Scopes {
    /// Looking.
    pub read: bool,
    /// Playing.
    pub play: bool,
    /// Running tournaments.
    pub tournament: bool,
    /// Running the club.
    pub admin: bool,
}

impl Scopes {
    /// Whether this scope is among them. Who may do something may also look.
    pub fn allow(self, scope: Scope) -> bool {
        match scope {
            Scope::Read => self.read || self.play || self.tournament || self.admin,
            Scope::Play => self.play,
            Scope::Tournament => self.tournament,
            Scope::Admin => self.admin,
            Scope::Cookie => false,
        }
    }
}

/// The table of routes.
pub const TABLE: &[(Method, &str, Who, Scope)] = &[
    (Method::GET, "/healthz", Anybody, Read),
    (Method::GET, "/readyz", Anybody, Read),
    (Method::GET, "/metrics", Anybody, Read),
    (Method::GET, "/ws", Anybody, Play),
    (Method::GET, "/api/v1/openapi.json", Anybody, Read),
    (Method::GET, "/api/v1/me", Anybody, Read),
    (Method::GET, "/api/v1/bots", Anybody, Read),
    (Method::GET, "/api/v1/defender/positions", Anybody, Read),
    (Method::POST, "/api/v1/defender/positions", Administrator, Admin),
    (Method::PUT, "/api/v1/defender/positions/{id}", Administrator, Admin),
    (Method::GET, "/api/v1/defender/positions/{id}/results", Anybody, Read),
    (Method::POST, "/api/v1/defender/attempts", Anybody, Play),
    (Method::GET, "/api/v1/defender/attempts/{id}", Anybody, Read),
    (Method::POST, "/api/v1/setup", Anybody, Cookie),
    (Method::GET, "/api/v1/captcha", Anybody, Cookie),
    (Method::POST, "/api/v1/sign-up/check", Anybody, Cookie),
    (Method::POST, "/api/v1/sign-up", Anybody, Cookie),
    (Method::POST, "/api/v1/activation", Anybody, Cookie),
    (Method::POST, "/api/v1/activation/resend", Anybody, Cookie),
    (Method::POST, "/api/v1/log-in", Anybody, Cookie),
    (Method::POST, "/api/v1/log-in/second-step", Anybody, Cookie),
    (Method::POST, "/api/v1/log-in/card", Anybody, Cookie),
    (Method::POST, "/api/v1/log-out", Anybody, Cookie),
    (Method::POST, "/api/v1/password-reset", Anybody, Cookie),
    (Method::POST, "/api/v1/password-reset/finish", Anybody, Cookie),
    (Method::GET, "/api/v1/account", Player, Read),
    (Method::DELETE, "/api/v1/account", Player, Cookie),
    (Method::PUT, "/api/v1/account/preferences", Player, Cookie),
    (Method::GET, "/api/v1/account/reminders", Player, Cookie),
    (Method::PUT, "/api/v1/account/reminders", Player, Cookie),
    (Method::POST, "/api/v1/account/browsers", Player, Cookie),
    (Method::POST, "/api/v1/account/browsers/test", Player, Cookie),
    (Method::DELETE, "/api/v1/account/browsers/{id}", Player, Cookie),
    (Method::GET, "/api/v1/unsubscribe/{token}", Anybody, Cookie),
    (Method::POST, "/api/v1/unsubscribe/{token}", Anybody, Cookie),
    (Method::POST, "/api/v1/account/email", Player, Cookie),
    (Method::POST, "/api/v1/account/email/confirm", Anybody, Cookie),
    (Method::POST, "/api/v1/account/password", Player, Cookie),
    (Method::PUT, "/api/v1/account/pin", Player, Cookie),
    (Method::DELETE, "/api/v1/account/pin", Player, Cookie),
    (Method::POST, "/api/v1/account/totp", Player, Cookie),
    (Method::DELETE, "/api/v1/account/totp", Player, Cookie),
    (Method::POST, "/api/v1/account/totp/confirm", Player, Cookie),
    (Method::POST, "/api/v1/account/recovery-codes", Player, Cookie),
    (Method::GET, "/api/v1/account/sessions", Player, Cookie),
    (Method::DELETE, "/api/v1/account/sessions", Player, Cookie),
    (Method::DELETE, "/api/v1/account/sessions/{id}", Player, Cookie),
    (Method::GET, "/api/v1/account/export", Player, Cookie),
    (Method::GET, "/api/v1/account/export.pgn", Player, Cookie),
    (Method::GET, "/api/v1/account/tokens", Player, Cookie),
    (Method::POST, "/api/v1/account/tokens", Player, Cookie),
    (Method::DELETE, "/api/v1/account/tokens/{id}", Player, Cookie),
    (Method::GET, "/api/v1/admin/users", Director, Admin),
    (Method::POST, "/api/v1/admin/users/bulk", Director, Admin),
    (Method::POST, "/api/v1/admin/users/remove-inactive", Administrator, Admin),
    (Method::GET, "/api/v1/admin/users/{id}", Director, Admin),
    (Method::PATCH, "/api/v1/admin/users/{id}", Administrator, Admin),
    (Method::DELETE, "/api/v1/admin/users/{id}", Administrator, Admin),
    (Method::PUT, "/api/v1/admin/users/{id}/roles/{role}", Administrator, Admin),
    (Method::DELETE, "/api/v1/admin/users/{id}/roles/{role}", Administrator, Admin),
    (Method::POST, "/api/v1/admin/users/{id}/reset-link", Director, Admin),
    (Method::POST, "/api/v1/admin/users/{id}/one-time-password", Director, Admin),
    (Method::DELETE, "/api/v1/admin/users/{id}/totp", Administrator, Admin),
    (Method::DELETE, "/api/v1/admin/users/{id}/sessions", Administrator, Admin),
    (Method::GET, "/api/v1/admin/invites", Administrator, Admin),
    (Method::POST, "/api/v1/admin/invites", Administrator, Admin),
    (Method::DELETE, "/api/v1/admin/invites/{id}", Administrator, Admin),
    (Method::GET, "/api/v1/admin/policy", Administrator, Admin),
    (Method::PUT, "/api/v1/admin/policy", Administrator, Admin),
    (Method::GET, "/api/v1/admin/audit", Administrator, Admin),
    (Method::GET, "/api/v1/admin/mail", Administrator, Admin),
    (Method::POST, "/api/v1/admin/mail/test", Administrator, Admin),
    (Method::POST, "/api/v1/guest", Anybody, Cookie),
    (Method::POST, "/api/v1/one-computer", Anybody, Cookie),
    (Method::POST, "/api/v1/games/{id}/table", Account, Play),
    (Method::GET, "/api/v1/online", Anybody, Read),
    (Method::GET, "/api/v1/challenges", Anybody, Read),
    (Method::POST, "/api/v1/challenges", Anybody, Play),
    (Method::GET, "/api/v1/challenges/{id}", Anybody, Read),
    (Method::GET, "/api/v1/challenges/{id}/qr.svg", Anybody, Read),
    (Method::POST, "/api/v1/challenges/{id}/acceptance", Anybody, Play),
    (Method::POST, "/api/v1/challenges/{id}/refusal", Account, Play),
    (Method::DELETE, "/api/v1/challenges/{id}", Account, Play),
    (Method::GET, "/api/v1/games", Anybody, Read),
    (Method::GET, "/api/v1/games/{id}", Anybody, Read),
    (Method::POST, "/api/v1/games/{id}/moves", Account, Play),
    (Method::POST, "/api/v1/games/{id}/resignation", Account, Play),
    (Method::POST, "/api/v1/games/{id}/draw", Account, Play),
    (Method::DELETE, "/api/v1/games/{id}/draw", Account, Play),
    (Method::POST, "/api/v1/games/{id}/adjournment", Account, Play),
    (Method::DELETE, "/api/v1/games/{id}/adjournment", Account, Play),
    (Method::POST, "/api/v1/games/{id}/takeback", Account, Play),
    (Method::DELETE, "/api/v1/games/{id}/takeback", Account, Play),
    (Method::POST, "/api/v1/games/{id}/time", Account, Play),
    (Method::POST, "/api/v1/games/{id}/claim", Account, Play),
    (Method::POST, "/api/v1/games/{id}/chat", Anybody, Play),
    (Method::POST, "/api/v1/games/{id}/abort", Account, Play),
    (Method::POST, "/api/v1/games/{id}/rematch", Account, Play),
    (Method::DELETE, "/api/v1/games/{id}/rematch", Account, Play),
    (Method::GET, "/api/v1/games/{id}/pgn", Anybody, Read),
    (Method::GET, "/api/v1/games/{id}/event", Anybody, Read),
    (Method::POST, "/genome", Anybody, Play),
    (Method::GET, "/genome/{hash}", Anybody, Read),
    (Method::POST, "/genome/{hash}", Anybody, Play),
    (Method::POST, "/preset", Anybody, Play),
    (Method::GET, "/preset/{hash}", Anybody, Read),
    (Method::POST, "/preset/{hash}", Anybody, Play),
    (Method::GET, "/api/v1/gmo/known", Anybody, Read),
    (Method::GET, "/api/v1/gmo/published", Anybody, Read),
    (Method::GET, "/api/v1/gmo/published-presets", Anybody, Read),
    (Method::GET, "/api/v1/gmo/genomes", Anybody, Read),
    (Method::POST, "/api/v1/gmo/genomes", Anybody, Play),
    (Method::GET, "/api/v1/gmo/genomes/{code}", Anybody, Read),
    (Method::PATCH, "/api/v1/gmo/genomes/{code}", Account, Play),
    (Method::DELETE, "/api/v1/gmo/genomes/{code}", Account, Play),
    (Method::GET, "/api/v1/gmo/presets", Anybody, Read),
    (Method::POST, "/api/v1/gmo/presets", Anybody, Play),
    (Method::GET, "/api/v1/gmo/presets/{code}", Anybody, Read),
    (Method::PATCH, "/api/v1/gmo/presets/{code}", Account, Play),
    (Method::DELETE, "/api/v1/gmo/presets/{code}", Account, Play),
    (Method::GET, "/api/v1/gmo/explanation", Anybody, Read),
    (Method::POST, "/api/v1/gmo/mutation", Anybody, Read),
    (Method::POST, "/api/v1/gmo/lab/targets", Anybody, Read),
    (Method::POST, "/api/v1/gmo/lab/moves", Anybody, Read),
    (Method::POST, "/api/v1/games/{id}/army", Account, Play),
    (Method::POST, "/api/v1/games/{id}/presets", Account, Cookie),
    (Method::POST, "/api/v1/games/{id}/promotion", Account, Play),
    (Method::GET, "/api/v1/games/{id}/targets", Anybody, Read),
    (Method::GET, "/api/v1/games/{id}/genomes", Anybody, Read),
    (Method::GET, "/api/v1/games/{id}/gmo", Anybody, Read),
    (Method::PUT, "/api/v1/games/{id}/mutes/{account}", Account, Play),
    (Method::DELETE, "/api/v1/games/{id}/mutes/{account}", Account, Play),
    (Method::GET, "/api/v1/players", Anybody, Read),
    (Method::GET, "/api/v1/players/{name}", Anybody, Read),
    (Method::GET, "/api/v1/players/{name}/games", Anybody, Read),
    (Method::GET, "/api/v1/players/{name}/ratings", Anybody, Read),
    (Method::GET, "/api/v1/players/{name}/versus/{other}", Anybody, Read),
    (Method::PUT, "/api/v1/players/{name}/mute", Account, Play),
    (Method::DELETE, "/api/v1/players/{name}/mute", Account, Play),
    (Method::GET, "/api/v1/library/imports", Player, Read),
    (Method::POST, "/api/v1/library/imports", Player, Play),
    (Method::GET, "/api/v1/library/imports/{id}", Player, Read),
    (Method::DELETE, "/api/v1/library/imports/{id}", Player, Play),
    (Method::PUT, "/api/v1/library/imports/{id}/file", Player, Play),
    (Method::GET, "/api/v1/library/imports/{id}/problems", Player, Read),
    (Method::GET, "/api/v1/library/connections", Player, Read),
    (Method::POST, "/api/v1/library/connections", Player, Cookie),
    (Method::GET, "/api/v1/library/connections/{id}", Player, Read),
    (Method::DELETE, "/api/v1/library/connections/{id}", Player, Cookie),
    (Method::POST, "/api/v1/library/connections/{id}/proof", Player, Cookie),
    (Method::POST, "/api/v1/library/connections/{id}/sync", Player, Play),
    (Method::GET, "/api/v1/library/games", Anybody, Read),
    (Method::GET, "/api/v1/library/games/{number}", Anybody, Read),
    (Method::DELETE, "/api/v1/library/games/{number}", Player, Play),
    (Method::GET, "/api/v1/library/games/{number}/pgn", Anybody, Read),
    (Method::GET, "/api/v1/library/games/{number}/report", Anybody, Read),
    (Method::POST, "/api/v1/library/games/{number}/report", Player, Play),
    (Method::DELETE, "/api/v1/library/games/{number}/report", Player, Play),
    (Method::GET, "/api/v1/library/export", Anybody, Read),
    (Method::GET, "/api/v1/library/explorer", Anybody, Read),
    (Method::GET, "/api/v1/library/statistics", Anybody, Read),
    (Method::GET, "/api/v1/pictures/position.svg", Anybody, Read),
    (Method::GET, "/api/v1/pictures/position.png", Anybody, Read),
    (Method::GET, "/api/v1/leaderboards", Anybody, Read),
    (Method::GET, "/api/v1/leaderboards/{variant}/{speed}", Anybody, Read),
    // Analysis.
    (Method::POST, "/api/v1/analysis/position", Anybody, Read),
    (Method::GET, "/api/v1/analysis/engines", Anybody, Read),
    (Method::POST, "/api/v1/analysis/tree", Anybody, Read),
    (Method::POST, "/api/v1/analysis/pgn", Anybody, Read),
    (Method::GET, "/api/v1/studies", Player, Read),
    (Method::POST, "/api/v1/studies", Player, Play),
    (Method::GET, "/api/v1/studies/{id}", Player, Read),
    (Method::PUT, "/api/v1/studies/{id}", Player, Play),
    (Method::DELETE, "/api/v1/studies/{id}", Player, Play),
    (Method::GET, "/api/v1/games/{id}/report", Anybody, Read),
    (Method::POST, "/api/v1/games/{id}/report", Account, Play),
    (Method::DELETE, "/api/v1/games/{id}/report", Account, Play),
    (Method::GET, "/api/v1/account/reports", Player, Read),
    (Method::POST, "/api/v1/account/reports", Player, Play),
    (Method::PATCH, "/api/v1/account/reports", Player, Play),
    (Method::DELETE, "/api/v1/account/reports", Player, Play),
    (Method::GET, "/api/v1/events", Anybody, Read),
    (Method::POST, "/api/v1/events", Director, Tournament),
    (Method::GET, "/api/v1/events/suggestion", Anybody, Read),
    (Method::GET, "/api/v1/events/groups", Director, Tournament),
    (Method::POST, "/api/v1/events/import", Director, Tournament),
    (Method::GET, "/api/v1/events/{id}", Anybody, Read),
    (Method::PUT, "/api/v1/events/{id}", Director, Tournament),
    (Method::DELETE, "/api/v1/events/{id}", Director, Tournament),
    (Method::POST, "/api/v1/events/{id}/copy", Director, Tournament),
    (Method::PUT, "/api/v1/events/{id}/state", Director, Tournament),
    (Method::GET, "/api/v1/events/{id}/actions", Director, Tournament),
    (Method::POST, "/api/v1/events/{id}/actions/{version}/undo", Director, Tournament),
    (Method::POST, "/api/v1/events/{id}/players", Director, Tournament),
    (Method::POST, "/api/v1/events/{id}/players/reading", Director, Tournament),
    (Method::GET, "/api/v1/events/{id}/players/{number}", Anybody, Read),
    (Method::PUT, "/api/v1/events/{id}/players/{number}", Director, Tournament),
    (Method::DELETE, "/api/v1/events/{id}/players/{number}", Director, Tournament),
    (Method::POST, "/api/v1/events/{id}/arbiters", Director, Tournament),
    (Method::DELETE, "/api/v1/events/{id}/arbiters/{account}", Director, Tournament),
    (Method::PUT, "/api/v1/events/{id}/players/{number}/presence", EventArbiter, Tournament),
    (Method::POST, "/api/v1/events/{id}/players/{number}/withdrawal", Director, Tournament),
    (Method::DELETE, "/api/v1/events/{id}/players/{number}/withdrawal", Director, Tournament),
    (Method::PUT, "/api/v1/events/{id}/players/{number}/byes/{round}", Director, Tournament),
    (Method::POST, "/api/v1/events/{id}/entry", Player, Play),
    (Method::DELETE, "/api/v1/events/{id}/entry", Player, Play),
    (Method::PUT, "/api/v1/events/{id}/entry/presence", Player, Play),
    (Method::PUT, "/api/v1/events/{id}/entry/byes/{round}", Player, Play),
    (Method::POST, "/api/v1/events/{id}/games/{game}/berserk", Player, Play),
    (Method::GET, "/api/v1/events/{id}/proposal", Director, Tournament),
    (Method::POST, "/api/v1/events/{id}/proposal/check", Director, Tournament),
    (Method::POST, "/api/v1/events/{id}/rounds", Director, Tournament),
    (Method::GET, "/api/v1/events/{id}/rounds/{round}", Anybody, Read),
    (Method::PUT, "/api/v1/events/{id}/rounds/{round}", Director, Tournament),
    (Method::DELETE, "/api/v1/events/{id}/rounds/{round}", Director, Tournament),
    (
        Method::PUT,
        "/api/v1/events/{id}/rounds/{round}/boards/{board}/result",
        EventArbiter,
        Tournament,
    ),
    (Method::PUT, "/api/v1/events/{id}/numbers", Director, Tournament),
    (Method::PUT, "/api/v1/events/{id}/timer", EventArbiter, Tournament),
    (Method::DELETE, "/api/v1/events/{id}/talk/{number}", Director, Tournament),
    (Method::POST, "/api/v1/events/{id}/decisions", Director, Tournament),
    (Method::GET, "/api/v1/events/{id}/standings", Anybody, Read),
    (Method::GET, "/api/v1/events/{id}/tables/{table}", Anybody, Read),
    (Method::POST, "/api/v1/events/{id}/tables/{table}", Anybody, Play),
    (Method::GET, "/api/v1/events/{id}/tables/{table}/qr.svg", EventArbiter, Tournament),
    (Method::GET, "/api/v1/events/{id}/export.trf", Anybody, Read),
    (Method::GET, "/api/v1/events/{id}/export.csv", Anybody, Read),
    (Method::GET, "/api/v1/events/{id}/export.json", Director, Tournament),
    (Method::GET, "/api/v1/events/{id}/export.pgn", Anybody, Read),
    (Method::GET, "/api/v1/ratings", Anybody, Read),
    (Method::GET, "/api/v1/me/games", Account, Read),
    (Method::GET, "/api/v1/me/inbox", Account, Read),
    (Method::DELETE, "/api/v1/me/inbox/{item}", Account, Play),
    (Method::POST, "/api/v1/me/leave", Account, Play),
    (Method::DELETE, "/api/v1/me/leave", Account, Play),
    (Method::GET, "/api/v1/games/{id}/desk", Account, Read),
    (Method::PUT, "/api/v1/games/{id}/note", Account, Play),
    (Method::PUT, "/api/v1/games/{id}/conditional", Account, Play),
    (Method::GET, "/api/v1/games/{id}/line", Account, Read),
    (Method::POST, "/api/v1/games/{id}/leave", Account, Play),
    (Method::DELETE, "/api/v1/games/{id}/leave", Account, Play),
    (Method::GET, "/api/v1/games/{id}/decisions", Anybody, Read),
    (Method::GET, "/api/v1/admin/clock", Administrator, Admin),
    (Method::POST, "/api/v1/admin/clock", Administrator, Admin),
    (Method::GET, "/api/v1/arbiter/games/{id}", EventArbiter, Tournament),
    (Method::POST, "/api/v1/arbiter/games/{id}/rulings", EventArbiter, Tournament),
    (Method::GET, "/api/v1/arbiter/decisions", Arbiter, Tournament),
    (Method::GET, "/api/v1/arbiter/calls", EventArbiter, Tournament),
    (Method::DELETE, "/api/v1/arbiter/games/{id}/calls", EventArbiter, Tournament),
    (Method::POST, "/api/v1/arbiter/games/{id}/notes", EventArbiter, Tournament),
    (Method::POST, "/api/v1/games/{id}/calls", Player, Play),
];

/// The table of the socket's messages, by their tag.
pub const MESSAGES: &[(&str, Who)] = &[
    ("join", Anybody),
    ("leave", Anybody),
    ("resume", Anybody),
    ("ping", Anybody),
    ("move", Account),
    ("resign", Account),
    ("offer_draw", Account),
    ("accept_draw", Account),
    ("decline_draw", Account),
    ("offer_takeback", Account),
    ("accept_takeback", Account),
    ("decline_takeback", Account),
    ("offer_adjournment", Account),
    ("accept_adjournment", Account),
    ("decline_adjournment", Account),
    ("give_time", Account),
    ("claim_draw", Account),
    ("claim_abandonment", Account),
    ("chat", Account),
    ("abort", Account),
    ("rematch", Account),
    ("decline_rematch", Account),
    ("event_chat", Player),
    ("queue_join", Anybody),
    ("queue_leave", Anybody),
    ("analyse", Anybody),
    ("stop_analysis", Anybody),
];

/// What somebody who has to choose a password of their own may do before: that, and what everybody may.
const BEFORE_NEW_PASSWORD: &[&str] =
    &["/api/v1/account", "/api/v1/account/password", "/api/v1/account/sessions"];

impl Who {
    /// Whether this visitor is one of them.
    pub fn includes(self, visitor: &Visitor) -> bool {
        let roles = visitor.roles;
        match self {
            Anybody => true,
            Account => visitor.account.is_some(),
            Player | EventArbiter => visitor.is_player(),
            Arbiter => {
                visitor.is_player() && (roles.arbiter || roles.director || roles.administrator)
            }
            Director => visitor.is_player() && (roles.director || roles.administrator),
            Administrator => visitor.is_player() && roles.administrator,
        }
    }

    fn refusal(self, visitor: &Visitor) -> ApiError {
        match self {
            Account => {
                let detail = "this needs an account: begin or accept a game first";
                ApiError::new(StatusCode::UNAUTHORIZED, "no_account", detail)
            }
            _ if !visitor.is_player() => {
                ApiError::new(StatusCode::UNAUTHORIZED, "not_logged_in", "log in first")
            }
            _ => ApiError::new(StatusCode::FORBIDDEN, "forbidden", "you may not do this"),
        }
    }
}

/// Whether a visitor may say this on the socket. Messages that are not in the table are refused.
pub fn may_say(visitor: &Visitor, tag: &str) -> bool {
    let who = MESSAGES.iter().find(|(message, _)| *message == tag).map(|(_, who)| *who);
    let by_key = visitor.scopes.is_none_or(|scopes| scopes.allow(Play) || who == Some(Anybody));
    by_key && who.is_some_and(|who| who.includes(visitor))
}

/// Whether a route only looks, whatever its method: a question whose text is too long for an address.
pub(crate) fn is_question(method: &Method, route: &str) -> bool {
    TABLE.iter().any(|(m, path, _, scope)| m == method && *path == route && *scope == Read)
}

/// Looks a request up in the table. Routes that are not in it are refused, so that forgetting one is safe.
pub(crate) async fn check_access(request: Request, next: Next) -> Response {
    let route = request.extensions().get::<MatchedPath>().map(MatchedPath::as_str);
    let Some(route) = route else { return next.run(request).await };
    let method = if request.method() == Method::HEAD { &Method::GET } else { request.method() };
    let rule = TABLE.iter().find(|(m, path, ..)| m == method && *path == route);
    let nobody = Visitor::default();
    let visitor = request.extensions().get::<Visitor>().unwrap_or(&nobody);
    match judge(rule.map(|(_, path, who, scope)| (*path, *who, *scope)), visitor) {
        Ok(()) => next.run(request).await,
        Err(error) => error.into_response(),
    }
}

fn judge(rule: Option<(&str, Who, Scope)>, visitor: &Visitor) -> Result<(), ApiError> {
    let forbidden = |code, detail| Err(ApiError::new(StatusCode::FORBIDDEN, code, detail));
    let Some((path, who, scope)) = rule else {
        return forbidden("forbidden", "nobody may do this");
    };
    if !who.includes(visitor) {
        return Err(who.refusal(visitor));
    }
    match visitor.scopes {
        Some(_) if scope == Cookie => {
            return forbidden("browser_only", "no program may do this: log in with a browser");
        }
        Some(scopes) if !scopes.allow(scope) => {
            return forbidden("scope_missing", "the key does not have the scope for this");
        }
        _ => {}
    }
    let is_restricted = !matches!(who, Anybody | Account) && !BEFORE_NEW_PASSWORD.contains(&path);
    if visitor.must_change_password && is_restricted {
        return forbidden("must_change_password", "choose a password of your own first");
    }
    Ok(())
}
