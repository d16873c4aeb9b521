import Foundation

/// Returns the output of `swift format lint --strict` for files and folders; empty without
/// findings.
///
/// - Parameter paths: Paths relative to the root of the repository, or absolute ones.
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
