//! Everybody's own genomes and presets, what was published, and what every club knows.

use std::collections::HashMap;

use axum::Json;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use rules::UnixMillis;
use rules::gmo::{Genome, KNOWN_PRESETS, PresetText};
use serde::Deserialize;
use store::{AccountId, GmoChange, GmoKept, GmoKind};
use utoipa::IntoParams;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::wire::{
    GenomeList, GenomeView, KeptChange, KnownView, NewKept, PresetList, PresetView, StoredView,
    genome_view, known_views,
};
use super::{Gmo, GmoError, Keeper};
use crate::accounts::{Accounts, Visitor};
use crate::http::{ApiError, AppState, Body, Params};

/// Published genomes on a page.
const GALLERY_PAGE: usize = 60;
/// Published presets on a page: each has eight faces.
const PRESET_PAGE: usize = 20;

/// The routes of this file.
pub(super) fn router() -> OpenApiRouter<AppState> {
    OpenApiRouter::new()
        .routes(routes!(show_known))
        .routes(routes!(list_published_genomes))
        .routes(routes!(list_published_presets))
        .routes(routes!(list_my_genomes, keep_genome))
        .routes(routes!(show_genome, change_genome, forget_genome))
        .routes(routes!(list_my_presets, keep_preset))
        .routes(routes!(show_preset, change_preset, forget_preset))
}

/// Show the built-in pieces and presets.
#[utoipa::path(get, path = "/api/v1/gmo/known", tag = "gmo", responses((status = 200, body = KnownView)))]
async fn show_known(State(gmo): State<Gmo>) -> Result<Json<KnownView>, ApiError> {
    let (mut presets, mut seen) = (Vec::new(), Seen::new());
    for known in KNOWN_PRESETS {
        let text = PresetText::parse(known.text).map_err(GmoError::from)?;
        let (looks, usable) = gmo.faces_of(&text, None, &mut seen).await?;
        presets.push(PresetView {
            name: known.name.to_owned(),
            code: known.code.to_owned(),
            keeper: String::new(),
            looks,
            usable,
            codes: text.0.iter().map(ToString::to_string).collect(),
            published: true,
            by_code: true,
            kept_at: 0,
        });
    }
    Ok(Json(KnownView { genomes: known_views(&gmo.0.looks), presets }))
}

/// Which page of the gallery.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
struct GalleryQuery {
    /// `next` of the page before.
    before: Option<String>,
}

/// List published genomes, newest first.
#[utoipa::path(get, path = "/api/v1/gmo/published", tag = "gmo", params(GalleryQuery), responses((status = 200, body = GenomeList)))]
async fn list_published_genomes(
    State(gmo): State<Gmo>,
    Params(ask): Params<GalleryQuery>,
) -> Result<Json<GenomeList>, ApiError> {
    let after = ask.before.as_deref().map(parse_cursor).transpose()?;
    let limit = i64::try_from(GALLERY_PAGE).unwrap_or(i64::MAX);
    let kept = gmo.0.store.published_gmo_texts(GmoKind::Genome, after, limit).await?;
    let last = kept.last().filter(|_| kept.len() == GALLERY_PAGE);
    let next = last.map(|last| format!("{}-{}", last.kept_at.0, last.sha));
    let genomes = kept.into_iter().map(|kept| genome_view(kept, &gmo.0.looks)).collect();
    Ok(Json(GenomeList { genomes, next }))
}

/// List published presets, newest first. `usable` tells which of their genomes I may play with.
#[utoipa::path(get, path = "/api/v1/gmo/published-presets", tag = "gmo", params(GalleryQuery), responses((status = 200, body = PresetList)))]
async fn list_published_presets(
    State(gmo): State<Gmo>,
    visitor: Visitor,
    Params(ask): Params<GalleryQuery>,
) -> Result<Json<PresetList>, ApiError> {
    let after = ask.before.as_deref().map(parse_cursor).transpose()?;
    let limit = i64::try_from(PRESET_PAGE).unwrap_or(i64::MAX);
    let kept = gmo.0.store.published_gmo_texts(GmoKind::Preset, after, limit).await?;
    let last = kept.last().filter(|_| kept.len() == PRESET_PAGE);
    let next = last.map(|last| format!("{}-{}", last.kept_at.0, last.sha));
    let (mut presets, mut seen) = (Vec::new(), Seen::new());
    for kept in kept {
        presets.push(gmo.preset_view(kept, visitor.account_id(), &mut seen).await?);
    }
    Ok(Json(PresetList { presets, next }))
}

fn parse_cursor(text: &str) -> Result<(UnixMillis, String), ApiError> {
    let bad = || ApiError::bad_request("bad_cursor", "ask with the `next` of the page before");
    let (at, sha) = text.split_once('-').ok_or_else(bad)?;
    Ok((UnixMillis(at.parse().map_err(|_| bad())?), sha.to_owned()))
}

/// List my genomes.
#[utoipa::path(get, path = "/api/v1/gmo/genomes", tag = "gmo", responses((status = 200, body = GenomeList)))]
async fn list_my_genomes(
    State(gmo): State<Gmo>,
    visitor: Visitor,
) -> Result<Json<GenomeList>, ApiError> {
    let kept = gmo.kept_by(GmoKind::Genome, &visitor).await?;
    let genomes = kept.into_iter().map(|kept| genome_view(kept, &gmo.0.looks)).collect();
    Ok(Json(GenomeList { genomes, next: None }))
}

/// Keep a genome in my library.
#[utoipa::path(post, path = "/api/v1/gmo/genomes", tag = "gmo", request_body = NewKept, responses((status = 200, body = StoredView), (status = 422)))]
async fn keep_genome(
    State(gmo): State<Gmo>,
    State(accounts): State<Accounts>,
    visitor: Visitor,
    Body(new): Body<NewKept>,
) -> Result<Json<StoredView>, ApiError> {
    let keeper = Keeper::of(&visitor, &accounts).await?;
    let stored = gmo.store_genome(&keeper, None, new.text.as_bytes(), &new.name).await;
    Ok(Json(gmo.in_few_words(&visitor, stored).await?.into()))
}

/// Show the genome of a code: its picture to everybody, its DNA to those who may read it.
#[utoipa::path(get, path = "/api/v1/gmo/genomes/{code}", tag = "gmo", params(("code" = String, Path)),
    responses((status = 200, body = GenomeView), (status = 404)))]
async fn show_genome(
    State(gmo): State<Gmo>,
    visitor: Visitor,
    Path(code): Path<String>,
) -> Result<Json<GenomeView>, ApiError> {
    let found = gmo.find(GmoKind::Genome, &code, visitor.account_id()).await?;
    if !found.is_usable {
        return Err(GmoError::Private.into());
    }
    let genome = Genome::parse(&found.text).map_err(GmoError::from)?;
    let known = rules::gmo::find_code(&found.code);
    let mine = gmo.kept_by(GmoKind::Genome, &visitor).await?;
    let mine = mine.into_iter().find(|kept| kept.sha == found.sha);
    let name = mine.as_ref().map(|kept| kept.name.clone());
    Ok(Json(GenomeView {
        look: gmo.look(&genome),
        name: name.or(known.map(|known| known.name.to_owned())).unwrap_or_default(),
        keeper: mine.as_ref().map(|kept| kept.keeper.clone()),
        dna: found.is_readable.then_some(found.text),
        code: found.code,
        published: known.is_some() || mine.as_ref().is_some_and(|kept| kept.published),
        by_code: known.is_some() || mine.as_ref().is_some_and(|kept| kept.by_code),
        kept_at: mine.map_or(0, |kept| kept.kept_at.0),
    }))
}

/// Rename, publish or hide a genome of mine.
#[utoipa::path(patch, path = "/api/v1/gmo/genomes/{code}", tag = "gmo", params(("code" = String, Path)), request_body = KeptChange,
    responses((status = 204), (status = 404)))]
async fn change_genome(
    gmo: State<Gmo>,
    accounts: State<Accounts>,
    visitor: Visitor,
    Path(code): Path<String>,
    Body(change): Body<KeptChange>,
) -> Result<StatusCode, ApiError> {
    change_kept(&gmo, &accounts, &visitor, GmoKind::Genome, &code, change).await
}

/// Take a genome out of my library. Games with it go on; a preset of mine that needs it has to go first.
#[utoipa::path(delete, path = "/api/v1/gmo/genomes/{code}", tag = "gmo", params(("code" = String, Path)),
    responses((status = 204), (status = 404), (status = 409, description = "`genome_in_preset`: a preset needs it")))]
async fn forget_genome(
    State(gmo): State<Gmo>,
    State(accounts): State<Accounts>,
    visitor: Visitor,
    Path(code): Path<String>,
) -> Result<StatusCode, ApiError> {
    let account = accounts.account_of(&visitor).await?;
    gmo.forget(GmoKind::Genome, &code, account.id).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// List my presets.
#[utoipa::path(get, path = "/api/v1/gmo/presets", tag = "gmo", responses((status = 200, body = PresetList)))]
async fn list_my_presets(
    State(gmo): State<Gmo>,
    visitor: Visitor,
) -> Result<Json<PresetList>, ApiError> {
    let (mut presets, mut seen) = (Vec::new(), Seen::new());
    for kept in gmo.kept_by(GmoKind::Preset, &visitor).await? {
        presets.push(gmo.preset_view(kept, visitor.account_id(), &mut seen).await?);
    }
    Ok(Json(PresetList { presets, next: None }))
}

/// Keep a preset in my library.
#[utoipa::path(post, path = "/api/v1/gmo/presets", tag = "gmo", request_body = NewKept, responses((status = 200, body = StoredView), (status = 422)))]
async fn keep_preset(
    State(gmo): State<Gmo>,
    State(accounts): State<Accounts>,
    visitor: Visitor,
    Body(new): Body<NewKept>,
) -> Result<Json<StoredView>, ApiError> {
    let keeper = Keeper::of(&visitor, &accounts).await?;
    Ok(Json(gmo.store_preset(&keeper, None, &new.text, &new.name).await?.into()))
}

/// Show the preset of a code.
#[utoipa::path(get, path = "/api/v1/gmo/presets/{code}", tag = "gmo", params(("code" = String, Path)),
    responses((status = 200, body = PresetView), (status = 403), (status = 404)))]
async fn show_preset(
    State(gmo): State<Gmo>,
    visitor: Visitor,
    Path(code): Path<String>,
) -> Result<Json<PresetView>, ApiError> {
    let account = visitor.account_id();
    let found = gmo.find(GmoKind::Preset, &code, account).await?;
    if !found.is_usable {
        return Err(GmoError::Private.into());
    }
    let kept = GmoKept {
        sha: found.sha,
        code: found.code,
        text: found.text,
        name: String::new(),
        keeper: String::new(),
        published: found.is_readable,
        by_code: found.is_usable,
        kept_at: UnixMillis(0),
    };
    Ok(Json(gmo.preset_view(kept, account, &mut Seen::new()).await?))
}

/// Rename, publish or hide a preset of mine.
#[utoipa::path(patch, path = "/api/v1/gmo/presets/{code}", tag = "gmo", params(("code" = String, Path)), request_body = KeptChange,
    responses((status = 204), (status = 404)))]
async fn change_preset(
    gmo: State<Gmo>,
    accounts: State<Accounts>,
    visitor: Visitor,
    Path(code): Path<String>,
    Body(change): Body<KeptChange>,
) -> Result<StatusCode, ApiError> {
    change_kept(&gmo, &accounts, &visitor, GmoKind::Preset, &code, change).await
}

/// Take a preset out of my library.
#[utoipa::path(delete, path = "/api/v1/gmo/presets/{code}", tag = "gmo", params(("code" = String, Path)),
    responses((status = 204), (status = 404)))]
async fn forget_preset(
    State(gmo): State<Gmo>,
    State(accounts): State<Accounts>,
    visitor: Visitor,
    Path(code): Path<String>,
) -> Result<StatusCode, ApiError> {
    let account = accounts.account_of(&visitor).await?;
    gmo.forget(GmoKind::Preset, &code, account.id).await?;
    Ok(StatusCode::NO_CONTENT)
}

async fn change_kept(
    gmo: &Gmo,
    accounts: &Accounts,
    visitor: &Visitor,
    kind: GmoKind,
    code: &str,
    change: KeptChange,
) -> Result<StatusCode, ApiError> {
    let account = accounts.account_of(visitor).await?;
    let KeptChange { name, published, by_code, with_genomes } = change;
    let change = GmoChange { name, published, by_code };
    if with_genomes && kind == GmoKind::Preset {
        gmo.share_genomes(code, account.id, &change).await?;
    }
    gmo.change(kind, code, account.id, change).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// The genomes that one person's presets name, each looked up once: its picture, and whether it may be played with.
pub(super) type Seen = HashMap<String, (Option<u16>, bool)>;

impl Gmo {
    async fn kept_by(&self, kind: GmoKind, visitor: &Visitor) -> Result<Vec<GmoKept>, GmoError> {
        match visitor.account_id() {
            Some(account) => self.library(kind, account).await,
            None => Ok(Vec::new()),
        }
    }

    async fn preset_view(
        &self,
        kept: GmoKept,
        account: Option<AccountId>,
        seen: &mut Seen,
    ) -> Result<PresetView, GmoError> {
        let text = PresetText::parse(&kept.text)?;
        let (looks, usable) = self.faces_of(&text, account, seen).await?;
        Ok(PresetView {
            code: kept.code,
            name: kept.name,
            keeper: kept.keeper,
            looks,
            usable,
            codes: text.0.iter().map(ToString::to_string).collect(),
            published: kept.published,
            by_code: kept.by_code,
            kept_at: kept.kept_at.0,
        })
    }

    /// The pictures of a preset's genomes as far as they are stored, and which of them somebody may play with.
    pub(super) async fn faces_of(
        &self,
        preset: &PresetText,
        account: Option<AccountId>,
        seen: &mut Seen,
    ) -> Result<(Vec<Option<u16>>, Vec<bool>), GmoError> {
        let mut faces = Vec::with_capacity(8);
        for code in &preset.0 {
            let known = seen.get(code.as_str()).copied();
            let face = if let Some(face) = known {
                face
            } else {
                let found = self.0.store.find_gmo_text(GmoKind::Genome, code, account).await?;
                let genome = found.as_ref().and_then(|it| Genome::parse(&it.text).ok());
                let look = genome.map(|genome| self.look(&genome));
                (look, found.is_some_and(|found| found.is_usable))
            };
            seen.insert(code.to_string(), face);
            faces.push(face);
        }
        Ok(faces.into_iter().unzip())
    }
}
