//! Hashing passwords: argon2id on a bounded number of threads, so that log-ins never delay a move.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};

use argon2::password_hash::phc::PasswordHash;
use argon2::{Algorithm, Argon2, Params, PasswordHasher, PasswordVerifier, Version};
use tokio::sync::{OnceCell, Semaphore};

use super::AccountError;
use super::passwords::normalize;
use crate::config::{AccountsConfig, Argon2Config};
use crate::world::Chance;

/// Hashings that may wait their turn. Beyond it people are asked to come back: the queue would only grow.
const MOST_WAITING: usize = 200;

/// The pool. Cheap to clone.
#[derive(Clone)]
pub(crate) struct Hashing(Arc<Inner>);

struct Inner {
    argon2: Argon2<'static>,
    chance: Chance,
    seats: Arc<Semaphore>,
    waiting: AtomicUsize,
    done: AtomicU64,
    /// What an unknown name's password is compared with: it takes as long as a known one's.
    dummy: OnceCell<String>,
}

impl Hashing {
    /// Makes ready. Parameters that argon2 does not know are replaced by the default ones, with a word in the log.
    pub(crate) fn new(config: &AccountsConfig, chance: Chance) -> Hashing {
        let params = params(&config.argon2).unwrap_or_else(|error| {
            tracing::error!(%error, "[accounts.argon2] cannot be used; the defaults are");
            Params::default()
        });
        Hashing(Arc::new(Inner {
            argon2: Argon2::new(Algorithm::Argon2id, Version::V0x13, params),
            chance,
            seats: Arc::new(Semaphore::new(config.hash_threads.max(1))),
            waiting: AtomicUsize::new(0),
            done: AtomicU64::new(0),
            dummy: OnceCell::new(),
        }))
    }

    /// Hashes a password into PHC form.
    pub(crate) async fn hash(&self, password: &str) -> Result<String, AccountError> {
        let password = normalize(password);
        let salt: [u8; 16] = self.0.chance.bytes();
        self.work(move |inner| {
            inner
                .argon2
                .hash_password_with_salt(password.as_bytes(), &salt)
                .map(|hash| hash.to_string())
        })
        .await?
        .map_err(|error| AccountError::Fault(error.to_string()))
    }

    /// Whether the password is the one. Without a stored one the same work is done for nothing.
    pub(crate) async fn verify(
        &self,
        password: &str,
        stored: Option<&str>,
    ) -> Result<bool, AccountError> {
        let is_known = stored.is_some();
        let stored = match stored {
            Some(stored) => stored.to_owned(),
            None => self.dummy().await?.to_owned(),
        };
        let password = normalize(password);
        let is_right = self
            .work(move |inner| {
                let hash = PasswordHash::new(&stored)?;
                inner.argon2.verify_password(password.as_bytes(), &hash)
            })
            .await?
            .is_ok();
        Ok(is_right && is_known)
    }

    /// Whether a stored hash was made with other parameters than those in force.
    pub(crate) fn is_outdated(&self, stored: &str) -> bool {
        let found = PasswordHash::new(stored)
            .ok()
            .map(|hash| (hash.algorithm.as_str() == "argon2id", Params::try_from(&hash).ok()));
        !matches!(found, Some((true, Some(params))) if same(&params, self.0.argon2.params()))
    }

    /// How many hashings were done: what an answer cost, for tests of "same work for everybody".
    pub(crate) fn done(&self) -> u64 {
        self.0.done.load(Ordering::Relaxed)
    }

    async fn dummy(&self) -> Result<&str, AccountError> {
        let make = || async {
            let secret = self.0.chance.bytes::<16>().map(|byte| char::from(byte % 26 + b'a'));
            let hash = self.hash(&secret.iter().collect::<String>()).await;
            // Made once and for nobody: it is no part of anybody's answer.
            self.0.done.fetch_sub(1, Ordering::Relaxed);
            hash
        };
        self.0.dummy.get_or_try_init(make).await.map(String::as_str)
    }

    async fn work<T: Send + 'static>(
        &self,
        job: impl FnOnce(&Inner) -> T + Send + 'static,
    ) -> Result<T, AccountError> {
        let fault = |error: &dyn std::fmt::Display| AccountError::Fault(error.to_string());
        let waiting = Waiting::begin(&self.0).ok_or(AccountError::Busy)?;
        let seat = self.0.seats.clone().acquire_owned().await.map_err(|error| fault(&error))?;
        // The job takes its seat along: a client that goes away does not make room before the work is done.
        let job = move || {
            let result = job(&waiting.0);
            waiting.0.done.fetch_add(1, Ordering::Relaxed);
            drop((seat, waiting));
            result
        };
        tokio::task::spawn_blocking(job).await.map_err(|error| fault(&error))
    }
}

/// One of those who wait or work.
struct Waiting(Arc<Inner>);

impl Waiting {
    fn begin(inner: &Arc<Inner>) -> Option<Waiting> {
        let waiting = Waiting(inner.clone());
        (inner.waiting.fetch_add(1, Ordering::Relaxed) < MOST_WAITING).then_some(waiting)
    }
}

impl Drop for Waiting {
    fn drop(&mut self) {
        self.0.waiting.fetch_sub(1, Ordering::Relaxed);
    }
}

fn params(config: &Argon2Config) -> Result<Params, argon2::Error> {
    Params::new(config.memory_kib, config.iterations, config.lanes, None)
}

fn same(a: &Params, b: &Params) -> bool {
    (a.m_cost(), a.t_cost(), a.p_cost()) == (b.m_cost(), b.t_cost(), b.p_cost())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pool(memory_kib: u32) -> Hashing {
        let argon2 = Argon2Config { memory_kib, iterations: 1, lanes: 1 };
        let config = AccountsConfig { argon2, ..AccountsConfig::default() };
        Hashing::new(&config, Chance::from_seed(1))
    }

    #[tokio::test]
    async fn a_password_opens_its_own_hash_and_no_other() {
        let pool = pool(64);
        let (one, two) =
            (pool.hash("rook lift").await.unwrap(), pool.hash("rook lift").await.unwrap());
        assert!(one.starts_with("$argon2id$v=19$m=64,t=1,p=1$"), "{one}");
        assert_ne!(one, two, "each has its own salt");
        assert!(pool.verify("rook lift", Some(&one)).await.unwrap());
        assert!(!pool.verify("rook lift ", Some(&one)).await.unwrap());
        assert!(!pool.verify("", Some(&one)).await.unwrap());
        assert!(!pool.verify("rook lift", Some("no hash")).await.unwrap());
    }

    #[tokio::test]
    async fn an_unknown_account_costs_the_same_work() {
        let pool = pool(64);
        let stored = pool.hash("rook lift").await.unwrap();
        let before = pool.done();
        assert!(!pool.verify("wrong", Some(&stored)).await.unwrap());
        let known = pool.done() - before;
        for _ in 0..3 {
            let before = pool.done();
            assert!(!pool.verify("wrong", None).await.unwrap());
            assert_eq!(pool.done() - before, known);
        }
    }

    #[tokio::test]
    async fn a_hash_of_other_parameters_still_opens_and_is_known_as_outdated() {
        let (old, new) = (pool(64), pool(128));
        let stored = old.hash("rook lift").await.unwrap();
        assert!(new.verify("rook lift", Some(&stored)).await.unwrap());
        assert!(new.is_outdated(&stored) && !old.is_outdated(&stored));
        assert!(old.is_outdated("$2b$12$abc"));
    }
}
