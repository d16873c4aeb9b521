/// The fields by which a browser knows whether a page of another origin may read an answer.
///
/// They are on every answer, also on one to a page of no listed origin, which only the first of
/// them concerns: a cache must not give one's answer to the other. No credentials that a browser
/// has by itself are ever asked for.
struct CrossOriginFields: Sendable {
  /// The origin that may read the answer; nil for none.
  private var origin: ArraySlice<UInt8>?
  private let policy: CrossOriginPolicy

  /// Those of an answer that pages of no other origin may read.
  init(_ policy: CrossOriginPolicy) { self.policy = policy }

  /// Lets pages of an origin read the answer, if it is a listed one.
  mutating func allow(_ origin: ArraySlice<UInt8>?) {
    if let origin, policy.origins.contains(origin) { self.origin = origin }
  }

  /// Appends them, each line with the end of the one before it.
  func append(to head: inout OutputSpan<UInt8>) {
    head.append("\r\nVary: Origin")
    guard let origin else { return }
    head.append("\r\nAccess-Control-Allow-Origin: ")
    head.append(origin.span)
    head.append(policy.exposure.span)
  }

  /// How much room they take at most.
  var room: Int { 64 + (origin?.count ?? 0) + policy.exposure.count }
}
