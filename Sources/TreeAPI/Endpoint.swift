import HTTP
import TreeDomain

/// What answers one route, and what it has to know before it does.
final class Endpoint: Sendable {
  /// How an endpoint comes by its answer.
  enum Work: Sendable {
    /// By nothing: it is the same for everybody.
    case same(Response)
    /// By what its path and query say; it may be asked twice, not to block first.
    case answer(@Sendable (Call) throws(ServiceError) -> Reply)
    /// By its body, too, which is read once, elsewhere if it is long.
    case decode(@Sendable (Call) throws(ServiceError) -> ServiceWork)
    /// By a body that is taken as it comes.
    case receive(@Sendable (Call) throws(ServiceError) -> any BodyReceiver)
  }

  /// The query parameters it takes; any other one is refused.
  let parameters: [QueryParameter]
  /// The media types of the body it reads; with none, a body is of no meaning and is not looked at.
  let bodyTypes: [MediaType]
  /// Whether JSON is one of them.
  let readsJSON: Bool
  /// The media types it can answer in, of which the client's `Accept` must allow one; with none,
  /// nobody is asked.
  let answerTypes: [MediaType]
  /// True if it answers requests without credentials, too.
  let isOpen: Bool
  /// The right that its requests need, if it is not that of their method.
  private let permission: Permission?
  /// Whether it answers even where there is no memory left for answers.
  let isVital: Bool
  /// What it does.
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

  /// An endpoint that answers without a body and all at once.
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

  /// Returns the right that a request with a method needs before its body is looked at.
  ///
  /// A method that can change something changes data, unless the endpoint says otherwise.
  func permission(for method: Method) -> Permission {
    switch method {
    case .get, .head: permission ?? .read
    case .options: permission == .metrics ? .metrics : .read
    default: permission ?? .change
    }
  }
}
