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
  /// Others are refused.
  let parameters: [QueryParameter]
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
    _ work: Work
  ) {
    self.parameters = parameters
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
}
