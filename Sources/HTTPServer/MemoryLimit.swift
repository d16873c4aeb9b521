/// The memory that this process may use, by the machine, its control group and its resource limits.
public struct MemoryLimit: Sendable {
  /// Returns the text of a small file; `nil` if it cannot be read.
  typealias Read = (_ path: String) -> String?

  /// The bytes of memory.
  public let bytes: Int

  /// Reads the limit of this process.
  public init() {
    let group = Self.ofControlGroup(Syscalls.smallFile) ?? .max
    // Threads reserve addresses that they never use.
    let addresses = Syscalls.addressSpaceBytes().map { $0 / 2 } ?? .max
    bytes = min(Syscalls.physicalBytes(), group, addresses)
  }

  /// The bytes that the service takes for itself where nothing else is set: three quarters, for the
  /// rest is what is not counted and what others need.
  public var share: Int { bytes / 4 * 3 }

  /// Returns the least limit of the control groups that this process is in; `nil` for none.
  ///
  /// Reads versions 1 and 2 (cgroups(7)). A group is limited by those above it, too.
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
        // Without a limit there is `max`, or in version 1 a number above any memory.
        let text = read(path)?.split(separator: "\n").first
        if let bytes = text.flatMap({ Int($0) }) { limits.append(bytes) }
        if names.popLast() == nil { break }
      }
    }
    return limits.filter { $0 > 0 }.min()
  }
}

extension ProcessMetrics {
  /// The bytes of memory that are resident and no file's; 0 where the kernel does not tell.
  ///
  /// - Complexity: O(1), a few microseconds.
  public static func residentBytes() -> Int { Syscalls.memory().anonymousBytes }
}
