// Content on its way through the encoder.
extension ConnectionState {
  /// A response, or a piece of one, whose content is being encoded.
  enum Uncoded: Sendable {
    /// A whole response, without its content.
    case answer(Response)
    /// A piece of a stream; `isLast` is true for the last one.
    case piece(isLast: Bool)
  }

  /// Decides if the content of a response is encoded, and records it in `form`.
  ///
  /// Must be called once for each response, before its head is written.
  mutating func chooseCoding(of response: Response, isStream: Bool) {
    form.varies = codingPolicy != nil
    form.isCoded =
      codingPolicy?.codes(response, for: codings, isStream: isStream) ?? false
  }

  /// Requests the encoding of a whole response's content.
  ///
  /// ``coded(_:now:)`` then writes it.
  mutating func code(_ response: Response) {
    var response = response
    let content = UncodedContent(
      bytes: response.body,
      isFirst: true,
      isLast: true,
      canBeLeft: codings.allowsIdentity
    )
    response.body = []
    bytesInHand = content.bytes.count
    uncoded = .answer(response)
    toCode = content
    enter(.handling)
  }

  /// Requests the encoding of a piece of a stream.
  ///
  /// ``coded(_:now:)`` then writes it.
  mutating func code(piece: [UInt8], isLast: Bool) {
    toCode = UncodedContent(
      bytes: piece,
      isFirst: !hasCodedPiece,
      isLast: isLast,
      canBeLeft: false
    )
    hasCodedPiece = !isLast
    uncoded = .piece(isLast: isLast)
  }

  /// Accepts encoded content from the owner and writes it.
  ///
  /// - Precondition: ``next()`` has asked for it.
  /// - Parameters:
  ///   - bytes: The encoded content.
  ///   - now: The time.
  package mutating func coded(_ bytes: [UInt8], now: Moment) {
    self.now = now
    switch uncoded.take() {
    case .answer(var response):
      response.body = bytes
      put(response)
    case .piece(let isLast):
      ResponseSerializer.appendChunk(bytes, as: form, to: &output.bytes)
      output.begin = now.milliseconds
      if isLast { finishStream() }
    case nil: preconditionFailure("nothing was to be coded")
    }
  }

  /// Sends content unencoded, because the owner has no time to encode it.
  ///
  /// - Precondition: ``next()`` has asked for it, and the content's `canBeLeft` is true.
  /// - Parameters:
  ///   - content: The content as the owner received it.
  ///   - now: The time.
  package mutating func leaveUncoded(_ content: UncodedContent, now: Moment) {
    self.now = now
    guard case .answer(var response) = uncoded.take() else {
      preconditionFailure("a stream that was begun goes on as it began")
    }
    precondition(content.canBeLeft, "its client does not take it as it is")
    form.isCoded = false
    response.body = content.bytes
    put(response)
  }
}

/// Content, or a piece of it, that must be encoded as gzip before it is sent.
package struct UncodedContent: Sendable {
  /// The bytes.
  ///
  /// The last piece of a stream may be empty.
  package let bytes: [UInt8]
  /// True if this is the first piece of the content.
  package let isFirst: Bool
  /// True if this is the last piece of the content.
  package let isLast: Bool
  /// True if it may be sent without encoding.
  ///
  /// This requires that the head is not sent yet, and that the client accepts unencoded content.
  package let canBeLeft: Bool

  /// True if this is the whole content, which may be encoded by another thread.
  package var isWhole: Bool { isFirst && isLast }
}
