import Foundation

/// A program of the system that tests use if it is installed.
struct Tool {
  /// The outcome of a run.
  struct Ending {
    let status: Int32
    /// The standard output and the standard error, mixed.
    let output: String
  }

  /// The path of the program.
  let path: String

  /// Finds a program; returns nil if it is not installed.
  init?(_ name: String) {
    let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
    let places = folders.map { "\($0)/\(name)" } + ["/usr/sbin/\(name)"]
    guard let path = places.first(where: FileManager.default.isExecutableFile) else { return nil }
    self.path = path
  }

  /// Returns true if a program is installed, for tests that are skipped without it.
  static func isInstalled(_ name: String) -> Bool { Tool(name) != nil }

  /// Runs the program to its end.
  ///
  /// - Parameters:
  ///   - arguments: The arguments of the program.
  ///   - input: The standard input.
  func run(_ arguments: [String], input: String = "") throws -> Ending {
    let process = Process()
    let (output, source) = (Pipe(), Pipe())
    process.executableURL = URL(filePath: path)
    process.arguments = arguments
    process.standardInput = source
    process.standardOutput = output
    process.standardError = output
    try process.run()
    try source.fileHandleForWriting.write(contentsOf: Data(input.utf8))
    try source.fileHandleForWriting.close()
    let text = try output.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    return Ending(
      status: process.terminationStatus,
      output: String(decoding: text, as: UTF8.self)
    )
  }

  /// The root of the repository.
  static let root = "/" + #filePath.split(separator: "/").dropLast(4).joined(separator: "/")
}
