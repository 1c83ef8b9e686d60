//! Why something about running the club was refused.

use store::StoreError;

use crate::accounts::AccountError;
use crate::accounts::fields::FieldProblem;

/// Why something about running the club was refused. Nothing was changed.
#[derive(Debug, Clone, thiserror::Error)]
pub enum AdministrationError {
    /// There is no such player.
    #[error("there is no player of this id")]
    UnknownUser,
    /// There is no such invitation or role.
    #[error("there is nothing of this name")]
    Unknown,
    /// The club would be left without anybody who could run it.
    #[error("this is the last administrator; make somebody else one first")]
    LastAdministrator,
    /// A director asked for somebody who has a role.
    #[error("directors look after players without a role; ask an administrator")]
    NotInYourCare,
    /// Something in the form is wrong.
    #[error("please look at the marked fields")]
    Fields(Vec<FieldProblem>),
    /// Another request took one of the names in the meantime.
    #[error("somebody else took one of these names just now; try again")]
    NameTaken,
    /// The accounts said no.
    #[error(transparent)]
    Account(#[from] AccountError),
    /// The store said no.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl AdministrationError {
    /// One field that is wrong.
    pub(super) fn field(field: &str, code: &str, detail: impl Into<String>) -> AdministrationError {
        AdministrationError::Fields(vec![FieldProblem::new(field, code, detail)])
    }
}
