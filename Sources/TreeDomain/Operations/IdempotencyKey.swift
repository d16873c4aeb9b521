/// An identifier of a request, so that a repeated request is applied only once.
package struct IdempotencyKey: Hashable, Sendable {
  /// The client's token: 1 to 255 visible ASCII bytes, optionally after a caller's name and a
  /// space.
  package var token: [UInt8]
  /// A hash of the rest of the request.
  ///
  /// Another hash with the same token is refused.
  package var fingerprint: UInt64

  /// Makes a key.
  package init(token: [UInt8], fingerprint: UInt64) {
    self.token = token
    self.fingerprint = fingerprint
  }
}
