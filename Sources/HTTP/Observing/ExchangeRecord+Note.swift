extension ExchangeRecord {
  /// Notes who asks.
  mutating func note(caller: String?) { self.caller = caller }

  /// Notes who asked, where that could not be told when the request came: what it showed may have
  /// been looked up since.
  ///
  /// - Parameter find: Tells whose credentials a request shows; its content is not there any more.
  public mutating func identify(by find: (Request) -> String?) {
    guard caller == nil, let head, let method, head.fields.contains(.authorization) else { return }
    caller = find(Request(head: head, method: method, body: [], isUnanswerable: false))
  }

  /// Notes what a complete head says, which has so many bytes.
  mutating func note(_ head: RequestHead, bytes: Int) {
    route = head.match?.label ?? .none
    method = head.method
    self.head = head
    if let given = head.requestID { id = given }
    requestBytes = bytes
  }

  /// Notes what there is of a head that is refused.
  mutating func note(refused method: Method?, bytes: Int) {
    self.method = method
    requestBytes = bytes
  }

  /// Notes what the answer begins with.
  mutating func note(_ status: Status) { self.status = status }

  /// Notes how it ended.
  mutating func note(isComplete: Bool) { self.isComplete = isComplete }
}
