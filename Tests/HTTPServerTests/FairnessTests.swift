import Dispatch
import HTTP
import HTTPServer
import Synchronization
import Testing

/// Who is served while there is much to do that can wait.
@Suite struct FairnessTests {
  /// What there is much of.
  enum Crowd: String, CaseIterable {
    case newcomers, woken, due
  }

  private static let count = 20
  /// How many long pieces of work may pass before one brief: the system takes its time, too, to
  /// bring a request.
  private static let maxRun = 3

  /// The other client asks again after each answer, and each long piece of work lasts until it has:
  /// so its request is there whenever the loop has a choice.
  @Test(arguments: Crowd.allCases)
  func `a client does not wait for all the long work there is`(crowd: Crowd) throws {
    // One more has begun when the first is waited for, however long that client takes.
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

  @Test func `what a client leaves untaken stays with the server, which counts it`() throws {
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

/// In what order brief and long pieces of work were done.
final class Order: Sendable {
  private struct Done {
    var run = 0
    var longestRun = 0
    var isGivenUp = false
  }

  private let done = Mutex(Done())
  private let permits: DispatchSemaphore

  /// - Parameter permits: How many long pieces of work need not wait for the other client.
  init(permits: Int) {
    let semaphore = DispatchSemaphore(value: 0)
    for _ in 0..<permits { semaphore.signal() }
    self.permits = semaphore
  }

  /// The most long pieces of work with no brief one between them.
  var longestRun: Int { done.withLock { $0.longestRun } }

  func letGo() { permits.signal() }

  func doBrief() { done.withLock { $0.run = 0 } }

  /// Works until the other client has asked again, and some milliseconds more.
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

/// Serves `/brief` at once, takes long over everything else, and stops at `/gate`.
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

  /// Opens the gate when what is due by time is.
  func openGate() {
    _ = DispatchSemaphore(value: 0).wait(timeout: .now() + .milliseconds(60))
    gate.signal()
  }

  func wakeAll() { for answer in answers.withLock({ $0 }) { answer.wake() } }
}

/// An answer that takes long over being asked, once it was woken or its time has come.
final class LongAnswer: LateAnswer {
  private let order: Order
  private let milliseconds: Int?
  private let waker = Mutex<Waker?>(nil)
  private let askCount = Atomic(0)

  /// - Parameter milliseconds: When it is to be asked by itself; nil: when it is woken.
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
