//! HTTP of GMO games: armies, promotions, previews, and the genomes one may know.

use std::collections::HashSet;

use axum::Json;
use axum::extract::State;
use rules::gmo::GenomeIndex;
use rules::position::SquareSet;
use rules::shakmaty::{Bitboard, Square};
use rules::{Act, Color, Game, Ply};
use store::{AccountId, GameId};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::lab::all_targets;
use super::lent::{Origins, Table};
use super::table::{AtPly, KnownGenomes, NewArmy, NewPromotion, TargetsView, known_pieces};
use super::{Gmo, GmoError};
use crate::accounts::{Accounts, Visitor};
use crate::games::wire::GameView;
use crate::games::{GameError, Snapshot};
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
        Some(player) => {
            let preset = gmo.read_own(game, player, new.preset).await?;
            match gmo.army(player, &preset, kings).await {
                Err(_) => gmo.army(account.id, &preset, kings).await?,
                army => army?,
            }
        }
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
    let (_, game) = gmo.seen(game, &visitor).await?;
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
    let (table, game) = gmo.seen(game, &visitor).await?;
    let explains = !gmo.hides_rules_from(&visitor).await?;
    Ok(Json(gmo.known_genomes(&table, &game, at, visitor.account_id(), explains).await?))
}

fn read_square(text: &str) -> Result<Square, GmoError> {
    Ok(rules::gmo::Lab::read_square(text)?)
}

impl Gmo {
    /// Whose library counts besides that of the account that acts: at one computer the player's whose turn it is.
    pub(super) async fn other_keeper(
        &self,
        game: GameId,
        account: AccountId,
    ) -> Result<Option<AccountId>, GmoError> {
        let view = self.0.games.view(game, account).await?;
        let Some(side) = view.you.filter(|_| view.one_computer) else { return Ok(None) };
        Ok(Some(self.0.games.snapshot(game).await?.players[side]))
    }

    /// A game as this visitor may see it: what is private, not on disk or too new for watchers is not shown.
    ///
    /// Players are answered by the game's own task; for all others the log is read, as far as they have seen it.
    async fn seen(&self, id: GameId, visitor: &Visitor) -> Result<(Table, Game), GmoError> {
        let games = &self.0.games;
        let snapshot = games.snapshot(id).await?;
        let is_player = |account| Color::ALL.iter().any(|side| snapshot.players[*side] == account);
        if visitor.account_id().is_some_and(is_player) {
            let Snapshot { game, players, host, .. } = snapshot;
            return Ok((Table { players, host }, game));
        }
        let stored = games.record(id, visitor).await?;
        let game = Game::rebuild(stored.setup, stored.created_at, &stored.events)
            .map_err(|error| GameError::Fault(error.to_string()))?;
        let players = stored.players.as_ref().map(|player| player.id);
        Ok((Table { players, host: stored.host }, game))
    }

    async fn known_genomes(
        &self,
        table: &Table,
        game: &Game,
        at: AtPly,
        viewer: Option<AccountId>,
        explains: bool,
    ) -> Result<KnownGenomes, GmoError> {
        let ply = at.ply.map_or(game.ply(), Ply);
        let origins = Origins::at(game, ply).ok_or(GmoError::NotGmo)?;
        let is_revealed = !game.has_secrets();
        let open = origins.open_to(viewer, table, is_revealed, &self.0.store).await?;
        // Both look at the same screen: neither reads there what the other may not know.
        let seated = viewer.filter(|_| table.host.is_none());
        let side = Color::ALL.into_iter().find(|side| Some(table.players[*side]) == seated);
        let genomes = origins.position.genomes();
        let on_board: HashSet<_> =
            origins.position.board().pieces().map(|(_, piece)| piece.genome).collect();
        let published = origins.published(&self.0.store).await?;
        let may_tell = |index: &GenomeIndex| {
            let is_known =
                is_revealed || origins.knowledge.knows(side.map(Into::into), genomes, *index);
            (is_known && open.contains(index)) || published.contains(index)
        };
        let told: HashSet<_> = on_board.into_iter().filter(may_tell).collect();
        Ok(known_pieces(&origins.position, |index| told.contains(&index), explains))
    }
}
