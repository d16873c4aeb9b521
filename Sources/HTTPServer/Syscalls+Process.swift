import Glibc

// Figures of this process from the system.
extension Syscalls {
  /// Returns the processor time that this process has used, in nanoseconds.
  static func processorNanoseconds() -> Int {
    var time = timespec()
    guard unsafe clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time) == 0 else { return 0 }
    return time.tv_sec * 1_000_000_000 + time.tv_nsec
  }

  /// Returns the number of open descriptors; 0 if the kernel does not report it (proc(5)).
  ///
  /// - Complexity: O(1) from Linux 6.2 on, else O(descriptors).
  static func openDescriptorCount() -> Int {
    var status = stat()
    guard unsafe stat("/proc/self/fd", &status) == 0 else { return 0 }
    if status.st_size > 0 { return Int(status.st_size) }
    guard let folder = unsafe opendir("/proc/self/fd") else { return 0 }
    defer { unsafe closedir(folder) }
    var count = 0
    while unsafe readdir(folder) != nil { count += 1 }
    // The count includes the opened folder itself, `.` and `..`.
    return max(count - 3, 0)
  }

  /// Returns the number of descriptors that this process may have (RLIMIT_NOFILE).
  static func maxDescriptorCount() -> Int {
    var limit = rlimit()
    let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
    guard unsafe getrlimit(resource, &limit) == 0 else { return 0 }
    return Int(clamping: limit.rlim_cur)
  }

  /// The memory of a process, in bytes.
  struct ProcessMemory {
    /// The size of its address space in bytes.
    var virtualBytes = 0
    var residentBytes = 0
    /// The resident bytes that do not belong to files.
    var anonymousBytes = 0
    /// The bytes of heap and stacks, resident or not.
    var dataBytes = 0
  }

  /// Returns the memory of this process; zeros if the kernel does not report it (proc(5)).
  static func memory() -> ProcessMemory {
    let fields = smallFile("/proc/self/statm")?.split(separator: " ") ?? []
    guard fields.count > 5 else { return ProcessMemory() }
    let pageBytes = sysconf(Int32(_SC_PAGESIZE))
    let bytes = fields.prefix(6).map { (Int($0) ?? 0) * pageBytes }
    return ProcessMemory(
      virtualBytes: bytes[0],
      residentBytes: bytes[1],
      anonymousBytes: bytes[1] - bytes[2],
      dataBytes: bytes[5]
    )
  }

  /// Returns the text of a kernel file, at most 4 KiB; nil if it cannot be read.
  static func smallFile(_ path: String) -> String? {
    guard let file = try? checked("open", { unsafe open(path, O_RDONLY | O_CLOEXEC) }) else {
      return nil
    }
    let descriptor = FileDescriptor(owning: file)
    var text = [UInt8](repeating: 0, count: 4_096)
    let (count, _) = unsafe text.withUnsafeMutableBytes { bytes in
      retrying { unsafe read(descriptor.number, bytes.baseAddress, bytes.count) }
    }
    guard count >= 0 else { return nil }
    return String(decoding: text.prefix(count), as: UTF8.self)
  }

  /// Returns the physical memory of the machine in bytes.
  static func physicalBytes() -> Int {
    sysconf(Int32(_SC_PHYS_PAGES)) * sysconf(Int32(_SC_PAGESIZE))
  }

  /// The bytes of addresses that the process may have; nil for any number (RLIMIT_AS).
  static func maxAddressBytes() -> Int? { limit(RLIMIT_AS.rawValue) }

  /// The bytes of heap and stacks that the process may have; nil for any number (RLIMIT_DATA).
  static func maxDataBytes() -> Int? { limit(RLIMIT_DATA.rawValue) }

  private static func limit(_ resource: UInt32) -> Int? {
    var limit = rlimit()
    guard unsafe getrlimit(__rlimit_resource_t(resource), &limit) == 0 else { return nil }
    return Int(exactly: limit.rlim_cur).flatMap { $0 < 1 << 50 ? $0 : nil }
  }
}
