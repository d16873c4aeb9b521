import TestSupport
import Testing
import TreeDomain

@testable import TreeStorage

/// Short entries come to stand in their places later, and are there at once.
@Suite(.serialized) struct ArrivalsTests {
  private let folder: TemporaryFolder
  private let trees = 1...6

  init() throws { folder = try TemporaryFolder() }

  private func open(maxArrivals: Int = 100) throws -> SQLiteStorage {
    try SQLiteStorage(folder: folder.path, maxArrivals: maxArrivals)
  }

  /// How many rows a table has.
  private func count(of table: String) throws -> Int? {
    var connection = try SQLiteConnection(file, .reading)
    return try connection.rows("SELECT count(*) FROM \(table)") { $0.integer(0) }.first
  }

  private var file: String { folder.path + "/" + SQLiteStorage.fileName }

  /// An entry for each tree.
  private func entries(_ number: Int, bytes: Int = 8) -> [StorageChange] {
    trees.map { .append(sample(number, bytes: bytes), to: TreeNumber($0)) }
  }

  private func make(_ storage: SQLiteStorage) throws {
    try storage.commit(trees.map { .makeTree(sample($0, "t\($0)")) })
  }

  @Test func `they are read in order with those that were put in place`() throws {
    let storage = try open()
    try make(storage)
    try storage.commit(entries(1))
    try storage.commit(entries(2, bytes: 2_000))
    for tree in trees { try storage.commit([.append(sample(3), to: TreeNumber(tree))]) }
    try storage.commit(entries(4, bytes: 1_025))
    #expect(try count(of: "arrivals") == 12 && count(of: "entries") == 12)
    for tree in trees {
      #expect(try storage.allEntries(of: tree).map(\.number) == [1, 2, 3, 4])
      #expect(try storage.allEntries(of: tree, after: 2).map(\.number) == [3, 4])
      #expect(try storage.tree(TreeNumber(tree))?.revision == 40)
    }
    let reading = try SQLiteStorage(reading: folder.path)
    #expect(try reading.allEntries(of: 6).map(\.number) == [1, 2, 3, 4])
  }

  @Test func `they are sorted when they are many, and when the file is opened`() throws {
    do {
      let storage = try open(maxArrivals: 12)
      try make(storage)
      try storage.commit(entries(1))
      storage.tidy(hasTime: true)
      #expect(try count(of: "arrivals") == 6)
      try storage.commit(entries(2))
      storage.tidy(hasTime: false)
      #expect(try count(of: "arrivals") == 0 && count(of: "entries") == 12)
      try storage.commit(entries(3))
      #expect(try count(of: "arrivals") == 6)
    }
    let storage = try open()
    #expect(try count(of: "arrivals") == 0 && count(of: "entries") == 18)
    for tree in trees { #expect(try storage.allEntries(of: tree).map(\.number) == [1, 2, 3]) }
  }

  @Test func `they go with the snapshot they are in`() throws {
    let storage = try open()
    try make(storage)
    try storage.commit(entries(1) + entries(2))
    let snapshot = sample(upTo: 1, of: 3, parts: 1)
    try storage.commit([.addPart([7], index: 0, of: sample(upTo: 1, of: 3))])
    try storage.commit([.finishSnapshot(snapshot)])
    while try storage.sweep(limit: 1) {}
    #expect(try count(of: "journal") == 11)
    #expect(try storage.allEntries(of: 3, after: 1).map(\.number) == [2])
  }

  @Test func `one that is damaged is told of, and keeps none of the others from being read`() throws
  {
    let storage = try open(maxArrivals: 8)
    try make(storage)
    try storage.commit(entries(1) + entries(2))
    do {
      var connection = try SQLiteConnection(file, .writing)
      try connection.run("UPDATE arrivals SET body = x'00' WHERE id = 2")
      // The place of another one.
      try connection.run(
        "UPDATE arrivals SET place = ? WHERE id = 3",
        .integer(RowNumber.entry(1, of: TreeNumber(1)))
      )
    }
    for _ in 0..<2 {
      #expect(throws: StorageError.self) { try storage.allEntries(of: 2) }
      #expect(throws: StorageError.self) { try storage.allEntries(of: 3) }
      #expect(try storage.allEntries(of: 4).map(\.number) == [1, 2])
      storage.tidy(hasTime: true)
    }
    #expect(try count(of: "arrivals") == 0)
  }

  @Test func `a file of the format without them is read, and has them when it is opened`() throws {
    do {
      let storage = try open()
      try make(storage)
      for tree in trees {
        try storage.commit([.append(sample(1, bytes: 2_000), to: TreeNumber(tree))])
      }
    }
    do {
      var connection = try SQLiteConnection(file, .writing)
      for change in [
        "DROP VIEW journal", "DROP TABLE arrivals", "DROP TABLE retired",
        "ALTER TABLE sessions RENAME COLUMN digest TO secret", "DROP TABLE clock",
        "PRAGMA user_version=2",
      ] {
        try connection.run(change)
      }
    }
    let reading = try SQLiteStorage(reading: folder.path)
    #expect(try reading.sharedTrees().count == 6)
    #expect(try reading.allEntries(of: 5).map(\.number) == [1])
    let storage = try open()
    try storage.commit(entries(2))
    #expect(try count(of: "arrivals") == 6)
    for tree in trees { #expect(try storage.allEntries(of: tree).map(\.number) == [1, 2]) }
  }
}
