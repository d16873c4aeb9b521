import TreeDomain

/// The cost of each route over HTTP for a chain: at its end, or for all of it.
///
/// In a chain, each node is the only child of the node before. Each request occurs once in a
/// round. The chain is complete again at the end of the round.
enum DepthBenchmark {
  static var benchmark: Benchmark {
    Benchmark(name: "depth", smallSize: 200, largeSize: 100_000) { size in
      let service = LocalService()
      let client = ChainClient(service, length: size)
      let rounds = (0..<3).map { _ in client.round() }
      return rounds[0].indices.map { step in
        let times = rounds.map { $0[step].value }.sorted()
        var measurement = rounds[0][step]
        measurement.value = times[times.count / 2]
        return measurement
      }
    }
  }
}

/// A client that imports a chain, sends each kind of request about it, and deletes it.
private final class ChainClient {
  private let connection: ServiceConnection
  private let length: Int
  private let lines: [UInt8]
  private let last: String
  private let middle: String
  private var found: [Measurement] = []
  private var tree = ""
  private var session = ""

  init(_ service: LocalService, length: Int) {
    connection = service.connect()
    self.length = length
    lines = ImportLines(.chain, count: length).bytes
    last = "i\(length - 1)"
    middle = "i\(length / 2)"
  }

  /// Sends each request once.
  func round() -> [Measurement] {
    found = []
    bringIn()
    read()
    change()
    show()
    changeOptions()
    remove()
    return found
  }

  // MARK: Requests

  private func bringIn() {
    send("POST", "/v1/trees", #"{"tree":"chain"}"#)
    tree = "/v1/trees/chain"
    measure("import", "POST", tree + "/import", lines, type: "application/x-ndjson")
    measure("export", streaming: tree + "/export")
    let open = #"{"tree":"chain","expansion":"#
    session = "/v1/sessions/" + measure("session", "POST", "/v1/sessions", open + #""all"}"#)
    for (label, rule) in [
      ("session that opens the last node", #""none","expandedKeys":["\#(last)"]}"#),
      ("session of half as many levels", "\(length / 2)}"),
    ] {
      let other = measure(label, "POST", "/v1/sessions", open + rule)
      send("DELETE", "/v1/sessions/" + other)
    }
  }

  private func read() {
    get("page at the end", "/rows?limit=100&offset=\(length - 100)")
    get("page around the last node", "/rows?around=\(last)&before=50&after=49")
    get("row at the end", "/rows/\(length - 1)")
    get("last node", "/nodes/\(last)")
    get("children of the last but one", "/nodes/i\(length - 2)/children")
    get("ancestors of the last node", "/nodes/\(last)/ancestors")
    get("state", "/state")
    get("search by key", "/search?by=%23key&q=\(last)")
    get("search, nothing found", "/search?q=nowhere")
  }

  private func change() {
    batch("insert below the last node", #"{"op":"insert","key":"x","parent":"\#(last)"}"#)
    batch("update", #"{"op":"update","key":"x","object":1}"#)
    batch("move a leaf up", #"{"op":"move","key":"x","parent":"i0","first":true}"#)
    batch("remove it", #"{"op":"remove","key":"x"}"#)
    batch("move half of it up", #"{"op":"move","key":"\#(middle)","parent":null}"#)
    let back = #"{"op":"move","key":"\#(middle)","parent":"i\#(length / 2 - 1)"}"#
    batch("move it back", back)
    batch("sort everywhere", #"{"op":"sort","by":[{"by":"/title"}]}"#)
    get("changes since all that", "/changes?since=1")
  }

  private func show() {
    batch("collapse the top", #"{"op":"collapse","key":"i0"}"#)
    batch("expand the top", #"{"op":"expand","key":"i0"}"#)
    batch("collapse all levels", #"{"op":"collapse","key":"i0","levels":"all"}"#)
    batch("expand all levels", #"{"op":"expand","key":"i0","levels":"all"}"#)
    batch("collapseAll", #"{"op":"collapseAll"}"#)
    batch("reveal the last node", #"{"op":"reveal","key":"\#(last)"}"#)
    get("page at the end, revealed", "/rows?limit=100&offset=\(length - 100)")
    get("state, revealed", "/state")
    batch("collapse in the middle", #"{"op":"collapse","key":"\#(middle)"}"#)
    batch("expandAll", #"{"op":"expandAll"}"#)
    batch("select everything", #"{"op":"select","subtree":"i0"}"#)
    get("state, selected", "/state")
    batch("clearSelection", #"{"op":"clearSelection"}"#)
  }

  private func changeOptions() {
    patch("rule of half as many levels", #"{"expansion":\#(length / 2)}"#)
    get("page at their end", "/rows?limit=100&offset=\(length / 2 - 100)")
    patch("accordion, all collapsed", #"{"accordion":true,"expansion":"none"}"#)
    batch("reveal in an accordion", #"{"op":"reveal","key":"\#(last)"}"#)
    patch("no accordion, all expanded", #"{"accordion":false,"expansion":"all"}"#)
    patch("filter for the last node", ##"{"filter":{"by":"#key","equals":"\##(last)"}}"##)
    get("page at the end, filtered", "/rows?limit=100&offset=\(length - 100)")
    batch("update, filtered", #"{"op":"update","key":"\#(last)","object":{"a":1}}"#)
    patch("filter for all others", ##"{"filter":{"not":{"by":"#key","equals":"\##(last)"}}}"##)
    patch("no filter", #"{"filter":null}"#)
    patch("breadth first", #"{"order":"breadthFirst"}"#)
    get("page at the end, breadth first", "/rows?limit=100&offset=\(length - 100)")
    patch("depth first", #"{"order":"depthFirst"}"#)
  }

  private func remove() {
    batch("remove the last node", #"{"op":"remove","key":"\#(last)"}"#)
    batch("remove the top", #"{"op":"remove","key":"i0"}"#)
    measure("delete the tree", "DELETE", tree)
  }

  // MARK: Exchanges

  private func get(_ label: String, _ path: String) { measure(label, "GET", session + path) }

  private func batch(_ label: String, _ operation: String) {
    measure(label, "POST", session + "/batch", #"{"operations":[\#(operation)]}"#)
  }

  private func patch(_ label: String, _ options: String) {
    measure(label, "PATCH", session, options)
  }

  @discardableResult
  private func measure(
    _ label: String,
    _ method: String,
    _ path: String,
    _ body: String = ""
  )
    -> String
  {
    measure(label, method, path, Array(body.utf8), type: "application/json")
  }

  /// Sends a request and records its time; returns the id of the session that it created, if any.
  @discardableResult
  private func measure(
    _ label: String,
    _ method: String,
    _ path: String,
    _ body: [UInt8],
    type: String
  ) -> String {
    let request = ServiceRequest.request(method, path.utf8, body, type: type)
    var status = 0
    let time = ContinuousClock().measure { status = connection.exchange(request) }
    let text = String(decoding: connection.body.prefix(100), as: UTF8.self)
    precondition(200..<300 ~= status, "\(label): \(status) \(text)")
    // The names of sessions are of one length and differ.
    record(label, time, UInt64(status + 1_000 * connection.body.count))
    let parts = text.split(separator: "\"", maxSplits: 4)
    return parts.count > 3 ? String(parts[3]) : ""
  }

  private func measure(_ label: String, streaming path: String) {
    var count = 0
    let time = ContinuousClock().measure {
      count = connection.streamedBytes(of: ServiceRequest.get(path.utf8))
    }
    record(label, time, UInt64(count))
  }

  private func record(_ label: String, _ time: Duration, _ checksum: UInt64) {
    found.append(
      Measurement(
        label: "chain: \(label)",
        size: length,
        value: time / .nanoseconds(1),
        checksum: checksum
      )
    )
  }

  private func send(_ method: String, _ path: String, _ body: String = "") {
    _ = connection.exchange(
      ServiceRequest.request(method, path.utf8, Array(body.utf8), type: "application/json")
    )
  }
}
