import Glibc
import Synchronization

/// Clients that make small requests to their own trees during an attack, each on its own thread.
///
/// They check each answer: pages do not change, and acknowledged writes are visible.
final class NormalUsers: Sendable {
  private let isStopped = Atomic(false)
  private let port: UInt16
  private let key: String?
  let logs: [LatencyLog]
  private let threads = Mutex<[ClientThread]>([])

  private static let nodes = 1_000

  /// Creates the trees, and starts the clients.
  ///
  /// - Parameters:
  ///   - port: The port of the service.
  ///   - key: Their API key; nil if the service has none.
  ///   - mark: The suffix of the names of their trees.
  init(_ port: UInt16, key: String?, mark: String) {
    (self.port, self.key) = (port, key)
    let page = LatencyLog("page of 100 rows")
    let write = LatencyLog("small write")
    let body = LatencyLog("200 KB body")
    let health = LatencyLog("healthz")
    logs = [page, write, body, health]
    start(page, .milliseconds(4)) { Self.pages($0, mark) }
    start(write, .milliseconds(4)) { Self.writes($0, mark) }
    start(body, .milliseconds(100)) { Self.bodies($0, mark) }
    start(health, .milliseconds(4)) { Self.health($0) }
  }

  /// Adds a client that reads pages of a session that changes, and checks only the status.
  func read(_ session: String, as log: LatencyLog) {
    start(log, .milliseconds(4)) { client in
      let request = client.request("GET", session + "/rows?limit=100", [], type: "")
      return Exchange(request: { _ in request }, check: { _, _ in nil }, end: { nil })
    }
  }

  /// Stops all clients, and waits for them.
  func stop() {
    isStopped.store(true, ordering: .relaxed)
    for thread in threads.withLock({ $0 }) { thread.join() }
  }

  /// The kind of request that a client repeats, with its checks.
  private struct Exchange {
    /// Returns the request with a number.
    var request: (Int) -> [UInt8]
    /// Returns the fault in an answer; nil if there is none.
    var check: (Int, HTTPClient.Answer) -> String?
    /// Returns the fault that is found at the end; nil if there is none.
    var end: () -> String?
  }

  private func start(
    _ log: LatencyLog,
    _ interval: Duration,
    _ make: @escaping @Sendable (HTTPClient) -> Exchange
  ) {
    let (port, key) = (port, key)
    let thread = ClientThread { [isStopped = StopFlag(self)] in
      let client = HTTPClient(port, key: key)
      let exchange = make(client)
      let clock = ContinuousClock()
      var number = 0
      while !isStopped.value {
        let start = clock.now
        let answer = client.send(exchange.request(number))
        let time = clock.now - start
        let fault = answer.flatMap { exchange.check(number, $0) }
        log.add(answer, after: time, interval: interval, fault: fault)
        number += 1
        if time < interval { usleep(UInt32((interval - time) / .microseconds(1))) }
      }
      if let fault = exchange.end() { log.add(nil, after: .zero, fault: fault) }
    }
    threads.withLock { $0.append(thread) }
  }

  /// A flag that stops the threads of the clients.
  private struct StopFlag: Sendable {
    let users: NormalUsers

    init(_ users: NormalUsers) { self.users = users }

    var value: Bool { users.isStopped.load(ordering: .relaxed) }
  }
}

// MARK: Kinds

extension NormalUsers {
  private static func pages(_ client: HTTPClient, _ mark: String) -> Exchange {
    let session = makeSession(client, tree: "users-pages-\(mark)")
    let request = client.request("GET", session + "/rows?limit=100&offset=200", [], type: "")
    let first = client.send(request)?.body
    return Exchange(
      request: { _ in request },
      check: { $1.isSuccess && $1.body != first ? "the page reads differently" : nil },
      end: { nil }
    )
  }

  private static func health(_ client: HTTPClient) -> Exchange {
    let request = client.request("GET", "/healthz", [], type: "")
    return Exchange(
      request: { _ in request },
      check: { $1.status == 200 ? nil : "healthz answers \($1.status)" },
      end: { nil }
    )
  }

  private static func writes(_ client: HTTPClient, _ mark: String) -> Exchange {
    updates(client, tree: "users-writes-\(mark)") { number in
      #"{"op":"update","key":"n\#(number % nodes)","object":{"n":\#(number)}}"#
    }
  }

  private static func bodies(_ client: HTTPClient, _ mark: String) -> Exchange {
    let text = String(repeating: "x", count: 150)
    return updates(client, tree: "users-bodies-\(mark)") { number in
      (0..<nodes).map { node in
        #"{"op":"update","key":"n\#(node)","object":{"n":\#(number),"text":"\#(text)"}}"#
      }.joined(separator: ",")
    }
  }

  /// Returns a client that changes its tree with each request, so that the tree's revision counts
  /// them.
  private static func updates(
    _ client: HTTPClient,
    tree: String,
    _ operations: @escaping (Int) -> String
  ) -> Exchange {
    let session = makeSession(client, tree: tree)
    var (acknowledged, unanswered) = (0, 0)
    var last = 0
    return Exchange(
      request: { number in
        unanswered += 1
        let body = #"{"operations":[\#(operations(number))]}"#
        let path = session + "/batch?changes=none"
        return client.request("POST", path, Array(body.utf8), type: "application/json")
      },
      check: { number, answer in
        unanswered -= 1
        guard answer.isSuccess else { return nil }
        (acknowledged, last) = (acknowledged + 1, number)
        let expected = acknowledged...(acknowledged + unanswered)
        let revision = answer.number("revision") ?? -1
        return expected.contains(revision) ? nil : "revision \(revision), not \(expected)"
      },
      end: {
        let answer = client.send("GET", session + "/nodes/n\(last % nodes)")
        guard let answer, answer.isSuccess else { return nil }
        let expected = acknowledged...(acknowledged + unanswered)
        let revision = answer.number("revision") ?? -1
        return expected.contains(revision) ? nil : "at the end revision \(revision)"
      }
    )
  }

  /// Creates a tree of leaves and a session; returns the path of the session.
  private static func makeSession(_ client: HTTPClient, tree: String) -> String {
    let nodes = (0..<nodes).map { #"{"key":"n\#($0)","object":{"title":"Node \#($0)"}}"# }
    let body = #"{"tree":"\#(tree)","nodes":[\#(nodes.joined(separator: ","))]}"#
    _ = client.send("POST", "/v1/trees", body)
    let made = client.send("POST", "/v1/sessions", #"{"tree":"\#(tree)"}"#)
    return "/v1/sessions/" + (made?.string("session") ?? "none")
  }
}

extension HTTPClient.Answer {
  /// Returns the first integer of a member with a name in the content.
  func number(_ name: String) -> Int? {
    rest(behind: name).flatMap { Int(String(decoding: $0.prefix { 48..<58 ~= $0 }, as: UTF8.self)) }
  }

  /// Returns the first string without escapes of a member with a name in the content.
  func string(_ name: String) -> String? {
    rest(behind: name).map { String(decoding: $0.dropFirst().prefix { $0 != 34 }, as: UTF8.self) }
  }

  private func rest(behind name: String) -> ArraySlice<UInt8>? {
    let mark = Array("\"\(name)\":".utf8)
    let place = body.indices.first { body[$0...].starts(with: mark) }
    return place.map { body[($0 + mark.count)...] }
  }
}
