import Foundation

/// A folder of a test's own, which goes with it.
package final class TemporaryFolder: Sendable {
  /// Where it is.
  package let path: String

  /// Makes an empty folder.
  package init() throws {
    let folder = FileManager.default.temporaryDirectory.path
    path = "\(folder)/tree-service-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  /// The bytes of a file in it; `nil` where there is none.
  package func bytes(of name: String) -> [UInt8]? {
    FileManager.default.contents(atPath: "\(path)/\(name)").map(Array.init)
  }

  /// Makes a pipe with a name, and tells its path.
  package func makePipe(_ name: String) throws -> String {
    let pipe = "\(path)/\(name)"
    guard unsafe mkfifo(pipe, 0o600) == 0 else { throw CocoaError(.fileWriteUnknown) }
    return pipe
  }

  /// Writes a file; `nil` removes it.
  package func write(_ bytes: [UInt8]?, to name: String) throws {
    let file = URL(fileURLWithPath: "\(path)/\(name)")
    guard let bytes else {
      try? FileManager.default.removeItem(at: file)
      return
    }
    try Data(bytes).write(to: file)
  }
}
