import TestSupport
import Testing
import TreeDomain
import TreeEngine

@testable import TreeSessions

/// Options of a view that were set beside small writes are the same as if they were set after them.
@Suite struct `Random options beside small writes` {
  /// A tree with a session that gets options, and one that only looks.
  private struct Case {
    let slot = HeldSlot()
    let store: SessionStore
    let shared: SharedStore
    let session: StoreUnderTest
    let viewer: StoreUnderTest

    init(_ tree: String, maxChanges: Int, as options: String, viewing view: String) throws {
      var limits = SessionLimits()
      limits.maxSmallNodes = 100
      limits.maxChanges = maxChanges
      store = SessionStore(limits: limits, schedule: Workers(slot).schedule)
      let made = try store.createTree(NewTree.decode(body: Array(tree.utf8)), nil)
      shared = SharedStore(store: store, tree: made.description.tree)
      session = try shared.session(options)
      viewer = try shared.session(view)
    }

    /// Makes a small change, and returns the code of its refusal.
    func refusal(of write: Write) throws -> ServiceErrorCode? {
      let batch = try Batch.decode(body: Array(#"{"operations":[\#(write.operation)]}"#.utf8))
      let author = write.isOwn ? session : viewer
      return TreeSessionsTests.refusal { () throws(ServiceError) in
        _ = try store.nonblocking.apply(batch, to: author.id, BatchOptions())
      }?.code
    }

    /// Returns the net changes since a revision, in one of two forms.
    func list(since revision: UInt64, isSectioned: Bool) throws -> TestSupport.ChangeList {
      var options = BatchOptions()
      options.isSectioned = isSectioned
      let query = ChangesQuery(since: Revision(revision), options: options)
      let text = StoreUnderTest.json(try store.changes(of: session.id, query))
      return try TestSupport.ChangeList(RawJSON(parsing: text))
    }
  }

  /// A small change, by the session that gets options or by the other one.
  private struct Write {
    let operation: String
    var isOwn = false
  }

  /// Makes trees, options and writes.
  private struct Choices {
    var random: SeededGenerator
    private var made = 0
    private var gone: Set<String> = []
    let sections: Int

    init(seed: UInt64) {
      random = SeededGenerator(seed: seed)
      sections = random.number(in: 0...3)
    }

    /// Returns the body of a tree with three levels.
    mutating func tree() -> String {
      let nodes = (0..<60).map { folder in
        let children = (0..<20).map { number in
          let below = number == 7 ? #","children":[{"key":"d\#(folder)"}]"# : ""
          return #"{"key":"c\#(folder)-\#(number)","object":{"v":\#(number % 10)}\#(below)}"#
        }
        let section = sections == 0 ? "" : #","section":"\#(folder % sections)""#
        let below = #","children":[\#(children.joined(separator: ","))]"#
        return #"{"key":"f\#(folder)","object":{"v":\#(folder % 10)}\#(section)\#(below)}"#
      }
      let names = (0..<sections).map { #""\#($0)""# }.joined(separator: ",")
      return #"{"sections":[\#(names)],"nodes":[\#(nodes.joined(separator: ","))]}"#
    }

    /// Returns options of a view.
    mutating func options(ofPatch isPatch: Bool) -> String {
      var members: [String] = []
      if random.oneIn(2) {
        members.append(#""expansion":\#(random.choice([#""none""#, #""all""#, "1", "2"]))"#)
      }
      if random.oneIn(3) { members.append(#""order":"\#(random.choice(Self.orders))""#) }
      if random.oneIn(3) {
        let sorts = [#"{"by":"/v","direction":"descending"}"#, ##"{"by":"/v"},{"by":"#key"}"##, ""]
        members.append(#""viewSort":[\#(random.choice(sorts))]"#)
      }
      if random.oneIn(3) {
        let filter = #"{"by":"/v","above":\#(random.number(in: 2...8))}"#
        members.append(#""filter":\#(isPatch && random.oneIn(3) ? "null" : filter)"#)
      }
      if random.oneIn(3) {
        members.append(#""selection":"\#(random.choice(["none", "single", "multiple"]))""#)
      }
      return members.joined(separator: ",")
    }

    private static let orders = ["breadthFirst", "depthFirst"]

    private mutating func folder() -> String { "f\(random.number(in: 0...59))" }

    /// Returns the key of a node that no operation has named.
    private mutating func node() -> String {
      while true {
        let isTop = random.oneIn(4)
        let key =
          isTop ? folder() : "c\(random.number(in: 0...59))-\(random.number(in: 0...19))"
        if gone.insert(key).inserted { return key }
      }
    }

    /// Returns a small change of the data.
    mutating func write() -> Write {
      made += 1
      let section = sections == 0 ? "" : #","section":"\#(random.number(in: 0...sections - 1))""#
      let operation =
        switch random.number(in: 0...5) {
        case 0: #"{"op":"update","key":"\#(node())","object":{"v":\#(made % 10)}}"#
        case 1: #"{"op":"insert","key":"w\#(made)","object":{"v":7}\#(section)}"#
        case 2: #"{"op":"insert","key":"w\#(made)","object":{"v":4},"parent":"\#(folder())"}"#
        case 3: #"{"op":"remove","key":"\#(node())"}"#
        case 4: #"{"op":"move","keys":["\#(node())"],"first":true\#(section)}"#
        default: #"{"op":"toggle","key":"\#(folder())"}"#
        }
      return Write(operation: operation, isOwn: random.oneIn(8))
    }
  }

  /// Applies the structural entries of a list to the keys of rows.
  private func applied(
    _ list: TestSupport.ChangeList,
    to keys: [String],
    showing after: [String]
  ) throws -> [String] {
    var leaving: Set<Int> = []
    var arriving: [(newIndex: Int, key: String)] = []
    for entry in list.entries where entry.kind != .update && !entry.kind.isAboutSection {
      for offset in 0..<entry.count {
        if let index = entry.index {
          try #require(leaving.insert(index + offset).inserted && index + offset < keys.count)
        }
        guard let newIndex = entry.newIndex else { continue }
        let key = entry.index.map { keys[$0 + offset] } ?? after[newIndex + offset]
        arriving.append((newIndex + offset, key))
      }
    }
    var rows = zip(0..., keys).filter { !leaving.contains($0.0) }.map { $0.1 }
    for (newIndex, key) in arriving.sorted(by: { $0.newIndex < $1.newIndex }) {
      try #require(newIndex <= rows.count)
      rows.insert(key, at: newIndex)
    }
    return rows
  }

  /// Sets options beside writes, and the same options after them in a twin.
  ///
  /// - Returns: True if the writes were made while the options were set, and nothing was made under
  ///   the lock.
  private func compare(_ choices: inout Choices, _ number: String) throws -> Bool {
    let tree = choices.tree()
    let (own, view) = (choices.options(ofPatch: false), choices.options(ofPatch: false))
    let patch = choices.options(ofPatch: true)
    let writes = (0..<choices.random.number(in: 1...4)).map { _ in choices.write() }
    let maxChanges = choices.random.choice([10, 200, 10_000])
    let context: Comment = "\(number): {\(own)}, then {\(patch)} beside \(writes.map(\.operation))"
    let (test, twin) = (
      try Case(tree, maxChanges: maxChanges, as: own, viewing: view),
      try Case(tree, maxChanges: maxChanges, as: own, viewing: view)
    )
    let body = try SessionPatch.decode(body: Array("{\(patch)}".utf8))
    let locked = try test.store.find(test.shared.tree)
    test.slot.hold { (try? locked.tryTree(Attempt(clock: { 0 })) { _ in true }) == true }
    let call = AskedCall(test.store) { [id = test.session.id] service throws(ServiceError) in
      try service.patchSession(id, body, BatchOptions())
    }
    // A small change is over at once, and one that was not held before its commit is over, too.
    guard test.slot.waitUntilHeld(orUntil: { call.isAnswered }) else { return false }
    guard try test.session.revision() == 0 else {
      test.slot.goOn()
      return false
    }
    var keys = [try test.session.keys()]
    for write in writes {
      let revision = try test.session.revision()
      // A removed node can be named again.
      let (code, expected) = (try test.refusal(of: write), try twin.refusal(of: write))
      #expect(code == expected, context)
      if try test.session.revision() > revision { keys.append(try test.session.keys()) }
    }
    test.slot.hold { locked.copies.published != nil }
    test.slot.goOn()
    let wasLocked = test.slot.waitUntilHeld(orUntil: { call.isAnswered })
    if wasLocked { test.slot.goOn() }
    let (answer, expected) = (
      try call.get().description,
      try twin.store.patchSession(twin.session.id, body, BatchOptions()).description
    )
    // Options that change nothing may be over, too, although the revision stays.
    guard answer.revision > Revision(0) || keys.count == 1 else { return false }
    #expect(answer.revision == expected.revision, context)
    #expect(answer.rowCount == expected.rowCount, context)
    #expect(answer.options == expected.options, context)
    #expect(answer.selectedCount == expected.selectedCount, context)
    let after = try test.session.keys()
    #expect(try test.session.rows() == twin.session.rows(), context)
    #expect(try test.viewer.rows() == twin.viewer.rows(), context)
    for (since, before) in keys.enumerated() {
      for isSectioned in [false, true] {
        let list = try test.list(since: UInt64(since), isSectioned: isSectioned)
        #expect(try applied(list, to: before, showing: after) == after, context)
      }
    }
    try locked.withTree(.blocking) { $0.content.tree.checkInvariants() }
    return !wasLocked && keys.count > 1
  }

  @Test(arguments: Seed.seeds(count: 8))
  func `are the same as if they had been set after them`(seed: UInt64) throws {
    var adoptions = 0
    for step in 0..<Seed.operations(default: 8) {
      var choices = Choices(seed: seed &* 1_000 &+ UInt64(step))
      if try compare(&choices, "SEED=\(seed), step \(step)") { adoptions += 1 }
    }
    print("SEED=\(seed): \(adoptions) were set beside writes")
    #expect(adoptions > 0 || Seed.operations(default: 0) > 0, "SEED=\(seed)")
  }
}
