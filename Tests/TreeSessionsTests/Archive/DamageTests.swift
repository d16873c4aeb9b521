import TestSupport
import Testing
import TreeDomain
import TreeStorage

@testable import TreeSessions

/// With truncated or changed files, each tree and session is in a former state, or is refused.
///
/// Nothing that was on disk before is missing without an error.
@Suite(.serialized) struct DamageTests {
  /// The files of a store, and all states of its trees and sessions since its first part was in the
  /// database file.
  private struct History {
    var files: [String: [UInt8]] = [:]
    var trees: [TreeID: Set<[UInt8]>] = [:]
    var sessions: [SessionID: Set<[UInt8]>] = [:]

    mutating func record(_ store: SessionStore) throws {
      for tree in trees.keys { trees[tree]?.insert(unnumbered(try store.picture(of: tree))) }
      for session in sessions.keys {
        sessions[session]?.insert(unnumbered(try store.picture(of: session)))
      }
    }
  }

  /// Returns a picture without revisions, because copied files begin a new generation.
  private static func unnumbered(_ picture: [UInt8]) -> [UInt8] {
    let text = String(decoding: picture, as: UTF8.self)
      .replacing(/^[0-9]+\n/, with: "")
      .replacing(/"(revision|treeRevision)":[0-9]+,/, with: "")
    return Array(text.utf8)
  }

  private static let names = [SQLiteStorage.fileName, SQLiteStorage.fileName + "-wal"]

  private static func start(_ storage: any TreeStorage) throws(StorageError) -> SessionStore {
    var limits = SessionLimits()
    limits.snapshotEntries = 7
    return try SessionStore(limits: limits, storage: storage, clock: { 1_000 })
  }

  /// Makes trees and sessions with a history, of which the second half is only in the log.
  private func history(_ seed: UInt64) throws -> History {
    let folder = try TemporaryFolder()
    var random = SeededGenerator(seed: seed)
    var history = History()
    do {
      let store = try Self.start(SQLiteStorage(folder: folder.path))
      for name in ["a", "b", "c"] {
        history.trees[try store.make(name, #""sections":["x","y"]"#)] = []
        for members in [#""tree":"\#(name)""#, #""tree":"\#(name)","expansion":"none""#, ""] {
          history.sessions[try StoreUnderTest("{\(members)}", in: store).id] = []
        }
      }
      try change(store, &history, 30, &random)
    }
    let storage = try SQLiteStorage(folder: folder.path)
    let store = try Self.start(storage)
    for tree in history.trees.keys { history.trees[tree] = [] }
    for session in history.sessions.keys { history.sessions[session] = [] }
    try history.record(store)
    try change(store, &history, 30, &random)
    // The files while they are in use, as a killed process leaves them.
    for name in Self.names { history.files[name] = folder.bytes(of: name) }
    return history
  }

  private func change(
    _ store: SessionStore,
    _ history: inout History,
    _ count: Int,
    _ random: inout SeededGenerator
  ) throws {
    let sessions = history.sessions.keys.sorted { $0.bytes.lexicographicallyPrecedes($1.bytes) }
    for _ in 0..<count {
      let key = "k\(random.number(in: 0...30))"
      let size = String(repeating: "x", count: random.number(in: 0...900))
      let operation = random.choice([
        #"{"op":"insert","key":"\#(key)","object":"\#(size)"}"#,
        #"{"op":"insert","key":"\#(key)","object":[1]}"#,
        #"{"op":"remove","key":"\#(key)"}"#, #"{"op":"select","key":"\#(key)"}"#,
        #"{"op":"move","key":"\#(key)","parent":null,"first":true}"#,
      ])
      let session = StoreUnderTest(random.choice(sessions), of: store)
      _ = refusal { () throws(ServiceError) in try session.apply(operation) }
      try history.record(store)
    }
  }

  /// Returns the faults of a store with damaged files.
  private func findings(_ files: [String: [UInt8]], _ history: History) throws -> [String] {
    let folder = try TemporaryFolder()
    for (name, bytes) in files { try folder.write(bytes, to: name) }
    guard let storage = try? SQLiteStorage(folder: folder.path),
      let store = try? Self.start(storage)
    else { return [] }
    var findings: [String] = []
    func check(
      _ states: Set<[UInt8]>,
      _ what: String,
      named: String = "",
      _ read: () throws(ServiceError) -> [UInt8]
    ) {
      do throws(ServiceError) {
        let picture = Self.unnumbered(try read())
        if !states.contains(picture) { findings.append("\(what) is as it never was") }
      } catch {
        if error.code != .storageDamaged { findings.append("\(what): \(error)") }
        if !error.detail.contains(named) { findings.append("not said of \(what): \(error)") }
      }
    }
    for (id, states) in history.trees {
      let name = "Tree \(String(decoding: id.bytes, as: UTF8.self)) "
      check(states, "tree \(id)", named: name) { () throws(ServiceError) in
        try store.picture(of: id)
      }
    }
    for (id, states) in history.sessions {
      check(states, "session \(id)") { () throws(ServiceError) in try store.picture(of: id) }
    }
    return findings
  }

  @Test func `an intact store has its last state`() throws {
    let history = try history(1)
    #expect(try findings(history.files, history) == [])
    #expect(history.files[Self.names[1]]?.isEmpty == false)
  }

  @Test(arguments: Seed.seeds(count: 4))
  func `a truncated log leaves a former state`(seed: UInt64) throws {
    let history = try history(seed)
    var random = SeededGenerator(seed: seed)
    let log = try #require(history.files[Self.names[1]])
    for _ in 0..<Seed.operations(default: 15) {
      var files = history.files
      let count = random.number(in: 0...log.count)
      files[Self.names[1]] = Array(log.prefix(count))
      let found = try findings(files, history)
      #expect(found == [], "seed \(seed), a log of \(count) bytes")
    }
  }

  @Test(arguments: Seed.seeds(count: 4))
  func `a truncated file is refused, or its trees have former states`(seed: UInt64) throws {
    let history = try history(seed)
    var random = SeededGenerator(seed: seed &+ 2_000)
    let file = try #require(history.files[Self.names[0]])
    let pages = file.count / 4_096
    let counts = (0..<Seed.operations(default: 12)).map { _ in
      random.oneIn(2) ? random.number(in: 0...pages) * 4_096 : random.number(in: 0...file.count)
    }
    for count in [0, 1, 99, 4_096] + counts {
      var files = history.files
      files[Self.names[0]] = Array(file.prefix(count))
      let found = try findings(files, history)
      #expect(found == [], "seed \(seed), a file of \(count) bytes")
    }
  }

  @Test(arguments: Seed.seeds(count: 4))
  func `with changed bytes, trees have former states or are refused`(seed: UInt64) throws {
    let history = try history(seed)
    var random = SeededGenerator(seed: seed &+ 1_000)
    for _ in 0..<Seed.operations(default: 40) {
      var files = history.files
      let name = random.choice(Self.names)
      var bytes = try #require(files[name])
      var places: [Int] = []
      for _ in 0..<random.number(in: 1...3) {
        places.append(random.number(in: 0...(bytes.count - 1)))
        let place = places[places.count - 1]
        bytes[place] = random.oneIn(2) ? bytes[place] ^ 1 << random.number(in: 0...7) : 0xFF
      }
      files[name] = bytes
      let found = try findings(files, history)
      #expect(found == [], "seed \(seed), \(name) at \(places)")
    }
  }
}
