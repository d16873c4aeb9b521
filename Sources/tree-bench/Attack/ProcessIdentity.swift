import Glibc

/// A process of this machine by its number.
struct ProcessIdentity: Sendable {
  let number: pid_t

  /// The number of this process.
  static var own: pid_t { getpid() }

  /// The maximum resident size so far, in bytes; 0 if the kernel does not report it.
  var peakBytes: Int {
    let line = Shell.run("grep VmHWM /proc/\(number)/status 2> /dev/null").output
    return (Int(line.filter(\.isNumber)) ?? 0) << 10
  }

  /// The resident size in bytes; 0 if the kernel does not report it.
  var residentBytes: Int {
    let line = Shell.run("grep VmRSS /proc/\(number)/status 2> /dev/null").output
    return (Int(line.filter(\.isNumber)) ?? 0) << 10
  }
}
