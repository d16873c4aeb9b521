import TestSupport
import Testing
import TreeDomain

@testable import TreeStorage

/// The files of a store after its process was killed, with the history of its commits.
struct StoreInUse {
  /// The size of the log's header in bytes.
  static let headerBytes = 32
  /// The size of a frame in bytes: a header of 24 and a page of 4096.
  static let frameBytes = 4_120

  /// The content of the database file.
  private(set) var file: [UInt8] = []
  /// The content of the log.
  private(set) var log: [UInt8] = []
  /// The content of the log before the last commit.
  private(set) var logBefore: [UInt8] = []
  /// The entries of tree 1.
  private(set) var entries: [StoredEntry] = []
  /// The numbers of frames and entries after each commit since the log started at its front.
  private(set) var commits: [(frames: Int, entries: Int)] = []

  /// Makes a store with a history.
  ///
  /// - Parameters:
  ///   - isRestarted: True if the log started again at its front, over older frames. Otherwise it
  ///     contains the tables as well.
  ///   - seed: The seed of random sizes.
  ///   - count: The number of commits of various sizes, before a last long one.
  init(isRestarted: Bool, seed: UInt64, commits count: Int = 10) throws {
    let folder = try TemporaryFolder()
    let path = "\(folder.path)/\(SQLiteStorage.fileName)"
    var random = SeededGenerator(seed: seed)
    let storage = try SQLiteStorage(folder: folder.path)
    var other = try SQLiteConnection(path, .writing)
    try storage.commit([.makeTree(sample(1, "a"))])
    try take(folder)
    if isRestarted {
      for _ in 0..<30 { try commit(to: storage, entries: 2, bytes: 6_000) }
      try other.run("PRAGMA wal_checkpoint(RESTART)")
      commits = []
    }
    for _ in 0..<count {
      let bytes = random.number(in: 8...6_000)
      try commit(to: storage, entries: random.number(in: 1...3), bytes: bytes)
      try take(folder)
    }
    // A rolled back transaction leaves frames without a commit, which the next commit overwrites.
    try other.run("PRAGMA cache_size=1")
    try other.run("BEGIN IMMEDIATE")
    let room = [UInt8](repeating: 7, count: 40_000)
    try other.run("INSERT INTO parts (place, checksum, body) VALUES (0, 0, ?)", .bytes(room))
    try other.run("ROLLBACK")
    logBefore = try #require(folder.bytes(of: SQLiteStorage.fileName + "-wal"))
    try commit(to: storage, entries: 3, bytes: 5_000)
    try take(folder)
  }

  private mutating func commit(
    to storage: SQLiteStorage,
    entries count: Int,
    bytes: Int
  ) throws {
    let new = (1...count).map { sample(entries.count + $0, bytes: bytes) }
    try storage.commit(new.map { .append($0, to: TreeNumber(1)) })
    entries += new
  }

  private mutating func take(_ folder: TemporaryFolder) throws {
    file = try #require(folder.bytes(of: SQLiteStorage.fileName))
    log = try #require(folder.bytes(of: SQLiteStorage.fileName + "-wal"))
    let salts = log[16..<24]
    let last = (0..<(log.count - Self.headerBytes) / Self.frameBytes).last { index in
      let start = Self.offset(ofFrame: index)
      return log[start + 8..<start + 16].elementsEqual(salts)
        && log[start + 4..<start + 8].contains { $0 != 0 }
    }
    commits.append((try #require(last) + 1, entries.count))
  }

  /// Returns the position of a frame, counted from 0.
  static func offset(ofFrame index: Int) -> Int { headerBytes + index * frameBytes }

  /// The position of the last commit in the log.
  var lastCommit: Range<Int> {
    Self.offset(
      ofFrame: commits[commits.count - 2].frames
    )..<Self.offset(ofFrame: commits[commits.count - 1].frames)
  }

  /// Returns the entries in the first bytes of the log.
  func entries(leftBy bytes: Int) -> [StoredEntry] {
    let count = commits.last { Self.offset(ofFrame: $0.frames) <= bytes }?.entries
    return Array(entries.prefix(count ?? 0))
  }

  /// Writes the database into a folder, with another log.
  func write(to folder: TemporaryFolder, log: [UInt8]) throws {
    try folder.write(file, to: SQLiteStorage.fileName)
    try folder.write(log, to: SQLiteStorage.fileName + "-wal")
  }

  /// Opens the database with another log.
  ///
  /// Returns the entries of tree 1, or the error.
  func start(log: [UInt8]) throws -> Result<[StoredEntry], StorageError> {
    let folder = try TemporaryFolder()
    try write(to: folder, log: log)
    return Result { () throws(StorageError) in
      try SQLiteStorage(folder: folder.path).allEntries(of: 1)
    }
  }
}
