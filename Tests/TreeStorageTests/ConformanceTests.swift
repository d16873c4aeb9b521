import TestSupport
import Testing
import TreeDomain
import TreeStorage

/// The behaviour that every storage engine must have.
@Suite(.serialized) struct ConformanceTests {
  private static let first = TreeNumber(1)

  @Test(arguments: Engine.allCases)
  func `a commit is applied as a whole or not at all`(engine: Engine) throws {
    let under = try StorageUnderTest(engine)
    #expect(throws: StorageError.self) {
      try under.storage.commit([.makeTree(sample(1, "a")), .makeTree(sample(2, "a"))])
    }
    #expect(try under.storage.tree(Self.first) == nil)
    #expect(try under.storage.nextTreeNumber() == Self.first)
    try under.storage.commit([.makeTree(sample(1, "a")), .append(sample(1), to: Self.first)])
    #expect(throws: StorageError.self) {
      try under.storage.commit([
        .append(sample(2), to: Self.first), .append(sample(1), to: Self.first),
      ])
    }
    try under.reopen()
    #expect(try under.storage.allEntries(of: 1) == [sample(1)])
    try under.storage.probe()
    #expect(try under.storage.allEntries(of: 1) == [sample(1)])
    #expect(try under.storage.trees(after: TreeNumber(0), limit: 9) == [Self.first])
    #expect(under.storage.hasRoom(for: 1) && !under.storage.isShortOfRoom)
  }

  @Test(arguments: Engine.allCases)
  func `an entry can be appended once, also after a failed commit with it`(engine: Engine) throws {
    let under = try StorageUnderTest(engine)
    try under.storage.commit([.makeTree(sample(1, "a")), .append(sample(1), to: Self.first)])
    for bytes in [8, 2_000] {
      #expect(throws: StorageError.self) {
        try under.storage.commit([
          .append(sample(2), to: Self.first), .append(sample(1, bytes: bytes), to: Self.first),
        ])
      }
    }
    try under.storage.commit([.append(sample(2), to: Self.first)])
    try under.storage.commit([.append(sample(3, bytes: 2_000), to: Self.first)])
    for number in 1...3 {
      #expect(throws: StorageError.self) {
        try under.storage.commit([.append(sample(number), to: Self.first)])
      }
    }
    #expect(try under.storage.allEntries(of: 1).map(\.number) == [1, 2, 3])
  }

  @Test(arguments: Engine.allCases)
  func `entries are returned in order, up to a number of bytes`(engine: Engine) throws {
    let under = try StorageUnderTest(engine)
    let entries = (1...20).map { sample($0, bytes: $0 % 7) }
    try under.storage.commit([.makeTree(sample(1, "a")), .makeTree(sample(2, "b"))])
    for entry in entries {
      try under.storage.commit([
        .append(entry, to: Self.first), .append(sample(entry.number), to: TreeNumber(2)),
      ])
    }
    try under.reopen()
    #expect(try under.storage.allEntries(of: 1) == entries)
    #expect(try under.storage.allEntries(of: 1, after: 17) == Array(entries[17...]))
    #expect(try under.storage.entries(of: Self.first, after: 0, bytes: 1).map(\.number) == [1])
    #expect(
      try under.storage.entries(of: Self.first, after: 0, bytes: 6).map(\.number) == [1, 2, 3]
    )
    #expect(try under.storage.entries(of: Self.first, after: 20, bytes: 6).isEmpty)
    #expect(try under.storage.tree(Self.first)?.revision == 200)
    #expect(try under.storage.sharedTrees().map(\.nodeCount) == [60, 60])
  }

  @Test(arguments: Engine.allCases)
  func `a snapshot replaces entries and the snapshot before`(engine: Engine) throws {
    let under = try StorageUnderTest(engine)
    try under.storage.commit([.makeTree(sample(1, "a"))])
    for number in 1...9 { try under.storage.commit([.append(sample(number), to: Self.first)]) }
    for (entry, parts) in [(3, 2), (7, 1), (9, 3)] {
      let before = try under.storage.parts(of: 1)
      for index in 0..<parts {
        let bytes = Array("\(entry) \(index)".utf8)
        let snapshot = sample(upTo: entry, of: 1, parts: index)
        try under.storage.commit([.addPart(bytes, index: index, of: snapshot)])
        // An incomplete snapshot cannot be read.
        #expect(try under.storage.parts(of: 1) == before)
      }
      let whole = sample(upTo: entry, of: 1, parts: parts)
      try under.storage.commit([.finishSnapshot(whole)])
      try under.reopen()
      if entry == 7 { try under.sweep() }
      #expect(try under.storage.snapshot(of: Self.first) == whole)
      let expected = (0..<parts).map { Array("\(entry) \($0)".utf8) }
      #expect(try under.storage.parts(of: 1) == expected)
      let rest = (entry..<9).map { sample($0 + 1) }
      #expect(try under.storage.allEntries(of: 1, after: entry) == rest)
      #expect(try under.storage.tree(Self.first)?.revision == 90)
    }
    try under.sweep()
    #expect(try under.storage.tree(Self.first)?.nodeCount == 27)
    #expect(try under.storage.parts(of: 1)?.count == 3)
  }

  @Test(arguments: Engine.allCases)
  func `an incomplete snapshot can be started over`(engine: Engine) throws {
    let under = try StorageUnderTest(engine)
    try under.storage.commit([.makeTree(sample(1, "a")), .append(sample(1), to: Self.first)])
    for _ in 0..<2 {
      try under.storage.commit([.addPart([1], index: 0, of: sample(upTo: 1, of: 1))])
      try under.storage.commit([.addPart([2], index: 1, of: sample(upTo: 1, of: 1, parts: 1))])
      try under.reopen()
      #expect(try under.storage.snapshot(of: Self.first) == nil)
    }
    try under.storage.commit([.addPart([3], index: 0, of: sample(upTo: 1, of: 1))])
    try under.storage.commit([.finishSnapshot(sample(upTo: 1, of: 1, parts: 1))])
    try under.sweep()
    #expect(try under.storage.parts(of: 1) == [[3]])
  }

  @Test(arguments: Engine.allCases)
  func `deleting a tree deletes its sessions, and frees its id`(engine: Engine) throws {
    let under = try StorageUnderTest(engine)
    var random = SeededGenerator(seed: 1)
    let ids = (0..<4).map { _ in SessionID(using: &random) }
    try under.storage.commit([.makeTree(sample(1, "a")), .makeTree(sample(2, "b"))])
    for (index, id) in ids.enumerated() {
      let session = sample(id, of: index % 2 + 1, idle: 5)
      try under.storage.commit([.makeSession(session)])
    }
    try under.storage.commit([
      .removeSession(ids[2], expired: true), .deleteTree(Self.first), .makeTree(sample(3, "a")),
    ])
    for _ in 0..<2 {
      #expect(try under.storage.tree(Self.first) == nil)
      #expect(try under.storage.sharedTrees().map(\.number.value) == [3, 2])
      #expect(try under.storage.trees(after: Self.first, limit: 1) == [TreeNumber(2)])
      #expect(try under.storage.session(ids[0]) == nil)
      #expect(try under.storage.session(ids[1])?.tree == TreeNumber(2))
      // Its expiry is remembered.
      #expect(try under.storage.session(ids[2])?.isExpired == true)
      #expect(try under.storage.sessionCount() == 2)
      let over = try under.storage.sessions(expiredBefore: 99, limit: 9)
      #expect(Set(over.map(\.id)) == [ids[1], ids[3]])
      try under.sweep()
      try under.reopen()
    }
  }

  /// A snapshot may be in progress when its tree is deleted.
  @Test(arguments: Engine.allCases)
  func `parts of a snapshot of a deleted tree are ignored`(engine: Engine) throws {
    let under = try StorageUnderTest(engine)
    for begun in [false, true] {
      let number = try under.storage.nextTreeNumber()
      let snapshot = sample(upTo: 1, of: number.value)
      try under.storage.commit([
        .makeTree(sample(number.value, "a")), .append(sample(1), to: number),
      ])
      if begun { try under.storage.commit([.addPart([1], index: 0, of: snapshot)]) }
      try under.storage.commit([.deleteTree(number)])
      if !begun { try under.storage.commit([.addPart([1], index: 0, of: snapshot)]) }
      try under.storage.commit([.addPart([2], index: 1, of: snapshot)])
      try under.storage.commit([.finishSnapshot(snapshot)])
      #expect(try under.storage.snapshot(of: number) == nil)
      try under.sweep()
    }
  }

  @Test(arguments: Engine.allCases)
  func `sessions are found, renewed, counted and remembered as expired`(engine: Engine) throws {
    let under = try StorageUnderTest(engine)
    var random = SeededGenerator(seed: 2)
    let ids = (0..<6).map { _ in SessionID(using: &random) }
    try under.storage.commit([.makeTree(sample(1, "a"))])
    for (index, id) in ids.enumerated() {
      // The first two never expire. Of the others, later ones expire earlier.
      let session = sample(id, of: 1, idle: index < 2 ? 0 : 20 - index, used: 100)
      try under.storage.commit([.makeSession(session)])
    }
    let over = try under.storage.sessions(expiredBefore: 118, limit: 2)
    #expect(over.map(\.id) == [ids[5], ids[4]])
    #expect(try under.storage.sessions(expiredBefore: 115, limit: 9).isEmpty)
    try under.storage.commit([
      .renewSession(ids[5], lastUse: 200, idleTimeoutSeconds: 30),
      .removeSession(ids[4], expired: true), .removeSession(ids[3], expired: false),
    ])
    // Renewing an expired or removed session does not restore it.
    for id in ids[3...4] {
      try under.storage.commit([.renewSession(id, lastUse: 300, idleTimeoutSeconds: 7)])
    }
    try under.reopen()
    #expect(try under.storage.session(ids[5]) == sample(ids[5], of: 1, idle: 30, used: 200))
    #expect(try under.storage.session(ids[4])?.isExpired == true)
    #expect(try under.storage.session(ids[3]) == nil)
    #expect(try under.storage.sessionCount() == 4)
    #expect(try under.storage.sessions(expiredBefore: 999, limit: 9).map(\.id) == [ids[2], ids[5]])
    // An expired session is forgotten when another one expires a day later.
    let day = StoredSession.rememberedSeconds
    for (time, isKnown) in [(307, true), (308, false)] {
      try under.storage.commit([.renewSession(ids[2], lastUse: time + day, idleTimeoutSeconds: 0)])
      try under.storage.commit([.removeSession(ids[2], expired: true)])
      #expect(try (under.storage.session(ids[4]) != nil) == isKnown)
      #expect(try under.storage.session(ids[2])?.isExpired == true)
    }
  }

  @Test(arguments: Engine.allCases)
  func `a live session is found by the digest of its secret`(engine: Engine) throws {
    let under = try StorageUnderTest(engine)
    var random = SeededGenerator(seed: 4)
    let ids = (0..<4).map { _ in SessionID(using: &random) }
    let digests = ids.map { _ in SecretDigest.sample(&random) }
    try under.storage.commit([.makeTree(sample(1, "a")), .makeTree(sample(2, "b"))])
    for (index, id) in ids.enumerated() {
      var session = sample(id, of: index == 3 ? 2 : 1)
      session.digest = digests[index]
      if index == 0 { session.access = .view }
      try under.storage.commit([.makeSession(session)])
    }
    try under.storage.commit([.makeSession(sample(SessionID(using: &random), of: 1))])
    try under.storage.commit([.renewSession(ids[0], lastUse: 7, idleTimeoutSeconds: 9)])
    for _ in 0..<2 {
      for (id, digest) in zip(ids, digests) {
        #expect(try under.storage.session(openedBy: digest)?.id == id)
        #expect(try under.storage.session(id)?.digest == digest)
        #expect(try under.storage.session(id)?.access == (id == ids[0] ? .view : .write))
      }
      // The selector of one digest, and the rest of another.
      let halves = digests[0].bytes.prefix(16) + digests[1].bytes.suffix(16)
      #expect(
        try under.storage.session(openedBy: #require(SecretDigest(bytes: Array(halves)))) == nil
      )
      #expect(try under.storage.session(openedBy: .sample(&random)) == nil)
      try under.reopen()
    }
    try under.storage.commit([
      .removeSession(ids[1], expired: false), .removeSession(ids[2], expired: true),
      .deleteTree(TreeNumber(2)),
    ])
    for _ in 0..<2 {
      #expect(try under.storage.session(openedBy: digests[0])?.lastUse == 7)
      for digest in digests[1...] { #expect(try under.storage.session(openedBy: digest) == nil) }
      try under.sweep()
      try under.reopen()
    }
  }

  @Test(arguments: Engine.allCases)
  func `contradictory changes are refused as a whole`(
    engine: Engine
  ) throws {
    let under = try StorageUnderTest(engine)
    try under.storage.commit([.makeTree(sample(1, "a", isPrivate: true))])
    for isPrivate in [false, true] {
      let changes: [StorageChange] = [
        .makeTree(sample(2, "b")), .makeTree(sample(3, "a", isPrivate: isPrivate)),
      ]
      do throws(StorageError) {
        try under.storage.commit(changes)
        Issue.record("a second tree has the id of another one")
      } catch {
        guard case .refused = error else { throw error }
      }
      #expect(try under.storage.sharedTrees().isEmpty)
    }
    try under.storage.commit([.makeTree(sample(2, "b"))])
  }

  @Test(arguments: Engine.allCases)
  func `no tree number is given out twice`(engine: Engine) throws {
    let under = try StorageUnderTest(engine)
    for number in 1...4 {
      #expect(try under.storage.nextTreeNumber() == TreeNumber(number))
      try under.storage.commit([.makeTree(sample(number, "a", isPrivate: number == 2))])
      #expect(try under.storage.sharedTrees().count == (number == 2 ? 0 : 1))
      try under.storage.commit([.deleteTree(TreeNumber(number))])
      try under.sweep()
      try under.reopen()
    }
  }
}
