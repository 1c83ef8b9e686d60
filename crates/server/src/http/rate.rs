//! How often one network or one account may change things or open sockets: buckets of requests that refill with time.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::Arc;

use axum::extract::{MatchedPath, Request, State};
use axum::http::{Method, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use parking_lot::Mutex;
use rules::UnixMillis;
use store::AccountId;

use super::{ApiError, ClientAddress, access};
use crate::accounts::Visitor;
use crate::networks::{Networks, neighbourhood};
use crate::world::Time;

/// Buckets remembered at most; when there are more, full ones are forgotten.
const MOST: usize = 50_000;
/// What requests cost, in thousandths.
const WHOLE: i64 = 1_000;
const QUESTION: i64 = 100;

/// The buckets. Cheap to clone.
#[derive(Clone)]
pub(crate) struct Rate {
    per_minute: u32,
    /// Classrooms: many people behind one address, who are counted by their accounts alone.
    exempt: Networks,
    time: Time,
    buckets: Arc<Mutex<HashMap<Source, Bucket>>>,
}

/// What requests are counted by.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Source {
    Network(IpAddr),
    Account(AccountId),
}

#[derive(Clone, Copy)]
struct Bucket {
    /// Thousandths of a request.
    left: i64,
    at: UnixMillis,
}

impl Rate {
    pub(crate) fn new(per_minute: u32, exempt: Networks, time: Time) -> Rate {
        Rate { per_minute, exempt, time, buckets: Arc::default() }
    }

    /// Takes so many thousandths of a request out of a bucket, or says in how many seconds they will be there.
    fn take(&self, from: Source, cost: i64) -> Result<(), u32> {
        let full = i64::from(self.per_minute) * 1_000;
        let now = self.time.now();
        let mut buckets = self.buckets.lock();
        if buckets.len() >= MOST {
            buckets.retain(|_, bucket| self.refilled(*bucket, now) < full);
        }
        let bucket = buckets.entry(from).or_insert(Bucket { left: full, at: now });
        *bucket = Bucket { left: self.refilled(*bucket, now), at: now };
        if bucket.left < cost {
            let millis = (cost - bucket.left) * 60 / i64::from(self.per_minute);
            return Err(u32::try_from(millis / 1_000 + 1).unwrap_or(60));
        }
        bucket.left -= cost;
        Ok(())
    }

    fn refilled(&self, bucket: Bucket, now: UnixMillis) -> i64 {
        let earned = (now.0 - bucket.at.0).max(0) * i64::from(self.per_minute) / 60;
        (bucket.left + earned).min(i64::from(self.per_minute) * 1_000)
    }
}

/// Refuses what comes too often from one network. Reading is free: it costs the server next to nothing.
pub(crate) async fn limit_network(
    State(rate): State<Rate>,
    request: Request,
    next: Next,
) -> Response {
    let client = request.extensions().get::<ClientAddress>().map(|client| client.0);
    let counted = client.filter(|client| !rate.exempt.contains(*client)).map(neighbourhood);
    limit(&rate, counted.map(Source::Network), request, next).await
}

/// Refuses what comes too often for one account, from wherever, with a cookie or a key.
pub(crate) async fn limit_account(
    State(rate): State<Rate>,
    request: Request,
    next: Next,
) -> Response {
    let account = request.extensions().get::<Visitor>().and_then(Visitor::account_id);
    limit(&rate, account.map(Source::Account), request, next).await
}

async fn limit(rate: &Rate, source: Option<Source>, request: Request, next: Next) -> Response {
    if let (Some(cost), Some(source)) = (cost(&request).filter(|_| rate.per_minute > 0), source)
        && let Err(seconds) = rate.take(source, cost)
    {
        return ApiError::too_many(seconds).into_response();
    }
    next.run(request).await
}

/// What a request costs, in thousandths; nothing if it only reads.
///
/// A question too long for an address is sent as POST and changes nothing all the same. A classroom in the lab asks with
/// every piece that somebody puts down.
fn cost(request: &Request) -> Option<i64> {
    let is_upgrade = request.headers().contains_key(header::UPGRADE);
    let is_free = matches!(*request.method(), Method::GET | Method::HEAD | Method::OPTIONS);
    let route = request.extensions().get::<MatchedPath>().map(MatchedPath::as_str);
    match route {
        _ if is_upgrade => Some(WHOLE),
        _ if is_free => None,
        Some(route) if access::is_question(request.method(), route) => Some(QUESTION),
        _ => Some(WHOLE),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::world::World;

    #[test]
    fn a_minute_s_worth_may_come_at_once_and_the_rest_must_wait() {
        let (world, hand) = World::simulated(1);
        let rate = Rate::new(60, Networks::default(), world.time);
        let network = |last| Source::Network(IpAddr::from([10, 0, 0, last]));
        let (a, b) = (network(1), network(2));
        assert!((0..60).all(|_| rate.take(a, WHOLE).is_ok()));
        assert_eq!(rate.take(a, WHOLE), Err(2));
        assert!(rate.take(b, WHOLE).is_ok(), "one network does not pay for another");
        hand.advance(1_000);
        assert!(rate.take(a, WHOLE).is_ok());
        assert!(rate.take(a, WHOLE).is_err());
    }
}
