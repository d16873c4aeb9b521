import HTTP
import JSON
import TreeDomain

/// A request on its way to the endpoint that answers it.
///
/// An object, as it is handed on many times.
final class Call: Sendable {
  /// The request.
  let request: Request
  /// The values of the template's parameters.
  let path: PathParameters
  /// The query, all of whose names the endpoint knows.
  let query: Query
  /// The revisions that the client wants and no others (`If-Match`); nil for any.
  let required: RevisionCondition.Revisions?
  /// The media type of the answer; nil where none is asked about.
  let answerType: MediaType?
  /// What all endpoints share.
  let context: APIContext
  /// What the endpoint speaks to.
  let service: any TreeService

  init(
    request: Request,
    path: PathParameters,
    query: Query,
    required: RevisionCondition.Revisions?,
    answerType: MediaType?,
    context: APIContext,
    service: any TreeService
  ) {
    self.request = request
    self.path = path
    self.query = query
    self.required = required
    self.answerType = answerType
    self.context = context
    self.service = service
  }

  /// What one body may ask for.
  var limits: DecodingLimits { context.limits }

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

  /// The tree the path names.
  ///
  /// - Throws: `tree-not-found` when that cannot be the name of one.
  func tree() throws(ServiceError) -> TreeID {
    guard let id = TreeID(validating: path["tree"]) else {
      throw ServiceError(
        .treeNotFound,
        "This is not the id of a tree; make one with POST /v1/trees."
      )
    }
    return id
  }

  /// The key of the node the path names.
  var key: [UInt8] { Array(path["key"]) }

  /// The fields of something that was read at a revision, JSON or of a type yet to be told.
  func fields(
    at revision: Revision,
    isJSON: Bool = false,
    coded coding: ContentCoding = .identity
  ) -> Fields {
    var fields = isJSON ? Self.keptJSON : Self.kept
    if coding == .identity {
      fields.append(.eTag, quoted: revision.number)
    } else {
      fields.append(.eTag, coding.tag(String(revision.number).utf8))
    }
    return fields
  }

  /// A client may keep what it read, and must ask each time whether it still holds.
  private static let kept: Fields = {
    var fields = Fields()
    fields.append(.cacheControl, "private, no-cache")
    return fields
  }()

  private static let keptJSON: Fields = {
    var fields = kept
    fields.append(.contentType, MediaType.json.name)
    return fields
  }()
}
