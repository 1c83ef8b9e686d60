//! How often one address may change things or open sockets: a bucket of requests that refills with time.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::Arc;

use axum::extract::{Request, State};
use axum::http::{Method, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use parking_lot::Mutex;
use rules::UnixMillis;

use super::{ApiError, ClientAddress};
use crate::networks::neighbourhood;
use crate::world::Time;

/// Addresses remembered at most; when there are more, those with full buckets are forgotten.
const MOST: usize = 50_000;

/// The buckets. Cheap to clone.
#[derive(Clone)]
pub(crate) struct Rate {
    per_minute: u32,
    time: Time,
    buckets: Arc<Mutex<HashMap<IpAddr, Bucket>>>,
}

#[derive(Clone, Copy)]
struct Bucket {
    /// Thousandths of a request.
    left: i64,
    at: UnixMillis,
}

impl Rate {
    pub(crate) fn new(per_minute: u32, time: Time) -> Rate {
        Rate { per_minute, time, buckets: Arc::default() }
    }

    /// Takes a request out of an address's bucket, or says in how many seconds there will be one.
    fn take(&self, from: IpAddr) -> Result<(), u32> {
        let full = i64::from(self.per_minute) * 1_000;
        let now = self.time.now();
        let mut buckets = self.buckets.lock();
        if buckets.len() >= MOST {
            buckets.retain(|_, bucket| self.refilled(*bucket, now) < full);
        }
        let bucket = buckets.entry(from).or_insert(Bucket { left: full, at: now });
        *bucket = Bucket { left: self.refilled(*bucket, now), at: now };
        if bucket.left < 1_000 {
            let millis = (1_000 - bucket.left) * 60 / i64::from(self.per_minute);
            return Err(u32::try_from(millis / 1_000 + 1).unwrap_or(60));
        }
        bucket.left -= 1_000;
        Ok(())
    }

    fn refilled(&self, bucket: Bucket, now: UnixMillis) -> i64 {
        let earned = (now.0 - bucket.at.0).max(0) * i64::from(self.per_minute) / 60;
        (bucket.left + earned).min(i64::from(self.per_minute) * 1_000)
    }
}

/// Refuses what comes too often. Reading is free: it costs the server next to nothing.
pub(crate) async fn limit_rate(State(rate): State<Rate>, request: Request, next: Next) -> Response {
    let changes = !matches!(*request.method(), Method::GET | Method::HEAD | Method::OPTIONS)
        || request.headers().contains_key(header::UPGRADE);
    let client = request.extensions().get::<ClientAddress>().map(|client| neighbourhood(client.0));
    if let (true, Some(client)) = (rate.per_minute > 0 && changes, client)
        && let Err(seconds) = rate.take(client)
    {
        return ApiError::too_many(seconds).into_response();
    }
    next.run(request).await
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::world::World;

    #[test]
    fn a_minute_s_worth_may_come_at_once_and_the_rest_must_wait() {
        let (world, hand) = World::simulated(1);
        let rate = Rate::new(60, world.time);
        let (a, b) = (IpAddr::from([10, 0, 0, 1]), IpAddr::from([10, 0, 0, 2]));
        assert!((0..60).all(|_| rate.take(a).is_ok()));
        assert_eq!(rate.take(a), Err(2));
        assert!(rate.take(b).is_ok(), "one address does not pay for another");
        hand.advance(1_000);
        assert!(rate.take(a).is_ok());
        assert!(rate.take(a).is_err());
    }
}
