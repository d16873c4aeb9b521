import TestSupport
import Testing
import TreeDomain
import TreeSessions

struct BatchTests {
  @Test(arguments: Seed.seeds(count: 20))
  func `a batch equals its operations one by one`(seed: UInt64) throws {
    var operations = RandomOperations(seed: seed)
    let options = operations.options()
    let model = try ModelSession(options)
    let json = String(decoding: options.json, as: UTF8.self)
    let whole = try StoreUnderTest(json)
    let single = try StoreUnderTest(json)
    for step in 0..<Seed.operations(default: 25) {
      let batch = operations.batch(for: model)
      guard (try? model.apply(batch)) != nil else {
        let before = try whole.rows()
        let refused = refusal { () throws(ServiceError) in
          try whole.apply(ModelOperation.batch(batch))
        }
        #expect(refused != nil, "SEED=\(seed) step \(step)")
        #expect(try whole.rows() == before, "SEED=\(seed) step \(step)")
        continue
      }
      try whole.apply(ModelOperation.batch(batch))
      for operation in batch { try single.apply(ModelOperation.batch([operation])) }
      #expect(try whole.rows() == single.rows(), "SEED=\(seed) step \(step)")
    }
  }

  @Test func `a failing batch is rolled back whichever operation fails`() throws {
    let session = try StoreUnderTest(
      #"{"nodes":[{"key":"a","children":[{"key":"b"},{"key":"c"}]},{"key":"d"}]}"#
    )
    let steps = [
      #"{"op":"insert","key":"n","parent":"b","children":[{"key":"m"}]}"#,
      #"{"op":"move","keys":["d","c"],"parent":"n"}"#,
      #"{"op":"update","key":"d","object":[1.0]}"#,
      #"{"op":"collapse","key":"a","levels":"all"}"#,
      #"{"op":"remove","key":"b"}"#,
      #"{"op":"collapseAll"}"#,
      #"{"op":"insert","key":"b"}"#,
    ]
    let rows = try session.rows()
    for count in 0...steps.count {
      let batch = (steps.prefix(count) + [#"{"op":"remove","key":"nobody"}"#]).joined(
        separator: ","
      )
      let refused = refusal { () throws(ServiceError) in try session.apply(batch) }
      #expect(refused?.operation == count)
      #expect(try session.rows() == rows)
      let now = try session.store.session(session.id, expectedRevision: nil)
      #expect(now.revision == Revision(0) && now.treeRevision == Revision(0) && now.nodeCount == 4)
    }
  }

  @Test func `changes inside a collapsed node are visible when it is expanded`() throws {
    let session = try StoreUnderTest(
      #"{"nodes":[{"key":"a","children":[{"key":"b","children":[{"key":"c"}]}]}]}"#
    )
    try session.apply(#"{"op":"collapse","key":"a"}"#)
    let hidden = try session.apply(
      #"{"op":"insert","key":"d","parent":"b","first":true}"#,
      #"{"op":"collapse","key":"b"}"#
    )
    #expect(hidden.changes.isEmpty)
    #expect(hidden.revision == Revision(2) && hidden.treeRevision == Revision(1))
    try session.apply(#"{"op":"expand","key":"a"}"#)
    #expect(try session.keys() == ["a", "b"])
    try session.apply(#"{"op":"expand","key":"b"}"#)
    #expect(try session.keys() == ["a", "b", "d", "c"])
  }

  @Test func `the bytes of an object are returned unchanged`() throws {
    let objects = ["1.0", "1e400", "12345678901234567890", "{\"b\":1 ,\"a\":[ ]}", "\"\\u00e9\""]
    for object in objects {
      let session = try StoreUnderTest()
      try session.apply(#"{"op":"insert","key":"k","object": \#(object) }"#)
      #expect(try session.rows().contains("\"object\":\(object)}"))
      let again = try session.apply(#"{"op":"update","key":"k","object":\#(object)}"#)
      #expect(again.revision == Revision(1), "the same bytes in are no update")
    }
  }
}
