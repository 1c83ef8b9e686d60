//! Reading PGN, ours beside `pgn-reader` with shakmaty, on the same text in the same run.
//!
//! After divan's table come the ratios, measured in turns so that a busy machine slows both sides:
//! `cargo bench -p rules --bench pgn`. The text is the sample in the repository, or with `ROOKERY_PGN_CORPUS` also
//! the files of that folder.

use divan::counter::BytesCount;
use pgn_reader::{RawComment, RawTag, SanPlus, Skip};
use rules::notation::{Language, Written};
use rules::pgn::{At, GameReader, Keep, Limits, RawText, RawValue, visit};
use shakmaty::{CastlingMode, Chess, Position, fen::Fen};
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::LazyLock;
use std::time::{Duration, Instant};

static SAMPLE: LazyLock<Vec<u8>> = LazyLock::new(|| {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/pgn/masters.sample.pgn");
    std::fs::read(path).expect("the sample is in the repository").repeat(8)
});

/// What a reader found: both must find the same.
#[derive(Debug, Default, PartialEq, Eq)]
struct Count {
    games: usize,
    tags: usize,
    moves: usize,
    comments: usize,
}

impl rules::pgn::Visitor for Count {
    fn tag(&mut self, _name: &[u8], _value: RawValue<'_>, _at: At<'_>) {
        self.tags += 1;
    }
    fn ply(&mut self, text: &[u8], _at: At<'_>) {
        self.moves += usize::from(Written::parse(text, Language::English).is_some());
    }
    fn comment(&mut self, _text: RawText<'_>, _at: At<'_>) {
        self.comments += 1;
    }
    fn end_game(&mut self) {
        self.games += 1;
    }
}

/// Our reader without a board; each move is taken apart, as `pgn-reader` does it.
fn our_tokens(text: &[u8]) -> Count {
    let mut count = Count::default();
    visit(text, Limits::default(), &mut count);
    count
}

fn their_tokens(text: &[u8]) -> Count {
    struct Tokens(Count);
    impl pgn_reader::Visitor for Tokens {
        type Tags = ();
        type Movetext = ();
        type Output = ();
        fn begin_tags(&mut self) -> ControlFlow<(), ()> {
            ControlFlow::Continue(())
        }
        fn tag(&mut self, (): &mut (), _name: &[u8], _value: RawTag<'_>) -> ControlFlow<()> {
            self.0.tags += 1;
            ControlFlow::Continue(())
        }
        fn begin_movetext(&mut self, (): ()) -> ControlFlow<(), ()> {
            ControlFlow::Continue(())
        }
        fn san(&mut self, (): &mut (), _san: SanPlus) -> ControlFlow<()> {
            self.0.moves += 1;
            ControlFlow::Continue(())
        }
        fn begin_variation(&mut self, (): &mut ()) -> ControlFlow<(), Skip> {
            ControlFlow::Continue(Skip(false))
        }
        fn comment(&mut self, (): &mut (), _comment: RawComment<'_>) -> ControlFlow<()> {
            self.0.comments += 1;
            ControlFlow::Continue(())
        }
        fn end_game(&mut self, (): ()) {
            self.0.games += 1;
        }
    }
    let mut tokens = Tokens(Count::default());
    let mut reader =
        pgn_reader::Reader::build(text).set_supported_comment_length(16 << 10).finish();
    while reader.read_game(&mut tokens).expect("a slice has no errors").is_some() {}
    tokens.0
}

/// Our reader with a board: whole games with tags, comments and all.
fn our_games(text: &[u8], keep: Keep) -> usize {
    let mut moves = 0;
    let mut sink = |item| {
        if let rules::pgn::Item::Game(read) = divan::black_box(item) {
            moves += read.game.line.nodes.len();
        }
    };
    let mut reader = GameReader::new(Limits::default(), keep);
    for piece in text.chunks(64 << 10) {
        reader.feed(piece, &mut sink);
    }
    reader.finish(&mut sink);
    moves
}

/// `pgn-reader` and shakmaty: the main line is played, nothing is kept.
fn their_games(text: &[u8]) -> usize {
    struct Replay(usize);
    impl pgn_reader::Visitor for Replay {
        type Tags = Chess;
        type Movetext = Chess;
        type Output = ();
        fn begin_tags(&mut self) -> ControlFlow<(), Chess> {
            ControlFlow::Continue(Chess::default())
        }
        fn tag(&mut self, tags: &mut Chess, name: &[u8], value: RawTag<'_>) -> ControlFlow<()> {
            if name == b"FEN" {
                let fen = Fen::from_ascii(value.as_bytes()).expect("good files have good FENs");
                *tags = fen.into_position(CastlingMode::Chess960).expect("a legal position");
            }
            ControlFlow::Continue(())
        }
        fn begin_movetext(&mut self, tags: Chess) -> ControlFlow<(), Chess> {
            ControlFlow::Continue(tags)
        }
        fn san(&mut self, position: &mut Chess, san: SanPlus) -> ControlFlow<()> {
            let Ok(played) = san.san.to_move(position) else { return ControlFlow::Break(()) };
            position.play_unchecked(played);
            self.0 += 1;
            ControlFlow::Continue(())
        }
        fn end_game(&mut self, position: Chess) {
            divan::black_box(position);
        }
    }
    let mut replay = Replay(0);
    let mut reader = pgn_reader::Reader::new(text);
    while reader.read_game(&mut replay).expect("a slice has no errors").is_some() {}
    replay.0
}

#[divan::bench]
fn tokens_ours(bencher: divan::Bencher<'_, '_>) {
    bencher.counter(BytesCount::new(SAMPLE.len())).bench(|| our_tokens(&SAMPLE));
}

#[divan::bench]
fn tokens_pgn_reader(bencher: divan::Bencher<'_, '_>) {
    bencher.counter(BytesCount::new(SAMPLE.len())).bench(|| their_tokens(&SAMPLE));
}

#[divan::bench]
fn games_ours(bencher: divan::Bencher<'_, '_>) {
    bencher.counter(BytesCount::new(SAMPLE.len())).bench(|| our_games(&SAMPLE, Keep::Everything));
}

#[divan::bench]
fn main_lines_ours(bencher: divan::Bencher<'_, '_>) {
    bencher.counter(BytesCount::new(SAMPLE.len())).bench(|| our_games(&SAMPLE, Keep::MainLine));
}

#[divan::bench]
fn games_pgn_reader_and_shakmaty(bencher: divan::Bencher<'_, '_>) {
    bencher.counter(BytesCount::new(SAMPLE.len())).bench(|| their_games(&SAMPLE));
}

#[expect(clippy::disallowed_methods, reason = "a bench is there to look at the clock")]
fn time<T>(work: impl Fn() -> T) -> Duration {
    let begin = Instant::now();
    divan::black_box(work());
    begin.elapsed()
}

/// How fast ours is, theirs being 1: the best round of each, taken in turns, since a busy machine can only slow.
fn ratio<T, U>(ours: impl Fn() -> T, theirs: impl Fn() -> U) -> f64 {
    let rounds = (0..60).map(|_| (time(&ours), time(&theirs)));
    let best = rounds.reduce(|best, round| (best.0.min(round.0), best.1.min(round.1)));
    best.map_or(0.0, |(ours, theirs)| theirs.as_secs_f64() / ours.as_secs_f64())
}

#[expect(clippy::print_stdout, reason = "the result of a bench")]
fn print_ratios(name: &str, text: &[u8]) {
    assert_eq!(our_tokens(text), their_tokens(text), "{name}");
    assert_eq!(our_games(text, Keep::Everything), their_games(text), "{name}");
    assert_eq!(our_games(text, Keep::MainLine), their_games(text), "{name}");
    let tokens = ratio(|| our_tokens(text), || their_tokens(text));
    let main_lines = ratio(|| our_games(text, Keep::MainLine), || their_games(text));
    let games = ratio(|| our_games(text, Keep::Everything), || their_games(text));
    println!("{name}: without a board {tokens:.2} × pgn-reader (wanted 0.60)");
    println!("{name}: legal main lines {main_lines:.2} × pgn-reader + shakmaty (wanted 0.80)");
    println!("{name}: whole legal games {games:.2} × pgn-reader + shakmaty, which keeps nothing");
}

fn main() {
    divan::main();
    print_ratios("masters sample", &SAMPLE);
    let Some(folder) = std::env::var_os("ROOKERY_PGN_CORPUS") else { return };
    for name in ["lichess-2025-05.pgn.zst", "tcec-sample.pgn.zst"] {
        let file = std::fs::File::open(Path::new(&folder).join(name)).expect("the corpus is there");
        print_ratios(name, &zstd::decode_all(file).expect("a good archive"));
    }
}
