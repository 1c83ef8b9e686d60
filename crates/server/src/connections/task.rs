//! One task for each site: whose turn it is, how long to wait, what came of it.

use rules::UnixMillis;
use store::{Connection, ConnectionState, StoreError, Visit};

use super::client::Trouble;
use super::problem::ConnectionProblem;
use super::site::Site;
use super::sync::{Reading, Step};
use super::{Connections, StepError};

/// How long after trouble with our own storage it is tried again.
const STORAGE: i64 = 5_000;
/// The first wait after a failure; every further one is twice as long.
const FIRST_WAIT: i64 = 60_000;
/// The longest wait.
const LONGEST_WAIT: i64 = 6 * 3_600_000;
/// How often a profile is looked at for a code by itself, and for how long.
const LOOK_AGAIN: i64 = 3_600_000;
const LOOK_FOR: i64 = 3 * 24 * 3_600_000;

/// Visits a site for one connection after the other, one question at a time, for as long as the server lives.
pub(super) async fn visit_site(connections: Connections, site: Site) {
    let (store, time) = (&connections.0.store, &connections.0.world.time);
    // Before that, the index is being compared with the database: games would be in it twice.
    connections.0.library.ready().await;
    let mut reading = Reading::default();
    let mut quiet_until = UnixMillis(0);
    loop {
        let now = time.now();
        if quiet_until > now {
            time.sleep_until(quiet_until).await;
            continue;
        }
        let due = match store.due_connection(site.service.name(), now).await {
            Ok(Some(connection)) => Ok(Ok(connection)),
            Ok(None) => store.next_connection_at(site.service.name()).await.map(Err),
            Err(error) => Err(error),
        };
        match due {
            Ok(Ok(connection)) => {
                if let Some(until) = connections.visit(&site, &connection, &mut reading).await {
                    quiet_until = until;
                }
            }
            Ok(Err(Some(at))) => tokio::select! {
                () = site.bell.notified() => {}
                () = time.sleep_until(at) => {}
            },
            Ok(Err(None)) => site.bell.notified().await,
            Err(error) => {
                tracing::warn!(%error, "connected accounts wait for the storage");
                time.sleep(STORAGE).await;
            }
        }
    }
}

/// How long to wait after so many failures.
fn back_off(failures: i64) -> i64 {
    let doubled = u32::try_from(failures).unwrap_or(u32::MAX).min(16);
    (FIRST_WAIT << doubled).min(LONGEST_WAIT)
}

impl Connections {
    /// Asks the site for a connection whose turn it is. Gives the moment until which the site is to be left alone.
    async fn visit(
        &self,
        site: &Site,
        connection: &Connection,
        reading: &mut Reading,
    ) -> Option<UnixMillis> {
        let outcome = match connection.state {
            ConnectionState::Unproven => {
                self.check_proof(site, connection).await.map(|()| Step::Proven)
            }
            ConnectionState::Active => self.sync(site, connection, reading).await,
            ConnectionState::Stopped => return None,
        };
        let now = self.now();
        let mut quiet_until = None;
        let later = |by: i64| Some(UnixMillis(now.0 + by));
        let visit = match outcome {
            Ok(Step::More { total }) => Visit { total, next_at: Some(now), ..Visit::default() },
            Ok(Step::Whole { total }) => {
                Visit { is_whole: true, total, next_at: later(self.0.every), ..Visit::default() }
            }
            // It has noted itself; or its owner has stopped it or gone meanwhile.
            Ok(Step::Proven)
            | Err(StepError::Store(StoreError::Conflict | StoreError::NotFound)) => return None,
            Err(StepError::Store(error)) => {
                tracing::warn!(%error, "connected accounts wait for the storage");
                return later(STORAGE);
            }
            Err(StepError::Library(error)) => {
                tracing::error!(%error, "the library does not take games of a connected account");
                return later(FIRST_WAIT);
            }
            Err(StepError::Problem(problem)) => {
                let is_young = now.0 - connection.created_at.0 < LOOK_FOR;
                let looks_again = problem == ConnectionProblem::NoCode && is_young;
                Visit {
                    problem: problem.code().to_owned(),
                    forget_token: problem != ConnectionProblem::NoCode,
                    next_at: if looks_again { later(LOOK_AGAIN) } else { None },
                    ..Visit::default()
                }
            }
            Err(StepError::Trouble(trouble)) => {
                let wait = match &trouble {
                    Trouble::Busy { wait } => {
                        wait.unwrap_or(0).max(back_off(connection.failures.min(5)))
                    }
                    _ => back_off(connection.failures),
                };
                if matches!(trouble, Trouble::Busy { .. }) {
                    quiet_until = later(wait);
                }
                failed(site, connection, &trouble, later(wait))
            }
        };
        if let Err(error) = self.0.store.note_visit(connection, visit, now).await {
            tracing::warn!(%error, "what came of visiting a site is not noted");
            return later(STORAGE);
        }
        quiet_until
    }
}

fn failed(
    site: &Site,
    connection: &Connection,
    trouble: &Trouble,
    next_at: Option<UnixMillis>,
) -> Visit {
    let had_token = connection.token.is_some();
    let is_denied = matches!(trouble, Trouble::Denied);
    let problem = match trouble {
        Trouble::Denied if !had_token => ConnectionProblem::Failing,
        trouble => trouble.into(),
    };
    tracing::info!(site = site.service.name(), connection = connection.id, %trouble, "a visit failed");
    Visit {
        has_failed: true,
        problem: problem.code().to_owned(),
        forget_token: is_denied && had_token,
        next_at,
        ..Visit::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_failure_doubles_the_wait_up_to_a_limit() {
        assert_eq!([0, 1, 2].map(back_off), [60_000, 120_000, 240_000]);
        assert_eq!(back_off(20), LONGEST_WAIT);
        assert_eq!(back_off(i64::MAX), LONGEST_WAIT);
    }
}
