import Testing
import TreeDomain

@Suite struct NameAdviceTests {
  /// Operations of a batch with a wrong name, and their errors.
  static let operations: [(String, String)] = [
    (
      #"{"op":"update","id":"a","object":1}"#,
      #"update has no member "id". Did you mean key? Allowed: op, key, object, merge."#
    ),
    (
      #"{"id":"a","op":"update","object":1}"#,
      #"update has no member "id". Did you mean key? Allowed: op, key, object, merge."#
    ),
    (
      #"{"op":"update","key":"a","value":1}"#,
      #"update has no member "value". Did you mean object? Allowed: op, key, object, merge."#
    ),
    (
      #"{"op":"renameSection","section":"a","new_name":"b"}"#,
      #"renameSection has no member "new_name". Did you mean to? Allowed: op, section, to."#
    ),
    (
      #"{"op":"expand","key":"a","index":1}"#,
      #"expand has no member "index". Allowed: op, key, levels."#
    ),
    (
      #"{"op":"expandAll","key":"a"}"#,
      #"expandAll has no member "key". Allowed: op."#
    ),
    (
      #"{"op":"renameSection","section":"a","name":"b"}"#,
      #"renameSection has no member "name". Did you mean to? Allowed: op, section, to."#
    ),
    (
      #"{"op":"insertSection","name":"b"}"#,
      #"insertSection has no member "name". Did you mean section? Allowed: "#
    ),
    (
      #"{"op":"insert","name":"b"}"#,
      #"insert has no member "name". Did you mean key? Allowed: "#
    ),
    (
      #"{"op":"move","key":"a","to":null}"#,
      #"move has no member "to". Did you mean parent? Allowed: "#
    ),
    (
      #"{"key":"a","keys":"x","op":"expand"}"#,
      #"expand has no member "keys". Allowed: op, key, levels."#
    ),
    (
      #"{"op":"select","key":"a","parent":1}"#,
      #"select has no member "parent". Allowed: op, key, keys, subtree."#
    ),
    (
      #"{"op":"remove","key":"a","index":"1"}"#,
      #"remove has no member "index". Allowed: op, key, keys."#
    ),
    (
      #"{"op":"setChildren","key":"a","nodes":[]}"#,
      #"setChildren has no member "nodes". Did you mean children? Allowed: "#
    ),
    (
      #"{"op":"sort","direction":"descending"}"#,
      #"sort has no member "direction". Did you mean by? Allowed: "#
    ),
    (
      #"{"op":"sort","sort":[]}"#,
      #"sort has no member "sort". Did you mean by? Allowed: "#
    ),
    (
      #"{"op":"insert","key":"a","children":[{"id":"b"}]}"#,
      #"There is no member "id" here. Did you mean key? Allowed: "#
    ),
    (
      #"{"op":"insert","key":"a","sort":[{"by":"","order":"asc"}]}"#,
      #"There is no member "order" here. Did you mean direction? Allowed: by, direction, compare."#
    ),
  ]

  @Test(arguments: operations)
  func `the error for an unknown member names the nearest one and all allowed ones`(
    _ json: String,
    _ advice: String
  ) throws {
    let error = try #require(refusal(ofBatch: "{\"operations\":[\(json)]}"))
    #expect(error.code == .invalidRequest)
    #expect(error.detail.hasPrefix(advice), "\(error.detail)")
  }

  @Test(arguments: [
    ("add", "insert"), ("delete", "remove"), ("isnert", "insert"), ("expand_all", "expandAll"),
    ("put", "insert"), ("colapse", "collapse"),
  ])
  func `the error for an unknown operation names the nearest one and all others`(
    _ written: String,
    _ meant: String
  ) throws {
    let error = try #require(refusal(ofBatch: #"{"operations":[{"x":1,"op":"\#(written)"}]}"#))
    #expect(error.code == .unknownOperation)
    let start =
      "There is no operation \"\(written)\" here. Did you mean \(meant)? Allowed: insert, "
    #expect(error.detail.hasPrefix(start), "\(error.detail)")
    for name in ["setChildren", "clearSelection", "collapseSection"] {
      #expect(error.detail.contains(" \(name)"))
    }
    #expect(!error.detail.hasSuffix(" put."))
  }

  @Test(arguments: [#"{"op":"expandAll"}"#, #"{"key":"a","op":"insert"}"#, #"{"op":"fly"}"#])
  func `the error for an operation without a batch advises operations`(body: String) throws {
    let error = try #require(refusal(ofBatch: body))
    #expect(error.code == .invalidRequest)
    #expect(error.detail.hasPrefix("This is a single operation; put it into `operations`"))
  }

  @Test func `the error for a list without a batch advises operations`() throws {
    let error = try #require(refusal(ofBatch: #"[{"op":"expandAll"}]"#))
    #expect(error.detail.contains("send the list as its member `operations`"))
  }

  @Test func `the error for an unknown member of a batch names its member`() throws {
    let error = try #require(refusal(ofBatch: #"{"ops":[]}"#))
    let advice = #"There is no member "ops" here. Did you mean operations? Allowed: operations."#
    #expect(error.detail == advice)
  }

  @Test func `the error names the member, although its value has the wrong type`() throws {
    let error = try #require(
      refusal(ofBatch: #"{"operations":[{"op":"expandAll"},{"op":"expand","key":"a","keys":[1]}]}"#)
    )
    #expect(error.pointer == "/operations/1/keys" && error.operation == 1)
    let single = try #require(
      refusal { () throws(ServiceError) in
        try Batch.decode(.move, key: utf8("a"), body: utf8(#"{"to":null}"#))
      }
    )
    #expect(single.detail.hasPrefix(#"There is no member "to" here. Did you mean parent?"#))
    #expect(single.pointer == "/to")
  }

  @Test func `the error for a single operation does not offer the key of the path`() throws {
    let error = try #require(
      refusal { () throws(ServiceError) in
        try Batch.decode(.expand, key: utf8("a"), body: utf8(#"{"depth":1}"#))
      }
    )
    #expect(error.detail.hasPrefix(#"There is no member "depth" here."#), "\(error.detail)")
    #expect(error.detail.hasSuffix("Allowed: levels."), "\(error.detail)")
  }

  @Test(arguments: [
    ("{\"nodes\":[],\"idleTimeout\":1}", "idleTimeoutSeconds"), ("{\"treeId\":\"a\"}", "tree"),
    ("{\"id\":\"a\"}", "tree"), ("{\"children\":[]}", "nodes"),
    ("{\"filter\":{\"by\":\"\",\"prefix\":\"a\"}}", "startsWith"),
    ("{\"nodes\":[{\"id\":\"a\"}]}", "key"),
  ])
  func `the error for an unknown member of a session names the nearest one`(
    body: String,
    meant: String
  ) throws {
    let error = try #require(
      refusal { () throws(ServiceError) in try NewSession.decode(body: utf8(body)) }
    )
    #expect(error.detail.contains(" Did you mean \(meant)? Allowed: "), "\(error.detail)")
  }

  @Test func `a long name is shortened in the error`() throws {
    let name = String(repeating: "e\u{301}", count: 50_000)
    let batches = [
      #"{"operations":[{"op":"\#(name)"}]}"#, #"{"\#(name)":1}"#,
      #"{"operations":[{"op":"insert","\#(name)":1}]}"#,
    ]
    for batch in batches {
      let error = try #require(refusal(ofBatch: batch))
      #expect(error.detail.utf8.count < 600)
    }
  }
}
