extension ConnectionState {
  /// Whether a request has begun that is not over.
  public var isInExchange: Bool { exchange != nil }

  /// The first byte of a request is there.
  mutating func openExchange() { exchange = ExchangeRecord(begin: now.nanoseconds) }

  /// Notes what a complete head says.
  mutating func note(_ head: RequestHead, _ match: RouteMatch) {
    exchange?.route = match.label
    exchange?.method = head.method
    exchange?.requestBytes = head.end - parser.start
  }

  /// Notes what there is of a head that is refused.
  mutating func noteRefusedHead() {
    exchange?.method = parser.method
    exchange?.requestBytes = input.count - parser.start
  }

  /// Takes the record of the exchange under way, if there is one: it is over.
  mutating func takeExchange() -> ExchangeRecord? {
    exchange?.isComplete = isAnswered
    isAnswered = false
    return exchange.take()
  }
}
