import TestSupport
import Testing
import TreeDomain

@testable import TreeStorage

/// Damage in a row with entries of several trees affects only these trees.
@Suite(.serialized) struct BundleDamageTests {
  private let folder: TemporaryFolder
  /// The first three trees have entries in each commit; the last one only in the first.
  private let trees = 1...4

  init() throws { folder = try TemporaryFolder() }

  private var file: String { folder.path + "/" + SQLiteStorage.fileName }

  private func entries(_ number: Int) -> [StorageChange] {
    trees.dropLast().map { tree in
      var entry = sample(number)
      entry.body = (0..<UInt8(5 * tree)).map { UInt8(tree) << 4 + $0 }
      return .append(entry, to: TreeNumber(tree))
    }
  }

  /// Makes a store with two commits of several entries.
  ///
  /// Those of the second are not sorted yet.
  private func make() throws -> SQLiteStorage {
    let storage = try SQLiteStorage(folder: folder.path, maxArrivals: 4)
    try storage.commit(trees.map { .makeTree(sample($0, "t\($0)")) })
    try storage.commit(entries(1) + [.append(sample(1), to: TreeNumber(4))])
    storage.tidy()
    try storage.commit(entries(2))
    return storage
  }

  /// Returns the columns of the unsorted row, with their content.
  private func columns() throws -> [(name: String, bytes: [UInt8])] {
    var connection = try SQLiteConnection(file, .reading)
    return try ["places", "heads", "body"].map { name in
      let rows = try connection.rows("SELECT \(name) FROM bundles WHERE id = 3") { $0.bytes(0) }
      return (name, try #require(rows.count == 1 ? rows[0] : nil))
    }
  }

  private func set(_ column: String, _ bytes: [UInt8]) throws {
    var connection = try SQLiteConnection(file, .writing)
    try connection.run("UPDATE bundles SET \(column) = ? WHERE id = 3", .bytes(bytes))
  }

  /// Returns the numbers of each tree's entries; `nil` for a damaged tree.
  private func numbers(_ storage: any TreeStorage) throws -> [[Int]?] {
    let found = trees.map { tree in try? storage.allEntries(of: tree).map(\.number) }
    let listed = try storage.sharedTrees()
    #expect(listed.map(\.number.value) == Array(trees))
    for (entries, tree) in zip(found, listed) {
      #expect(tree.isDamaged == (entries == nil))
      #expect(tree.revision == (entries?.last ?? 0) * 10)
    }
    return found
  }

  private let whole = [[1, 2], [1, 2], [1, 2], [1]]

  @Test func `each flipped byte damages only trees with entries in the row`() throws {
    _ = try make()
    for (name, bytes) in try columns() {
      for place in bytes.indices {
        var damaged = bytes
        damaged[place] ^= 1
        try set(name, damaged)
        let found = try numbers(SQLiteStorage(reading: folder.path))
        #expect(found[3] == [1])
        for (entries, all) in zip(found, whole) { #expect(entries == nil || entries == all) }
        let count = found.count { $0 == nil }
        switch name {
        case "places": #expect(count == 0, "the heads tell the same")
        case "body": #expect(count == 1, "its own tree")
        default: #expect(count == 1 || count == 3, "its own tree, or all that are in the row")
        }
      }
      try set(name, bytes)
    }
    #expect(try numbers(SQLiteStorage(reading: folder.path)) == whole)
  }

  @Test(arguments: ["heads", "body"])
  func `a damaged row survives sorting, and can be repaired`(column: String) throws {
    _ = try make()
    let bytes = try #require(try columns().first { $0.name == column }).bytes
    var damaged = bytes
    damaged[3] ^= 1
    try set(column, damaged)
    let storage = try SQLiteStorage(folder: folder.path, maxArrivals: 1)
    let found = try numbers(storage)
    for number in 2...4 {
      try storage.commit([.append(sample(number), to: TreeNumber(4))])
      storage.tidy()
      #expect(try numbers(storage) == found.dropLast() + [Array(1...number)])
    }
    #expect(try columns().first { $0.name == column }?.bytes == damaged)
    // The writer continues trees that it has in memory.
    try storage.commit(entries(3) + entries(4))
    storage.tidy()
    #expect(try storage.allEntries(of: 4).map(\.number) == [1, 2, 3, 4])
    #expect(try storage.findDamage().count == 1)
    try set(column, bytes)
    let reading = try SQLiteStorage(reading: folder.path)
    #expect(try numbers(reading) == [[Int]?](repeating: [1, 2, 3, 4], count: 4))
  }

  @Test func `the writer sorts entries whose row was damaged after it wrote them`() throws {
    let storage = try make()
    try set("heads", [])
    try set("places", [])
    try storage.commit([.append(sample(2), to: TreeNumber(4))])
    storage.tidy()
    #expect(try numbers(storage) == [[Int]?](repeating: [1, 2], count: 4))
  }

  @Test func `a damaged row does not matter after a later snapshot`() throws {
    _ = try make()
    try set("heads", [])
    let storage = try SQLiteStorage(folder: folder.path)
    #expect(try numbers(storage) == [nil, nil, nil, [1]])
    try storage.commit([.addPart([7], index: 0, of: sample(upTo: 2, of: 3))])
    try storage.commit([.finishSnapshot(sample(upTo: 2, of: 3, parts: 1))])
    try storage.commit([.append(sample(3), to: TreeNumber(3))])
    while try storage.sweep(limit: 1) {}
    #expect(try storage.allEntries(of: 3, after: 2).map(\.number) == [3])
    #expect(try storage.tree(TreeNumber(3))?.revision == 30)
    #expect(throws: StorageError.self) { try storage.tree(TreeNumber(2)) }
  }

  @Test func `a row that does not name its trees is refused until it is deleted`() throws {
    do {
      let storage = try make()
      try set("heads", [])
      try set("places", [])
      for _ in 0..<2 {
        #expect(throws: StorageError.self) { try storage.allEntries(of: 4) }
        #expect(throws: StorageError.self) { try storage.sharedTrees() }
        storage.tidy()
      }
    }
    for _ in 0..<2 {
      do throws(StorageError) {
        _ = try SQLiteStorage(folder: folder.path)
        Issue.record("it is opened")
      } catch {
        #expect(error.reason.contains("\"DELETE FROM bundles WHERE id = 3\""))
        #expect(error.reason.contains("Restore a backup"))
      }
    }
    var connection = try SQLiteConnection(file, .writing)
    try connection.run("DELETE FROM bundles WHERE id = 3")
    #expect(try numbers(SQLiteStorage(folder: folder.path)) == [[1], [1], [1], [1]])
  }
}
