/// The stored result of a creation request with an idempotency key.
public struct StoredCreation: Equatable, Sendable {
  /// The client's token.
  public var token: [UInt8]
  /// The time in seconds since 1970.
  public var time: Int
  /// The time before which creations are removed when this one is stored.
  public var forgotten = 0
  /// The request's fingerprint and its answer.
  public var body: [UInt8]

  /// Makes a creation.
  public init(token: [UInt8], time: Int, body: [UInt8]) {
    self.token = token
    self.time = time
    self.body = body
  }
}
