import Foundation

/// The program that tests start in a process of its own.
package enum TestedProgram {
  /// The path that the environment variable `TREE_SERVER` gives, for instance of a release build;
  /// else that of the program which is built beside the tests.
  package static let path: String = {
    if let named = ProcessInfo.processInfo.environment["TREE_SERVER"] {
      return URL(filePath: named).path()
    }
    let tests = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? ""
    return URL(filePath: tests).deletingLastPathComponent().appending(path: "tree-server").path()
  }()
}
