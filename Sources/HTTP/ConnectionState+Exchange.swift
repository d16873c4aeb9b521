extension ConnectionState {
  /// Whether a request has begun that is not over.
  public var isInExchange: Bool { exchange != nil }

  /// Notes who asks the request in hand.
  public mutating func identify(_ caller: String?) { exchange?.note(caller: caller) }

  /// The first byte of a request is there.
  mutating func openExchange() {
    let id = RequestID.made(ids.next())
    exchange = ExchangeRecord(id: id, begin: now.nanoseconds)
    codings = AcceptedCodings()
    hasCodedPiece = false
    openForm(id)
  }

  /// Begins an answer that has nothing yet but what all have.
  mutating func openForm(_ id: RequestID) {
    form = ResponseSerializer.Form()
    form.common.requestID = id
    form.common.crossOrigin = crossOrigin.map { CrossOriginFields($0) }
  }

  /// Notes what a complete head says.
  mutating func note(_ head: RequestHead) {
    exchange?.note(head, bytes: head.end - parser.start)
    codings = head.codings
    if let id = head.requestID { form.common.requestID = id }
    form.common.crossOrigin?.allow(head.fields.value(.origin))
  }

  /// Notes what there is of a head, where one has begun, of which no more will come.
  mutating func noteBrokenHead() {
    guard case .head = phase, parser.hasBegun else { return }
    noteUnparsedHead()
  }

  private mutating func noteUnparsedHead() {
    exchange?.note(refused: parser.method, bytes: input.count - parser.start)
  }

  /// Notes what there is of a head that is refused, so that its answer is its own as far as can be.
  mutating func noteRefusedHead() {
    noteUnparsedHead()
    if let id = parser.requestID(in: input) {
      exchange?.id = id
      form.common.requestID = id
    }
    form.common.crossOrigin?.allow(parser.fields(in: input).value(.origin))
  }

  /// Takes the record of the exchange under way, if there is one: it is over.
  mutating func takeExchange() -> ExchangeRecord? {
    exchange?.note(isComplete: isAnswered)
    isAnswered = false
    return exchange.take()
  }
}
