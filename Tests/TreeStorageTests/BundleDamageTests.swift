import TestSupport
import Testing
import TreeDomain

@testable import TreeStorage

/// What is damaged in a row with entries of several trees concerns those trees, and no others.
@Suite(.serialized) struct BundleDamageTests {
  private let folder: TemporaryFolder
  /// The first three have entries in each commit, the last one in none.
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

  /// A store with two commits of several entries, the second of which is not sorted.
  private func make() throws -> SQLiteStorage {
    let storage = try SQLiteStorage(folder: folder.path, maxArrivals: 4)
    try storage.commit(trees.map { .makeTree(sample($0, "t\($0)")) })
    try storage.commit(entries(1) + [.append(sample(1), to: TreeNumber(4))])
    storage.tidy()
    try storage.commit(entries(2))
    return storage
  }

  /// The columns of the row that is not sorted, and what is in them.
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

  /// The entries of each tree; `nil` where it is damaged.
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

  @Test func `each byte of it`() throws {
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
  func `a row that is damaged stays, whatever is sorted, and can be mended`(column: String) throws {
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
    // Whoever has the tree in memory goes on with it.
    try storage.commit(entries(3) + entries(4))
    storage.tidy()
    #expect(try storage.allEntries(of: 4).map(\.number) == [1, 2, 3, 4])
    #expect(try storage.findDamage().count == 1)
    try set(column, bytes)
    let reading = try SQLiteStorage(reading: folder.path)
    #expect(try numbers(reading) == [[Int]?](repeating: [1, 2, 3, 4], count: 4))
  }

  @Test func `whoever has written it sorts what was to stand there`() throws {
    let storage = try make()
    try set("heads", [])
    try set("places", [])
    try storage.commit([.append(sample(2), to: TreeNumber(4))])
    storage.tidy()
    #expect(try numbers(storage) == [[Int]?](repeating: [1, 2], count: 4))
  }

  @Test func `with a snapshot behind it, it is missed by nobody`() throws {
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

  @Test func `where it is not told whose entries there are, nothing is read or given up`() throws {
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
