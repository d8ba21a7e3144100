//! The JIT cache: keyed by the program, erased on unload
