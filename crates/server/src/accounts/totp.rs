//! The second factor: codes by RFC 6238 from an authenticator app, and recovery codes for the day the phone is gone.

use qrcode::QrCode;
use qrcode::render::svg;
use rules::UnixMillis;
use store::{AccountId, StoreError, TokenHash};
use totp_rs::{Builder, Secret, Totp};

use super::proof::Proof;
use super::throttle::CODE;
use super::wire::TotpProposal;
use super::{AccountError, Accounts, Visitor};
use crate::mail::MailKind;

/// Recovery codes somebody gets.
const CODES: usize = 16;
/// The letters of recovery codes: none that is easily taken for another.
const LETTERS: &[u8; 31] = b"abcdefghjkmnpqrstuvwxyz23456789";

/// The code's rules: six digits, thirty seconds, one step of grace on either side.
fn totp(seed: &[u8]) -> Builder {
    Builder::new().with_secret(Secret::from(seed))
}

/// The step whose code this is, if it is a code of about now.
pub(super) fn matching_step(seed: &[u8], code: &str, now: UnixMillis) -> Option<i64> {
    let totp = totp(seed).build().ok()?;
    let step = totp.check(code, u64::try_from(now.0 / 1_000).ok()?)?;
    i64::try_from(step).ok()
}

impl Accounts {
    /// Proposes a seed. It counts once a code made from it was shown.
    pub(crate) async fn propose_totp(
        &self,
        visitor: &Visitor,
        password: &str,
    ) -> Result<TotpProposal, AccountError> {
        let proof = Proof { password, field: "password", code: None };
        let player = self.player_of(visitor).await?;
        if player.second_factor().is_some() {
            return Err(AccountError::SecondFactorState);
        }
        let player = self.prove(visitor, proof).await?;
        let seed: [u8; 20] = self.0.world.chance.bytes();
        let sealed = self.0.key.seal(&self.0.world.chance, player.id.as_str(), &seed);
        match self.0.store.propose_totp(player.id, sealed).await {
            Err(StoreError::Conflict) => return Err(AccountError::SecondFactorState),
            other => other?,
        }
        let club = self.policy().await?.shown_name().replace(':', " ");
        let fault = |error: &dyn std::fmt::Display| AccountError::Fault(error.to_string());
        let totp: Totp = totp(&seed)
            .with_account_name(player.name)
            .with_issuer(Some(club))
            .build()
            .map_err(|error| fault(&error))?;
        let otpauth_uri = totp.to_url().map_err(|error| fault(&error))?;
        let code = QrCode::new(otpauth_uri.as_bytes()).map_err(|error| fault(&error))?;
        Ok(TotpProposal {
            secret: totp.secret().to_base32(),
            qr_svg: code.render::<svg::Color<'_>>().min_dimensions(240, 240).build(),
            otpauth_uri,
        })
    }

    /// Turns the second factor on with a code of the proposed seed; gives the recovery codes, once.
    pub(crate) async fn confirm_totp(
        &self,
        visitor: &Visitor,
        code: &str,
    ) -> Result<Vec<String>, AccountError> {
        let player = self.player_of(visitor).await?;
        let attempt = self.attempt(CODE, player.id.as_str(), visitor.address);
        self.0.throttle.check(&attempt).map_err(AccountError::TooManyAttempts)?;
        self.0.throttle.count(&attempt);
        let proposed = player.totp.as_ref().filter(|totp| totp.confirmed_at.is_none());
        let proposed = proposed.ok_or(AccountError::SecondFactorState)?;
        let seed = self.open_seed(player.id, &proposed.seed)?;
        let code: String = code.chars().filter(char::is_ascii_digit).collect();
        let step = matching_step(&seed, &code, self.now()).ok_or_else(|| {
            let detail = "this code is wrong; is the clock of your phone right?";
            AccountError::field("code", "wrong_code", detail)
        })?;
        let (codes, hashes) = self.draw_codes();
        match self.0.store.confirm_totp(player.id, step, hashes, self.now()).await {
            Err(StoreError::Conflict) => return Err(AccountError::SecondFactorState),
            other => other?,
        }
        self.0.throttle.forgive(&attempt);
        let name = player.name;
        self.tell(player.email.as_deref(), MailKind::SecondFactorChanged { name, on: true }).await;
        Ok(codes)
    }

    /// Turns the second factor off.
    pub(crate) async fn remove_totp(
        &self,
        visitor: &Visitor,
        proof: Proof<'_>,
    ) -> Result<(), AccountError> {
        let player = self.prove(visitor, proof).await?;
        self.0.store.remove_totp(player.id, Some(player.id), self.now()).await?;
        let name = player.name;
        self.tell(player.email.as_deref(), MailKind::SecondFactorChanged { name, on: false }).await;
        Ok(())
    }

    /// Makes new recovery codes; the old ones end.
    pub(crate) async fn renew_recovery_codes(
        &self,
        visitor: &Visitor,
        proof: Proof<'_>,
    ) -> Result<Vec<String>, AccountError> {
        let player = self.prove(visitor, proof).await?;
        if player.second_factor().is_none() {
            return Err(AccountError::SecondFactorState);
        }
        let (codes, hashes) = self.draw_codes();
        self.0.store.replace_recovery_codes(player.id, hashes, self.now()).await?;
        Ok(codes)
    }

    fn draw_codes(&self) -> (Vec<String>, Vec<TokenHash>) {
        let codes: Vec<String> = (0..CODES).map(|_| self.draw_code()).collect();
        let hashes = codes.iter().map(|code| self.recovery_hash(&code.replace('-', ""))).collect();
        (codes, hashes)
    }

    /// Ten letters in two groups: 49 bits, guessed a few times an hour at most.
    fn draw_code(&self) -> String {
        let letter = |byte: u8| char::from(LETTERS[usize::from(byte) % LETTERS.len()]);
        let letters: Vec<char> = self.0.world.chance.bytes::<10>().map(letter).to_vec();
        let group = |part: &[char]| part.iter().collect::<String>();
        format!("{}-{}", group(&letters[..5]), group(&letters[5..]))
    }

    /// Whether somebody has the second factor on and how many recovery codes are left.
    pub(super) async fn recovery_codes_left(&self, id: AccountId) -> Result<i64, AccountError> {
        Ok(self.0.store.recovery_codes_left(id).await?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The test values of RFC 6238, appendix B, for SHA-1: the last six of their eight digits.
    #[test]
    fn codes_are_those_of_the_rfc() {
        let seed = b"12345678901234567890";
        for (seconds, code) in [
            (59, "287082"),
            (1_111_111_109, "081804"),
            (1_111_111_111, "050471"),
            (1_234_567_890, "005924"),
            (2_000_000_000, "279037"),
        ] {
            let found = matching_step(seed, code, UnixMillis(seconds * 1_000));
            assert_eq!(found, Some(seconds / 30), "{code}");
        }
    }

    #[test]
    fn a_code_is_good_one_step_early_or_late_and_no_more() {
        let seed = b"12345678901234567890";
        let at = |seconds: i64| matching_step(seed, "287082", UnixMillis(seconds * 1_000));
        assert_eq!((at(29), at(30), at(89)), (Some(1), Some(1), Some(1)));
        assert_eq!((at(-1), at(90)), (None, None));
        for nonsense in ["", "28708", "2870822", "abcdef", "２８７０８２"] {
            assert_eq!(matching_step(seed, nonsense, UnixMillis(59_000)), None, "{nonsense}");
        }
    }
}
