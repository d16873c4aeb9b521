import Glibc
import HTTP
import TestSupport
import Testing

/// Import and export of whole trees.
struct TransferTests {
  private static let nodeCount = Seed.operations(default: 100_000)

  @Test func `the export of a large imported tree can be imported unchanged`() throws {
    let program = try Program(["--port", "0", "--loops", "2"])
    let port = try program.waitForPort()
    let access = SocketAccess(port: port)
    for tree in ["a", "b", "small"] {
      #expect(try access.send(Ask(.post, "/v1/trees", #"{"tree":"\#(tree)"}"#)).status == 201)
    }
    let lines = Self.lines()
    let answer = try Self.send(lines, to: "a", port)
    try #require(answer.status == 200, "\(answer.text)")
    let imported = try answer.json()
    #expect(imported["applied"]?.integer == Self.nodeCount)
    #expect(imported["nodeCount"]?.integer == Self.nodeCount)
    #expect(imported["previousRevision"]?.integer == 0 && imported["revision"]?.integer == 1)

    let export = try access.send(Ask(.get, "/v1/trees/a/export"))
    #expect(export["Content-Type"] == "application/x-ndjson" && export["ETag"] == "\"1\"")
    #expect(export.body.count { $0 == UInt8(ascii: "\n") } == Self.nodeCount)
    let again = try Self.send(export.body, to: "b", port)
    try #require(again.status == 200, "\(again.text)")
    #expect(try access.send(Ask(.get, "/v1/trees/b/export")).body == export.body)
    try expectAllOrNone(lines, port)
    program.send(SIGTERM)
    #expect(try program.waitForEnd().status == 0)
  }

  /// Expects that an import with an invalid line changes nothing. The line has an unknown parent or
  /// is no JSON.
  private func expectAllOrNone(_ lines: [UInt8], _ port: UInt16) throws {
    let access = SocketAccess(port: port)
    let before = try access.send(Ask(.get, "/v1/trees/small")).body
    let bad = Self.nodeCount * 3 / 4
    for (line, status, code) in [
      (#"{"key":"x","parent":"nobody"}"#, 422, "parent-not-found"),
      (#"{"key":"x","parent"}"#, 400, "malformed-json"),
    ] {
      let start = Self.offset(ofLine: bad, in: lines)
      let damaged = lines[..<start] + Array("\(line)\n".utf8) + lines[start...]
      let answer = try Self.send(Array(damaged), to: "small", port)
      try expectProblem(answer, status, code, ["line": "\(bad)"])
      #expect(try access.send(Ask(.get, "/v1/trees/small")).body == before)
      #expect(try access.send(Ask(.get, "/v1/trees/small/export")).body.isEmpty)
    }
  }

  @Test func `other trees can be read during an import`() throws {
    let program = try Program(["--port", "0", "--loops", "2"])
    let port = try program.waitForPort()
    let access = SocketAccess(port: port)
    #expect(try access.send(Ask(.post, "/v1/trees", #"{"tree":"a"}"#)).status == 201)
    let session = try RemoteSession(access, Sample.options)
    let lines = Self.lines()
    let work = BackgroundWork { try Self.send(lines, to: "a", port).status }
    var pages = 0
    while !work.isDone {
      #expect(try session.keys().count == 5)
      pages += 1
    }
    #expect(try work.result() == 200)
    #expect(pages > 1, "reads waited for the import")
    program.send(SIGTERM)
    #expect(try program.waitForEnd().status == 0)
  }

  /// Reads an export slowly while the tree changes.
  @Test func `an export has the state of its first revision`() throws {
    try withServer { port in
      let access = SocketAccess(port: port)
      #expect(try access.send(Ask(.post, "/v1/trees", #"{"tree":"t"}"#)).status == 201)
      let lines = Self.lines(count: 20_000, objectBytes: 1_000)
      #expect(try Self.send(lines, to: "t", port).status == 200)
      let whole = try access.send(Ask(.get, "/v1/trees/t/export"))
      let reader = try BlockingConnection(port: port)
      try reader.send(Ask(.get, "/v1/trees/t/export").bytes)
      let head = try reader.receiveHead()
      var chunks = ChunkDecoder()
      var body = try chunks.decode(try reader.receivePiece())
      // The rest is larger than the buffers of the sockets.
      for change in [
        #"{"op":"update","key":"19999","object":"changed"}"#, #"{"op":"remove","key":"2"}"#,
        #"{"op":"move","key":"3","parent":"19998"}"#, #"{"op":"insert","key":"new"}"#,
        #"{"op":"setChildren","key":"1","children":null}"#,
      ] {
        let batch = "{\"operations\":[\(change)]}"
        #expect(try access.send(Ask(.post, "/v1/trees/t/batch", batch)).status == 200)
      }
      while !chunks.hasEnded { body += try chunks.decode(try reader.receivePiece()) }
      #expect(head["ETag"] == "\"1\"" && body == whole.body)
      let now = try access.send(Ask(.get, "/v1/trees/t/export"))
      #expect(now["ETag"] == "\"6\"" && now.body != body)
    }
  }

  /// Returns the lines of a tree with up to ten children per node, parents first.
  private static func lines(count: Int = nodeCount, objectBytes: Int = 20) -> [UInt8] {
    let padding = String(repeating: "x", count: objectBytes)
    var lines: [UInt8] = []
    for node in 0..<count {
      let parent = node == 0 ? "" : #""parent":"\#((node - 1) / 10)","#
      lines += Array(
        #"{"key":"\#(node)",\#(parent)"object":{"n":\#(node),"s":"\#(padding)"}}"#.utf8
      )
      lines.append(UInt8(ascii: "\n"))
    }
    return lines
  }

  /// Returns the offset of a line, counted from 1.
  private static func offset(ofLine line: Int, in lines: [UInt8]) -> Int {
    var rest = line - 1
    let index = lines.firstIndex { byte in
      if rest == 0 { return true }
      if byte == UInt8(ascii: "\n") { rest -= 1 }
      return false
    }
    return index ?? lines.count
  }

  private static func send(_ lines: [UInt8], to tree: String, _ port: UInt16) throws -> Answer {
    let type = [(name: "Content-Type", value: "application/x-ndjson")]
    let ask = Ask(.post, "/v1/trees/\(tree)/import", lines, fields: type)
    let connection = try BlockingConnection(port: port)
    try connection.send(ask.bytes(chunkedBy: 100_000))
    return try connection.receive()
  }
}
