/// The fields that tell a browser if a page of another origin may read a response.
///
/// `Vary: Origin` is on every response, so that a cache keeps responses for different origins
/// apart. The others are only on responses to a listed origin. Credentials that a browser sends by
/// itself are never allowed.
struct CrossOriginFields: Sendable {
  /// The origin that may read the response; nil for none.
  private var origin: ArraySlice<UInt8>?
  private let policy: CrossOriginPolicy

  /// Creates the fields of a response that no other origin may read.
  init(_ policy: CrossOriginPolicy) { self.policy = policy }

  /// Allows an origin to read the response, if it is listed.
  mutating func allow(_ origin: ArraySlice<UInt8>?) {
    if let origin, policy.origins.contains(origin) { self.origin = origin }
  }

  /// Appends the fields.
  ///
  /// Each line begins with the end of the line before it.
  func append(to head: inout OutputSpan<UInt8>) {
    head.append("\r\nVary: Origin")
    guard let origin else { return }
    head.append("\r\nAccess-Control-Allow-Origin: ")
    head.append(origin.span)
    head.append(policy.exposure.span)
  }

  /// An upper bound for the length of the fields, in bytes.
  var room: Int { 64 + (origin?.count ?? 0) + policy.exposure.count }
}

/// The fields that every response carries.
///
/// They are added only where heads are written.
struct CommonFields: Sendable {
  /// The id of the request; nil before it is known.
  var requestID: RequestID?
  /// The fields that let pages of other origins read the response; nil if none may.
  var crossOrigin: CrossOriginFields?

  /// Appends the fields.
  ///
  /// Each line begins with the end of the line before it.
  func append(to head: inout OutputSpan<UInt8>) {
    crossOrigin?.append(to: &head)
    guard let requestID else { return }
    head.append("\r\nX-Request-Id: ")
    requestID.append(to: &head)
  }

  /// An upper bound for the length of the fields, in bytes.
  var room: Int { 32 + (requestID?.count ?? 0) + (crossOrigin?.room ?? 0) }
}

/// The access that browsers give pages of other origins to responses (WHATWG Fetch, 3.2).
package struct CrossOriginPolicy: Sendable {
  /// The origins that may read responses.
  package let origins: WebOrigins
  /// The `Access-Control-Expose-Headers` line, preceded by the end of the line before it.
  let exposure: [UInt8]

  /// Creates a policy.
  ///
  /// - Parameters:
  ///   - origins: The origins that may read responses.
  ///   - names: The fields they may read, in addition to those that any page may read.
  package init(origins: WebOrigins, exposing names: [FieldName]) {
    self.origins = origins
    exposure =
      Array("\r\nAccess-Control-Expose-Headers: ".utf8)
      + names.map(\.bytes).joined(separator: ", ".utf8)
  }
}
