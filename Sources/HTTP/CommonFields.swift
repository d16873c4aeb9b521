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
