/// The stored result of a creation request with an idempotency key.
package struct StoredCreation: Equatable, Sendable {
  /// The client's token.
  package var token: [UInt8]
  /// The time in seconds since 1970.
  package var time: Int
  /// The time before which creations are removed when this one is stored.
  package var forgotten = 0
  /// The request's fingerprint and its answer.
  package var body: [UInt8]

  /// Makes a creation.
  package init(token: [UInt8], time: Int, body: [UInt8]) {
    self.token = token
    self.time = time
    self.body = body
  }
}
