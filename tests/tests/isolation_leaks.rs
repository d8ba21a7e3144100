//! What workers leave behind: nothing. Alone in its process, because it counts what the whole process has.

mod support;

use std::num::NonZeroUsize;
use std::time::Duration;

use oarlock::worker::{Client, Config, Limits};
use support::{compile, config, program};

/// Requests in the long loop; `OARLOCK_REQUESTS=100000` makes it longer.
fn requests() -> u32 {
    std::env::var("OARLOCK_REQUESTS").ok().and_then(|n| n.parse().ok()).unwrap_or(300)
}

#[test]
fn no_descriptor_no_zombie_no_file_is_left() {
    // Whatever this process opens once.
    drop(Client::new(Config::default()));
    let before = (support::descriptors(), support::children(), support::temporary_files());

    let short = Limits::default().with_time(Duration::from_secs(5), Duration::from_secs(2));
    let stopped = Client::new(config().limits(short));
    assert!(compile(&stopped, program(0, "at emit: stop").as_bytes()).is_err());
    drop(stopped);

    let client = Client::new(config().workers(NonZeroUsize::new(2).unwrap()));
    for (number, deed) in (1..).zip(["at parse: abort", "at lower: exit", "good"]) {
        let _ = compile(&client, program(number, deed).as_bytes());
    }
    let warm = (support::descriptors(), support::children());
    // Refused by LLVM: the shortest way through a worker and back.
    for number in 0..requests() {
        let text = format!("define void @f() {{ ret i32 {number} }}");
        assert!(compile(&client, text.as_bytes()).is_err());
        // Now and then, one dies.
        if number % 100 == 50 {
            let _ = compile(&client, program(1000 + number, "at optimise: abort").as_bytes());
        }
    }
    compile(&client, program(1, "good").as_bytes()).unwrap();
    assert_eq!((support::descriptors(), support::children()), warm);
    let stats = client.stats();
    assert!(stats.live <= 2 && stats.deaths >= 3, "{stats:?}");
    support::tell(format_args!(
        "{} requests, {} workers started, {} deaths; descriptors {}, children {:?}",
        stats.requests, stats.started, stats.deaths, warm.0, warm.1
    ));
    drop(client);
    assert_eq!((support::descriptors(), support::children(), support::temporary_files()), before);
}
