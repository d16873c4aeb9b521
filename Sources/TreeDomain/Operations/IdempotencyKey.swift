/// What makes a repeated request the same one, so that it is carried out once.
public struct IdempotencyKey: Hashable, Sendable {
  /// The client's token, 1 to 255 visible ASCII bytes; who that is and a space may stand before it.
  public var token: [UInt8]
  /// A hash of everything else the request says; another one under the same token is refused.
  public var fingerprint: UInt64

  /// Makes a key.
  public init(token: [UInt8], fingerprint: UInt64) {
    self.token = token
    self.fingerprint = fingerprint
  }
}
