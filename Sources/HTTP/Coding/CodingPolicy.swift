/// Which answers are coded, where clients want that.
public struct CodingPolicy: Sendable {
  /// The least bytes of content that are worth it; a stream has as many.
  public var minBytes = 1_024

  /// The default.
  public init() {}

  /// Whether an answer to a client is coded.
  ///
  /// - Parameters:
  ///   - response: The answer; what is coded already stays as it is.
  ///   - codings: What its client takes.
  ///   - isStream: Whether more content follows than the answer has.
  /// - Returns: Whether its content is to be coded.
  func codes(_ response: Response, for codings: AcceptedCodings, isStream: Bool) -> Bool {
    guard codings.prefersGzip, !response.status.excludesContent else { return false }
    // What may not go as it is is coded, however small it is.
    let minBytes = codings.allowsIdentity ? minBytes : 1
    guard isStream || response.body.count >= minBytes else { return false }
    return !response.fields.contains(.contentEncoding)
  }

  /// Whether nothing that there is can be sent to a client.
  static func excludes(_ codings: AcceptedCodings, _ policy: CodingPolicy?) -> Bool {
    !codings.allowsIdentity && (policy == nil || !codings.allowsGzip)
  }
}
