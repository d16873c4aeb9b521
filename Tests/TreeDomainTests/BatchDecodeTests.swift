import Testing
import TreeDomain

@Suite struct BatchDecodeTests {
  static let accepted: [(String, String)] = [
    (#"{"op":"insert","key":"a"}"#, "insert 0:a=null:leaf in - default"),
    (
      #"{"key":"a","object":{"x": 1.0},"op":"insert"}"#, #"insert 0:a={"x": 1.0}:leaf in - default"#
    ),
    (
      #"{"op":"insert","key":"a","parent":null,"children":null}"#,
      "insert 0:a=null:leaf in - default"
    ),
    (
      #"{"op":"insert","key":"a","parent":"p","children":[]}"#,
      "insert 0:a=null:loaded in p default"
    ),
    (#"{"op":"insert","key":"a","children":"unloaded"}"#, "insert 0:a=null:unloaded in - default"),
    (#"{"op":"insert","key":"a","index":0}"#, "insert 0:a=null:leaf in - index 0"),
    (#"{"op":"insert","key":"a","before":"b"}"#, "insert 0:a=null:leaf in - before b"),
    (#"{"op":"insert","key":"a","after":"b"}"#, "insert 0:a=null:leaf in - after b"),
    (#"{"op":"insert","key":"a","first":true}"#, "insert 0:a=null:leaf in - first"),
    (
      ##"{"op":"insert","key":"a","sort":[{"by":"/t"},"##
        + ##"{"by":"#key","direction":"descending","compare":"natural"}]}"##,
      #"insert 0:a=null:leaf in - sorted [{"by":"/t","direction":"ascending","compare":"auto"},"#
        + ##"{"by":"#key","direction":"descending","compare":"natural"}]"##
    ),
    (
      #"{"op":"insert","children":[{"key":"b","children":[{"children":[],"key":"c","object":2}]},"#
        + #"{"key":"d"}],"key":"a","object":1}"#,
      "insert 0:a=1:loaded 1:b=null:loaded 2:c=2:loaded 1:d=null:leaf in - default"
    ),
    (#"{"op":"insert","key":"\u00e9\n\"","parent":"p"}"#, "insert 0:é\n\"=null:leaf in p default"),
    (#"{"op":"insert","k\u0065y":"a"}"#, "insert 0:a=null:leaf in - default"),
    (#"{"op":"\u0072emove","key":"a"}"#, "remove a"),
    (
      ##"{"op":"move","key":"a","sort":[{"by":"\u002ft\"","compare":"te\u0078t"}]}"##,
      ##"move a in - sorted [{"by":"/t\"","direction":"ascending","compare":"text"}]"##
    ),
    (#"{"op":"update","key":"a","object":null}"#, "update a = null"),
    (#"{"op":"update","key":"a","merge": {"x":null} }"#, #"update a + {"x":null}"#),
    (#"{"op":"remove","key":"a"}"#, "remove a"),
    (#"{"op":"move","key":"a"}"#, "move a in - default"),
    (#"{"op":"move","keys":["b","a"],"parent":"p","index":3}"#, "move b,a in p index 3"),
    (#"{"op":"expand","key":"a"}"#, "expand a count(1)"),
    (#"{"op":"collapse","key":"a","levels":"all"}"#, "collapse a all"),
    (#"{"op":"toggle","key":"a","levels":2}"#, "toggle a count(2)"),
    (#"{"op":"expandAll"}"#, "expandAll"), (#"{"op":"collapseAll"}"#, "collapseAll"),
    (#"{"op":"reveal","key":"a"}"#, "reveal a"),
    (#"{"op":"reveal","keys":["a","b"]}"#, "reveal a,b"),
  ]

  @Test(arguments: accepted) func `an operation is read`(_ json: String, _ expected: String) throws
  {
    let batch = try Batch.decode(body: utf8("{\"operations\":[\(json)]}"))
    #expect(notation(batch) == [expected])
  }

  /// Bodies of a batch with a single operation, and similar bodies.
  static let bodies: [String] = [
    #"{"operations":[{"op":"remove","key":"a"}]}"#,
    " {\n\"operations\" : [ {\"op\":\"remove\",\"key\":\"a\"} ] } \r\n",
    #"{"operations":[{"op":"insert","key":"a","parent":"p","object":{"x":[{}]}}]}"#,
    #"{"operations":[{"op":"remove","key":"a"},{"op":"move","key":"b"}]}"#,
    #"{"operations":[{"op":"move","key":"a"},{"op":"move","key":"b"}],"operations":[]}"#,
    #"{"operations":[{"op":"move","key":"a"}],"operations":[]}"#,
    #"{"operations":[{"op":"move","key":"a"}],"other":1}"#,
    #"{"operations":[{"op":"move","key":"a"}]} x"#, #"{"operations":[{"op":"move","key":"a"}]"#,
    #"{"operations":[{"op":"move","key":"a"}}"#, #"{"operations":[{"op":"move","key":"a"}"#,
    #"{"operation":[{"op":"move","key":"a"}]}"#, #"{"operations":{"op":"move","key":"a"}}"#,
    #"{"operations":[{"op":"setChildren","key":"a","children":[{"key":"b"}]}]}"#,
    #"{"operations":[{"op":"move","key":"a"},]}"#, #"{"operations":[]}"#, "{}", "",
  ]

  @Test(arguments: bodies, [0, 1, 2, 3, 4, 5, 512])
  func `the fast reader and the careful reader give the same result`(_ body: String, maxDepth: Int)
  {
    var limits = DecodingLimits()
    limits.maxJSONDepth = maxDepth
    limits.maxOperations = maxDepth == 4 ? 0 : 1
    let quick = Result { () throws(ServiceError) in
      try Batch.decode(body: utf8(body), limits: limits)
    }
    limits.readsQuickly = false
    let careful = Result { () throws(ServiceError) in
      try Batch.decode(body: utf8(body), limits: limits)
    }
    #expect(quick == careful)
  }

  @Test func `operations keep their order, and their nodes are consecutive`() throws {
    let body = utf8(
      #" { "operations" : [ {"op":"insert","key":"a","children":[{"key":"b"}]}, "#
        + #"{"op":"expand","key":"b"}, {"op":"insert","key":"\u0063"}, "#
        + #"{"op":"insert","key":"d"} ] } "#
    )
    let batch = try Batch.decode(body: body)
    #expect(
      notation(batch) == [
        "insert 0:a=null:loaded 1:b=null:leaf in - default", "expand b count(1)",
        "insert 0:c=null:leaf in - default", "insert 0:d=null:leaf in - default",
      ]
    )
    #expect(batch.nodes.count == 4)
    #expect(batch.bytes.starts(with: body))
  }

  @Test func `repeated sort orders are read like the first one, and others are not`() throws {
    let a = #"{"op":"move","key":"a","sort":[{"by":"/t"}]}"#
    let b = #"{"op":"move","key":"a","sort":[{"by":"/u"}]}"#
    let c = #"{"op":"move","key":"a","sort":[{"by":"/t"},{"by":""}]}"#
    let batch = try Batch.decode(body: utf8("{\"operations\":[\(a),\(a),\(b),\(c),\(a)]}"))
    let descriptors = { (by: [String]) in
      by.map { #"{"by":"\#($0)","direction":"ascending","compare":"auto"}"# }
        .joined(separator: ",")
    }
    #expect(
      notation(batch)
        == [["/t"], ["/t"], ["/u"], ["/t", ""], ["/t"]].map {
          "move a in - sorted [\(descriptors($0))]"
        }
    )
  }

  @Test func `an empty batch is accepted`() throws {
    #expect(try Batch.decode(body: utf8("{\"operations\":[]}")).operations.isEmpty)
  }
}
