//! A PGN file.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    rookery_fuzz::targets::pgn(data);
});
