//! The load on a reference: pairs of clients that send in turn, at the pace of the real games.

use std::ffi::OsString;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};

use anyhow::Context as _;
use futures_util::{StreamExt as _, TryStreamExt as _, stream};
use server::world::Time;
use tokio::task::JoinSet;
use tokio_tungstenite::tungstenite::Utf8Bytes;

use super::Kind;
use crate::bench::latency::Latencies;
use crate::bench::pace::Pace;
use crate::bench::process::{Cpu, ServerProcess};
use crate::bench::report::Measured;
use crate::bench::socket::{Broken, Socket};
use crate::bench::table::Sizes;

const WARMING_UP: u8 = 0;
const COUNTING: u8 = 1;
const OVER: u8 = 2;

/// What is asked of a reference: the same as was asked of the real thing.
pub(in crate::bench) struct Load {
    pub(in crate::bench) pairs: usize,
    pub(in crate::bench) rate: f64,
    pub(in crate::bench) seconds: u32,
    pub(in crate::bench) sizes: Sizes,
}

/// Starts the reference's server, loads it, and says how it did.
pub(in crate::bench) async fn measure(
    kind: Kind,
    load: &Load,
    folder: &Path,
) -> anyhow::Result<Measured> {
    let reply = load.sizes.frame_bytes / load.sizes.frames.max(1);
    let name = if kind == Kind::Echo { "echo-server" } else { "limit-server" };
    let mut arguments: Vec<OsString> =
        ["bench", name, "--reply", &reply.to_string()].map(OsString::from).into();
    if kind == Kind::Limit {
        arguments.extend(["--file".into(), folder.join("limit").into()]);
    }
    let mut server = ServerProcess::start(&arguments, None).await?;
    let measured = drive(kind, load, &server).await;
    server.kill().await?;
    measured.with_context(|| format!("the reference {kind:?}"))
}

async fn drive(kind: Kind, load: &Load, server: &ServerProcess) -> anyhow::Result<Measured> {
    let address = server.address();
    let time = Time::real();
    let phase = Arc::new(AtomicU8::new(WARMING_UP));
    let request = load.sizes.move_bytes / load.sizes.moves.max(1);
    let request = Utf8Bytes::from("x".repeat(request));
    let sockets: Vec<[Socket; 2]> = stream::iter(0..load.pairs)
        .map(|pair| async move {
            let path = format!("/ws?pair={pair}");
            let white = Socket::open(address, &path, None).await?;
            Ok::<_, Broken>([white, Socket::open(address, &path, None).await?])
        })
        .buffered(64)
        .try_collect()
        .await?;
    let mut pairs = JoinSet::new();
    for (number, sockets) in sockets.into_iter().enumerate() {
        let pace = Pace::new(time.clone(), load.rate, number, load.pairs);
        let (time, phase, request) = (time.clone(), phase.clone(), request.clone());
        pairs.spawn(Pair { kind, time, phase, request, sockets, pace, heard: [0; 2] }.run());
    }
    time.sleep(1_000).await;
    let (begun, cpu) = (time.micros(), Cpu::of(server)?);
    phase.store(COUNTING, Ordering::Relaxed);
    time.sleep(i64::from(load.seconds) * 1_000).await;
    phase.store(OVER, Ordering::Relaxed);
    let (counted, used) = (time.micros() - begun, Cpu::of(server)?.since(cpu));
    let mut latencies = Latencies::default();
    while let Some(ended) = pairs.join_next().await {
        latencies.append(&mut ended??);
    }
    Ok(Measured::new(latencies, counted, used))
}

struct Pair {
    kind: Kind,
    time: Time,
    phase: Arc<AtomicU8>,
    request: Utf8Bytes,
    sockets: [Socket; 2],
    pace: Pace,
    heard: [u64; 2],
}

impl Pair {
    async fn run(mut self) -> Result<Latencies, Broken> {
        let mut latencies = Latencies::default();
        for turn in 0_u64.. {
            if let Some(wait) = self.pace.wait() {
                wait.await;
            }
            let phase = self.phase.load(Ordering::Relaxed);
            if phase == OVER {
                break;
            }
            let sender = usize::from(turn % 2 == 1);
            let at = self.time.micros();
            self.pace.moved();
            self.sockets[sender].send(self.request.clone()).await?;
            // An echo comes back to its sender; of the limit, as of the real thing, the opponent's receipt counts.
            let (listener, frames) = if self.kind == Kind::Echo {
                (sender, turn / 2 + 1)
            } else {
                (1 - sender, turn + 1)
            };
            while self.heard[listener] < frames {
                self.sockets[listener].next().await?;
                self.heard[listener] += 1;
            }
            if phase == COUNTING && self.phase.load(Ordering::Relaxed) == COUNTING {
                latencies.add(self.time.micros() - at);
            }
        }
        Ok(latencies)
    }
}
