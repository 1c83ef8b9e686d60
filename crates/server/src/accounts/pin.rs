//! Confirming at somebody else's screen to be the one who plays: by the password, or by a PIN of a few digits.
//!
//! A PIN opens no account: nothing but a seat at a table is had by it. Its tries are counted in the store before they are
//! judged, so that neither many guesses at once nor a crash gives more of them.

use store::{Account, AccountKind, PinState, Player};

use super::log_in::may_log_in;
use super::proof::Proof;
use super::wire::NewPin;
use super::{AccountError, Accounts, Visitor};

/// What somebody confirms with.
pub(crate) enum Confirmation<'a> {
    /// The password.
    Password(&'a str),
    /// The PIN.
    Pin(&'a str),
}

impl Accounts {
    /// Sets the visitor's PIN; the password is asked for.
    pub(crate) async fn set_pin(
        &self,
        visitor: &Visitor,
        form: &NewPin,
    ) -> Result<(), AccountError> {
        if let Err((code, detail)) = check_pin(&form.pin) {
            return Err(AccountError::field("pin", code, detail));
        }
        let code = form.code.as_deref();
        let proof = Proof { password: &form.password, field: "password", code };
        let player = self.prove(visitor, proof).await?;
        let hash = self.0.hashing.hash(&form.pin).await?;
        Ok(self.0.store.set_pin(player.id, Some(hash), self.now()).await?)
    }

    /// Removes the visitor's PIN.
    pub(crate) async fn remove_pin(&self, visitor: &Visitor) -> Result<(), AccountError> {
        let player = self.player_of(visitor).await?;
        Ok(self.0.store.set_pin(player.id, None, self.now()).await?)
    }

    /// Whether the member of this name sits at the visitor's screen. Known or not, wrong is answered alike.
    pub(crate) async fn confirm_at_table(
        &self,
        visitor: &Visitor,
        name: &str,
        confirmation: Confirmation<'_>,
    ) -> Result<Account, AccountError> {
        let player = self.0.store.find_player(name.trim()).await?;
        let id = player.as_ref().map(|player| player.id);
        let account = id.map_or_else(|| name.trim().to_owned(), |id| id.to_string());
        let (what, wrong) = match confirmation {
            Confirmation::Password(_) => ("password", AccountError::BadCredentials),
            Confirmation::Pin(_) => ("pin", AccountError::BadPin),
        };
        let attempt = self.attempt(what, &account, visitor.address);
        self.0.throttle.check(&attempt).map_err(AccountError::TooManyAttempts)?;
        self.0.throttle.count(&attempt);
        let is_right = match confirmation {
            Confirmation::Password(password) => {
                let stored = player.as_ref().and_then(|player| player.password.as_deref());
                self.0.hashing.verify(password, stored).await?
            }
            Confirmation::Pin(pin) => {
                let stored = match id {
                    Some(id) => match self.0.store.try_pin(id).await? {
                        None if self.0.store.pin_state(id).await? == PinState::Locked => {
                            return Err(AccountError::PinLocked);
                        }
                        stored => stored,
                    },
                    None => None,
                };
                self.0.hashing.verify(pin, stored.as_deref()).await?
            }
        };
        let Some(player) = player.filter(|_| is_right) else { return Err(wrong) };
        self.0.throttle.forgive(&attempt);
        may_log_in(&player)?;
        self.owner_is_there(&player).await?;
        Ok(Account { id: player.id, kind: AccountKind::Player, name: player.name })
    }

    /// Somebody has shown to be the owner: a PIN that was guessed at has its tries again.
    pub(super) async fn owner_is_there(&self, player: &Player) -> Result<(), AccountError> {
        Ok(self.0.store.forgive_pin(player.id).await?)
    }
}

/// Whether digits can be a PIN: not the first that anybody would try.
fn check_pin(pin: &str) -> Result<(), (&'static str, &'static str)> {
    let is_digits = (4..=8).contains(&pin.len()) && pin.bytes().all(|byte| byte.is_ascii_digit());
    if !is_digits {
        return Err(("pin_digits", "a PIN has four to eight digits"));
    }
    let steps: Vec<i16> =
        pin.as_bytes().windows(2).map(|two| i16::from(two[1]) - i16::from(two[0])).collect();
    let is_row = steps.iter().all(|step| *step == steps[0]) && steps[0].abs() <= 1;
    if is_row {
        Err(("pin_guessed", "this PIN is among the first that anybody tries"))
    } else {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::check_pin;

    #[test]
    fn a_pin_has_four_to_eight_digits_that_are_no_row() {
        for (pin, expected) in [
            ("4711", None),
            ("90210", None),
            ("1358", None),
            ("27182818", None),
            ("471", Some("pin_digits")),
            ("271828182", Some("pin_digits")),
            ("47a1", Some("pin_digits")),
            ("٤٧١١", Some("pin_digits")),
            ("", Some("pin_digits")),
            ("0000", Some("pin_guessed")),
            ("1234", Some("pin_guessed")),
            ("87654321", Some("pin_guessed")),
        ] {
            assert_eq!(check_pin(pin).err().map(|(code, _)| code), expected, "{pin}");
        }
    }
}
