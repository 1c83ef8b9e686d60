//! The presets of a member who sits at somebody else's computer and is to hand in an army.
//!
//! What they keep is theirs: it is shown after they have confirmed at that screen, by faces and names alone. No code leaves
//! the server, so that nothing on the screen or in the browser's memory could be used by its owner later.

use std::fmt::Write as _;

use axum::Json;
use axum::extract::State;
use rules::gmo::PresetText;
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};
use store::{AccountId, GameId, GmoKept, GmoKind};
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::library_routes::Seen;
use super::{Gmo, GmoError};
use crate::accounts::pin::Confirmation;
use crate::accounts::{AccountError, Accounts, Visitor};
use crate::http::{ApiError, AppState, Body, Id, Problem};

/// How a preset of this kind is named where an army is handed in.
const MARK: &str = "kept:";

/// The routes of this file.
pub(super) fn router() -> OpenApiRouter<AppState> {
    OpenApiRouter::new().routes(routes!(show_own_presets))
}

/// The proof of the one who is to hand in an army. No `Debug`: it holds secrets.
#[derive(Clone, Serialize, Deserialize, ToSchema)]
pub struct SeatProof {
    /// The password.
    #[serde(default)]
    pub password: Option<String>,
    /// The PIN, four to eight digits.
    #[serde(default)]
    pub pin: Option<String>,
}

/// A preset as it may be seen on a screen that another looks at too.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct OwnPreset {
    /// What names it when the army is handed in, in this game and for this player only.
    pub key: String,
    /// How its keeper calls it.
    pub name: String,
    /// The pictures of its genomes, file a first; none for a genome that is not known any more.
    pub looks: Vec<Option<u16>>,
}

/// The presets of the one who is to hand in an army.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct OwnPresets {
    /// Newest first.
    pub presets: Vec<OwnPreset>,
}

/// Show the own presets at somebody else's computer, to the member whose turn it is to hand in an army.
#[utoipa::path(post, path = "/api/v1/games/{id}/presets", tag = "gmo", params(("id" = String, Path)), request_body = SeatProof,
    responses((status = 200, body = OwnPresets),
        (status = 401, body = Problem, description = "`bad_credentials` or `bad_pin`: the member did not confirm"),
        (status = 403, body = Problem, description = "`pin_locked`: the password is needed"),
        (status = 404, description = "nobody else is to hand in an army here")))]
async fn show_own_presets(
    State(gmo): State<Gmo>,
    State(accounts): State<Accounts>,
    visitor: Visitor,
    Id(game): Id<GameId>,
    Body(proof): Body<SeatProof>,
) -> Result<Json<OwnPresets>, ApiError> {
    let host = accounts.account_of(&visitor).await?;
    let view = gmo.0.games.view(game, Some(host.id)).await.map_err(GmoError::from)?;
    let player = gmo.other_keeper(game, host.id).await?.filter(|player| *player != host.id);
    let is_mustering = view.gmo.is_some_and(|gmo| !(gmo.ready.white && gmo.ready.black));
    let (Some(player), Some(side), true) = (player, view.you, is_mustering) else {
        return Err(GmoError::NotFound.into());
    };
    let name = match side {
        rules::Color::White => view.players.white.name,
        rules::Color::Black => view.players.black.name,
    };
    let confirmation = match (&proof.password, &proof.pin) {
        (_, Some(pin)) => Confirmation::Pin(pin),
        (password, None) => Confirmation::Password(password.as_deref().unwrap_or_default()),
    };
    let confirmed = accounts.confirm_at_table(&visitor, &name, confirmation).await?;
    if confirmed.id != player {
        return Err(AccountError::BadCredentials.into());
    }
    Ok(Json(gmo.own_presets(game, player).await?))
}

impl Gmo {
    async fn own_presets(&self, game: GameId, player: AccountId) -> Result<OwnPresets, GmoError> {
        let (mut presets, mut seen) = (Vec::new(), Seen::new());
        for kept in self.library(GmoKind::Preset, player).await? {
            let key = key(game, player, &kept);
            let text = PresetText::parse(&kept.text)?;
            let (looks, _) = self.faces_of(&text, Some(player), &mut seen).await?;
            presets.push(OwnPreset { key, name: kept.name, looks });
        }
        Ok(OwnPresets { presets })
    }

    /// The text form of what was asked for as an own preset; anything else stays as it is.
    pub(super) async fn read_own(
        &self,
        game: GameId,
        player: AccountId,
        preset: String,
    ) -> Result<String, GmoError> {
        if !preset.starts_with(MARK) {
            return Ok(preset);
        }
        let kept = self.library(GmoKind::Preset, player).await?;
        let found = kept.into_iter().find(|kept| key(game, player, kept) == preset);
        found.map(|kept| kept.text).ok_or(GmoError::NotFound)
    }
}

/// Names a preset without saying anything about it. Whoever could compute this knows its code already.
fn key(game: GameId, player: AccountId, kept: &GmoKept) -> String {
    let hash = Sha256::digest(format!("own preset {game} {player} {}", kept.sha));
    hash.iter().take(16).fold(MARK.to_owned(), |mut key, byte| {
        let _ = write!(key, "{byte:02x}");
        key
    })
}
