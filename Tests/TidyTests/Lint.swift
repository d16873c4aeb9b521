import Foundation

/// What `swift format lint --strict` says about files and folders; empty when all is well.
///
/// - Parameter paths: Paths from the root of the repository; from anywhere if they begin with `/`.
func lint(_ paths: [String]) throws -> String {
  let process = Process()
  process.executableURL = URL(filePath: "/usr/bin/env")
  process.currentDirectoryURL = URL(filePath: Repository.root)
  process.arguments = ["swift", "format", "lint", "--strict", "--parallel", "-r"] + paths
  let pipe = Pipe()
  process.standardOutput = pipe
  process.standardError = pipe
  try process.run()
  let output = try pipe.fileHandleForReading.readToEnd() ?? Data()
  process.waitUntilExit()
  return String(decoding: output, as: UTF8.self)
}
