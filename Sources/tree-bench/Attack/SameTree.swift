import Synchronization

/// A tree of a server process, clients with small requests to it, and one with long requests.
final class SameTree {
  private let server: ServerProcess?
  private let port: UInt16
  private let size: Int
  private let tree = "same-\(UInt32.random(in: 0...UInt32.max))"
  private let client: HTTPClient
  /// The paths of the sessions: of each small client, and of the one with long requests.
  private var read = ""
  private var written = ""
  private var session = ""

  /// The storage of the server.
  enum Storage {
    case memory
    /// A database in the server's folder, and a snapshot of the tree after this many writes.
    case database(snapshotEntries: Int)

    fileprivate var settings: [String] {
      switch self {
      case .memory: ["--storage=memory"]
      case .database(let entries):
        [
          "--snapshot-entries=\(entries)", "--snapshot-bytes=\(SameTree.many * 1_000)",
        ]
      }
    }
  }

  /// A number of entries, or of thousands of bytes, that no measurement reaches.
  ///
  /// The work of an import still makes a snapshot due.
  private static let many = 86_400_000

  /// A long request.
  private struct Request {
    var label: String
    var method = "POST"
    var path: String
    var body: [UInt8] = []
    var type = "application/json"
  }

  /// Makes the tree.
  init(_ target: ServiceTarget, size: Int, _ storage: Storage = .memory) {
    let limits = ["--max-nodes-per-tree=100000000", "--max-memory-bytes=68719476736"]
    let settings = limits + storage.settings
    server = target.port == nil ? ServerProcess(target, settings: settings) : nil
    port = server?.port ?? target.port ?? 0
    self.size = size
    client = HTTPClient(port)
    expect(client.send("POST", "/v1/trees", #"{"tree":"\#(tree)"}"#))
    let lines = ImportLines(.tenfold, count: size).bytes
    let path = "/v1/trees/\(tree)/import"
    expect(client.send("POST", path, lines, type: "application/x-ndjson"))
    read = makeSession()
    written = makeSession()
    session = makeSession()
  }

  /// Measures small requests alone and beside each long request, and the request itself.
  func measure() -> [Measurement] {
    alone("alone, own process") + requests.flatMap { beside($0) }
  }

  /// Measures small requests to a tree in a database alone, and beside an import.
  static func stored(_ target: ServiceTarget, size: Int) -> [Measurement] {
    let tree = SameTree(target, size: size, .database(snapshotEntries: many))
    var importing = tree.importing
    importing.label += " on disk"
    return tree.alone("on disk") + tree.beside(importing)
  }

  /// Measures small requests to a tree in a database beside snapshots of it.
  static func beingSaved(_ target: ServiceTarget, size: Int) -> [Measurement] {
    let count = max(10, min(size / 1_000, 500))
    let tree = SameTree(target, size: size, .database(snapshotEntries: count))
    return tree.alone("beside snapshots")
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

  private func alone(_ label: String) -> [Measurement] {
    let times = measure(until: { true }, andThen: max(20, min(size / 100, 2_000)))
    return percentiles(label, times)
  }

  /// Measures small requests while another client makes a long one, and that request.
  private func beside(_ request: Request) -> [Measurement] {
    let outcome = Outcome<(status: Int, time: Duration)>()
    let path = request.path.hasPrefix("/v1") ? request.path : session + request.path
    let thread = ClientThread { [port] in
      let client = HTTPClient(port)
      let bytes = client.request(request.method, path, request.body, type: request.type)
      let clock = ContinuousClock()
      let start = clock.now
      let answer = client.send(bytes)
      outcome.value = (answer?.status ?? 0, clock.now - start)
    }
    let count = max(20, min(size / 100, 2_000)) / 20
    let times = measure(until: { outcome.value != nil }, andThen: count)
    thread.join()
    let (status, time) = outcome.value ?? (0, .zero)
    let note = 200..<300 ~= status ? "" : " (\(status))"
    let itself = Measurement(
      label: "\(request.label), itself",
      size: size,
      value: time / .nanoseconds(1),
      checksum: UInt64(status)
    )
    return percentiles("same tree, \(request.label)\(note)", times) + [itself]
  }

  /// Makes small requests until a condition is true, and then a number of further ones.
  private func measure(
    until isOver: @escaping @Sendable () -> Bool,
    andThen more: Int
  ) -> (pages: [Duration], writes: [Duration]) {
    let writes = Outcome<[Duration]>()
    let thread = ClientThread { [port, written, size] in
      let client = SmallClient(port, session: written, size: size, seed: 44)
      writes.value = client.write(until: isOver, andThen: more)
    }
    let reader = SmallClient(port, session: read, size: size, seed: 43)
    let pages = reader.read(until: isOver, andThen: more)
    thread.join()
    return (pages, writes.value ?? [])
  }

  private func percentiles(
    _ label: String,
    _ times: (pages: [Duration], writes: [Duration])
  ) -> [Measurement] {
    // The writes change no keys.
    let page = client.send("GET", read + "/rows?limit=100&fields=key&offset=\(size / 2)")
    let checksum = (page?.body ?? []).suffix(100).reduce(UInt64(1)) { $0 &* 31 &+ UInt64($1) }
    return [("page", times.pages), ("write", times.writes)].flatMap { name, times in
      Measurement.percentiles("\(name) \(label)", times, size: size, checksum: checksum)
    }
  }

  private func makeSession() -> String {
    let made = client.send("POST", "/v1/sessions", #"{"tree":"\#(tree)"}"#)
    expect(made)
    return "/v1/sessions/" + (made?.string("session") ?? "none")
  }

  private func expect(_ answer: HTTPClient.Answer?) { HTTPClient.Answer.expect(answer) }

  /// A result of another thread; nil until there is one.
  private final class Outcome<Value: Sendable>: Sendable {
    private let stored = Mutex<Value?>(nil)

    var value: Value? {
      get { stored.withLock { $0 } }
      set { stored.withLock { $0 = newValue } }
    }
  }
}
