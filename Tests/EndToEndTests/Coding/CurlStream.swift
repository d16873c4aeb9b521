import Foundation
import Glibc

/// An answer that curl reads and decodes as it comes.
final class CurlStream {
  private let process = Process()
  private let output = Pipe()
  private var bytes: [UInt8] = []
  /// How much of it has been waited for.
  private var awaited = 0

  /// Asks for what the arguments name.
  init(_ arguments: [String]) throws {
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = ["curl", "-s", "-S", "-i", "-N", "--max-time", "60"] + arguments
    process.standardOutput = output
    try process.run()
  }

  /// The head and what has come of the content.
  var text: String { String(decoding: bytes, as: UTF8.self) }

  /// Waits until some text has come behind what was waited for before.
  func wait(for text: String) throws {
    while true {
      if let place = bytes[awaited...].firstRange(of: Array(text.utf8)) {
        awaited = place.upperBound
        return
      }
      guard let piece = output.readSome(), !piece.isEmpty else {
        throw WireError("the stream does not go on, or ended before \(text)")
      }
      bytes += piece
    }
  }

  /// Hangs up, whichever signals curl has inherited as blocked or ignored.
  func end() {
    _ = Glibc.kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
  }
}
