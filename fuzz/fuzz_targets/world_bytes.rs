#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| msd_fuzz::world_bytes::check(bytes));
