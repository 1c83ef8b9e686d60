//! `rookery pair`, `rookery standings` and `rookery tournament-sim`: pairings for anybody with a TRF file.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Args;
use pairing::dutch::{self, Explanation, Pair, PairingError, Round, Verdict};
use pairing::model::{ModelError, PairingNumber, RoundPairing, Tournament};
use pairing::simulate::{Settings, SimulationError, simulate};
use pairing::standings::{Rules, parse_list, standings};
use pairing::trf::{self, Flavour};
use serde::Serialize;

use crate::print_line;

#[derive(Debug, Args)]
pub(crate) struct PairArgs {
    /// The tournament, TRF16 or TRF-2026
    #[arg(value_name = "FILE.trf")]
    file: PathBuf,
    /// Say for every pair, float and colour which criterion decided
    #[arg(long)]
    explain: bool,
    /// Judge a pairing instead of making one: a file with `white black` lines, `id 0` for the bye
    #[arg(long, value_name = "PAIRS")]
    check: Option<PathBuf>,
    /// Print JSON
    #[arg(long)]
    json: bool,
    /// Write to a file instead of standard output
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub(crate) struct StandingsArgs {
    /// The tournament, TRF16 or TRF-2026
    #[arg(value_name = "FILE.trf")]
    file: PathBuf,
    /// Tie-breaks in order, for example BH/C1,BH,SB
    #[arg(long, value_name = "LIST", default_value = "BH/C1,BH,SB")]
    tiebreaks: String,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

#[derive(Debug, Args)]
pub(crate) struct SimArgs {
    /// How many players
    #[arg(long, default_value_t = 40)]
    players: u16,
    /// How many rounds
    #[arg(long, default_value_t = 9)]
    rounds: u16,
    /// Stop after this round, so that one is left to be paired
    #[arg(long, value_name = "ROUND")]
    stop_after: Option<u16>,
    /// The same seed gives the same tournament
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// With byes, forfeits, late entries and withdrawals
    #[arg(long)]
    lively: bool,
    /// Write TRF-2026 instead of TRF16
    #[arg(long)]
    trf26: bool,
}

/// Why a command ended badly; its number is the exit code, the same as the reference programs use.
enum Failure {
    /// 1: no legal pairing exists, or the judged pairing is not the right one.
    No(String),
    /// 3: the request makes no sense.
    Nonsense(String),
    /// 4: too large.
    TooLarge(String),
    /// 5: a file cannot be read or written.
    File(String),
}

impl Failure {
    fn code(&self) -> u8 {
        match self {
            Failure::No(_) => 1,
            Failure::Nonsense(_) => 3,
            Failure::TooLarge(_) => 4,
            Failure::File(_) => 5,
        }
    }

    fn words(&self) -> &str {
        let (Failure::No(words)
        | Failure::Nonsense(words)
        | Failure::TooLarge(words)
        | Failure::File(words)) = self;
        words
    }
}

impl From<PairingError> for Failure {
    fn from(error: PairingError) -> Failure {
        let words = error.to_string();
        match error {
            PairingError::Impossible => Failure::No(words),
            PairingError::TooLarge { .. } => Failure::TooLarge(words),
            _ => Failure::Nonsense(words),
        }
    }
}

impl From<ModelError> for Failure {
    fn from(error: ModelError) -> Failure {
        PairingError::from(error).into()
    }
}

fn finish(result: Result<(), Failure>) -> ExitCode {
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            eprintln!("rookery: {}", failure.words());
            ExitCode::from(failure.code())
        }
    }
}

pub(crate) fn pair(args: &PairArgs) -> ExitCode {
    finish(try_pair(args))
}

fn try_pair(args: &PairArgs) -> Result<(), Failure> {
    let tournament = read(&args.file)?;
    let (text, verdict) = match &args.check {
        Some(file) => judge(&tournament, file, args.json)?,
        None if args.explain => {
            let explanation = dutch::explain(&tournament)?;
            (if args.json { json(&explanation)? } else { story(&explanation) }, Ok(()))
        }
        None => {
            let round = dutch::pair(&tournament)?;
            (if args.json { json(&round)? } else { RoundPairing::from(round).to_string() }, Ok(()))
        }
    };
    print(&text, args.output.as_deref())?;
    verdict
}

/// Judges the pairing in a file. The text to print, and whether it was right.
fn judge(
    tournament: &Tournament,
    file: &Path,
    as_json: bool,
) -> Result<(String, Result<(), Failure>), Failure> {
    let text = std::fs::read_to_string(file)
        .map_err(|error| Failure::File(format!("{}: {error}", file.display())))?;
    let mut given = dutch::pair(tournament).or_else(|error| match error {
        // Nothing can be right then; but the judge says what is wrong with what was given.
        PairingError::Impossible => {
            Ok(Round { number: tournament.next_round(), pairs: Vec::new(), bye: None })
        }
        other => Err(other),
    })?;
    (given.pairs, given.bye) = read_pairs(&text)?;
    let verdict = dutch::check(tournament, &given)?;
    let printed = match (&verdict, as_json) {
        (_, true) => json(&verdict)?,
        (Verdict::Right, _) => "right\n".to_owned(),
        (Verdict::Wrong(faults), _) => {
            faults.iter().fold("wrong\n".to_owned(), |mut text, fault| {
                let _ = writeln!(text, "{}", fault.text);
                text
            })
        }
    };
    let verdict = match verdict {
        Verdict::Right => Ok(()),
        Verdict::Wrong(_) => Err(Failure::No("this is not the right pairing".to_owned())),
    };
    Ok((printed, verdict))
}

/// Reads `white black` lines; a first line with a single number is the count and may be missing.
fn read_pairs(text: &str) -> Result<(Vec<Pair>, Option<PairingNumber>), Failure> {
    let mut pairs = Vec::new();
    let mut bye = None;
    for (line, number) in text.lines().zip(1..) {
        let numbers: Result<Vec<u16>, _> = line.split_whitespace().map(str::parse).collect();
        match numbers.as_deref() {
            Ok([] | [_]) => {}
            Ok([player, 0]) => bye = Some(PairingNumber(*player)),
            Ok([white, black]) => {
                pairs.push(Pair { white: PairingNumber(*white), black: PairingNumber(*black) })
            }
            _ => {
                let words = format!(
                    "line {number} of the pairing is not `white black` or `id 0`: {line:?}"
                );
                return Err(Failure::File(words));
            }
        }
    }
    Ok((pairs, bye))
}

/// An explanation as a director would read it out.
fn story(explanation: &Explanation) -> String {
    let mut text = RoundPairing::from(explanation.round.clone()).to_string();
    for bracket in &explanation.brackets {
        let _ = writeln!(text, "\nScore {}:", bracket.score);
        for pair in &bracket.pairs {
            let _ = writeln!(text, "  {} - {}: {}", pair.higher, pair.lower, pair.reason.text);
            let _ = writeln!(text, "      White: {}. {}", pair.colours.white, pair.colours.text);
        }
        for float in &bracket.floats {
            let what = if float.is_bye { "has the bye" } else { "moves down" };
            let _ = writeln!(text, "  {} {what}: {}", float.player, float.reason.text);
        }
    }
    text
}

pub(crate) fn table(args: &StandingsArgs) -> ExitCode {
    finish(try_table(args))
}

fn try_table(args: &StandingsArgs) -> Result<(), Failure> {
    let tie_breaks = parse_list(&args.tiebreaks)
        .map_err(|error| Failure::Nonsense(format!("--tiebreaks: {error}")))?;
    let tournament = read(&args.file)?;
    let table = standings(&tournament, &tie_breaks, &Rules::of(&tournament))?;
    print(&if args.json { json(&table)? } else { table.to_string() }, None)
}

pub(crate) fn tournament_sim(args: &SimArgs) -> ExitCode {
    finish(try_sim(args))
}

fn try_sim(args: &SimArgs) -> Result<(), Failure> {
    let base =
        if args.lively { Settings::lively(args.players, args.rounds) } else { Settings::default() };
    let settings = Settings {
        players: args.players,
        rounds: args.rounds,
        stop_after: args.stop_after,
        ..base
    };
    let tournament = simulate(&settings, args.seed, |t| dutch::pair(t).map(RoundPairing::from))
        .map_err(|error| {
            let words = error.to_string();
            match error {
                SimulationError::TooManyPlayers(_) => Failure::TooLarge(words),
                _ => Failure::No(words),
            }
        })?;
    print(&trf::write(&tournament, if args.trf26 { Flavour::Trf26 } else { Flavour::Trf16 }), None)
}

fn read(file: &Path) -> Result<Tournament, Failure> {
    let name = file.display();
    let bytes = std::fs::read(file).map_err(|error| Failure::File(format!("{name}: {error}")))?;
    let (tournament, warnings) = trf::read_with_warnings(&bytes)
        .map_err(|error| Failure::File(format!("{name}: {error}")))?;
    for warning in warnings {
        eprintln!("rookery: {name}: {warning}");
    }
    Ok(tournament)
}

fn json(value: &impl Serialize) -> Result<String, Failure> {
    serde_json::to_string(value)
        .map(|text| text + "\n")
        .map_err(|error| Failure::Nonsense(error.to_string()))
}

fn print(text: &str, output: Option<&Path>) -> Result<(), Failure> {
    match output {
        Some(file) => std::fs::write(file, text)
            .map_err(|error| Failure::File(format!("{}: {error}", file.display()))),
        None => {
            print_line(text.trim_end()).map(drop).map_err(|error| Failure::File(error.to_string()))
        }
    }
}
