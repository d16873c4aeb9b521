import HTTP
import JSON
import TreeDomain

/// A request on its way to the endpoint that answers it.
struct Call {
  /// The request.
  let request: Request
  /// The values of the template's parameters.
  let path: PathParameters
  /// The query, all of whose names the endpoint knows.
  let query: Query
  /// What the endpoint speaks to.
  let service: any TreeService
  /// What one body may ask for.
  let limits: DecodingLimits

  /// The session the path names.
  ///
  /// - Throws: `session-not-found` when that cannot be the name of one.
  func session() throws(ServiceError) -> SessionID {
    guard let id = SessionID(path["session"]) else {
      throw ServiceError(
        .sessionNotFound,
        "This is not the id of a session; make one with POST /v1/sessions."
      )
    }
    return id
  }

  /// The key of the node the path names.
  var key: [UInt8] { path["key"] }

  /// Answers with something that was read from a session.
  ///
  /// Its tag is the session's revision, so what a client already has at that revision is not sent
  /// again. It was read nevertheless: a client may name the revision for what is not there, which
  /// must remain an error (RFC 9110, 13.2.1).
  func answer(at revision: Revision, _ write: (inout JSONWriter) -> Void) -> Response {
    let number = String(revision.number)
    var fields = Fields()
    fields.append(.eTag, "\"\(number)\"")
    // A client may keep it, and must ask each time whether it still holds.
    fields.append(.cacheControl, "private, no-cache")
    if let known = EntityTagList(request.fields, .ifNoneMatch), known.matchesWeakly(number.utf8) {
      return Response(.notModified, fields: fields)
    }
    return .json(.ok, fields, write)
  }
}
