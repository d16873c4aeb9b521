/// The memory limit of this process, from the machine, its control group and its resource limits.
public struct MemoryLimit: Sendable {
  /// Returns the text of a small file, or `nil` if it cannot be read.
  typealias Read = (_ path: String) -> String?

  /// The limit in bytes.
  public let bytes: Int

  /// Determines the limit of this process.
  public init() {
    let group = Self.ofControlGroup(Syscalls.smallFile) ?? .max
    // Threads reserve addresses that they never use.
    let addresses = Syscalls.addressSpaceBytes().map { $0 / 2 } ?? .max
    bytes = min(Syscalls.physicalBytes(), group, addresses)
  }

  /// The default memory of the service in bytes: three quarters of the limit.
  ///
  /// The rest is for memory that is not accounted for, and for other processes.
  public var share: Int { bytes / 4 * 3 }

  /// Returns the least limit of the control groups that contain this process; `nil` for none.
  ///
  /// Supports versions 1 and 2 (cgroups(7)). The limits of parent groups apply, too.
  static func ofControlGroup(_ read: Read) -> Int? {
    guard let groups = read("/proc/self/cgroup") else { return nil }
    var limits: [Int] = []
    for line in groups.split(separator: "\n") {
      let fields = line.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
      guard fields.count == 3 else { continue }
      let isUnified = fields[0] == "0" && fields[1].isEmpty
      let isMemory = fields[1].split(separator: ",").contains("memory")
      guard isUnified || isMemory else { continue }
      let (root, file) =
        isUnified
        ? ("/sys/fs/cgroup", "memory.max")
        : ("/sys/fs/cgroup/memory", "memory.limit_in_bytes")
      var names = fields[2].split(separator: "/")
      while true {
        let path = ([root] + names.map(String.init) + [file]).joined(separator: "/")
        // Without a limit the file contains `max`, or in version 1 a number above any memory size.
        let text = read(path)?.split(separator: "\n").first
        if let bytes = text.flatMap({ Int($0) }) { limits.append(bytes) }
        if names.popLast() == nil { break }
      }
    }
    return limits.filter { $0 > 0 }.min()
  }
}

extension ProcessMetrics {
  /// Returns the resident anonymous memory in bytes; 0 if the kernel does not report it.
  ///
  /// - Complexity: O(1), a few microseconds.
  public static func residentBytes() -> Int { Syscalls.memory().anonymousBytes }
}
