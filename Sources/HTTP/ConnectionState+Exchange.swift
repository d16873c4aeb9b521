extension ConnectionState {
  /// True if a request has begun whose exchange is not over.
  package var isInExchange: Bool { exchange != nil }

  /// Records the caller of the current request.
  package mutating func identify(_ caller: String?) { exchange?.record(caller: caller) }

  /// Starts the record of a request whose first byte has arrived.
  mutating func openExchange() {
    let id = RequestID.made(ids.next())
    exchange = ExchangeRecord(id: id, begin: now.nanoseconds)
    codings = AcceptedCodings()
    hasCodedPiece = false
    openForm(id)
  }

  /// Resets the form of the response to the fields that all responses carry.
  mutating func openForm(_ id: RequestID) {
    form = ResponseSerializer.Form()
    form.common.requestID = id
    form.common.crossOrigin = crossOrigin.map { CrossOriginFields($0) }
  }

  /// Records a complete head.
  mutating func record(_ head: RequestHead) {
    exchange?.record(head, bytes: head.end - parser.start)
    codings = head.codings
    if let id = head.requestID { form.common.requestID = id }
    form.common.crossOrigin?.allow(head.fields.value(.origin))
  }

  /// Records the status of a response, and the id that another server gave the request.
  mutating func record(_ response: Response) {
    exchange?.record(response.status)
    guard response.isRelayed, let id = response.fields.value(.requestID).flatMap(RequestID.init)
    else { return }
    exchange?.id = id
  }

  /// Records a partial head that will never be complete, if there is one.
  mutating func recordBrokenHead() {
    guard case .head = phase, parser.hasBegun else { return }
    recordUnparsedHead()
  }

  private mutating func recordUnparsedHead() {
    exchange?.record(refused: parser.method, bytes: input.count - parser.start)
  }

  /// Records a refused head, so that the response carries its request id and origin if possible.
  mutating func recordRefusedHead() {
    recordUnparsedHead()
    if let id = parser.requestID(in: input) {
      exchange?.id = id
      form.common.requestID = id
    }
    form.common.crossOrigin?.allow(parser.fields(in: input).value(.origin))
  }

  /// Removes and returns the record of the current exchange, which is over.
  mutating func popExchange() -> ExchangeRecord? {
    exchange?.record(isComplete: isAnswered)
    isAnswered = false
    return exchange.take()
  }
}
