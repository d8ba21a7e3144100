//! LLVM bitcode plus a target gives a compiled image
