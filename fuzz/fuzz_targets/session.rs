//! The target `session`; what it does is in `bodies.rs`, which the stable smoke test shares.
#![no_main]

#[path = "../bodies.rs"]
#[allow(dead_code)]
mod bodies;

libfuzzer_sys::fuzz_target!(|data: &[u8]| bodies::session(data));
