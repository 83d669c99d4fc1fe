#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| msd_fuzz::random_world::check(bytes));
