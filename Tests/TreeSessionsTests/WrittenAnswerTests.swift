import TestSupport
import Testing
import TreeDomain
import TreeSessions

/// Compares answers written directly from the tree with answers written from lists.
@Suite struct WrittenAnswerTests {
  @Test(arguments: [RandomProfile.plain, .sections, .lazy, .sorted])
  func `both forms of an answer have the same text`(profile: RandomProfile) throws {
    var writtenCount = 0
    for seed in Seed.seeds(count: 8) { writtenCount += try check(seed, profile) }
    // Few seeds from the environment may have no answer to compare; these have some.
    for seed in UInt64(1)...8 where writtenCount == 0 { writtenCount += try check(seed, profile) }
    #expect(writtenCount > 0)
  }

  /// Sends random batches to two equal sessions; returns the number of answers that are only text.
  private func check(_ seed: UInt64, _ profile: RandomProfile) throws -> Int {
    var operations = RandomOperations(seed: seed &+ 900, profile: profile)
    let options = operations.options()
    let model = try ModelSession(options)
    let text = String(decoding: options.json, as: UTF8.self)
    let (listed, written) = (try StoreUnderTest(text), try StoreUnderTest(text))
    var writtenCount = 0
    for step in 0..<Seed.operations(default: 40) {
      let batch = operations.batch(for: model)
      _ = try? model.apply(batch)
      let body = ModelOperation.batch(batch)
      var options = BatchOptions()
      let expected = Result { () throws(ServiceError) in try listed.apply(body, options) }
      options.isWritten = true
      let answer = Result { () throws(ServiceError) in try written.apply(body, options) }
      switch (answer, expected) {
      case (.success(let answer), .success(let expected)):
        #expect(answer.says(expected), "seed \(seed), \(profile), step \(step)")
        if answer.text != nil {
          writtenCount += 1
          #expect(answer.changes.isEmpty && answer.arena.isEmpty)
        }
      case (.failure(let refusal), .failure(let expected)):
        #expect(refusal.code == expected.code, "seed \(seed), \(profile), step \(step)")
      default: Issue.record("seed \(seed), \(profile), step \(step): one of two was refused")
      }
    }
    return writtenCount
  }

  @Test(arguments: [
    #"{"op":"insert","key":"q\"\\\n","parent":"a","object":1}"#,
    #"{"op":"remove","key":"a"}"#,
    #"{"op":"move","key":"b","parent":null,"first":true}"#,
    #"{"op":"update","key":"c","object":{}}"#,
    #"{"op":"expand","key":"c"}"#,
    #"{"op":"collapse","key":"a"}"#,
    #"{"op":"select","key":"b"}"#,
    #"{"op":"update","key":"a","object":null}"#,
  ])
  func `each kind of entry is written directly`(operation: String) throws {
    let options =
      #"{"expansion":1,"nodes":[{"key":"a","children":[{"key":"b"}]},"#
      + #"{"key":"c","children":"unloaded"}]}"#
    var wanted = BatchOptions()
    let expected = try StoreUnderTest(options).apply(operation, options: wanted)
    wanted.isWritten = true
    let answer = try StoreUnderTest(options).apply(operation, options: wanted)
    #expect(answer.text != nil && answer.changes.isEmpty)
    #expect(answer.says(expected))
  }

  /// Operations that insert and remove sections.
  /// In a few steps a tree can lose all sections, and then has another nameless one than before.
  private static let steps = [
    #"{"op":"insertSection","section":"S"}"#, #"{"op":"insertSection","section":"T","index":0}"#,
    #"{"op":"removeSection","section":""}"#, #"{"op":"removeSection","section":"S"}"#,
    #"{"op":"renameSection","section":"","to":"S"}"#, #"{"op":"move","key":"b","index":0}"#,
    #"{"op":"renameSection","section":"S","to":"T"}"#, #"{"op":"removeSection","section":"T"}"#,
    #"{"op":"insert","key":"c"}"#,
  ]

  @Test(arguments: steps.indices)
  func `all three steps to and from sections give equal answers`(
    first: Int
  ) throws {
    for second in Self.steps.indices {
      for third in Self.steps.indices {
        let batch = [first, second, third].map { Self.steps[$0] }.joined(separator: ",")
        try check(batch)
      }
    }
  }

  /// Sends a batch to two equal sessions, one of which has its answer written directly.
  private func check(_ batch: String) throws {
    let options = #"{"nodes":[{"key":"a"},{"key":"b"}]}"#
    let (listed, written) = (try StoreUnderTest(options), try StoreUnderTest(options))
    var wanted = BatchOptions()
    let expected = Result { () throws(ServiceError) in try listed.apply(batch, options: wanted) }
    wanted.isWritten = true
    let answer = Result { () throws(ServiceError) in try written.apply(batch, options: wanted) }
    guard case .success(let answer) = answer, case .success(let expected) = expected else {
      #expect(answer.refusal?.code == expected.refusal?.code, "\(batch)")
      return
    }
    #expect(answer.says(expected), "\(batch)")
    // Sections have keys among the nodes, which an answer must not show.
    let text = StoreUnderTest.json(answer)
    #expect(text.utf8.allSatisfy { $0 < 0x80 } && !text.contains(#"\u0000"#), "\(batch)")
  }

  @Test func `an answer that may become too long is written from lists`() throws {
    var limits = SessionLimits()
    limits.maxAnswerBytes = 10_000
    let nodes = (0..<400).map { #"{"key":"k\#($0)","children":[{"key":"c\#($0)"}]}"# }
    let options = #"{"expansion":"none","nodes":[\#(nodes.joined(separator: ","))]}"#
    var wanted = BatchOptions()
    let expandAll = #"{"op":"expandAll"}"#
    let expected = try StoreUnderTest(options, limits: limits).apply(expandAll, options: wanted)
    wanted.isWritten = true
    let answer = try StoreUnderTest(options, limits: limits).apply(expandAll, options: wanted)
    #expect(answer.text == nil && answer.format == .ranges)
    #expect(answer.says(expected))
  }
}

extension Result where Failure == ServiceError {
  fileprivate var refusal: ServiceError? {
    if case .failure(let refusal) = self { refusal } else { nil }
  }
}

extension BatchAnswer {
  /// Returns true if another answer is equal except for the id of its session.
  fileprivate func says(_ other: BatchAnswer) -> Bool {
    StoreUnderTest.json(self).replacing(Self.name(session), with: "s")
      == StoreUnderTest.json(other).replacing(Self.name(other.session), with: "s")
  }

  private static func name(_ session: SessionID) -> String {
    String(decoding: session.bytes, as: UTF8.self)
  }
}
