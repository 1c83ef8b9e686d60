//! What a run found, for programs and for people.

use serde_json::json;

use super::checker::Verdict;
use super::latency::Latencies;
use super::process::Cpu;
use super::table::Sizes;

/// Latencies and throughput of one server.
#[derive(Debug, Default, Clone, Copy, PartialEq)]
pub(super) struct Measured {
    pub(super) p50_us: u32,
    pub(super) p99_us: u32,
    pub(super) per_second: f64,
    /// Processor time for each move, of the server and of the load generator.
    pub(super) server_cpu_us: u64,
    pub(super) load_cpu_us: u64,
}

impl Measured {
    pub(super) fn new(mut latencies: Latencies, micros: u64, used: Cpu) -> Measured {
        let count = latencies.count();
        #[expect(clippy::cast_precision_loss, reason = "nobody plays 2^52 moves")]
        let per_second = (count as f64 * 1e7 / micros.max(1) as f64).round() / 10.0;
        let moves = (count as u64).max(1);
        Measured {
            p50_us: latencies.quantile(500),
            p99_us: latencies.quantile(990),
            per_second,
            server_cpu_us: used.server_micros / moves,
            load_cpu_us: used.load_micros / moves,
        }
    }
}

/// Everything that was found.
#[derive(Debug, Default)]
pub(super) struct Report {
    pub(super) games: u32,
    pub(super) rate: f64,
    pub(super) kills: u32,
    pub(super) connections: u32,
    /// How many only looked.
    pub(super) lookers: usize,
    pub(super) games_played: usize,
    pub(super) play: Measured,
    /// The same while others meant no good.
    pub(super) besieged: Measured,
    /// How many they were, and how often one of them was shown out.
    pub(super) hostile: u32,
    pub(super) shown_out: u64,
    /// The limit before play and after it.
    pub(super) limit_before: Measured,
    pub(super) limit: Measured,
    pub(super) echo: Measured,
    pub(super) server_rss_kb: u64,
    /// Of a socket that listens to nothing yet.
    pub(super) idle_bytes_per_connection: u64,
    /// Of one that listens to the lobby and to its own notices, as a page does.
    pub(super) idle_bytes_per_player: u64,
    /// The longest time from the server's start until all clients were back.
    pub(super) back_ms: u64,
    pub(super) sizes: Sizes,
    pub(super) verdict: Verdict,
}

impl Report {
    /// Whether every promise was kept, the one about others included: nobody can double their waiting. A server that is
    /// killed meanwhile has other reasons to be slow.
    pub(super) fn is_good(&self) -> bool {
        let is_calm =
            self.hostile == 0 || self.kills > 0 || self.besieged.p99_us <= self.play.p99_us * 2;
        self.verdict.is_good() && is_calm
    }

    pub(super) fn to_json(&self) -> String {
        let Report { play, limit, echo, verdict, .. } = self;
        json!({
            "echo_p50_us": echo.p50_us,
            "echo_p99_us": echo.p99_us,
            "echo_per_s": echo.per_second,
            "limit_p50_us": limit.p50_us,
            "limit_p99_us": limit.p99_us,
            "limit_moves_per_s": limit.per_second,
            "limit_before_p50_us": self.limit_before.p50_us,
            "limit_before_p99_us": self.limit_before.p99_us,
            "limit_before_moves_per_s": self.limit_before.per_second,
            "move_p50_us": play.p50_us,
            "move_p99_us": play.p99_us,
            "moves_per_s": play.per_second,
            "besieged_p50_us": self.besieged.p50_us,
            "besieged_p99_us": self.besieged.p99_us,
            "hostile": self.hostile,
            "shown_out": self.shown_out,
            "connections": self.connections,
            "lookers": self.lookers,
            "watched_events": self.verdict.watched,
            "server_rss_kb": self.server_rss_kb,
            "lost": verdict.lost,
            "ghosts": verdict.ghosts,
            "order_errors": verdict.order_errors,
            "clock_error_ms": verdict.clock_error_ms,
            "rating_errors": verdict.rating_errors,
            "lines_checked": verdict.lines,
            "offers_checked": verdict.offers,
            "ratings_checked": verdict.ratings,
            "games": self.games,
            "rate": self.rate,
            "kills": self.kills,
            "games_played": self.games_played,
            "moves_checked": verdict.moves,
            "clocks_compared": verdict.clocks_compared,
            "back_ms": self.back_ms,
            "server_cpu_us_per_move": play.server_cpu_us,
            "load_cpu_us_per_move": play.load_cpu_us,
            "limit_server_cpu_us_per_move": limit.server_cpu_us,
            "echo_server_cpu_us_per_move": echo.server_cpu_us,
            "idle_bytes_per_connection": self.idle_bytes_per_connection,
            "idle_bytes_per_player": self.idle_bytes_per_player,
        })
        .to_string()
    }

    pub(super) fn to_table(&self) -> String {
        let line = |name: &str, measured: &Measured| {
            let Measured { p50_us, p99_us, per_second, server_cpu_us, load_cpu_us } = measured;
            format!(
                "{name:<30}{p50_us:>9}{p99_us:>9}{per_second:>9.0}{server_cpu_us:>12}{load_cpu_us:>10}\n"
            )
        };
        let verdict = &self.verdict;
        let head = format!(
            "{:<30}{:>9}{:>9}{:>9}{:>12}{:>10}\n",
            "", "p50 µs", "p99 µs", "moves/s", "CPU µs/move", "of load"
        );
        [
            head,
            line("echo: sockets alone", &self.echo),
            line("limit: a plain file, synced", &self.limit),
            line("the same before play", &self.limit_before),
            line("rookery: move, on disk, seen", &self.play),
            if self.hostile == 0 {
                String::new()
            } else {
                line("the same, with hostile clients", &self.besieged)
            },
            format!(
                "{} games at once, {} played, {} connections, {} kills (all back within {} ms)\n",
                self.games, self.games_played, self.connections, self.kills, self.back_ms
            ),
            if self.hostile == 0 {
                String::new()
            } else {
                format!("{} hostile clients, shown out {} times\n", self.hostile, self.shown_out)
            },
            format!(
                "server: {} kB in all, {} bytes for an idle connection, {} for one in the lobby\n",
                self.server_rss_kb, self.idle_bytes_per_connection, self.idle_bytes_per_player
            ),
            format!(
                "checked {} moves, {} clocks, {} lines of chat, {} offers, {} ratings: {} lost, {} ghosts, \
                 {} order errors, {} rating errors, clocks off by {} ms at most",
                verdict.moves,
                verdict.clocks_compared,
                verdict.lines,
                verdict.offers,
                verdict.ratings,
                verdict.lost,
                verdict.ghosts,
                verdict.order_errors,
                verdict.rating_errors,
                verdict.clock_error_ms
            ),
        ]
        .concat()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_promised_number_is_in_the_report() {
        let report: serde_json::Value = serde_json::from_str(&Report::default().to_json()).unwrap();
        for name in [
            "echo_p50_us",
            "echo_p99_us",
            "limit_p50_us",
            "limit_p99_us",
            "limit_moves_per_s",
            "move_p50_us",
            "move_p99_us",
            "moves_per_s",
            "connections",
            "server_rss_kb",
            "lost",
            "ghosts",
            "order_errors",
            "clock_error_ms",
        ] {
            assert!(report[name].is_number(), "{name}");
        }
    }

    #[test]
    fn throughput_is_what_was_counted_in_the_time_it_took() {
        let mut latencies = Latencies::default();
        (0..500).for_each(|micros| latencies.add(micros));
        assert_eq!(
            Measured::new(latencies, 250_000, Cpu::default()).per_second.to_string(),
            "2000"
        );
    }
}
