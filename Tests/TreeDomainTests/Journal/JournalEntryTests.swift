import TestSupport
import Testing
import TreeDomain
import TreeEngine

/// Tests that a journal entry is read back as written.
struct JournalEntryTests {
  private static let session: SessionID = {
    var random = SeededGenerator(seed: 3)
    return SessionID(using: &random)
  }()

  /// Returns random options of an answer that is stored for a retry, or the defaults.
  private static func options(_ random: inout SeededGenerator) -> BatchOptions {
    guard random.oneIn(2) else { return BatchOptions() }
    var options = BatchOptions(
      format: random.choice(ChangeFormat.allCases),
      includedRows: random.number(in: 0...1_000),
      fields: RowFields(rawValue: UInt16(random.number(in: 0...255)))
    )
    options.isSectioned = random.oneIn(2)
    let token = Array("é \"\\\u{1} \(random.next())".utf8)
    options.idempotency = IdempotencyKey(token: token, fingerprint: random.next())
    return options
  }

  private func check(_ entry: JournalEntry, _ comment: String) throws {
    let bytes = entry.encoded()
    let read = try JournalEntry.decode(bytes)
    #expect(read == entry, "\(comment): \(String(decoding: bytes, as: UTF8.self))")
    #expect(read.encoded() == bytes, "\(comment)")
  }

  @Test(arguments: RandomProfile.all)
  func `random requests are read back as written`(profile: RandomProfile) throws {
    for seed in Seed.seeds(count: 6) {
      var operations = RandomOperations(seed: seed, profile: profile)
      var random = SeededGenerator(seed: seed)
      let comment = "seed \(seed), \(profile)"
      let options = operations.options()
      let model = try ModelSession(options)
      let new = try NewSession.decode(body: options.json)
      try check(JournalEntry(.openSession(new), of: Self.session, at: 5), comment)
      let tree = try NewTree.decode(body: operations.treeOptions().treeJSON(tree: "t"))
      try check(JournalEntry(.makeTree(tree), at: 0), comment)
      for step in 0..<Seed.operations(default: 30) {
        let batch = operations.batch(for: model)
        _ = try? model.apply(batch)
        guard let read = try? Batch.decode(body: ModelOperation.batch(batch)) else { continue }
        let id = random.oneIn(2) ? Self.session : nil
        let options = Self.options(&random)
        try check(JournalEntry(.batch(read), of: id, at: step, options), comment)
        let patch = operations.patch(for: model, isPrivate: true)
        let event = JournalEntry.Event.patch(try SessionPatch.decode(body: patch.json))
        try check(JournalEntry(event, of: Self.session, at: step, options), comment)
      }
    }
  }

  @Test func `single operations are read back as written`() throws {
    let keys = [
      "k", "", "a/b", "\u{0}\u{1F}\u{7F}", "\"\\\n\r", "e\u{301}", "\u{2028}", "{\"op\":1}",
    ]
    let bodies: [SingleOperation: [String]] = [
      .put: ["{}", " {\"object\":{\"a\":[1e400]},\n\"children\":[{\"key\":\"\\u0062\"}]} \n"],
      .patch: ["{\"x\":null}", "\n[1,\n2]\n", "\"\""], .remove: [""],
      .setChildren: ["[]", "null", "\"unloaded\"", "[{\"key\":\"n\"}]\n\n"],
      .setRoots: ["[{\"key\":\"n\"}]", "null"], .move: ["{\"parent\":null}", "{\"parent\":\"p\"}"],
    ]
    for single in SingleOperation.allCases {
      for key in keys where !key.isEmpty || !single.hasKey {
        for body in bodies[single] ?? ["", "{}"] {
          let batch: Batch
          do throws(ServiceError) {
            batch = try Batch.decode(
              single,
              key: single.hasKey ? Array(key.utf8) : nil,
              section: single == .setRoots && !key.isEmpty ? Array(key.utf8) : nil,
              body: Array(body.utf8),
              limits: .none
            )
          } catch {
            Issue.record("\(single) \(key.debugDescription) \(body): \(error.detail)")
            continue
          }
          try check(JournalEntry(.batch(batch), of: Self.session, at: 1), "\(single) \(key)")
        }
      }
    }
  }

  @Test func `an import is read back with the same nodes`() throws {
    let text =
      #"{"key":"a","object":{"x": 1.0},"section":"s\n"}"# + "\n\r\n \t\n"
      + #" { "parent" : "a" , "key" : "\u0062\n" , "children" : [ ] } "# + "\r\n"
      + #"{"key":"c","parent":null,"children":"unloaded","childCount":7}"# + "\n"
      + #"{"key":"é\"\\","object":null,"children":null}"# + "\n"
      + #"{"key":"d","parent":"c","object":"\ud83d\ude00"}"#
    var decoder = ImportDecoder(limits: DecodingLimits())
    try decoder.feed(Array(text.utf8))
    let nodes = try decoder.finish()
    let entry = JournalEntry(.importNodes(nodes), at: 9, Self.keyed)
    let read = try JournalEntry.decode(entry.encoded())
    guard case .importNodes(let again) = read.event else {
      Issue.record("\(read) is no import")
      return
    }
    // Only the empty lines are gone.
    #expect(notation(again) == notation(nodes))
    #expect(notation(again).count == 5)
    #expect(read.options == entry.options && read.time == 9 && read.session == nil)
  }

  private static var keyed: BatchOptions {
    var options = BatchOptions()
    options.idempotency = IdempotencyKey(token: [33], fingerprint: .max)
    return options
  }

  private func notation(_ nodes: Import) -> [String] {
    nodes.parts.flatMap { part in
      part.nodes.map { node in
        let above =
          switch node.above {
          case .nothing: "-"
          case .parent(let key): "in \(Array(part[key]))"
          case .section(let name): "of \(Array(part[name]))"
          }
        let hint = node.hint.map { "\($0)" } ?? ""
        // No object is the same as `null`.
        let object = part[node.object].isEmpty ? Array("null".utf8)[...] : part[node.object]
        return "\(Array(part[node.key])) \(Array(object)) \(above) "
          + "\(node.childState) \(hint)"
      }
    }
  }

  @Test func `the end of a session is read back as written`() throws {
    try check(JournalEntry(.closeSession, of: Self.session, at: 1 << 40), "an end")
    try check(JournalEntry(.closeSession, at: 0), "the end of a tree")
  }

  @Test(arguments: Seed.seeds(count: 4))
  func `truncated entries are refused, and damaged ones never trap`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let batch = try Batch.decode(body: Array(#"{"operations":[{"op":"remove","key":"k"}]}"#.utf8))
    let entry = JournalEntry(.batch(batch), of: Self.session, at: 7, Self.keyed).encoded()
    for count in entry.indices {
      #expect(throws: StorageError.self) { try JournalEntry.decode(Array(entry.prefix(count))) }
    }
    for _ in 0..<500 {
      var changed = entry
      changed[random.number(in: 0...(entry.count - 1))] = UInt8(random.number(in: 0...255))
      // A damaged entry is refused or read as another entry.
      _ = try? JournalEntry.decode(changed)
    }
  }
}
