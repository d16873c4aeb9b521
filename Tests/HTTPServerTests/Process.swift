import Glibc

/// The process that runs the tests.
enum Process {
  /// The number of its threads.
  static var threadCount: Int {
    guard let folder = unsafe opendir("/proc/self/task") else { return 0 }
    defer { unsafe closedir(folder) }
    var count = 0
    while let entry = unsafe readdir(folder) {
      // Each entry except for "." and ".." is a thread.
      if unsafe entry.pointee.d_name.0 != CChar(UInt8(ascii: ".")) { count += 1 }
    }
    return count
  }

  /// Raises the limit of open descriptors as far as the system allows.
  static func allowDescriptors() {
    var limit = rlimit()
    let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
    guard unsafe getrlimit(resource, &limit) == 0 else { return }
    limit.rlim_cur = limit.rlim_max
    _ = unsafe setrlimit(resource, &limit)
  }
}
