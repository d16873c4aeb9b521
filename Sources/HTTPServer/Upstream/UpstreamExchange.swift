import HTTP
import Synchronization

/// An exchange with another server, shared by the thread that waits for it and the upstream loop.
final class UpstreamExchange: ForwardedExchange {
  private struct State {
    /// The content in its framing that the loop has not taken yet.
    var outgoing: [UInt8] = []
    var isContentWhole: Bool
    /// The number of bytes of content that are not sent, those that the loop took included.
    var unsent = 0
    var news = ForwardedNews()
    var hasEnded = false
    var isCancelled = false
    var hasClientFinished = false
    var waker: Waker?
    /// True if the loop is going to look at the exchange.
    var isListed = false
  }

  /// The work of the loop for an exchange.
  struct Orders {
    var isCancelled: Bool
    var hasClientFinished: Bool
  }

  /// The number of held bytes of a response at which reading stops.
  static let maxHeldBytes = 64 * 1024
  /// The number of unsent bytes of content below which the sender is asked for more.
  static let fewUnsentBytes = 64 * 1024

  let address: String
  let request: OutgoingRequest
  private let resources: UpstreamResources
  private let state: Mutex<State>

  init(_ request: OutgoingRequest, to address: String, _ resources: UpstreamResources) {
    self.request = request
    self.address = address
    self.resources = resources
    state = Mutex(State(isContentWhole: !request.hasMore))
  }

  // MARK: For the thread that waits

  func attach(_ waker: Waker) { state.withLock { $0.waker = waker } }

  func append(_ content: ArraySlice<UInt8>) {
    touch { state in
      let count = state.outgoing.count
      request.append(content, to: &state.outgoing)
      state.unsent += state.outgoing.count - count
    }
  }

  func finish() {
    touch { state in
      let count = state.outgoing.count
      request.appendEnd(to: &state.outgoing)
      state.unsent += state.outgoing.count - count
      state.isContentWhole = true
    }
  }

  var unsentBytes: Int { state.withLock { $0.unsent } }

  func news() -> ForwardedNews {
    let (news, wasFull) = state.withLock { state in
      let news = state.news
      state.news = ForwardedNews()
      state.news.ending = news.ending
      return (news, news.content.count >= Self.maxHeldBytes && news.ending == nil)
    }
    if wasFull { touch { _ in } }
    return news
  }

  func clientFinished() { touch { $0.hasClientFinished = true } }

  func cancel() {
    touch { state in
      state.isCancelled = true
      state.waker = nil
    }
  }

  /// Makes the loop look at the exchange for the first time.
  func start() { touch { _ in } }

  /// Changes the state and makes the loop look at it, unless the exchange is over.
  private func touch(_ change: (inout State) -> Void) {
    let isToList = state.withLock { state in
      guard !state.hasEnded else { return false }
      change(&state)
      defer { state.isListed = true }
      return !state.isListed
    }
    guard isToList, !resources.touch(self) else { return }
    end(.undone)
  }

  // MARK: For the loop

  /// Removes and returns the orders of the other thread.
  ///
  /// Later orders list the exchange again.
  func popOrders() -> Orders {
    state.withLock { state in
      state.isListed = false
      return Orders(
        isCancelled: state.isCancelled,
        hasClientFinished: state.hasClientFinished
      )
    }
  }

  /// Removes and returns the content to send next, and true if no more follows.
  func popOutgoing() -> (bytes: [UInt8], isLast: Bool) {
    state.withLock { state in
      defer { state.outgoing = [] }
      return (state.outgoing, state.isContentWhole)
    }
  }

  /// Records that the loop has sent bytes of the content.
  func recordSent(_ count: Int) {
    guard count > 0 else { return }
    let waker = state.withLock { state in
      let before = state.unsent
      state.unsent -= count
      return before > Self.fewUnsentBytes && state.unsent <= Self.fewUnsentBytes ? state.waker : nil
    }
    waker?.wake()
  }

  /// True if the loop may read more of the response.
  var hasRoom: Bool { state.withLock { $0.news.content.count < Self.maxHeldBytes } }

  /// Passes on what was received, and wakes the thread that waits.
  func deliver(_ more: ForwardedNews) {
    let waker = state.withLock { state in
      guard !state.hasEnded else { return nil as Waker? }
      state.news.mayProceed = state.news.mayProceed || more.mayProceed
      if let head = more.head { state.news.head = head }
      if state.news.content.isEmpty {
        state.news.content = more.content
      } else {
        state.news.content += more.content
      }
      if let ending = more.ending {
        state.news.ending = ending
        state.hasEnded = true
        state.outgoing = []
        state.unsent = 0
      }
      return state.waker
    }
    waker?.wake()
  }

  /// Ends the exchange.
  func end(_ ending: ForwardedNews.Ending) {
    var news = ForwardedNews()
    news.ending = ending
    deliver(news)
  }
}
