// Content on its way through whoever codes it.
extension ConnectionState {
  /// An answer, or a piece of one, whose content is being coded.
  enum Uncoded: Sendable {
    /// The rest of a whole answer.
    case answer(Response)
    /// A piece of a stream; whether it is the last.
    case piece(isLast: Bool)
  }

  /// Whether the answer in hand says that its content is coded.
  ///
  /// To be asked for each answer once, before its head is written.
  mutating func settleCoding(of response: Response, isStream: Bool) {
    form.varies = codingPolicy != nil
    form.isCoded =
      codingPolicy?.codes(response, for: codings, isStream: isStream) ?? false
  }

  /// Has the content of a whole answer coded, and the answer written then.
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

  /// Has a piece of a stream coded, and written then.
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

  /// The owner has coded the content that it was given.
  ///
  /// - Precondition: ``next()`` has asked for it.
  /// - Parameters:
  ///   - bytes: What it became.
  ///   - now: The time.
  public mutating func coded(_ bytes: [UInt8], now: Moment) {
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

  /// The owner has no time to code the content that it was given: it goes as it is.
  ///
  /// - Precondition: ``next()`` has asked for it, and it can be left.
  /// - Parameters:
  ///   - content: What it was given.
  ///   - now: The time.
  public mutating func leaveUncoded(_ content: UncodedContent, now: Moment) {
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
