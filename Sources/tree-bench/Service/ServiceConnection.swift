/// A persistent connection to the service, with one request at a time.
///
/// Its own cost is small compared with the service: received bytes stay in one buffer, and no
/// `String` is made. It supports only answers with a length.
final class ServiceConnection {
  private let socket: LoopbackSocket
  private var received = [UInt8](repeating: 0, count: 65_536)
  private var content = 0..<0

  /// Connects to a port of this machine.
  init(port: UInt16) { socket = LoopbackSocket(port: port) }

  /// Sends a request and waits for its answer.
  ///
  /// - Parameter request: The whole request; see ``ServiceRequest``.
  /// - Returns: The status. The content is in ``body`` until the next exchange.
  @discardableResult
  func exchange(_ request: [UInt8]) -> Int {
    send(request)
    return receive()
  }

  /// Reports an available answer as an event with a number.
  func report(to events: SocketEvents, as number: Int) {
    socket.report(to: events, as: number)
  }

  /// Sends a request, whose answer must be received before the next one is sent.
  func send(_ request: [UInt8]) { socket.send(request) }

  /// Waits for the answer to the last request; returns its status.
  func receive() -> Int {
    var count = receive(at: 0)
    var end = headEnd(before: count)
    while end == nil {
      count += receive(at: count)
      end = headEnd(before: count)
    }
    let start = end ?? count
    content = start..<(start + contentLength(headEnd: start))
    while count < content.upperBound { count += receive(at: count) }
    precondition(count == content.upperBound, "a benchmark has one request under way at a time")
    return Int(received[9] - 48) * 100 + Int(received[10] - 48) * 10 + Int(received[11] - 48)
  }

  /// The content of the last answer.
  var body: ArraySlice<UInt8> { received[content] }

  /// A checksum of the length and the last hundred bytes of the content.
  ///
  /// Names of sessions and trees come earlier and have the same length, so they make no difference.
  var checksum: UInt64 {
    body.suffix(100).reduce(UInt64(content.count)) { $0 &* 31 &+ UInt64($1) }
  }

  /// Sends a request, and receives and discards an answer in chunks.
  ///
  /// - Parameter request: The whole request. The content of its answer must not contain the bytes
  ///   that end it.
  /// - Returns: The number of bytes of the answer, head and framing included.
  func streamedBytes(of request: [UInt8]) -> Int {
    socket.send(request)
    var total = 0
    var end: [UInt8] = []
    while end != Self.streamEnd {
      let count = socket.receive(into: &received, at: 0)
      total += count
      end = Array(
        (end + received[..<count].suffix(Self.streamEnd.count)).suffix(Self.streamEnd.count)
      )
    }
    return total
  }

  private static let streamEnd = Array("\r\n0\r\n\r\n".utf8)

  /// Receives more bytes after the first `count`; returns their number.
  private func receive(at count: Int) -> Int {
    if received.count - count < 4_096 {
      received.append(contentsOf: repeatElement(0, count: received.count))
    }
    return socket.receive(into: &received, at: count)
  }

  /// Returns the offset after the empty line that ends the head; nil if it has not arrived.
  private func headEnd(before count: Int) -> Int? {
    var index = 3
    while index < count {
      if received[index] == 10, received[index - 1] == 13, received[index - 2] == 10 {
        return index + 1
      }
      index += 1
    }
    return nil
  }

  /// Returns the value of `Content-Length`; 0 if there is none, as with 204 and 304.
  private func contentLength(headEnd: Int) -> Int {
    var line = 0
    while line < headEnd {
      if let value = Self.value(of: received[line..<headEnd]) { return value }
      line = (received[line..<headEnd].firstIndex(of: 10) ?? headEnd) + 1
    }
    return 0
  }

  private static let lengthName = Array("content-length: ".utf8)

  private static func value(of lines: ArraySlice<UInt8>) -> Int? {
    // The one bit that tells ASCII's capitals from its small letters; set in `-`, `:` and space.
    guard lines.prefix(lengthName.count).lazy.map({ $0 | 32 }).elementsEqual(lengthName) else {
      return nil
    }
    return lines.dropFirst(lengthName.count).prefix { $0 != 13 }.reduce(0) {
      $0 * 10 + Int($1 - 48)
    }
  }
}
