/// The fields that every answer to a request carries, whatever answers it and whenever.
///
/// They are put on where heads are written, and nowhere else.
struct CommonFields: Sendable {
  /// The id of the request; nil where there is none, as a connection is turned away.
  var requestID: RequestID?
  /// What pages of other origins may see of it; nil where none may.
  var crossOrigin: CrossOriginFields?

  /// Appends them, each line with the end of the one before it.
  func append(to bytes: inout [UInt8]) {
    crossOrigin?.append(to: &bytes)
    guard let requestID else { return }
    bytes.append("\r\nX-Request-Id: ")
    requestID.append(to: &bytes)
  }
}
