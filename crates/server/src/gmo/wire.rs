//! What the outside sees of genomes, presets and libraries.

use rules::gmo::{Genome, known_genomes};
use serde::{Deserialize, Serialize};
use store::{GmoKept, GmoStored};
use utoipa::ToSchema;

use super::LookKey;

/// What storing gave.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct StoredView {
    /// The code, new or from before.
    pub code: String,
    /// The whole SHA-256.
    pub sha: String,
    /// Whether nobody had stored it before.
    pub created: bool,
}

impl From<GmoStored> for StoredView {
    fn from(GmoStored { code, sha, created }: GmoStored) -> Self {
        StoredView { code, sha, created }
    }
}

/// Something to be stored in the own library.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct NewKept {
    /// DNA, or the eight codes of a preset joined by `-`.
    pub text: String,
    /// How it is to be called.
    #[serde(default)]
    pub name: String,
}

/// A genome that somebody keeps.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct GenomeView {
    /// Its code.
    pub code: String,
    /// How its keeper calls it.
    pub name: String,
    /// Who keeps it; none for built-in ones.
    pub keeper: Option<String>,
    /// The DNA, if the one who asks may read it.
    pub dna: Option<String>,
    /// Which picture it has: 16 bits.
    pub look: u16,
    /// Whether everybody may read it.
    pub published: bool,
    /// Whether everybody who knows its code may play with it.
    pub by_code: bool,
    /// Since when it is kept.
    pub kept_at: i64,
}

/// A preset that somebody keeps.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct PresetView {
    /// Its code.
    pub code: String,
    /// How its keeper calls it.
    pub name: String,
    /// Who keeps it; empty for built-in ones, and for what was asked for by its code.
    pub keeper: String,
    /// The codes of its genomes, file a first.
    pub codes: Vec<String>,
    /// The pictures of its genomes; none for a genome that is not known any more.
    pub looks: Vec<Option<u16>>,
    /// Which of them the one who asks may play with: who shares a preset does not always share its genomes.
    pub usable: Vec<bool>,
    /// Whether everybody may read it.
    pub published: bool,
    /// Whether everybody who knows its code may play with it.
    pub by_code: bool,
    /// Since when it is kept.
    pub kept_at: i64,
}

/// Genomes, newest first.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct GenomeList {
    /// The genomes.
    pub genomes: Vec<GenomeView>,
    /// What to ask for as `before` to see the next page; none on the last.
    pub next: Option<String>,
}

/// Presets, newest first.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct PresetList {
    /// The presets.
    pub presets: Vec<PresetView>,
    /// What to ask for as `before` to see the next page; none on the last.
    pub next: Option<String>,
}

/// What every club knows.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct KnownView {
    /// The built-in pieces.
    pub genomes: Vec<GenomeView>,
    /// The built-in presets.
    pub presets: Vec<PresetView>,
}

/// What a keeper changes; what is left out stays.
#[derive(Debug, Clone, Default, Serialize, Deserialize, ToSchema)]
pub struct KeptChange {
    /// Its name.
    #[serde(default)]
    pub name: Option<String>,
    /// Whether everybody may read it.
    #[serde(default)]
    pub published: Option<bool>,
    /// Whether everybody who knows its code may play with it.
    #[serde(default)]
    pub by_code: Option<bool>,
    /// Of a preset: whether its genomes, as far as they are mine, are to be published or usable by code with it.
    #[serde(default)]
    pub with_genomes: bool,
}

/// A kept genome as its keeper sees it.
pub(super) fn genome_view(kept: GmoKept, looks: &LookKey) -> GenomeView {
    let look = Genome::parse(&kept.text).map_or(0, |genome| looks.of(&genome));
    GenomeView {
        code: kept.code,
        name: kept.name,
        keeper: Some(kept.keeper),
        dna: Some(kept.text),
        look,
        published: kept.published,
        by_code: kept.by_code,
        kept_at: kept.kept_at.0,
    }
}

/// The built-in genomes.
pub(super) fn known_views(looks: &LookKey) -> Vec<GenomeView> {
    let view = |known: &rules::gmo::KnownGenome| GenomeView {
        code: known.code.to_owned(),
        name: known.name.to_owned(),
        keeper: None,
        dna: Some(known.genome.dna().to_owned()),
        look: looks.of(&known.genome),
        published: true,
        by_code: true,
        kept_at: 0,
    };
    known_genomes().iter().map(view).collect()
}
