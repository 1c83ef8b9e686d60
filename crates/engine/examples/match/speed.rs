//! Positions a second, in every variant.

use std::time::{Duration, Instant};

use engine::builtin::{Control, Limits, Question, Searcher, Stop};
use rules::Position;

const POSITIONS: [(&str, &str); 4] = [
    ("start", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"),
    ("middle game", "r1bq1rk1/pp2bppp/2n1pn2/2pp4/3P1B2/2PBPN2/PP1N1PPP/R2QK2R w KQ - 0 8"),
    ("tactics", "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"),
    ("endgame", "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1"),
];

pub(crate) fn measure() {
    for (name, fen) in POSITIONS {
        let position = Position::from_fen(fen).expect("a position of chess");
        think(name, &position);
    }
    think("GMO start", &Position::gmo_default());
    let mut opened = Position::gmo_default();
    for text in ["d2d3", "e7e6", "b1c3", "g8f6", "e1c3"] {
        let _ = opened.read_action(text).and_then(|action| opened.play(action));
    }
    think("GMO opened", &opened);
}

/// Thinks for two seconds; what other programs took of them does not count where the system tells.
#[expect(clippy::disallowed_methods, reason = "speed is about real time")]
fn think(name: &str, position: &Position) {
    let mut searcher = Searcher::new(64);
    let (began, worked_before) = (Instant::now(), time_on_cpu());
    let stop = Stop::new();
    let control = Control { stop: &stop, elapsed: &|| began.elapsed() };
    let question = Question::new(position, Limits::time(Duration::from_secs(2)));
    let best = searcher.search(&question, control, &mut |_| ()).expect("a move");
    let worked =
        time_on_cpu().zip(worked_before).map(|(after, before)| after.saturating_sub(before));
    let seconds = worked.unwrap_or(began.elapsed()).as_secs_f64();
    #[expect(clippy::cast_precision_loss, reason = "a figure for people")]
    let speed = best.nodes as f64 / seconds / 1000.0;
    let pv: Vec<String> = best.pv.iter().take(8).map(ToString::to_string).collect();
    let (depth, score) = (best.depth, best.score.to_string());
    println!("{name:12} depth {depth:2} {score:>8} {speed:6.0} kn/s  {}", pv.join(" "));
}

/// The time this thread has had a processor, as Linux counts it.
fn time_on_cpu() -> Option<Duration> {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    Some(Duration::from_nanos(text.split_ascii_whitespace().next()?.parse().ok()?))
}
