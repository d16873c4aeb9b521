/// The service to measure over HTTP: a program to start as a child process, or a running one.
struct ServiceTarget: Sendable {
  /// The path of the program; nil for the `tree-server` beside this program.
  var program: String?
  /// The port of a running service of this machine; nil to start a program.
  var port: UInt16?
  /// The size of the memory cgroup of the program, in bytes; nil for no limit.
  var memoryLimit: Int?
  /// More settings for the program's command line.
  var settings: [String] = []

  /// True if it is the program that was built together with this one.
  var isOwn: Bool { program == nil && port == nil }

  /// The path of the program to start.
  var path: String {
    if let program { return program }
    let own = Shell.run("readlink /proc/\(ProcessIdentity.own)/exe").output
    let folder = own.split(separator: "/", omittingEmptySubsequences: false).dropLast()
    return folder.joined(separator: "/") + "/tree-server"
  }

  /// Reads an option of the command line.
  ///
  /// - Returns: False if there is no such option or its value is not valid.
  mutating func consume(_ option: String, _ rest: inout ArraySlice<String>) -> Bool {
    if option == "--" {
      (settings, rest) = (Array(rest), [])
      return true
    }
    guard let value = rest.popFirst() else { return false }
    switch option {
    case "--server":
      let host = "http://127.0.0.1:"
      guard value.hasPrefix("http") else {
        program = value
        return true
      }
      port = value.hasPrefix(host) ? UInt16(value.dropFirst(host.count)) : nil
      return port != nil
    case "--memory-limit":
      memoryLimit = Int(value)
      return (memoryLimit ?? 0) >= 1 << 20
    default: return false
    }
  }
}
