//! The system calls that a worker may make: those for memory, for the socket that it has, and for its own end.
//!
//! A list of what is allowed, so that what a newer kernel adds is not. What is not on it fails with `EPERM`:
//! the compiler lives on where a library tries something that it can do without.

use std::collections::BTreeMap;

use seccompiler::{
    BpfProgram, SeccompAction, SeccompCmpArgLen as Len, SeccompCmpOp as Op, SeccompCondition, SeccompFilter,
    SeccompRule,
};

/// Whatever their arguments.
const ALLOWED: &[libc::c_long] = &[
    // The socket, standard error and the file that tells the process's size. Nothing can be opened.
    libc::SYS_read,
    libc::SYS_readv,
    libc::SYS_pread64,
    libc::SYS_recvfrom,
    libc::SYS_write,
    libc::SYS_writev,
    libc::SYS_sendto,
    libc::SYS_lseek,
    libc::SYS_fstat,
    libc::SYS_close,
    libc::SYS_ppoll,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_poll,
    // Memory; `mmap` and `mprotect` have rules below.
    libc::SYS_brk,
    libc::SYS_munmap,
    libc::SYS_mremap,
    libc::SYS_madvise,
    // Locks and waiting.
    libc::SYS_futex,
    libc::SYS_sched_yield,
    libc::SYS_sched_getaffinity,
    libc::SYS_nanosleep,
    libc::SYS_clock_nanosleep,
    libc::SYS_restart_syscall,
    // Time, numbers, itself.
    libc::SYS_clock_gettime,
    libc::SYS_gettimeofday,
    libc::SYS_getrusage,
    libc::SYS_getrandom,
    libc::SYS_getpid,
    libc::SYS_gettid,
    // Its end.
    libc::SYS_rt_sigaction,
    libc::SYS_rt_sigprocmask,
    libc::SYS_rt_sigreturn,
    libc::SYS_sigaltstack,
    libc::SYS_exit,
    libc::SYS_exit_group,
];

/// The filter, for all of the process's threads.
pub(super) fn program() -> Result<BpfProgram, seccompiler::Error> {
    let mut rules: BTreeMap<i64, Vec<SeccompRule>> = ALLOWED.iter().map(|call| (*call, vec![])).collect();
    // No memory that can be executed.
    let without_exec =
        |index| condition(index, Len::Dword, Op::MaskedEq(libc::PROT_EXEC as u64), 0).and_then(rule);
    rules.insert(libc::SYS_mmap, vec![without_exec(2)?]);
    rules.insert(libc::SYS_mprotect, vec![without_exec(2)?]);
    // Signals (`abort` sends one) and limits: its own, and nobody else's.
    let own = u64::from(std::process::id());
    rules.insert(libc::SYS_tgkill, vec![condition(0, Len::Dword, Op::Eq, own).and_then(rule)?]);
    let itself = [0, own].map(|pid| condition(0, Len::Dword, Op::Eq, pid).and_then(rule));
    rules.insert(libc::SYS_prlimit64, itself.into_iter().collect::<Result<_, _>>()?);

    let filter = SeccompFilter::new(
        rules,
        SeccompAction::Errno(libc::EPERM as u32),
        SeccompAction::Allow,
        std::env::consts::ARCH.try_into().map_err(seccompiler::Error::Backend)?,
    );
    let filter = filter.map_err(seccompiler::Error::Backend)?;
    filter.try_into().map_err(seccompiler::Error::Backend)
}

fn condition(index: u8, len: Len, op: Op, value: u64) -> Result<SeccompCondition, seccompiler::Error> {
    SeccompCondition::new(index, len, op, value).map_err(seccompiler::Error::Backend)
}

fn rule(condition: SeccompCondition) -> Result<SeccompRule, seccompiler::Error> {
    SeccompRule::new(vec![condition]).map_err(seccompiler::Error::Backend)
}
