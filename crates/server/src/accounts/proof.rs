//! Proving once more who one is, before something that matters: the password, and the code where there is one.

use std::net::IpAddr;

use store::{AccountId, Player, StoreError, TokenHash};

use super::throttle::CODE;
use super::{AccountError, Accounts, Visitor};

/// What somebody hands in to prove who they are.
pub(crate) struct Proof<'a> {
    /// The password.
    pub(crate) password: &'a str,
    /// The field it came in, for the answer.
    pub(crate) field: &'a str,
    /// The code of the second factor, or a recovery code.
    pub(crate) code: Option<&'a str>,
}

impl Accounts {
    /// The player who asks.
    pub(super) async fn player_of(&self, visitor: &Visitor) -> Result<Player, AccountError> {
        let id: AccountId = visitor.account_id().ok_or(AccountError::NoSession)?;
        Ok(self.0.store.load_player(id).await?)
    }

    /// Asks for the password again, and for the code if the second factor is on.
    pub(super) async fn prove(
        &self,
        visitor: &Visitor,
        proof: Proof<'_>,
    ) -> Result<Player, AccountError> {
        let player = self.player_of(visitor).await?;
        let attempt = self.attempt("password", player.id.as_str(), visitor.address);
        self.0.throttle.check(&attempt).map_err(AccountError::TooManyAttempts)?;
        self.0.throttle.count(&attempt);
        if !self.0.hashing.verify(proof.password, player.password.as_deref()).await? {
            let detail = "this is not your password";
            return Err(AccountError::field(proof.field, "wrong_password", detail));
        }
        self.0.throttle.forgive(&attempt);
        self.owner_is_there(&player).await?;
        if player.second_factor().is_some() {
            let code = proof.code.filter(|code| !code.trim().is_empty());
            let code = code.ok_or(AccountError::SecondFactorRequired)?;
            self.check_code(&player, code, visitor.address).await?;
        }
        if let Some(token) = visitor.token {
            self.0.store.note_proof(token, self.now()).await?;
        }
        Ok(player)
    }

    /// Checks and uses up a code of the second factor or a recovery code. Each is good once.
    pub(super) async fn check_code(
        &self,
        player: &Player,
        code: &str,
        address: IpAddr,
    ) -> Result<(), AccountError> {
        let attempt = self.attempt(CODE, player.id.as_str(), address);
        self.0.throttle.check(&attempt).map_err(AccountError::TooManyAttempts)?;
        self.0.throttle.count(&attempt);
        let code: String =
            code.chars().filter(char::is_ascii_alphanumeric).collect::<String>().to_lowercase();
        let is_digits = code.len() == 6 && code.bytes().all(|byte| byte.is_ascii_digit());
        let used = if is_digits {
            self.use_totp_code(player, &code).await
        } else {
            self.0.store.use_recovery_code(player.id, self.recovery_hash(&code)).await
        };
        match used {
            Err(StoreError::NotFound | StoreError::Conflict) => {
                let detail = "this code is wrong, or it was used before";
                Err(AccountError::field("code", "wrong_code", detail))
            }
            other => {
                other?;
                self.0.throttle.forgive(&attempt);
                Ok(())
            }
        }
    }

    async fn use_totp_code(&self, player: &Player, code: &str) -> Result<(), StoreError> {
        let totp = player.second_factor().ok_or(StoreError::NotFound)?;
        let seed = self.open_seed(player.id, &totp.seed)?;
        let step =
            super::totp::matching_step(&seed, code, self.now()).ok_or(StoreError::NotFound)?;
        self.0.store.use_totp_step(player.id, step).await
    }

    /// The hash under which a recovery code is kept: with the instance's key, so that a stolen database is no help.
    pub(super) fn recovery_hash(&self, code: &str) -> TokenHash {
        TokenHash(self.0.key.derive(&format!("recovery code {code}")))
    }

    pub(super) fn open_seed(&self, id: AccountId, sealed: &[u8]) -> Result<Vec<u8>, StoreError> {
        self.0.key.open(id.as_str(), sealed).ok_or_else(|| {
            let what =
                "a second factor's seed cannot be decrypted: it belongs to another instance key";
            StoreError::Damaged(what.to_owned())
        })
    }
}
