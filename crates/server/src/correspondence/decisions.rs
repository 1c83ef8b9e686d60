//! Decisions of arbiters as players read them. What the clocks were set to stands in the game's log and nowhere else.

use store::{Decision, Store, StoreError};

use super::wire::{DecisionView, clocks_set};

/// The decisions, with the clocks that some of them have set.
pub(crate) async fn with_clocks(
    store: &Store,
    decisions: Vec<Decision>,
) -> Result<Vec<DecisionView>, StoreError> {
    let mut views = Vec::with_capacity(decisions.len());
    for decision in decisions {
        let clocks = if decision.act == "clocks" {
            let events = store.load_game(decision.game).await?.events;
            events.iter().filter(|event| event.at() == decision.at).find_map(clocks_set)
        } else {
            None
        };
        views.push(DecisionView { clocks, ..DecisionView::from(decision) });
    }
    Ok(views)
}
