//! Records of reading DNA.

use serde_json::{Map, Value, json};

use super::compare::Difference;
use super::inputs::{Record, text};
use crate::gmo::genome::{Block, Effect, Genome, Heir, Step};

/// Everything that follows from the field `in`.
pub(super) fn compute(record: &Record) -> Result<Map<String, Value>, Difference> {
    let mut computed = Map::new();
    match Genome::parse(text(record, "in")?) {
        Ok(genome) => {
            let mut debuffs: Vec<&str> =
                genome.debuffs().iter().map(crate::gmo::Debuff::name).collect();
            debuffs.sort_unstable();
            computed.insert("ok".into(), json!(true));
            computed.insert("code".into(), json!(genome.code()));
            computed.insert("debuffs".into(), json!(debuffs));
            computed.insert("blocks".into(), genome.blocks().iter().map(block).collect());
        }
        Err(error) => {
            computed.insert("ok".into(), json!(false));
            computed.insert("err".into(), json!(error.fault.code()));
            computed.insert("at".into(), json!(error.at));
        }
    }
    Ok(computed)
}

fn block(block: &Block) -> Value {
    let own: String = [block.origin_owner, block.landing_owner].map(heir).iter().collect();
    let body: Vec<String> = block.steps().iter().map(Step::to_string).collect();
    json!({ "own": own, "eff": block.effects.map(effect), "body": body })
}

const fn heir(heir: Heir) -> char {
    match heir {
        Heir::Mover => 'm',
        Heir::Enemy => 'e',
    }
}

fn effect(effect: Option<Effect>) -> String {
    effect.map_or("--".to_owned(), |effect| {
        [effect.origin.letter(), effect.landing.letter()].iter().collect()
    })
}
