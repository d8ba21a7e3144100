//! An embeddable offload runtime: programs as LLVM bitcode, handles that cannot go stale
