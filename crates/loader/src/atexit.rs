//! Destructors that C++ code registers while it runs, kept for each object.

use std::collections::HashMap;
use std::ffi::{c_int, c_void};
use std::sync::{LazyLock, Mutex, MutexGuard};

type Destructor = unsafe extern "C" fn(*mut c_void);

/// By the object's handle. An argument is kept as a number: it is only handed back.
type Lists = HashMap<usize, Vec<(Destructor, usize)>>;

static REGISTERED: LazyLock<Mutex<Lists>> = LazyLock::new(Mutex::default);

fn registered() -> MutexGuard<'static, Lists> {
    // Nothing in here can leave the table half changed.
    REGISTERED.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
}

/// `__cxa_atexit` as loaded objects see it. Refuses (with -1) an object that is not loaded.
pub(crate) extern "C" fn register(function: Destructor, argument: *mut c_void, object: *mut c_void) -> c_int {
    match registered().get_mut(&(object as usize)) {
        Some(list) => {
            list.push((function, argument as usize));
            0
        }
        None => -1,
    }
}

/// Starts a list for the object at `handle`.
pub(crate) fn open(handle: usize) {
    registered().insert(handle, Vec::new());
}

/// Runs what the object registered, last first, and ends its list.
///
/// # Safety
/// The object's code is still mapped, and its destructors may run now.
pub(crate) unsafe fn close(handle: usize) {
    loop {
        // The lock is not held while a destructor runs: it may register another.
        let last = registered().get_mut(&handle).and_then(Vec::pop);
        let Some((function, argument)) = last else { break };
        // SAFETY: the object registered this function with this argument, and the caller vouches for it.
        unsafe { function(argument as *mut c_void) };
    }
    registered().remove(&handle);
}
