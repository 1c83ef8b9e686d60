//! HTTP of GMO games: armies, promotions, previews, and the genomes one may know.

use std::collections::HashSet;

use axum::Json;
use axum::extract::State;
use rules::position::SquareSet;
use rules::shakmaty::{Bitboard, Square};
use rules::{Act, Color, Game, Ply};
use store::{AccountId, GameId, StoredGame};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::lab::all_targets;
use super::table::{
    AtPly, KnownGenomes, NewArmy, NewPromotion, TargetsView, known_at, known_pieces,
};
use super::{Gmo, GmoError};
use crate::accounts::{Accounts, Visitor};
use crate::games::GameError;
use crate::games::wire::GameView;
use crate::http::{ApiError, AppState, Body, Id, Params};

/// The routes of this file.
pub(super) fn router() -> OpenApiRouter<AppState> {
    OpenApiRouter::new()
        .routes(routes!(hand_in_army))
        .routes(routes!(promote_pawn))
        .routes(routes!(show_targets))
        .routes(routes!(show_known_genomes))
}

/// Hand in an army, or another one as long as the other side is not ready.
#[utoipa::path(post, path = "/api/v1/games/{id}/army", tag = "gmo", params(("id" = String, Path)), request_body = NewArmy,
    responses((status = 200, body = GameView), (status = 409, description = "refused"), (status = 422, description = "no such preset")))]
async fn hand_in_army(
    State(gmo): State<Gmo>,
    State(accounts): State<Accounts>,
    visitor: Visitor,
    Id(game): Id<GameId>,
    Body(new): Body<NewArmy>,
) -> Result<Json<GameView>, ApiError> {
    let account = accounts.account_of(&visitor).await?;
    let kings = new.kings.iter().map(|text| read_square(text)).collect::<Result<Bitboard, _>>()?;
    let kings = SquareSet(kings);
    let army = match gmo.other_keeper(game, account.id).await? {
        // At one computer each brings the own library, and may borrow from the one whose computer it is.
        Some(player) => match gmo.army(player, &new.preset, kings).await {
            Err(_) => gmo.army(account.id, &new.preset, kings).await?,
            army => army?,
        },
        None => gmo.army(account.id, &new.preset, kings).await?,
    };
    let act = Act::HandIn(Box::new(army));
    Ok(Json(gmo.0.games.act(game, account.id, act).await?))
}

/// Promote the waiting pawn.
#[utoipa::path(post, path = "/api/v1/games/{id}/promotion", tag = "gmo", params(("id" = String, Path)), request_body = NewPromotion,
    responses((status = 200, body = GameView), (status = 409, description = "refused")))]
async fn promote_pawn(
    State(gmo): State<Gmo>,
    State(accounts): State<Accounts>,
    visitor: Visitor,
    Id(game): Id<GameId>,
    Body(new): Body<NewPromotion>,
) -> Result<Json<GameView>, ApiError> {
    let account = accounts.account_of(&visitor).await?;
    let at = read_square(&new.square)?;
    // What is not stored or not theirs is refused by the game, in its order of reasons: as DNA that nobody can read.
    let own = gmo.usable(&new.code, account.id).await?;
    let found = match gmo.other_keeper(game, account.id).await? {
        Some(player) if own.is_none() => gmo.usable(&new.code, player).await?,
        _ => own,
    };
    let dna = found.map(|(_, genome)| genome.dna().to_owned()).unwrap_or_default();
    let act = Act::Promote { ply: Ply(new.ply), at, dna };
    Ok(Json(gmo.0.games.act(game, account.id, act).await?))
}

/// Tell where every piece of both sides could go, whoever is to move.
#[utoipa::path(get, path = "/api/v1/games/{id}/targets", tag = "gmo", params(("id" = String, Path), AtPly),
    responses((status = 200, body = TargetsView), (status = 404)))]
async fn show_targets(
    State(gmo): State<Gmo>,
    visitor: Visitor,
    Id(game): Id<GameId>,
    Params(at): Params<AtPly>,
) -> Result<Json<TargetsView>, ApiError> {
    let (_, game) = gmo.rebuilt(game, &visitor).await?;
    let position = game.position_at(at.ply.map_or(game.ply(), Ply));
    let position = position.as_ref().and_then(rules::Position::as_gmo).ok_or(GmoError::NotGmo)?;
    Ok(Json(TargetsView { targets: all_targets(position) }))
}

/// Show the genomes on the board that I may read.
#[utoipa::path(get, path = "/api/v1/games/{id}/genomes", tag = "gmo", params(("id" = String, Path), AtPly),
    responses((status = 200, body = KnownGenomes), (status = 404)))]
async fn show_known_genomes(
    State(gmo): State<Gmo>,
    visitor: Visitor,
    Id(game): Id<GameId>,
    Params(at): Params<AtPly>,
) -> Result<Json<KnownGenomes>, ApiError> {
    let (stored, game) = gmo.rebuilt(game, &visitor).await?;
    Ok(Json(gmo.known_genomes(&stored, &game, at, visitor.account_id()).await?))
}

fn read_square(text: &str) -> Result<Square, GmoError> {
    Ok(rules::gmo::Lab::read_square(text)?)
}

impl Gmo {
    /// Whose library counts besides that of the account that acts: at one computer the player's whose turn it is.
    async fn other_keeper(
        &self,
        game: GameId,
        account: AccountId,
    ) -> Result<Option<AccountId>, GmoError> {
        let view = self.0.games.view(game, account).await?;
        let Some(side) = view.you.filter(|_| view.one_computer) else { return Ok(None) };
        Ok(Some(self.0.games.snapshot(game).await?.players[side]))
    }

    /// A game as its log tells it to this visitor: what is private, not on disk or too new for watchers is not shown.
    async fn rebuilt(&self, id: GameId, visitor: &Visitor) -> Result<(StoredGame, Game), GmoError> {
        let stored = self.0.games.record(id, visitor).await?;
        let game = Game::rebuild(stored.setup.clone(), stored.created_at, &stored.events)
            .map_err(|error| GameError::Fault(error.to_string()))?;
        Ok((stored, game))
    }

    async fn known_genomes(
        &self,
        stored: &StoredGame,
        game: &Game,
        at: AtPly,
        viewer: Option<AccountId>,
    ) -> Result<KnownGenomes, GmoError> {
        let ply = at.ply.map_or(game.ply(), Ply);
        let (position, knowledge) = known_at(game, ply).ok_or(GmoError::NotGmo)?;
        let sides = [Color::White, Color::Black];
        // Both look at the same screen: neither reads there what the other may not know.
        let viewer = viewer.filter(|_| stored.host.is_none());
        let side = sides.into_iter().find(|side| Some(stored.players[*side].id) == viewer);
        if !game.has_secrets() {
            return Ok(known_pieces(&position, &knowledge, side, |_| true));
        }
        let mut published = HashSet::new();
        for (index, genome) in position.genomes().iter() {
            let is_secret = !knowledge.knows(side.map(Into::into), position.genomes(), index);
            let sha = genome.sha().to_string();
            if is_secret && self.0.store.is_genome_published(&sha).await? {
                published.insert(sha);
            }
        }
        let is_public = |genome: &rules::gmo::Genome| published.contains(&genome.sha().to_string());
        Ok(known_pieces(&position, &knowledge, side, is_public))
    }
}
