import HTTP
import Synchronization
import TreeDomain

/// The list of the trees of all instances.
final class TreeListAnswer: LateAnswer {
  private struct Part {
    let exchange: any ForwardedExchange
    var head: ResponseHead?
    var content: [UInt8] = []
    var ending: ForwardedNews.Ending?

    /// The page; nil if the instance gave none.
    var page: [UInt8]? { ending == .whole && head?.status == .ok ? content : nil }

    mutating func acceptNews() {
      let news = exchange.news()
      if let head = news.head { self.head = head }
      content += news.content
      ending = news.ending ?? ending
    }
  }

  private struct State {
    var parts: [Part]
    /// The time until which the instances must have answered, in milliseconds.
    var deadline: Int?
  }

  /// The time that the instances have to answer, in milliseconds.
  private static let patienceMilliseconds = 10_000

  private let own: Response
  private let limit: Int
  private let state: Mutex<State>

  /// Creates a list from the page of this instance and those of the others.
  ///
  /// - Parameters:
  ///   - own: The response with the page of this instance.
  ///   - exchanges: The exchanges with the others.
  ///   - limit: The maximum number of trees.
  init(_ own: Response, _ exchanges: [any ForwardedExchange], limit: Int) {
    self.own = own
    self.limit = limit
    state = Mutex(State(parts: exchanges.map { Part(exchange: $0) }))
  }

  func start(_ waker: Waker) {
    state.withLock { for part in $0.parts { part.exchange.attach(waker) } }
  }

  func next(now: Moment) -> LateStep {
    state.withLock { state in
      for index in state.parts.indices { state.parts[index].acceptNews() }
      let deadline = state.deadline ?? now.milliseconds + Self.patienceMilliseconds
      state.deadline = deadline
      let isWhole = state.parts.allSatisfy { $0.ending != nil }
      guard isWhole || now.milliseconds >= deadline else {
        return .wait(milliseconds: deadline - now.milliseconds)
      }
      for part in state.parts { part.exchange.cancel() }
      let pages = state.parts.compactMap(\.page)
      guard pages.count == state.parts.count,
        let content = TreePageMerge.merge([own.body] + pages, limit: limit)
      else { return .answer(Problem.unlistedTrees.response) }
      var response = own
      response.body = content
      return .answer(response)
    }
  }

  func cancel() { state.withLock { for part in $0.parts { part.exchange.cancel() } } }
}

extension ClusterHandler {
  /// The fields of a request for a list that are not sent to the other instances.
  ///
  /// This instance checks the conditions. It reads the pages of the others, which therefore must
  /// not be compressed.
  private static let ownListFields: [FieldName] = [
    .hop, .client, .acceptEncoding, .ifMatch, .ifNoneMatch, .idempotencyKey, .contentType,
  ]

  /// Replies with the trees of all instances.
  func listReply(to request: Request) -> Reply {
    let reply = api.respond(to: request)
    // An error would be the same on every instance.
    guard case .response(let own) = reply, own.status == .ok,
      let query = try? Query(of: request, knowing: Endpoint.listTrees.parameters),
      let limit = try? query.limit()
    else { return reply }
    let outgoing = OutgoingRequest(
      forwarding: request,
      method: .get,
      content: .whole([]),
      leavingOut: Self.ownListFields,
      adding: fields(for: request)
    )
    let exchanges = placement.others.map { forwarder.send(outgoing, to: $0) }
    return .later(TreeListAnswer(own, exchanges, limit: limit))
  }
}
