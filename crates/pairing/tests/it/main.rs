//! Pairing as directors and other programs meet it: one binary, so that it is built and linked once.

mod arena;
mod cases;
mod classic;
mod dutch_brute;
mod dutch_cases;
mod dutch_efforts;
mod dutch_errors;
mod dutch_judgement;
mod dutch_properties;
mod dutch_support;
mod knockout;
mod matching;
mod round_robin;
mod simulated;
mod standings;
mod tie_breaks;
mod trf;
mod trf_fuzz;
