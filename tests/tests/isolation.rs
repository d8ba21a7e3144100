//! Compiling in workers: the same bytes, the same refusals; a worker's death is an error and no more.

mod support;

use std::num::NonZeroUsize;
use std::time::{Duration, Instant};

use oarlock::worker::{Client, Clock, Config, Limits, Program, WorkerError};
use oarlock::{Arg, CompileError, Compiler, Emit, Error, Isolation, OptLevel, Options, Runtime};
use oarlock_tests::{Rig, kernels};
use support::{compile, config, program, target};

const PHASES: [&str; 6] = ["receive", "parse", "lower", "optimise", "emit", "answer"];

#[test]
fn the_same_bytes_come_out_either_way() {
    let (here, there) = (Compiler::new(), Client::new(config()));
    for (index, bytes) in support::MODULES.into_iter().enumerate() {
        // Those with barriers take a while at the highest level.
        let levels = if index < 2 { &[OptLevel::O0, OptLevel::O3][..] } else { &[OptLevel::O0] };
        for level in levels {
            let options = Options::default().with_opt_level(*level);
            let image = here.compile(bytes, &target(), &options).unwrap();
            assert_eq!(there.compile(bytes, &target(), &options).unwrap().to_bytes(), image.to_bytes());
        }
        assert_eq!(there.inspect(bytes).unwrap(), here.inspect(bytes).unwrap());
    }
    let text = |emit: &dyn Fn(&[u8]) -> String| emit(support::MODULES[0]);
    let (options, what) = (Options::default(), Emit::Assembly);
    assert_eq!(
        text(&|b| there.emit(b, &target(), &options, what).unwrap()),
        text(&|b| here.emit(b, &target(), &options, what).unwrap())
    );
    assert_eq!(there.stats().started, 1, "one worker for all that one thread asks");
}

#[test]
fn refusals_come_back_as_they_are() {
    let there = Client::new(config());
    let hostile: [&[u8]; 5] = [
        b"",
        b"\x7FELF\x02",
        b"define void @f() { ret i32 0 garbage }",
        b"@x = thread_local global i32 0\ndefine void @f() { ret void }",
        b"define i32 @f() { ret i32 0 }",
    ];
    for bytes in hostile {
        let here = Compiler::new().compile(bytes, &target(), &Options::default()).unwrap_err();
        assert_eq!(compile(&there, bytes), Err(WorkerError::Compile(here)));
    }
}

#[test]
fn a_runtime_runs_what_its_workers_compile() {
    let build = |c: Config| Runtime::builder().isolation(Isolation::Worker).workers(c).build().unwrap();
    let rig = Rig::of(build(config()));
    let out = rig.zeros(1);
    rig.run(rig.kernel(&kernels::mark(42), "mark"), (&[1], &[1]), &[Arg::from(out)]);
    assert_eq!(rig.ints(out, 1), [42]);
    let died = rig.try_program(program(1, "at optimise: abort").as_bytes());
    assert!(
        matches!(&died, Err(Error::Worker(WorkerError::CompilerCrashed { phase: "optimise", .. }))),
        "{died:?}"
    );
    let refused = rig.try_program(b"define i32 @f() { ret i32 0 }");
    assert!(matches!(refused, Err(Error::Compile(CompileError::NoKernels { .. }))));
    rig.program(&kernels::mark(43));
}

#[test]
fn a_death_at_any_stage_is_an_error_that_names_it() {
    let client = Client::new(config());
    let mut recovery = Vec::new();
    for (number, name) in (0..).zip(PHASES) {
        let fatal = program(number, &format!("at {name}: abort"));
        let error = compile(&client, fatal.as_bytes()).unwrap_err();
        let signal_and_phase = match &error {
            WorkerError::CompilerCrashed { signal, phase, .. } => (*signal, *phase),
            other => panic!("{name}: {other}"),
        };
        assert_eq!(signal_and_phase, (Some(6), name), "{error}");

        // Not again for a while, and without another death.
        let started = client.stats().started;
        let again = compile(&client, fatal.as_bytes());
        assert!(
            matches!(&again, Err(WorkerError::Quarantined { cause, .. }) if **cause == error),
            "{again:?}"
        );
        assert_eq!(client.stats().started, started);

        let since = Instant::now();
        compile(&client, program(100 + number, "good").as_bytes()).unwrap();
        recovery.push(since.elapsed());
    }
    support::tell(format_args!("recovery: the next program, with a new worker, took {recovery:?}"));
    let left = compile(&client, program(7, "at emit: exit").as_bytes());
    assert!(
        matches!(left, Err(WorkerError::CompilerCrashed { signal: None, phase: "emit", .. })),
        "{left:?}"
    );
    assert_eq!(client.stats().deaths, PHASES.len() as u64 + 1);
}

#[test]
fn others_go_on_while_one_dies_and_no_one_is_blamed_for_a_kill_from_outside() {
    let client = Client::new(config().workers(NonZeroUsize::new(2).unwrap()));
    let stopped = program(1, "at lower: stop");
    std::thread::scope(|scope| {
        let waiting = scope.spawn(|| compile(&client, stopped.as_bytes()));
        for number in 0..20 {
            compile(&client, program(number, "good").as_bytes()).unwrap();
        }
        // The one that is not idle sits in the phase that it was told to stop in.
        let idle = client.stats().idle;
        let busy = workers().into_iter().find(|pid| !idle.contains(pid)).expect("a worker at work");
        kill(busy);
        let error = waiting.join().unwrap().unwrap_err();
        assert!(
            matches!(error, WorkerError::CompilerCrashed { signal: Some(9), phase: "lower", .. }),
            "{error}"
        );
    });
    // An idle worker that is gone costs nothing but a new one.
    client.stats().idle.into_iter().for_each(kill);
    compile(&client, program(50, "good").as_bytes()).unwrap();
}

#[test]
fn time_and_memory_are_bounded() {
    let client = |cpu, wall| {
        let limits = Limits::default().with_time(Duration::from_secs(cpu), Duration::from_secs(wall));
        Client::new(config().limits(limits.with_memory(256 << 20)))
    };
    let error = |client: &Client, comment| compile(client, program(1, comment).as_bytes()).unwrap_err();

    // The wall's limit is far off, so that a busy machine does not come first.
    let spun = error(&client(1, 100), "at parse: spin");
    assert!(
        matches!(spun, WorkerError::CompilerTimedOut { clock: Clock::Cpu, phase: "parse", .. }),
        "{spun}"
    );

    let since = Instant::now();
    let stopped = error(&client(60, 2), "at emit: stop");
    assert!(
        matches!(stopped, WorkerError::CompilerTimedOut { clock: Clock::Wall, phase: "emit", .. }),
        "{stopped}"
    );
    assert!(since.elapsed() < Duration::from_secs(30), "{:?}", since.elapsed());

    let client = client(60, 100);
    let filled = error(&client, "at optimise: fill");
    assert!(matches!(filled, WorkerError::CompilerOutOfMemory { phase: "optimise", .. }), "{filled}");
    compile(&client, program(2, "good").as_bytes()).unwrap();
}

#[test]
fn the_sandbox_holds() {
    let client = Client::new(config());
    let tried = |thing: &str| match compile(&client, program(1, &format!("try: {thing}")).as_bytes()) {
        Err(WorkerError::Compile(CompileError::Internal { message, .. })) => message,
        other => panic!("{other:?}"),
    };
    for thing in ["read", "write", "connect", "connect-unix", "socket", "run", "thread", "list"] {
        let outcome = tried(thing);
        support::tell(format_args!("{outcome}"));
        assert!(outcome.contains("Operation not permitted"), "{outcome}");
    }
    assert!(!tried("environment").contains("CARGO"), "{}", tried("environment"));
    assert!(tried("folder").contains("not permitted") || tried("folder").contains("\"/\""));
    // What it was refused has not hurt it.
    assert_eq!(client.stats().started, 1);
    compile(&client, program(2, "good").as_bytes()).unwrap();
}

#[test]
fn a_missing_or_wrong_worker_says_what_to_do() {
    for program in [
        Program::Path("/no/such/file".into()),
        Program::Path("/bin/true".into()),
        Program::Path("/etc/passwd".into()),
    ] {
        let client = Client::new(config().program(program.clone()));
        let error = compile(&client, b"define void @f() { ret void }").unwrap_err();
        let text = error.to_string();
        assert!(matches!(error, WorkerError::WorkerUnavailable { .. }), "{program:?}: {text}");
        assert!(text.contains("PATH") && text.contains("InProcess"), "{text}");
        assert_eq!(client.stats().live, 0);
    }
}

#[test]
fn workers_end_with_their_client() {
    let client = Client::new(config());
    compile(&client, program(1, "good").as_bytes()).unwrap();
    let pids = client.stats().idle;
    assert!(pids.iter().all(|pid| support::is_alive(*pid)) && pids.len() == 1);
    drop(client);
    assert!(!pids.iter().any(|pid| support::is_alive(*pid)));
}

/// The process numbers of this process's workers that are at work in a stop: those that sleep.
fn workers() -> Vec<u32> {
    let me = std::process::id();
    let children = std::fs::read_dir(format!("/proc/{me}/task")).unwrap().flatten();
    let lists = children.filter_map(|t| std::fs::read_to_string(t.path().join("children")).ok());
    lists.flat_map(|l| l.split_whitespace().filter_map(|n| n.parse().ok()).collect::<Vec<_>>()).collect()
}

fn kill(pid: u32) {
    let done = std::process::Command::new("kill").args(["-KILL", &pid.to_string()]).status().unwrap();
    assert!(done.success());
}
