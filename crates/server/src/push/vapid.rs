//! Our signature under what we hand to a push service: RFC 8292.

use base64::Engine as _;
use base64::prelude::BASE64_URL_SAFE_NO_PAD as BASE64;
use p256::SecretKey;
use p256::ecdsa::signature::Signer as _;
use p256::ecdsa::{Signature, SigningKey};
use p256::elliptic_curve::sec1::ToSec1Point as _;
use rules::UnixMillis;
use serde_json::json;

use super::sealing::draw_key;
use crate::world::Chance;

/// How long a signature counts: the standard allows a day.
const VALID_FOR_SECONDS: i64 = 12 * 3_600;

/// The key by which push services know this club. It is never shown: there is no `Debug`.
pub(super) struct VapidKey {
    signing: SigningKey,
    public: Vec<u8>,
    /// Whom to ask about us.
    contact: String,
}

impl VapidKey {
    /// Draws one; gives its secret too, to be kept.
    pub(super) fn draw(chance: &Chance, contact: &str) -> (VapidKey, Vec<u8>) {
        let secret = draw_key(chance);
        let bytes = secret.to_bytes().to_vec();
        (VapidKey::new(&secret, contact), bytes)
    }

    /// The key of before.
    pub(super) fn from_secret(secret: &[u8], contact: &str) -> Option<VapidKey> {
        SecretKey::from_slice(secret).ok().map(|secret| VapidKey::new(&secret, contact))
    }

    fn new(secret: &SecretKey, contact: &str) -> VapidKey {
        let public = secret.public_key().to_sec1_point(false).as_bytes().to_vec();
        VapidKey { signing: SigningKey::from(secret), public, contact: contact.to_owned() }
    }

    /// The public half as browsers take it.
    pub(super) fn public_text(&self) -> String {
        BASE64.encode(&self.public)
    }

    /// The header `Authorization` for a push service.
    pub(super) fn authorization(&self, origin: &str, now: UnixMillis) -> String {
        let mut claims = json!({"aud": origin, "exp": now.0 / 1_000 + VALID_FOR_SECONDS});
        if !self.contact.is_empty() {
            claims["sub"] = json!(self.contact);
        }
        let head = BASE64.encode(r#"{"typ":"JWT","alg":"ES256"}"#);
        let signed = format!("{head}.{}", BASE64.encode(claims.to_string()));
        let signature: Signature = self.signing.sign(signed.as_bytes());
        let signature = BASE64.encode(signature.to_bytes());
        format!("vapid t={signed}.{signature}, k={}", self.public_text())
    }
}

#[cfg(test)]
mod tests {
    use p256::ecdsa::VerifyingKey;
    use p256::ecdsa::signature::Verifier as _;

    use super::*;

    #[test]
    fn a_signature_can_be_checked_with_the_key_beside_it() {
        let (key, secret) = VapidKey::draw(&Chance::from_seed(3), "mailto:chess@example.org");
        let header = key.authorization("https://push.example", UnixMillis(1_000_000));
        let rest = header.strip_prefix("vapid t=").unwrap();
        let (token, public) = rest.split_once(", k=").unwrap();
        let (signed, signature) = token.rsplit_once('.').unwrap();
        let signature = Signature::from_slice(&BASE64.decode(signature).unwrap()).unwrap();
        let public = VerifyingKey::from_sec1_bytes(&BASE64.decode(public).unwrap()).unwrap();
        public.verify(signed.as_bytes(), &signature).unwrap();
        let claims = BASE64.decode(signed.split_once('.').unwrap().1).unwrap();
        let claims: serde_json::Value = serde_json::from_slice(&claims).unwrap();
        assert_eq!(
            claims,
            json!({"aud": "https://push.example", "exp": 44_200, "sub": "mailto:chess@example.org"})
        );
        let again = VapidKey::from_secret(&secret, "").unwrap();
        assert_eq!(again.public_text(), key.public_text());
        assert!(VapidKey::from_secret(&[0; 32], "").is_none());
    }
}
