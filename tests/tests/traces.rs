//! What the runtime does can be watched through `tracing`.

use std::fmt::Debug;
use std::sync::atomic::{AtomicU64, Ordering::SeqCst};
use std::sync::{Arc, Mutex};

use oarlock_tests::{Rig, kernels};
use tracing::field::{Field, Visit};
use tracing::span::{Attributes, Id, Record};
use tracing::{Event, Metadata, Subscriber};

/// Writes down every span and event of the runtime: `target name field=value ...`.
#[derive(Clone, Default)]
struct Watcher {
    lines: Arc<Mutex<Vec<String>>>,
    next: Arc<AtomicU64>,
}

impl Watcher {
    fn note(&self, metadata: &Metadata<'_>, fields: impl FnOnce(&mut Fields)) {
        let mut line = Fields(format!("{} {}", metadata.target(), metadata.name()));
        fields(&mut line);
        self.lines.lock().unwrap().push(line.0);
    }

    fn take(&self) -> Vec<String> {
        std::mem::take(&mut *self.lines.lock().unwrap())
    }
}

struct Fields(String);

impl Visit for Fields {
    fn record_debug(&mut self, field: &Field, value: &dyn Debug) {
        self.0.push_str(&format!(" {}={value:?}", field.name()));
    }
}

impl Subscriber for Watcher {
    fn enabled(&self, metadata: &Metadata<'_>) -> bool {
        metadata.target().starts_with("oarlock")
    }

    fn new_span(&self, span: &Attributes<'_>) -> Id {
        self.note(span.metadata(), |line| span.record(line));
        Id::from_u64(self.next.fetch_add(1, SeqCst) + 1)
    }

    fn record(&self, _: &Id, values: &Record<'_>) {
        let mut line = Fields("later".into());
        values.record(&mut line);
        self.lines.lock().unwrap().push(line.0);
    }

    fn record_follows_from(&self, _: &Id, _: &Id) {}

    fn event(&self, event: &Event<'_>) {
        self.note(event.metadata(), |line| event.record(line));
    }

    fn enter(&self, _: &Id) {}

    fn exit(&self, _: &Id) {}
}

#[test]
fn create_compile_load_launch_and_destroy_are_told() {
    let watcher = Watcher::default();
    tracing::subscriber::with_default(watcher.clone(), || {
        let rig = Rig::new();
        watcher.take();
        let program = rig.program(&kernels::mark(1));
        let created = watcher.take().join("\n");
        let word = format!("{:#x}", rig.runtime.word(program));
        for part in ["oarlock::program create bytes=", "oarlock::compile compile", "oarlock::load load code="]
        {
            assert!(created.contains(part), "{part} is missing:\n{created}");
        }
        assert!(created.contains("oarlock::cache") && created.contains("compile"), "{created}");
        assert!(created.contains(&format!("program={word}")), "{word} is missing:\n{created}");

        let mark = rig.runtime.kernel(program, "mark").unwrap();
        let out = rig.zeros(1);
        rig.run(mark, (&[2], &[4]), &[out.into()]);
        let launched = watcher.take().join("\n");
        assert!(launched.contains("oarlock::launch launch kernel=mark"), "{launched}");
        assert!(launched.contains("groups=[2, 1, 1]"), "{launched}");

        rig.runtime.destroy_program(program).unwrap();
        let destroyed = watcher.take().join("\n");
        assert!(destroyed.contains("oarlock::program destroy"), "{destroyed}");
        assert!(destroyed.contains("erase"), "{destroyed}");
    });
}
