//! `rookery gmo`: looks DNA over, plays records again, and lets others test our GMO chess with vector files.

use std::fs::File;
use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::Context as _;
use clap::Subcommand;
use flate2::read::MultiGzDecoder;
use rules::gmo::Replay;
use rules::gmo::verify::{RecordKind, verify_line};

use crate::print_line;

/// A record longer than this is no record.
const MAX_LINE: u64 = 16 << 20;

#[derive(Debug, Subcommand)]
pub(crate) enum GmoCommand {
    /// Explain a genome, or say where it is wrong
    Check {
        /// The DNA, or `-` for standard input
        #[arg(value_name = "DNA")]
        dna: String,
    },
    /// Play the JSON record of a game again, and tell whether its chance follows from its seed
    Replay {
        /// The file, as the page of a finished game saves it
        #[arg(value_name = "FILE")]
        file: PathBuf,
    },
    /// Recompute every field of vector files (.jsonl or .jsonl.gz) and print each difference
    Verify {
        /// The files
        #[arg(value_name = "FILE", required = true)]
        files: Vec<PathBuf>,
    },
}

pub(crate) fn run(command: &GmoCommand) -> anyhow::Result<ExitCode> {
    match command {
        GmoCommand::Check { dna } => check(dna),
        GmoCommand::Replay { file } => replay(file),
        GmoCommand::Verify { files } => verify(files),
    }
}

fn check(dna: &str) -> anyhow::Result<ExitCode> {
    let text = if dna == "-" {
        std::io::read_to_string(std::io::stdin().take(MAX_LINE))?
    } else {
        dna.to_owned()
    };
    let report = rules::gmo::check(&text);
    print_line(report.to_string().trim_end())?;
    Ok(if report.is_valid() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn replay(file: &Path) -> anyhow::Result<ExitCode> {
    let mut text = String::new();
    open(file)
        .and_then(|reader| Ok(reader.take(MAX_LINE).read_to_string(&mut text)?))
        .with_context(|| file.display().to_string())?;
    match rules::gmo::replay(&text) {
        Ok(Replay { position, moves, promotions, deviations, mutations }) => {
            print_line(&format!(
                "{moves} moves and {promotions} promotions played again; \
                 {deviations} deviations and {mutations} mutations, each as the seed gives it"
            ))?;
            print_line(&position.to_string())?;
            Ok(ExitCode::SUCCESS)
        }
        Err(error) => {
            print_line(&error.to_string())?;
            Ok(ExitCode::FAILURE)
        }
    }
}

/// What a run found.
#[derive(Default)]
struct Counts {
    records: u64,
    equal: u64,
    differences: u64,
}

fn verify(files: &[PathBuf]) -> anyhow::Result<ExitCode> {
    let mut counts = Counts::default();
    for file in files {
        verify_file(file, &mut counts).with_context(|| file.display().to_string())?;
    }
    let Counts { records, equal, differences } = counts;
    let files = files.len();
    print_line(&format!(
        "{records} records in {files} files, {equal} equal, {differences} differences"
    ))?;
    // A run that compared nothing has shown nothing.
    Ok(if differences == 0 && equal == records && records > 0 {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    })
}

fn verify_file(path: &Path, counts: &mut Counts) -> anyhow::Result<()> {
    let name = path.to_string_lossy();
    let kind = RecordKind::from_file_name(&name);
    let mut reader = open(path)?;
    let mut line = String::new();
    let mut number = 0;
    loop {
        line.clear();
        number += 1;
        if reader
            .by_ref()
            .take(MAX_LINE)
            .read_line(&mut line)
            .with_context(|| format!("line {number}"))?
            == 0
        {
            return Ok(());
        }
        if line.trim().is_empty() {
            continue;
        }
        counts.records += 1;
        match verify_line(kind, &line) {
            Ok(()) => counts.equal += 1,
            Err(differences) => {
                counts.differences += differences.len() as u64;
                for difference in differences {
                    print_line(&format!("{name}:{number}: {difference}"))?;
                }
            }
        }
    }
}

/// Compressed or not is told by the first two bytes, not by the name.
fn open(path: &Path) -> anyhow::Result<Box<dyn BufRead>> {
    let mut file = BufReader::new(File::open(path)?);
    let compressed = file.fill_buf()?.starts_with(&[0x1f, 0x8b]);
    Ok(if compressed {
        Box::new(BufReader::new(MultiGzDecoder::new(file)))
    } else {
        Box::new(file)
    })
}
