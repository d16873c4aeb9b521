import Foundation

/// An answer received by curl, which decodes it with its own zlib.
struct Curl {
  /// The head of the answer.
  let head: String
  /// The content, decoded if the arguments contain `--compressed`.
  let content: [UInt8]

  /// Runs curl with the arguments.
  init(_ arguments: [String]) throws {
    let process = Process()
    let output = Pipe()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = ["curl", "-s", "-S", "-i", "--max-time", "60"] + arguments
    process.standardOutput = output
    try process.run()
    let bytes = try output.fileHandleForReading.readToEnd().map { Array($0) } ?? []
    process.waitUntilExit()
    guard process.terminationStatus == 0 else {
      throw WireError("curl failed with \(process.terminationStatus)")
    }
    let end = Array("\r\n\r\n".utf8)
    let starts = bytes.indices.dropLast(3)
    guard let place = starts.first(where: { bytes[$0..<$0 + 4].elementsEqual(end) }) else {
      throw WireError("there is no head")
    }
    head = String(decoding: bytes[..<place], as: UTF8.self)
    content = Array(bytes[(place + 4)...])
  }

  /// True if the content was compressed.
  var wasCompressed: Bool { head.contains("\r\nContent-Encoding: gzip") }
}
