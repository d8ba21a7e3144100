//! `oarlock-worker`: the compiler that an embedder's process starts, asks and outlives.
//!
//! Oarlock starts it with a socket as its standard input; there is nothing to type.

use std::process::ExitCode;

fn main() -> ExitCode {
    oarlock_worker::Server::new().main()
}
