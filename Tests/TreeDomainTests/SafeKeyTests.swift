import Testing

@testable import TreeDomain

@Suite struct `Keys that clients and proxies rewrite` {
  /// JSON texts of keys that no new node may have.
  static let unsafe = [
    #"".""#, #""..""#, #""\u002e""#, #""\u002e.""#, #""\u0000""#, #""a\u0000b""#,
    #""..\u0000""#, #""a/..""#, #""./a""#, #""a/../b""#, #""a/./b""#, #""a\/..\/b""#, #""/./""#,
    #""x/../../../../trees/catalog""#, #""a\\..\\b""#, #""a/\u002e./b""#, #""../children""#,
  ]
  static let safe = [
    #""...""#, #"".a""#, #""..a""#, #""/""#, #""\u0001""#, #""%2e""#,
    #""a/...""#, #""a/.b""#, #""a./b""#, #""a..""#, #""a//b""#, #""..a/b..""#,
  ]

  /// Batches that create a node with the key K, and the pointers to it.
  static let inserting = [
    (#"{"op":"insert","key":K,"parent":null,"object":1}"#, "/key"),
    (#"{"key":K,"op":"insert"}"#, "/key"),
    (#"{"op":"insert","key":"a","children":[{"key":"b"},{"key":K}]}"#, "/children/1/key"),
    (
      #"{"op":"insert","key":"a","children":[{"key":"b","children":[{"object":1,"key":K}]}]}"#,
      "/children/0/children/0/key"
    ), (#"{"op":"setChildren","key":"a","children":[{"key":K}]}"#, "/children/0/key"),
    (#"{"op":"setChildren","key":null,"children":[{"key":K,"section":"s"}]}"#, "/children/0/key"),
  ]

  @Test(arguments: unsafe, inserting)
  func `are refused for new nodes in batches`(key: String, form: (json: String, pointer: String)) {
    let json = #"{"operations":[\#(form.json.replacing("K", with: key))]}"#
    for isQuick in [true, false] {
      var limits = DecodingLimits()
      limits.readsQuickly = isQuick
      let error = refusal(ofBatch: json, limits: limits)
      #expect(error?.code == .invalidRequest, "\(json)")
      #expect(error?.pointer == "/operations/0" + form.pointer, "\(json)")
      #expect(error?.detail == KeyRules.safetyAdvice)
    }
    #expect(refusal(ofBatch: json, limits: .none) == nil, "what is stored stays readable")
  }

  @Test(arguments: safe, inserting)
  func `do not include other unusual keys`(key: String, form: (json: String, pointer: String)) {
    let json = #"{"operations":[\#(form.json.replacing("K", with: key))]}"#
    #expect(refusal(ofBatch: json) == nil, "\(json)")
  }

  @Test(arguments: unsafe)
  func `are refused for new nodes in all other requests`(key: String) {
    let bodies: [(String, (DecodingLimits) -> ServiceError?)] = [
      (
        "a new session",
        { limits in
          refusal { () throws(ServiceError) in
            try NewSession.decode(body: utf8(#"{"nodes":[{"key":\#(key)}]}"#), limits: limits)
          }
        }
      ),
      (
        "a new tree",
        { limits in
          refusal { () throws(ServiceError) in
            try NewTree.decode(body: utf8(#"{"nodes":[{"key":\#(key)}]}"#), limits: limits)
          }
        }
      ),
      (
        "an import",
        { limits in
          refusal { () throws(ServiceError) in
            var decoder = ImportDecoder(limits: limits)
            try decoder.feed(utf8("{\"key\":\(key),\"object\":1}\n"))
          }
        }
      ),
      (
        "the children of a node",
        { limits in
          refusal { () throws(ServiceError) in
            try Batch.decode(
              .setChildren,
              key: utf8("a"),
              body: utf8(#"[{"key":\#(key)}]"#),
              limits: limits
            )
          }
        }
      ),
      (
        "the forest",
        { limits in
          refusal { () throws(ServiceError) in
            try Batch.decode(
              .setRoots,
              key: nil,
              body: utf8(#"[{"key":\#(key)}]"#),
              limits: limits
            )
          }
        }
      ),
    ]
    for (name, decode) in bodies {
      #expect(decode(DecodingLimits())?.code == .invalidRequest, "\(name) with \(key)")
      #expect(decode(.none) == nil, "\(name) with \(key) stays readable")
    }
  }

  @Test(arguments: [".", "..", "\u{0}", "a\u{0}", "a/../b", "../a", "a/."])
  func `are refused for a put node and accepted by other single operations`(key: String) {
    for single in SingleOperation.allCases where single.hasKey {
      let bodies: [SingleOperation: String] = [.patch: "{}", .setChildren: "[]", .remove: ""]
      let error = refusal { () throws(ServiceError) in
        try Batch.decode(single, key: utf8(key), body: utf8(bodies[single] ?? "{}"))
      }
      #expect(error?.detail == (single == .put ? KeyRules.safetyAdvice : nil), "\(single)")
    }
  }

  @Test(arguments: unsafe)
  func `are accepted as names of existing nodes`(key: String) {
    for operation in [
      #"{"op":"remove","key":K}"#, #"{"op":"update","key":K,"object":1}"#,
      #"{"op":"move","key":K,"parent":K}"#, #"{"op":"move","keys":["a",K]}"#,
      #"{"op":"setChildren","key":K,"children":null}"#, #"{"op":"expand","key":K}"#,
      #"{"op":"insert","key":"a","parent":K,"before":K}"#, #"{"op":"select","subtree":K}"#,
    ] {
      let json = #"{"operations":[\#(operation.replacing("K", with: key))]}"#
      #expect(refusal(ofBatch: json) == nil, "\(json)")
    }
  }

  @Test(arguments: [
    #"{"op":"insertSection","section":"a\u0000"}"#,
    #"{"op":"renameSection","section":"a","to":"\u0000"}"#,
  ])
  func `are refused for new sections if they contain U+0000`(operation: String) {
    let json = #"{"operations":[\#(operation)]}"#
    #expect(refusal(ofBatch: json)?.code == .invalidRequest)
    #expect(refusal(ofBatch: json, limits: .none) == nil)
  }
}
