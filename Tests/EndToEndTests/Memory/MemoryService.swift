import Glibc
import HTTP
import TestSupport
import Testing

/// A service process whose memory is compared with the memory that it counts.
struct MemoryService {
  let program: Program
  let port: UInt16
  let access: SocketAccess

  init(_ settings: String...) throws {
    let memory = ["--storage", "memory", "--port", "0", "--max-requests-per-connection", "1000000"]
    program = try Program(memory + settings)
    port = try program.waitForPort()
    access = SocketAccess(port: port)
  }

  /// Returns the counted bytes, of all kinds or of one.
  func counted(_ kind: String = "") throws -> Int {
    let text = try access.send(Ask(.get, "/metrics")).text
    let name = "tree_server_memory_bytes{kind=\"\(kind)"
    return Int(try Exposition(text).sum { $0.hasPrefix(name) })
  }

  /// Creates a tree with `count` nodes below one root.
  ///
  /// - Parameter isPaired: True if every second node is a child of the node before it.
  func makeTree(
    _ name: String = "t",
    nodes count: Int,
    objects: Bool = true,
    isPaired: Bool = false
  ) throws {
    let root = #"{"tree":"\#(name)","nodes":[{"key":"r"}]}"#
    let made = try access.send(Ask(.post, "/v1/trees", root))
    #expect(made.status == 201)
    let lines = (0..<count).map { number in
      let parent = isPaired && number % 2 == 1 ? "k\(number - 1)" : "r"
      let object = objects ? #","object":{"z":\#(number)}"# : ""
      return #"{"key":"k\#(number)","parent":"\#(parent)"\#(object)}"#
    }
    let fields = [("Content-Type", "application/x-ndjson")]
    let body = Array(lines.joined(separator: "\n").utf8)
    let answer = try access.send(Ask(.post, "/v1/trees/\(name)/import", body, fields: fields))
    #expect(answer.status == 200, "\(answer.text)")
  }

  /// Creates a session with a filter and an order, and so with its own rows.
  func makeSession() throws -> Answer {
    let filter = #"{"not":{"by":"/z","equals":1}}"#
    return try makeSession(#","order":"breadthFirst","filter":\#(filter)"#)
  }

  /// Creates a session of the tree `t`; the options begin with a comma.
  func makeSession(_ options: String) throws -> Answer {
    try access.send(Ask(.post, "/v1/sessions", #"{"tree":"t"\#(options)}"#))
  }

  /// Creates a session and requires success.
  ///
  /// - Returns: The path of the session.
  func openSession(_ options: String = "") throws -> String {
    let answer = try makeSession(options)
    return try #require(answer["Location"], "\(answer.text)")
  }

  /// Applies operations to a session or the tree, and expects success.
  func apply(
    _ operations: [String],
    to path: String = "/v1/trees/t",
    _ fields: [(name: String, value: String)] = []
  ) throws {
    let body = #"{"operations":[\#(operations.joined(separator: ","))]}"#
    var ask = Ask(.post, path + "/batch", body)
    ask.fields += fields
    let answer = try access.send(ask)
    #expect(answer.status == 200, "\(answer.text.prefix(300))")
  }

  /// Expects that the counted bytes and the memory of the process grow alike, within a fifth.
  ///
  /// - Parameters:
  ///   - bytes: The least growth of the counted bytes.
  ///   - grow: Makes the service allocate memory. Its result is kept alive meanwhile.
  func expectGrowth<Held>(atLeast bytes: Int, _ grow: () throws -> Held) throws {
    let (counted, resident) = (try counted(), try program.residentBytes())
    let held = try grow()
    var (more, growth) = (0, 0)
    // The allocator returns temporary memory with a delay.
    for _ in 0..<60 {
      (more, growth) = (try self.counted() - counted, try program.residentBytes() - resident)
      if more > bytes, abs(growth - more) * 5 <= growth { break }
      usleep(500_000)
    }
    #expect(more > bytes)
    #expect(abs(growth - more) * 5 <= growth, "counted \(more), resident \(growth)")
    withExtendedLifetime(held) {}
  }
}
