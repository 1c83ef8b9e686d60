//! The record of a GMO game as one JSON object, in the tokens of the rules: what is needed to play it again elsewhere.

use axum::Json;
use axum::extract::State;
use rules::gmo::{
    EventToken, Genome, GenomeIndex, GmoPosition, Move, MoveToken, PromotionToken, Seed, Sha,
    board_tokens,
};
use rules::position::Fate;
use rules::{Action, Event, Game, GmoOptions, Outcome, Ply, Position, shakmaty};
use serde::{Deserialize, Serialize};
use store::GameId;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::{Gmo, GmoError};
use crate::accounts::Visitor;
use crate::games::wire::{Sides, TimeControlView};
use crate::http::{ApiError, AppState, Id};
use crate::lobby::wire::GmoTerms;

/// The routes of this file.
pub(super) fn router() -> OpenApiRouter<AppState> {
    OpenApiRouter::new().routes(routes!(export_gmo_game))
}

/// The record of a GMO game.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct GmoRecord {
    /// The version of the rules, `gmo1`.
    pub rules: String,
    /// The game.
    pub game: String,
    /// The names of both players.
    pub players: Sides<String>,
    /// When it began.
    pub created_at: i64,
    /// The time control.
    pub time: TimeControlView,
    /// What both agreed on.
    pub options: GmoTerms,
    /// SHA-256 of the last seed.
    pub seed_hash: Option<String>,
    /// The last seed.
    pub seed: Option<String>,
    /// All seeds in order, each with the first event whose chance follows from it. A game that an arbiter has opened
    /// again goes on with a new one, for the one before was revealed with its end.
    pub seeds: Vec<RecordSeed>,
    /// The genomes by their numbers.
    pub genomes: Vec<RecordGenome>,
    /// The pieces at the start, a1 first: square, `w` or `b`, number of the genome, `p` for a pawn, `k` for a king.
    pub start: Vec<String>,
    /// The squares of the kings at the start.
    pub kings: Vec<String>,
    /// Who was to move at the start: `w` or `b`.
    pub turn: String,
    /// How many moves had been made before the start: 0 but for positions that somebody has set up.
    pub ply: u32,
    /// What was played: `e2e4`, `e2e4>f5` if it deviated, `e2e4~12` if it mutated, `=e8:5` for a promotion.
    pub events: Vec<String>,
    /// What the mover had left after each of them; empty without a clock.
    pub left_ms: Vec<i64>,
    /// How it ended.
    pub result: Option<Outcome>,
}

/// A seed of a record.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct RecordSeed {
    /// The first event whose chance follows from it, from 0.
    pub from: u32,
    /// SHA-256 of the seed, known from the start.
    pub seed_hash: String,
    /// The seed: 64 hexadecimal digits.
    pub seed: String,
}

/// A genome of a record.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct RecordGenome {
    /// The code it has if it is the first with these digits.
    pub code: String,
    /// Its DNA.
    pub dna: String,
}

/// Export the record of a GMO game, once its genomes are revealed.
#[utoipa::path(get, path = "/api/v1/games/{id}/gmo", tag = "gmo", params(("id" = String, Path)),
    responses((status = 200, body = GmoRecord), (status = 403, description = "`hidden_genomes`"), (status = 404)))]
async fn export_gmo_game(
    State(gmo): State<Gmo>,
    visitor: Visitor,
    Id(id): Id<GameId>,
) -> Result<Json<GmoRecord>, ApiError> {
    let games = &gmo.0.games;
    let game = games.opened(id, &visitor).await.map_err(GmoError::from)?;
    let stored = games.record(id, &visitor).await.map_err(GmoError::from)?;
    let told = told(&game).ok_or(GmoError::NotGmo)?;
    let [white, black] = [stored.players.white, stored.players.black].map(|player| player.name);
    let GmoOptions { max_blocks, no_first_strike, reveal } = game.setup().gmo;
    Ok(Json(GmoRecord {
        rules: "gmo1".to_owned(),
        game: id.to_string(),
        players: Sides { white, black },
        created_at: game.started().0,
        time: TimeControlView::from(&game.setup().time),
        options: GmoTerms { max_blocks, no_first_strike, reveal },
        seed_hash: game.seed().map(|seed| seed.commitment().to_string()),
        seed: game.seed().map(|seed| Sha(seed.0).to_string()),
        seeds: seeds(&game, &stored.events),
        genomes: told.genomes,
        start: told.start,
        kings: told.kings,
        turn: told.turn.char().to_string(),
        ply: told.ply,
        events: told.events,
        left_ms: game.clock_history().iter().map(|left| left.0).collect(),
        result: game.outcome().copied(),
    }))
}

/// The part of a record that follows from the board.
struct Told {
    genomes: Vec<RecordGenome>,
    start: Vec<String>,
    kings: Vec<String>,
    turn: shakmaty::Color,
    ply: u32,
    events: Vec<String>,
}

/// The seed a game began with, and those it got when it was opened again.
fn seeds(game: &Game, events: &[Event]) -> Vec<RecordSeed> {
    let mut seeds: Vec<(u32, Seed)> = game.setup().seed.map(|seed| (0, seed)).into_iter().collect();
    let mut played = 0;
    for event in events {
        match event {
            Event::Played { .. } => played += 1,
            Event::Reopened { seed: Some(seed), .. } => {
                // One that no move was made with says nothing.
                seeds.retain(|(from, _)| *from < played);
                seeds.push((played, *seed));
            }
            _ => {}
        }
    }
    let told = |(from, seed): (u32, Seed)| RecordSeed {
        from,
        seed_hash: seed.commitment().to_string(),
        seed: Sha(seed.0).to_string(),
    };
    seeds.into_iter().map(told).collect()
}

fn told(game: &Game) -> Option<Told> {
    let Position::Gmo(start) = game.position_at(Ply(0))? else { return None };
    let kings = start.board().pieces().filter(|(_, piece)| piece.king);
    let kings = kings.map(|(square, _)| square.to_string()).collect();
    let pieces = board_tokens(start.board());
    let (turn, ply) = (start.turn(), start.ply());
    let mut position = Position::Gmo(start);
    let mut events = Vec::with_capacity(game.actions().len());
    for (action, index) in game.actions().iter().zip(0..) {
        let fate = game.fate_at(Ply(index)).unwrap_or(&Fate::NONE);
        position.play_fated(*action, fate).ok()?;
        events.push(token(*action, fate, position.as_gmo()?)?.to_string());
    }
    let genome = |(_, genome): (GenomeIndex, &std::sync::Arc<Genome>)| RecordGenome {
        code: genome.code(),
        dna: genome.dna().to_owned(),
    };
    let genomes = position.as_gmo()?.genomes().iter().map(genome).collect();
    Some(Told { genomes, start: pieces, kings, turn, ply, events })
}

fn token(action: Action, fate: &Fate, after: &GmoPosition) -> Option<EventToken> {
    match action {
        Action::Move { from, to, .. } => {
            let mutant = fate.dna.as_deref().and_then(|dna| Genome::parse(dna).ok());
            Some(EventToken::Move(MoveToken {
                chosen: Move { origin: from, target: to },
                landing: fate.landing,
                mutation: mutant.and_then(|mutant| after.genomes().find(&mutant)),
            }))
        }
        Action::Promote { at, genome } => {
            let genome = GenomeIndex(genome);
            Some(EventToken::Promotion(PromotionToken { square: at, genome }))
        }
        Action::Place { .. } | Action::Pass => None,
    }
}
