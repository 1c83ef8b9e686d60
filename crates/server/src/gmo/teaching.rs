//! Events of hidden rules: teams find out for themselves how genomes work, so nobody explains anything to them.
//!
//! What is hidden is what the server explains: the meaning of codons, the words of an error (its code stays), walks,
//! handicaps and warnings. Whoever is not logged in is told nothing either as long as such an event runs: a player need
//! only log out to be nobody.

use store::{Store, StoreError};

use super::lab_wire::ExplanationView;
use super::{Gmo, GmoError};
use crate::accounts::Visitor;
use crate::tournaments::event::hides_rules;

/// Whether nothing is to be explained to this visitor now.
pub(crate) async fn rules_are_hidden(store: &Store, visitor: &Visitor) -> Result<bool, StoreError> {
    let player = visitor.account_id().filter(|_| visitor.is_player());
    let running = store.settings_of_running_events(player).await?;
    Ok(running.iter().any(|settings| hides_rules(settings)))
}

impl Gmo {
    /// Whether nothing is to be explained to this visitor now.
    pub(super) async fn hides_rules_from(&self, visitor: &Visitor) -> Result<bool, GmoError> {
        Ok(rules_are_hidden(&self.0.store, visitor).await?)
    }

    /// The same result, its error without words where nothing is to be explained.
    pub(super) async fn in_few_words<T>(
        &self,
        visitor: &Visitor,
        result: Result<T, GmoError>,
    ) -> Result<T, GmoError> {
        match result {
            Err(GmoError::Genome(error)) if self.hides_rules_from(visitor).await? => {
                Err(GmoError::Unexplained(error))
            }
            other => other,
        }
    }
}

impl ExplanationView {
    /// What is left of it where nothing is to be explained: the picture and the code, or where an error is and its code.
    pub(super) fn in_few_words(mut self) -> ExplanationView {
        self.codons.clear();
        if let Some(error) = &mut self.error {
            error.text.clear();
        }
        if let Some(genome) = &mut self.genome {
            genome.blocks.clear();
            genome.debuffs.clear();
            genome.warnings.clear();
        }
        self
    }
}
