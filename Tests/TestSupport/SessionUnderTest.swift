/// An answer of the service, over any transport.
package struct ServiceAnswer: Sendable {
  /// The status code.
  package var status: Int
  /// The header fields, in order.
  package var headers: [(name: String, value: String)]
  /// The content.
  package var body: [UInt8]

  /// Creates an answer.
  package init(status: Int, headers: [(name: String, value: String)] = [], body: [UInt8]) {
    self.status = status
    self.headers = headers
    self.body = body
  }

  /// The value of the first field with a name, ignoring case; nil if there is none.
  package subscript(name: String) -> String? {
    headers.first { $0.name.lowercased() == name.lowercased() }?.value
  }
}

/// The service under test, over any transport.
package protocol ServiceUnderTest {
  /// Sends a request.
  ///
  /// - Parameters:
  ///   - method: The name of the method.
  ///   - target: The path and query.
  ///   - headers: Fields beside those of every request.
  ///   - body: The content, as JSON unless the headers name another type; empty for none.
  func send(
    _ method: String,
    _ target: String,
    headers: [(name: String, value: String)],
    body: [UInt8]
  ) throws -> ServiceAnswer
}

/// A session of the service under test, over any transport.
package protocol SessionUnderTest {
  /// Sends a request for the session.
  ///
  /// - Parameter path: The path and query behind `/v1/sessions/{s}`, such as `/rows?offset=0`;
  ///   empty for the session itself.
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
  ///   - query: The query without its question mark, which may be empty.
  func batch(_ body: [UInt8], query: String) throws -> (status: Int, body: [UInt8])

  /// Reads a resource of the session.
  func get(_ path: String) throws -> (status: Int, body: [UInt8])
}

extension SessionUnderTest {
  /// Sends a batch.
  package func batch(_ body: [UInt8], query: String) throws -> (status: Int, body: [UInt8]) {
    let path = query.isEmpty ? "/batch" : "/batch?\(query)"
    let answer = try send("POST", path, headers: [], body: body)
    return (answer.status, answer.body)
  }

  /// Reads a resource of the session.
  package func get(_ path: String) throws -> (status: Int, body: [UInt8]) {
    let answer = try send("GET", path, headers: [], body: [])
    return (answer.status, answer.body)
  }
}

/// A session that is used through requests to a service.
package struct ServedSession: SessionUnderTest {
  /// The service.
  package let service: any ServiceUnderTest
  /// The path of the session.
  package let path: String

  /// An error for a session that was not created.
  package struct NotMade: Error, CustomStringConvertible {
    /// The answer.
    package let description: String
  }

  /// Creates a session.
  ///
  /// - Parameter options: The body of `POST /v1/sessions`.
  /// - Throws: ``NotMade`` if the answer names no session.
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
