import HTTP
import TreeDomain

/// What answers one route, and what it has to know before it does.
struct Endpoint: Sendable {
  /// How an endpoint comes by its answer.
  enum Work: Sendable {
    /// All at once.
    case answer(@Sendable (Call) throws(ServiceError) -> Response)
    /// In time: the reply may be an answer that takes some.
    case reply(@Sendable (Call) throws(ServiceError) -> Reply)
    /// From a body that is taken as it comes.
    case receive(@Sendable (Call) throws(ServiceError) -> any BodyReceiver)
  }

  /// How much work an endpoint may be: what is much is not done by the thread that all others
  /// wait for.
  enum Weight: Sendable {
    /// Little, whatever is asked.
    case light
    /// As much as the body is long.
    case body
    /// Much.
    case heavy
  }

  /// The query parameters it takes; any other one is refused.
  let parameters: [QueryParameter]
  /// The media types of the body it reads; with none, a body is of no meaning and is not looked at.
  let bodyTypes: [MediaType]
  /// The media types it can answer in, of which the client's `Accept` must allow one; with none,
  /// nobody is asked.
  let answerTypes: [MediaType]
  /// How much work it may be.
  let weight: Weight
  /// What it does.
  let work: Work

  init(
    parameters: [QueryParameter] = [],
    bodyTypes: [MediaType] = [],
    answerTypes: [MediaType] = [.json],
    weight: Weight = .light,
    _ work: Work
  ) {
    self.parameters = parameters
    self.bodyTypes = bodyTypes
    self.answerTypes = answerTypes
    self.weight = weight
    self.work = work
  }

  /// An endpoint that answers all at once.
  init(
    parameters: [QueryParameter] = [],
    bodyTypes: [MediaType] = [],
    answerTypes: [MediaType] = [.json],
    weight: Weight = .light,
    answer: @escaping @Sendable (Call) throws(ServiceError) -> Response
  ) {
    self.init(
      parameters: parameters,
      bodyTypes: bodyTypes,
      answerTypes: answerTypes,
      weight: weight,
      .answer(answer)
    )
  }

  /// Whether a request with a body of so many bytes is much work.
  func isHeavy(bodyBytes: Int, _ options: TreeAPIOptions) -> Bool {
    switch weight {
    case .light: false
    case .body: bodyBytes > options.heavyBodyBytes
    case .heavy: true
    }
  }
}
