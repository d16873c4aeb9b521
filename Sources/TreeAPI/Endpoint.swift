import HTTP
import TreeDomain

/// The handler of one route, with its requirements on requests.
final class Endpoint: Sendable {
  /// The way in which an endpoint creates its response.
  enum Work: Sendable {
    /// A constant response.
    case same(Response)
    /// A function of path and query.
    ///
    /// It may be called twice, first without permission to block.
    case answer(@Sendable (Call) throws(ServiceError) -> Reply)
    /// A function that decodes the body once, on a worker if it is long, and returns the work.
    case decode(@Sendable (Call) throws(ServiceError) -> ServiceWork)
    /// A function that returns a receiver, which consumes the body as it arrives.
    case receive(@Sendable (Call) throws(ServiceError) -> any BodyReceiver)
  }

  /// The accepted query parameters.
  ///
  /// Others are refused, except by pages.
  let parameters: [QueryParameter]
  /// True if the query is ignored, because a page in a browser reads it.
  private let isPage: Bool
  /// The accepted media types of the body.
  ///
  /// If there are none, a body is ignored.
  let bodyTypes: [MediaType]
  /// True if ``bodyTypes`` contains JSON.
  let readsJSON: Bool
  /// The available media types of the response, one of which `Accept` must allow.
  ///
  /// If there are none, `Accept` is ignored.
  let answerTypes: [MediaType]
  /// True if no credentials are required.
  let isOpen: Bool
  /// The permission that requests need; nil for that of their method.
  private let permission: Permission?
  /// True if it must respond even without memory for responses.
  let isVital: Bool
  /// The way in which it creates its response.
  let work: Work

  init(
    parameters: [QueryParameter] = [],
    bodyTypes: [MediaType] = [],
    answerTypes: [MediaType] = [.json],
    isOpen: Bool = false,
    permission: Permission? = nil,
    isVital: Bool = false,
    isPage: Bool = false,
    _ work: Work
  ) {
    self.parameters = parameters
    self.isPage = isPage
    self.bodyTypes = bodyTypes
    readsJSON = bodyTypes.contains(.json)
    self.answerTypes = answerTypes
    self.isOpen = isOpen
    self.permission = permission
    self.isVital = isVital
    self.work = work
  }

  /// Creates an endpoint that needs no body and responds at once.
  convenience init(
    parameters: [QueryParameter] = [],
    bodyTypes: [MediaType] = [],
    answerTypes: [MediaType] = [.json],
    isOpen: Bool = false,
    permission: Permission? = nil,
    isVital: Bool = false,
    answer: @escaping @Sendable (Call) throws(ServiceError) -> Response
  ) {
    self.init(
      parameters: parameters,
      bodyTypes: bodyTypes,
      answerTypes: answerTypes,
      isOpen: isOpen,
      permission: permission,
      isVital: isVital,
      .answer { call throws(ServiceError) in .response(try answer(call)) }
    )
  }

  /// Creates an endpoint with a page or file for browsers.
  static func page(
    answer: @escaping @Sendable (Call) throws(ServiceError) -> Response
  ) -> Endpoint {
    Endpoint(
      answerTypes: [],
      isOpen: true,
      isPage: true,
      .answer { call throws(ServiceError) in .response(try answer(call)) }
    )
  }

  /// Parses the query of a request.
  ///
  /// - Throws: `invalid-request` with the name of an unknown or repeated parameter.
  func query(of request: borrowing Request) throws(ServiceError) -> Query {
    isPage ? Query() : try Query(of: request, knowing: parameters)
  }

  /// Returns the permission that a request with a method needs before its body is read.
  ///
  /// A method that may change something needs ``Permission/change``, unless the endpoint names
  /// another permission.
  func permission(for method: Method) -> Permission {
    switch method {
    case .get, .head: permission ?? .read
    case .options: permission == .metrics ? .metrics : .read
    default: permission ?? .change
    }
  }

  /// True if it consumes its body as it arrives.
  ///
  /// Session secrets do not open such endpoints.
  var isReceiving: Bool {
    guard case .receive = work else { return false }
    return true
  }
}

// Negotiation of the body's type and of the response's.
extension Endpoint {
  /// Checks if the endpoint can read the content and send a form that the client accepts.
  ///
  /// - Parameters:
  ///   - request: The request.
  ///   - hasBody: True if there is a body, or will be one.
  /// - Returns: The problem, or nil if there is none.
  func problem(with request: Request, hasBody: Bool) -> Problem? {
    if !answerTypes.isEmpty, preferredType(for: request) == nil {
      let names = answerTypes.map(\.name).joined(separator: " or ")
      return Problem(
        .notAcceptable,
        detail: "The answer is \(names); let Accept allow that, or leave it out."
      )
    }
    if !answerTypes.isEmpty, request.isUnanswerable {
      return Problem(
        .notAcceptable,
        detail: "Let Accept-Encoding allow gzip or identity, or leave it out."
      )
    }
    // Partial content would be taken for the whole (RFC 9110, 14.5).
    if request.method == .put, request.has(.contentRange) {
      return Problem(.invalidRequest, detail: "Send all of it; leave Content-Range out.")
    }
    guard !bodyTypes.isEmpty, hasBody else { return nil }
    if readsJSON, request.isPlainJSON, !request.has(.contentEncoding) { return nil }
    return contentProblem(request)
  }

  /// The names of the body's media types, separated by commas.
  var bodyTypeNames: String { bodyTypes.map(\.name).joined(separator: ", ") }

  /// Returns the media type of the response to an acceptable request; nil if it is not negotiated.
  func answerType(for request: Request) -> MediaType? {
    answerTypes.count > 1 ? preferredType(for: request) : answerTypes.first
  }

  /// Returns the media type that the client prefers; nil if it accepts none.
  private func preferredType(for request: Request) -> MediaType? {
    MediaType.preferred(of: answerTypes, by: request.fields)
  }

  /// Returns the problem of content with a wrong type or coding, with the accepted ones (RFC 9110,
  /// 15.5.16; RFC 5789, 2.2).
  private func contentProblem(_ request: Request) -> Problem? {
    if request.isContentCoded {
      var problem = Problem(
        .unsupportedMediaType,
        detail: "Send the body without Content-Encoding."
      )
      problem.fields.append(.acceptEncoding, "identity")
      return problem
    }
    let contentType = request.fields.value(.contentType)
    for type in bodyTypes where type.describes(contentType) { return nil }
    let names = bodyTypes.map(\.name)
    var problem = Problem(
      .unsupportedMediaType,
      detail: """
        Send the body as \(names.joined(separator: " or ")), in UTF-8; with curl: \
        \(bodyTypes.contains(.json) ? "--json '…', or " : "")-H 'Content-Type: \(names[0])'.
        """
    )
    problem.fields.append(.accept, bodyTypeNames)
    if request.method == .patch { problem.fields.append(.acceptPatch, bodyTypeNames) }
    return problem
  }
}

extension Request {
  /// True if the content has a coding other than `identity` (RFC 9110, 8.4).
  fileprivate var isContentCoded: Bool {
    guard let codings = fields.combinedValue(.contentEncoding) else { return false }
    var isCoded = false
    forEachListElement(of: codings[...]) { coding in
      if !equalIgnoringCase(coding, "identity".utf8) { isCoded = true }
    }
    return isCoded
  }
}
