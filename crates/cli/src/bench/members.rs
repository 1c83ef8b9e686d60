//! Members for rated games: written straight into the data before the server starts, each with a session.
//!
//! By the forms each of them would cost a slow hash of a password, which is not what is measured here.

use std::path::Path;

use anyhow::Context as _;
use base64::Engine as _;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use futures_util::{StreamExt as _, TryStreamExt as _, stream};
use rules::UnixMillis;
use server::world::Time;
use sha2::{Digest as _, Sha256};
use store::{AccountId, NewPlayer, NewSession, Place, PlayerState, Store, TokenHash};

/// The name of a table's player.
pub(super) fn name(table: usize, seat: usize) -> String {
    format!("table{table}{}", ["white", "black"][seat])
}

/// Makes two members for every table. Gives their cookies.
pub(super) async fn make(
    data: &Path,
    time: &Time,
    tables: usize,
) -> anyhow::Result<Vec<[String; 2]>> {
    let now = time.now();
    let cookies: Vec<String> = with_store(data, async |store| {
        stream::iter(0..tables * 2)
            .map(|number| member(store, number, now))
            .buffered(256)
            .try_collect()
            .await
    })
    .await?;
    Ok(cookies.chunks_exact(2).map(|pair| [pair[0].clone(), pair[1].clone()]).collect())
}

/// Writes something into the data of a server that does not run yet.
pub(super) async fn with_store<T>(
    data: &Path,
    work: impl AsyncFnOnce(&Store) -> anyhow::Result<T>,
) -> anyhow::Result<T> {
    std::fs::create_dir_all(data)?;
    let place = Place::Sqlite(data.join("rookery.db"));
    let store = Store::open(place, &data.join("backups")).await.context("no data can be made")?;
    let done = work(&store).await?;
    let mut health = store.health();
    drop(store);
    // The writer ends when nobody holds the store any more; only then may the server open it.
    while health.changed().await.is_ok() {}
    Ok(done)
}

async fn member(store: &Store, number: usize, now: UnixMillis) -> anyhow::Result<String> {
    let token: [u8; 32] = Sha256::digest(format!("member {number}")).into();
    let id = AccountId::from_bits(number as u64 + 1);
    let player = NewPlayer {
        name: name(number / 2, number % 2),
        email: None,
        password: None,
        must_change_password: false,
        state: PlayerState::Active,
        is_bot: false,
        group_name: None,
        initial_rating: 1_500,
        preferences: "{}".to_owned(),
    };
    store.create_player(id, player, None, now).await?;
    let session = NewSession {
        token: TokenHash(Sha256::digest(token).into()),
        device: String::new(),
        address: String::new(),
        expires_at: UnixMillis(now.0 + 86_400_000),
        replaces: None,
    };
    store.start_session(id, session, now).await?;
    Ok(format!("rookery_session={}", BASE64_URL_SAFE_NO_PAD.encode(token)))
}
