import TestSupport
import Testing
import TreeDomain

@testable import TreeStorage

/// Short entries are readable at once, and are moved to their final table later.
@Suite(.serialized) struct ArrivalsTests {
  private let folder: TemporaryFolder
  private let trees = 1...6

  init() throws { folder = try TemporaryFolder() }

  private func open(maxArrivals: Int = 100) throws -> SQLiteStorage {
    try SQLiteStorage(folder: folder.path, maxArrivals: maxArrivals)
  }

  /// Returns the number of rows in a table.
  private func count(of table: String) throws -> Int? {
    var connection = try SQLiteConnection(file, .reading)
    return try connection.rows("SELECT count(*) FROM \(table)") { $0.integer(0) }.first
  }

  /// Returns the number of entries in the table `bundles`.
  private func arrivedCount() throws -> Int {
    var connection = try SQLiteConnection(file, .reading)
    try connection.updateArrivals()
    return connection.arrivals.members.values.reduce(0) { $0 + $1.count }
  }

  /// Returns the number of entries in the table `entries`.
  private func placedCount() throws -> Int {
    var connection = try SQLiteConnection(file, .reading)
    let rows = try connection.rows("SELECT heads FROM entries") { $0.bytes(0) }
    return rows.reduce(0) { $0 + max(1, EntryBundle.members(heads: $1, body: [])?.count ?? 0) }
  }

  private var file: String { folder.path + "/" + SQLiteStorage.fileName }

  /// Returns changes that append an entry to each tree.
  private func entries(_ number: Int, bytes: Int = 8) -> [StorageChange] {
    trees.map { .append(sample(number, bytes: bytes), to: TreeNumber($0)) }
  }

  private func make(_ storage: SQLiteStorage) throws {
    try storage.commit(trees.map { .makeTree(sample($0, "t\($0)")) })
  }

  @Test func `entries of both tables are read in order`() throws {
    let storage = try open()
    try make(storage)
    try storage.commit(entries(1))
    try storage.commit(entries(2, bytes: 2_000))
    for tree in trees { try storage.commit([.append(sample(3), to: TreeNumber(tree))]) }
    try storage.commit(entries(4, bytes: 1_025))
    // Each commit with entries adds a row, even an empty one.
    #expect(try count(of: "bundles") == 9 && arrivedCount() == 12 && placedCount() == 12)
    for tree in trees {
      #expect(try storage.allEntries(of: tree).map(\.number) == [1, 2, 3, 4])
      #expect(try storage.allEntries(of: tree, after: 2).map(\.number) == [3, 4])
      #expect(try storage.tree(TreeNumber(tree))?.revision == 40)
    }
    let reading = try SQLiteStorage(reading: folder.path)
    #expect(try reading.allEntries(of: 6).map(\.number) == [1, 2, 3, 4])
  }

  @Test func `short entries are sorted when they are many, and when the file is opened`() throws {
    do {
      let storage = try open(maxArrivals: 12)
      try make(storage)
      try storage.commit(entries(1))
      storage.tidy()
      #expect(try arrivedCount() == 6)
      try storage.commit(entries(2))
      storage.tidy()
      #expect(try arrivedCount() == 0 && placedCount() == 12)
      #expect(try count(of: "entries") == 6, "those of a tree are one row")
      try storage.commit(entries(3))
      #expect(try arrivedCount() == 6)
    }
    let storage = try open()
    #expect(try arrivedCount() == 0 && placedCount() == 18)
    for tree in trees { #expect(try storage.allEntries(of: tree).map(\.number) == [1, 2, 3]) }
  }

  @Test func `entries in a snapshot are removed from both tables`() throws {
    let storage = try open()
    try make(storage)
    try storage.commit(entries(1) + entries(2))
    let snapshot = sample(upTo: 1, of: 3, parts: 1)
    try storage.commit([.addPart([7], index: 0, of: sample(upTo: 1, of: 3))])
    try storage.commit([.finishSnapshot(snapshot)])
    while try storage.sweep(limit: 1) {}
    // The first entry of the tree shares a row with the second one.
    #expect(try arrivedCount() == 0 && placedCount() == 12)
    #expect(try storage.allEntries(of: 3, after: 1).map(\.number) == [2])
    try storage.commit([.addPart([8], index: 0, of: sample(upTo: 2, of: 3))])
    try storage.commit([.finishSnapshot(sample(upTo: 2, of: 3, parts: 1))])
    while try storage.sweep(limit: 1) {}
    #expect(try placedCount() == 10 && storage.allEntries(of: 3, after: 2).isEmpty)
  }

  @Test func `the view shows each entry of both tables`() throws {
    let storage = try open(maxArrivals: 12)
    try make(storage)
    try storage.commit(entries(1) + entries(2))
    storage.tidy()
    try storage.commit(entries(3, bytes: 600_000) + entries(4))
    #expect(try arrivedCount() == 6 && placedCount() == 18)
    var connection = try SQLiteConnection(file, .reading)
    let expected = try trees.flatMap { tree in
      try storage.allEntries(of: tree).map { JournalRow(tree: tree, entry: $0) }
    }
    #expect(try connection.journalRows() == expected)
    #expect(expected.count == 24)
  }

  @Test func `entries that were read are not read again until they are sorted`() throws {
    let storage = try open()
    try make(storage)
    try storage.commit(entries(1))
    try storage.commit(entries(2))
    #expect(try storage.allEntries(of: 2).map(\.number) == [1, 2])
    var connection = try SQLiteConnection(file, .writing)
    try connection.run("UPDATE bundles SET body = x'00' WHERE id = 1")
    try storage.commit(entries(3))
    #expect(try storage.allEntries(of: 2).map(\.number) == [1, 2, 3])
    // A new reader finds the damage.
    let reading = try SQLiteStorage(reading: folder.path)
    #expect(throws: StorageError.self) { try reading.allEntries(of: 2) }
  }

  @Test func `a concurrent reader sees entries before and after they are sorted`() throws {
    let storage = try open(maxArrivals: 1)
    try make(storage)
    let reading = try SQLiteStorage(reading: folder.path)
    for number in 1...9 {
      try storage.commit(entries(number))
      for tree in trees {
        #expect(try reading.allEntries(of: tree).map(\.number) == Array(1...number))
        #expect(try reading.tree(TreeNumber(tree))?.revision == 10 * number)
      }
      // Two commits out of three are read before they are sorted.
      if number % 3 == 0 { storage.tidy() }
      #expect(try reading.sharedTrees() == storage.sharedTrees())
    }
    #expect(try arrivedCount() == 0)
  }

  @Test func `many trees with one short entry each are listed, sorted and removed`() throws {
    let numbers = 1...2_000
    do {
      let storage = try open(maxArrivals: 10_000)
      try storage.commit(numbers.map { .makeTree(sample($0, "t\($0)")) })
      try storage.commit(numbers.map { .append(sample(1), to: TreeNumber($0)) })
      #expect(try arrivedCount() == numbers.count)
      let reading = try SQLiteStorage(reading: folder.path)
      #expect(try reading.sharedTrees().allSatisfy { $0.revision == 10 })
      try storage.commit(numbers.map { .deleteTree(TreeNumber($0)) })
      while try storage.sweep(limit: 1_000) {}
      #expect(try arrivedCount() == 0 && placedCount() == 0)
    }
    #expect(try open().sharedTrees().isEmpty)
  }

  @Test func `a rolled back transaction leaves no entries`() throws {
    let storage = try open()
    try make(storage)
    try storage.commit(entries(1))
    #expect(throws: StorageError.self) { try storage.commit(entries(2) + entries(1)) }
    let first = StorageChange.append(sample(1), to: TreeNumber(1))
    #expect(throws: StorageError.self) { try storage.commit([first]) }
    // The next transaction begins with one that has no entries.
    try storage.commit([.setClock(ClockReading(seconds: 1, wallSeconds: 2))])
    #expect(try arrivedCount() == 6)
    try storage.commit(entries(2))
    storage.tidy()
    for tree in trees { #expect(try storage.allEntries(of: tree).map(\.number) == [1, 2]) }
  }

  @Test func `a row is limited in size, and ends before a long entry`() throws {
    let storage = try open(maxArrivals: 1)
    try make(storage)
    let tree = TreeNumber(1)
    let short = { (number: Int) in StorageChange.append(sample(number, bytes: 1_000), to: tree) }
    try storage.commit((1...40).map(short))
    try storage.commit([.append(sample(41, bytes: 1_025), to: tree)] + (42...50).map(short))
    #expect(try storage.allEntries(of: 1).map(\.number) == Array(1...50))
    storage.tidy()
    // Sixteen of them are slightly less than the limit of a row.
    #expect(try arrivedCount() == 0 && count(of: "entries") == 3 + 1 + 1)
    #expect(try storage.allEntries(of: 1).map(\.number) == Array(1...50))
    #expect(try storage.allEntries(of: 1, after: 30).map(\.number) == Array(31...50))
    #expect(try storage.tree(tree)?.revision == 500)
  }
}
