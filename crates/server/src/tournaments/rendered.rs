//! Standings as they are sent: rendered once for every version of an event, however many ask.

use std::collections::HashMap;

use axum::body::Bytes;
use parking_lot::Mutex;
use store::EventId;

use super::event::Event;
use super::view::standings_view;

/// Events whose standings are kept.
const KEPT: usize = 64;

/// The standings of events as JSON, each with the version it is true for.
#[derive(Default)]
pub(super) struct Rendered(Mutex<HashMap<EventId, (i64, Bytes)>>);

impl Rendered {
    /// The standings of an event as JSON.
    pub(super) fn standings(&self, event: &Event) -> Result<Bytes, serde_json::Error> {
        let kept = self.0.lock().get(&event.id).cloned();
        if let Some((_, body)) = kept.filter(|(version, _)| *version == event.version) {
            return Ok(body);
        }
        let body = Bytes::from(serde_json::to_vec(&standings_view(event))?);
        let mut all = self.0.lock();
        if all.len() >= KEPT {
            all.clear();
        }
        all.insert(event.id, (event.version, body.clone()));
        Ok(body)
    }
}
