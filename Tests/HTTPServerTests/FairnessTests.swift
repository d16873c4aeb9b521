import Dispatch
import HTTP
import HTTPServer
import Synchronization
import Testing

/// Fairness to a client while there is much deferrable work.
@Suite struct FairnessTests {
  /// The kind of the deferrable work.
  enum Crowd: String, CaseIterable {
    case newcomers, woken, due
  }

  private static let count = 20
  /// The maximum number of long jobs between two short requests.
  ///
  /// It is more than 1, because the system takes some time to deliver a request.
  private static let maxRun = 3

  /// The short client asks again after each response, and each long job lasts until it has.
  ///
  /// The loop therefore always has a choice.
  @Test(arguments: Crowd.allCases)
  func `a client does not wait for all queued long work`(crowd: Crowd) throws {
    // A further long job begins while the first one waits for the client.
    let order = Order(permits: Self.maxRun - 1)
    let handler = FairnessHandler(order: order)
    try withServer(handler: handler, loops: 1) { server in
      let other = Client(port: server.port)
      let gate = Client(port: server.port)
      #expect(other.exchange(get("/brief"), endingIn: ">").statuses == [200])
      let before = (0..<Self.count).map { _ in Client(port: server.port) }
      if crowd != .newcomers {
        for client in before { client.send(get("/\(crowd)")) }
        for _ in before { #expect(handler.waitForStart()) }
      }
      gate.send(get("/gate"))
      #expect(handler.waitForGate())
      let clients =
        crowd == .newcomers ? before.map { _ in Client(port: server.port) } : before
      if crowd == .newcomers { for client in clients { client.send(get("/newcomers")) } }
      handler.wakeAll()
      other.send(get("/brief"))
      handler.openGate()
      for _ in 0..<Self.count {
        #expect(other.read(endingIn: ">").statuses == [200])
        other.send(get("/brief"))
        order.letGo()
      }
      for client in clients { #expect(client.read(endingIn: ">").statuses == [200]) }
    }
    #expect(order.longestRun <= Self.maxRun)
  }

  @Test func `the unread rest of a response is counted as held`() throws {
    let metrics = ServerMetrics()
    let count = 4_000_000
    try withServer(handler: BulkHandler(count: count), loops: 1, metrics: metrics) { server in
      let client = Client(port: server.port, receiveBufferBytes: 4_096)
      client.send(get("/"))
      let other = Client(port: server.port)
      #expect(
        other.exchange("HEAD / HTTP/1.1\r\n\(host)\r\n", endingIn: "\r\n\r\n").statuses == [200]
      )
      var writer = MetricsWriter()
      metrics.write(to: &writer)
      let text = String(decoding: writer.finish(), as: UTF8.self)
      let line = try #require(
        text.split(separator: "\n").first {
          $0.hasPrefix("tree_server_buffered_bytes ")
        }
      )
      let held = try #require(line.split(separator: " ").last.flatMap { Int($0) })
      #expect(held > count - 500_000)
    }
  }
}

/// The order in which short requests and long jobs were done.
final class Order: Sendable {
  private struct Done {
    var run = 0
    var longestRun = 0
    var isGivenUp = false
  }

  private let done = Mutex(Done())
  private let permits: DispatchSemaphore

  /// - Parameter permits: The number of long jobs that do not wait for the short client.
  init(permits: Int) {
    let semaphore = DispatchSemaphore(value: 0)
    for _ in 0..<permits { semaphore.signal() }
    self.permits = semaphore
  }

  /// The largest number of long jobs without a short request in between.
  var longestRun: Int { done.withLock { $0.longestRun } }

  func letGo() { permits.signal() }

  func doBrief() { done.withLock { $0.run = 0 } }

  /// Works until the short client has asked again, and some milliseconds more.
  func doLong() {
    let isGivenUp = done.withLock { done in
      done.run += 1
      done.longestRun = max(done.longestRun, done.run)
      return done.isGivenUp
    }
    guard !isGivenUp else { return }
    let isAsked = permits.wait(timeout: .now() + 5) == .success
    if !isAsked { done.withLock { $0.isGivenUp = true } }
    _ = DispatchSemaphore(value: 0).wait(timeout: .now() + .milliseconds(2))
  }
}

/// A handler that serves `/brief` at once, blocks at `/gate`, and takes long for all else.
final class FairnessHandler: RequestHandler {
  private let order: Order
  private let gate = DispatchSemaphore(value: 0)
  private let atGate = DispatchSemaphore(value: 0)
  private let started = DispatchSemaphore(value: 0)
  private let answers = Mutex<[LongAnswer]>([])

  init(order: Order) { self.order = order }

  func respond(to request: Request) -> Reply {
    let response = Response(.ok, body: Array("<>".utf8))
    switch String(decoding: request.target.segment(at: 0), as: UTF8.self) {
    case "brief": order.doBrief()
    case "newcomers": order.doLong()
    case "gate":
      atGate.signal()
      _ = gate.wait(timeout: .now() + 10)
    case let crowd:
      let answer = LongAnswer(order: order, milliseconds: crowd == "due" ? 30 : nil)
      answers.withLock { $0.append(answer) }
      started.signal()
      return .later(answer)
    }
    return .response(response)
  }

  func waitForStart() -> Bool { started.wait(timeout: .now() + 10) == .success }
  func waitForGate() -> Bool { atGate.wait(timeout: .now() + 10) == .success }

  /// Opens the gate after all timers are due.
  func openGate() {
    _ = DispatchSemaphore(value: 0).wait(timeout: .now() + .milliseconds(60))
    gate.signal()
  }

  func wakeAll() { for answer in answers.withLock({ $0 }) { answer.wake() } }
}

/// A deferred answer whose `next` takes long, once it was woken or its time has come.
final class LongAnswer: LateAnswer {
  private let order: Order
  private let milliseconds: Int?
  private let waker = Mutex<Waker?>(nil)
  private let askCount = Atomic(0)

  /// - Parameter milliseconds: The time of its timer; nil to wait until it is woken.
  init(order: Order, milliseconds: Int?) {
    self.order = order
    self.milliseconds = milliseconds
  }

  func start(_ waker: Waker) { self.waker.withLock { $0 = waker } }

  func wake() { if milliseconds == nil { waker.withLock { $0 }?.wake() } }

  func next(now: Moment) -> LateStep {
    guard askCount.add(1, ordering: .relaxed).oldValue > 0 else {
      return .wait(milliseconds: milliseconds)
    }
    order.doLong()
    return .answer(Response(.ok, body: Array("<>".utf8)))
  }

  func cancel() {}
}
