//! Any words, used as handles, against the model.

#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| oarlock_model::handles::handles(data));
