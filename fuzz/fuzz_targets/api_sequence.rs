//! Steps of creating, destroying and resolving, against the model.

#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| oarlock_model::handles::api_sequence(data));
