//! Records of one move with chance. Only the kings can end the game here: the test for moves is left out.

use serde_json::{Map, Value, json};

use super::compare::Difference;
use super::games::{pending, status};
use super::inputs::{self, Record};
use crate::gmo::chance::Seed;
use crate::gmo::error::MoveError;
use crate::gmo::play::{Move, Played, Scene};
use crate::gmo::token::board_tokens;

/// What the seed makes of the move.
pub(super) fn compute(record: &Record) -> Result<Map<String, Value>, Difference> {
    let mut scene = inputs::scene(record)?;
    let listed = scene.genomes.len();
    let seed = seed(inputs::text(record, "seed")?)
        .ok_or_else(|| Difference::malformed("seed", "64 digits are needed"))?;
    let ply = u32::try_from(inputs::number(record, "ply")?)
        .map_err(|_| Difference::malformed("ply", "the number is too large"))?;
    let chosen = inputs::text(record, "mv")?;
    let refused = |reason: String| Difference::new("mv", &json!(chosen), reason);
    let chosen: Move = chosen.parse().map_err(|error| refused(format!("{error}")))?;
    let played = play(&mut scene, chosen, &seed, ply)
        .map_err(|error| refused(format!("{}: {error}", error.code())))?;

    let mutated = played.mutation.map(|index| scene.genomes[index].dna());
    // Only genomes that are new and still on the board are listed.
    let added = |index| usize::from(index) >= listed;
    let on_board = scene.board.pieces().any(|(_, piece)| added(piece.genome.0));
    let further: Vec<&str> = mutated.filter(|_| on_board).into_iter().collect();
    Ok(Map::from_iter([
        ("land".to_owned(), played.landing.to_string().into()),
        ("mut".to_owned(), json!(mutated)),
        ("g2".to_owned(), json!(further)),
        (
            "end".to_owned(),
            json!({
                "p": board_tokens(&scene.board),
                "status": status(played.end),
                "pending": pending(played.promotions),
            }),
        ),
    ]))
}

fn play(scene: &mut Scene, chosen: Move, seed: &Seed, ply: u32) -> Result<Played, MoveError> {
    let target = scene.find_target(chosen)?;
    let luck = scene.roll(chosen, seed, ply)?;
    scene.carry_out(chosen, target, &luck)
}

/// 32 bytes as 64 hexadecimal digits.
fn seed(text: &str) -> Option<Seed> {
    let (pairs, []) = text.as_bytes().as_chunks::<2>() else { return None };
    let byte = |pair: &[u8; 2]| {
        let digits =
            std::str::from_utf8(pair).ok().filter(|_| pair.iter().all(u8::is_ascii_hexdigit))?;
        u8::from_str_radix(digits, 16).ok()
    };
    let bytes: Vec<u8> = pairs.iter().map(byte).collect::<Option<_>>()?;
    bytes.try_into().ok().map(Seed)
}
