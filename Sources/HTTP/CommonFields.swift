/// The fields that every answer carries, whatever answers and whenever.
///
/// They are put on where heads are written, and nowhere else.
struct CommonFields: Sendable {
  /// The id of the request; nil before there is one.
  var requestID: RequestID?
  /// What pages of other origins may see of it; nil where none may.
  var crossOrigin: CrossOriginFields?

  /// Appends them, each line with the end of the one before it.
  func append(to head: inout OutputSpan<UInt8>) {
    crossOrigin?.append(to: &head)
    guard let requestID else { return }
    head.append("\r\nX-Request-Id: ")
    requestID.append(to: &head)
  }

  /// How much room they take at most.
  var room: Int { 32 + (requestID?.count ?? 0) + (crossOrigin?.room ?? 0) }
}
