import JSON
import TestSupport
import Testing
import TreeDomain

@Suite struct DamagedBodyTests {
  static let body = utf8(
    ##"{"operations":[{"op":"insert","key":"a","children":[{"key":"b","children":[{"key":"c"}]},"##
      + ##"{"key":"d","object":{"x":[1.0,null]}}],"sort":[{"by":"#key"}]},"##
      + ##"{"op":"move","keys":["a","\u0062"],"parent":null,"index":0},"##
      + ##"{"op":"expand","key":"a","levels":"all"},{"op":"update","key":"a","merge":{}}]}"##
  )

  @Test func `every prefix of a batch is malformed`() {
    for count in 0..<Self.body.count {
      let error = refusal { () throws(ServiceError) in
        try Batch.decode(body: Array(Self.body.prefix(count)))
      }
      #expect(error?.code == .malformedJSON, "prefix of \(count) bytes")
    }
  }

  @Test func `a damaged batch is malformed exactly when it is not JSON`() {
    damage(Self.body) { (bytes: [UInt8]) throws(ServiceError) in
      _ = try Batch.decode(body: bytes)
    }
  }

  @Test func `a damaged session is malformed exactly when it is not JSON`() {
    let body = utf8(
      ##"{"expansion":2,"expandedKeys":["a","\u0062"],"nestedExpansion":"forget","##
        + ##""sort":[{"by":"\u002fx","direction":"descending","compare":"natural"}],"##
        + ##""nodes":[{"key":"a","object":{"x":1},"children":[{"key":"\u0062"}]}]}"##
    )
    damage(body) { (bytes: [UInt8]) throws(ServiceError) in
      _ = try NewSession.decode(body: bytes)
    }
  }

  static let contract = utf8(
    ##"{"operations":[{"op":"setChildren","key":null,"section":"s","children":[{"key":"a","##
      + ##""section":"\u0073","childCount":3,"children":"unloaded"}]},{"op":"sort","by":[{"by":"##
      + ##""#key"}]},{"op":"select","subtree":"a"},{"op":"renameSection","section":"s","to":"t"},"##
      + ##"{"op":"moveSection","section":"","index":0},{"op":"reveal","key":"a","select":true},"##
      + ##"{"op":"setChildren","key":"a","children":"loading","childCount":4}]}"##
  )

  @Test func `a damaged batch of the other operations is malformed exactly when it is not JSON`() {
    damage(Self.contract) { (bytes: [UInt8]) throws(ServiceError) in
      _ = try Batch.decode(body: bytes)
    }
  }

  @Test func `a damaged single operation is malformed exactly when it is not JSON`() {
    let body = utf8(#"[{"key":"a","section":"s"},{"key":"b","children":[{"key":"\u0063"}]}]"#)
    damage(body) { (bytes: [UInt8]) throws(ServiceError) in
      _ = try Batch.decode(.setRoots, key: nil, section: utf8("s"), body: bytes)
    }
    damage(utf8(#" {"subtree" : true} "#)) { (bytes: [UInt8]) throws(ServiceError) in
      _ = try Batch.decode(.select, key: utf8("a"), body: bytes)
    }
  }

  static let state = utf8(
    ##"{"state":{"expansion":2,"toggledKeys":["a"],"filterToggledKeys":["\u0062"],"##
      + ##""collapsedSections":[""]},"filter":{"any":[{"by":"/t","equals":{"x":[1e9,"é"]}},"##
      + ##"{"not":{"by":"#key","matches":"[a-z]*","caseSensitive":true}}]},"order":"##
      + ##""breadthFirst","sections":["s"],"idleTimeoutSeconds":60}"##
  )

  @Test func `a damaged state is malformed exactly when it is not JSON`() {
    let subject = SortOrder.Subject(
      key: utf8("key")[...],
      object: utf8(#"{"t":{"x":[1000000000,"\u00e9"]}}"#)[...]
    )
    damage(Self.state) { (bytes: [UInt8]) throws(ServiceError) in
      let session = try NewSession.decode(body: bytes)
      // Every filter that was read can be evaluated.
      _ = session.options.filter?.matches(subject)
    }
  }

  @Test func `a damaged tree is malformed exactly when it is not JSON`() {
    let body = utf8(#"{"tree":"a-b","sections":["s","t"],"nodes":[{"key":"a","section":"t"}]}"#)
    damage(body) { (bytes: [UInt8]) throws(ServiceError) in
      _ = try NewTree.decode(body: bytes)
    }
  }

  private func damage(_ body: [UInt8], _ decode: ([UInt8]) throws(ServiceError) -> Void) {
    let seed = Seed.fromEnvironment()
    var random = SeededGenerator(seed: seed)
    let alphabet = utf8("{}[]\",:\\0a-.") + [0x00, 0xC3, 0xFF]
    for _ in 0..<Seed.iterations(default: 2_000) {
      var bytes = body
      for _ in 0..<random.number(in: 1...3) {
        bytes[random.number(in: 0...(bytes.count - 1))] = random.choice(alphabet)
      }
      let error = refusal { () throws(ServiceError) in try decode(bytes) }
      let isJSON = (try? JSONReader.validate(bytes, maxDepth: 512)) != nil
      #expect((error?.code == .malformedJSON) == !isJSON, "seed \(seed): \(text(bytes))")
      #expect(error == nil || error?.byteOffset != nil || error?.pointer != nil, "seed \(seed)")
    }
  }
}
