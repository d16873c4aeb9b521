extension ExchangeRecord {
  /// Records the caller.
  mutating func record(caller: String?) { self.caller = caller }

  /// Looks up the caller again, if it was not known when the request arrived.
  ///
  /// The owner of the credentials may have been looked up since then.
  ///
  /// - Parameter find: Returns the owner of a request's credentials. The request has no content.
  package mutating func identify(by find: (Request) -> String?) {
    guard caller == nil, let head, let method, head.fields.contains(.authorization) else { return }
    caller = find(Request(head: head, method: method, body: [], isUnanswerable: false))
  }

  /// Returns the client of a forwarded request.
  ///
  /// - Parameter find: Returns the client by the fields of a request; nil if it was not forwarded.
  /// - Returns: The client; nil if the request was not forwarded.
  package func client(by find: (Fields) -> String?) -> String? { head.flatMap { find($0.fields) } }

  /// Records a complete head and its length.
  mutating func record(_ head: RequestHead, bytes: Int) {
    route = head.match?.label ?? .none
    method = head.method
    self.head = head
    if let given = head.requestID { id = given }
    requestBytes = bytes
  }

  /// Records what is known of a refused head, and its length so far.
  mutating func record(refused method: Method?, bytes: Int) {
    self.method = method
    requestBytes = bytes
  }

  /// Records the status of the response.
  mutating func record(_ status: Status) { self.status = status }

  /// Records if the whole response was passed to the system.
  mutating func record(isComplete: Bool) { self.isComplete = isComplete }
}
