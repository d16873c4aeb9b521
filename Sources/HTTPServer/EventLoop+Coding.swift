import Coding
import HTTP

extension EventLoop {
  /// How hard the encoder tries.
  ///
  /// A page of a hundred rows comes to a seventh of its size or less at the first level; the sixth
  /// takes more than twice as long for a tenth to a fifth fewer bytes.
  static let gzipLevel = 1

  /// Codes content for a connection, or has it coded.
  func code(
    _ content: UncodedContent,
    for connection: Connection,
    _ state: inout ConnectionState
  ) {
    guard let coding = settings.coding else { preconditionFailure("nothing is coded here") }
    guard content.isWhole, content.bytes.count > coding.heavyBytes else {
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
      // What it tells has been done: it is owed an answer, at the cost of others.
      codeHere(content, for: connection, &state)
    }
  }

  /// Gives a connection what was coded for it elsewhere, if it is.
  func takeCoded(_ connection: Connection) {
    guard let bytes = connection.codingJob?.take() else { return }
    connection.codingJob = nil
    connection.state.coded(bytes, now: clock.now)
  }

  /// Codes content with the loop's encoder, which is made when it is first needed.
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
    // What is read into the encoder takes time as what is written does.
    bytesOfTurn += content.bytes.count
    state.coded(bytes, now: clock.now)
  }
}
