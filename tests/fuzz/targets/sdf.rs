#![no_main]
//! Profiles of ISO 25178-71, as text and as numbers.

mod profile;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| profile::check(bytes, "a.sdf"));
