import Glibc

/// A memory cgroup of a limited size, version 1 or 2, which is removed with this value.
///
/// - Precondition: The process may make cgroups (it is root, as a rule).
final class MemoryGroup {
  /// The file that a process writes its id to in order to join.
  var memberFile: String { path + "/cgroup.procs" }
  private let path: String

  /// Creates a group; nil if the system does not allow it.
  init?(bytes: Int, name: String) {
    let places = [
      ("/sys/fs/cgroup/memory", "memory.limit_in_bytes"), ("/sys/fs/cgroup", "memory.max"),
    ]
    for (root, file) in places {
      let path = "\(root)/\(name)"
      let command = "(mkdir \(path) && echo \(bytes) > \(path)/\(file)) 2> /dev/null"
      if Shell.run(command).status == 0 {
        self.path = path
        return
      }
      _ = Shell.run("rmdir \(path) 2> /dev/null")
    }
    return nil
  }

  deinit { _ = Shell.run("rmdir \(path)") }
}
