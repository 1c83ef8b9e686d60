//! FEN of ChessDefender.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    rookery_fuzz::targets::defender_fen(data);
});
