import HTTP
import TestSupport
import Testing

/// Nodes can be addressed by path with every key.
struct KeyTests {
  private static let keys = [
    "plain", "a/b", "100%", "%2F", " ", "q\"\\", "😀", "é", "e\u{301}", "日本", "#?&=;", "a+b", "...",
    "get", "~", "\n\t", "{key}", "children", String(repeating: "k", count: 512),
  ]

  @Test(arguments: Reach.allCases)
  func `a node can be put, read, changed, moved and removed by its key`(reach: Reach) throws {
    try reach.withAccess { access in
      let session = try RemoteSession(access, #"{"nodes":[{"key":"root","children":[]}]}"#)
      for text in Self.keys {
        let key = ModelKey(text)
        let path = "/nodes/\(key.pathSegment)"
        let put = try session.send(Ask(.put, path, #"{"object":{"a":1},"parent":"root"}"#))
        #expect(put.status == 201 && put["Location"] == session.path + path, "\(put)")
        #expect(try session.read(path)["key"]?.key == key)
        let window = try session.read("/rows?around=\(key.pathSegment)&before=0&after=0")
        #expect(window["rows"]?.elements?.first?["key"]?.key == key)
        let patch = try session.send(Ask(.patch, path, #"{"b":2}"#))
        #expect(patch.status == 200, "\(patch)")
        #expect(try session.read(path)["object"]?.text == #"{"a":1,"b":2}"#)
        for verb in ["move", "expand", "toggle", "collapse", "reveal"] {
          #expect(try session.send(Ask(.post, "\(path)/\(verb)")).status == 200, "\(verb) \(text)")
        }
        #expect(try session.read("\(path)/ancestors")["ancestors"]?.elements?.isEmpty == true)
        #expect(try session.read("\(path)/children")["parent"]?.key == key)
        let byQuery = try session.read("/children?parent=\(key.pathSegment)")
        #expect(byQuery["parent"]?.key == key)
      }
      #expect(try session.keys().count == Self.keys.count + 1)
      try expectRemovalOfAll(in: session)
    }
  }

  private func expectRemovalOfAll(in session: RemoteSession) throws {
    for text in Self.keys {
      let path = "/nodes/\(ModelKey(text).pathSegment)"
      #expect(try session.send(Ask(.delete, path)).status == 200)
      #expect(try session.get(path).status == 404)
    }
    #expect(try session.keys() == ["root"])
  }

  @Test(arguments: Reach.allCases)
  func `keys that look alike but differ in bytes are distinct`(reach: Reach) throws {
    try reach.withAccess { access in
      let session = try RemoteSession(access, #"{"nodes":[{"key":"é"}]}"#)
      #expect(try session.get("/nodes/e%CC%81").status == 404)
      #expect(try session.send(Ask(.put, "/nodes/e%CC%81")).status == 201)
      #expect(try session.send(Ask(.put, "/nodes/%C3%A9")).status == 200)
      #expect(try session.read("")["nodeCount"]?.integer == 2)
    }
  }
}
