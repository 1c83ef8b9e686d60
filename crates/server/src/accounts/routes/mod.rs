//! HTTP of accounts and the club.

pub(crate) mod entry;
pub(crate) mod mine;
pub(crate) mod security;

use axum::Json;
use axum::extract::State;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::preferences::Preferences;
use super::wire::{ClubView, Me, MyPlayer};
use super::{AccountError, Accounts, Visitor};
use crate::games::wire::PlayerView;
use crate::gmo::rules_are_hidden;
use crate::http::{ApiError, AppState};

/// All routes of accounts.
pub(crate) fn router() -> OpenApiRouter<AppState> {
    OpenApiRouter::new()
        .routes(routes!(show_me))
        .routes(routes!(entry::set_up_club))
        .routes(routes!(entry::show_captcha))
        .routes(routes!(entry::check_sign_up))
        .routes(routes!(entry::sign_up))
        .routes(routes!(entry::activate_account))
        .routes(routes!(entry::resend_activation))
        .routes(routes!(entry::log_in))
        .routes(routes!(entry::finish_log_in))
        .routes(routes!(entry::log_in_by_card))
        .routes(routes!(entry::log_out))
        .routes(routes!(entry::request_password_reset))
        .routes(routes!(entry::finish_password_reset))
        .routes(routes!(mine::show_account, mine::delete_account))
        .routes(routes!(mine::set_preferences))
        .routes(routes!(mine::export_account))
        .routes(routes!(mine::export_games))
        .routes(routes!(security::change_email))
        .routes(routes!(security::confirm_email))
        .routes(routes!(security::change_password))
        .routes(routes!(security::set_pin, security::remove_pin))
        .routes(routes!(security::propose_totp, security::remove_totp))
        .routes(routes!(security::confirm_totp))
        .routes(routes!(security::renew_recovery_codes))
        .routes(routes!(security::list_sessions, security::end_other_sessions))
        .routes(routes!(security::end_session))
}

/// Who am I, and where?
#[utoipa::path(get, path = "/api/v1/me", tag = "accounts", responses((status = 200, body = Me)))]
pub(crate) async fn show_me(
    State(accounts): State<Accounts>,
    visitor: Visitor,
) -> Result<Json<Me>, ApiError> {
    Ok(Json(accounts.me(&visitor).await?))
}

impl Accounts {
    async fn me(&self, visitor: &Visitor) -> Result<Me, AccountError> {
        let policy = self.policy().await?;
        let config = &self.0.config;
        let player = if visitor.is_player() { Some(self.player_of(visitor).await?) } else { None };
        Ok(Me {
            account: visitor.account.as_ref().map(PlayerView::from),
            roles: visitor.roles.into(),
            player: player.map(|player| MyPlayer {
                email_verified: player.email_verified_at.is_some(),
                has_email: player.email.is_some(),
                totp: player.second_factor().is_some(),
                must_change_password: player.must_change_password,
                preferences: Preferences::from_stored(&player.preferences),
            }),
            club: ClubView {
                name: policy.shown_name().to_owned(),
                is_set_up: policy.club_name.is_some(),
                sign_up: policy.sign_up,
                email: policy.email,
                activation: policy.activation,
                passwords: config.passwords,
                chat: policy.chat,
                captcha: self.wants_captcha(visitor.address),
                initial_rating: config.initial_rating,
                initial_rating_cap: config.initial_rating_cap,
                mail: self.0.mail.is_configured(),
            },
            hidden_rules: rules_are_hidden(&self.0.store, visitor).await?,
            version: crate::VERSION.to_owned(),
        })
    }
}
