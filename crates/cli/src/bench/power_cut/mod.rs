//! `rookery bench power-cut`: records what a server writes while games are played, and cuts its power afterwards, many
//! times over: from each image of the disk everything that had been acknowledged must come back.
//!
//! The recording is done by strace, which sees every call in the order in which the system did; the same record holds
//! what was sent to the players, so that no clocks have to be compared.

mod image;
mod promises;
mod trace;

use std::path::Path;
use std::process::ExitCode;

use anyhow::{Context as _, bail};
use clap::Args;
use server::world::Time;

use super::live::LiveArgs;
use super::run::{BEFORE, Run};
use crate::{block_on, print_line};
use image::{Image, Loss, Lots};
use trace::Op;

#[derive(Debug, Clone, Args)]
pub(crate) struct PowerCutArgs {
    /// Games at the same time
    #[arg(long, default_value_t = 8, value_parser = clap::value_parser!(u32).range(1..=1_000))]
    games: u32,
    /// Seconds of play that are recorded
    #[arg(long, default_value_t = 5, value_parser = clap::value_parser!(u32).range(1..=600))]
    seconds: u32,
    /// Moves a second in each game
    #[arg(long, default_value_t = 10.0)]
    rate: f64,
    /// How often the power is cut
    #[arg(long, default_value_t = 100)]
    images: u32,
    /// Where the cuts fall and what is lost depends on this number alone
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Print one JSON object instead of a sentence
    #[arg(long)]
    json: bool,
}

pub(super) fn power_cut(args: &PowerCutArgs) -> anyhow::Result<ExitCode> {
    block_on(cut(args))
}

async fn cut(args: &PowerCutArgs) -> anyhow::Result<ExitCode> {
    let folder = tempfile::tempdir().context("no temporary directory could be made")?;
    let trace = folder.path().join("trace");
    let live = LiveArgs::recorded(args.games, args.seconds, args.rate, trace.clone());
    let report = Run::begin(&live, folder.path()).await?.finish().await?;
    if !report.verdict.is_good() {
        bail!("the recorded games themselves went wrong: {:?}", report.verdict.faults);
    }
    let text = finished(&trace).await?;
    let ops = trace::read(&text, &folder.path().join("data"))?;
    let base = read_image(&folder.path().join(BEFORE))?;
    let found = try_images(args, &base, &ops, folder.path()).await?;
    for fault in found.faults.iter().take(20) {
        eprintln!("{fault}");
    }
    print_line(&if args.json { found.to_json() } else { found.to_text() })?;
    Ok(if found.faults.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// The whole trace: strace ends a moment after the server.
async fn finished(trace: &Path) -> anyhow::Result<String> {
    let time = Time::real();
    for _ in 0..200 {
        let text = std::fs::read_to_string(trace).context("the trace cannot be read")?;
        if text.trim_end().ends_with("+++ killed by SIGKILL +++") {
            return Ok(text);
        }
        time.sleep(50).await;
    }
    bail!("strace does not end")
}

/// What the images showed.
#[derive(Default)]
struct Found {
    images: u32,
    ops: usize,
    syncs: usize,
    /// Acknowledged things looked for, over all images.
    promises: usize,
    /// The results among them.
    results: usize,
    faults: Vec<String>,
}

impl Found {
    fn to_json(&self) -> String {
        serde_json::json!({
            "images": self.images,
            "writes": self.ops,
            "syncs": self.syncs,
            "promises_checked": self.promises,
            "results_checked": self.results,
            "faults": self.faults.len(),
        })
        .to_string()
    }

    fn to_text(&self) -> String {
        format!(
            "{} images of a disk with {} writes and {} syncs: {} acknowledged things looked for, {} of them results, \
             {} faults",
            self.images,
            self.ops,
            self.syncs,
            self.promises,
            self.results,
            self.faults.len()
        )
    }
}

async fn try_images(
    args: &PowerCutArgs,
    base: &Image,
    ops: &[Op],
    folder: &Path,
) -> anyhow::Result<Found> {
    let mut found = Found {
        ops: ops.iter().filter(|op| matches!(op, Op::Write { .. })).count(),
        syncs: ops.iter().filter(|op| matches!(op, Op::Synced { .. })).count(),
        ..Found::default()
    };
    if found.syncs == 0 {
        bail!("the trace shows no sync: the server cannot have kept anything");
    }
    let mut lots = Lots::new(args.seed);
    for number in 0..args.images {
        let at = lots.below(ops.len() + 1);
        let loss = Loss::ALL[number as usize % Loss::ALL.len()];
        let image = image::after_cut(base, ops, at, loss, &mut lots);
        let promises = promises::of(&ops[..at]);
        let place = folder.join(format!("image-{number}"));
        write_image(&place, &image)?;
        let faults = match promises::broken(&place, &promises).await {
            Ok(faults) => faults,
            Err(error) => vec![format!("the database does not open: {error}")],
        };
        let where_cut = format!("cut {number} after op {at}, {loss:?}");
        found.faults.extend(faults.into_iter().map(|fault| format!("{where_cut}: {fault}")));
        found.images += 1;
        found.promises += promises.values().map(promises::Told::count).sum::<usize>();
        found.results += promises.values().filter(|told| told.is_ended()).count();
        std::fs::remove_dir_all(&place)?;
    }
    Ok(found)
}

/// The database as it was before the recorded server began.
fn read_image(place: &Path) -> anyhow::Result<Image> {
    let mut image = Image::new();
    for entry in std::fs::read_dir(place).context("what was there before cannot be read")? {
        let entry = entry?;
        let name = entry.file_name().to_string_lossy().into_owned();
        if trace::is_kept(&name) {
            image.insert(name, std::fs::read(entry.path())?);
        }
    }
    Ok(image)
}

fn write_image(place: &Path, image: &Image) -> anyhow::Result<()> {
    std::fs::create_dir_all(place)?;
    for (name, content) in image {
        std::fs::write(place.join(name), content)?;
    }
    Ok(())
}
