//! Encryption for one browser: RFC 8291 (keys) over RFC 8188 (`aes128gcm`), in a single record.

use aes_gcm::aead::{Aead as _, KeyInit as _};
use aes_gcm::{Aes128Gcm, Nonce};
use hkdf::Hkdf;
use p256::elliptic_curve::sec1::ToSec1Point as _;
use p256::{PublicKey, SecretKey};
use sha2::Sha256;

use crate::world::Chance;

/// The size of a record that is announced; a message is always shorter.
const RECORD: u32 = 4_096;

/// Whether these bytes are a browser's key.
pub(super) fn is_public_key(bytes: &[u8]) -> bool {
    bytes.len() == 65 && PublicKey::from_sec1_bytes(bytes).is_ok()
}

/// Draws a secret key.
pub(super) fn draw_key(chance: &Chance) -> SecretKey {
    // Nearly every 32 bytes are a key; those that are not are drawn again.
    loop {
        if let Ok(key) = SecretKey::from_slice(&chance.bytes::<32>()) {
            return key;
        }
    }
}

/// Encrypts a text for the browser with this key and secret. None if the key is none.
pub(super) fn seal(chance: &Chance, browser: &[u8], auth: &[u8], text: &[u8]) -> Option<Vec<u8>> {
    seal_with(&draw_key(chance), chance.bytes(), browser, auth, text)
}

fn seal_with(
    ours: &SecretKey,
    salt: [u8; 16],
    browser: &[u8],
    auth: &[u8],
    text: &[u8],
) -> Option<Vec<u8>> {
    let theirs = PublicKey::from_sec1_bytes(browser).ok()?;
    let our_public = ours.public_key().to_sec1_point(false);
    let our_public = our_public.as_bytes();
    let shared = p256::ecdh::diffie_hellman(ours.to_nonzero_scalar(), theirs.as_affine());
    let info = [b"WebPush: info\0".as_slice(), browser, our_public].concat();
    let mut secret = [0; 32];
    Hkdf::<Sha256>::new(Some(auth), shared.raw_secret_bytes()).expand(&info, &mut secret).ok()?;
    let content = Hkdf::<Sha256>::new(Some(&salt), &secret);
    let (mut key, mut nonce) = ([0; 16], [0; 12]);
    content.expand(b"Content-Encoding: aes128gcm\0", &mut key).ok()?;
    content.expand(b"Content-Encoding: nonce\0", &mut nonce).ok()?;
    // 2 marks the last record.
    let record = [text, &[2]].concat();
    let sealed =
        Aes128Gcm::new(&key.into()).encrypt(&Nonce::from(nonce), record.as_slice()).ok()?;
    let length = u8::try_from(our_public.len()).ok()?;
    Some([&salt, RECORD.to_be_bytes().as_slice(), &[length], our_public, &sealed].concat())
}

#[cfg(test)]
mod tests {
    use base64::Engine as _;
    use base64::prelude::BASE64_URL_SAFE_NO_PAD as BASE64;

    use super::*;

    fn bytes(text: &str) -> Vec<u8> {
        BASE64.decode(text).unwrap()
    }

    /// The example of RFC 8291, appendix A.
    #[test]
    fn the_example_of_the_standard_comes_out_as_printed() {
        let ours =
            SecretKey::from_slice(&bytes("yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw")).unwrap();
        let browser = bytes(
            "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4",
        );
        let salt = bytes("DGv6ra1nlYgDCS1FRnbzlw").try_into().unwrap();
        let auth = bytes("BTBZMqHH6r4Tts7J_aSIgg");
        let text = b"When I grow up, I want to be a watermelon";
        let sealed = seal_with(&ours, salt, &browser, &auth, text).unwrap();
        assert_eq!(
            BASE64.encode(sealed),
            "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN"
        );
    }

    #[test]
    fn what_is_no_point_of_the_curve_is_no_key() {
        assert!(!is_public_key(&[4; 65]));
        assert!(!is_public_key(b"short"));
        assert_eq!(seal(&Chance::from_seed(1), &[4; 65], &[0; 16], b"x"), None);
    }
}
