import Foundation

/// Programs that are run to their end.
enum Command {
  /// Runs a program; what it writes comes with its status.
  static func run(_ command: [String]) throws -> (output: String, status: Int32) {
    let process = Process()
    let pipe = Pipe()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = command
    process.standardOutput = pipe
    process.standardError = pipe
    try process.run()
    let output = try pipe.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    return (String(decoding: output, as: UTF8.self), process.terminationStatus)
  }

  /// Returns true if a program is installed.
  static func exists(_ name: String) -> Bool {
    (try? run([name, "--version"]))?.status == 0
  }
}
