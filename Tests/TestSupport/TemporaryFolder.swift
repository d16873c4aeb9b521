import Foundation

/// A temporary folder, which is removed with this object.
package final class TemporaryFolder: Sendable {
  /// The path of the folder.
  package let path: String

  /// Creates an empty folder.
  package init() throws {
    let folder = FileManager.default.temporaryDirectory.path
    path = "\(folder)/tree-service-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  /// Returns the bytes of a file; nil if it does not exist.
  package func bytes(of name: String) -> [UInt8]? {
    FileManager.default.contents(atPath: "\(path)/\(name)").map(Array.init)
  }

  /// Creates a named pipe and returns its path.
  package func makePipe(_ name: String) throws -> String {
    let pipe = "\(path)/\(name)"
    guard unsafe mkfifo(pipe, 0o600) == 0 else { throw CocoaError(.fileWriteUnknown) }
    return pipe
  }

  /// Writes a file, or removes it for nil.
  package func write(_ bytes: [UInt8]?, to name: String) throws {
    let file = URL(fileURLWithPath: "\(path)/\(name)")
    guard let bytes else {
      try? FileManager.default.removeItem(at: file)
      return
    }
    try Data(bytes).write(to: file)
  }
}
