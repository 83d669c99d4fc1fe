#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| msd_fuzz::api_sequence::check(bytes));
