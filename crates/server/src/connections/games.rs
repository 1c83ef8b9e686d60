//! Games as the sites tell them, turned into games of the library.

use library::body::{self, Packer};
use rules::pgn::{Game as Sheet, Item, Limits, ProblemKind, read_games};
use store::{ServiceBatch, ServiceGame, ServicePlayer};

/// Games of one commit.
const GAMES: usize = 100;

/// A game as a site tells it.
pub(super) struct Told {
    /// Its name at the site.
    pub(super) external_id: String,
    /// Who played, White first, as far as they have accounts there.
    pub(super) players: [Option<ServicePlayer>; 2],
    /// The game.
    pub(super) pgn: String,
    /// The variant, if its name has to be added to the tags.
    pub(super) variant: Option<String>,
}

/// Somebody at a site, if the name can be one.
pub(super) fn player(name: &str) -> Option<ServicePlayer> {
    let is_good = !name.is_empty() && name.len() <= 50 && !name.chars().any(char::is_control);
    is_good.then(|| ServicePlayer { name: name.to_owned() })
}

/// Games that wait to be written together.
#[derive(Default)]
pub(super) struct Parcel {
    pub(super) batch: ServiceBatch,
    packer: Packer,
}

impl Parcel {
    pub(super) fn is_full(&self) -> bool {
        self.batch.games.len() >= GAMES
    }

    /// Takes a game. One that cannot be read, or is of a variant that is not known here, is counted and passed over;
    /// one in which nobody has moved is no game.
    pub(super) fn take(&mut self, told: Told) {
        let sheet = match read(&told) {
            Ok(sheet) => sheet,
            Err(variant) => return self.batch.skipped.add(&variant),
        };
        if sheet.line.nodes.is_empty() {
            return;
        }
        let Some(body) = self.packer.pack(&sheet) else {
            return self.batch.skipped.add("");
        };
        self.batch.games.push(ServiceGame {
            external_id: told.external_id,
            players: told.players,
            digest: body::digest(&sheet),
            body,
        });
    }

    /// What is to be written now.
    pub(super) fn empty(&mut self) -> ServiceBatch {
        std::mem::take(&mut self.batch)
    }
}

/// The game, or the variant that is not known here; the empty name if it cannot be read at all.
fn read(told: &Told) -> Result<Sheet, String> {
    let text = match &told.variant {
        Some(variant) if !told.pgn.contains("[Variant ") => {
            format!("[Variant \"{variant}\"]\n{}", told.pgn)
        }
        _ => told.pgn.clone(),
    };
    let mut games = read_games(text.as_bytes(), Limits::default()).into_iter();
    let read = games.find_map(|item| match item {
        Item::Game(read) => Some(read),
        Item::Stray(_) => None,
    });
    let read = read.ok_or_else(String::new)?;
    match read.error().map(|problem| &problem.kind) {
        None => Ok(read.game),
        Some(ProblemKind::Variant(variant)) => Err(variant.clone()),
        Some(_) => Err(String::new()),
    }
}
