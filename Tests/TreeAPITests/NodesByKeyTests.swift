import HTTP
import Testing

@Suite struct `Nodes read by keys` {
  private static let keys = #"["a/b","none","nut","😀","nut"]"#

  @Test func `the response may be replaced, because the request changes nothing`() throws {
    let tester = try Tester()
    let read = try tester.send(.post, "{s}/nodes/get", #"{"keys":["nut"]}"#)
    #expect(read.status == 200 && read.isOfReading)
    let written = try tester.send(.post, "{s}/batch", #"{"operations":[{"op":"expandAll"}]}"#)
    #expect(written.status == 200 && !written.isOfReading)
  }

  @Test func `are in the order of the keys, with null for missing ones`() throws {
    let tester = try Tester()
    let body = #"{"keys":\#(Self.keys),"fields":["key","index"]}"#
    let answer = try tester.send(.post, "{s}/nodes/get", body)
    #expect(
      answer.body == #"{"session":"S","revision":0,"nodes":[{"index":4,"key":"a/b"},null,"#
        + #"{"index":null,"key":"nut"},{"index":8,"key":"😀"},{"index":null,"key":"nut"}]}"#
    )
    #expect(answer[.eTag] == "\"0\"" && answer[.cacheControl] == "private, no-cache")
    #expect(try tester.send(.post, "{s}/nodes/get", #"{"keys":[]}"#).body.hasSuffix("[]}"))
  }

  @Test func `equal the nodes read by path`() throws {
    let tester = try Tester()
    for key in ["fruit", "apple", "50%", "x y"] {
      let path = "{s}/nodes/" + key.replacing("%", with: "%25").replacing(" ", with: "%20")
      let origin = #""session":"S","revision":0,"#
      let single = try tester.send(.get, path).body.replacing(origin, with: "")
      let list = try tester.send(.post, "{s}/nodes/get", #"{"keys":["\#(key)"]}"#)
      #expect(list.body == #"{"session":"S","revision":0,"nodes":[\#(single)]}"#)
    }
  }

  @Test func `are read from a tree without a view`() throws {
    let tester = try Tester()
    let tree = #"{"tree":"t","nodes":[{"key":"get","children":[{"key":"b"}]}]}"#
    #expect(try tester.send(.post, "/v1/trees", tree).status == 201)
    let body = #"{"keys":["b","x","get"],"fields":["parent","key","index"]}"#
    let answer = try tester.send(.post, "/v1/trees/t/nodes/get", body)
    #expect(
      answer.body == #"{"tree":"t","revision":0,"nodes":[{"key":"b","parent":"get"},null,"#
        + #"{"key":"get","parent":null}]}"#
    )
    #expect(answer[.eTag] == "\"0\"")
    #expect(try tester.send(.get, "/v1/trees/t/nodes/get").body.contains(#""key":"get""#))
    let children = try tester.send(.get, "/v1/trees/t/children?parent=get&fields=key")
    #expect(children.body.contains(#""parent":"get""#) && children.body.contains(#"{"key":"b"}"#))
  }

  @Test(
    arguments: [
      ("", "{}", 400), ("", "[]", 400), ("", #"{"keys":"a"}"#, 400), ("", #"{"keys":[""]}"#, 400),
      ("", #"{"keys":["a"],"fields":[]}"#, 400), ("", #"{"keys":["a"],"fields":["kye"]}"#, 400),
      ("", #"{"keys":["a"],"fields":["key","key"]}"#, 400), ("?revision=1", #"{"keys":[]}"#, 409),
      ("?fields=key", #"{"keys":[]}"#, 400), ("?_=17", #"{"keys":[]}"#, 200),
    ] as [(String, String, Int)]
  )
  func `are refused for an invalid request`(query: String, body: String, status: Int) throws {
    let tester = try Tester()
    #expect(try tester.send(.post, "{s}/nodes/get\(query)", body).status == status)
  }

  @Test func `are at most a thousand`() throws {
    let tester = try Tester()
    func body(_ count: Int) -> String {
      #"{"keys":[\#((0..<count).map { "\"k\($0)\"" }.joined(separator: ","))]}"#
    }
    #expect(try tester.send(.post, "{s}/nodes/get", body(1_000)).status == 200)
    let refused = try tester.send(.post, "{s}/nodes/get", body(1_001))
    #expect(refused.status == 413 && refused.body.contains(#""limit":1000"#))
  }

  @Test func `obey conditions, without 304 for a read by POST`() throws {
    let tester = try Tester()
    for (name, value, status) in [
      (FieldName.ifMatch, "\"0\"", 200), (.ifMatch, "\"1\"", 412), (.ifNoneMatch, "\"0\"", 412),
      (.ifNoneMatch, "\"1\"", 200),
    ] {
      let answer = try tester.send(.post, "{s}/nodes/get", #"{"keys":[]}"#, [(name, value)])
      #expect(answer.status == status, "\(name) \(value)")
    }
  }

  @Test func `can have the key get`() throws {
    let tester = try Tester()
    #expect(try tester.send(.put, "{s}/nodes/get", #"{"object":1,"children":[]}"#).status == 201)
    #expect(try tester.send(.patch, "{s}/nodes/get", #"{"a":2}"#).status == 200)
    #expect(try tester.send(.get, "{s}/nodes/get").body.contains(#""object":{"a":2}"#))
    #expect(try tester.send(.put, "{s}/nodes/get/children", #"[{"key":"c"}]"#).status == 200)
    #expect(try tester.send(.post, "{s}/nodes/get/expand").status == 200)
    #expect(try tester.send(.get, "{s}/children?parent=get").body.contains(#""childCount":1"#))
    #expect(try tester.send(.delete, "{s}/nodes/get").status == 200)
    #expect(try tester.send(.get, "{s}/nodes/get").code == "node-not-found")
  }

  @Test(
    arguments: [
      ("parent=fruit", 200), ("parent=a%2Fb", 200), ("parent=none", 404), ("parent=", 400),
      ("parent=fruit&section=x", 400), ("parent=fruit&offset=3", 416), ("parent=fruit&_=1", 200),
    ]
  )
  func `have children by a parent in the query`(query: String, status: Int) throws {
    let tester = try Tester()
    let answer = try tester.send(.get, "{s}/children?\(query)")
    #expect(answer.status == status, "\(answer.body)")
    guard query == "parent=fruit" else { return }
    #expect(try tester.send(.get, "{s}/nodes/fruit/children").body == answer.body)
  }
}

@Suite struct `The query parameter _` {
  @Test(arguments: [
    "/v1/trees", "/healthz", "/openapi.yaml", "/metrics", "{s}", "{s}/rows", "{s}/nodes/box",
    "{s}/state", "{s}/sections",
  ])
  func `is ignored`(path: String) throws {
    let tester = try Tester()
    for query in ["?_=1", "?_", "?_=1&_=2"] {
      #expect(try tester.send(.get, path + query).status == 200)
    }
    for query in ["?__=1", "?_=1&x=2", "?%5F%5F"] {
      #expect(try tester.send(.get, path + query).code == "invalid-request")
    }
  }

  @Test func `is ignored next to others and by writes`() throws {
    let tester = try Tester()
    #expect(try tester.send(.get, "{s}/rows?limit=1&_=5").body.contains(#""key":"fruit""#))
    let batch = #"{"operations":[{"op":"remove","key":"box"}]}"#
    #expect(try tester.send(.post, "{s}/batch?_=1&dryRun=true", batch).status == 200)
  }
}
