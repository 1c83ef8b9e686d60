//! What somebody has here, to take along: the studies they keep, and the reports they have asked for.

use serde::Serialize;
use store::{AccountId, ReportOf, Sight};

use super::report::wire::GameReport;
use super::wire::StudyCard;
use super::{Analysis, AnalysisError, tree};
use crate::games::GameError;

/// What somebody has here.
#[derive(Debug, Default, Serialize)]
pub(crate) struct Kept {
    studies: Vec<KeptStudy>,
    reports: Vec<KeptReport>,
}

#[derive(Debug, Serialize)]
struct KeptStudy {
    #[serde(flatten)]
    card: StudyCard,
    /// None as long as a game is played with one of its positions, in which it would be help.
    pgn: Option<String>,
}

#[derive(Debug, Serialize)]
struct KeptReport {
    /// The id of the game, or its number in the library after a `#`.
    of: String,
    /// None as long as it may not be seen.
    report: Option<Box<GameReport>>,
}

impl Analysis {
    /// What somebody has here, as far as they may see it now.
    pub(crate) async fn kept_by(&self, sight: Sight) -> Result<Kept, AnalysisError> {
        let Some(account) = sight.account() else { return Ok(Kept::default()) };
        let mut kept = Kept::default();
        for entry in self.store().studies_of(account).await? {
            let study = self.store().load_study(entry.id, account).await?;
            let may_read = async { self.may_read(Some(account), &tree::read(&study.pgn)?).await };
            let pgn = unless_hidden(may_read.await)?.map(|()| study.pgn);
            kept.studies.push(KeptStudy { card: study.entry.into(), pgn });
        }
        for of in self.store().reports_of(account).await? {
            let report = unless_hidden(self.report_of(of, account, sight).await)?.flatten();
            kept.reports.push(KeptReport { of: of.to_string(), report });
        }
        Ok(kept)
    }

    async fn report_of(
        &self,
        of: ReportOf,
        account: AccountId,
        sight: Sight,
    ) -> Result<Option<Box<GameReport>>, AnalysisError> {
        let view = match of {
            ReportOf::Game(game) => self.reports().show(game, sight).await?,
            // Whoever has asked for it could see the game.
            ReportOf::Library(number) => self.reports().show_asked(number, account).await?,
        };
        Ok(view.report)
    }
}

/// Nothing instead of what may not be seen, or cannot be any more; only a store that is in trouble is an error.
fn unless_hidden<T>(found: Result<T, AnalysisError>) -> Result<Option<T>, AnalysisError> {
    match found {
        Ok(found) => Ok(Some(found)),
        Err(error @ (AnalysisError::Store(_) | AnalysisError::Game(GameError::Store(_)))) => {
            Err(error)
        }
        Err(_) => Ok(None),
    }
}
