//! GMO chess beside the board: the store of genomes and presets, everybody's library, the lab, and what a game shows.
//!
//! The rules are `rules::gmo`; games themselves live in [`crate::games`]. Whether somebody may read a DNA is decided
//! here and nowhere else: [`Gmo::find`] gives the text with the rights of the one who asks.

pub mod error;
pub mod faces;
pub mod facts;
mod lab;
mod lab_routes;
pub mod lab_wire;
pub(crate) mod lent;
mod library_routes;
pub mod own_presets;
mod quota;
pub mod record;
mod store_routes;
pub mod table;
mod table_routes;
mod teaching;
pub mod wire;

use std::net::IpAddr;
use std::sync::Arc;

use rules::Army;
use rules::gmo::{Code, Genome, PresetError, PresetText, Sha};
use rules::shakmaty::File;
use store::{
    Account, AccountId, AccountKind, GmoChange, GmoKept, GmoKind, GmoStored, GmoText, NewGmoText,
    Store, StoreError,
};
use utoipa_axum::router::OpenApiRouter;

use crate::accounts::{AccountError, Accounts, Visitor};
use crate::games::Games;
use crate::http::AppState;
use crate::world::World;
pub use error::GmoError;
pub use faces::LookKey;
pub use facts::Facts;
use quota::Quota;
pub(crate) use teaching::rules_are_hidden;

/// Texts of one kind that a member may keep, and a guest.
const MOST_KEPT: i64 = 500;
const MOST_KEPT_BY_GUEST: i64 = 50;
/// Characters of a name.
const MOST_NAME: usize = 40;

/// The routes of this subject.
pub(crate) fn router() -> OpenApiRouter<AppState> {
    OpenApiRouter::new()
        .merge(store_routes::router())
        .merge(library_routes::router())
        .merge(lab_routes::router())
        .merge(table_routes::router())
        .merge(own_presets::router())
        .merge(record::router())
}

/// Genomes, presets and what is known of them. Cheap to clone.
#[derive(Clone)]
pub struct Gmo(Arc<Inner>);

struct Inner {
    store: Store,
    world: World,
    games: Games,
    looks: LookKey,
    quota: Quota,
}

/// Who stores something, and from where.
pub struct Keeper {
    /// Whose library it comes into.
    pub account: Account,
    /// Where the request came from.
    pub address: IpAddr,
}

impl Keeper {
    /// Whoever asks, with an account if they had none.
    async fn of(visitor: &Visitor, accounts: &Accounts) -> Result<Keeper, AccountError> {
        Ok(Keeper { account: accounts.account_of(visitor).await?, address: visitor.address })
    }
}

impl Gmo {
    /// Makes ready. The guests of one network may store so many new texts a day.
    pub fn new(store: Store, world: World, games: Games, looks: LookKey, guest_texts: u32) -> Gmo {
        Gmo(Arc::new(Inner { store, world, games, looks, quota: Quota::new(guest_texts) }))
    }

    /// Which picture a genome has.
    pub fn look(&self, genome: &Genome) -> u16 {
        self.0.looks.of(genome)
    }

    /// What a code names and what somebody may do with it.
    pub async fn find(
        &self,
        kind: GmoKind,
        code: &str,
        account: Option<AccountId>,
    ) -> Result<GmoText, GmoError> {
        let code = read_code(kind, code)?;
        let found = self.0.store.find_gmo_text(kind, &code, account).await?;
        found.ok_or(GmoError::NotFound)
    }

    /// The genome behind a code, if this account may play with it.
    async fn usable(
        &self,
        code: &str,
        account: AccountId,
    ) -> Result<Option<(String, Genome)>, GmoError> {
        match self.find(GmoKind::Genome, code, Some(account)).await {
            Ok(text) if text.is_usable => {
                let genome = Genome::parse(&text.text).map_err(|error| damaged(&error))?;
                Ok(Some((text.code, genome)))
            }
            Ok(_) | Err(GmoError::NotFound | GmoError::CodeFormat) => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// Stores a DNA for somebody.
    pub async fn store_genome(
        &self,
        keeper: &Keeper,
        claimed: Option<&str>,
        dna: &[u8],
        name: &str,
    ) -> Result<GmoStored, GmoError> {
        let genome = Genome::from_bytes(dna)?;
        let (sha, text) = (genome.sha(), genome.dna().to_owned());
        self.put(GmoKind::Genome, keeper, claimed, sha, text, name).await
    }

    /// Stores a preset for somebody who may use all its genomes. It is kept with every genome under its own code.
    pub async fn store_preset(
        &self,
        keeper: &Keeper,
        claimed: Option<&str>,
        text: &str,
        name: &str,
    ) -> Result<GmoStored, GmoError> {
        let mut preset = PresetText::parse(text)?;
        for (code, file) in preset.0.iter_mut().zip(File::ALL) {
            let found = self.usable(code.as_str(), keeper.account.id).await?;
            let (own, _) = found.ok_or(PresetError::UnknownGenome { file })?;
            *code = Code::parse(&own).map_err(|error| damaged(&error))?;
        }
        let (sha, text) = (preset.sha(), preset.to_string());
        self.put(GmoKind::Preset, keeper, claimed, sha, text, name).await
    }

    async fn put(
        &self,
        kind: GmoKind,
        keeper: &Keeper,
        claimed: Option<&str>,
        sha: Sha,
        text: String,
        name: &str,
    ) -> Result<GmoStored, GmoError> {
        if let Some(claimed) = claimed {
            let is_code = (6..=64).contains(&claimed.len())
                && claimed.bytes().all(|byte| byte.is_ascii_hexdigit());
            if !is_code {
                return Err(GmoError::CodeFormat);
            }
            if !sha.to_string().starts_with(&claimed.to_ascii_lowercase()) {
                return Err(GmoError::CodeMismatch);
            }
        }
        let (is_guest, now) = (keeper.account.kind == AccountKind::Guest, self.0.world.time.now());
        if is_guest {
            self.0.quota.check(keeper.address, now)?;
        }
        let most = if is_guest { MOST_KEPT_BY_GUEST } else { MOST_KEPT };
        let (name, account) = (tidy_name(name), keeper.account.id);
        let new = NewGmoText { kind, sha, text, name, keeper: account, most };
        let stored = match self.0.store.store_gmo_text(new, now).await {
            Err(StoreError::Conflict) => return Err(GmoError::LibraryFull { most }),
            other => other?,
        };
        if is_guest && stored.created {
            self.0.quota.note(keeper.address, now);
        }
        Ok(stored)
    }

    /// What somebody keeps.
    pub async fn library(
        &self,
        kind: GmoKind,
        account: AccountId,
    ) -> Result<Vec<GmoKept>, GmoError> {
        Ok(self.0.store.gmo_library(kind, account).await?)
    }

    /// Changes what somebody decides about a text of theirs.
    pub async fn change(
        &self,
        kind: GmoKind,
        code: &str,
        account: AccountId,
        change: GmoChange,
    ) -> Result<(), GmoError> {
        let text = self.find(kind, code, Some(account)).await?;
        let change = GmoChange { name: change.name.as_deref().map(tidy_name), ..change };
        in_library(self.0.store.change_gmo_text(kind, text.sha, account, change).await)
    }

    /// Lets others do with the own genomes of a preset what they are to be allowed with the preset itself: without its
    /// pieces a preset is of no use to anybody. What is taken back from a preset stays with its genomes.
    pub async fn share_genomes(
        &self,
        preset: &str,
        account: AccountId,
        change: &GmoChange,
    ) -> Result<(), GmoError> {
        let granted = |wish: Option<bool>| wish.filter(|is_wanted| *is_wanted);
        let (published, by_code) = (granted(change.published), granted(change.by_code));
        if published.is_none() && by_code.is_none() {
            return Ok(());
        }
        let found = self.find(GmoKind::Preset, preset, Some(account)).await?;
        for code in &PresetText::parse(&found.text)?.0 {
            let Some(genome) =
                self.0.store.find_gmo_text(GmoKind::Genome, code, Some(account)).await?
            else {
                continue;
            };
            let change = GmoChange { name: None, published, by_code };
            let shared = self.0.store.change_gmo_text(GmoKind::Genome, genome.sha, account, change);
            match shared.await {
                // Built in, or somebody else's: that is for them to decide.
                Ok(()) | Err(StoreError::NotFound) => {}
                Err(error) => return Err(error.into()),
            }
        }
        Ok(())
    }

    /// Takes a text out of somebody's library. A genome stays as long as a preset there is made of it.
    pub async fn forget(
        &self,
        kind: GmoKind,
        code: &str,
        account: AccountId,
    ) -> Result<(), GmoError> {
        let text = self.find(kind, code, Some(account)).await?;
        let is_kept = |kept: &GmoKept| kept.code == text.code;
        if kind == GmoKind::Genome && self.library(kind, account).await?.iter().any(is_kept) {
            self.refuse_if_in_preset(&text.code, account).await?;
        }
        in_library(self.0.store.forget_gmo_text(kind, text.sha, account).await)
    }

    async fn refuse_if_in_preset(&self, code: &str, account: AccountId) -> Result<(), GmoError> {
        // A preset is kept with every genome under its own code.
        let needs = |kept: &GmoKept| kept.text.split('-').any(|each| each == code);
        let presets = self.library(GmoKind::Preset, account).await?;
        match presets.into_iter().find(needs) {
            Some(kept) => {
                let preset = if kept.name.is_empty() { kept.code } else { kept.name };
                Err(GmoError::InPreset { preset })
            }
            None => Ok(()),
        }
    }

    /// The army that a preset and marks of kings mean for this account.
    async fn army(
        &self,
        account: AccountId,
        preset: &str,
        kings: rules::position::SquareSet,
    ) -> Result<Army, GmoError> {
        let text = self.preset_text(preset, account).await?;
        let mut dna: [Box<str>; 8] = Default::default();
        for ((slot, code), file) in dna.iter_mut().zip(&text.0).zip(File::ALL) {
            let found = self.usable(code.as_str(), account).await?;
            let (_, genome) = found.ok_or(PresetError::UnknownGenome { file })?;
            *slot = genome.dna().into();
        }
        Ok(Army { dna, kings })
    }

    /// A preset as eight codes: written out, or by its own code or name.
    async fn preset_text(&self, preset: &str, account: AccountId) -> Result<PresetText, GmoError> {
        let preset = preset.trim();
        if preset.contains('-') || rules::gmo::find_preset_alias(preset).is_some() {
            return Ok(PresetText::parse(preset)?);
        }
        let found = self.find(GmoKind::Preset, preset, Some(account)).await?;
        if !found.is_usable {
            return Err(GmoError::NotFound);
        }
        Ok(PresetText::parse(&found.text)?)
    }
}

/// What is not in one's library is not there for one.
fn in_library(done: Result<(), StoreError>) -> Result<(), GmoError> {
    done.map_err(|error| match error {
        StoreError::NotFound => GmoError::NotFound,
        other => GmoError::Store(other),
    })
}

/// A code as it was written; presets have names of their own.
fn read_code(kind: GmoKind, text: &str) -> Result<Code, GmoError> {
    let text = text.trim();
    let code = match kind {
        GmoKind::Genome => text,
        // The names of pieces are no names of presets.
        GmoKind::Preset if rules::gmo::find_alias(text).is_some() => "",
        GmoKind::Preset => rules::gmo::find_preset_alias(text).map_or(text, |known| known.code),
    };
    Code::parse(code).map_err(|_| GmoError::CodeFormat)
}

fn tidy_name(name: &str) -> String {
    name.split_whitespace().collect::<Vec<_>>().join(" ").chars().take(MOST_NAME).collect()
}

fn damaged(error: &dyn std::fmt::Display) -> GmoError {
    GmoError::Store(StoreError::Damaged(error.to_string()))
}
