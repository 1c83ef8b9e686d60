//! FEN of standard chess and Chess960.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    rookery_fuzz::targets::fen(data);
});
