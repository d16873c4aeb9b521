import Glibc
import Synchronization

/// A tree of a server process, a client that reads its pages, and one with long requests to it.
final class SameTree {
  private let server: ServerProcess?
  private let port: UInt16
  private let size: Int
  private let tree = "same-\(UInt32.random(in: 0...UInt32.max))"
  private let reader: HTTPClient
  private var pages = ""
  private var session = ""
  private var random = SplitMix(seed: 43)

  /// A long request.
  private struct Request {
    var label: String
    var method = "POST"
    var path: String
    var body: [UInt8] = []
    var type = "application/json"
  }

  /// Makes the tree.
  init(_ target: ServiceTarget, size: Int) {
    let settings = [
      "--storage=memory", "--max-nodes-per-tree=100000000", "--max-memory-bytes=68719476736",
    ]
    server = target.port == nil ? ServerProcess(target, settings: settings) : nil
    port = server?.port ?? target.port ?? 0
    self.size = size
    reader = HTTPClient(port)
    expect(reader.send("POST", "/v1/trees", #"{"tree":"\#(tree)"}"#))
    let lines = ImportLines(.tenfold, count: size).bytes
    let path = "/v1/trees/\(tree)/import"
    expect(reader.send("POST", path, lines, type: "application/x-ndjson"))
    pages = makeSession() + "/rows?limit=100&offset="
    session = makeSession()
  }

  /// Measures pages alone and beside each long request, and the request itself.
  func measure() -> [Measurement] {
    let count = max(20, min(size / 100, 2_000))
    let alone = read(until: { true }, andThen: count)
    var found = percentiles("page alone, own process", alone)
    for request in requests {
      let (times, status, time) = measure(request, pages: count / 20)
      let note = 200..<300 ~= status ? "" : " (\(status))"
      found += percentiles("page, same tree, \(request.label)\(note)", times)
      found.append(
        Measurement(
          label: "\(request.label), itself",
          size: size,
          value: time / .nanoseconds(1),
          checksum: UInt64(status)
        )
      )
    }
    return found
  }

  // MARK: Requests

  private var requests: [Request] {
    let everything = #"{"op":"select","subtree":"i0"}"#
    let down = #"{"op":"sort","by":[{"by":"/title","direction":"descending"}]}"#
    return [
      Request(label: "a search, nothing found", method: "GET", path: "/search?q=nowhere"),
      Request(label: "a count of matches", method: "GET", path: "/search?q=77&count=true"),
      options("a filter", #"{"filter":{"by":"/title","contains":"77"}}"#),
      options("no filter", #"{"filter":null}"#),
      batch("a selection of all", everything),
      Request(label: "the state, all selected", method: "GET", path: "/state"),
      batch("a dry run of a sort", down, "&dryRun=true"),
      batch("a sort everywhere", down),
      options("a breadth-first order", #"{"order":"breadthFirst"}"#),
      options("a depth-first order", #"{"order":"depthFirst"}"#),
      importing,
      replacing,
      batch("a removal of a tenth", #"{"op":"remove","key":"j0"}"#),
    ]
  }

  private func options(_ label: String, _ body: String) -> Request {
    Request(label: label, method: "PATCH", path: "?changes=none", body: Array(body.utf8))
  }

  private func batch(_ label: String, _ operation: String, _ query: String = "") -> Request {
    let body = Array(#"{"operations":[\#(operation)]}"#.utf8)
    return Request(label: label, path: "/batch?changes=none\(query)", body: body)
  }

  private var importing: Request {
    let lines = ImportLines(.tenfold, count: part, prefix: "j", under: "i0").bytes
    let path = "/v1/trees/\(tree)/import"
    return Request(label: "an import", path: path, body: lines, type: "application/x-ndjson")
  }

  /// A request that makes all imported nodes children of the first one.
  private var replacing: Request {
    var body = Array(#"{"operations":[{"op":"setChildren","key":"j0","children":["#.utf8)
    for number in 1..<part {
      body += (number == 1 ? #"{"key":"j"# : #",{"key":"j"#).utf8
      body.append(decimal: number)
      body += #"","object":{"size":1}}"#.utf8
    }
    body += "]}]}".utf8
    return Request(label: "a diff of a tenth", path: "/batch?changes=none", body: body)
  }

  /// The number of nodes of a tenth of the tree, at most those that a body can hold.
  private var part: Int { min(size / 10, 200_000) }

  // MARK: Clients

  /// Reads pages while another client makes a request.
  private func measure(
    _ request: Request,
    pages: Int
  ) -> (times: [Duration], status: Int, time: Duration) {
    let outcome = Outcome()
    let path = request.path.hasPrefix("/v1") ? request.path : session + request.path
    let thread = ClientThread { [port] in
      let client = HTTPClient(port)
      let bytes = client.request(request.method, path, request.body, type: request.type)
      let clock = ContinuousClock()
      let start = clock.now
      let answer = client.send(bytes)
      outcome.set(status: answer?.status ?? 0, time: clock.now - start)
    }
    defer { thread.join() }
    let times = read(until: { outcome.value != nil }, andThen: pages)
    return (times, outcome.value?.status ?? 0, outcome.value?.time ?? .zero)
  }

  private func read(until isOver: () -> Bool, andThen more: Int) -> [Duration] {
    let clock = ContinuousClock()
    var times: [Duration] = []
    var rest = more
    while rest > 0 {
      if isOver() { rest -= 1 }
      let offset = random.below(size - 100)
      let start = clock.now
      expect(reader.send("GET", pages + "\(offset)"))
      let time = clock.now - start
      // A longer wait counts for each page that was due meanwhile, too.
      var missed = time
      repeat {
        times.append(missed)
        missed -= .milliseconds(1)
      } while missed > .zero
      if time < .milliseconds(1) { usleep(1_000) }
    }
    return times
  }

  private func percentiles(_ label: String, _ times: [Duration]) -> [Measurement] {
    let page = reader.send("GET", pages + "\(size / 2)")
    // The name of the session stands before the last bytes.
    let checksum = (page?.body ?? []).suffix(100).reduce(UInt64(1)) { $0 &* 31 &+ UInt64($1) }
    return Measurement.percentiles(label, times, size: size, checksum: checksum)
  }

  private func makeSession() -> String {
    let made = reader.send("POST", "/v1/sessions", #"{"tree":"\#(tree)"}"#)
    expect(made)
    return "/v1/sessions/" + (made?.string("session") ?? "none")
  }

  private func expect(_ answer: HTTPClient.Answer?) {
    precondition(answer?.isSuccess == true, answer?.text ?? "the server ends the connection")
  }

  /// The answer to the long request; nil until it arrives.
  private final class Outcome: Sendable {
    private let stored = Mutex<(status: Int, time: Duration)?>(nil)

    var value: (status: Int, time: Duration)? { stored.withLock { $0 } }

    func set(status: Int, time: Duration) { stored.withLock { $0 = (status, time) } }
  }
}
