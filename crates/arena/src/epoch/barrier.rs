//! The two halves of the barrier between readers and the thread that advances.

use crate::sync::atomic::{Ordering, fence};

/// How a pin makes sure that its thread is seen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Barrier {
    /// A full fence at every pin. Works everywhere.
    Fence,
    /// None at a pin; the thread that reclaims asks the kernel to run one on every thread of the process
    /// (Linux `membarrier`, private expedited).
    Membarrier,
}

impl Barrier {
    /// The best that this machine has.
    pub(crate) fn best() -> Self {
        Self::Membarrier.available()
    }

    /// This one, or a fence where the kernel has no membarrier.
    pub(crate) fn available(self) -> Self {
        match self {
            Self::Membarrier if kernel::register() => Self::Membarrier,
            _ => Self::Fence,
        }
    }

    /// The reader's half.
    #[inline(always)]
    pub(crate) fn light(self) {
        match self {
            // Nothing moves over this in the compiler; in the processor, the heavy half stands for it.
            Self::Membarrier => std::sync::atomic::compiler_fence(std::sync::atomic::Ordering::SeqCst),
            Self::Fence => fence(Ordering::SeqCst),
        }
    }

    /// The other half. `false` when it could not be made, and nothing may be concluded.
    pub(crate) fn heavy(self) -> bool {
        fence(Ordering::SeqCst);
        match self {
            Self::Fence => true,
            Self::Membarrier => kernel::everywhere(),
        }
    }
}

#[cfg(all(target_os = "linux", not(miri), not(loom)))]
mod kernel {
    use std::sync::OnceLock;

    const PRIVATE_EXPEDITED: libc::c_int = 1 << 3;
    const REGISTER_PRIVATE_EXPEDITED: libc::c_int = 1 << 4;

    fn call(command: libc::c_int) -> bool {
        // SAFETY: membarrier takes three integers and touches no memory of the caller.
        unsafe { libc::syscall(libc::SYS_membarrier, command, 0, 0) == 0 }
    }

    /// Announces to the kernel, once, that this process uses it.
    pub(super) fn register() -> bool {
        static THERE: OnceLock<bool> = OnceLock::new();
        *THERE.get_or_init(|| call(REGISTER_PRIVATE_EXPEDITED) && call(PRIVATE_EXPEDITED))
    }

    /// A full barrier on every running thread of the process.
    pub(super) fn everywhere() -> bool {
        // After a fork the child may have to register anew.
        call(PRIVATE_EXPEDITED) || (call(REGISTER_PRIVATE_EXPEDITED) && call(PRIVATE_EXPEDITED))
    }
}

#[cfg(any(not(target_os = "linux"), miri, loom))]
mod kernel {
    pub(super) fn register() -> bool {
        false
    }

    pub(super) fn everywhere() -> bool {
        false
    }
}
