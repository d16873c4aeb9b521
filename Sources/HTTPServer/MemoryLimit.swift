/// The memory limit of this process, from the machine, its control group and its resource limits.
package struct MemoryLimit: Sendable {
  /// A function that returns the text of a small file, or `nil` if it cannot be read.
  typealias Read = (_ path: String) -> String?

  /// The limit in bytes.
  package let bytes: Int
  private let maxAddressBytes: Int?
  private let maxDataBytes: Int?
  /// The memory of the process when the limit was read.
  private let before: Syscalls.ProcessMemory
  /// The addresses and the data that the stacks of threads reserve, used or not, in bytes.
  private let reserved: (addresses: Int, data: Int)

  /// Reads the limit of this process, which should have few threads at this time.
  package init() {
    let group = Self.ofControlGroup(Syscalls.smallFile) ?? .max
    let before = Syscalls.memory()
    self.before = before
    maxAddressBytes = Syscalls.maxAddressBytes()
    maxDataBytes = Syscalls.maxDataBytes()
    let stacks = Self.threadsAtStart * ThreadStack.bytes
    let arenas = SystemMemory.maxArenas.map { $0 * SystemMemory.arenaBytes } ?? 0
    reserved = (stacks + arenas, stacks)
    let addresses = maxAddressBytes.map { $0 - before.virtualBytes - stacks - arenas }
    let data = maxDataBytes.map { $0 - before.dataBytes - stacks }
    let least = min(Syscalls.physicalBytes(), group, addresses ?? .max, data ?? .max)
    bytes = max(least, Self.leastBytes)
  }

  /// The approximate number of threads when the service is ready.
  private static let threadsAtStart = 12
  /// The minimum of ``bytes``, whatever the limits are.
  private static let leastBytes = 16 << 20

  /// The default memory of the service in bytes: three quarters of the limit.
  ///
  /// The rest is for memory that is not accounted for, and for other processes.
  package var share: Int { bytes / 4 * 3 }

  /// Returns the limited memory that the process uses, in bytes.
  ///
  /// This is the largest of three: resident memory that does not belong to files, and the addresses
  /// and data reserved since the start if these are limited.
  ///
  /// - Complexity: O(1), a few microseconds.
  package func usedBytes() -> Int {
    let now = Syscalls.memory()
    var used = now.anonymousBytes
    if maxAddressBytes != nil {
      used = max(used, now.virtualBytes - before.virtualBytes - reserved.addresses)
    }
    if maxDataBytes != nil { used = max(used, now.dataBytes - before.dataBytes - reserved.data) }
    return used
  }

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
