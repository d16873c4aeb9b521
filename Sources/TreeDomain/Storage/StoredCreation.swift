/// What was made, or why it was not, for a request with an idempotency key.
public struct StoredCreation: Equatable, Sendable {
  /// The client's token.
  public var token: [UInt8]
  /// When, in seconds since 1970.
  public var time: Int
  /// Creations before this moment are forgotten when it is kept.
  public var forgotten = 0
  /// The request's fingerprint, and what was answered.
  public var body: [UInt8]

  /// Makes a creation.
  public init(token: [UInt8], time: Int, body: [UInt8]) {
    self.token = token
    self.time = time
    self.body = body
  }
}
