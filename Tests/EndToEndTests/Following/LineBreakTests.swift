import HTTP
import TestSupport
import Testing

/// Objects with white space of their own. In formats where a line break has a meaning, the breaks
/// in objects are not taken for it.
struct LineBreakTests {
  /// Objects with every line break that JSON allows outside of strings (RFC 8259, 2).
  private static let objects = [
    "{\n\"a\" : 1}", "{\r\n \"b\":\r\n[1,\r\n2]\r\n}", "[\r1\r,\r{\"data\"\n:\n\n\"id: 7\"}\n]",
    "{\n\n\"event\"\n\n: 1}", "\"a\\nb\"",
  ]

  @Test func `line breaks in objects do not split an event`() throws {
    try withServer { port in
      let session = try RemoteSession(SocketAccess(port: port), "{}")
      let stream = try EventStreamClient(port: port, session.path, query: "include=rows")
      for (number, object) in Self.objects.enumerated() {
        try session.apply(#"[{"op":"insert","key":"\#(number)","object":\#(object)}]"#)
        let event = try #require(try stream.next())
        #expect(event.id == "\(number + 1)")
        let row = try event.json()["changes"]?.elements?.first?["row"]
        #expect(row?["object"]?.compactBytes == (try RawJSON(parsing: object).compactBytes))
        // A node that is read by itself has the original bytes.
        let node = try session.read("/nodes/\(number)")
        #expect(node["object"]?.text == object)
      }
    }
  }

  @Test func `an export has one line per node and can be imported`() throws {
    try withServer { port in
      let access = SocketAccess(port: port)
      let nodes = Self.objects.enumerated().map { #"{"key":"\#($0)","object":\#($1)}"# }
      let tree = #"{"tree":"t","nodes":[\#(nodes.joined(separator: ",\n"))]}"#
      #expect(try access.send(Ask(.post, "/v1/trees", tree)).status == 201)
      let export = try access.send(Ask(.get, "/v1/trees/t/export"))
      let lines = export.body.split(separator: UInt8(ascii: "\n"))
      #expect(lines.count == nodes.count && !export.body.contains(UInt8(ascii: "\r")))
      for (line, object) in zip(lines, Self.objects) {
        let read = try RawJSON(parsing: Array(line))["object"]?.compactBytes
        #expect(read == (try RawJSON(parsing: object).compactBytes))
      }
      #expect(try access.send(Ask(.post, "/v1/trees", #"{"tree":"u"}"#)).status == 201)
      let type = [(name: "Content-Type", value: "application/x-ndjson")]
      let answer = try access.send(Ask(.post, "/v1/trees/u/import", export.body, fields: type))
      #expect(answer.status == 200, "\(answer.text)")
      #expect(try access.send(Ask(.get, "/v1/trees/u/export")).body == export.body)
    }
  }
}
