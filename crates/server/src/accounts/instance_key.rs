//! The instance's key: it encrypts what must be read again (seeds of second factors) and signs what comes back to us.

use std::fmt;

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use chacha20poly1305::aead::{Aead as _, KeyInit as _, Payload};
use chacha20poly1305::{XChaCha20Poly1305, XNonce};
use hmac::{Hmac, Mac as _};
use sha2::Sha256;

use crate::world::Chance;

/// Bytes of the nonce in front of a sealed text.
const NONCE: usize = 24;

/// 32 secret bytes that belong to this instance. They are not in the database: a stolen copy of it opens nothing.
#[derive(Clone, PartialEq, Eq)]
pub struct InstanceKey([u8; 32]);

/// The text is no key.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("an instance key is 32 bytes in base64")]
pub struct NotAKey;

impl InstanceKey {
    /// Draws a new one.
    pub fn draw(chance: &Chance) -> InstanceKey {
        InstanceKey(chance.bytes())
    }

    /// Reads one as [`InstanceKey::to_base64`] writes it.
    pub fn from_base64(text: &str) -> Result<InstanceKey, NotAKey> {
        let bytes = BASE64_STANDARD.decode(text.trim()).map_err(|_| NotAKey)?;
        bytes.try_into().map(InstanceKey).map_err(|_| NotAKey)
    }

    /// The key as text, to be kept where nobody else reads.
    pub fn to_base64(&self) -> String {
        BASE64_STANDARD.encode(self.0)
    }

    /// A key of its own for one purpose, so that no two uses can be played off against each other.
    pub(crate) fn derive(&self, purpose: &str) -> [u8; 32] {
        let mut mac =
            Hmac::<Sha256>::new_from_slice(&self.0).expect("HMAC takes a key of any length");
        mac.update(purpose.as_bytes());
        mac.finalize().into_bytes().into()
    }

    /// Encrypts something that belongs to `owner`: it can be opened for the same owner only.
    pub(crate) fn seal(&self, chance: &Chance, owner: &str, secret: &[u8]) -> Vec<u8> {
        let nonce: [u8; NONCE] = chance.bytes();
        let payload = Payload { msg: secret, aad: owner.as_bytes() };
        let sealed = self
            .cipher()
            .encrypt(&XNonce::from(nonce), payload)
            .expect("a few bytes can always be encrypted");
        [nonce.as_slice(), &sealed].concat()
    }

    /// Decrypts it again. None if it was sealed with another key, for somebody else, or changed since.
    pub(crate) fn open(&self, owner: &str, sealed: &[u8]) -> Option<Vec<u8>> {
        let (nonce, sealed) = sealed.split_first_chunk::<NONCE>()?;
        let payload = Payload { msg: sealed, aad: owner.as_bytes() };
        self.cipher().decrypt(&XNonce::from(*nonce), payload).ok()
    }

    fn cipher(&self) -> XChaCha20Poly1305 {
        XChaCha20Poly1305::new(&self.derive("seal").into())
    }
}

impl fmt::Debug for InstanceKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("InstanceKey(…)")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_sealed_opens_for_the_same_owner_and_key_only() {
        let chance = Chance::from_seed(1);
        let (key, other) = (InstanceKey::draw(&chance), InstanceKey::draw(&chance));
        let sealed = key.seal(&chance, "ann", b"seed");
        assert_eq!(key.open("ann", &sealed).as_deref(), Some(b"seed".as_slice()));
        assert_eq!(key.open("eve", &sealed), None);
        assert_eq!(other.open("ann", &sealed), None);
        for place in 0..sealed.len() {
            let mut changed = sealed.clone();
            changed[place] ^= 1;
            assert_eq!(key.open("ann", &changed), None, "byte {place}");
        }
        assert_eq!(key.open("ann", &sealed[..10]), None);
        assert!(!sealed.windows(4).any(|bytes| bytes == b"seed"));
    }

    #[test]
    fn a_key_survives_its_text_and_is_not_shown_by_accident() {
        let key = InstanceKey::draw(&Chance::from_seed(2));
        assert_eq!(InstanceKey::from_base64(&format!("{}\n", key.to_base64())), Ok(key.clone()));
        assert_eq!(InstanceKey::from_base64("short"), Err(NotAKey));
        assert_eq!(format!("{key:?}"), "InstanceKey(…)");
        assert_ne!(key.derive("a"), key.derive("b"));
    }
}
