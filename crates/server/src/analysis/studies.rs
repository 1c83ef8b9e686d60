//! Studies: trees of variations that somebody keeps.

use rules::Position;
use store::{AccountId, StoreError, Study, StudyEntry, StudyId};

use super::wire::{NewStudy, StudyCard, StudyChange, StudyView, TreeView};
use super::{Analysis, AnalysisError, tree};

/// Studies that one person may keep.
const MOST_STUDIES: u32 = 500;
/// Characters of a name.
const LONGEST_NAME: usize = 100;

impl Analysis {
    /// The studies of somebody, the last changed first.
    pub async fn studies(&self, owner: AccountId) -> Result<Vec<StudyCard>, AnalysisError> {
        let entries = self.store().studies_of(owner).await?;
        Ok(entries.into_iter().map(StudyCard::from).collect())
    }

    /// Keeps a new study.
    pub async fn make_study(
        &self,
        owner: AccountId,
        new: NewStudy,
    ) -> Result<StudyView, AnalysisError> {
        let name = checked_name(&new.name)?;
        let pgn = tree::write(&new.tree)?;
        let now = self.world().time.now();
        let entry = StudyEntry {
            id: StudyId::from_bits(self.world().chance.bits()),
            name,
            variant: new.tree.variant,
            version: 1,
            created_at: now,
            changed_at: now,
        };
        let study = Study { entry, owner, pgn };
        self.store().create_study(study.clone(), MOST_STUDIES).await.map_err(
            |error| match error {
                StoreError::Conflict => AnalysisError::TooManyStudies(MOST_STUDIES),
                other => other.into(),
            },
        )?;
        view(study)
    }

    /// A study of somebody's own, if its positions may be looked at now.
    pub async fn study(&self, id: StudyId, owner: AccountId) -> Result<StudyView, AnalysisError> {
        let view = view(self.store().load_study(id, owner).await.map_err(unknown)?)?;
        self.may_read(Some(owner), &view.tree).await?;
        Ok(view)
    }

    /// Writes a study anew.
    pub async fn change_study(
        &self,
        id: StudyId,
        owner: AccountId,
        change: StudyChange,
    ) -> Result<StudyCard, AnalysisError> {
        let name = checked_name(&change.name)?;
        let pgn = tree::write(&change.tree)?;
        let now = self.world().time.now();
        self.store().save_study(id, owner, change.version, name, pgn, now).await.map_err(
            |error| match error {
                StoreError::Conflict => AnalysisError::StudyChanged,
                other => unknown(other),
            },
        )?;
        let study = self.store().load_study(id, owner).await.map_err(unknown)?;
        Ok(study.entry.into())
    }

    /// Throws a study away.
    pub async fn delete_study(&self, id: StudyId, owner: AccountId) -> Result<(), AnalysisError> {
        self.store().delete_study(id, owner).await.map_err(unknown)
    }

    /// Reads a PGN into a tree, if its positions may be looked at now.
    pub async fn read_pgn(
        &self,
        account: Option<AccountId>,
        text: &str,
    ) -> Result<TreeView, AnalysisError> {
        let tree = tree::read(text)?;
        self.may_read(account, &tree).await?;
        Ok(tree)
    }

    pub(super) async fn may_read(
        &self,
        account: Option<AccountId>,
        tree: &TreeView,
    ) -> Result<(), AnalysisError> {
        let positions: Vec<Position> = tree::positions(tree);
        self.fair_play().may_read(account, tree.variant, &positions).await
    }
}

fn view(study: Study) -> Result<StudyView, AnalysisError> {
    let tree = tree::read(&study.pgn)?;
    Ok(StudyView { card: study.entry.into(), tree })
}

fn checked_name(name: &str) -> Result<String, AnalysisError> {
    let name = name.trim();
    let fits = (1..=LONGEST_NAME).contains(&name.chars().count());
    let is_plain = !name.contains(char::is_control);
    (fits && is_plain).then(|| name.to_owned()).ok_or(AnalysisError::BadName)
}

fn unknown(error: StoreError) -> AnalysisError {
    match error {
        StoreError::NotFound => AnalysisError::UnknownStudy,
        other => other.into(),
    }
}
