//! A compile worker for tests: what a program says in a comment, the worker does, or tries to do.
//!
//! `; at PHASE: DEED`, where PHASE is `receive`, `parse`, `lower`, `optimise`, `emit` or `answer`, and DEED one of
//! `abort`, `exit`, `stop` (until somebody kills it), `spin`, `fill` (memory). `; try: THING` answers with an error
//! that tells what came of it.

use std::fs::File;
use std::net::TcpStream;
use std::os::unix::net::{UnixDatagram, UnixStream};
use std::process::{Command, ExitCode};
use std::time::Duration;

use oarlock::CompileError;
use oarlock::worker::{Hooks, Server};

struct Deeds;

impl Hooks for Deeds {
    fn request(&self, program: &[u8]) -> Option<CompileError> {
        let thing = said(program, "try")?;
        let error = |e: std::io::Error| format!("{thing}: {e}");
        let outcome = match thing.as_str() {
            "read" => File::open("/etc/passwd").map(drop),
            "write" => File::create("/tmp/oarlock-was-here").map(drop),
            "connect" => TcpStream::connect("127.0.0.1:9").map(drop),
            "connect-unix" => UnixStream::connect("/run/systemd/private").map(drop),
            "socket" => UnixDatagram::unbound().map(drop),
            "run" => Command::new("/bin/true").spawn().map(drop),
            "thread" => std::thread::Builder::new().spawn(|| ()).map(drop),
            "list" => std::fs::read_dir("/proc/self/fd").map(drop),
            "environment" => {
                Err(std::io::Error::other(format!("{:?}", std::env::vars().collect::<Vec<_>>())))
            }
            "folder" => Err(std::io::Error::other(format!("{:?}", std::env::current_dir()))),
            other => Err(std::io::Error::other(format!("no such thing as {other}"))),
        };
        let message = outcome.map_or_else(error, |()| format!("{thing}: done"));
        Some(CompileError::Internal { phase: "the test", message })
    }

    fn phase(&self, name: &'static str, program: &[u8]) {
        match said(program, &format!("at {name}")).as_deref() {
            Some("abort") => std::process::abort(),
            Some("exit") => std::process::exit(3),
            Some("stop") => std::thread::sleep(Duration::from_secs(600)),
            Some("spin") => loop {
                std::hint::spin_loop();
            },
            Some("fill") => {
                let mut all = Vec::new();
                loop {
                    all.push(vec![1_u8; 16 << 20]);
                    std::hint::black_box(&all);
                }
            }
            _ => {}
        }
    }
}

/// The word behind `; KEY: `.
fn said(program: &[u8], key: &str) -> Option<String> {
    let text = std::str::from_utf8(program).ok()?;
    let line = text.lines().find_map(|l| l.strip_prefix(&format!("; {key}: ")))?;
    Some(line.trim().to_owned())
}

fn main() -> ExitCode {
    Server::with_hooks(Deeds).main()
}
