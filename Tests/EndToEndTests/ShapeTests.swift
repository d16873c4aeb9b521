import HTTP
import TestSupport
import Testing

/// Trees of extreme shapes: a deep chain and a star.
struct ShapeTests {
  @Test func `a chain of ten thousand nodes is read and changed correctly`() throws {
    let count = 10_000
    try Reach.socket.withAccess { access in
      let session = try RemoteSession(access, "{}")
      let operations = (0..<count).map { level in
        let parent = level == 0 ? "null" : "\"n\(level - 1)\""
        return #"{"op":"insert","key":"n\#(level)","parent":\#(parent)}"#
      }
      let list = "[\(operations.joined(separator: ","))]"
      let loaded = try session.apply(list, query: "changes=ranges")
      #expect(loaded["changes"]?.text == #"[{"type":"insert","newIndex":0,"count":10000}]"#)
      try expectPages(session, offsets: [0, 4_999, 9_990]) { ("n\($0)", $0) }
      let path = try session.read("/nodes/n9999/ancestors")["ancestors"]?.elements
      #expect(path?.compactMap { $0["depth"]?.integer } == Array(0..<count - 1))

      // Makes the lower half a root before the upper half, so that the depth of its nodes changes.
      let moved = try session.apply(
        #"[{"op":"move","key":"n5000","parent":null,"first":true}]"#,
        query: "changes=ranges"
      )
      #expect(moved["changes"]?.elements?.first?["count"]?.integer == 5_000)
      try expectPages(session, offsets: [0, 4_995, 5_000, 9_990]) { row in
        row < 5_000 ? ("n\(row + 5_000)", row) : ("n\(row - 5_000)", row - 5_000)
      }
      try expectEnd(of: session, root: "n5000", hidden: 4_999, left: 5_000)
    }
  }

  @Test func `a star of twenty thousand nodes is read and changed correctly`() throws {
    let count = 20_000
    try Reach.socket.withAccess { access in
      let leaves = (0..<count).map { #"{"key":"n\#($0)"}"# }.joined(separator: ",")
      let nodes = #"[{"key":"hub","children":[\#(leaves)]},{"key":"rim"}]"#
      let session = try RemoteSession(access, "{\"nodes\":\(nodes)}")
      try expectPages(session, offsets: [0, 10_000, 19_995]) { row in
        (row == 0 ? "hub" : row > count ? "rim" : "n\(row - 1)", row == 0 || row > count ? 0 : 1)
      }
      let middle = try session.read("/nodes/hub/children?offset=12345&limit=2")
      #expect(middle["nodes"]?.elements?.compactMap { $0["key"]?.string } == ["n12345", "n12346"])
      let ends = #"[{"op":"move","key":"n19999","parent":"hub","first":true}]"#
      let moved = try session.apply(ends)
      #expect(moved["changes"]?.elements?.count == 1)
      #expect(moved["changes"]?.elements?.first?["index"]?.integer == count)
      #expect(try session.read("/nodes/n19998")["position"]?.integer == count - 1)
      try expectEnd(of: session, root: "hub", hidden: count, left: 1)
    }
  }

  /// Compares short pages with the expected key and depth of each row.
  private func expectPages(
    _ session: RemoteSession,
    offsets: [Int],
    row: (Int) -> (key: String, depth: Int)
  ) throws {
    for offset in offsets {
      let page = try session.read("/rows?offset=\(offset)&limit=10")
      let rows = try #require(page["rows"]?.elements)
      #expect(rows.count == 10 || offset + rows.count == page["rowCount"]?.integer)
      for (index, found) in rows.enumerated() {
        let expected = row(offset + index)
        #expect(found["index"]?.integer == offset + index)
        #expect(found["key"]?.string == expected.key && found["depth"]?.integer == expected.depth)
        let single = try session.read("/nodes/\(expected.key)?fields=index")
        #expect(single["index"]?.integer == offset + index)
      }
      #expect(page["ancestors"]?.elements?.count == row(offset).depth)
    }
  }

  /// Collapses, expands and removes a large root, and deletes the session.
  private func expectEnd(
    of session: RemoteSession,
    root: String,
    hidden: Int,
    left: Int
  ) throws {
    for (verb, entry) in [
      ("collapse", #"{"type":"delete","index":1,"count":\#(hidden)}"#),
      ("expand", #"{"type":"insert","newIndex":1,"count":\#(hidden)}"#),
    ] {
      let answer = try session.send(Ask(.post, "/nodes/\(root)/\(verb)?changes=ranges")).json()
      #expect(answer["changes"]?.elements?.first?.text == entry)
      #expect(answer["changes"]?.elements?.last?["fields"]?.text == #"["expanded"]"#)
    }
    let removed = try session.send(Ask(.delete, "/nodes/\(root)")).json()
    #expect(removed["rowCount"]?.integer == left && removed["nodeCount"]?.integer == left)
    #expect(try session.send(Ask(.delete, "")).status == 204)
    #expect(try session.get("").status == 404)
  }
}
