//! Level 2: images by digest, shared by all programs of equal content.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;
use std::time::{Duration, Instant};

use parking_lot::Mutex;

use crate::Digest;
use crate::counters::{Counters, count};
use crate::flight::{Flight, Outcome};
use crate::lasting::Lasting;

/// Images by digest. An image that nobody owns stays for as long as the budget allows.
#[derive(Debug)]
pub(crate) struct Shared<V, E> {
    table: Mutex<Table<V, E>>,
    counters: Arc<Counters>,
}

#[derive(Debug)]
struct Table<V, E> {
    slots: HashMap<Digest, Slot<V, E>>,
    lasting: Lasting<E>,
    /// Images without an owner, the one longest so first.
    idle: BTreeMap<u64, Digest>,
    idle_bytes: u64,
    budget: u64,
    clock: u64,
}

#[derive(Debug)]
enum Slot<V, E> {
    /// `joined` waiters have been promised a share.
    Compiling {
        flight: Arc<Flight<V, E>>,
        joined: usize,
    },
    Ready(Ready<V>),
}

#[derive(Debug)]
struct Ready<V> {
    image: Arc<V>,
    bytes: u64,
    owners: usize,
    /// Its key among the idle, where it has no owner.
    idle: u64,
}

/// One owner's share of an image. Dropping it gives the share back.
#[derive(Debug)]
pub(crate) struct Lease<V, E> {
    shared: Arc<Shared<V, E>>,
    digest: Digest,
    held: bool,
}

/// An image, and its share where it is shared.
pub(crate) type Product<V, E> = (Arc<V>, Option<Lease<V, E>>);

impl<V, E: Clone> Shared<V, E> {
    /// The image for `digest` with a share of it; `compile` makes it where it is not there, once.
    pub(crate) fn get_or_compile(
        self: &Arc<Self>,
        digest: Digest,
        weigh: fn(&V) -> usize,
        compile: impl FnOnce() -> Result<Arc<V>, E>,
    ) -> Result<Product<V, E>, E> {
        loop {
            let mine = Arc::new(Flight::new());
            // A statement of its own: the lock must be released before anything slow begins.
            let found = self.table.lock().find_or_enter(digest, &mine);
            match found {
                Found::Image(image) => {
                    count(&self.counters.shared_hits);
                    tracing::trace!(target: "oarlock::cache", %digest, "shared hit");
                    return Ok((image, Some(self.lease(digest))));
                }
                Found::Joined(flight) => {
                    count(&self.counters.waits);
                    match flight.wait() {
                        Outcome::Done(result) => {
                            return result.map(|image| (image, Some(self.lease(digest))));
                        }
                        Outcome::Abandoned => {}
                    }
                }
                Found::Failed(error) => {
                    count(&self.counters.remembered);
                    return Err(error);
                }
                Found::Mine => return Ok((compile()?, None)),
                Found::Entered => return self.compile_as_leader(digest, &mine, weigh, compile),
            }
        }
    }

    fn compile_as_leader(
        self: &Arc<Self>,
        digest: Digest,
        flight: &Arc<Flight<V, E>>,
        weigh: fn(&V) -> usize,
        compile: impl FnOnce() -> Result<Arc<V>, E>,
    ) -> Result<Product<V, E>, E> {
        let mut seat = Seat { shared: self, digest, flight, landed: false };
        let result = compile();
        let lease = match &result {
            Ok(image) => {
                let bytes = weigh(image) as u64;
                self.table.lock().settle(digest, image.clone(), bytes);
                self.counters.image_in(bytes);
                Some(self.lease(digest))
            }
            Err(error) => {
                let mut table = self.table.lock();
                table.slots.remove(&digest);
                table.lasting.remember(digest, error, Instant::now());
                None
            }
        };
        flight.land(Outcome::Done(result.clone()));
        seat.landed = true;
        result.map(|image| (image, lease))
    }

    /// The share that the table has counted already.
    fn lease(self: &Arc<Self>, digest: Digest) -> Lease<V, E> {
        Lease { shared: self.clone(), digest, held: true }
    }
}

impl<V, E: Clone> Shared<V, E> {
    pub(crate) fn new(counters: Arc<Counters>) -> Self {
        let table = Table {
            slots: HashMap::new(),
            lasting: Lasting::new(|_| None),
            idle: BTreeMap::new(),
            idle_bytes: 0,
            budget: 0,
            clock: 0,
        };
        Self { table: Mutex::new(table), counters }
    }

    /// Sets which failures are remembered from now on, and for how long. Forgets those that are.
    pub(crate) fn set_lasting(&self, lasts: fn(&E) -> Option<Duration>) {
        self.table.lock().lasting = Lasting::new(lasts);
    }
}

impl<V, E> Shared<V, E> {
    /// Sets how many bytes of idle images may stay, and evicts what is over it. Returns the bytes evicted.
    pub(crate) fn set_budget(&self, bytes: u64) -> u64 {
        let evicted = {
            let mut table = self.table.lock();
            table.budget = bytes;
            table.evict()
        };
        self.evicted(evicted)
    }

    /// How many images are idle, and their bytes.
    pub(crate) fn idle(&self) -> (u64, u64) {
        let table = self.table.lock();
        (table.idle.len() as u64, table.idle_bytes)
    }

    fn release(&self, digest: Digest) -> u64 {
        let evicted = self.table.lock().release(digest);
        self.evicted(evicted)
    }

    /// Keeps the books of what was evicted, and drops it, outside this lock. No event is told: a record
    /// that is displaced comes here while the keys' table is locked.
    fn evicted(&self, images: Vec<Ready<V>>) -> u64 {
        let mut bytes = 0;
        for image in images {
            count(&self.counters.evictions);
            self.counters.image_out(image.bytes);
            bytes += image.bytes;
        }
        bytes
    }
}

enum Found<V, E> {
    /// An image; a share of it has been counted.
    Image(Arc<V>),
    /// A compile under way; a share has been promised.
    Joined(Arc<Flight<V, E>>),
    /// A compile under way on this very thread.
    Mine,
    /// A failure that lasts.
    Failed(E),
    /// Nothing: the caller's flight has taken the place.
    Entered,
}

impl<V, E: Clone> Table<V, E> {
    fn find_or_enter(&mut self, digest: Digest, mine: &Arc<Flight<V, E>>) -> Found<V, E> {
        match self.slots.get_mut(&digest) {
            Some(Slot::Ready(ready)) => {
                if ready.owners == 0 {
                    self.idle.remove(&ready.idle);
                    self.idle_bytes -= ready.bytes;
                }
                ready.owners += 1;
                Found::Image(ready.image.clone())
            }
            Some(Slot::Compiling { flight, .. }) if flight.is_mine() => Found::Mine,
            Some(Slot::Compiling { flight, joined }) => {
                *joined += 1;
                Found::Joined(flight.clone())
            }
            None => {
                if let Some(error) = self.lasting.find(&digest, Instant::now) {
                    return Found::Failed(error);
                }
                self.slots.insert(digest, Slot::Compiling { flight: mine.clone(), joined: 0 });
                Found::Entered
            }
        }
    }
}

impl<V, E> Table<V, E> {
    /// Puts an image in the place of its flight: the leader owns it, and all who joined.
    fn settle(&mut self, digest: Digest, image: Arc<V>, bytes: u64) {
        let joined = match self.slots.get(&digest) {
            Some(Slot::Compiling { joined, .. }) => *joined,
            _ => 0,
        };
        let ready = Ready { image, bytes, owners: 1 + joined, idle: 0 };
        self.slots.insert(digest, Slot::Ready(ready));
    }

    /// Takes one owner off. Returns what is evicted for it.
    fn release(&mut self, digest: Digest) -> Vec<Ready<V>> {
        let Some(Slot::Ready(ready)) = self.slots.get_mut(&digest) else { return Vec::new() };
        ready.owners -= 1;
        if ready.owners > 0 {
            return Vec::new();
        }
        self.clock += 1;
        ready.idle = self.clock;
        let bytes = ready.bytes;
        self.idle.insert(self.clock, digest);
        self.idle_bytes += bytes;
        if bytes > self.budget {
            // It would push all others out and then go itself.
            return self.evict_one(self.clock).into_iter().collect();
        }
        self.evict()
    }

    /// Takes out the idle, oldest first, until they are within the budget.
    fn evict(&mut self) -> Vec<Ready<V>> {
        let mut evicted = Vec::new();
        while self.idle_bytes > self.budget {
            let Some((&oldest, _)) = self.idle.first_key_value() else { break };
            evicted.extend(self.evict_one(oldest));
        }
        evicted
    }

    fn evict_one(&mut self, stamp: u64) -> Option<Ready<V>> {
        let digest = self.idle.remove(&stamp)?;
        match self.slots.remove(&digest) {
            Some(Slot::Ready(ready)) => {
                self.idle_bytes -= ready.bytes;
                Some(ready)
            }
            _ => None,
        }
    }
}

impl<V, E> Lease<V, E> {
    /// Gives the share back. Returns how many bytes the cache let go of for it.
    pub(crate) fn release(mut self) -> u64 {
        self.held = false;
        self.shared.release(self.digest)
    }
}

impl<V, E> Drop for Lease<V, E> {
    fn drop(&mut self) {
        if self.held {
            self.shared.release(self.digest);
        }
    }
}

/// The leader's seat: given up in order, also when the compiler panics.
struct Seat<'s, V, E: Clone> {
    shared: &'s Shared<V, E>,
    digest: Digest,
    flight: &'s Arc<Flight<V, E>>,
    landed: bool,
}

impl<V, E: Clone> Drop for Seat<'_, V, E> {
    fn drop(&mut self) {
        if !self.landed {
            self.shared.table.lock().slots.remove(&self.digest);
            self.flight.land(Outcome::Abandoned);
        }
    }
}
