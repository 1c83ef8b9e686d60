//! Reads that keep a processor busy: one core is left to the moves, and whoever asks for many waits for their own.
//!
//! They come from anybody and are not counted like changes: a class that looks through openings asks for hundreds a minute.
//! So they take turns instead.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::Arc;

use axum::body::{Body, HttpBody as _};
use axum::extract::{Request, State};
use axum::middleware::Next;
use axum::response::Response;
use futures_util::StreamExt as _;
use parking_lot::Mutex;
use tokio::sync::Semaphore;

use super::ClientAddress;
use crate::networks::{Networks, neighbourhood};

/// What costs much: painting, and asking the index of the library.
const HEAVY: [&str; 5] = [
    "/api/v1/library/explorer",
    "/api/v1/library/export",
    "/api/v1/library/games",
    "/api/v1/library/statistics",
    "/api/v1/pictures/position.png",
];
/// How many of them one address may have under way, downloads and the rest apart: who downloads may look around.
const PER_ADDRESS: usize = 2;
/// Addresses remembered at most; when there are more, those without a request under way are forgotten.
const MOST: usize = 10_000;

/// Whose turn it is. Cheap to clone.
#[derive(Clone)]
pub(crate) struct Heavy(Arc<Inner>);

struct Inner {
    all: Semaphore,
    /// Classrooms: many people behind one address.
    exempt: Networks,
    /// By address, and whether it is a download.
    own: Mutex<HashMap<(IpAddr, bool), Arc<Semaphore>>>,
}

impl Heavy {
    pub(crate) fn new(exempt: Networks) -> Heavy {
        let cores = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
        Heavy::at_once(cores.saturating_sub(1).max(1), exempt)
    }

    fn at_once(turns: usize, exempt: Networks) -> Heavy {
        Heavy(Arc::new(Inner { all: Semaphore::new(turns), exempt, own: Mutex::default() }))
    }

    /// The turns of whoever asks; none for those who are many.
    fn of(&self, request: &Request) -> Option<Arc<Semaphore>> {
        let client = request.extensions().get::<ClientAddress>()?.0;
        if self.0.exempt.contains(client) {
            return None;
        }
        let mut own = self.0.own.lock();
        if own.len() >= MOST {
            own.retain(|_, turns| Arc::strong_count(turns) > 1);
        }
        let is_download = request.uri().path().ends_with("/export");
        let turns = own.entry((neighbourhood(client), is_download));
        Some(turns.or_insert_with(|| Arc::new(Semaphore::new(PER_ADDRESS))).clone())
    }
}

/// Lets a heavy read wait for its turn. The limit on a request's time ends a wait that takes too long.
pub(crate) async fn take_turns(
    State(heavy): State<Heavy>,
    request: Request,
    next: Next,
) -> Response {
    if !HEAVY.contains(&request.uri().path()) {
        return next.run(request).await;
    }
    let own = match heavy.of(&request) {
        Some(turns) => turns.acquire_owned().await.ok(),
        None => None,
    };
    let answer = {
        let _turn = heavy.0.all.acquire().await;
        next.run(request).await
    };
    if answer.body().size_hint().exact().is_some() {
        return answer;
    }
    // A download is made while it is read: it stays one of its address's until its end. Of all turns it keeps none, or a
    // slow reader would hold everybody up.
    answer.map(|body| {
        Body::from_stream(body.into_data_stream().map(move |piece| {
            let _ = &own;
            piece
        }))
    })
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use axum::Router;
    use axum::middleware::from_fn_with_state;
    use axum::routing::get;
    use futures_util::future::join_all;
    use tower::ServiceExt as _;

    use super::*;

    fn request(path: &str, from: &str) -> Request {
        let mut request = axum::http::Request::get(path).body(Body::empty()).unwrap();
        request.extensions_mut().insert(ClientAddress(from.parse().unwrap()));
        request
    }

    #[tokio::test]
    async fn heavy_reads_take_turns_and_one_address_cannot_fill_the_queue() {
        let at_work = Arc::new(AtomicUsize::new(0));
        let work = get(move || async move {
            assert_eq!(at_work.fetch_add(1, Ordering::SeqCst), 0, "one at a time");
            for _ in 0..10 {
                tokio::task::yield_now().await;
            }
            at_work.fetch_sub(1, Ordering::SeqCst);
        });
        let heavy = Heavy::at_once(1, Networks::default());
        let app =
            Router::<()>::new().route(HEAVY[0], work).layer(from_fn_with_state(heavy, take_turns));
        let served = Mutex::new(Vec::new());
        let greedy = std::iter::repeat_n("203.0.113.1", 20);
        let asked = greedy.chain(["203.0.113.2"]).map(|from| {
            let (app, served) = (app.clone(), &served);
            async move {
                let answer = app.oneshot(request(HEAVY[0], from)).await.unwrap();
                assert_eq!(answer.status(), 200);
                served.lock().push(from);
            }
        });
        join_all(asked).await;
        let place = served.lock().iter().position(|from| *from == "203.0.113.2").unwrap();
        assert!(place <= PER_ADDRESS, "served as number {place}");
    }

    #[tokio::test]
    async fn a_download_is_one_of_its_address_s_until_it_ends() {
        let endless = get(|| async {
            Body::from_stream(futures_util::stream::repeat_with(|| {
                Ok::<_, std::convert::Infallible>("1. e4 e5\n")
            }))
        });
        let heavy = Heavy::at_once(1, Networks::default());
        let app = Router::<()>::new()
            .route("/api/v1/library/export", endless)
            .layer(from_fn_with_state(heavy.clone(), take_turns));
        let ask = |from: &str| app.clone().oneshot(request("/api/v1/library/export", from));
        let first = ask("203.0.113.1").await.unwrap();
        let second = ask("203.0.113.1").await.unwrap();
        ask("203.0.113.2").await.unwrap();
        let own = heavy.of(&request("/api/v1/library/export", "203.0.113.1")).unwrap();
        assert_eq!(own.available_permits(), 0);
        drop((first, second));
        assert_eq!(own.available_permits(), PER_ADDRESS);
    }
}
