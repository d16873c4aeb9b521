import Testing
import TreeDomain

@Suite struct `Operations on sections, selections and children` {
  static let accepted: [(String, String)] = [
    (#"{"op":"insert","key":"a","section":"s"}"#, "insert 0:a=null:leaf in -/s default"),
    (#"{"op":"insert","key":"a","section":""}"#, "insert 0:a=null:leaf in -/ default"),
    (
      #"{"op":"insert","key":"a","children":"unloaded","childCount":7}"#,
      "insert 0:a=null:unloaded of 7 in - default"
    ),
    (
      #"{"op":"insert","key":"a","children":[{"key":"b","childCount":0,"children":"unloaded"}]}"#,
      "insert 0:a=null:loaded 1:b=null:unloaded of 0 in - default"
    ),
    (
      #"{"op":"move","key":"a","section":"s","parent":null,"index":1}"#, "move a in -/s index 1"
    ),
    (
      #"{"op":"setChildren","key":"a","children":[{"key":"b","children":[{"key":"c"}]}]}"#,
      "setChildren a [0:b=null:loaded 1:c=null:leaf]"
    ),
    (#"{"children":[],"op":"setChildren","key":"a"}"#, "setChildren a []"),
    (#"{"op":"setChildren","key":"a","children":null}"#, "setChildren a none"),
    (#"{"op":"setChildren","key":"a","children":"unloaded"}"#, "setChildren a unloaded"),
    (
      #"{"op":"setChildren","key":"a","childCount":3,"children":"loading"}"#,
      "setChildren a loading of 3"
    ),
    (
      #"{"op":"setChildren","key":"a","children":"failed","childCount":0}"#,
      "setChildren a failed of 0"
    ),
    (#"{"op":"setChildren","children":null}"#, "setChildren - none"),
    (
      #"{"op":"setChildren","key":null,"section":"s","children":[{"key":"a","section":"\u0073"}]}"#,
      "setChildren -/s [0:a=null:leaf/s]"
    ),
    (
      #"{"op":"setChildren","children":[{"key":"a","section":"s"},{"key":"b","section":""}]}"#,
      "setChildren - [0:a=null:leaf/s 0:b=null:leaf/]"
    ),
    (#"{"op":"sort","by":[{"by":""}]}"#, "sort * " + order),
    (#"{"op":"sort","key":null,"by":[{"by":""}]}"#, "sort - " + order),
    (#"{"op":"sort","key":null,"section":"s","by":[{"by":""}]}"#, "sort -/s " + order),
    (#"{"op":"sort","key":"a","by":[{"by":""}]}"#, "sort a " + order),
    (#"{"op":"reveal","key":"a","select":true}"#, "reveal a select"),
    (#"{"op":"reveal","keys":["a","b"],"select":false}"#, "reveal a,b"),
    (#"{"op":"select","key":"a"}"#, "select a"),
    (#"{"op":"select","keys":["a","b"]}"#, "select a,b"),
    (#"{"op":"deselect","subtree":"a"}"#, "deselect all of a"),
    (#"{"op":"clearSelection"}"#, "clearSelection"),
    (#"{"op":"insertSection","section":"s"}"#, "insertSection s"),
    (#"{"op":"insertSection","section":"s","index":0}"#, "insertSection s at 0"),
    (#"{"op":"removeSection","section":""}"#, "removeSection "),
    (#"{"op":"moveSection","section":"s","index":2}"#, "moveSection s to 2"),
    (#"{"op":"renameSection","section":"","to":"t"}"#, "renameSection  to t"),
    (#"{"op":"expandSection","section":"s"}"#, "expandSection s"),
    (#"{"op":"collapseSection","section":"s"}"#, "collapseSection s"),
  ]

  private static let order = #"sorted [{"by":"","direction":"ascending","compare":"auto"}]"#

  @Test(arguments: accepted) func `an operation is read`(
    _ json: String,
    _ expected: String
  ) throws {
    let batch = try Batch.decode(body: utf8("{\"operations\":[\(json)]}"))
    #expect(notation(batch) == [expected])
  }

  /// Invalid operations, each with the pointer to the fault.
  static let refused: [(String, String)] = [
    (#"{"op":"insert","key":"a","section":"s","parent":"p"}"#, "/section"),
    (#"{"op":"move","key":"a","section":"s","parent":"p"}"#, "/section"),
    (#"{"op":"insert","key":"a","section":null}"#, "/section"),
    (#"{"op":"insert","key":"a","childCount":1}"#, "/childCount"),
    (#"{"op":"insert","key":"a","childCount":1,"children":[]}"#, "/childCount"),
    (#"{"op":"insert","key":"a","childCount":-1,"children":"unloaded"}"#, "/childCount"),
    (#"{"op":"insert","key":"a","children":"failed"}"#, "/children"),
    (
      #"{"op":"insert","key":"a","children":[{"key":"b"},{"key":"c","section":"s"}]}"#,
      "/children/1/section"
    ),
    (
      #"{"op":"insert","key":"a","children":[{"key":"b","children":"loading"}]}"#,
      "/children/0/children"
    ),
    (
      #"{"op":"insert","key":"a","children":[{"key":"b","childCount":1}]}"#,
      "/children/0/childCount"
    ),
    (#"{"op":"setChildren","key":"a"}"#, ""),
    (#"{"op":"setChildren","key":"a","children":"leaf"}"#, "/children"),
    (#"{"op":"setChildren","key":"a","children":null,"childCount":0}"#, "/childCount"),
    (#"{"op":"setChildren","key":"a","children":[],"section":"s"}"#, "/section"),
    (#"{"op":"setChildren","key":null,"children":"loading"}"#, "/children"),
    (#"{"op":"setChildren","children":"unloaded"}"#, "/children"),
    (
      #"{"op":"setChildren","key":"a","children":[{"key":"b"},{"key":"c","section":"s"}]}"#,
      "/children/1/section"
    ),
    (
      #"{"op":"setChildren","section":"t","children":[{"key":"c","section":"s"}]}"#,
      "/children/0/section"
    ),
    (
      #"{"op":"setChildren","children":[{"key":"c","children":[{"key":"d","section":"s"}]}]}"#,
      "/children/0/children/0/section"
    ),
    (#"{"op":"sort"}"#, ""), (#"{"op":"sort","by":[]}"#, ""),
    (#"{"op":"sort","section":"s","by":[{"by":""}]}"#, "/section"),
    (#"{"op":"sort","key":"a","section":"s","by":[{"by":""}]}"#, "/section"),
    (#"{"op":"select"}"#, ""), (#"{"op":"select","key":"a","subtree":"a"}"#, ""),
    (#"{"op":"select","key":"a","keys":["b"]}"#, ""), (#"{"op":"select","keys":[]}"#, "/keys"),
    (#"{"op":"select","key":null}"#, "/key"), (#"{"op":"deselect","subtree":true}"#, "/subtree"),
    (#"{"op":"clearSelection","key":"a"}"#, "/key"), (#"{"op":"insertSection"}"#, ""),
    (#"{"op":"insertSection","section":""}"#, "/section"),
    (#"{"op":"insertSection","section":"s","first":true}"#, "/first"),
    (#"{"op":"moveSection","section":"s"}"#, ""), (#"{"op":"renameSection","section":"s"}"#, ""),
    (#"{"op":"renameSection","section":"s","to":""}"#, "/to"),
    (#"{"op":"expandSection","key":"s"}"#, "/key"),
    (#"{"op":"remove","key":null}"#, "/key"),
  ]

  @Test(arguments: refused) func `an invalid operation is refused with a pointer`(
    _ json: String,
    _ pointer: String
  ) throws {
    let error = try #require(
      refusal(ofBatch: "{\"operations\":[{\"op\":\"expandAll\"},\(json)]}")
    )
    #expect(error.code == .invalidRequest)
    #expect(error.pointer == "/operations/1" + pointer)
    #expect(error.operation == 1)
  }

  @Test func `a section's name has at most 512 bytes`() {
    let batch = { (name: String) in
      #"{"operations":[{"op":"insertSection","section":"\#(name)"}]}"#
    }
    #expect(refusal(ofBatch: batch(String(repeating: "s", count: 512))) == nil)
    #expect(refusal(ofBatch: batch(String(repeating: "s", count: 513)))?.code == .invalidRequest)
  }

  @Test func `sections and child counts belong to the right nodes in later operations`() throws {
    let batch = try Batch.decode(
      body: utf8(
        #"{"operations":[{"op":"setChildren","children":[{"key":"a","section":"s"}]},"#
          + #"{"op":"select","key":"a"},"#
          + #"{"op":"setChildren","key":"a","children":"unloaded","childCount":4},"#
          + #"{"op":"insert","key":"b","children":[{"key":"c","childCount":5,"#
          + #""children":"unloaded"}]}]}"#
      )
    )
    #expect(
      notation(batch) == [
        "setChildren - [0:a=null:leaf/s]", "select a", "setChildren a unloaded of 4",
        "insert 0:b=null:loaded 1:c=null:unloaded of 5 in - default",
      ]
    )
    #expect(batch.operations.map(\.changesData) == [true, false, true, true])
  }

  static let singles: [(SingleOperation, String, String)] = [
    (
      .setChildren, #"[{"key":"a","children":[{"key":"b"}]}]"#,
      "setChildren k [0:a=null:loaded 1:b=null:leaf]"
    ),
    (.setChildren, "null", "setChildren k none"),
    (.setChildren, "\"loading\"", "setChildren k loading"),
    (
      .put, #"{"section":"s","childCount":2,"children":"unloaded"}"#,
      "put 0:k=null:unloaded of 2 in absent/s default with children"
    ),
    (.move, #"{"section":"s"}"#, "move k in -/s default"),
    (.reveal, #"{"select":true}"#, "reveal k select"), (.select, "", "select k"),
    (.select, #"{"subtree":true}"#, "select all of k"), (.deselect, "{}", "deselect k"),
    (.deselect, #"{"subtree":false}"#, "deselect k"),
  ]

  @Test(arguments: singles) func `a request of a single operation is read`(
    _ single: SingleOperation,
    _ body: String,
    _ expected: String
  ) throws {
    let batch = try Batch.decode(single, key: utf8("k"), body: utf8(body))
    #expect(notation(batch) == [expected])
  }

  @Test func `requests without a key are read`() throws {
    #expect(notation(try Batch.decode(.clearSelection, key: nil)) == ["clearSelection"])
    let body = utf8(#"[{"key":"a","section":"s"},{"key":"b"}]"#)
    #expect(
      notation(try Batch.decode(.setRoots, key: nil, body: body))
        == ["setChildren - [0:a=null:leaf/s 0:b=null:leaf]"]
    )
    #expect(
      notation(try Batch.decode(.setRoots, key: nil, section: utf8("s"), body: body))
        == ["setChildren -/s [0:a=null:leaf/s 0:b=null:leaf]"]
    )
  }

  static let refusedSingles: [(SingleOperation, String, ServiceErrorCode, String?)] = [
    (.setChildren, "", .malformedJSON, nil), (.setChildren, "{}", .invalidRequest, ""),
    (.setChildren, "\"leaf\"", .invalidRequest, ""), (.setChildren, "[] []", .malformedJSON, nil),
    (.setChildren, #"[{"key":"a"},{"key":"b","section":"s"}]"#, .invalidRequest, "/1/section"),
    (.setRoots, "\"loading\"", .invalidRequest, ""),
    (.select, #"{"key":"a"}"#, .invalidRequest, "/key"),
    (.select, #"{"subtree":"a"}"#, .invalidRequest, "/subtree"),
    (.put, #"{"section":"s","parent":"p"}"#, .invalidRequest, "/section"),
    (.clearSelection, #"{"key":"a"}"#, .invalidRequest, "/key"),
  ]

  @Test(arguments: refusedSingles) func `an invalid body is refused`(
    _ single: SingleOperation,
    _ body: String,
    _ code: ServiceErrorCode,
    _ pointer: String?
  ) throws {
    let error = try #require(
      refusal { () throws(ServiceError) in
        try Batch.decode(single, key: single.hasKey ? utf8("k") : nil, body: utf8(body))
      }
    )
    #expect(error.code == code)
    #expect(error.pointer == pointer)
  }
}
