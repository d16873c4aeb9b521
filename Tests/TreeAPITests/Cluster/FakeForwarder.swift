import HTTP
import Synchronization

@testable import TreeAPI

/// A forwarder that keeps requests until a test answers them.
final class FakeForwarder: RequestForwarder {
  /// A request that was sent.
  final class Exchange: ForwardedExchange {
    struct State {
      var news = ForwardedNews()
      var content: [UInt8] = []
      var notes: [String] = []
      var unsentBytes = 0
    }

    let address: String
    let head: String
    let body: String
    private let state = Mutex(State())

    init(_ request: OutgoingRequest, to address: String) {
      self.address = address
      head = String(decoding: request.head, as: UTF8.self)
      body = String(decoding: request.body, as: UTF8.self)
    }

    var notes: [String] { state.withLock { $0.notes } }
    var content: String { state.withLock { String(decoding: $0.content, as: UTF8.self) } }

    func change(_ body: (inout State) -> Void) { state.withLock { body(&$0) } }

    /// Answers with a response as it comes over the wire, which may be incomplete.
    func answer(_ text: String, ending: ForwardedNews.Ending? = nil) {
      var reader = ResponseReader(limits: Limits(), isToHead: head.hasPrefix("HEAD"))
      reader.receive(Array(text.utf8)[...])
      state.withLock { state in
        while let event = try? reader.next() {
          switch event {
          case .proceed: state.news.mayProceed = true
          case .head(let head): state.news.head = head
          case .content(let bytes): state.news.content += bytes
          case .end: state.news.ending = .whole
          }
        }
        if let ending { state.news.ending = ending }
      }
    }

    func end(_ ending: ForwardedNews.Ending) { state.withLock { $0.news.ending = ending } }

    func attach(_ waker: Waker) {}
    func append(_ content: ArraySlice<UInt8>) { state.withLock { $0.content += content } }
    func finish() { state.withLock { $0.notes.append("finish") } }
    var unsentBytes: Int { state.withLock { $0.unsentBytes } }
    func clientFinished() { state.withLock { $0.notes.append("clientFinished") } }
    func cancel() { state.withLock { $0.notes.append("cancel") } }

    func news() -> ForwardedNews {
      state.withLock { state in
        defer {
          let ending = state.news.ending
          state.news = ForwardedNews()
          state.news.ending = ending
        }
        return state.news
      }
    }
  }

  private let sent = Mutex<[Exchange]>([])

  var exchanges: [Exchange] { sent.withLock { $0 } }

  func send(_ request: OutgoingRequest, to address: String) -> any ForwardedExchange {
    let exchange = Exchange(request, to: address)
    sent.withLock { $0.append(exchange) }
    return exchange
  }
}

/// A placement in which everything is at one place.
final class OnePlace: Placement {
  private let place: Mutex<Place>

  init(_ place: Place) { self.place = Mutex(place) }

  func move(to place: Place) { self.place.withLock { $0 = place } }

  func place(ofTree id: [UInt8]) -> Place { place.withLock { $0 } }
  func place(ofSession id: [UInt8]) -> Place { place.withLock { $0 } }
  func place(ofNewSession token: [UInt8]?) -> Place { place.withLock { $0 } }
  var others: [String] { ["other:1", "third:1"] }
  var isComplete: Bool { place.withLock { if case .nowhere = $0 { false } else { true } } }
}
