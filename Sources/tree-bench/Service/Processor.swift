import Glibc

/// The processors of the machine, the time they give to a process, and what else it may have.
enum Processor {
  /// Has this process, and what it starts from now on, run on the first processor only.
  static func takeFirst() {
    _ = Shell.run("taskset -acp 0 \(getpid())")
  }

  /// Has this process run on any processor again.
  static func takeAll() {
    _ = Shell.run("taskset -acp 0-$(($(nproc --all) - 1)) \(getpid())")
  }

  /// Allows this process as many descriptors as it may have, up to so many.
  static func allowDescriptors(_ wanted: UInt) {
    var limit = rlimit()
    let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
    guard unsafe getrlimit(resource, &limit) == 0, limit.rlim_cur < wanted else { return }
    limit.rlim_cur = min(wanted, limit.rlim_max)
    unsafe setrlimit(resource, &limit)
  }

  /// How much processor time a process has used, in nanoseconds; 0 if there is no such process.
  static func time(of process: pid_t) -> Double {
    var clock = clockid_t()
    var time = timespec()
    guard unsafe clock_getcpuclockid(process, &clock) == 0,
      unsafe clock_gettime(clock, &time) == 0
    else { return 0 }
    return Double(time.tv_sec) * 1e9 + Double(time.tv_nsec)
  }
}
