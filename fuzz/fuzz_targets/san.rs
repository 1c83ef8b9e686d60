//! The text of a move.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    rookery_fuzz::targets::san_text(data);
});
