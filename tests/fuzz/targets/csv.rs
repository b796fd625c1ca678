#![no_main]
//! Profiles as text.

mod profile;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| profile::check(bytes, "a.csv"));
