import HTTP
import JSON
import TreeDomain

/// A request with its parsed parts, for the endpoint that responds to it.
///
/// A class, because it is passed on many times.
final class Call: Sendable {
  /// The request.
  let request: Request
  /// The parameters of the path.
  let path: PathParameters
  /// The query, which contains only parameters of the endpoint.
  let query: Query
  /// The revisions that `If-Match` requires; nil for any.
  let required: RevisionCondition.Revisions?
  /// The media type of the response; nil if it is not negotiated.
  let answerType: MediaType?
  /// The state that all endpoints share.
  let context: APIContext
  /// The service, through the attempt of this call.
  let service: any TreeService
  /// The control that can stop the decoding of the body; nil if the body is short.
  private let control: (any WorkControl)?

  init(
    request: Request,
    path: PathParameters,
    query: Query,
    required: RevisionCondition.Revisions?,
    answerType: MediaType?,
    context: APIContext,
    service: any TreeService,
    control: (any WorkControl)? = nil
  ) {
    self.request = request
    self.path = path
    self.query = query
    self.required = required
    self.answerType = answerType
    self.context = context
    self.service = service
    self.control = control
  }

  /// Returns the same call with a control that can stop the decoding of its body.
  func controlled(by control: (any WorkControl)?) -> Call {
    Call(
      request: request,
      path: path,
      query: query,
      required: required,
      answerType: answerType,
      context: context,
      service: service,
      control: control
    )
  }

  /// The limits for decoding one body.
  var limits: DecodingLimits { context.limits.controlled(by: control) }

  /// Returns the session that the path names.
  ///
  /// - Throws: `session-not-found` if the name cannot be a session's id.
  func session() throws(ServiceError) -> SessionID {
    guard let id = SessionID(path["session"]) else {
      throw ServiceError(
        .sessionNotFound,
        "This is not the id of a session; make one with POST /v1/sessions."
      )
    }
    return id
  }

  /// Returns the tree that the path names.
  ///
  /// - Throws: `tree-not-found` if the name cannot be a tree's id.
  func tree() throws(ServiceError) -> TreeID {
    guard let id = TreeID(validating: path["tree"]) else {
      throw ServiceError(
        .treeNotFound,
        "This is not the id of a tree; make one with POST /v1/trees."
      )
    }
    return id
  }

  /// The key of the node that the path names.
  var key: [UInt8] { Array(path["key"]) }

  /// Returns the fields of content at a revision.
  ///
  /// The content type is among them only if `isJSON` is true.
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

  /// Fields that let a client store the content, and require it to revalidate before each use.
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
