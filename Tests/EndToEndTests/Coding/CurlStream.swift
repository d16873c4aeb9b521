import Foundation
import Glibc

/// An answer that curl reads and decodes while it arrives.
final class CurlStream {
  private let process = Process()
  private let output = Pipe()
  private var bytes: [UInt8] = []
  /// The number of bytes up to the end of the last text that was awaited.
  private var awaited = 0

  /// Starts curl with the arguments.
  init(_ arguments: [String]) throws {
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = ["curl", "-s", "-S", "-i", "-N", "--max-time", "60"] + arguments
    process.standardOutput = output
    try process.run()
  }

  /// The head and the content received so far.
  var text: String { String(decoding: bytes, as: UTF8.self) }

  /// Waits until a text arrives behind the text that was awaited last.
  func wait(for text: String) throws {
    while true {
      if let place = bytes[awaited...].firstRange(of: Array(text.utf8)) {
        awaited = place.upperBound
        return
      }
      guard let piece = output.readSome(), !piece.isEmpty else {
        throw WireError("the stream stalled or ended before \(text)")
      }
      bytes += piece
    }
  }

  /// Ends curl with SIGKILL, as it may have inherited other signals as blocked or ignored.
  func end() {
    _ = Glibc.kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
  }
}
