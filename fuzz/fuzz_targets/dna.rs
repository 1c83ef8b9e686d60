//! DNA and positions of GMO chess.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    rookery_fuzz::targets::dna(data);
});
