//! A puzzle that costs a computer some work and a person nothing: ALTCHA's proof of work, without a third party.
//!
//! The plain SHA-256 form is used because a page on http in a local network has no `crypto.subtle` to help it.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use altcha::{
    Challenge, CreateChallengeOptions, Payload, VerifySolutionOptions, create_challenge,
    verify_solution,
};
use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use parking_lot::Mutex;
use rules::UnixMillis;
use serde_json::Value;

use super::instance_key::InstanceKey;
use crate::world::World;

/// How long a puzzle may be handed in.
const VALID_FOR: i64 = 10 * 60_000;
/// Where the signed parameters say when it ends: ours, because the library's own check reads the machine's clock.
const EXPIRES: &str = "expires";

/// The puzzles. Cheap to clone.
#[derive(Clone)]
pub(crate) struct Captcha(Arc<Inner>);

struct Inner {
    world: World,
    work: u32,
    secret: String,
    key_secret: String,
    /// Signatures that were handed in, until they would have expired anyway: each puzzle counts once.
    used: Mutex<HashMap<String, i64>>,
}

impl Captcha {
    pub(crate) fn new(world: World, key: &InstanceKey, work: u32) -> Captcha {
        let secret = |purpose| super::hex(&key.derive(purpose));
        Captcha(Arc::new(Inner {
            world,
            work: work.max(2),
            secret: secret("captcha"),
            key_secret: secret("captcha solution"),
            used: Mutex::default(),
        }))
    }

    /// A new puzzle.
    pub(crate) fn challenge(&self) -> Result<Challenge, altcha::Error> {
        let Inner { world, work, secret, key_secret, .. } = &*self.0;
        let expires = world.time.now().0 + VALID_FOR;
        // Somewhere in the second half, so that no puzzle is free.
        let half = u64::from(work / 2);
        let counter = u32::try_from(half + world.chance.bits() % half.max(1)).unwrap_or(*work);
        create_challenge(CreateChallengeOptions {
            algorithm: "SHA-256".to_owned(),
            cost: 1,
            counter: Some(counter),
            data: Some(BTreeMap::from([(EXPIRES.to_owned(), Value::from(expires))])),
            hmac_signature_secret: Some(secret.clone()),
            hmac_key_signature_secret: Some(key_secret.clone()),
            ..CreateChallengeOptions::default()
        })
    }

    /// Whether this is the solution of a puzzle of ours that was not handed in before.
    pub(crate) fn accepts(&self, payload: &str) -> bool {
        let payload = BASE64_STANDARD.decode(payload).ok();
        let payload = payload.and_then(|bytes| serde_json::from_slice::<Payload>(&bytes).ok());
        payload.is_some_and(|payload| self.is_solved(&payload) && self.is_first_use(&payload))
    }

    fn is_solved(&self, payload: &Payload) -> bool {
        let options = VerifySolutionOptions {
            hmac_key_signature_secret: Some(self.0.key_secret.clone()),
            ..VerifySolutionOptions::new(&payload.challenge, &payload.solution, &self.0.secret)
        };
        verify_solution(options).is_ok_and(|result| result.verified)
    }

    fn is_first_use(&self, payload: &Payload) -> bool {
        let UnixMillis(now) = self.0.world.time.now();
        let data = payload.challenge.parameters.data.as_ref();
        let expires = data.and_then(|data| data.get(EXPIRES)).and_then(Value::as_i64).unwrap_or(0);
        let Some(signature) = payload.challenge.signature.clone() else { return false };
        let mut used = self.0.used.lock();
        used.retain(|_, expires| *expires > now);
        // The signature is hex: the same in capitals is the same puzzle.
        expires > now && used.insert(signature.to_ascii_lowercase(), expires).is_none()
    }
}

#[cfg(test)]
mod tests {
    use altcha::{SolveChallengeOptions, solve_challenge};

    use super::*;
    use crate::world::SimulatedTime;

    fn captcha() -> (Captcha, SimulatedTime) {
        let (world, hand) = World::simulated(1);
        let key = InstanceKey::draw(&world.chance);
        (Captcha::new(world, &key, 50), hand)
    }

    fn solve(challenge: Challenge) -> Payload {
        let solution = solve_challenge(SolveChallengeOptions::new(&challenge)).unwrap().unwrap();
        Payload { challenge, solution }
    }

    fn text(payload: &Payload) -> String {
        BASE64_STANDARD.encode(serde_json::to_string(payload).unwrap())
    }

    #[test]
    fn a_solved_puzzle_counts_once() {
        let (captcha, _) = captcha();
        let solved = solve(captcha.challenge().unwrap());
        assert!(captcha.accepts(&text(&solved)));
        assert!(!captcha.accepts(&text(&solved)), "the same again");
        let mut capitals = solved;
        capitals.challenge.signature = capitals.challenge.signature.map(|s| s.to_uppercase());
        assert!(!captcha.accepts(&text(&capitals)), "the same in capitals");
    }

    #[test]
    fn a_puzzle_ends_and_cannot_be_changed_or_guessed() {
        let (captcha, hand) = captcha();
        let late = solve(captcha.challenge().unwrap());
        let mut longer = late.clone();
        let data = longer.challenge.parameters.data.as_mut().unwrap();
        data.insert(EXPIRES.to_owned(), Value::from(i64::MAX));
        assert!(!captcha.accepts(&text(&longer)));
        let mut unsolved = solve(captcha.challenge().unwrap());
        unsolved.solution.derived_key = "00".repeat(32);
        assert!(!captcha.accepts(&text(&unsolved)));
        for nonsense in ["", "e30=", "not base64 at all"] {
            assert!(!captcha.accepts(nonsense), "{nonsense:?}");
        }
        hand.advance(VALID_FOR);
        assert!(!captcha.accepts(&text(&late)));
    }

    #[test]
    fn a_puzzle_of_another_instance_is_none_of_ours() {
        let (captcha, _) = captcha();
        let (world, _) = World::simulated(2);
        let other = Captcha::new(world.clone(), &InstanceKey::draw(&world.chance), 50);
        assert!(!captcha.accepts(&text(&solve(other.challenge().unwrap()))));
    }
}
