//! Records of move lists.

use serde_json::{Map, Value, json};

use super::compare::Difference;
use super::inputs::{Record, scene};
use crate::gmo::play::{After, Scene};

/// The lists of all pieces of both sides.
pub(super) fn compute(record: &Record) -> Result<Map<String, Value>, Difference> {
    let scene = scene(record)?;
    let lists = scene
        .board
        .pieces()
        .map(|(origin, _)| (origin.to_string(), list(&scene, origin)))
        .collect();
    Ok(Map::from_iter([("m".to_owned(), Value::Object(lists))]))
}

fn list(scene: &Scene, origin: shakmaty::Square) -> Value {
    let targets = scene.targets(origin);
    let entries = targets.iter().map(|target| {
        let (on_origin, on_target) =
            scene.preview(origin, *target).unwrap_or((After::Empty, After::Empty));
        json!(format!("{}:{}:{}", target.square, after(on_origin), after(on_target)))
    });
    entries.collect()
}

fn after(after: After) -> String {
    match after {
        After::Empty => "-".to_owned(),
        After::Mover(owner) => format!("A{}", owner.char()),
        After::Other(owner) => format!("S{}", owner.char()),
    }
}
