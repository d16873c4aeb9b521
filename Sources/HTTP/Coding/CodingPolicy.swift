/// The rule for encoding responses to clients that accept it.
package struct CodingPolicy: Sendable {
  /// The minimum length of content that is encoded, in bytes; streams are always long enough.
  package var minBytes = 1_024

  /// Creates the default policy.
  package init() {}

  /// Returns true if the content of a response must be encoded.
  ///
  /// - Parameters:
  ///   - response: The response. Content that already has a coding is not encoded again.
  ///   - codings: The codings that the client accepts.
  ///   - isStream: True if more content follows the response's body.
  /// - Returns: True if the content must be encoded.
  func codes(_ response: Response, for codings: AcceptedCodings, isStream: Bool) -> Bool {
    guard codings.prefersGzip, !response.status.excludesContent else { return false }
    // Content that may not be sent unencoded is encoded however short it is.
    let minBytes = codings.allowsIdentity ? minBytes : 1
    guard isStream || response.body.count >= minBytes else { return false }
    return !response.fields.contains(.contentEncoding)
  }

  /// Returns true if a client accepts neither unencoded content nor any available coding.
  static func excludes(_ codings: AcceptedCodings, _ policy: CodingPolicy?) -> Bool {
    !codings.allowsIdentity && (policy == nil || !codings.allowsGzip)
  }
}
