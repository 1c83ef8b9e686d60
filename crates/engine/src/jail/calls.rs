//! Calls of the system: seccomp takes away those that an engine has no use for.
//!
//! What is left open is everything a thread that computes may need; what is closed leads out: connections, children,
//! signals to others, the modes and owners of files, larger limits, other processes' memory, the system itself.

use std::collections::BTreeMap;

use seccompiler::{
    BpfProgram, Error, SeccompAction, SeccompCmpArgLen, SeccompCmpOp, SeccompCondition,
    SeccompFilter, SeccompRule, TargetArch, apply_filter, sock_filter,
};

// Younger than the library that names calls. From 424 on a call has the same number on all machines.
const FCHMODAT2: i64 = 452;
const SETXATTRAT: i64 = 463;
const REMOVEXATTRAT: i64 = 466;
const FILE_SETATTR: i64 = 469;

/// Closed for everybody.
const CLOSED: &[i64] = &[
    // Connections, also by the other way round.
    libc::SYS_socket,
    libc::SYS_socketpair,
    libc::SYS_io_uring_setup,
    // Children, and ways out of the group that is ended as a whole.
    #[cfg(target_arch = "x86_64")]
    libc::SYS_fork,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_vfork,
    libc::SYS_setsid,
    libc::SYS_setpgid,
    // Programs that are in no file.
    libc::SYS_execveat,
    libc::SYS_memfd_create,
    // Signals to others; a thread may end its own process, see below.
    libc::SYS_kill,
    libc::SYS_tkill,
    libc::SYS_rt_sigqueueinfo,
    libc::SYS_rt_tgsigqueueinfo,
    libc::SYS_pidfd_open,
    libc::SYS_pidfd_send_signal,
    // Modes, owners, times and attributes of files: Landlock does not ask about them, and the files of the server belong
    // to the same user.
    #[cfg(target_arch = "x86_64")]
    libc::SYS_chmod,
    libc::SYS_fchmod,
    libc::SYS_fchmodat,
    FCHMODAT2,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_chown,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_lchown,
    libc::SYS_fchown,
    libc::SYS_fchownat,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_utime,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_utimes,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_futimesat,
    libc::SYS_utimensat,
    libc::SYS_setxattr,
    libc::SYS_lsetxattr,
    libc::SYS_fsetxattr,
    SETXATTRAT,
    libc::SYS_removexattr,
    libc::SYS_lremovexattr,
    libc::SYS_fremovexattr,
    REMOVEXATTRAT,
    FILE_SETATTR,
    // Watching what others do with theirs.
    libc::SYS_inotify_add_watch,
    libc::SYS_fanotify_init,
    // Other processes' memory, and memory that outlives the process.
    libc::SYS_ptrace,
    libc::SYS_process_vm_readv,
    libc::SYS_process_vm_writev,
    libc::SYS_shmget,
    libc::SYS_msgget,
    libc::SYS_mq_open,
    libc::SYS_semget,
    // Limits and ranks.
    libc::SYS_setrlimit,
    libc::SYS_setpriority,
    libc::SYS_sched_setscheduler,
    // The system itself.
    libc::SYS_mount,
    libc::SYS_umount2,
    libc::SYS_chroot,
    libc::SYS_pivot_root,
    libc::SYS_unshare,
    libc::SYS_setns,
    libc::SYS_bpf,
    libc::SYS_perf_event_open,
    libc::SYS_keyctl,
    libc::SYS_add_key,
    libc::SYS_request_key,
    libc::SYS_init_module,
    libc::SYS_finit_module,
    libc::SYS_delete_module,
    libc::SYS_kexec_load,
    libc::SYS_reboot,
    libc::SYS_swapon,
    libc::SYS_swapoff,
    libc::SYS_settimeofday,
    libc::SYS_clock_settime,
    libc::SYS_sethostname,
    libc::SYS_userfaultfd,
];

/// The filters, made before the limits on memory hold.
pub(super) fn filters() -> Result<Vec<BpfProgram>, Error> {
    let mut closed: BTreeMap<i64, Vec<SeccompRule>> =
        CLOSED.iter().map(|&call| (call, Vec::new())).collect();
    // A thread is a clone too; anything else is a child.
    let thread = u64::try_from(libc::CLONE_THREAD).unwrap_or(0);
    closed.insert(libc::SYS_clone, when(0, SeccompCmpOp::MaskedEq(thread), 0)?);
    // A program that gives up signals itself.
    let own = u64::from(std::process::id());
    closed.insert(libc::SYS_tgkill, when(0, SeccompCmpOp::Ne, own)?);
    // Limits may be asked for, not set.
    closed.insert(libc::SYS_prlimit64, when(2, SeccompCmpOp::Ne, 0)?);
    // What this call would do stands where no filter can look. Told that it does not exist, libraries use `clone`.
    let unknown = BTreeMap::from([(libc::SYS_clone3, Vec::new())]);
    let mut filters = vec![compile(closed, libc::EPERM)?, compile(unknown, libc::ENOSYS)?];
    if cfg!(target_arch = "x86_64") {
        filters.push(other_numbers());
    }
    Ok(filters)
}

/// Refuses all calls by their second numbers. A kernel for x86-64 may know x32 programs too: theirs are the same calls
/// with another bit set, and the list above would not recognise them.
fn other_numbers() -> BpfProgram {
    const SECOND_NUMBERS: u32 = 0x4000_0000;
    // By the kernel's header linux/filter.h: load the number of the call, compare, give the verdict.
    const LOAD: u16 = 0x20;
    const IS_AT_LEAST: u16 = 0x35;
    const VERDICT: u16 = 0x06;
    const REFUSED: u32 = libc::SECCOMP_RET_ERRNO | libc::EPERM.unsigned_abs();
    vec![
        sock_filter { code: LOAD, jt: 0, jf: 0, k: 0 },
        sock_filter { code: IS_AT_LEAST, jt: 0, jf: 1, k: SECOND_NUMBERS },
        sock_filter { code: VERDICT, jt: 0, jf: 0, k: REFUSED },
        sock_filter { code: VERDICT, jt: 0, jf: 0, k: libc::SECCOMP_RET_ALLOW },
    ]
}

/// A call with such an argument.
fn when(argument: u8, is: SeccompCmpOp, value: u64) -> Result<Vec<SeccompRule>, Error> {
    let condition = SeccompCondition::new(argument, SeccompCmpArgLen::Qword, is, value)?;
    Ok(vec![SeccompRule::new(vec![condition])?])
}

fn compile(closed: BTreeMap<i64, Vec<SeccompRule>>, error: i32) -> Result<BpfProgram, Error> {
    let refuse = SeccompAction::Errno(u32::try_from(error).unwrap_or(1));
    let machine: TargetArch = std::env::consts::ARCH.try_into()?;
    let filter = SeccompFilter::new(closed, SeccompAction::Allow, refuse, machine)?;
    Ok(filter.try_into()?)
}

/// Takes the calls away, for ever.
pub(super) fn lock(filters: &[BpfProgram]) -> Result<(), Error> {
    filters.iter().try_for_each(|filter| apply_filter(filter))
}

/// Whether this kernel can, on this kind of processor.
pub(super) fn is_possible() -> bool {
    let status = std::fs::read_to_string("/proc/self/status");
    can_lock(status.as_deref().ok(), std::env::consts::ARCH)
}

/// What cannot be found out counts as possible: an engine that does not start is better than one that is not locked in.
fn can_lock(status: Option<&str>, machine: &str) -> bool {
    let is_known = TargetArch::try_from(machine).is_ok();
    is_known && status.is_none_or(|status| status.contains("Seccomp:"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn calls_are_locked_where_kernel_and_processor_are_able_to() {
        let status = Some("Name:\trookery\nSeccomp:\t0\n");
        assert!(can_lock(status, "x86_64"));
        assert!(can_lock(None, "aarch64"), "nothing is known");
        assert!(!can_lock(Some("Name:\trookery\n"), "x86_64"), "the kernel lacks it");
        assert!(!can_lock(status, "arm"), "no filter can be made for it");
    }
}
