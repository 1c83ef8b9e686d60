//! How long it takes to read a file, to rank, and to pair by the simpler systems.

use divan::{Bencher, black_box};
use pairing::arena::{Waiting, pair_waiting};
use pairing::classic::{Weights, pair_round};
use pairing::model::{Board, PairingNumber, RoundNumber, RoundPairing, Tournament};
use pairing::round_robin::{Cycles, RoundRobin};
use pairing::simulate::{Settings, simulate};
use pairing::standings::{Rules, parse_list, standings};
use pairing::trf::{self, Flavour};

fn main() {
    divan::main();
}

/// After five of nine rounds, with byes and forfeits. The opponents do not matter here: somebody
/// at a fixed distance, another one in each round.
fn tournament(players: u16) -> Tournament {
    let settings = Settings { stop_after: Some(5), unrated: 0, ..Settings::lively(players, 9) };
    let pair = |tournament: &Tournament| {
        let round = tournament.next_round();
        let distance = 1 << (round.0 - 1);
        let is_here = |number: u16| {
            number <= players && tournament.announced_bye(PairingNumber(number), round).is_none()
        };
        let first = (1..=players).filter(|number| ((number - 1) / distance).is_multiple_of(2));
        let boards = first.filter(|&number| is_here(number) && is_here(number + distance));
        let board = |number| Board {
            white: PairingNumber(number),
            black: PairingNumber(number + distance),
        };
        Ok::<_, String>(RoundPairing { boards: boards.map(board).collect(), bye: None })
    };
    simulate(&settings, 1, pair).expect("the opponents exist")
}

#[divan::bench(args = [300, 3_000, 10_000])]
fn read_trf(bencher: Bencher<'_, '_>, players: u16) {
    let text = trf::write(&tournament(players), Flavour::Trf26);
    bencher.bench(|| trf::read(black_box(text.as_bytes())));
}

#[divan::bench(args = [300, 3_000, 10_000])]
fn write_trf(bencher: Bencher<'_, '_>, players: u16) {
    let tournament = tournament(players);
    bencher.bench(|| trf::write(black_box(&tournament), Flavour::Trf26));
}

#[divan::bench(args = [300, 3_000, 10_000])]
fn rank(bencher: Bencher<'_, '_>, players: u16) {
    let tournament = tournament(players);
    let tie_breaks = parse_list("DE,BH/C1,BH,SB,ARO,PTP").expect("the codes exist");
    bencher.bench(|| standings(black_box(&tournament), &tie_breaks, &Rules::default()));
}

#[divan::bench(args = [300, 1_000, 3_000])]
fn pair_classic(bencher: Bencher<'_, '_>, players: u16) {
    let tournament = tournament(players);
    bencher.bench(|| pair_round(black_box(&tournament), &Weights::default()));
}

#[divan::bench(args = [100, 1_000])]
fn pair_arena(bencher: Bencher<'_, '_>, players: u16) {
    let waiting: Vec<Waiting> = (1..=players)
        .map(|player| Waiting {
            player: PairingNumber(player),
            score: u32::from(player % 40),
            rating: 1500,
            last_opponent: Some(PairingNumber(player ^ 1)),
            colour_difference: 0,
            last_colour: None,
        })
        .collect();
    bencher.bench(|| pair_waiting(black_box(&waiting)));
}

#[divan::bench(args = [14, 1_000])]
fn berger_round(players: usize) -> Option<RoundPairing> {
    RoundRobin::new(players, Cycles::Single).ok()?.round(RoundNumber(5))
}
