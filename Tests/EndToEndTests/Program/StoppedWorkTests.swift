import Foundation
import Glibc
import HTTP
import TestSupport
import Testing

/// Stopping the program during a long request.
struct StoppedWorkTests {
  /// A request that takes long on a large tree.
  struct LongRequest: Sendable {
    let name: String
    let make: @Sendable (_ tree: String, _ session: String) -> Ask
  }

  private static let sorts = (0..<400).map { number in
    let direction = number % 2 == 0 ? "ascending" : "descending"
    return #"{"op":"sort","by":[{"by":"/v","direction":"\#(direction)"}]}"#
  }.joined(separator: ",")

  /// A pattern that takes long to match against each text.
  private static let pattern = String(repeating: "*[a-c]", count: 40)

  static let requests: [LongRequest] = [
    LongRequest(name: "sorts") { tree, _ in
      Ask(.post, tree + "/batch", #"{"operations":[\#(sorts)]}"#)
    },
    LongRequest(name: "trial") { _, session in
      Ask(.post, session + "/batch?dryRun=true", #"{"operations":[\#(sorts)]}"#)
    },
    LongRequest(name: "filter") { _, session in
      let filter = #"{"by":"/t","matches":"\#(pattern)z"}"#
      let all = Array(repeating: filter, count: 90).joined(separator: ",")
      return Ask(.patch, session, #"{"filter":{"any":[\#(all)]}}"#)
    },
    LongRequest(name: "rules") { _, session in
      let pair = #"{"op":"expandAll"},{"op":"collapseAll"}"#
      let all = Array(repeating: pair, count: 300).joined(separator: ",")
      return Ask(.post, session + "/batch?changes=ranges", #"{"operations":[\#(all)]}"#)
    },
    LongRequest(name: "selections") { _, session in
      let pair = #"{"op":"select","subtree":"p"},{"op":"clearSelection"}"#
      let all = Array(repeating: pair, count: 300).joined(separator: ",")
      return Ask(.post, session + "/batch", #"{"operations":[\#(all)]}"#)
    },
  ]

  private static let nodeCount = 30_000

  /// The lines of an import: a parent and its children, with texts to search.
  private static let lines: String = {
    let text = String(repeating: "abc", count: 30)
    let children = (0..<nodeCount).map { number in
      let value = number * 7_919 % nodeCount
      return #"{"key":"n\#(number)","parent":"p","object":{"v":\#(value),"t":"\#(text)"}}"#
    }
    return ([#"{"key":"p"}"#] + children).joined(separator: "\n")
  }()

  @Test(arguments: requests.map(\.name))
  func `the program ends in time during a long request`(name: String) throws {
    let request = try #require(Self.requests.first { $0.name == name })
    let program = try Program([
      "--port", "0", "--loops", "1", "--workers", "1", "--storage", "memory",
      "--drain-seconds", "1",
    ])
    let port = try program.waitForPort()
    let access = SocketAccess(port: port)
    #expect(try access.send(Ask(.post, "/v1/trees", #"{"tree":"t"}"#)).status == 201)
    var lines = Ask(.post, "/v1/trees/t/import", Self.lines)
    lines.fields.removeAll { $0.0.lowercased() == "content-type" }
    lines.fields.append(("Content-Type", "application/x-ndjson"))
    #expect(try access.send(lines).status == 200)
    let session = try RemoteSession(access, #"{"tree":"t","selection":"multiple"}"#).path

    let client = try BlockingConnection(port: port)
    try client.send(request.make("/v1/trees/t", session).bytes)
    // The worker runs the request once nothing waits for a worker.
    var begun = false
    for _ in 0..<2_000 where !begun {
      let metrics = try access.send(Ask(.get, "/metrics"))
      let text = String(decoding: metrics.body, as: UTF8.self)
      begun =
        text.contains("tree_server_requests_in_flight 2")
        && text.contains("tree_server_worker_queue_jobs 0")
      usleep(1_000)
    }
    program.send(SIGTERM)
    // If the end took longer than `drainSeconds` + 2 s, the status would be 1.
    #expect(try program.waitForEnd().status == 0)
  }
}
