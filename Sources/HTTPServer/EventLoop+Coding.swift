import Coding
import HTTP
import Synchronization

extension EventLoop {
  /// The compression level.
  ///
  /// At level 1 a page of a hundred rows becomes a seventh of its size or less. Level 6 takes more
  /// than twice as long and saves another tenth to fifth.
  static let gzipLevel = 1

  /// The maximum length of complete content that the event loop encodes itself, in bytes.
  ///
  /// Pieces of streams are always encoded by the event loop.
  private static let maxCodedBytes = 65_536

  /// Encodes content for a connection, or passes it to another thread if it is complete and long.
  ///
  /// Long content that no other thread takes is left as it is, if the client accepts that.
  func code(
    _ content: UncodedContent,
    for connection: Connection,
    _ state: inout ConnectionState
  ) {
    guard let coding = settings.coding else { preconditionFailure("nothing is coded here") }
    guard content.isWhole, content.bytes.count > Self.maxCodedBytes else {
      return codeHere(content, for: connection, &state)
    }
    let job = CodingJob()
    let isTaken = coding.run { [resources, token = connection.token] in
      job.code(content)
      resources.wake(token)
    }
    if isTaken {
      connection.codingJob = job
    } else if content.canBeLeft {
      state.leaveUncoded(content, now: clock.now)
    } else {
      // The request has been executed, so its response must be sent, even at the cost of others.
      codeHere(content, for: connection, &state)
    }
  }

  /// Passes an encoding result of another thread to the connection, if it is ready.
  func popCoded(_ connection: Connection) {
    guard let bytes = connection.codingJob?.take() else { return }
    connection.codingJob = nil
    connection.state.coded(bytes, now: clock.now)
  }

  /// Encodes content on this thread, with an encoder that is created on first use.
  private func codeHere(
    _ content: UncodedContent,
    for connection: Connection,
    _ state: inout ConnectionState
  ) {
    var stream = (content.isFirst ? nil : connection.gzipStream.take()) ?? GzipStream()
    var encoder = self.encoder.take() ?? GzipEncoder(level: Self.gzipLevel)
    let bytes = encoder.encode(content.bytes, of: &stream, isLast: content.isLast)
    connection.gzipStream = content.isLast ? nil : stream
    self.encoder = consume encoder
    // Encoding takes time like reading and writing, so it counts towards the same limit.
    bytesOfTurn += content.bytes.count
    state.coded(bytes, now: clock.now)
  }
}

/// The encoding of content by another thread while the connection waits.
final class CodingJob: Sendable {
  private let result = Mutex<[UInt8]?>(nil)

  /// Encodes the content and keeps the result for ``take()``.
  func code(_ content: UncodedContent) {
    var encoder = GzipEncoder(level: EventLoop.gzipLevel)
    let bytes = encoder.encode(content.bytes)
    result.withLock { $0 = bytes }
  }

  /// Removes and returns the result, if it is ready.
  func take() -> [UInt8]? { result.withLock { $0.take() } }
}
