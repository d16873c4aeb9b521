import Testing

@testable import HTTPServer

/// The memory limit of a process.
struct MemoryLimitTests {
  private func limit(_ files: [String: String]) -> Int? {
    MemoryLimit.ofControlGroup { files[$0] }
  }

  @Test func `the least limit of a unified group and its parents applies`() {
    let group = "0::/system.slice/trees.service\n"
    let root = "/sys/fs/cgroup/"
    let own = root + "system.slice/trees.service/memory.max"
    #expect(limit(["/proc/self/cgroup": group, own: "1073741824\n"]) == 1 << 30)
    #expect(limit(["/proc/self/cgroup": group, own: "max\n"]) == nil)
    let above = root + "system.slice/memory.max"
    let both = ["/proc/self/cgroup": group, own: "1073741824\n", above: "536870912\n"]
    #expect(limit(both) == 1 << 29)
    #expect(limit(["/proc/self/cgroup": "0::/\n", root + "memory.max": "4096\n"]) == 4_096)
  }

  @Test func `a version 1 group applies if it controls memory`() {
    let groups = "5:cpu,cpuacct:/a\n4:memory:/docker/1\n0::/\n"
    let path = "/sys/fs/cgroup/memory/docker/1/memory.limit_in_bytes"
    #expect(limit(["/proc/self/cgroup": groups, path: "4096\n"]) == 4_096)
    #expect(limit(["/proc/self/cgroup": "5:cpu:/docker/1\n", path: "4096\n"]) == nil)
    #expect(limit([:]) == nil)
  }

  @Test func `this process has a memory limit`() {
    let limit = MemoryLimit()
    #expect(limit.bytes > 1 << 26 && limit.share == limit.bytes / 4 * 3)
    let used = limit.usedBytes()
    #expect(used > 1 << 20 && used < limit.bytes)
  }
}
