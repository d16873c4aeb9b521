/// What a service answered, however it was reached.
package struct ServiceAnswer: Sendable {
  /// The status code.
  package var status: Int
  /// The header fields, in the order they came.
  package var headers: [(name: String, value: String)]
  /// The content.
  package var body: [UInt8]

  /// An answer.
  package init(status: Int, headers: [(name: String, value: String)] = [], body: [UInt8]) {
    self.status = status
    self.headers = headers
    self.body = body
  }

  /// The value of the first field of a name, whose case does not count; `nil` if there is none.
  package subscript(name: String) -> String? {
    headers.first { $0.name.lowercased() == name.lowercased() }?.value
  }
}

/// The real service, however it is reached: a router, or a socket.
package protocol ServiceUnderTest {
  /// Sends a request.
  ///
  /// - Parameters:
  ///   - method: The method's name.
  ///   - target: The path and query.
  ///   - headers: Fields beside those that every request has.
  ///   - body: The content, JSON unless the headers say otherwise; empty for none.
  func send(
    _ method: String,
    _ target: String,
    headers: [(name: String, value: String)],
    body: [UInt8]
  ) throws -> ServiceAnswer
}

/// A session of the real service, however it is reached: a call, a router, or a socket.
package protocol SessionUnderTest {
  /// Sends a request about the session.
  ///
  /// - Parameter path: What follows `/v1/sessions/{s}`: empty for the session itself, or a path
  ///   with its query, such as `/rows?offset=0`.
  func send(
    _ method: String,
    _ path: String,
    headers: [(name: String, value: String)],
    body: [UInt8]
  ) throws -> ServiceAnswer

  /// Sends a batch.
  ///
  /// - Parameters:
  ///   - body: The body of `POST /v1/sessions/{s}/batch`.
  ///   - query: What follows the question mark, which may be empty.
  func batch(_ body: [UInt8], query: String) throws -> (status: Int, body: [UInt8])

  /// Reads something of the session.
  func get(_ path: String) throws -> (status: Int, body: [UInt8])
}

extension SessionUnderTest {
  /// Sends a batch as the batch it is.
  package func batch(_ body: [UInt8], query: String) throws -> (status: Int, body: [UInt8]) {
    let path = query.isEmpty ? "/batch" : "/batch?\(query)"
    let answer = try send("POST", path, headers: [], body: body)
    return (answer.status, answer.body)
  }

  /// Reads something of the session.
  package func get(_ path: String) throws -> (status: Int, body: [UInt8]) {
    let answer = try send("GET", path, headers: [], body: [])
    return (answer.status, answer.body)
  }
}

/// A session of a service that is reached by requests.
package struct ServedSession: SessionUnderTest {
  /// The service.
  package let service: any ServiceUnderTest
  /// The session's path.
  package let path: String

  /// Why no session was made.
  package struct NotMade: Error, CustomStringConvertible {
    /// The answer.
    package let description: String
  }

  /// Makes a session.
  ///
  /// - Parameter options: The body of `POST /v1/sessions`.
  /// - Throws: ``NotMade`` when the answer names no session.
  package init(_ service: any ServiceUnderTest, options: [UInt8]) throws {
    let answer = try service.send("POST", "/v1/sessions", headers: [], body: options)
    guard answer.status == 201, let place = answer["Location"] else {
      throw NotMade(
        description: "\(answer.status) \(String(decoding: answer.body, as: UTF8.self))"
      )
    }
    self.service = service
    path = place
  }

  package func send(
    _ method: String,
    _ path: String,
    headers: [(name: String, value: String)],
    body: [UInt8]
  ) throws -> ServiceAnswer {
    try service.send(method, self.path + path, headers: headers, body: body)
  }
}
